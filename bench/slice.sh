#!/bin/sh
# SPDX-License-Identifier: MIT
# slice.sh [PAIRS [FRAMES]]: hamon-slice compared with h5topng on the same rows
# of the same recording, 512 x 512, whole processes, in turn; medians of the
# pairs' ratios. Run from the build folder; makes its recording in TMPDIR.
set -eu
pairs=${1:-9}
frames=${2:-100}
work=$(mktemp -d "${TMPDIR:-/tmp}/hamon-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tools=$PWD/tools
cd "$work"
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
ours="$tools/hamon-slice -q --force m.h5 --at step=$step"
echo "512 x 512, ms a frame, medians of $pairs pairs of $frames frames, $(nproc) processors"
printf '%-34s %8s %8s %7s %9s %8s %7s\n' '' h5topng ours ratio 'processor' ours ratio
pair "gray, 24 bits / palette" "h5topng -R -x $range -d wave0 m.h5" "$ours --linear -c gray -o g-%d.png"
pair "colours, 24 bits / palette" "h5topng -R -c bluered -x $range -d wave0 m.h5" "$ours --linear -o v-%d.png"
pair "-8 / palette" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours --linear -o p-%d.png"
pair "-8 / palette, one thread" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours --linear --threads 1 -o p-%d.png"
pair "-8 / palette, logarithm" "h5topng -8 -R -c bluered -x $range -d wave0 m.h5" "$ours -o l-%d.png"
pair "-8 / palette, range given" "h5topng -8 -m -.1 -M .1 -c bluered -x $range -d wave0 m.h5" "$ours -R -.1:.1 -o r-%d.png"
