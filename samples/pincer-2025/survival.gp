# SPDX-License-Identifier: MIT
# Survival of the evader: the share of chases that are not over after so many
# steps. Blocks of the .dat files: 0 Dijkstra, 1 A*, 2 pincer, 3 wave pincer.
# 480 pixels are a paper's column (8.5 cm): letters of 14 are 7 pt there.
set terminal svg size 480,1000 font "sans,14" background "white" noenhanced
set output "survival.svg"
set multiplot layout 5,2 title "Share of chases not over, by steps\n(Dijkstra = A* step for step)"
set logscale x
set xrange [100:30000]
set yrange [0:1.02]
set format x "%g"
set xtics 100, 10
set ytics .5
do for [name in "v1 v2 v3 v4 v5 v6 v7 v8 v9 heights"] {
    set title name offset 0,-.6
    if (name eq "v7") { set key top right samplen 1 } else { unset key }
    plot "survival-".name.".dat" index 0 with steps lw 2 title "Dijkstra", \
         "" index 2 with steps lw 2 title "pincer", \
         "" index 3 with steps lw 2 title "wave pincer"
}
unset multiplot
