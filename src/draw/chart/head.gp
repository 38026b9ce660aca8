# SPDX-License-Identifier: MIT
# The head of every chart that a program's .gp file lays out. chart_draw writes
# BASE.gp: `start`, the settings and the options, `tools`, of the program's file
# the section `size` (it sets height), `page`, its section `panels`, and `end`.
# A section begins with a line of dashes and its name.

# ---- start ----
# gnuplot 5.4 or later. gnuplot THIS.gp reads the table next to it and draws the .pdf;
# gnuplot -c THIS.gp FORMAT PICTURE [TABLE [WIDTH]]: pdf, svg, png or tex (TikZ).

# ---- tools ----
# ---- how it is drawn ----
reset; set encoding utf8; set angles degrees; here(path) = path[1:1] eq '/' ? path : './'.path
stem = ARG0[1:strlen(ARG0) - 3]; format = ARGC > 0 ? ARG1 : 'pdf'
picture = here(ARGC > 1 ? ARG2 : stem.'.'.format); data = here(ARGC > 2 ? ARG3 : stem.'.csv')
if (ARGC > 3) { width = real(ARG4) }
set datafile separator comma; set datafile columnheaders
lacks(column) = strcol(column) eq 'NaN' # in an expression with column() a NaN makes all of it NaN
ink = '#222222'; gray = '#6E6E6E'; faint = '#E4E4E4'
colors = '#032ED8 #CD940D #760E7B #0EB171 #8A2804 #6A84EB #222222 #6BA9BD' # the order of series
inks = '#032ED8 #9A6C05 #760E7B #0A7F51 #8A2804 #4A64CB #222222 #3B7990' # the same for letters
# The methods have the first styles, in every chart.
methods = 'wave lee astar dstar-lite pincer'
style_of(method, otherwise) = (_n = (sum [_i = 1:words(methods)] (word(methods, _i) eq method ? _i : 0))) ? _n : otherwise
item(list, n) = n > 1 ? item(list[strstrt(list, '|') + 1:*], n - 1) : list[1:strstrt(list, '|') - 1]
# Numbers: −0.5, 1,000, 2×10⁻⁵.
commas(s) = strlen(s) > 3 ? commas(s[1:strlen(s) - 3]).','.s[strlen(s) - 2:*] : s
raised(k) = (k < 0 ? '⁻' : '').(_r = '', (sum [_i = 1:strlen(sprintf('%d', abs(k)))] \
    (_r = _r.word('⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹', int(substr(sprintf('%d', abs(k)), _i, _i)) + 1), 1)), _r)
power(x, k) = (abs(x / 10.**k - 1) < 1e-6 ? '' : sprintf('%.3g×', x / 10.**k)).'10'.raised(k)
least_plain = 1e-3 # smaller numbers are powers of ten
unsigned(x) = x == 0 ? '0' : x < least_plain || x >= 1e6 ? power(x, int(floor(log10(x) + 1e-9))) \
    : x >= 999.5 ? commas(sprintf('%.0f', x)) : sprintf('%.4g', x)
number(x) = x != x ? '' : (x < 0 ? '−' : '').unsigned(abs(x))
# Widths in centimetres, of text in points: advances of a sans serif, not too small.
ems(s) = (_w = 0.0, strlen(s) ? (sum [_i = 1:strlen(s)] (_c = substr(s, _i, _i), _w = _w + (strstrt("ijl'|I.,:; ()[]/ftr⁰¹²³⁴⁵⁶⁷⁸⁹⁻", _c) ? 0.4 \
    : strstrt('mwMW@%−×+=<>', _c) ? 0.9 : strstrt('abcdefghknopqsuvxyzABCDEFGHJKLNOPQRSTUVXYZ0123456789-_*#', _c) ? 0.64 : 1), 1)) : 0, _w)
wide(s, points) = 0.0353 * points * ems(s)
# Colours of steps, few to many; of letters on them.
steps_palette = "set palette defined (0 '#0B3B5E', 1 '#3D7EA6', 2 '#9CC5D8', 3 '#F2EBDD')"

# ---- page ----
# The terminal: letters of 8, 7, 6.5 and 6.2 points, lines by pt(points).
if (!exists('height')) { height = 6 }
# The caption, if it is drawn: lines as wide as the page, below the panels. Words that are as wide as they are high
# break behind any of their letters, but none of the marks begins a line.
breaks(c, next) = c eq ' ' || (ems(c) == 1 && !strstrt('（「', c) && !strstrt('、。，．：；・）」ー', next))
array lines_of[40]; _n = 0; _room = 0; _rest = ''; _blank = 0; if (!exists('caption')) { caption = '' }
do for [_p = 1:strlen(caption)] { _l = substr(caption, _p, _p); _rest = _rest._l; _room = _room + wide(_l, 6.2); if (breaks(_l, substr(caption, _p + 1, _p + 1))) { _blank = strlen(_rest) }
    if (_room > width - 0.7 && _n < 39) { _blank = _blank ? _blank : strlen(_rest) - 1; _n = _n + 1; lines_of[_n] = _rest[1:_blank]; _rest = substr(_rest, _blank + 1, strlen(_rest)); _room = wide(_rest, 6.2); _blank = 0 } }
if (strlen(_rest)) { _n = _n + 1; lines_of[_n] = _rest }; panels_end = height; height = height + (_n ? 0.25 + 0.27 * _n : 0)
letters = 7; dots = format eq 'svg' ? 37.8 : 118.11
size(points) = format eq 'tex' ? '' : sprintf(',%.4g', format eq 'svg' ? points / 0.75 : points)
face = font.size(letters); small = font.size(6.5); note = font.size(6.2)
bold = format eq 'svg' ? font.'" font-weight="bold'.size(8) : format eq 'tex' ? '\footnotesize\bfseries' : font.':Bold'.size(8)
pt(points) = points * (format eq 'svg' ? 1 / 0.75 : 2); dot = format eq 'pdf' ? 0.55 : format eq 'svg' ? 0.65 : format eq 'png' ? 0.8 : 0.9
if (format eq 'tex') { face = '\footnotesize'; small = '\scriptsize'; note = '\scriptsize' }
if (format eq 'pdf') { set terminal pdfcairo noenhanced color size width cm, height cm font face fontscale 0.75 dashlength 1 }
if (format eq 'svg') { set terminal svg noenhanced size int(dots * width), int(dots * height) dynamic font face linewidth 1 dashlength 1 background rgb 'white' }
if (format eq 'png') { set terminal pngcairo noenhanced size int(dots * width), int(dots * height) font face fontscale 3.125 linewidth 2.083 dashlength 1 pointscale 2.2 }
if (format eq 'tex') { eval sprintf("set terminal tikz size %.2fcm,%.2fcm dashlength 1 font '\\footnotesize'", width, height) }
# Styles 1 to 8 of series, with filled marks; 11 to 18 the same with open ones.
# Styles 21 a law, 22 a reference, 23 the edge of an area, 24 a line of the grid.
set dashtype 1 solid; set dashtype 2 (20,6); set dashtype 3 (6,5); set dashtype 4 (24,6,6,6); set dashtype 5 (32,8)
do for [i = 1:8] { k = 1 + (i - 1) % 5; set style line i lc rgb word(colors, i) lw pt(1.1) dt k pt int(word('7 5 9 13 11', k)) ps dot
    set style line 10 + i lc rgb word(colors, i) lw pt(0.8) dt k pt int(word('6 4 8 12 10', k)) ps dot }
set style line 21 lc rgb ink lw pt(0.9) dt 1; set style line 22 lc rgb gray lw pt(0.7) dt 3
set style line 23 lc rgb ink lw pt(0.8) dt (16,8); set style line 24 lc rgb faint lw pt(0.6) dt 1
# For TeX its special characters are escaped.
escaped(c) = format ne 'tex' ? c : strstrt('{}$&#_%', c) ? '\'.c : c eq '^' ? '\textasciicircum{}' : c eq '~' ? '\textasciitilde{}' \
    : c eq '<' ? '\textless{}' : c eq '>' ? '\textgreater{}' : c eq '∖' ? '\textbackslash{}' : strstrt('≤×−°', c) ? '$'.word('\le \times - {}^\circ', strstrt('≤×−°', c)).'$' \
    : c eq '⁻' ? '$^{-}$' : strstrt('⁰¹²³⁴⁵⁶⁷⁸⁹', c) ? sprintf('$^{%d}$', strstrt('⁰¹²³⁴⁵⁶⁷⁸⁹', c) - 1) : c
written(plain) = (_done = '', strlen(plain) ? (sum [_k = 1:strlen(plain)] (_done = _done.escaped(substr(plain, _k, _k)), 1)) : 0, _done)
# The same of a text that `plot` takes from a column: there gnuplot reads escapes first.
twice(c) = c eq '\' ? '\\' : c
datum(plain) = (_text = written(plain), _twice = '', strlen(_text) ? (sum [_j = 1:strlen(_text)] (_twice = _twice.twice(substr(_text, _j, _j)), 1)) : 0, _twice)
# A panel begins: set left, right, top, bottom (centimetres from the page's left and top), says, x_says and
# y_says, then eval panel. It has the next letter if panels > 1; y_room is the room of the tick labels.
letter = 0; panels = exists('panels') ? panels : 1; y_room = 0.8; says = ''; x_says = ''; y_says = ''
across(x) = 1.0 * x / width; up(y) = 1 - 1.0 * y / height
panel = 'letter = letter + 1; unset label; unset arrow; unset object; unset logscale; unset colorbox; unset xtics; unset ytics; unset key;' \
    .'set lmargin at screen across(left); set rmargin at screen across(right); set tmargin at screen up(top); set bmargin at screen up(bottom);' \
    .'set border 3 lw pt(0.5) lc rgb ink; set xtics nomirror out scale 0.5 font small tc rgb ink offset 0, 0.3; set ytics nomirror out scale 0.5 font small tc rgb ink offset 0.4, 0;' \
    .'if (panels > 1) { set label 901 substr("abcdefghijklmnopqrstuvwxyz", letter, letter) at screen across(left - 0.4), screen up(top - 0.35) left font bold tc rgb ink };' \
    .'set label 902 written(says) at screen across(left), screen up(top - 0.35) left tc rgb ink;' \
    .'set label 903 written(x_says) at screen across((left + right) / 2), screen up(bottom + 0.64) center tc rgb ink;' \
    .'set label 904 written(y_says) at screen across(left - y_room - 0.3), screen up((top + bottom) / 2) center rotate tc rgb ink'
only_below = 'unset ytics; set border 1'; only_left = 'unset xtics; set border 2' # of a panel's axes
# Axes from low to high: round ticks, about `every` of them; logarithmic ones at 1, 2 and 5, 1 and 3, or 1;
# from six decades on at every second or more.
round_of(x) = (_k = 10.**floor(log10(x)), _m = x / _k, _m <= 1.001 ? _k : _m <= 2.001 ? 2 * _k : _m <= 5.001 ? 5 * _k : 10 * _k)
every = 4; marks(low, high) = high / low < 6 ? '1 1.5 2 3 5 7' : high / low < 40 ? '1 2 5' : high / low < 1500 ? '1 3' : '1'
axis(a) = 'set '.a.'range [low:high]; _s = round_of(1.0 * (high - low) / every); set '.a.'tics (); do for [_i = int(ceil(low / _s - 1e-6)):int(floor(high / _s + 1e-6))] { set '.a.'tics add (written(number(_i * _s)) _i * _s) }'
log_axis(a) = 'least_plain = low < 1e-3 ? 1 : 1e-3; set '.a.'range [low:high]; set logscale '.a.'; set '.a.'tics (); _s = marks(low, high); _n = 1 + int(log10(high / low) / 6); do for [_k = int(floor(log10(low))):int(floor(log10(high))):_n] { do for [_m = 1:words(_s)] { _t = real(word(_s, _m)) * 10.**_k;' \
    .'if (_t >= low * 0.999 && _t <= high * 1.001) { set '.a.'tics add (written(number(_t)) _t) } } }; least_plain = 1e-3'
set pointintervalbox 0.001; unset key; set output picture; set multiplot
do for [_p = 1:_n] { set label 1000 + _p written(lines_of[_p]) at screen across(0.3), screen up(panels_end + 0.27 * _p) font note tc rgb gray }
if (_n) { unset border; unset tics; plot [0:1] [0:1] NaN notitle }

# ---- end ----
unset multiplot; unset output
