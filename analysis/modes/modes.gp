# SPDX-License-Identifier: MIT
# The chart of hamon-modes: frequencies and wave numbers, group speeds, profiles, energies and arrivals of a corridor's
# modes; or the traces at probes and the direction of their energy flux. On a page two beside each other. Centimetres.

# ---- size ----
page = width > 14; probed = exists('probes'); names = 'diagram speed profiles shares arrival field decay trace flux'
shown(p) = exists('show_'.word(names, p)) ? value('show_'.word(names, p)) : 0; of(name, i) = value(sprintf('%s_%d', name, i))
within(x, low, high) = x < low ? low : x > high ? high : x; line = 0.31
# Panels in their order; of probes a trace and a flux for each.
each(p) = p > 7 ? probes : 1; count = probed ? probes * (shown(8) + shown(9)) : panels; panels = count
share(p) = word('1.5 1 0.75 0.6 0.6 1.2 1 1 0.7', p); under(p) = p == 1 || p == 6 ? 1.75 : p == 3 ? 0.3 : p == 8 ? 1.3 : 1
array kind[24]; array probe_of[24]; k = 0
if (probed) { do for [i = 1:probes] { do for [p = 8:9] { if (shown(p)) { k = k + 1; kind[k] = p; probe_of[k] = i } } } } else { do for [p = 1:7] { if (shown(p)) { k = k + 1; kind[k] = p } } }
# The heights of the axes: in a column they share what is left of 21 cm.
fixed_part = (sum [k = 1:count] 0.7 + under(kind[k])); parts = (sum [k = 1:count] real(share(kind[k])))
unit = page ? within((20.5 - 1.9 * ceil(count / 2.0)) / ceil(count / 2.0) / 1.1, 2.2, 4.4) : within((20.6 - fixed_part) / parts, 1.3, 3.6)
axis_y(k) = unit * (page && k == count && k % 2 && !probed ? 0.6 : page ? (kind[k - (k + 1) % 2] < 3 || kind[k - (k + 1) % 2] == 6 || kind[k - (k + 1) % 2] > 7 ? 1.15 : 0.75) : real(share(kind[k])))
array top_of[24]; height = 0.05; deep = 0
do for [k = 1:count] { if (!page || k % 2 == 1) { height = height + deep; deep = 0 }; top_of[k] = height + 0.7; deep = axis_y(k) + 0.7 + under(kind[k]) > deep ? axis_y(k) + 0.7 + under(kind[k]) : deep }
height = height + deep; p = 0

# ---- panels ----
begin = 'second = page && k % 2 == 0; left = second ? width / 2 + 1.4 : 1.4; right = page && !second && k < count ? width / 2 - 0.6 : width - 0.6; top = top_of[k]; bottom = top + axis_y(k); x_says = ""; y_says = ""; every = 4'
style(i) = 1 + (i - 1) % 8; is(i) = column('mode') == i; plain = 'unset border; unset xtics; unset ytics'
power = 'set cbrange [-60:0]; set palette defined (0 "white", 0.5 "#9DB2C4", 1 "#2B4A66"); set colorbox horizontal user origin across(right - 2.4), up(bottom + 1.28) size 2.2 / width, 0.18 / height border 40;' \
    .'set cbtics ("−60" -60, "−30" -30, "0" 0) scale 0.4 font note tc rgb ink offset 0, 0.35; set label 20 _("power (dB)") at screen across(right - 2.55), screen up(bottom + 1.19) right font note tc rgb ink'
named(i) = of('name', i)
# The modes' numbers at the ends of the lines: y of each in the axes, lowest first, apart from each other.
array end_y[64]
ends = '_before = -1; do for [i = 1:modes] { _y = (end_at(i) - low) / (high - low) * (bottom - top); _y = _y < _before + 0.26 ? _before + 0.26 : _y; _before = _y; end_y[i] = _y }; _over = _before > bottom - top ? _before - bottom + top : 0;' \
    .'do for [i = 1:modes] { set label 100 + i written(named(i)) at screen across(right + 0.1), screen up(bottom - end_y[i] + _over) font note tc rgb word(inks, style(i)) }'
end_at(i) = of('top', i)
trace_style(j) = 30 + j; set style line 31 lc rgb ink lw pt(1.1) dt 1; set style line 32 lc rgb gray lw pt(0.8) dt 3; set style line 33 lc rgb word(colors, 2) lw pt(0.9) dt 2; set style line 40 lc rgb ink lw pt(0.5)
mode_tics = 'set xrange [0.4:modes + 0.6]; set xtics (); do for [i = 1:modes] { set xtics add (written(named(i)) i) }'
do for [k = 1:count] { p = kind[k]; eval begin
if (p == 1) { says = _('dispersion: lines law, ○ measured, ▶ cutoff'); x_says = _('wave number k (rad/cell)'); y_says = _('frequency ω (rad/step)'); eval panel
    low = 0; high = top_frequency; set xrange [0:pi]; set xtics ('0' 0, 'π/4' pi / 4, 'π/2' pi / 2, '3π/4' 3 * pi / 4, 'π' pi); every = 6; eval axis('y'); eval power; eval ends
    if (fixed) { set object 1 rectangle from 0, 0 to pi, cutoff_1 fc rgb '#F2EDE4' fs solid noborder front; set label 1 written(sprintf(_('nothing travels below the first cutoff, %.3f'), cutoff_1)) at graph 0.98, first cutoff_1 / 2 right font note tc rgb ink front }
    do for [i = 1:modes] { if (of('cutoff', i) > 0) { set arrow 200 + i from 0, of('cutoff', i) to 0.24 * pi / (right - left), of('cutoff', i) head filled size screen 0.22 / width, 28 lw pt(0.5) lc rgb word(colors, style(i)) front } }
    set arrow 1 from screen across(left), screen up(bottom + 1.19) to screen across(left + 0.6), screen up(bottom + 1.19) nohead ls 22; set label 2 _('open space') at screen across(left + 0.7), screen up(bottom + 1.19) font note tc rgb gray
    plot data index 'diagram' using 1:2:3 with image, speed * x with lines ls 22, for [i = 1:modes] data index 'laws' using (is(i) ? column(2) : NaN):3 with lines lc rgb word(colors, style(i)) lw pt(1) dt 1, \
        for [i = 1:modes] data index 'points' every 2 using (is(i) ? column(2) : NaN):3 with points pt 7 ps 0.75 * dot lc rgb 'white', for [i = 1:modes] data index 'points' every 2 using (is(i) ? column(2) : NaN):3 with points pt 6 ps 0.75 * dot lw pt(0.7) lc rgb word(colors, style(i))
}
if (p == 2) { says = _('group speed: line law, ○ measured'); x_says = _('frequency ω (rad/step)'); y_says = _('speed (cells/step)'); eval panel
    low = 0; high = top_frequency; eval axis('x'); low = 0; high = 1.12 * (fastest > speed ? fastest : speed); every = 5; eval axis('y')
    set arrow 1 from graph 0, first speed to graph 1, first speed nohead ls 22; set label 1 written(sprintf(_('open space: %.3g'), speed)) at graph 0.99, first speed right offset 0, 0.7 font note tc rgb gray
    plot for [i = 1:modes] data index 'laws' using (is(i) ? column(3) : NaN):4 with lines lc rgb word(colors, style(i)) lw pt(1) dt 1, for [i = 1:modes] data index 'speeds' every 2 using (is(i) ? column(3) : NaN):4 with points pt 6 ps 0.7 * dot lw pt(0.7) lc rgb word(colors, style(i))
}
if (p == 3) { says = deep_across > 1 ? _('profile in the middle row: line law, ○ measured') : _('profile across: line law, ○ measured'); y_says = _('cell across'); eval panel; eval only_left; set tmargin at screen up(top + 0.35)
    set xrange [0.5:modes + 0.5]; set yrange [wide + 1:0]; set ytics 1, int(ceil(0.33 * (wide + 1) / (bottom - top - 0.35))), wide; mid = (deep_across + 1) / 2
    do for [i = 1:modes] { set label i written(named(i)) at i, graph 1 center offset 0, 0.5 font note tc rgb word(inks, style(i)); set arrow i from i, graph 0 to i, graph 1 nohead ls 24 back }
    if (fixed) { set object 1 rectangle from graph 0, first wide + 0.75 to graph 1, first wide + 1 fc rgb '#CFCFCF' fs solid noborder; set object 2 rectangle from graph 0, first 0 to graph 1, first 0.25 fc rgb '#CFCFCF' fs solid noborder }
    at(i, name) = is(i) && column(3) == mid ? i + 0.42 * column(name) / profile_most : NaN
    plot for [i = 1:modes] data index 'profiles' using (at(i, 'law (1)')):2 with lines lc rgb word(colors, style(i)) lw pt(1) dt 1, for [i = 1:modes] data index 'profiles' using (at(i, 'measured (1)')):2 with points pt 6 ps 0.7 * dot lw pt(0.7) lc rgb word(colors, style(i))
}
if (p == 4) { says = _('share of each mode'); x_says = _('mode'); y_says = _('energy (%)'); eval panel; eval mode_tics; low = 0; high = 0; do for [i = 1:modes] { high = of('energy', i) > high ? of('energy', i) : high }; high = 1.2 * high; every = 3; eval axis('y')
    do for [i = 1:modes] { set object i rectangle from i - 0.35, 0 to i + 0.35, of('energy', i) fc rgb word(colors, style(i)) fs solid noborder; set label i written(sprintf('%.1f', of('energy', i))) at i, of('energy', i) center offset 0, 0.55 font note tc rgb ink }
    plot 0 with points lc rgb 'white' ps 0
}
if (p == 5) { says = timed ? _('arrival: measured less law') : _('arrival: the source is outside, or emits no crest at once'); x_says = _('mode'); y_says = _('steps'); eval panel; eval mode_tics; low = -1; high = 1; do for [i = 1:modes] { if (of('late', i) == of('late', i)) { low = of('late', i) < low ? of('late', i) : low; high = of('late', i) > high ? of('late', i) : high } }
    room = 0.12 * (high - low); low = low - room; high = high + room; every = 3; eval axis('y'); set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead ls 22
    do for [i = 1:modes] { if (of('late', i) == of('late', i)) { set label i '' at i, of('late', i) point pt 7 ps 1.1 * dot lc rgb word(colors, style(i)) front } }; plot 0 with points lc rgb 'white' ps 0
}
if (p == 6) { says = sprintf(_('mode %s over place and time; line: fastest'), named(1)); x_says = sprintf(_('%s (cells)'), along); y_says = _('time (steps)'); eval panel; eval power; low = first; high = last; eval axis('x'); low = 0; high = field_steps; every = 5; eval axis('y')
    plot data index 'field' using 1:2:3 with image, data index 'fastest' using 1:2 with lines lc rgb word(colors, 2) lw pt(1.2)
}
if (p == 7) { says = _('below the cutoffs, at 0.8: line law, ○ measured'); x_says = _('distance from the source (cells)'); y_says = _('relative amplitude'); eval panel; low = 0; high = last - first; eval axis('x'); low = 1e-5; high = 2; eval log_axis('y')
    plot for [i = 1:modes] data index 'decay' using (is(i) ? column(2) : NaN):4 with lines lc rgb word(colors, style(i)) lw pt(1) dt 1, for [i = 1:modes] data index 'decay' using (is(i) ? column(2) : NaN):3 with points pt 6 ps 0.5 * dot lw pt(0.6) lc rgb word(colors, style(i))
}
if (p > 7) { i = probe_of[k]; here(j) = column('probe') == j; most = of('largest', i); x_says = _('time since the emission (steps)'); y_says = p == 8 ? _('amplitude') : _('angle (°)')
    says = sprintf(p == 8 ? _('cell %d, %d: crests, reflections:walls') : _('cell %d, %d: energy flux, 0° along the corridor'), of('x', i), of('y', i)); eval panel; low = 0; high = of('steps', i); every = 6; eval axis('x')
    if (p == 8) { low = -1.15 * most; high = 3.15 * most; eval axis('y'); do for [j = 1:3] { x = left - 1 + item('0|2|4.2|', j); y = bottom + 1.15; set arrow j from screen across(x), screen up(y) to screen across(x + 0.6), screen up(y) nohead ls trace_style(j)
            set label j item(_('recorded|its envelope|sum of the images|'), j) at screen across(x + 0.7), screen up(y) font note tc rgb ink }
        apart = 0.25 * 4.3 / (bottom - top); levels = int(1.9 / apart) + 1; above(n) = most * (1.15 + apart * (n < levels ? n : 0)) ; set style textbox opaque noborder fc rgb 'white' margins 0.3, 0
        plot data index 'echoes' using (here(i) ? column(3) : NaN):(-1.1 * most):(0):(1.1 * most + above(column(2))) with vectors nohead lc rgb '#9A9A9A' lw pt(0.5), for [j = 1:3] data index 'traces' using (here(i) ? column(2) : NaN):(column(2 + j)) with lines ls trace_style(j), \
            data index 'echoes' using (here(i) && column(2) < levels ? column(3) : NaN):(above(column(2))):(datum(strcol(4).':'.(strcol(5) eq 'direct' ? _('direct') : strcol(5)))) with labels left offset 0.3, 0 boxed font note tc rgb ink
    } else { set yrange [-190:190]; set ytics ('−180' -180, '−90' -90, '0' 0, '90' 90, '180' 180)
        plot data index 'echoes' using (here(i) ? column(3) : NaN):(-190):(0):(380) with vectors nohead lc rgb '#9A9A9A' lw pt(0.5), data index 'traces' using (here(i) ? column(2) : NaN):6 with points pt 7 ps 0.35 * dot lc rgb ink }
} }
