/* SPDX-License-Identifier: MIT */
#include "analysis/modes/shares.h"

#include "analysis/modes/panels.h"
#include "base/memory.h"
#include "base/need.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The frequencies of the chart, and those for parts that take long; rows of the
 * table; points of the chart. */
enum {
    FREQUENCIES = 200,
    FEW_FREQUENCIES = 50,
    FREQUENCIES_MOST = 4000,
    ROWS = 10,
    POINTS = 50
};

/* Cells times the square of the band, from which a solution takes long. */
static const double long_from = 2e6;

/* ---- options ---- */

enum status shares_ports(const struct corridor_field *field,
                         const struct shares_asked *asked, bool around,
                         struct ports *ports, struct error *error)
{
    const struct corridor_map map = field_map(field);
    const int *source = field->emission.cell;
    const int dims = map.terrain->grid.dims;
    int cells[PORTS_MOST][GRID_AXES];
    if (!asked->from && !asked->to.count)
        return (around ? ports_around : ports_find)(&map, field->settings.delta,
                                                    source, ports, error);
    if (!asked->from)
        return error_set(error, STATUS_INPUT,
                         "--to requires --from X,Y, the port by which the wave "
                         "comes in");
    if (asked->to.count >= PORTS_MOST)
        return error_set(error, STATUS_INPUT,
                         "--to: %zu ports are too many; give %d at most",
                         asked->to.count, PORTS_MOST - 1);
    enum status status =
        field_parse_cell(asked->from, "--from", dims, cells[0], error);
    for (size_t i = 0; i < asked->to.count && !status; i++)
        status = field_parse_cell(asked->to.items[i], "--to", dims,
                                  cells[i + 1], error);
    return status ? status
                  : ports_between(&map, field->settings.delta, cells,
                                  asked->to.count + 1, source, ports, error);
}

/* Those of the option; or else between the cutoff and the end of the first
 * mode of the first port. The number, 0 after an error. */
static size_t choose_frequencies(const char *text, const struct ports *ports,
                                 double *frequencies, struct error *error)
{
    const struct mode_law *law = &ports->port[0].modes[0].law;
    const double low = mode_cutoff(law), high = mode_top(law);
    const double band = (double)ports->band;
    const size_t usual = (double)ports->cells * band * band < long_from
                             ? FREQUENCIES
                             : FEW_FREQUENCIES;
    size_t count = 0;
    for (size_t i = 0; i < usual && !text; i++)
        frequencies[count++] =
            low + (high - low) * ((double)i + .5) / (double)usual;
    for (const char *at = text; at && count < FREQUENCIES_MOST;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(value > 0 && value < pi))
            break;
        frequencies[count++] = value;
        if (!*end)
            return count;
        at = end + 1;
    }
    if (!text)
        return count;
    error_set(error, STATUS_INPUT,
              "--frequencies '%.60s': at most %d numbers of radians a step "
              "between 0 and pi are required, as in 0.27,0.3",
              text, FREQUENCIES_MOST);
    return 0;
}

enum status shares_make(const struct corridor_field *field,
                        const struct shares_asked *asked,
                        struct scattering *scattering, bool *found,
                        struct error *error)
{
    const bool named = asked->from || asked->to.count || asked->frequencies;
    struct ports ports = { 0 };
    enum status status = shares_ports(field, asked, false, &ports, error);
    *found = status == STATUS_OK && (ports.driven || named);
    if (!status && !*found) {
        ports_release(&ports);
        return STATUS_OK;
    }
    if (!status)
        status = exact_check(error);
    double *frequencies = need_memory(FREQUENCIES_MOST, sizeof *frequencies);
    size_t count = 0;
    if (!status) {
        count =
            choose_frequencies(asked->frequencies, &ports, frequencies, error);
        status = count ? scattering_make(field, &ports, frequencies, count,
                                         scattering, error)
                       : STATUS_INPUT;
    }
    scattering->listed = asked->frequencies != NULL;
    memory_release(frequencies);
    ports_release(&ports);
    return *found || named ? status : STATUS_OK;
}

/* ---- the table ---- */

static const struct table_column columns[] = {
    { "frequency (rad/step)", .digits = 5, .meaning = "frequency" },
    { "power share, measured", .digits = 6,
      .meaning = "power that goes out in this mode, over all that comes in by "
                 "the first port" },
    { "power share, exact", .digits = 6,
      .meaning = "the same for the waves that came in, by the linear system" },
    { "group delay, measured (step)", .digits = 2,
      .meaning = "delay of this mode against the one that comes in, from port "
                 "to port; of a single mode that comes in" },
    { "group delay, exact", .digits = 2,
      .meaning = "the same by the linear system (steps)" },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void shares_describe(FILE *out)
{
    table_describe("out", "port by which power goes out, and its mode", out);
    table_describe_columns(columns, COLUMNS, out);
}

/* "1", of a duct "1;2". */
static const char *name_mode(const struct scattering *scattering,
                             size_t channel, char text[32])
{
    const struct port *port = scattering_port(scattering, channel);
    const struct mode *mode = &port->modes[scattering->channel[channel].mode];
    const bool fixed = port->corridor.sides[0] == BOUNDARY_FIXED;
    int used = snprintf(text, 32, "%d", mode_name(mode->across, fixed));
    if (mode->up >= 0)
        snprintf(text + used, (size_t)(32 - used), ";%d",
                 mode_name(mode->up, fixed));
    return text;
}

void shares_table(const struct scattering *scattering, struct table *table)
{
    const size_t count = scattering->count;
    const size_t every = scattering->listed ? 1 : count / ROWS;
    table_init(table, "out", columns, COLUMNS);
    for (size_t i = every / 2; i < count; i += every)
        for (size_t c = 0; c < scattering->channels; c++) {
            const double numbers[COLUMNS] = {
                scattering->frequency[i],
                scattering_share(scattering, i, c, false),
                scattering_share(scattering, i, c, true),
                scattering_delay(scattering, i, c, false),
                scattering_delay(scattering, i, c, true),
            };
            char mode[32], label[PORT_NAME_SIZE + 48];
            if (!scattering_travels(scattering, c, numbers[0]))
                continue;
            snprintf(label, sizeof label, "%s, mode %s",
                     scattering_port(scattering, c)->name,
                     name_mode(scattering, c, mode));
            table_add(table, label, numbers);
        }
}

/* ---- remarks ---- */

/* The port's name in the language of words. */
static char *drawn_name(const struct port *port)
{
    static const char *const sides[DIRECTIONS] = {
        [EAST] = N_("east"),   [WEST] = N_("west"), [SOUTH] = N_("south"),
        [NORTH] = N_("north"), [DOWN] = N_("down"), [UP] = N_("up"),
    };
    for (int d = 0; d < DIRECTIONS; d++) {
        const size_t length = strlen(sides[d]);
        if (strncmp(port->name, sides[d], length) == 0)
            return need_format("%s%s", _(sides[d]), port->name + length);
    }
    return need_text(port->name);
}

struct shares_check shares_check(const struct scattering *scattering)
{
    const double from =
        1.1 * mode_cutoff(&scattering->ports.port[0].modes[0].law);
    struct shares_check check = { 0 };
    for (size_t i = 0; i < scattering->count; i++) {
        double sum = 0;
        if (!scattering->settled[i])
            continue;
        check.settled++;
        if (scattering->frequency[i] < from)
            continue;
        check.from++;
        for (size_t c = 0; c < scattering->channels; c++) {
            const double measured = scattering_share(scattering, i, c, false);
            sum += measured;
            check.share =
                fmax(check.share,
                     fabs(measured - scattering_share(scattering, i, c, true)));
        }
        check.sum = fmax(check.sum, fabs(sum - 1));
    }
    return check;
}

static void name_ports(const struct scattering *scattering, bool drawn,
                       char *text, size_t size)
{
    size_t used = 0;
    for (size_t p = 0; p < scattering->ports.count && used < size; p++) {
        const struct port *port = &scattering->ports.port[p];
        char *name = drawn ? drawn_name(port) : need_text(port->name);
        used += (size_t)snprintf(text + used, size - used, "%s%s (%c = %d)",
                                 p ? ", " : "", name,
                                 "xyz"[port->corridor.axis], port -> at);
        memory_release(name);
    }
}

static void explain(const struct scattering *scattering, char *text,
                    size_t size)
{
    const long long steps = scattering->steps;
    if (!scattering->ports.driven)
        snprintf(text, size,
                 "the source is between the ports, or not beyond the first");
    else if (scattering->back >= 0)
        snprintf(text, size,
                 "after %lld steps waves could come back through the port %s, "
                 "and before that they have not gone; record with wave.edge = "
                 "\"open\", or with longer corridors",
                 steps, scattering->ports.port[scattering->back].name);
    else
        snprintf(text, size,
                 "in the %lld steps that were recorded the waves have not "
                 "gone, or they come in by other ports too; record more steps, "
                 "with wave.edge = \"open\"",
                 steps);
}

void shares_remark(const struct scattering *scattering, char *text, size_t size)
{
    const struct shares_check check = shares_check(scattering);
    char ports[300], why[260];
    name_ports(scattering, false, ports, sizeof ports);
    explain(scattering, why, sizeof why);
    if (!check.settled)
        snprintf(text, size, "warning: ports %s: exact values only: %s", ports,
                 why);
    else
        snprintf(text, size,
                 "ports %s; measured at %zu of %zu frequencies; from 1.1 "
                 "times the cutoff on (%zu) shares are within %.1e of the "
                 "exact ones, and their sums within %.1e of 1",
                 ports, check.settled, scattering->count, check.from,
                 check.share, check.sum);
}

void shares_note(const struct scattering *scattering, bool drawn, char *text,
                 size_t size)
{
    char ports[300];
    name_ports(scattering, drawn, ports, sizeof ports);
    snprintf(text, size,
             words_if(drawn, "Ports: %s; the wave comes in by the first. Lines "
                             "by a linear system for each frequency, points of "
                             "the recording, %lld steps"),
             ports, (long long)scattering->steps);
}

/* ---- the chart ---- */

static double port_share(const struct scattering *scattering, size_t i,
                         size_t port, bool exact)
{
    double sum = 0;
    for (size_t c = 0; c < scattering->channels; c++)
        if (scattering->channel[c].port == port)
            sum += scattering_share(scattering, i, c, exact);
    return sum;
}

bool shares_named(const struct scattering *scattering, const char *text)
{
    bool named = false;
    for (size_t p = 0; p < scattering->ports.count; p++)
        named |= labels_names(text, scattering->ports.port[p].name);
    return named;
}

static void write_power(const struct scattering *scattering,
                        const struct labels_given *given, struct chart *chart)
{
    const size_t every =
        scattering->count > POINTS ? scattering->count / POINTS : 1;
    chart_table(chart, "power",
                "power that goes out by each port over all that comes in by "
                "the first",
                "port,frequency (rad/step),measured (1),exact (1),point");
    for (size_t p = 0; p < scattering->ports.count; p++) {
        for (size_t i = 0; i < scattering->count; i++)
            CHART_ROW(chart, (double)p + 1, scattering->frequency[i],
                      port_share(scattering, i, p, false),
                      port_share(scattering, i, p, true),
                      i % every == every / 2);
        chart_gap(chart);
        const struct port *port = &scattering->ports.port[p];
        const char *words = labels_text(given, port->name);
        char *name = words ? need_text(words) : drawn_name(port);
        chart_option_text_of(chart, "port", p, name);
        memory_release(name);
    }
    chart_option_number(chart, "ports", (double)scattering->ports.count);
}

/* A mode that is drawn: it carries some power somewhere. */
static bool is_weighty(const struct scattering *scattering, size_t i, size_t c)
{
    return scattering_share(scattering, i, c, true) > .01;
}

static void write_modes(const struct scattering *scattering,
                        struct chart *chart)
{
    const size_t every =
        scattering->count > POINTS ? scattering->count / POINTS : 1;
    double least = 0, most = 1, last = 0;
    size_t line = 0;
    chart_table(chart, "modes", "the same by mode, and its group delay",
                "line,port,mode in the order of cutoffs,frequency (rad/step),"
                "measured (1),exact (1),delay (steps),delay exact (steps),"
                "point,mode");
    for (size_t c = 0; c < scattering->channels; c++) {
        bool drawn = false, timed = false;
        char mode[32];
        for (size_t i = 0; i < scattering->count; i++)
            drawn |= is_weighty(scattering, i, c);
        line += drawn;
        for (size_t i = 0; i < scattering->count; i++) {
            const double frequency = scattering->frequency[i];
            if (!scattering_travels(scattering, c, frequency))
                continue;
            const double numbers[] = {
                drawn ? (double)line : 0,
                (double)scattering->channel[c].port + 1,
                (double)scattering->channel[c].mode + 1,
                frequency,
                scattering_share(scattering, i, c, false),
                scattering_share(scattering, i, c, true),
                scattering_delay(scattering, i, c, false),
                scattering_delay(scattering, i, c, true),
                i % every == every / 2,
            };
            chart_cells(chart, numbers, sizeof numbers / sizeof *numbers);
            chart_word(chart, name_mode(scattering, c, mode), '\n');
            if (drawn && !isnan(numbers[7])) {
                timed = true;
                last = fmax(last, frequency);
            }
            if (scattering->settled[i] && numbers[5] > .05) {
                least = fmin(least, numbers[6]);
                most = fmax(most, numbers[6]);
            }
        }
        chart_gap(chart);
        if (!drawn)
            continue;
        chart_option_of(chart, "line_port", line - 1,
                        (double)scattering->channel[c].port + 1);
        chart_option_of(chart, "line_timed", line - 1, timed);
        chart_option_text_of(chart, "line_name", line - 1,
                             name_mode(scattering, c, mode));
    }
    chart_option_number(chart, "lines", (double)line);
    chart_option_number(chart, "last_delay", last);
    chart_option_number(chart, "least_delay", least);
    chart_option_number(chart, "most_delay", most);
}

static void write_matrix(const struct scattering *scattering,
                         struct chart *chart)
{
    const size_t count = scattering->channels;
    chart_table(chart, "matrix",
                "scattering matrix of waves whose squares are powers, at the "
                "ports' cross-sections",
                "frequency (rad/step),from port,from mode in the order of "
                "cutoffs,to port,to mode in the order of cutoffs,real,"
                "imaginary,power (1)");
    for (size_t i = 0; i < scattering->count; i++)
        for (size_t k = 0; k < count * count; k++) {
            const size_t to = k % count, from = k / count;
            const double frequency = scattering->frequency[i];
            const double complex value =
                scattering->matrix[(i * count + to) * count + from];
            if (!scattering_travels(scattering, from, frequency) ||
                !scattering_travels(scattering, to, frequency))
                continue;
            CHART_ROW(chart, frequency,
                      (double)scattering->channel[from].port + 1,
                      (double)scattering->channel[from].mode + 1,
                      (double)scattering->channel[to].port + 1,
                      (double)scattering->channel[to].mode + 1, creal(value),
                      cimag(value), creal(value * conj(value)));
        }
}

void shares_write(const struct scattering *scattering,
                  const struct labels_given *given, struct chart *chart)
{
    const struct port *first = &scattering->ports.port[0];
    size_t cutoffs = 0;
    double low = scattering->frequency[0], high = low;
    for (size_t i = 0; i < scattering->count; i++) {
        low = fmin(low, scattering->frequency[i]);
        high = fmax(high, scattering->frequency[i]);
    }
    for (size_t m = 0; m < first->count; m++) {
        const double cutoff = mode_cutoff(&first->modes[m].law);
        if (cutoff > 0 && cutoff < high)
            chart_option_of(chart, "cutoff", cutoffs++, cutoff);
    }
    chart_option_number(chart, "cutoffs", (double)cutoffs);
    chart_option_number(chart, "low_frequency",
                        scattering->count > 1
                            ? fmin(low, mode_cutoff(&first->modes[0].law))
                            : 0);
    chart_option_number(chart, "high_frequency", high);
    write_power(scattering, given, chart);
    write_modes(scattering, chart);
    write_matrix(scattering, chart);
}

void shares_panels(struct chart_figure *figure)
{
    figure->commands = shares_gp;
    figure->title = N_("power after a bend or a junction, by frequency");
    figure->count = 3;
    figure->panels[0] = (struct chart_panel){ .name = "power" };
    figure->panels[1] = (struct chart_panel){ .name = "delay" };
    figure->panels[2] = (struct chart_panel){ .name = "modes", .extra = true };
}
