# SPDX-License-Identifier: MIT
# The commands that draw the panels of hamon-isotropy; script.c copies the
# sections that a chart needs into its script.

# ---- functions ----
set angles degrees; set samples 181
# A polar panel: rings, spokes, and a ruler below.
polar = 'rim = value(block."_rim"); unset label 902; unset border; unset tics; unset grid;' \
    .'do for [k = 0:7] { x = rim * cos(45 * k); y = rim * sin(45 * k); set arrow 1 + k from 0, 0 to x, y nohead ls 26;' \
    .'    set label 1 + k written(gprintf("%g°", 45 * k)) at 1.17 * x, 1.15 * y center font small };' \
    .'set arrow 9 from -rim, -1.45 * rim to rim, -1.45 * rim nohead lc rgb "black" lw 0.8; set label 15 written(cell(6)) at 0, -1.92 * rim center;' \
    .'do for [k = -2:2] { x = k * rim / 2; set label 12 + k gprintf("%g", abs(x)) at x, -1.64 * rim center font small;' \
    .'    set arrow 12 + k from x, -1.45 * rim to x, -1.51 * rim nohead lc rgb "black" lw 0.8 };' \
    .'plot for [k = 1:4] [t = 0:360] "+" using (k * rim / 4 * cos(t)):(k * rim / 4 * sin(t)) with lines ls 26,' \
    .'    for [i = 1:series] data index block' \
    .'    using (column(nth[i] + 1) * cos($1)):(column(nth[i] + 1) * sin($1)) with lines ls i lw 1.2,' \
    .'    for [i = 1:series] data index block every 6 * series::6 * (i - 1)' \
    .'    using (column(nth[i] + 1) * cos($1)):(column(nth[i] + 1) * sin($1)) with points ls i'

# ---- polar ----
eval polar

# ---- speed ----
plot for [i = 1:series] data index block using 1:($2 == nth[i] && $3 == 0 ? $4 : NaN) with points ls i ps 0.7 * points, \
    for [i = 1:series] data index block using 1:($2 == nth[i] && $3 == 1 ? $4 : NaN) with points ls i ps 0.5 * points, \
    data index block using 1:($3 == 0 ? $5 : NaN) with lines ls 21, \
    data index block using 1:($3 == 1 ? $5 : NaN) with lines ls 22

# ---- speed_deep ----
# Directions 0 to 2 are the axes, 3 to 8 the diagonals of two axes, 9 to 12 those of three; one law for each of the three classes.
way(first, last, k) = $3 >= first && $3 <= last ? column(k) : NaN
plot for [i = 1:series] data index block using 1:($2 == nth[i] ? way(0, 2, 4) : NaN) with points ls i ps 0.7 * points, \
    for [i = 1:series] data index block using 1:($2 == nth[i] ? way(3, 8, 4) : NaN) with points ls i ps 0.5 * points, \
    for [i = 1:series] data index block using 1:($2 == nth[i] ? way(9, 12, 4) : NaN) with points ls i ps 0.4 * points, \
    data index block using 1:(way(0, 0, 5)) with lines ls 21, \
    data index block using 1:(way(3, 3, 5)) with lines ls 22, \
    data index block using 1:(way(9, 9, 5)) with lines ls 23

# ---- sphere ----
# Directions, in Hammer's equal-area ellipse; the boxes overlap a little, so that no line is seen between them.
hammer(lon, lat) = sqrt(2 / (1 + cos(lat) * cos(lon / 2)))
hammer_x(lon, lat) = 2 * hammer(lon, lat) * cos(lat) * sin(lon / 2); hammer_y(lon, lat) = hammer(lon, lat) * sin(lat)
unset border; unset tics; unset grid; unset label 902
set palette defined (-1 '#2166ac', -0.5 '#92c5de', 0 '#f7f7f7', 0.5 '#f4a582', 1 '#b2182b'); set cbrange [-sphere_most:sphere_most]
set colorbox horizontal user origin screen left + 0.25 * (right - left), screen bottom + 0.1 / height size screen 0.5 * (right - left), screen 0.22 / height front border
set cbtics sphere_most / 2.0 font small scale 0.5 offset 0, 0.4; set label 903 written(cell(6)) at screen middle, screen bottom - 0.66 / height center norotate
set label 1 'up' at 0, 1.62 center font small; set label 2 'down' at 0, -1.62 center font small
set label 3 'west' at -2.95, 0 right font small; set label 4 'west' at 2.95, 0 left font small
set label 5 'south' at hammer_x(-90, 0), 0 center font small front; set label 6 'east' at 0, 0 center font small front
set label 7 'north' at hammer_x(90, 0), 0 center font small front
box = 0.51 * sphere_bin
plot data index block using 1:2:($1 - box):($1 + box):($2 - box):($2 + box):(column(nth[every] + 2)) with boxxyerror fillstyle solid 1 noborder fillcolor palette, \
    [t = 0:360] '+' using (2 * sqrt(2) * cos(t)):(sqrt(2) * sin(t)) with lines lc rgb 'black' lw 0.5, \
    for [k = -1:1] [t = -90:90] '+' using (hammer_x(90 * k, t)):(hammer_y(90 * k, t)) with lines ls 26, \
    [t = -180:180] '+' using (hammer_x(t, 0)):(hammer_y(t, 0)) with lines ls 26
unset colorbox
