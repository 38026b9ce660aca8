# SPDX-License-Identifier: MIT
# Survival of the evader: the share of chases that are not over after so many
# steps. Blocks of the .dat files: 0 Dijkstra, 1 A*, 2 pincer, 3 wave pincer.
set terminal svg size 1200,1200 noenhanced
set output "survival.svg"
set multiplot layout 4,3 title "Share of chases not over (Dijkstra = A* step for step)"
set logscale x
set xrange [100:30000]
set yrange [0:1.02]
set format x "%g"
do for [name in "v1 v2 v3 v4 v5 v6 v7 v8 v9 heights"] {
    set title name
    plot "survival-".name.".dat" index 0 with steps lw 2 title "Dijkstra", \
         "" index 2 with steps lw 2 title "pincer", \
         "" index 3 with steps lw 2 title "wave pincer"
}
unset multiplot
