# SPDX-License-Identifier: MIT
# The chart of hamon-compare: captures over time, the same chase by two methods, how much sooner one is, who is, and
# the paths. On a page two panels stand beside each other, in a column all below each other. Lengths are centimetres.

# ---- size ----
page = width > 14; names = 'captures pairs ratios wins paths'; shown(p) = value('show_'.word(names, p))
line = 0.31; pitch = 0.66 # of lines of text, and of the rows of a panel
of(name, i) = value(sprintf('%s_%d', name, i)); known(x) = x == x; or(x, otherwise) = known(x) ? x : otherwise; two(x) = sprintf('%.2f', x)
# What is said of a series in the panels: "658 [505, 873]"; an end that is not known is open.
open_at(x, text) = known(x) ? text : '–'
steps(i) = known(of('median', i)) ? number(of('median', i)).(known(of('low', i)) ? ' ['.number(of('low', i)).', '.open_at(of('high', i), number(of('high', i))).']' : '') \
    : '> '.number(of('above', i))
ratio(a, i) = known(of(a, i)) ? two(of(a, i)).(of(a.'_n', i) < 5 ? '' : ' ['.open_at(of(a.'_low', i), two(of(a.'_low', i))).', '.open_at(of(a.'_high', i), two(of(a.'_high', i))).']') : _('no median')
said(p, i) = of('label', i)._(': ').(p == 1 ? sprintf(_('median %s, %d of %d captured'), steps(i), of('captured', i), of('chases', i)) \
    : p == 3 ? ratio('ratio', i).counts(i) : p == 4 ? sprintf(_('%d sooner, %d equal, %d later'), of('wins', i), of('ties', i), of('losses', i)) \
    : ratio('path', i).sprintf(_(', n = %d'), of('path_n', i)))
counts(i) = shown(4) ? sprintf(_(', %d pairs'), of('pairs', i)) : sprintf(_('; %d sooner, %d equal, %d later'), of('wins', i), of('ties', i), of('losses', i))
rows(p) = p == 5 ? series : compared
# The height of a panel without its axis y, which has what is left of 22 cm in a column.
tall(p) = 1.9 + (p == 1 ? 0.4 + (2 * line + 0.04) * series : p == 2 ? line * series * !shown(1) : pitch * rows(p))
within(x, low, high) = x < low ? low : x > high ? high : x; left_over = 21.9 - (sum [p = 1:5] shown(p) * tall(p))
axis_y(p) = p > 2 ? 0 : page ? (p == 1 ? 4.4 : 5.2) : p == 1 ? within(0.45 * left_over, 2.6, 4.2) : within(left_over - 4.2 * shown(1), within(0.55 * left_over, 3.3, 5), 5)
array top_of[5]; array left_of[5]; array right_of[5]; height = 0.05; deep = 0; k = 0
do for [p = 1:5] { if (shown(p)) {
    k = k + 1; second = page && k % 2 == 0; half = second || (page && k < panels)
    if (!second) { height = height + deep; deep = 0 }
    top_of[p] = height + 0.7; left_of[p] = second ? width - 5.9 : 1.5; right_of[p] = half && !second ? width - 8 : width - 0.4
    this = tall(p) + axis_y(p); deep = this > deep ? this : deep } }
height = height + deep

# ---- panels ----
begin = 'left = left_of[p]; right = right_of[p]; top = top_of[p]; x_says = ""; y_says = ""; every = 4'
# A panel of rows: a line of text above each, no axis y. Axes of ratios are logarithmic beyond a factor of 3.
begin_rows = begin.'; left = left - (page && left > 2 ? 1.4 : 1); bottom = top + pitch * rows(p)'
axis_or_log(a) = low > 0 && high / low > 3 ? log_axis(a) : axis(a)
row_axis = 'eval axis_or_log("x"); set yrange [rows(p):0]; eval only_below;' \
    .'do for [i = 1:series] { if (at(i)) { set label i written(said(p, i)) at screen across(left), first at(i) - 0.78 font note tc rgb word(inks, style(i)) front } }'
# The median (mark), its interval (line; an end that is not known is open) and the quartiles (band) of each row.
row_marks = 'do for [i = 1:series] { y = at(i) - 0.3; if (at(i) && known(of(what, i))) { few = of(what."_n", i) < 5; if (!few) {' \
    .'set object i rectangle from or(of(what."_q1", i), low), y - 0.13 to or(of(what."_q3", i), high), y + 0.13 fc rgb word(colors, style(i)) fs transparent solid 0.2 noborder;' \
    .'set arrow 300 + i from or(of(what."_low", i), low), y to or(of(what."_high", i), high), y nohead lw pt(1.3) lc rgb word(colors, style(i));' \
    .'do for [k = 0:1] { x = of(what.word("_low _high", 1 + k), i); if (known(x)) { set arrow 400 + 10 * k + i from x, y - 0.1 to x, y + 0.1 nohead lw pt(1.3) lc rgb word(colors, style(i)) } } };' \
    .'if (!few || what eq "ratio") { set label 400 + i "" at of(what, i), y point ls style(i) + 10 * few front } } }'
at(i) = p == 5 ? i : of('row', i); style(i) = of('style', i); is(i) = column('series') == i
sample = 'set arrow 100 + i from screen across(x), screen up(y) to screen across(x + 0.6), screen up(y) nohead ls style(i);' \
    .'set label 100 + i written(text) at screen across(x + 0.75), screen up(y) font note tc rgb word(inks, style(i));' \
    .'set label 200 + i "" at screen across(x + 0.3), screen up(y) point ls style(i)'

if (shown(1)) { p = 1; eval begin; bottom = top + axis_y(1)
    says = captures._(' (bands: 95 %)'); x_says = _('step'); y_says = _('captured (%)'); eval panel
    low = 0; high = last; every = 8; eval axis('x'); set yrange [0:103]; set ytics 0, 25, 100
    set arrow 1 from 0, 50 to last, 50 nohead ls 22 back; set label 1 _('not yet captured') at screen across(left - 1.2), screen up(bottom + 1.15) font note tc rgb gray
    do for [i = 1:series] { x = left - 1.2; y = bottom + 1.5 + (2 * line + 0.04) * (i - 1); text = said(1, i); eval sample
        if (known(of('median', i))) { set label 300 + i '' at of('median', i), 50 point ls style(i) front } }
    plot for [i = 1:series] data index 'bands' using (is(i) ? column(2) : NaN):3:4 with filledcurves fs transparent solid (series > 3 ? 0.08 : 0.17) noborder lc rgb word(colors, style(i)), \
        for [i = 1:series] data index 'captures' using (is(i) ? column(2) : NaN):3 with steps ls style(i), \
        for [i = 1:series] data index 'captures' using (is(i) && column(6) > 0 ? column(2) : NaN):(column(3) - 2):(0):(4) with vectors nohead lc rgb word(colors, style(i)) lw pt(0.8) dt 1
    set tmargin at screen up(bottom + 1.5); set bmargin at screen up(bottom + 1.5 + (2 * line + 0.04) * series)
    unset label; unset arrow; unset border; unset xtics; unset ytics; set yrange [series:0]
    plot data index 'at risk' using 2:(column(1) - 0.55):(commas(sprintf('%d', column(3)))) with labels font note tc rgb ink
}
if (shown(2)) { p = 2; eval begin; bottom = top + axis_y(2); right = within(left + axis_y(2), left, right)
    says = compared == 1 ? _('the same chase by two methods') : sprintf(_('below the line: sooner than %s'), reference)
    x_says = sprintf(_('steps by %s'), reference); y_says = compared == 1 ? sprintf(_('steps by %s'), of('label', only)) : _('steps'); eval panel
    low = pair_low; high = pair_high; eval axis_or_log('x'); eval axis_or_log('y')
    if (compared == 1) { set label 1 written(sprintf(_('%s sooner: %d, equal: %d'), reference, of('losses', only), of('ties', only))) at graph 0.03, 0.95 font note tc rgb word(inks, reference_style)
        set label 2 written(sprintf(_('%s sooner: %d of %d'), of('label', only), of('wins', only), of('pairs', only))) at graph 0.97, 0.05 right font note tc rgb word(inks, style(only)) }
    do for [i = 1:series] { if (of('row', i) && !shown(1)) { x = left; y = bottom + 1 + line * of('row', i); text = of('label', i); eval sample } }
    plot [low:high] x with lines ls 21 lw pt(0.5), \
        for [i = 1:series] data index 'pairs' using (is(i) && column(3) * column(5) == 1 ? column(4) : NaN):2 with points ls style(i) ps 0.6 * dot, \
        for [i = 1:series] data index 'pairs' using (is(i) && column(3) * column(5) == 0 ? column(4) : NaN):2 with points ls 10 + style(i) ps 0.8 * dot
}
if (shown(3)) { p = 3; eval begin_rows
    says = _('how much sooner? median, 95 % (line), quartiles (band)'); x_says = sprintf(_('steps / steps by %s'), reference); eval panel
    low = ratio_low; high = ratio_high; eval row_axis; what = 'ratio'; eval row_marks
    do for [i = 1:series] { if (at(i)) { set arrow i from 1, first at(i) - 0.55 to 1, first at(i) - 0.05 nohead ls 22 back } }; plot 0 with points lc rgb 'white' ps 0
}
if (shown(4)) { p = 4; eval begin_rows
    says = _('who is sooner?'); x_says = _('share of the pairs (%)'); eval panel; low = 0; high = 100; eval axis('x'); eval row_axis
    do for [i = 1:series] { if (at(i)) { y = at(i) - 0.3; w = 100.0 * of('wins', i) / of('pairs', i); t = w + 100.0 * of('ties', i) / of('pairs', i)
        set object i rectangle from 0, y - 0.15 to w, y + 0.15 fc rgb word(colors, style(i)) fs solid noborder
        set object 10 + i rectangle from w, y - 0.15 to t, y + 0.15 fc rgb faint fs solid noborder
        set object 20 + i rectangle from t, y - 0.15 to 100, y + 0.15 fc rgb word(colors, reference_style) fs solid noborder } }
    plot 0 with points lc rgb 'white' ps 0
}
if (shown(5)) { p = 5; eval begin_rows
    says = _('path over the shortest: median, 95 % (line), quartiles (band)'); x_says = _('path / shortest path'); eval panel
    low = path_low; high = path_high; eval row_axis; what = 'path'; eval row_marks
    plot for [i = 1:series] data index 'paths' using (is(i) && of('path_n', i) <= 30 ? column(3) : NaN):(at(i) - 0.3 + 0.1 * column(2)) with points ls 10 + style(i) ps 0.5 * dot
}
