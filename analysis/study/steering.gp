# SPDX-License-Identifier: MIT
# The chart of hamon-steering: the paths on maps, the time that each loses, and the law of refraction at the sides of
# areas; of strips the amplitudes at a change of speed. Lengths are centimetres.

# ---- size ----
page = width > 12; of(name, i) = value(sprintf('%s_%d', name, i)); shown(name) = exists('show_'.name) ? value('show_'.name) : 0
order = ''; do for [m = 1:shown('paths') ? maps : 0] { order = order.' map' }
do for [name in 'lost distance refraction strip'] { if (shown(name)) { order = order.' '.name } }
panels = words(order); is(p, name) = word(order, p) eq name; last_map = shown('paths') ? maps : 0
column_of(p) = page && (panels > 1) || (is(p, 'map') && maps > 1) ? width / 2 : width
# Labels of rows are cut at half of their panel.
fits(s, room) = wide(s, 6.5) <= room || strlen(s) < 4 ? s : fits(substr(s, 1, strlen(s) - 2).'…', room)
label_room = 0; do for [i = 1:shown('lost') || shown('distance') ? labels : 0] { w = wide(of('label', i), 6.5); label_room = w > label_room ? w : label_room }; half = (page ? width / 2 : width) * 0.45; label_room = label_room > half ? half : label_room
pitch = !shown('lost') && !shown('distance') || rows < 14 ? 0.36 : rows < 24 ? 0.3 : 6.6 / rows
# The key of the maps: entries and their lines.
array key_text[40]; array key_x[40]; array key_line[40]; entries = 0; x = 0; key_lines = 0
do for [i = 1:last_map ? kinds + 2 + area_labels : shown('lost') + shown('distance') > 0 && groups > 1 ? kinds : 0] { entries = entries + 1
    key_text[i] = i <= kinds ? of('words', i) : i == kinds + 1 ? _('start') : i == kinds + 2 ? _('target') : of('area_label', i - kinds - 2)
    w = wide(key_text[i], 6.5) + 1.05; if (x > 0 && x + w > (page && last_map == 1 && panels > 1 ? width / 2 : width) - 0.4) { x = 0; key_lines = key_lines + 1 }
    key_x[i] = x; key_line[i] = key_lines; x = x + w }
key_height = entries ? 0.32 * (key_lines + 1) + 0.15 : 0
# One scale for all maps: what is left of 21 cm.
tall(p) = is(p, 'lost') || is(p, 'distance') ? rows * pitch + 1 : 5.3
below = 0; beside_it = 0; do for [p = last_map + 1:panels] { second = page && (p - last_map) % 2 == 0; below = below + (second ? (tall(p) > beside_it ? tall(p) - beside_it : 0) : tall(p) + 0.75); beside_it = tall(p) }; map_rows = (last_map + 1) / 2; scale = 1e300
do for [m = 1:last_map] { a = (column_of(m) - (maps > 1 ? 0.7 : 1.6)) / (of('x_high', m) - of('x_low', m)); b = page && last_map == 1 ? 8.5 : (21 - below - key_height) / map_rows - 0.8 - 0.7 * (maps < 2)
    b = (b > 7.5 ? 7.5 : b) / (of('y_high', m) - of('y_low', m)); a = a < b ? a : b; scale = a < scale ? a : scale }
map_tall(m) = scale * (of('y_high', m) - of('y_low', m)) + (maps > 1 ? 0 : 0.7)
array left_of[panels]; array top_of[panels]; height = 0; deep = 0; x = 0; key_top = 0
beside = page && last_map == 1 # the map is on the left, all other panels on the right
do for [p = 1:panels] { t = 0.75 + (p <= last_map ? map_tall(p) : tall(p))
    if (beside) { top_of[p] = 0.7 + (p > 1 ? height : 0); left_of[p] = p > 1 ? width / 2 : 0; key_top = p == 1 ? t : key_top; height = p > 1 ? height + t : 0 } else {
    if (x + column_of(p) > width + 0.01) { height = height + deep; x = 0; deep = 0; if (p > last_map && key_top == 0) { key_top = height; height = height + key_height } }
    top_of[p] = height + 0.7; left_of[p] = x; x = x + column_of(p); deep = t > deep ? t : deep } }
if (beside) { deep = key_top + key_height - height; deep = deep < 0 ? 0 : deep }; height = height + deep; if (key_top == 0) { key_top = height; height = height + key_height }

# ---- panels ----
method_style(m) = m eq 'traces' ? 7 : style_of(m, m eq 'fast-marching' ? 6 : m eq 'dijkstra' ? 8 : 6); gray_path = '#A6A6A6'; star = format eq 'tex' ? '' : '★'
shade(c) = c < 1 ? sprintf('#%02X%02X%02X', 255 * (0.77 + 0.18 * c), 255 * (0.77 + 0.18 * c), 255 * (0.77 + 0.18 * c)) : '#F7F0DC'; reference(i) = of('method', i) eq 'least time' || of('method', i) eq 'shortest path'; least(i, a, b) = of('method', i) eq 'least time' ? a : b
mine(i) = strcol('method') eq of('method', i); faded = '#9AABEF #EBD29E #C8A2CA #9FE0C6 #D0A995 #C3CDF7 #A0A0A0 #C4DDE5'
do for [p = 1:last_map] { g = of('map_group', p); left = left_of[p] + (maps > 1 ? 0.5 : 1.2); right = left + scale * (of('x_high', p) - of('x_low', p))
    top = top_of[p]; bottom = top + scale * (of('y_high', p) - of('y_low', p)); y_room = 0.6
    says = strlen(of('worst', p)) ? sprintf(_('%s: worst %s, %.2g %%'), of('map', p), of('worst', p), of('most', p)) : of('map', p); says = wide(says, 6.5) <= column_of(p) - 0.5 ? says : fits(of('map', p), column_of(p) - 0.5)
    if (maps < 2) { x_says = sprintf(_('%s (cells)'), 'xyz'[of('across', p) - 2:of('across', p) - 2]); y_says = sprintf(_('%s (cells)'), 'xyz'[of('down', p) - 2:of('down', p) - 2]) }
    eval panel; set border 15; low = of('x_low', p); high = of('x_high', p); eval axis('x'); low = of('y_low', p); high = of('y_high', p); eval axis('y'); set yrange [high:low]; if (maps > 1) { unset xtics; unset ytics }
    set label 1 star at of('source_x', p), of('source_y', p) center font font.size(9) tc rgb ink front; if (format eq 'tex') { set label 1 point pt 15 ps dot lc rgb ink }
    plot for [a = 1:of('areas', p)] data index 'areas' using (column('map') == p && column('area') == a ? $4 : NaN):5 with filledcurves closed fc rgb shade(of(sprintf('speed_%d', p), a)), \
        data index 'areas' using (column('map') == p ? $4 : NaN):5 with lines ls 23, \
        data index 'walls' using (column('map') == p ? 0.5 * ($2 + $4) : NaN):(0.5 * ($3 + $5)):2:4:3:5 with boxxyerror fs solid border lc rgb '#BDBDBD' fc rgb '#BDBDBD' lw pt(0.2), \
        for [i = 1:kinds] data index 'paths' using (reference(i) && mine(i) && column('drawn') == 1 && column('group') == g ? column(int(of('across', p))) : NaN):(column(int(of('down', p)))) \
            with lines ls 22 lc rgb least(i, gray_path, gray) dt int(least(i, 1, 3)) lw pt(least(i, 2.6, 0.7)), \
        for [i = 1:kinds] data index 'paths' using (!reference(i) && mine(i) && column('drawn') == 1 && column('group') == g ? column(int(of('across', p))) : NaN):(column(int(of('down', p)))) with lines ls method_style(of('method', i)), \
        data index 'starts' using (column('drawn') == 1 && column('group') == g ? column(int(of('across', p)) + 1) : NaN):(column(int(of('down', p)) + 1)) with points pt 7 ps dot lc rgb 'white', \
        data index 'starts' using (column('drawn') == 1 && column('group') == g ? column(int(of('across', p)) + 1) : NaN):(column(int(of('down', p)) + 1)) with points pt 6 ps dot lc rgb ink lw pt(0.7)
}
y_room = 0.8; letter_left = 'set label 901 at screen across(left_of[p] + 0.1), screen up(top - 0.35); set label 902 at screen across(left_of[p] + 0.5), screen up(top - 0.35)'; sample = 'x = 0.5 + key_x[i]; y = key_top + 0.25 + 0.32 * key_line[i]; set label 200 + i written(key_text[i]) at screen across(x + 0.75), screen up(y) font small tc rgb ink;'
if (entries) { set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0; unset label; unset arrow; unset object; unset border; unset xtics; unset ytics
    do for [i = 1:entries] { eval sample
        if (i <= kinds) { k = method_style(of('method', i)); set arrow i from screen across(x), screen up(y) to screen across(x + 0.6), screen up(y) nohead ls k
            if (reference(i)) { set arrow i ls 22 lc rgb least(i, gray_path, gray) dt int(least(i, 1, 3)) lw pt(least(i, 2.6, 0.7)) } }
        if (i == kinds + 1) { set label i '' at screen across(x + 0.5), screen up(y) point pt 6 ps dot lc rgb ink }
        if (i == kinds + 2) { set label i star at screen across(x + 0.5), screen up(y) center font font.size(9) tc rgb ink }
        if (i > kinds + 2) { set object i rectangle from screen across(x), screen up(y + 0.1) to screen across(x + 0.6), screen up(y - 0.1) fc rgb shade(of('area_speed', i - kinds - 2)) fs solid border lc rgb ink dt 3 lw pt(0.5) } }
    plot [0:1] [0:1] NaN notitle
}
do for [p = last_map + 1:panels] { if (is(p, 'lost') || is(p, 'distance')) { lost = is(p, 'lost'); c = lost ? 5 : 8; y_says = ''
    left = left_of[p] + label_room + 0.5; right = left_of[p] + column_of(p) - 0.9; top = top_of[p]; bottom = top + rows * pitch
    says = ''; x_says = lost ? _('time lost against the least time (%)') : _('distance from the path of least time (cells)'); eval panel; eval only_below
    set label 902 written(lost ? _('time lost by path: each start, median, 95 %') : _('Hausdorff distance: each start, median, 95 %')) at screen across(left_of[p] + 0.5), screen up(top - 0.35); eval letter_left
    low = lost ? least_lost : 0; high = lost ? 1.3 * most_lost : 1.05 * farthest; every = 3; if (lost) { eval log_axis('x'); if (low < 0.02) { set xtics add (written('≤0.01') 0.01) } } else { eval axis('x') }; set yrange [rows:0]; within(x) = lost && x < low ? low : x
    do for [i = 1:labels] { set label i written(fits(of('label', i), label_room)) at screen across(left - 0.15), first of('label_at', i) right font small tc rgb ink }
    plot for [few = 0:1] for [i = 1:kinds] data index 'starts' using (mine(i) && (column('arrived (1)') < 5) == few ? within(column(lost ? 9 : 10)) : NaN):2 with points pt int(word('6 4 8 12 10', 1 + (method_style(of('method', i)) - 1) % 5)) \
            ps 0.7 * dot lc rgb (reference(i) ? few ? gray : '#BDBDBD' : word(few ? colors : faded, method_style(of('method', i)))) lw pt(few ? 0.8 : 0.5), \
        for [i = 1:kinds] data index 'sums' using (mine(i) && column(4) > 4 ? within(column(c + 1)) : NaN):2:(within(column(c + 2)) - within(column(c + 1))):(0) with vectors nohead lw pt(1.3) lc rgb (reference(i) ? gray : word(colors, method_style(of('method', i)))) dt 1, \
        for [i = 1:kinds] data index 'sums' using (mine(i) && column(4) > 4 ? within(column(c)) : NaN):2 with points ls method_style(of('method', i)) lc rgb (reference(i) ? gray : word(colors, method_style(of('method', i)))) dt 1, \
        for [i = 1:kinds] data index 'sums' using (mine(i) ? high : NaN):2:(column(c) < 0.005 ? '0.00' : sprintf('%.2g', column(c))) with labels left offset 0.5, 0 font note tc rgb (reference(i) ? gray : word(inks, method_style(of('method', i))))
}
if (is(p, 'refraction')) { left = left_of[p] + 1.4; top = top_of[p]; bottom = top + 4.4; right = left + 4.4
    says = _("refraction at straight sides, and Snell's law"); x_says = _('angle where waves are faster (°)'); y_says = _('angle where slower (°)'); eval panel; eval letter_left; low = 0; high = widest > 75 ? 90 : widest < 8 ? 10 : 1.2 * widest; every = 4; eval axis('x'); eval axis('y'); last = -high
    do for [i = ratios:1:-1] { y = asin(of('ratio', i) * sin(high)); if (i <= 6 && abs(y - last) > high / 15) { set label i written('× '.number(of('ratio', i))) at 1.03 * high, y font note tc rgb ink; last = y } }
    plot for [i = 1:ratios < 6 ? ratios : 6] [0:high] asin(of('ratio', i) * sin(x)) with lines ls 21 lw pt(0.7), \
        for [i = 1:kinds] data index 'crossings' using (mine(i) ? column(7) : NaN):8 with points ls method_style(of('method', i)) lc rgb (reference(i) ? gray : word(colors, method_style(of('method', i)))) pt (reference(i) ? 6 : int(word('7 5 9 13 11', 1 + (method_style(of('method', i)) - 1) % 5))) ps 0.7 * dot
}
if (is(p, 'strip')) { left = left_of[p] + 1.3; top = top_of[p]; bottom = top + 4.4; right = left_of[p] + width - 2.4
    says = _('amplitudes at a change of speed (of the incident)'); x_says = _('speed beyond / speed before'); y_says = _('amplitude'); eval panel; eval letter_left; low = 0; high = 1.1 * high; eval axis('x'); end = high; low = -1.05; high = 2.05; eval axis('y')
    transmitted(f, x) = 2 * (f ? 1 : x) / (1 + x); reflected(f, x) = (f ? 1 - x : x - 1) / (1 + x)
    do for [f = 0:1] { if (value(sprintf('form_%d', f))) { set label 1 + f written(f ? 'T, conservative' : 'T, c2-laplacian') at end, transmitted(f, end) offset 0.6, 0 font note tc rgb word(inks, 1)
        set label 3 + f written(f ? 'R, conservative' : 'R, c2-laplacian') at end, reflected(f, end) offset 0.6, 0 font note tc rgb word(inks, 2) } }
    plot for [f = 0:1] [0:end] form_0 + form_1 > 1 || value(sprintf('form_%d', f)) ? transmitted(f, x) : NaN with lines ls 1 dt 1 + f, for [f = 0:1] [0:end] form_0 + form_1 > 1 || value(sprintf('form_%d', f)) ? reflected(f, x) : NaN with lines ls 2 dt 1 + f, \
        for [f = 0:1] data index 'strips' using (column('form') == f ? column(2) : NaN):6 with points ls 1 pt (f ? 6 : 7), for [f = 0:1] data index 'strips' using (column('form') == f ? column(2) : NaN):4 with points ls 2 pt (f ? 4 : 5)
} }
