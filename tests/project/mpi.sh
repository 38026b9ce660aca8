# SPDX-License-Identifier: MIT
# Shared by the tests of ranks that share a run: source it after tap.sh.
# HAMON_RANKS is the number of ranks, HAMON_PAIRS those before and after a resume.
grep -q '^#define HAMON_MPI 1' "$built/config.h" || {
    echo "1..0 # SKIP built without --with-mpi"
    exit 0
}
wanted mpirun "mpirun starts ranks" || finish
if in_depth; then
    HAMON_RANKS=${HAMON_RANKS:-1 2 3 4 6 8}
    HAMON_PAIRS=${HAMON_PAIRS:-0,8 8,0 1,3 3,8 8,6 6,2 2,1}
fi
mkdir "$work/in" && cd "$work/in" || exit 99
# Open MPI requires these variables; others ignore them. HDF5's files are
# local.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe \
    OMPI_MCA_btl_vader_single_copy_mechanism

# Blocks are divided along every axis, though other divisions cost less
# (split.h).
cuts="2x1x1 3x1x1 2x2x1 3x2x1 2x2x2 4x2x1"
HAMON_BLOCKS=$cuts
export HAMON_BLOCKS
ranks=${HAMON_RANKS:-2 4}
few=${HAMON_RANKS:-4} # if one number of ranks is enough in seconds
python=${HAMON_PYTHON:-/usr/bin/python3}
"$python" -c 'import h5py, numpy' 2>/dev/null || python=
# by_h5py NAME COMMAND…: a test with h5py, which not every machine has.
by_h5py() {
    if [ "$python" ] || [ "${HAMON_REFERENCES:-}" = required ]; then
        ok "$@"
    else
        skip "$1" "no h5py"
    fi
}

# equal ONE OTHER [OPTION…]: equal except for data about the program and its
# clock, and the state to resume from: the data that a watch has of a wave
# that is too weak to matter depend on which rank tested it.
equal() { # nor how often the clock asked for a commit; / has the time in `history`
    one=$1 other=$2
    shift 2
    h5diff --exclude-path /provenance --exclude-path /restart --exclude-attribute / \
        --exclude-path /status/sequence \
        --exclude-path /plans/nanoseconds --exclude-path /plans/plan \
        "$@" "$one" "$other" >diff.out 2>&1 ||
        { head -n 20 diff.out; return 1; }
    # h5diff's messages about dimensions without values.
    ! grep -vE '^-----|^Some objects are not|^Use -c' diff.out
}

# A map with walls and gaps across every division; agents cross all of it;
# events at the borders of blocks.
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

# by RANKS COMMAND…: 0 ranks: one process without a launcher.
by() {
    count=$1
    shift
    if [ "$count" -eq 0 ]; then "$@"; else mpirun -n "$count" "$@"; fi
}
# If a run will be stopped, its commits differ from those of a run that will
# not.
same_rows() {
    equal "$1" "$2" --exclude-path /status/sequence
}
# until_rows FILE ROWS: waits until so many frames are committed, 20 s at
# most.
until_rows() {
    n=0
    until [ "$(hamon-info --json "$1" 2>/dev/null |
        sed -n 's/.*"rows": *\([0-9]*\).*/\1/p' | head -n 1)" -gt "$2" ] 2>/dev/null; do
        n=$((n + 1))
        [ $n -lt 200 ] || break
        sleep 0.1
    done
}
