# SPDX-License-Identifier: MIT
# The chart of hamon-modes between ports: the power that goes out by each, its delay, and the power by mode, over
# frequency; lines exact, points measured. On a page the first two beside each other. Centimetres.

# ---- size ----
beside = width > 14 && panels > 1; part = panels == 1 && !exists('caption') # a panel of a figure, which has its own words
high_panel = beside ? 4.6 : panels > 1 ? 4 : part ? 2.1 : 2.7; step_down = high_panel + (part ? 1.75 : 2.2)
of(name, i) = value(sprintf('%s_%d', name, i))
height = step_down * (beside ? (panels + 1) / 2 : panels)

# ---- panels ----
k = 0; y_room = 0.8; is(name, i) = column(name) == i
begin = 'second = beside && k % 2 == 1; left = second ? width / 2 + 1.4 : 1.4; right = beside && !second ? width / 2 - 0.4 : width - 0.4;' \
    .'top = (part ? 0.85 : 1.3) + step_down * (beside ? k / 2 : k); bottom = top + high_panel; k = k + 1; x_says = _("frequency ω (rad/step)"); raised = 0.6'
# The panel's letter and its line are above the key.
above = 'set label 901 at screen across(left - 0.4), screen up(top - 0.35 - raised); set label 902 at screen across(left), screen up(top - 0.35 - raised); if (part) { unset label 902 }'
cutoff_lines = 'do for [i = 1:cutoffs] { if (of("cutoff", i) < high) { set arrow 300 + i from of("cutoff", i), graph 0 to of("cutoff", i), graph 1 nohead ls 22 back;' \
    .'if (i == 1) { set label 300 written(_("cutoff")) at of("cutoff", i), screen up(top - 0.12) offset -0.4, 0 font note tc rgb gray } } }'
port_name(i) = i > 1 ? of('port', i) : sprintf(_('back, %s'), of('port', 1))
key_at = 'do for [i = 1:keys] { set arrow 400 + i from screen across(x), screen up(top - 0.46) to screen across(x + 0.5), screen up(top - 0.46) nohead lc rgb key_color(i) lw pt(1) dt key_dash(i);' \
    .'set label 400 + i written(key_name(i)) at screen across(x + 0.6), screen up(top - 0.46) font small tc rgb key_ink(i); x = x + 0.95 + wide(key_name(i), 6.5) }'
port_style(i) = 1 + (i - 1) % 8; dash(i) = 1 + (i - 1) % 5
mark(i) = int(word('6 4 8 12 10', dash(i))); full(i) = int(word('7 5 9 13 11', dash(i)))
if (show_power) { eval begin; says = _('power: lines exact, points measured'); y_says = _('share of what comes in'); eval panel; eval above
    low = low_frequency; high = high_frequency; every = 5; eval axis('x'); eval cutoff_lines; set yrange [-0.02:1.02]; set ytics ('0' 0, '0.25' 0.25, '0.5' 0.5, '0.75' 0.75, '1' 1)
    keys = ports; key_color(i) = word(colors, port_style(i)); key_ink(i) = word(inks, port_style(i)); key_name(i) = port_name(i); key_dash(i) = dash(i); x = left; eval key_at
    plot for [i = 1:ports] data index 'power' using (is('port', i) ? column(2) : NaN):4 with lines lc rgb word(colors, port_style(i)) lw pt(1) dt dash(i), \
        for [i = 1:ports] data index 'power' using (is('port', i) && is('point', 1) ? column(2) : NaN):3 with points pt full(i) ps 0.75 * dot lc rgb 'white', \
        for [i = 1:ports] data index 'power' using (is('port', i) && is('point', 1) ? column(2) : NaN):3 with points pt mark(i) ps 0.75 * dot lw pt(0.7) lc rgb word(colors, port_style(i))
}
# Of modes: the colour of the port; dashes and marks in the order of the key, or of the modes in each port.
first_of(i) = i == 1 || of('line_port', i) != of('line_port', i - 1) ? 1 : 1 + first_of(i - 1)
array key_line[64]; line_name(i) = of('port', of('line_port', i)).' '.of('line_name', i)
key_color(n) = word(colors, port_style(of('line_port', key_line[n]))); key_ink(n) = word(inks, port_style(of('line_port', key_line[n])))
weighty(n) = is('line', key_line[n]) && column(6) > 0.01
if (show_delay) { eval begin; says = _('delay of what goes out, by port and mode'); y_says = _('delay (steps)'); eval panel; eval above
    low = low_frequency; high = last_delay > low ? last_delay : high_frequency; every = 5; eval axis('x'); eval cutoff_lines; low = 1.08 * least_delay; high = 1.08 * most_delay; every = 4; eval axis('y')
    keys = 0; do for [i = 1:lines] { if (of('line_timed', i) && keys < 64) { keys = keys + 1; key_line[keys] = i } }; key_dash(n) = dash(n); key_name(n) = line_name(key_line[n]); x = left; eval key_at
    plot for [n = 1:keys] data index 'modes' using (weighty(n) ? column(4) : NaN):8 with lines lc rgb key_color(n) lw pt(1) dt dash(n), \
        for [n = 1:keys] data index 'modes' using (weighty(n) && is('point', 1) ? column(4) : NaN):7 with points pt mark(n) ps 0.7 * dot lw pt(0.7) lc rgb key_color(n), keys ? NaN : 0 with points lc rgb 'white' ps 0
}
if (show_modes) { eval begin; says = _('power by port and mode: lines exact, points measured'); y_says = _('share of what comes in'); eval panel; eval above
    low = low_frequency; high = high_frequency; every = 5; eval axis('x'); eval cutoff_lines; set yrange [-0.02:1.02]; set ytics ('0' 0, '0.25' 0.25, '0.5' 0.5, '0.75' 0.75, '1' 1)
    keys = lines < 64 ? lines : 64; do for [i = 1:keys] { key_line[i] = i }; key_dash(n) = dash(first_of(n)); key_name(n) = first_of(n) == 1 ? line_name(n) : of('line_name', n)
    all = keys; x = left; keys = 0; do for [n = 1:all] { x = x + 0.95 + wide(key_name(n), 6.5); if (x < right + 0.4) { keys = n } }; x = left; eval key_at
    plot for [n = 1:all] data index 'modes' using (is('line', n) ? column(4) : NaN):6 with lines lc rgb key_color(n) lw pt(1) dt key_dash(n), \
        for [n = 1:all] data index 'modes' using (is('line', n) && is('point', 1) ? column(4) : NaN):5 with points pt mark(first_of(n)) ps 0.6 * dot lw pt(0.7) lc rgb key_color(n)
}
