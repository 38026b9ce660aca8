#!/bin/sh
# SPDX-License-Identifier: MIT
# slice.sh [PAIRS [FRAMES]]: hamon-slice compared with h5topng on the same rows
# of the same recording, 512 x 512, whole processes, in turn; medians of the
# pairs' ratios.
# slice.sh first [GB [reproduce]]: how long a first result takes: a start, one
# frame of a recording of GB (20) gigabytes, what is in one of a terabyte, a page,
# headings over 48 recordings and, if named, all of the papers' pages.
# Run from the build folder; makes its recordings in TMPDIR.
set -eu
first=
[ "${1:-}" != first ] || { first=${2:-20} reproduce=${3:-} && set --; }
pairs=${1:-9}
frames=${2:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/hamon-bench.XXXXXX")
tracer=
# Ends the run that strace watches.
stop() {
    [ -z "$tracer" ] || kill -KILL "$(cat "/proc/$tracer/task/$tracer/children")" 2>/dev/null || :
    tracer=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tools=$PWD/tools build=$PWD
samples=$(cd "$(dirname "$0")/../samples" && pwd)
cd "$work"

# took NAME COMMAND...: a line with processor and wall-clock seconds, of three
# runs the one with the least processor time, or of one run if NAME begins with -.
took() {
    name=${1#-}
    runs=3
    [ "$name" = "$1" ] || runs=1
    shift
    while [ $runs -gt 0 ]; do
        t0=$(date +%s%N)
        spent=$("$@" >/dev/null 2>&1 || kill -TERM $$; times)
        t1=$(date +%s%N)
        printf '%s\n' "$spent" | awk -v wall=$((t1 - t0)) 'END { split($1, u, /[ms]/); split($2, s, /[ms]/)
            print 60 * (u[1] + s[1]) + u[2] + s[2], wall / 1e9 }'
        runs=$((runs - 1))
    done | sort -n | awk -v name="$name" 'NR == 1 { printf "%-52s %9.2f %9.2f\n", name, $1, $2 }'
}
# start PROGRAM...: the slowest of them, each the mean of 20 starts.
start() {
    for program; do
        spent=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$program" --version >/dev/null; done; times)
        printf '%s\n' "$spent" | awk -v name="${program##*/}" 'END { split($1, u, /[ms]/); split($2, s, /[ms]/)
            print (60 * (u[1] + s[1]) + u[2] + s[2]) / 20, name }'
    done | sort -n | awk 'END { printf "%-52s %9.3f\n", "a start, the slowest program: " $2, $1 }'
}
if [ -n "$first" ]; then
    awk 'BEGIN { print "type octile\nheight 2000\nwidth 2000\nmap"
        for (y = 0; y < 2000; y++) { row = ""; for (x = 0; x < 2000; x++)
            row = row (x % 40 == 20 && y % 50 > 9 ? "@" : "."); print row } }' >m.map
    cat >m.cfg <<'END'
map = { file = "m.map"; };
wave = { count = 1; lifetime = 100000; };
target = { at = [1000.0, 1000.0]; };
agents = ( { name = "A"; at = [700.0, 900.0]; } );
record = { fields = ("amplitude", "agents"); };
END
    printf '%-52s %9s %9s\n' "seconds" processor wall
    start "$tools"/hamon-* "$build"/analysis/hamon-*
    # A terabyte is reserved that the disk does not have: the reservation is left
    # out, and the run ends in the middle. The file has holes.
    strace -f -qq -o /dev/null -e trace=fallocate -e inject=fallocate:retval=0 \
        "$tools/hamon-record" -q --threads 1 --set steps=64000 -o terabyte.h5 m.cfg 2>/dev/null &
    tracer=$!
    until [ "$("$tools/hamon-info" terabyte.h5 2>/dev/null | grep -c '^  rows  *[1-9]')" -gt 0 ]; do
        kill -0 $tracer # it has failed: strace or space is missing
        sleep 1
    done
    traced=$tracer
    stop
    wait "$traced" || :
    took "hamon-info of 1 TB" "$tools/hamon-info" terabyte.h5
    rm terabyte.h5
    took "-hamon-record of $first GB" "$tools/hamon-record" -q --set steps=$((first * 125 / 2)) -o big.h5 m.cfg
    took "hamon-slice, a frame of $first GB" "$tools/hamon-slice" -q --force --at step=$((first * 45)) -o f.png big.h5
    took "-hamon-report of $first GB" "$tools/hamon-report" -q --force -o r.html big.h5
    rm big.h5
    maps=
    for width in 1 3 5 7 11 21; do maps=$maps,corridor-straight-$width.map; done
    cp "$samples"/maps/corridor-straight-*.map .
    sed 's|\.\./maps/||' "$samples/corridors/corridor.cfg" >corridor.cfg
    "$tools/hamon-sweep" -q -o runs --vary map.file="${maps#,}" --vary wave.walls=fixed,free --vary wave.delta=0.1,0.15,0.2,0.25 \
        --set steps=310 --set wave.count=1 --set 'record.fields=("amplitude","gradient")' corridor.cfg
    took "hamon-reflection of 48 recordings" "$build/analysis/hamon-reflection" -q --force -o walls runs/*/run.h5
    rm -r runs "$work"/walls*
    if [ -n "$reproduce" ]; then
        rm -rf "$build/reproduced"
        took "-reproduce, all pages" sh "$samples/reproduce" "$build"
    fi
    exit
fi
awk 'BEGIN { srand(3); print "type octile\nheight 512\nwidth 512\nmap"
    for (y = 0; y < 512; y++) { for (x = 0; x < 512; x++)
        printf "%s", rand() < .05 && (x != 250 || y != 250) ? "@" : "."
        print "" } }' >m.map
cat >m.cfg <<'END'
map = { file = "m.map"; };
steps = 700;
wave = { count = 1; lifetime = 10000; };
target = { at = [250.0, 250.0]; };
record = { fields = ("amplitude"); };
END
"$tools/hamon-record" -q -o m.h5 m.cfg
cat m.h5 >/dev/null # into the page cache
last=$((600 + frames))

now() { date +%s%N; }
# cost COMMAND: its wall-clock nanoseconds, and its processor milliseconds.
cost() {
    t0=$(now)
    spent=$(sh -c "$1 >/dev/null 2>&1; times" | sed -n 2p)
    t1=$(now)
    echo "$spent" | awk -v wall=$((t1 - t0)) '{ split($1, u, /[ms]/); split($2, s, /[ms]/)
        print wall / 1e6, 6e4 * (u[1] + s[1]) + 1e3 * (u[2] + s[2]) }' | tr '\n' ' '
}
# pair NAME, with their, ours: commands for all frames.
pair() {
    i=0
    while [ $i -lt "$pairs" ]; do
        cost "$2"
        cost "$3"
        echo
        rm -f ./*.png
        i=$((i + 1))
    done | awk -v frames="$frames" -v name="$1" '
        function middle(v, n, i, j, t) {
            for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j - 1] > v[j]; j--) {
                t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
            return v[int((n + 1) / 2)] }
        { a[NR] = $1 / frames; b[NR] = $3 / frames; r[NR] = $1 / $3
          c[NR] = $2 / frames; d[NR] = $4 / frames; q[NR] = $2 / $4 }
        END { printf "%-34s %8.1f %8.1f %7.1f %9.1f %8.1f %7.1f\n", name, middle(a, NR),
                  middle(b, NR), middle(r, NR), middle(c, NR), middle(d, NR), middle(q, NR) }'
}
range=601:1:$last
step=601:$last
ours="$tools/hamon-slice --bare -q --force m.h5 --at step=$step"
echo "512 x 512, ms a frame, medians of $pairs pairs of $frames frames, $(nproc) processors"
printf '%-34s %8s %8s %7s %9s %8s %7s\n' '' h5topng ours ratio 'processor' ours ratio
pair "gray, 24 bits / palette" "h5topng -R -x $range -d wave0 m.h5" "$ours --linear -c gray -o g-%d.png"
pair "colours, 24 bits / palette" "h5topng -R -c bluered -x $range -d wave0 m.h5" "$ours --linear -o v-%d.png"
pair "-8 / palette" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours --linear -o p-%d.png"
pair "-8 / palette, one thread" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours --linear --threads 1 -o p-%d.png"
pair "-8 / palette, logarithm" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours -o l-%d.png"
pair "-8 / palette, range given" "h5topng -8 -m -.1 -M .1 -c bluered -x $range -d wave0 m.h5" "$ours -R -.1:.1 -o r-%d.png"
