# SPDX-License-Identifier: MIT
# The chart of hamon-reflection: where headings are wrong, how their share grows with the distance, over settings, and
# why. On a page each panel goes into the shorter of two columns, in a column all are below each other. Centimetres.

# ---- size ----
page = width > 14; names = 'map along heatmap cause width threshold delta height lag distance histogram spectrum cause_width cause_distance cause_lag past_bend'
shown(p) = exists('show_'.word(names, p)) && value('show_'.word(names, p)); of(name, i) = value(sprintf('%s_%d', name, i)); known(x) = x == x
most = 24 - (exists('caption') ? 0.3 + 0.27 * ceil(wide(caption, 6.2) / (width - 1.2)) : 0) - 0.3; line = 0.3; pitch = row_total > 12 ? 0.27 : 0.34
short(s, room) = wide(s, 6.2) < room ? s : short(substr(s, 1, strlen(s) - (strlen(s) > 60 ? 20 : 2)), room)
cut(s, room) = wide(s, 6.2) < room ? s : short(s, room - 0.3).'…'
row_room = 0.2; do for [i = 1:rows] { w = wide(cut(of('row', i), 3), 6.2) + 0.1; row_room = w > row_room ? w : row_room }
of_map = mapped.(exists("plane") && strlen(plane) ? (strlen(mapped) ? _(", ") : "").plane : ""); is_heat(p) = p == 3 || p == 16; is_row(p) = is_heat(p) || p == 4; is_setting(p) = p > 4 && p < 9; is_curve(p) = p == 2 || (p > 8 && p < 13)
# Below a panel: a key of causes in two columns, or of lines, and notes.
causes(p) = p == 1 || p == 4 || (p > 12 && p < 16); there(p, k) = p == 1 ? of('there', k) : of(p < 15 ? 'any' : 'late', k)
all_lines(p) = is_setting(p) ? value(word(names, p).'_lines') : is_curve(p) ? lines + lines_left_out : is_row(p) ? rows + rows_left_out : 0
drawn(p) = is_setting(p) ? (all_lines(p) < 8 ? all_lines(p) : 8) : is_row(p) ? rows : lines
below(p) = (causes(p) ? ceil(0.5 * (sum [k = 1:8] there(p, k))) : is_row(p) || drawn(p) < 2 ? 0 : drawn(p)) + (p == 1 && strlen(of_map)) + (all_lines(p) > drawn(p)) + (is_setting(p) && low_reach)
aspect = exists('y_high') ? (y_high - y_low) / (x_high - x_low) : 1; flat = aspect < 0.3; map_most = page ? 8 : 4.6
inner(p, w) = p == 1 ? (w * aspect < map_most ? w * aspect : map_most) : is_row(p) ? row_total * pitch : page ? 3.1 : 2.7
array top_of[16]; array left_of[16]; array right_of[16]; array kept[16]; array end[2] = [0.05, 0.05]; panels = 0; left_out = ''
do for [p = 1:16] { kept[p] = 0; if (shown(p)) { whole = !page || (p == 1 && flat)
    c = whole || end[1] <= end[2] + 0.01 ? 1 : 2; y = whole && end[2] > end[1] ? end[2] : end[c]
    from = (c - 1) * 0.5 * width + (is_row(p) ? 0.85 + row_room : 1.4); to = (whole ? width : 0.5 * c * width) - 0.4
    tall = 1.7 + inner(p, to - from) + is_heat(p) * 0.45 + line * below(p)
    if (y + tall > most && panels) { left_out = left_out.(strlen(left_out) ? ', ' : '').word(names, p) } else { kept[p] = 1; panels = panels + 1
        left_of[p] = from; right_of[p] = to; top_of[p] = y + 0.7; end[c] = y + tall; if (whole) { end[2] = end[1] } } } }
height = (end[1] > end[2] ? end[1] : end[2]) + (strlen(left_out) ? line : 0)

# ---- panels ----
begin = 'set autoscale; left = left_of[p]; right = right_of[p]; top = top_of[p]; bottom = top + inner(p, right - left); x_says = _("distance from the source (cells)"); y_says = is_row(p) ? rows_are : _("wrong headings (%)"); y_room = is_row(p) ? row_room : 0.8; every = 4'
say = 'y = y + line; n = n + 1; set label 500 + n written(cut(text, right - x)) at screen across(x), screen up(y) font note tc rgb gray'
keys = 'x = left - (left - (left > 0.5 * width ? 0.5 * width : 0)) + 0.4; y = bottom + 0.8; n = 0; if (p == 1 && strlen(of_map)) { text = of_map; eval say }; if (causes(p)) { c = 0; do for [k = 1:8] { if (there(p, k)) { y = y + (c % 2 ? 0 : line); from = x + (c % 2) * 4.1; c = c + 1;' \
    .'set object 100 + k rectangle from screen across(from), screen up(y + 0.11) to screen across(from + 0.35), screen up(y - 0.11) fc rgb of("kind_color", k) fs solid border lc rgb ink lw pt(0.4); if (k == 8) { set object 100 + k fs pattern 5 border lc rgb ink };' \
    .'set label 100 + k written(of("kind", k)) at screen across(from + 0.5), screen up(y) font note tc rgb ink } } } else { if (!is_row(p) && drawn(p) > 1) { do for [i = 1:drawn(p)] { y = y + line;' \
    .'set arrow 100 + i from screen across(x), screen up(y) to screen across(x + 0.6), screen up(y) nohead ls i; set label 200 + i "" at screen across(x + 0.3), screen up(y) point ls i;' \
    .'set label 100 + i written(cut(of(is_setting(p) ? word(names, p)."_line" : "line", i), right - x - 0.9)) at screen across(x + 0.75), screen up(y) font note tc rgb word(inks, i) } } };' \
    .'if (is_heat(p)) { y = y + 0.45 }; if (all_lines(p) > drawn(p)) { text = sprintf(_("%d more are only in the table and BASE.csv"), all_lines(p) - drawn(p)); eval say }; if (is_setting(p) && low_reach) { text = _("open: the wave reached less than 95 % of the cells"); eval say }'
row_labels = 'set yrange [row_total + 0.5:0.5]; eval only_below; do for [i = 1:rows] { set label 300 + i written(cut(of("row", i), 3)) at screen across(left - 0.1), first of("row_place", i) right font note tc rgb ink };' \
    .'do for [i = 1:heads] { set label 350 + i written(cut(of("head", i), right - left)) at screen across(left), first of("head_place", i) left font note tc rgb gray }'
is(i) = column('line') == i; when(condition, x) = condition ? x : NaN; enough(c) = column('headings (1)') >= 5 ? c : NaN; at(i, condition) = column('panel') == which && is(i) && condition ? column(3) : NaN

if (kept[1]) { p = 1; eval begin; right = left + (bottom - top) / aspect
    says = sprintf(_('wrong headings (error > %g°)'), wrong); x_says = sprintf(_('%s (cells)'), x_name); y_says = sprintf(_('%s (cells)'), y_name); eval panel
    every = (right - left) / 0.9; low = x_low; high = x_high; eval axis('x'); every = bottom - top < 0.8 ? 1 : 1.2 * (bottom - top); low = y_low; high = y_high; while (floor(high / round_of((high - low) / every)) < ceil(low / round_of((high - low) / every))) { every = 1.5 * every }; eval axis('y'); set yrange [y_high:y_low]
    set border 15; set object 1 rectangle from graph 0, 0 to graph 1, 1 behind fc rgb '#CFCFCF' fs solid noborder; right = right_of[p]; eval keys
    set label 400 (format eq 'tex' ? '$\star$' : '★') at source_x, source_y center font face tc rgb ink front
    plot for [k = 8:8] data index 'map' using (when(column('kind') == k, 0.5 * (column(2) + column(3)))):(0.5 * (column(4) + column(5))):2:3:4:5 with boxxyerror fc rgb of('kind_color', k) lw pt(0.4) fs pattern 5 noborder, for [k = 7:1:-1] data index 'map' using (when(column('kind') == k, 0.5 * (column(2) + column(3)))):(0.5 * (column(4) + column(5))):2:3:4:5 with boxxyerror fc rgb of('kind_color', k) fs solid 1 border rgb of('kind_color', k) lw pt(0.2)
}
if (kept[2]) { p = 2; eval begin; says = bends ? _('along the shortest path; lines: bends') : _('along the shortest path'); eval panel
    low = 0; high = distance_last; eval axis('x'); set yrange [0:103]; set ytics 0, 25, 100; eval keys
    plot data index 'bends' using (when(bends && column('group') == bends_of, column(4))):(0):(0):(103) with vectors nohead lc rgb gray lw pt(0.6) dt 1, \
        for [i = 1:lines] data index 'along' using (when(is(i), enough(column(4)))):8 with linespoints ls i ps 0.6 * dot
}
do for [heat = 1:2] { p = heat == 1 ? 3 : 16; if (kept[p]) { eval begin; says = heat == 2 ? _('past the last bend; white: under 5 headings') : ticks ? _('by distance; ticks: bends; white: under 5 headings') : _('by distance; white: under 5 headings')
    if (heat == 2) { x_says = _('distance past the last bend (widths)') }; eval panel
    if (heat == 1) { low = 0; high = distance_last; eval axis('x') } else { low = 0.5 * past_least; high = past_most; eval log_axis('x') }; eval row_labels; eval keys
    set palette defined (0 '#F4EFE4', 1 '#E7C58B', 2 '#C97B3C', 3 '#8A2804', 4 '#3E0E02'); set cbrange [0:100]; set cbtics 0, 50, 100 font small scale 0.5 offset 0, 0.5 tc rgb ink
    set label 905 _('wrong headings (%)') at screen across(right - 3.3), screen up(bottom + 1.13) right font small tc rgb ink
    set colorbox horizontal user origin screen across(right - 3.1), screen up(bottom + 1.2) size screen 2.9 / width, screen 0.16 / height front bdefault
    plot data index (heat == 1 ? 'along' : 'past') using (when(column('row') > 0, enough(heat == 1 ? column(4) : column(5)))):(column('row')):(heat == 1 ? column(4) - 2.5 : column(4) > low ? column(4) : low):(heat == 1 ? column(4) + 2.5 : column(5)):(column('row') - 0.45):(column('row') + 0.45):(column('wrong (%)')) with boxxyerror fs solid 1 noborder lc palette, \
        data index 'bends' using (when(heat == 1 && column('row') > 0, column(4))):(column(2) - 0.45):(0):(0.9) with vectors nohead lc rgb ink lw pt(1) dt 1
} }
if (kept[4]) { p = 4; eval begin; says = _('all headings, by cause'); x_says = _('wrong headings (%)'); eval panel
    stats data index 'causes' using 4 name 'its' nooutput; low = 0; high = its_max * 1.4; eval axis('x'); eval row_labels; eval keys
    plot for [k = 6:1:-1] data index 'causes' using (when(column('row') > 0, column(4 + k))):2:(0):(column(4 + k)):(column(2) - 0.4):(column(2) + 0.4) with boxxyerror fc rgb of('kind_color', k) fs solid 1 border rgb ink lw pt(0.3), \
        data index 'causes' using (when(column('row') > 0, column(4))):2:(datum(sprintf(_(' %.3g %% of %s'), column(4), number(column(3))))) with labels left font note tc rgb ink
}
do for [p = 5:8] { if (kept[p]) { eval begin; which = p - 4; says = _('all headings'); x_says = item(_('local width (cells)|threshold (of the source)|squared Courant number|height (cells)|'), which); eval panel
    stats data index 'points' using (when(column('panel') == which, column(3))) name 'its' nooutput; stats data index 'points' using (when(column('panel') == which, column(4))) name 'y' nooutput
    if (which == 2) { low = its_min / 1.5; high = its_max * 1.5; eval log_axis('x') } else { low = 0; high = its_max * 1.05; eval axis('x') }
    low = 0; high = y_max < 4 ? 5 : 1.1 * y_max; eval axis('y'); eval keys
    plot for [i = 1:drawn(p)] data index 'points' using (at(i, 1)):4 with lines ls i, for [i = 1:drawn(p)] data index 'points' using (at(i, !lacks(5))):4:5:6 with yerrorbars ls i dt 1 ps 0, \
        for [i = 1:drawn(p)] data index 'points' using (at(i, column(7) >= 0.95)):4 with points ls i, for [i = 1:drawn(p)] data index 'points' using (at(i, column(7) < 0.95)):4 with points ls 10 + i
} }
do for [p = 9:12] { if (kept[p]) { eval begin; which = p - 8; says = item(_('error by time; ticks: half a cutoff period|error by distance|how often each error is|spectrum; ticks: cutoff|'), which)
    x_says = item(_('time after the arrival (steps)|distance from the source (cells)|heading error (°)|frequency (rad/step)|'), which); y_says = item(_('RMS error (°)|RMS error (°)|headings (%)|relative amplitude|'), which); eval panel
    low = 0; high = real(item(sprintf('30|%g|180|1|', distance_last), which)); eval axis('x'); eval keys
    if (which < 3) { set yrange [0:180]; set ytics 0, 45, 180 } else { low = which == 3 ? 0.01 : 0.001; high = which == 3 ? 100 : 1.5; eval log_axis('y') }
    do for [i = 1:lines] { tick = which == 1 ? 3.14159265 / of('cutoff', i) : of('cutoff', i); if (which % 3 == 1 && known(tick) && tick < (which == 1 ? 30 : 1)) { set arrow 300 + i from first tick, graph 0 to first tick, graph 0.06 nohead ls i lw pt(2) } }
    plot for [i = 1:lines] data index (which == 2 ? 'along' : 'curves') using (when(is(i) && (which == 2 || column(1) == item('1|0|2|3|', which)), column(4))):(column(which == 2 ? 15 : 5)) with lines ls i
} }
do for [p = 13:15] { if (kept[p]) { eval begin; which = p - 12; says = cut(mapped, 0.85 * (right - left)); x_says = item(_('local width (cells)|distance from the source (cells)|time after the arrival (steps)|'), which); eval panel
    stats data index 'stacks' using (when(column(1) == which, column(2))) name 'its' nooutput; low = which == 3 ? -1.5 : 0; high = 1.05 * its_max; eval axis('x'); set yrange [0:103]; set ytics 0, 25, 100; eval keys
    plot for [k = 6:1:-1] data index 'stacks' using (when(column(1) == which, column(2))):(column(4 + k)):3 with boxes fc rgb of('kind_color', k) fs solid 1 border rgb ink lw pt(0.3)
} }
if (strlen(left_out)) { print sprintf('report: not drawn, to fit 24 cm: %s; choose by --panels, or --width page', left_out); unset label; unset arrow; unset object; unset border; unset tics; set label 1 written(sprintf(_('not drawn, to fit a page: %s (--panels)'), left_out)) at screen across(0.3), screen up(panels_end - 0.15) font note tc rgb gray; plot [0:1] [0:1] NaN notitle }
