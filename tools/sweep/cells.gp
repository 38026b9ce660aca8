# SPDX-License-Identifier: MIT
# One column of a sweep over two parameters: a cell for each pair of values, with
# its number; a panel for each method and value of the other parameters.

# ---- size ----
short(s) = strlen(s) > 16 ? substr(s, 1, 15).'…' : s
least_of(words, count, numeric) = (_l = 1.0, numeric ? (sum [_j = 1:count] (_v = abs(real(item(words, _j))), _l = _v > 0 && _v < _l ? _v : _l, 1)) : 0, _l)
word_of(words, numeric, i) = numeric ? number(real(item(words, i))) : short(item(words, i))
# Numbers of which one is below 0.001 are all powers of ten.
x_least = least_of(x_words, x_count, x_numeric) < 1e-3 ? 1 : 1e-3; y_least = least_of(y_words, y_count, y_numeric) < 1e-3 ? 1 : 1e-3
x_word(i) = (least_plain = x_least, word_of(x_words, x_numeric, i)); y_word(i) = (least_plain = y_least, word_of(y_words, y_numeric, i))
y_room = 0.3; do for [i = 1:y_count] { w = wide(y_word(i), 6.5) + 0.15; y_room = w > y_room ? w : y_room }
columns = panels > 1 && width > 12 ? 2 : 1; rows = (panels + columns - 1) / columns
each = (width - 0.2) / columns; margin = y_room + 0.75; wide_cell = (each - margin - 0.3) / x_count
# The numbers, with how many captured if there is room; a cell that is too small has none.
shown(x) = (least_plain = 1e-3, percent ? sprintf('%.0f', 100 * x) : times ? number(floor(x + 0.5)) : number(real(sprintf('%#.3g', x))))
widest = 0; do for [x in '1 0.3 0.1 0.03'] { t = shown(low_value + real(x) * (high_value - low_value)); w = wide(t, 6.5); widest = w > widest ? w : widest }
widest = times ? wide('> '.shown(high_value), 6.5) : widest
numbers = widest < wide_cell; counts = times && wide_cell > wide('20 of 20', 6.2)
high_cell = counts ? 1.05 : 0.7; most = (20.5 / rows - 1.75) / y_count; high_cell = most < high_cell ? most : high_cell
numbers = numbers && high_cell > 0.28; counts = counts && high_cell > 0.62
# Of labels that do not fit beside each other some are left out.
x_room = 0; do for [i = 1:x_count] { w = wide(x_word(i), 6.5); x_room = w > x_room ? w : x_room }
says_all = label._(', ').line; says_bar = panels > 1 ? says_all : label; bar = width - 3.4; tall = y_count * high_cell + 1.75
above_bar = margin + wide(says_bar, 6.5) > bar ? 0.4 : 0; height = rows * tall + 1.15 + above_bar # a long label has its own line

# ---- panels ----
wide_range = low_value > 0 && high_value / low_value >= 4 && !percent; scale = percent ? 100 : 1
low_c = percent ? 0 : low_value; high_c = percent ? 100 : high_value > low_value ? high_value : low_value + (low_value != 0 ? abs(low_value) : 1)
part = round_of((high_c - low_c) / 3.0); bar_ticks = floor(1.0 * high_c / part) - ceil(1.0 * low_c / part) < 1 ? 5 : 3 # two or more
share(v) = wide_range ? log(v / low_c) / log(high_c / low_c) : (v - low_c) / (high_c - low_c)
eval steps_palette; if (percent) { set palette negative } else { set palette positive }
dark(v) = percent ? share(v) > 0.64 : share(v) < 0.36
when(condition, value) = condition ? value : NaN
here_is(p) = column('panel') == p; value = "scale * column('estimate')"; upward = y_numeric ? 1 : -1
is(p) = here_is(p) && !lacks('estimate')
box = "'row':(column('column') - 0.5):(column('column') + 0.5):(column('row') - 0.5):(column('row') + 0.5)"
# A cell's letters are ink or white; its number is above how many captured.
letters_are(p, white) = is(p) && dark(scale * column('estimate')) == white
above = counts ? 0.16 * upward : 0
do for [p = 0:panels - 1] {
    left = (p % columns) * each + margin; right = left + x_count * wide_cell
    top = (p / columns) * tall + 0.75; bottom = top + y_count * high_cell
    says = panels > 1 ? item(panel_names, p + 1) : says_all; x_says = x_label; y_says = p % columns ? '' : y_label
    eval panel; unset border; set xtics scale 0; set ytics scale 0
    set xrange [-0.5:x_count - 0.5]; if (y_numeric) { set yrange [-0.5:y_count - 0.5] } else { set yrange [y_count - 0.5:-0.5] }
    set xtics (); skip = 1 + int(x_room / wide_cell); do for [i = 1:x_count:skip] { set xtics add (written(x_word(i)) i - 1) }
    set ytics (); skip = 1 + int(0.3 / high_cell); do for [i = 1:y_count:skip] { set ytics add (written(y_word(i)) i - 1) }
    do for [i = 1:x_count - 1] { set arrow i from i - 0.5, graph 0 to i - 0.5, graph 1 nohead front lc rgb 'white' lw pt(1) }
    do for [i = 1:y_count - 1] { set arrow 100 + i from graph 0, first i - 0.5 to graph 1, first i - 0.5 nohead front lc rgb 'white' lw pt(1) }
    low = low_c; high = high_c; every = bar_ticks; if (wide_range) { eval log_axis('cb') } else { eval axis('cb') }
    if (p == panels - 1) { set label 905 written(says_bar) at screen across(margin), screen up(height - 0.53 - above_bar) left font small tc rgb ink
        if (times) { set label 906 written(_('frame: fewest steps')) at screen across(margin), screen up(height - 0.2) left font note tc rgb gray }
        set colorbox horizontal user origin screen across(bar), screen 0.42 / height size screen across(3), screen 0.22 / height front bdefault
        set cbtics font small scale 0.5 offset 0, 0.5 tc rgb ink }
    plot data index 'estimates' using (when(here_is(p), column('column'))):@box with boxxyerror lc rgb '#F4F4F4' fs solid 1 noborder, \
        data index 'estimates' using (when(here_is(p) && !lacks('limit'), column('column'))):@box with boxxyerror lc rgb '#C8C8C8' lw pt(0.4) fs pattern 5 noborder, \
        data index 'estimates' using (when(is(p), column('column'))):@box:(@value) with boxxyerror fc palette fs solid 1 noborder, \
        data index 'estimates' using (when(is(p) && column('least_of_all') > 0, column('column'))):'row':(column('column') - 0.45):(column('column') + 0.45):(column('row') - 0.44):(column('row') + 0.44) with boxxyerror lc rgb 'white' lw pt(0.9) fs empty border lc rgb 'white', \
        for [white = 0:1] data index 'estimates' using (when(numbers && letters_are(p, white), column('column'))):(column('row') + above):(datum(shown(column('estimate')))) with labels font small tc rgb (white ? 'white' : ink), \
        data index 'estimates' using (when(numbers && here_is(p) && !lacks('limit'), column('column'))):(column('row') + above):(datum('> '.shown(column('limit')))) with labels font small tc rgb ink, \
        for [white = 0:1] data index 'estimates' using (when(counts && here_is(p) && (lacks('estimate') ? 0 : dark(@value)) == white, column('column'))):(column('row') - 1.3 * above):(datum(sprintf(_('%d of %d'), column('captured'), column('captured_of')))) with labels font note tc rgb (white ? 'white' : ink)
}
