# SPDX-License-Identifier: MIT
# One column of a sweep over one parameter: dots and 95 % intervals, or all
# values of fewer than 5; below or beside it the share that captured.

# ---- size ----
beside = both && width > 12; panels = both ? 2 : 1
# Names of two or more series are in lines of their own, as wide as the panel.
name(s) = item(series_names, s); room = (beside ? width / 2 : width) - 2
known = (sum [i = 1:series] style_of(item(series_methods, i), 0) > 0)
style(s) = style_of(item(series_methods, s), 1 + (s - 1 + (known ? 5 : 0)) % 8)
array key_x[series]; array key_row[series]; x = 0; rows = 0
do for [s = 1:series] { if (x > 0 && x + 0.45 + wide(name(s), 6.5) > room) { x = 0; rows = rows + 1 }
    key_x[s] = x; key_row[s] = rows; x = x + 0.75 + wide(name(s), 6.5) }
rows = series > 1 && dodged ? rows + 1 : 0
beyond = beyond_any ? series < 3 ? 0.32 * series + 0.05 : 0.2 : 0 # room of "> 4,000", at most two of them
left = 0.7 + wide(percent ? '100' : number(high_value), 6.5) + 0.35; left = left < 1.5 ? 1.5 : left
top_of_page = 0.7 + 0.35 * rows + beyond; high_panel = 4.2
height = top_of_page + high_panel + (both && !beside ? 2.9 : 0) + 0.95

# ---- panels ----
# The abscissa: numbers, their logarithms, or 0, 1, … of words. Series stand side by side.
place(x) = x_log ? log10(x) : x
word_at(i) = item(x_words, i); spot(i) = x_numeric ? place(real(word_at(i))) : i - 1
first = spot(1); last = first; step = 1e300
do for [i = 1:x_count] { first = spot(i) < first ? spot(i) : first; last = spot(i) > last ? spot(i) : last
    do for [k = 1:i - 1] { gap = abs(spot(i) - spot(k)); step = gap > 0 && gap < step ? gap : step } }
step = step > 1e299 ? 1 : step; x_pad = step * 0.5 > 0.08 * (last - first) ? 0.5 * step : 0.08 * (last - first)
shift(s) = dodged ? (s - 0.5 * (series + 1)) * step * (series > 4 ? 0.6 / series : 0.16) : 0
of(s, value) = column('series') + 1 == s ? value : NaN
at(s) = place(column('column')) + shift(s)
short(s) = strlen(s) > 22 ? substr(s, 1, 21).'…' : s
# Each value has a tick, and as many of them a label as there is room for.
x_axis = 'set xrange [first - x_pad:last + x_pad]; set xtics (); rest = -1e300;' \
    .'do for [i = 1:x_count] { t = x_numeric ? number(real(word_at(i))) : short(word_at(i)); w = wide(t, 6.5) / (right - left) * (last - first + 2 * x_pad);' \
    .'if (spot(i) - 0.5 * w > rest || x_count < 3) { set xtics add (written(t) spot(i)); rest = spot(i) + 0.5 * w } else { set xtics add ("" spot(i)) } }'
key = 'do for [s = 1:series] { y = up(top - 0.3 - beyond - 0.35 * (rows - 1 - key_row[s])); set label 100 + s "" at screen across(left + 0.1 + key_x[s]), screen y point ls style(s);' \
    .'set label 120 + s written(name(s)) at screen across(left + 0.3 + key_x[s]), screen y font small tc rgb word(inks, style(s)) }'
# A panel's values: their range, logarithmic if it is wide, and the limit of the steps.
top = top_of_page; bottom = top + high_panel; right = beside ? width / 2 - 0.3 : width - 0.3
y_room = left - 0.7
says = line; y_says = label; x_says = both && !beside ? '' : x_label; up_by = rows * 0.35 + beyond
raised = 'eval panel; set label 901 at screen across(left - 0.4), screen up(top - 0.35 - up_by); set label 902 at screen across(left), screen up(top - 0.35 - up_by)'; eval raised
eval x_axis; if (both && !beside) { set format x '' ; set xtics (); do for [i = 1:x_count] { set xtics add ('' spot(i)) } }
if (rows) { eval key }
wide_range = low_value > 0 && high_value / low_value >= 4 && !percent
scale = percent ? 100 : 1; span = high_value - low_value
low = percent ? 0 : wide_range ? low_value / 1.25 : low_value >= 0 && low_value < span ? 0 : low_value - 0.1 * (span > 0 ? span : abs(low_value) + 1e-9)
high = percent ? 100 : times && high_value == limit ? limit : wide_range ? high_value * 1.15 : high_value + 0.1 * (span > 0 ? span : abs(high_value) + 1e-9)
if (wide_range) { eval log_axis('y') } else { eval axis('y') }
if (percent) { set yrange [-3:103] } else { set yrange [low:high * (high > 0 ? 1.0001 : 1)] }
limited = times && limit == limit && high >= limit ? limit : NaN
if (limited == limited) { set arrow 1 from graph 0, first limited to graph 1, first limited nohead ls 22
    set label 905 written(_('step limit')) at graph 1, first limited right offset 0, 0.6 font note tc rgb gray }
intervals = 'for [s = 1:series] data index "estimates" using (at(s)):(of(s, scale * column(low_of))):(0):(scale * (column(high_of) - column(low_of))) with vectors nohead lc rgb word(colors, style(s)) lw pt(1.3) dt 1'
low_of = 'low_95'; high_of = 'high_95'
plot for [s = 1:series] data index "estimates" using (x_numeric ? at(s) : NaN):(of(s, scale * column('estimate'))) with lines lc rgb word(colors, style(s)) lw pt(0.6) dt 1 + (style(s) - 1) % 5, \
    @intervals, \
    for [s = 1:series] data index 'estimates' using (at(s)):(lacks('high_95') ? of(s, scale * column('low_95')) : NaN):(0):(0.985 * high - scale * column('low_95')) with vectors head filled size screen 0.1 / width, 20 lc rgb word(colors, style(s)) lw pt(1.3) dt 1, \
    for [s = 1:points_any ? series : 0] data index 'points' using (at(s)):(column('censored') > 0 ? NaN : of(s, scale * column('value'))) with points ls 10 + style(s) dt 1, \
    for [s = 1:points_any ? series : 0] data index 'points' using (at(s)):(column('censored') > 0 ? of(s, column('value')) : NaN) with points ls 10 + style(s) dt 1 pt 8, \
    for [s = 1:series] data index 'estimates' using (at(s)):(percent || column('n') > 4 ? of(s, scale * column('estimate')) : NaN) with points ls style(s), \
    for [s = 1:series] data index 'estimates' using (at(s)):(column('n') > 4 ? of(s, column('limit')) : NaN) with points ls 10 + style(s), \
    for [s = 1:series] data index 'estimates' using (at(s)):(series < 3 && column('n') > 4 ? of(s, column('limit')) : NaN):(datum('> '.number(column('limit')))) with labels offset 0, 0.2 + 0.8 * s font note tc rgb word(inks, style(s))
if (both) { right = width - 0.3; if (beside) { left = width / 2 + left } else { top = bottom + 0.95; bottom = top + 1.95 }
    says = rate_line; y_says = rate_label; x_says = x_label; if (beside) { eval raised } else { eval panel }; eval x_axis; low = 0; high = 100; every = 2; eval axis('y'); set yrange [-3:103]; scale = 100
    low_of = 'capture_low_95'; high_of = 'capture_high_95'
    plot @intervals, for [s = 1:series] data index 'estimates' using (at(s)):(of(s, 100 * column('capture_rate'))) with points ls style(s) }
