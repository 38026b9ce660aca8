# SPDX-License-Identifier: MIT
# The chart of hamon-isotropy: how far the front's radius is off its mean by direction, the fronts, their anisotropy,
# and on request heading errors, growth and phase speeds. On a page two panels stand beside each other. Centimetres.

# ---- size ----
page = width > 14; names = 'sphere off_mean enlarged fronts numbers heading growth speed arrivals'
shown(p) = exists('show_'.word(names, p)) ? value('show_'.word(names, p)) : 0; flat = dims == 2
of(name, i) = value(sprintf('%s_%d', name, i)); within(x, low, high) = x < low ? low : x > high ? high : x
pitch = 0.62; line = 0.31; percent(x) = sprintf(x < 0.01 ? '%.1e %%' : x < 0.1 ? '%.3f %%' : x < 1 ? '%.2f %%' : '%.1f %%', x)
if (flat) { maps = 1 }; across_maps = !page ? 2 : maps == 4 ? 4 : 3; map_wide = (width - 0.8) / across_maps - 0.4; map_high = map_wide / 2 + 1.15
key_rows = shown(5) || shown(1) * (panels == 1) ? 0 : page ? ceil(series / 2.0) : series
curves = (sum [p = 2:8] (p != 4 && p != 5 ? shown(p) : 0)); pairs = page ? ceil((panels - (shown(4) && shown(9))) / 2.0) : curves
widest = 0; do for [i = 1:series] { x = 0.85 * wide(of('label', i), 6.2); widest = x > widest ? x : widest }; slot = shown(4) || shown(9); beside = shown(4) && shown(5) && !shown(9) && widest < width - 5.4 # fronts and arrivals are in one slot
paired(p) = page ? p > 1 : beside && (p == 4 || p == 5)
rest = page ? 0 : shown(1) * (1 + map_high * ceil(1.0 * maps / across_maps)) + shown(5) * (pitch * series + 1.7) + (slot && !beside) * 4.2 + line * key_rows
axis_y = page ? within((21.0 - shown(1) * map_high * 2) / pairs - 1.8, 2.6, 4.6) : within((20.8 - rest) / within(curves, 1, 9) - 1.7, 1.4, 3.5)
own(p) = p == 1 ? 0.3 + map_high * ceil(1.0 * maps / across_maps) : p == 5 ? pitch * series + 0.95 : p == 4 ? (page ? axis_y : 3.3) + 0.2 : axis_y + 1
array top_of[8]; array left_of[8]; array right_of[8]; height = 0.05; deep = 0; begun = 0
do for [p = 1:8] { if (p == 4 ? slot : shown(p)) { second = paired(p) && begun; begun = paired(p) && !second; if (!second) { height = height + deep; deep = 0 }
    top_of[p] = height + 0.7; left_of[p] = page && second ? width / 2 + 1.35 : second ? 4.35 : p == 4 && (beside || shown(9)) ? 0.5 : 1.35
    right_of[p] = page && !second && paired(p) ? width / 2 - 1 : width - (page || p != 5 ? 1.1 : 0.7)
    deep = 0.7 + own(p) > deep ? 0.7 + own(p) : deep } }
height = height + deep; keys_top = height + 0.1; height = height + line * key_rows + (key_rows > 0) * 0.3

# ---- panels ----
set style line 31 lc rgb ink lw pt(0.9) dt 1; set style line 32 lc rgb gray lw pt(0.9) dt 2; set style line 33 lc rgb gray lw pt(0.9) dt 3
style(i) = i > groups ? 30 + i - groups : i; color(i) = i > groups + 1 ? gray : i > groups ? ink : word(inks, i); is(i) = column('series') == i
fit(text, room) = 0.85 * wide(text, 6.2) < room || strlen(text) < 5 ? text : fit(text[1:strlen(text) - 2].'…', room)
begin = 'left = left_of[p]; right = right_of[p]; top = top_of[p]; bottom = top + axis_y; x_says = ""; y_says = ""; every = 4'
roomy = 'room = 0.05 * (high - low) + (high > low ? 0 : 1e-9); low = low - room; high = high + room'; angles = 'x_says = _("direction (°)"); eval panel; set xrange [0:360]; set xtics 0, 45, 360'; plain = 'unset border; unset xtics; unset ytics; set label 903 ""; set label 904 ""'
# Each curve's anisotropy at its end, apart from each other: the lowest first.
array end_y[9]; array end_of[9]; end_at(i) = of('end', i)
ends = '_n = 0; do for [i = first:last] { end_of[i] = 0; end_y[i] = 0 }; do for [_r = first:last] { _b = 0; do for [i = first:last] { if (end_of[i] == 0 && (_b == 0 || end_at(i) < end_at(_b))) { _b = i } }' \
    .'; _y = (end_at(_b) - low) / (high - low) * axis_y; if (_n && _y < _before + 0.27) { _y = _before + 0.27 }; _before = _y; _n = _n + 1; end_of[_b] = 1; end_y[_b] = _y };' \
    .'_over = _before > axis_y ? _before - axis_y : 0; do for [i = first:last] { set label 100 + i written(percent(of("anisotropy", i))) at screen across(right + 0.1), screen up(bottom - end_y[i] + _over) font note tc rgb color(i) }'
directions = 'data index "directions" using (is(i) && column("section") < 3 ? column("angle (degrees)") : NaN)'

if (shown(1)) { p = 1; eval begin; do for [i = 1:maps] { k = i - 1; s = i > groups ? groups + 1 : i; left = 0.6 + (map_wide + 0.4) * (k % across_maps); right = left + map_wide; top = top_of[1] + 0.3 + map_high * (k / across_maps); bottom = top + map_wide / 2
        says = i == 1 ? sprintf(_('100 (r / mean − 1) over all directions, in cells of %.2g sr'), side * side) : ''
        if (i == 1) { top = top - 0.3; eval panel; top = top + 0.3; set tmargin at screen up(top) }; eval plain
        if (i > 1) { unset label; set lmargin at screen across(left); set rmargin at screen across(right); set tmargin at screen up(top); set bmargin at screen up(bottom) }
        set label 1 written(of('label', s)._(': ').percent(of('anisotropy', s))) at screen across((left + right) / 2), screen up(top - 0.2) center font note tc rgb ink
        most_here = of('sphere', s); set xrange [-2.83:2.83]; set yrange [-1.415:1.415]
        set palette defined (-1 '#001261', -0.5 '#3E85AE', 0 '#ECE5E0', 0.5 '#C4733F', 1 '#590008'); set cbrange [-most_here:most_here]
        set colorbox horizontal user origin across(left + 0.25 * map_wide), up(bottom + 0.28) size 0.5 * map_wide / width, 0.14 / height noborder
        set cbtics (written(sprintf('−%.2g', most_here)) -most_here, '0' 0, written(sprintf('%.2g', most_here)) most_here) scale 0 font note tc rgb ink offset 0, 0.35
        if (i == 1) { set style textbox opaque noborder fc rgb 'white' margins 0.4, 0.2; set label 2 _('east') at 0, 0 center font note tc rgb ink front boxed; set label 3 _('north') at 1.7, 0 center font note tc rgb ink front boxed; set label 4 _('south') at -1.7, 0 center font note tc rgb ink front boxed; set label 5 _('up') at 0, 1.2 center font note tc rgb ink front boxed }
        plot data index 'sphere' using (column('series') == i ? column('right') : NaN):'up':(column('right') - 0.51 * side):(column('right') + 0.51 * side):(column('up') - 0.51 * side):(column('up') + 0.51 * side):'radius off the mean (%)' with boxxyerror fs solid 1 noborder fc palette
    }; unset colorbox }
if (shown(2)) { p = 2; eval begin; says = sprintf(_('radius off its mean, by direction (radius %g cells)'), radius); y_says = axis_y < 3.1 ? _('off the mean (%)') : _('100 (r / mean − 1) (%)'); eval angles
    low = off_low; high = off_high; eval roomy; eval axis('y'); first = 1; last = series; eval ends
    if (enlarged > 3) { room = 0.05 * (waves_high - waves_low); set object 1 rectangle from graph 0, first waves_low - room to graph 1, first waves_high + room fc rgb '#E6EBFB' fs solid noborder behind }
    plot for [i = 1:series] @directions:'radius off the mean (%)' with lines ls style(i) }
if (shown(3)) { p = 3; eval begin; says = enlarged > 1.5 ? sprintf(_('the waves alone, enlarged %.0f times'), enlarged) : _('the waves alone'); y_says = axis_y < 3.1 ? _('off the mean (%)') : _('100 (r / mean − 1) (%)'); eval angles
    low = waves_low; high = waves_high; eval roomy; eval axis('y'); first = 1; last = groups; eval ends
    plot for [i = 1:groups] @directions:'radius off the mean (%)' with lines ls style(i) }
both = shown(4) && shown(9); side_of = own(4) - 0.2; if (both) { half = (right_of[4] - left_of[4] - 0.5) / 2; side_of = half < side_of ? half : side_of }
if (shown(4)) { p = 4; eval begin; left = page && !both ? (left + right - side_of) / 2 : left; right = left + side_of; bottom = top + side_of
    says = page && !both ? _('fronts at one time, mean radius 1') : _('fronts, mean radius 1'); eval panel; eval plain; rim = 1 + off_high / 100; set xrange [-rim:rim]; set yrange [-rim:rim]
    do for [k = 0:3] { set arrow 10 + k from -rim * cos(45 * k), -rim * sin(45 * k) to rim * cos(45 * k), rim * sin(45 * k) nohead ls 24 back }
    set label 10 '0°' at 0.5, 0.1 font note tc rgb gray; set label 11 '90°' at 0.05, 0.6 font note tc rgb gray
    plot for [i = series:1:-1] data index 'directions' using (is(i) ? (1 + column('radius off the mean (%)') / 100) * cos(column('angle (degrees)')) : NaN):((1 + column('radius off the mean (%)') / 100) * sin(column('angle (degrees)'))) with lines ls style(i) }
if (shown(9)) { p = 4; eval begin; left = both ? left + side_of + 0.6 : left; right = left + side_of; bottom = top + side_of; says = fit(sprintf(_('arrivals, every %g steps'), apart), width - left - 0.2)
    eval panel; set border 15; unset xtics; unset ytics; set xrange [arrivals_x - arrivals_half:arrivals_x + arrivals_half]; set yrange [arrivals_y + arrivals_half:arrivals_y - arrivals_half]; set cbrange [0:arrivals_last]
    set palette defined (0 '#011959', 1 '#226061', 2 '#808133', 3 '#F19D6B', 4 '#FACCFA'); unset colorbox; set label 10 format eq 'tex' ? '' : '★' at arrivals_x, arrivals_y center font font.size(9) tc rgb ink
    plot data index 'arrivals' using 2:3:(column(4) - column(2)):(column(5) - column(3)):1 with vectors nohead lw pt(1) lc palette }
if (shown(5)) { p = 5; eval begin; bottom = top + pitch * series; left = left - (page ? 0.9 : 0)
    says = page || !beside ? _('anisotropy: (max − min) / mean of the radius') : _('(max − min) / mean'); x_says = _('anisotropy (%)'); eval panel; eval only_below
    low = 1e9; high = 0; do for [i = 1:series] { x = of('anisotropy', i); low = x > 0 && x < low ? x : low; high = x > high ? x : high }
    high = high > 0 ? 4 * high : 1; low = low < high ? 0.5 * low : 0.1 * high; eval log_axis('x'); set yrange [series:0]
    more(i) = sprintf(_('%s, mean radius %.2f'), of('label', i), of('mean', i)); all_fit = (sum [i = 1:series] wide(more(i), 6.2) * 0.85 < right - left - 0.4) == series
    do for [i = 1:series] { text = all_fit ? more(i) : fit(of('label', i), width - left - 0.85)
        set arrow 100 + i from screen across(left), first i - 0.78 to screen across(left + 0.6), first i - 0.78 nohead ls style(i)
        set label 100 + i written(text) at screen across(left + 0.75), first i - 0.78 font note tc rgb color(i)
        set arrow 200 + i from low, i - 0.32 to within(of('anisotropy', i), low, high), i - 0.32 nohead ls 24
        set label 200 + i '' at within(of('anisotropy', i), low, high), i - 0.32 point pt 7 ps 1.1 * dot lc rgb color(i) front
        set label 300 + i written(percent(of('anisotropy', i))) at within(of('anisotropy', i), low, high), i - 0.32 offset 0.9, 0 font note tc rgb color(i) front }
    plot 0 with points lc rgb 'white' ps 0 }
if (shown(6)) { p = 6; eval begin; says = _('RMS error of headings, by direction'); y_says = _('error (°)'); eval angles; low = 0; high = 1.05 * within(worst, 1e-6, 180); eval axis('y')
    plot for [i = 1:series] @directions:'RMS heading error (degrees)' with lines ls style(i) }
if (shown(7)) { p = 7; eval begin; says = _('anisotropy, by radius'); x_says = _('radius (cells)'); y_says = _('anisotropy (%)'); eval panel; low = 0; high = growth_last; eval axis('x')
    low = growth_low / 1.3; high = growth_high * 1.3; eval log_axis('y'); plot for [i = 1:series] data index 'growth' using (is(i) ? column('radius (cells)') : NaN):'anisotropy (%)' with lines ls style(i) }
if (shown(8)) { p = 8; eval begin; says = _('phase speed over that of long waves'); x_says = _('wave number (rad/cell)'); y_says = _('speed ratio'); eval panel; low = 0; high = speed_last; eval axis('x'); low = speed_low; high = 1.02; eval axis('y')
    class(d) = flat ? d : d < 3 ? 0 : d < 9 ? 1 : 2; do for [k = 0:dims - 1] { set label 10 + k written(item(_('axis|diagonal|space-diagonal|'), k + 1)) at screen across(left + 0.85), screen up(bottom - 0.25 - 0.28 * (dims - 1 - k)) font note tc rgb ink
        set arrow 10 + k from screen across(left + 0.15), screen up(bottom - 0.25 - 0.28 * (dims - 1 - k)) to screen across(left + 0.7), screen up(bottom - 0.25 - 0.28 * (dims - 1 - k)) nohead lc rgb ink lw pt(0.9) dt 1 + k }
    plot for [k = 0:dims - 1] data index 'speeds' using (class(column('direction')) == k ? column('wave number (rad/cell)') : NaN):'law (1)' with lines lc rgb ink lw pt(0.9) dt 1 + k, \
        for [i = 1:groups] data index 'speeds' using (is(i) ? column('wave number (rad/cell)') : NaN):'measured (1)' with points ls 10 + i ps 0.6 * dot }
if (key_rows) { unset label; unset arrow; unset object; eval plain; do for [i = 1:series] { k = page ? (i - 1) / 2 : i - 1; x = page && i % 2 == 0 ? width / 2 + 0.4 : 0.5; y = keys_top + line * (k + 0.5)
        set arrow i from screen across(x), screen up(y) to screen across(x + 0.6), screen up(y) nohead ls style(i); set label i written(sprintf(_('%s: %s, mean radius %.2f'), of('label', i), percent(of('anisotropy', i)), of('mean', i))) at screen across(x + 0.75), screen up(y) font note tc rgb color(i) }
    unset logscale; plot [0:1] [0:1] NaN notitle }
