# SPDX-License-Identifier: MIT
# Survival of the evader: the share of chases that have not ended after n steps,
# from files ARG1NAME.dat. Blocks: 0 Dijkstra, 1 A*, 2 pincer, 3 wave pincer.
set terminal svg size 470,900 font "DejaVu Sans,12" background "white" noenhanced
set multiplot layout 5,2 margins .13,.97,.06,.92 spacing .06,.055
set logscale x
set xrange [99:30300]
set yrange [0:1.02]
set xtics ("100" 100, "1,000" 1000, "10,000" 10000)
set mxtics
set key at screen .5, .99 center top vertical maxrows 1 samplen 1.5
do for [i=1:10] {
    name = word("v1 v2 v3 v4 v5 v6 v7 v8 v9 heights", i)
    set title name offset 0,-.6
    if (i % 2 == 1) { set ytics .5; set format y "%g"; set ylabel "share not over" } else { set format y ""; unset ylabel }
    if (i > 8) { set xlabel "steps" } else { unset xlabel }
    if (i == 2) { unset key }
    plot ARG1.name.".dat" index 0 with steps lw 2 dt 1 title "Dijkstra", \
         "" index 2 with steps lw 2 dt 2 title "pincer", \
         "" index 3 with steps lw 2 dt 4 title "wave pincer"
}
unset multiplot
