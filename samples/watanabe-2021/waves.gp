# SPDX-License-Identifier: MIT
# A value against the number of waves and the lifetime, as colours, from the file
# ARG1: a row for each number of waves, a column for each lifetime. ARG2: the
# title; ARG3: the value of white; ARG4: that of the darkest colour.
set terminal svg size 400,330 font "DejaVu Sans,12" background "white" noenhanced
lives = "50 100 200 300 500 1000"
counts = "1 2 3 6 12"
low = ARG3 + 0
high = ARG4 + 0
unset colorbox
set palette defined (0 "#f4f1e8", 1 "#1d4e6b")
set cbrange [low < high ? low : high : low < high ? high : low]
if (low > high) { set palette negative }
set xtics scale 0
set ytics scale 0
set for [i=1:words(lives)] xtics add (word(lives, i) i - 1)
set for [i=1:words(counts)] ytics add (word(counts, i) i - 1)
set xlabel "lifetime T (steps)"
set ylabel "waves n"
set xrange [-.5:words(lives) - .5]
set yrange [-.5:words(counts) - .5]
set title ARG2
dark(value) = abs(value - low) > .55 * abs(high - low)
plot ARG1 matrix with image pixels notitle, \
     "" matrix using 1:2:(sprintf(high > 1 ? "%.0f" : "%.2f", $3)):(dark($3) ? 0xffffff : 0x000000) with labels textcolor rgb variable notitle
