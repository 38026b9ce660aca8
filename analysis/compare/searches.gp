# SPDX-License-Identifier: MIT
# The chart of searches on a problem set: cost over the file's optimum, and cells expanded over the path's length. On
# a page the panels stand beside each other, in a column below each other. Lengths are centimetres.

# ---- size ----
page = width > 14; panels = 2; pitch = 0.66; line = 0.34; split = page ? width / 2 : width
of(name, i) = value(sprintf('%s_%d', name, i)); known(x) = x == x; style(i) = of('style', i); is(i) = column('series') == i
rows_end = 0.75 + pitch * series; from_top = page ? 0.75 : rows_end + 1.95
height = from_top + 5 + 1.1 + line * series

# ---- panels ----
left = 0.5; right = split - 0.4; top = 0.75; bottom = rows_end; every = 4
says = _('cost: largest (line), quartiles (band), median (mark)'); x_says = _('length / optimum'); eval panel
low = cost_low; high = cost_high; eval axis('x'); set yrange [series:0]; eval only_below
do for [i = 1:series] { y = i - 0.3
    set label i written(sprintf(_('%s: %d of %d solved, %d optimal'), of('label', i), of('solved', i), of('problems', i), of('optimal', i))) \
        at screen across(left), first i - 0.78 font note tc rgb word(inks, style(i)) front
    if (known(of('cost', i))) {
        set object i rectangle from of('cost_q1', i), y - 0.13 to of('cost_q3', i), y + 0.13 fc rgb word(colors, style(i)) fs transparent solid 0.2 noborder
        set arrow i from of('cost', i), y to of('cost_most', i), y nohead lw pt(1.3) lc rgb word(colors, style(i))
        set label 100 + i '' at of('cost', i), y point ls style(i) front } }
plot 0 with points lc rgb 'white' ps 0

left = page ? split + 1.5 : 1.5; right = width - 0.4; top = from_top; bottom = top + 5
says = points > 0 ? _('cells expanded') : _('cells expanded (medians by length)'); x_says = _('optimum (cells)'); y_says = _('expanded cells'); eval panel
low = length_low; high = length_high; eval log_axis('x'); low = expanded_low; high = expanded_high; eval log_axis('y')
do for [i = 1:series] { y = bottom + 1.05 + line * (i - 1)
    set arrow 100 + i from screen across(left), screen up(y) to screen across(left + 0.6), screen up(y) nohead ls style(i)
    set label 100 + i '' at screen across(left + 0.3), screen up(y) point ls style(i)
    set label 200 + i written(of('label', i)) at screen across(left + 0.75), screen up(y) font note tc rgb word(inks, style(i)) }
plot for [i = 1:series] data index 'lengths' using (is(i) ? column(2) : NaN):4 with lines ls style(i), \
    for [i = 1:series] data index 'lengths' using (is(i) && points == 0 ? column(2) : NaN):4 with points ls style(i), \
    for [i = 1:series] data index 'problems' using (is(i) && points > 0 ? column(2) : NaN):4 with points ls 10 + style(i) ps 0.5 * dot
