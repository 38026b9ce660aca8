# SPDX-License-Identifier: MIT
# The parts of every chart's script, besides its numbers and its panels
# (script.c assembles them). A section begins with a line of dashes and its name.

# ---- start ----
# gnuplot 5.4 or later. gnuplot THIS.gp reads the .dat next to it and draws the .pdf;
# gnuplot -c THIS.gp FORMAT PICTURE [DATA [WIDTH]]: pdf, svg, png or tex (TikZ).

# ---- settings ----
# ---- how it is drawn ----
reset; set encoding utf8; here(path) = path[1:1] eq '/' ? path : './'.path
stem = ARG0[1:strlen(ARG0) - 3]; format = ARGC > 0 ? ARG1 : 'pdf'
picture = here(ARGC > 1 ? ARG2 : stem.'.'.format); data = here(ARGC > 2 ? ARG3 : stem.'.dat')
if (ARGC > 3) { width = real(ARG4) }
points = format eq 'pdf' ? 0.4 : format eq 'svg' ? 0.5 : format eq 'png' ? 0.6 : 0.7
size(points) = sprintf(',%g', format eq 'svg' ? points / 0.75 : points)
face = font.size(letters); small = size(letters - 0.5); dots = format eq 'svg' ? 37.8 : 118.11
if (format eq 'pdf') { set terminal pdfcairo noenhanced color size width cm, height cm font face fontscale 0.75 dashlength 0.8 }
if (format eq 'svg') { set terminal svg noenhanced size int(dots * width), int(dots * height) dynamic font face linewidth 0.85 dashlength 0.9 background rgb 'white' }
if (format eq 'png') { set terminal pngcairo noenhanced size int(dots * width), int(dots * height) font face fontscale 3.125 linewidth 3 dashlength 0.7 pointscale 2.2 }
if (format eq 'tex') { eval sprintf("set terminal tikz size %.2fcm,%.2fcm dashlength 1 font '\\footnotesize'", width, height) }
# Styles: 1 on of series, 21 to 25 of laws, 26 and 28 of thin lines.
set dashtype 2 (12,4); set dashtype 3 (3,3); set dashtype 4 (12,3,3,3); set dashtype 5 (20,5); set dashtype 6 (12,3,3,3,3,3)
do for [i = 1:12] { set style line i lc rgb word(colors, i) dt 1 + (i - 1) % 6 pt (i < 7 ? 2 * i + 2 : 2 * i - 9) ps points }
set style line 21 lc rgb 'black' dt 1 pt 4 ps points; set style line 22 lc rgb 'black' dt (8,4) pt 3 ps 1.5 * points
set style line 23 lc rgb '#777777' dt 1 pt 2 ps points; set style line 24 lc rgb '#777777' dt (8,4) pt 1 ps points
set style line 25 lc rgb '#777777' dt (3,3) pt 6 ps points; set style line 26 lc rgb '#c0c0c0' lw 0.4 dt 1; set style line 28 lc rgb '#d0d0d0' lw 0.4 dt 1
# A panel begins: its place, its title, its axes.
# For TeX its special characters are escaped.
escaped(c) = format ne 'tex' ? c : strstrt('{}$&#_%', c) ? '\'.c : c eq '^' ? '\textasciicircum{}' : c eq '~' ? '\textasciitilde{}' \
    : c eq '<' ? '\textless{}' : c eq '>' ? '\textgreater{}' : c eq '∖' ? '\textbackslash{}' : c eq '≤' ? '$\le$' : c eq '°' ? '\textdegree{}' : c
written(plain) = (_done = '', (sum [_k = 1:strlen(plain)] (_done = _done.escaped(plain[_k:_k]), 1)), _done)
cell(k) = word($panels[p], k)
panel = 'left = real(cell(2)); right = real(cell(3)); top = real(cell(4)); bottom = real(cell(5)); middle = (left + right) / 2;' \
    .'logs = cell(12); block = cell(13); every = int(cell(14)); lines = cell(15); unset label; unset arrow;' \
    .'set lmargin at screen left; set rmargin at screen right; set bmargin at screen bottom; set tmargin at screen top;' \
    .'set label 901 written(cell(1)) at screen middle, screen top + 0.27 / height center;' \
    .'set label 902 written(cell(6)) at screen middle, screen bottom - 0.74 / height center;' \
    .'set label 903 written(cell(9)) at screen left - 1.15 / width, screen (top + bottom) / 2 center rotate;' \
    .'set border 15 lw 0.8; set grid ls 28, ls 28; set format "%g"; unset logscale;' \
    .'eval "set xrange ".cell(7)."; set xtics ".ticks." offset 0, 0.2 ".cell(8);' \
    .'eval "set yrange ".cell(10)."; set ytics ".ticks." offset 0.3, 0 ".cell(11); if (strlen(logs)) { eval "set logscale ".logs }'
apart = 1; first(i) = 0; curves = 'apart = every < 2 ? 1 : every < series ? series : every; first(i) = int((i - 1) * apart / series);' \
    .'plot for [i = 1:series] data index block using 1:(column(nth[i] + 1)) notitle with lines ls i lw 1.2,' \
    .'    for [i = 1:series] data index block every apart::first(i) using 1:(column(nth[i] + 1)) notitle with points ls i'
# The x of an error bar; there is none without an interval, for which gnuplot draws ends at the
# bottom of the panel, and none of length 0.
barred(x, low, high) = high > low ? x : NaN
# Ticks are outside the box, in every panel. An axis over many powers of ten has a tick at each, or at each by-th.
ticks = 'nomirror out scale 0.5 font small'
power(k) = format eq 'tex' ? sprintf('$10^{%d}$', k) : '10'.(k < 0 ? '⁻' : '').(_done = '', (sum [_k = 1:strlen(sprintf('%d', abs(k)))] \
    (_done = _done.word('⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹', int(substr(sprintf('%d', abs(k)), _k, _k)) + 1), 1)), _done)
by = 1; powers_x = 'set format x ""; do for [k = -300:300:by] { set xtics add (power(k) 10.**k) }'
powers_y = 'set format y ""; do for [k = -300:300:by] { set ytics add (power(k) 10.**k) }'
# gnuplot would hide the middle of an interval behind white; it treats 0 as 1.
set pointintervalbox 0.001; unset key; set output picture; set multiplot

# ---- lines ----
# Styles 31 on and 41 on: lines of a panel of their own, with filled and with open points.
symbols = '7 9 5 13 11 15'
do for [k = 0:1] { do for [i = 1:6] { set style line 30 + 10 * k + i lc rgb 'black' dt i pt int(word(symbols, i)) - k ps 1.2 * points } }
line_of(i) = int(word(lines, i))

# ---- curves ----
# Lines that coincide are distinguished by their symbols, which are at different rows: `apart` rows from one symbol of a series to its next.
eval curves

# ---- legends ----
# The legends and the caption.
unset label; unset arrow; unset tics; unset grid; unset border; unset logscale; set margins 0, 0, 0, 0
do for [i = 1:|$letters|] {
    row = $letters[i]; x = real(word(row, 1)); y = real(word(row, 2)); line = int(word(row, 3)); point = int(word(row, 4))
    set label i written(word(row, 6)) at screen x, screen y noenhanced font (int(word(row, 5)) ? small : '')
    if (line) { set arrow i from screen x - 0.85 / width, screen y to screen x - 0.15 / width, screen y nohead ls line lw 1.2 }
    if (point) { set label 500 + i '' at screen x - 0.5 / width, screen y point ls point }
}
plot [0:1] [0:1] NaN notitle; unset multiplot; unset output
