# SPDX-License-Identifier: MIT
# What the tests of ranks that share a run have in common: source it behind
# tap.sh. HAMON_RANKS says how many share a run (tests/long: 1 to 8).
grep -q '^#define HAMON_MPI 1' "$built/config.h" || {
    echo "1..0 # SKIP built without --with-mpi"
    exit 0
}
wanted mpirun "mpirun starts ranks" || finish
mkdir "$work/in" && cd "$work/in" || exit 99
# Open MPI wants to be told these; others do not mind. HDF5's files are local.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe \
    OMPI_MCA_btl_vader_single_copy_mechanism

# Blocks are cut along every axis, though other cuts cost less (split.h).
cuts="2x1x1 3x1x1 2x2x1 3x2x1 2x2x2 4x2x1"
HAMON_BLOCKS=$cuts
export HAMON_BLOCKS
ranks=${HAMON_RANKS:-2 4}
few=${HAMON_RANKS:-4} # where one number will do in seconds
python=${HAMON_PYTHON:-/usr/bin/python3}
"$python" -c 'import h5py, numpy' 2>/dev/null || python=
# judged NAME COMMAND…: by h5py, which not every machine has.
judged() {
    if [ "$python" ] || [ "${HAMON_JUDGES:-}" = required ]; then
        ok "$@"
    else
        skip "$1" "no h5py"
    fi
}

# equal ONE OTHER [OPTION…]: all but what tells of the program and its clock,
# and the state to go on from: what a watch keeps of a wave too faint to matter
# depends on who looked.
equal() { # nor how often the clock asked for a commit; / has the time in `history`
    one=$1 other=$2
    shift 2
    h5diff --exclude-path /provenance --exclude-path /restart --exclude-attribute / \
        --exclude-path /status/sequence \
        --exclude-path /plans/nanoseconds --exclude-path /plans/plan \
        "$@" "$one" "$other" >diff.out 2>&1 ||
        { head -n 20 diff.out; return 1; }
    # What it says of dimensions that are nothing else.
    ! grep -vE '^-----|^Some objects are not|^Use -c' diff.out
}

# A map with walls and gaps across every cut; agents cross it all over; events
# on the edges of blocks.
awk 'BEGIN {
    print "type octile\nheight 47\nwidth 61\nmap"
    for (y = 0; y < 47; y++) {
        row = ""
        for (x = 0; x < 61; x++)
            row = row ((y == 23 && x % 9 != 4) || (x == 30 && y % 7 != 3) ||
                       (x * 7 + y * 13) % 29 == 0 ? "@" : ".")
        print row
    }
}' >map.map
cat >flat.cfg <<'CFG'
map = { file = "map.map"; };
steps = 200; seed = 3;
wave = { count = 2; lifetime = 90; walls = "free"; };
arrival = { detector = "capped-exponential"; heading = "signed"; };
target = { at = [31.0, 22.0]; motion = "waypoints"; speed = 0.2;
           waypoints = ( [3.0, 3.0], [57.0, 43.0] ); };
agents = ( { at = "random"; min_distance = 15.0; count = 12; method = "wave"; speed = 0.4; name = "W"; },
           { name = "L"; at = [2.0, 40.0]; method = "lee"; speed = 0.3; },
           { name = "D"; at = [58.0, 3.0]; method = "dijkstra"; speed = 0.3; },
           { name = "F"; at = [58.0, 40.0]; method = "fast-marching"; speed = 0.3; } );
pursuit = { capture_radius = 2.5; stop = "never"; };
events = ( { step = 40; box = [30, 20, 31, 26]; set = "wall"; },
           { step = 80; box = [14, 23, 22, 24]; set = "free"; },
           { step = 120; box = [29, 22, 33, 25]; set = "free"; } );
record = { fields = ( "amplitude", "gradient", "agents", "arrival" ); commit = 25; };
CFG

awk 'BEGIN {
    print "voxel 18 14 9"
    for (z = 0; z < 9; z++)
        for (y = 0; y < 14; y++)
            for (x = 0; x < 18; x++)
                if ((z == 4 && (x + y) % 5 != 0) ||
                    (x * 7 + y * 13 + z * 3) % 31 == 0)
                    print x, y, z
}' >deep.3dmap
cat >deep.cfg <<'CFG'
map = { file = "deep.3dmap"; };
steps = 90;
wave = { count = 2; lifetime = 60; walls = "free"; stencil = "7-point"; delta = 0.2; };
arrival = { detector = "leading-edge"; heading = "signed"; };
target = { at = [3.0, 3.0, 1.0]; motion = "still"; };
agents = ( { at = "random"; min_distance = 8.0; count = 8; method = "wave"; speed = 0.45; name = "W"; } );
pursuit = { moves = 6; stop = "never"; };
events = ( { step = 30; box = [5, 6, 3, 10, 8, 5]; set = "wall"; }, { step = 70; box = [5, 6, 3, 10, 8, 5]; set = "free"; } );
record = { fields = ( "amplitude", "gradient", "agents", "arrival" ); commit = 25; };
CFG

# by RANKS COMMAND…: 0 ranks are one process without a launcher.
by() {
    count=$1
    shift
    if [ "$count" -eq 0 ]; then "$@"; else mpirun -n "$count" "$@"; fi
}
# The commits of a run with a stop on its way are not those of one without.
same_rows() {
    equal "$1" "$2" --exclude-path /status/sequence
}
# until_rows FILE ROWS: waits for so many committed, 20 s at most.
until_rows() {
    n=0
    until [ "$(hamon-info --json "$1" 2>/dev/null |
        sed -n 's/.*"rows": *\([0-9]*\).*/\1/p' | head -n 1)" -gt "$2" ] 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 200 ] || break
        sleep 0.1
    done
}
