# SPDX-License-Identifier: MIT
# Published numbers beside the runs here; against.awk writes the settings. Lengths are centimetres.

# ---- size ----
pitch = 0.31; gap = 1.85; plot_end = 10.9
n_of(i) = int(word(numbers[i], 6)); num(i, k) = real(word(numbers[i], k)); agrees(i) = int(word(numbers[i], 7))
high_of(p) = pitch * (last[p] - first[p] + 1)
height = 0.6; do for [p = 1:panels] { height = height + high_of(p) + gap }
known = 0; do for [i = 1:|label_of|] { _w = 0.6 + wide(label_of[i], 6.5); known = _w > known ? _w : known }
blue = word(colors, 1); least(a, b) = a < b ? a : b; most(a, b) = a > b ? a : b

# ---- panels ----
top = 0
do for [p = 1:panels] {
    left = known; right = plot_end; top = top + 0.85; bottom = top + high_of(p); says = ''; x_says = quantity[p]; y_says = ''
    low = 1e300; high = -1e300
    do for [i = first[p]:last[p]] { do for [k = 1:5] { low = least(low, num(i, k)); high = most(high, num(i, k)) } }
    logs = low > 0 && high / low > 8
    if (logs) { low = low / 1.15; high = high * 1.15 } else { _d = 0.06 * (high - low); low = low - _d; high = high + _d }
    eval panel; eval only_below
    set label 901 substr('abcdefgh', p, p) at screen across(0.3), screen up(top - 0.3) left font bold tc rgb ink
    set label 902 written(place[p]) at screen across(0.75), screen up(top - 0.3) left tc rgb ink
    every = 5; if (logs) { eval log_axis('x') } else { eval axis('x') }
    n = last[p] - first[p] + 1; set yrange [n:0]
    set label 1 'paper' at screen across(12.1), screen up(top - 0.3) right font note tc rgb gray
    set label 2 'here: median [middle 95 %]' at screen across(12.35), screen up(top - 0.3) font note tc rgb gray
    set label 3 'runs' at screen across(16), screen up(top - 0.3) right font note tc rgb gray
    set label 4 'below' at screen across(16.8), screen up(top - 0.3) right font note tc rgb gray
    do for [j = 1:n] { i = first[p] + j - 1; y = j - 0.5; yy = top + pitch * y
        if (j % 2) { set object j rectangle from screen across(known), screen up(yy - pitch / 2) to screen across(plot_end), screen up(yy + pitch / 2) behind fc rgb '#F4F4F4' fs solid noborder }
        set arrow 100 + j from num(i, 1), y to num(i, 3), y nohead lc rgb '#BBBBBB' lw pt(0.6)
        if (n_of(i) > 1) { set arrow 200 + j from num(i, 4), y to num(i, 5), y nohead lc rgb blue lw pt(1.3) }
        set label 100 + j written(label_of[i]) at screen across(known - 0.15), screen up(yy) right font small tc rgb ink
        set label 200 + j written(told[i]) at screen across(12.1), screen up(yy) right font small tc rgb ink
        set label 300 + j written(here_of[i]) at screen across(12.35), screen up(yy) font small tc rgb ink
        set label 400 + j commas(sprintf('%d', n_of(i))) at screen across(16), screen up(yy) right font small tc rgb ink
        set label 500 + j share[i].(agrees(i) < 0 ? ' ×' : '  ') at screen across(16.95), screen up(yy) right font small tc rgb ink
        set label 600 + j '' at num(i, 3), y point pt 7 ps 0.9 * dot lc rgb blue lw pt(0.8) front
        do for [k = 1:2] { set label 600 + 100 * k + j '' at num(i, k), y point pt 12 ps 1.25 * dot lc rgb ink lw pt(0.9) front } }
    plot 0 with points lc rgb 'white' ps 0
    top = bottom + 1
}
unset logscale; unset object; unset border; unset tics; unset label; unset arrow; y = height - 0.35
set label 1 '' at screen across(0.5), screen up(y) point pt 12 ps 1.25 * dot lc rgb ink lw pt(0.9); set label 2 'the paper' at screen across(0.8), screen up(y) font note
set label 3 '' at screen across(2.6), screen up(y) point pt 7 ps 0.9 * dot lc rgb blue; set label 4 'here: median and middle 95 % of the runs' at screen across(3.1), screen up(y) font note
set arrow 1 from screen across(2.3), screen up(y) to screen across(2.9), screen up(y) nohead lc rgb blue lw pt(1.3)
set label 5 'below: share of runs below the paper’s number; ×: outside the middle 95 %' at screen across(8), screen up(y) font note
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
plot [0:1] [0:1] NaN notitle
