# SPDX-License-Identifier: MIT
# The chart of hamon-modes of a room: the spectrum of the recorded series with the exact resonances as lines, the shape
# of each as a small map, and decay times. On a page the first and the last beside each other. Centimetres.

# ---- size ----
of(name, i) = value(sprintf('%s_%d', name, i)); beside = width > 14 && show_spectrum && show_decay
curve = 3.2; across_maps = width > 14 ? 6 : 4; map_wide = (width - 0.4) / across_maps - 0.2
cells_x = last_x - first_x + 1.0; cells_y = last_y - first_y + 1.0; most_high = width > 14 ? 3.2 : 2.4
map_high = map_wide * cells_y / cells_x > most_high ? most_high : map_wide * cells_y / cells_x; rows_of_maps = (resonances + across_maps - 1) / across_maps
curves = show_spectrum + show_decay - beside; maps_top = show_spectrum ? curve + 1.9 : 0
maps_end = maps_top + show_shapes * (0.75 + rows_of_maps * (map_high + 0.45)); decay_top = beside ? 1.1 : maps_end + 0.85
height = beside || !show_decay ? (show_shapes ? maps_end : curve + 2.2) : decay_top + curve + 1.1

# ---- panels ----
if (show_spectrum) { left = 1.4; right = beside ? width / 2 - 0.2 : width - 0.3; top = 1.1; bottom = top + curve
    says = sprintf(_('power in %d cells; lines: exact, ▲ measured'), cells); x_says = _('frequency ω (rad/step)'); y_says = _('power (dB)'); eval panel
    set label 901 at screen across(left - 0.4), screen up(top - 0.75); set label 902 at screen across(left), screen up(top - 0.75)
    low = 0; high = top_frequency; every = 5; eval axis('x'); low = least_power; high = 8; every = 5; eval axis('y')
    # Numbers above the lines, apart from each other.
    array number_x[64]; apart(i) = i > 9 ? 0.33 : 0.25; x = left; do for [i = 1:resonances] { here_x = left + (right - left) * of('exact', i) / top_frequency; x = here_x > x + apart(i) ? here_x : x + apart(i); number_x[i] = x }
    x = right + 0.35; do for [i = resonances:1:-1] { number_x[i] = number_x[i] < x - apart(i + 1) ? number_x[i] : x - apart(i + 1); x = number_x[i] }
    do for [i = 1:resonances] { set label i sprintf('%d', i) at screen across(number_x[i]), screen up(top - 0.28) center font note tc rgb ink
        set arrow i from screen across(number_x[i]), screen up(top - 0.13) to first of('exact', i), graph 1 nohead lc rgb gray lw pt(0.5)
        set arrow 100 + i from first of('exact', i), graph 1 to first of('exact', i), graph 0 nohead lc rgb gray lw pt(0.5) back }
    plot data index 'spectrum' using 1:2 with lines lc rgb word(colors, 1) lw pt(1), data index 'resonances' using (lacks(2) ? NaN : column(2)):(3) with points pt 9 ps 0.9 * dot lc rgb word(inks, 2)
}
if (show_shapes) { do for [i = 1:resonances] { left = 0.4 + (map_wide + 0.2) * ((i - 1) % across_maps); right = left + map_wide; top = maps_top + 1.0 + (map_high + 0.45) * ((i - 1) / across_maps); bottom = top + map_high
    if (map_high < map_wide * cells_y / cells_x - 0.01) { right = left + map_high * cells_x / cells_y }
    says = ''; x_says = ''; y_says = ''
    if (i == 1) { says = _('shapes'); eval panel; set label 901 at screen across(0.15), screen up(top - 0.62); set label 902 at screen across(0.55), screen up(top - 0.62) } else {
        unset label; unset arrow; set lmargin at screen across(left); set rmargin at screen across(right); set tmargin at screen up(top); set bmargin at screen up(bottom) }
    unset xtics; unset ytics; unset colorbox; unset border; unset object
    set palette defined (-1.25 '#8A8A8A', -1.06 '#8A8A8A', -1.05 '#001261', -0.5 '#3E85AE', 0 '#ECE5E0', 0.5 '#C4733F', 1.05 '#590008', 1.06 'white', 1.25 'white'); set cbrange [-1.25:1.25]
    set xrange [first_x - 0.5:last_x + 0.5]; set yrange [last_y + 0.5:first_y - 0.5]
    set label 1 written(sprintf('%d', i).'  '.number(of('exact', i)).(of('layer', i) < 0 ? '' : sprintf('  z %d', of('layer', i)))) at screen across(left), screen up(top - 0.16) left font note tc rgb ink
    plot data index sprintf('shape_%02d', i) using 1:2:(lacks(3) ? (column(4) > 0 ? -1.25 : 1.25) : column(3)) with image
} }
if (show_decay) { left = beside ? width / 2 + 1.5 : 1.7; right = width - 0.3; top = decay_top; bottom = top + curve
    says = _('decay time: ○ exact, + measured'); y_room = 1.05; x_says = _('frequency ω (rad/step)'); y_says = _('time (steps)'); eval panel
    if (beside) { set label 901 at screen across(left - 0.4), screen up(top - 0.75); set label 902 at screen across(left), screen up(top - 0.75) }; every = 5; low = 0; high = top_frequency; eval axis('x'); low = least_decay; high = most_decay; eval log_axis('y')
    plot data index 'resonances' using 3:(lacks(5) ? NaN : column(5)) with points pt 6 ps 1.1 * dot lw pt(0.8) lc rgb word(colors, 1), \
        data index 'resonances' using (lacks(4) ? NaN : column(2)):4 with points pt 1 ps 0.9 * dot lw pt(0.8) lc rgb word(inks, 2)
}
