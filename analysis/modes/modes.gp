# SPDX-License-Identifier: MIT
# The commands that draw the panels of hamon-modes; script.c copies the sections
# that a chart needs into its script.

# ---- functions ----
# An image: white is `floor` dB and less, black the maximum.
image = 'set cbrange [floor:0]; set palette defined (0 "white", 1 "black"); unset colorbox; unset grid'
floor = -60

# ---- energy ----
# The symbols of different curves are at different points, as on other charts.
plot for [i = 1:modes] data index block using 1:(100 * column(i + 1)) with lines ls i lw 1.2, \
    for [i = 1:modes] data index block every 3 * modes::3 * i - 2 using 1:(100 * column(i + 1)) with points ls i

# ---- field ----
eval image; mode = int(block[7:*])
plot data index block using 1:2:3 with image, data index 'fastest' using ($1 == mode ? $2 : NaN):3 with lines ls 2 lw 1.5 dt solid

# ---- diagram ----
eval image
plot data index block using 1:2:3 with image, \
    for [i = 1:modes] data index 'laws' using ($1 == i ? $2 : NaN):3 with lines ls i lw 1, \
    for [i = 1:modes] data index 'cutoffs' using ($1 == i ? 0 : NaN):3 with points ls i ps 1.2 * points

# ---- speed ----
plot for [i = 1:modes] data index 'laws' using ($1 == i ? $3 : NaN):4 with lines ls i lw 1, \
    for [i = 1:modes] data index block using ($1 == i ? $2 : NaN):3 with points ls i

# ---- decay ----
eval powers_y
plot for [i = 1:modes] data index block using ($1 == i ? $2 : NaN):4 with lines ls i lw 1, \
    for [i = 1:modes] data index block using ($1 == i ? $2 : NaN):3 with points ls i

# ---- trace ----
echoes = 'echoes-'.block[7:*]
plot data index echoes using 1:2:(0):($3 - $2) with vectors nohead ls 24, data index block using 1:2 with lines ls 21 lw 1.4, \
    data index block using 1:3 with lines ls 25, data index block using 1:4 with lines ls 2 lw 0.9, \
    data index echoes using ($4 == 0 ? $1 : NaN):3:5 with labels right offset -0.4, 0 font small, \
    data index echoes using ($4 == 1 ? $1 : NaN):3:5 with labels left offset 0.4, 0 font small

# ---- flux ----
echoes = 'echoes-'.block[6:*]
plot data index echoes using 1:(-200):(0):(400) with vectors nohead ls 24, data index block using 1:2 with points ls 21 ps 0.5 * points
