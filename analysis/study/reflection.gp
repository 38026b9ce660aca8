# SPDX-License-Identifier: MIT
# The commands that draw the panels of hamon-reflection, except plain curves
# (chart.gp); script.c copies the sections that a chart needs into its script.

# ---- functions ----
# Styles 51 on: the causes, from the bottom of a stack to its top, from dark to bright.
cause_colors = '#1b3a6b #c44601 #f0a530 #8fd0b8 #e3c6e8 #606060'
do for [i = 1:6] { set style line 50 + i lc rgb word(cause_colors, i) pt 5 ps 2 * points }

# ---- lag ----
# Errors are 180 at most. The 0.7 cm above them have a label where half a period of the cutoff is.
head = 180 / ((top - bottom) * height / 0.7 - 1)
if (cutoffs) { set yrange [0:180 + head]; set ytics 0, 30, 180; set label 1 'half a period of the cutoff:' at graph 0.02, first 180 + 0.72 * head front }
eval curves.", \
    for [i = 1:series] data index 'cutoff' using ($1 == nth[i] ? $3 : NaN):(180 + 0.22 * head) with points ls i"

# ---- spectrum ----
plot for [i = 1:series] data index block using 1:(column(nth[i] + 1)) with lines ls i lw 1.2, \
    for [i = 1:series] data index 'cutoff' using ($1 == nth[i] ? $2 : NaN):(0.001):(0):(1.5) with vectors nohead ls i lw 0.8, \
    for [i = 1:series] data index 'cutoff' using ($1 == nth[i] ? $2 : NaN):(1.2) with points ls i

# ---- points ----
# Lines through points; a point is open (on white) if the reach, column 5, is low.
of(i) = column(4) == line_of(i) ? column(1) : NaN
with_reach(i, low) = (column(5) < 0.95) == low ? of(i) : NaN
if (logs eq 'x') { stats data index block using 1 name 'its' nooutput; by = 1 + int(log10(its_max / its_min) / 7); eval powers_x }
eval 'set offsets '.(logs eq 'x' ? 'graph 0.05' : '0').', graph 0.05, 0, 0'
plot for [i = 1:words(lines)] data index block using (of(i)):2 with lines ls 30 + i, \
    for [i = 1:words(lines)] data index block using (barred(of(i), $6, $7)):2:6:7 with yerrorbars ls 30 + i dt 1 ps 0, \
    for [i = 1:words(lines)] data index block using (with_reach(i, 0)):2 with points ls 30 + i, \
    for [i = 1:words(lines)] data index block using (with_reach(i, 1)):2 with points ls 30 + i lc rgb 'white', \
    for [i = 1:words(lines)] data index block using (with_reach(i, 1)):2 with points ls 40 + i
unset offsets

# ---- stacks ----
# Column 2 is a stack's width. The highest part is drawn first, the lower ones over it.
plot for [i = 6:1:-1] data index block using 1:(column(2 + i)):2 with boxes fill solid 1 border rgb '#444444' lc rgb word(cause_colors, i) lw 0.5
