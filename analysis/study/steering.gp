# SPDX-License-Identifier: MIT
# The commands that draw the panels of hamon-steering; script.c copies the
# sections that a chart needs into its script.

# ---- functions ----
# Kinds of paths, 1 to 13: wave, lee, dijkstra, astar, fast-marching, dstar-lite, pincer, relay, relay-complete, wave-pincer, traces,
# least time, shortest path. Each has a symbol of its own. With one group, each also has a colour of its own; with several, a colour is a group.
kind_colors = '#0060a8 #c44601 #a06e00 #00805a #a8528a #7b3014 #2b86b8 #207040 #5c7a10 #803070 #000000 #b8b8b8 #777777'
kind_symbols = '7 5 9 13 11 15 4 8 12 10 6 1 2'
kind_dash(k) = k == 11 ? 3 : k == 13 ? 2 : 1
color_of(k, several, i) = several > 1 && k != 12 ? word(colors, i) : word(kind_colors, k)
black_of(k, several) = several > 1 && k != 12 ? '#000000' : word(kind_colors, k)
tints = '#8ab8e0 #b3d1ec #d6e6f5 #f0b25c #f9d293 #fdebcb #404040'
do for [k = 1:words(colors)] { set style line 50 + k lc rgb word(colors, k) dt 1 }
do for [k = 1:13] {
    set style line 70 + k lc rgb (k > 11 ? word(kind_colors, k) : black_of(k, hues)) pt int(word(kind_symbols, k)) ps 0.9 * points dt kind_dash(k) lw (k == 12 ? 4 : 1)
    set style line 90 + k lc rgb black_of(k, several) pt int(word(kind_symbols, k)) ps 1.2 * points dt 1
}
do for [i = 1:7] { set style line 60 + i lc rgb word(tints, i) pt 5 ps 2 * points }
drawn(k, h) = column(4) == k && column(7) == h ? column(across) : NaN
lost(f) = 100 * (f - 1) > least ? 100 * (f - 1) : least
# Without a setting on the abscissa, the kinds of a group are drawn side by side; a single group needs no number.
groups_named = groups > 1 ? '' : 'unset xtics; unset grid; set grid ytics ls 28'
place_of(k) = sum [i = 1:words(kinds)] (int(word(kinds, i)) <= k)
beside(k) = named ? 0 : 0.7 * ((place_of(k) - 0.5) / words(kinds) - 0.5)
at(k, i) = column(2) == k && column(3) == line_of(i) ? column(1) + beside(k) : NaN

# ---- map ----
# The columns of the coordinates on the two axes.
across = strstrt('xyz', cell(6)[1:1]); down = strstrt('xyz', cell(9)[1:1])
set palette maxcolors 8 defined (0 '#ffffff', 1 word(tints, 1), 2 word(tints, 2), 3 word(tints, 3), 4 word(tints, 4), 5 word(tints, 5), 6 word(tints, 6), 7 word(tints, 7))
set cbrange [-0.5:7.5]; unset colorbox; unset grid
plot data index block using 1:2:3 with image, \
    for [k = 12:13] data index 'paths' using (column(4) == k ? column(across) : NaN):(column(down)) with lines ls 70 + k, \
    for [k in kinds] for [h = 1:hues] data index 'paths' using (int(k) < 12 ? drawn(int(k), h) : NaN):(column(down)) with linespoints ls 70 + int(k) lc rgb color_of(int(k), hues, h) lw (k eq '11' ? 0.9 : 1.6) pointinterval every, \
    data index 'layout' using (column(across)):(column(down)) with points ls 22

# ---- time ----
eval groups_named; set ytics add (written(sprintf('≤%g', least)) least)
plot for [k in kinds] for [i = 1:words(lines)] data index block using (barred(at(int(k), i), lost($7), lost($8))):(lost($6)):(lost($7)):(lost($8)) with yerrorbars ls 90 + int(k) lc rgb color_of(int(k), several, i) ps 0, \
    for [k in kinds] for [i = 1:words(lines)] data index block using (at(int(k), i)):(lost($6)) with linespoints ls 90 + int(k) lc rgb color_of(int(k), several, i)
unset logscale y

# ---- distance ----
eval groups_named
plot for [k in kinds] for [i = 1:words(lines)] data index block using (at(int(k), i)):9 with linespoints ls 90 + int(k) lc rgb color_of(int(k), several, i)

# ---- strip ----
plot 2 * x / (1 + x) with lines ls 21, 2 / (1 + x) with lines ls 22, \
    (x - 1) / (1 + x) with lines ls 23, (1 - x) / (1 + x) with lines ls 24, \
    for [i = 1:words(lines)] data index block using ($8 == line_of(i) ? $1 : NaN):6 with points ls 40 + i, \
    for [i = 1:words(lines)] data index block using ($8 == line_of(i) ? $1 : NaN):4 with points ls 40 + i
