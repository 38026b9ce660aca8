/* SPDX-License-Identifier: MIT */
#include "analysis/modes/room.h"

#include "analysis/modes/panels.h"
#include "base/memory.h"
#include "base/need.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>

enum { FREQUENCIES = 800 };

static const double floor_db = -60;

/* Closed at both ends and shorter than three times its width. */
static bool is_short(const struct corridor *corridor)
{
    const int width = corridor_width(corridor);
    const int high = corridor_height(corridor);
    for (int end = 0; end < 2; end++)
        if (corridor->ends[end] != BOUNDARY_FIXED &&
            corridor->ends[end] != BOUNDARY_FREE)
            return false;
    return corridor_length(corridor) < 3 * (width > high ? width : high);
}

bool room_is(const struct corridor_field *field)
{
    const struct corridor_map map = field_map(field);
    const int *at = field->emission.cell;
    struct corridor longest;
    struct ports ports;
    struct error error;
    const bool whole =
        !ports_around(&map, field->settings.delta, at, &ports, &error);
    const bool inside =
        whole && ports.count > 0 &&
        ports.number[grid_index(&map.terrain->grid, at[0], at[1], at[2])] >= 0;
    ports_release(&ports);
    return whole &&
           (inside || !corridor_longest(&map, &longest) || is_short(&longest));
}

enum status room_make(const struct corridor_field *field,
                      const struct shares_asked *asked, size_t most,
                      const struct cli_list *probes, struct ringing *ringing,
                      struct error *error)
{
    struct ports ports = { 0 };
    enum status status = exact_check(error);
    if (!status)
        status = shares_ports(field, asked, true, &ports, error);
    if (!status)
        status = ringing_make(field, &ports, most, probes->items, probes->count,
                              ringing, error);
    ports_release(&ports);
    return status;
}

/* ---- the table ---- */

static const struct table_column columns[] = {
    { "frequency, measured (rad/step)", .digits = 8,
      .meaning = "frequency of the resonance in the recorded series; none if "
                 "the source or the cells do not excite it" },
    { "frequency, exact", .digits = 8,
      .meaning = "the same of the map's matrix (rad/step)" },
    { "measured / exact - 1", .digits = -1,
      .meaning = "relative difference of the two" },
    { "decay time, measured (step)", .digits = 1,
      .meaning = "time in which the amplitude falls to 1/e; none if it is too "
                 "long to be measured in these steps" },
    { "decay time, exact", .digits = 1,
      .meaning = "the same of the map's matrix (steps); none if it does not "
                 "decay" },
    { "Q", .digits = 1,
      .meaning = "quality factor by the exact values: half of the frequency "
                 "times the decay time; the energy falls to e^(-2 pi) in Q "
                 "periods" },
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void room_describe(FILE *out)
{
    table_describe("resonance", "number, by frequency", out);
    table_describe_columns(columns, COLUMNS, out);
}

struct row {
    double measured, exact, off, decay, decay_exact, q;
};

static struct row row_of(const struct ringing *ringing, size_t i)
{
    const double complex exact = ringing->exact[i];
    const double complex measured = ringing->measured[i];
    struct row row = {
        .measured = creal(measured),
        .exact = creal(exact),
        .off = creal(measured) / creal(exact) - 1,
        .decay = ringing_decay(ringing, measured),
        .decay_exact = -1 / cimag(exact),
    };
    /* What does not decay has an imaginary part of rounding errors. */
    if (!(row.decay_exact > 0 && row.decay_exact < 1e12))
        row.decay_exact = (double)NAN;
    row.q = row.exact * row.decay_exact / 2;
    return row;
}

void room_table(const struct ringing *ringing, struct table *table)
{
    table_init(table, "resonance", columns, COLUMNS);
    for (size_t i = 0; i < ringing->resonances.count; i++) {
        const struct row row = row_of(ringing, i);
        const double numbers[COLUMNS] = { row.measured,    row.exact,
                                          row.off,         row.decay,
                                          row.decay_exact, row.q };
        char label[24];
        snprintf(label, sizeof label, "%zu", i + 1);
        table_add(table, label, numbers);
    }
}

/* ---- remarks ---- */

void room_remark(const struct ringing *ringing, char *text, size_t size)
{
    const size_t count = ringing->resonances.count;
    size_t measured = 0, decays = 0;
    double worst = 0, worst_decay = 0;
    for (size_t i = 0; i < count; i++) {
        const struct row row = row_of(ringing, i);
        if (!isnan(row.off)) {
            measured++;
            worst = fmax(worst, fabs(row.off));
        }
        if (!isnan(row.decay) && !isnan(row.decay_exact)) {
            decays++;
            worst_decay =
                fmax(worst_decay, fabs(row.decay / row.decay_exact - 1));
        }
    }
    if (!measured) {
        snprintf(text, size,
                 "warning: exact values only: none of %zu resonances is in the "
                 "recorded series; place the source, and --probe, away from "
                 "the middle of the room, and record more steps",
                 count);
        return;
    }
    int used = snprintf(
        text, size,
        "a part of %zu cells with %zu ports; %zu of %zu resonances "
        "measured at %zu cells in %zu steps from step %lld on; "
        "frequencies are within %.1e of the exact ones",
        ringing->ports.cells, ringing->ports.count, measured, count,
        ringing->probes, ringing->steps, (long long)ringing->start, worst);
    if (decays && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used,
                 ", %zu decay times within %.1e", decays, worst_decay);
}

void room_note(const struct ringing *ringing, bool drawn, char *text,
               size_t size)
{
    snprintf(text, size,
             words_if(drawn,
                      "Exact values of the matrix of %zu cells; measured "
                      "in %zu steps from step %lld on at %zu cells"),
             ringing->ports.cells, ringing->steps, (long long)ringing->start,
             ringing->probes);
}

/* ---- the chart ---- */

static void write_spectrum(const struct ringing *ringing, struct chart *chart)
{
    const size_t count = ringing->resonances.count;
    const double top = 1.08 * creal(ringing->exact[count - 1]);
    double *power = need_memory(FREQUENCIES, sizeof *power), largest = 0;
    for (int i = 0; i < FREQUENCIES; i++) {
        power[i] = ringing_power(ringing, top * (i + .5) / FREQUENCIES);
        largest = fmax(largest, power[i]);
    }
    chart_table(chart, "spectrum",
                "power of the change of the amplitude, summed over the cells",
                "frequency (rad/step),power (dB)");
    for (int i = 0; i < FREQUENCIES; i++)
        CHART_ROW(chart, top * (i + .5) / FREQUENCIES,
                  power[i] > 0 ? fmax(floor_db, 10 * log10(power[i] / largest))
                               : floor_db);
    memory_release(power);
    chart_option_number(chart, "top_frequency", top);
    chart_option_number(chart, "least_power", floor_db);
}

static void write_resonances(const struct ringing *ringing, struct chart *chart)
{
    double low = INFINITY, high = 0;
    chart_table(chart, "resonances", "measured, and of the map's matrix",
                "resonance,measured (rad/step),exact (rad/step),decay "
                "(steps),decay exact (steps),Q");
    for (size_t i = 0; i < ringing->resonances.count; i++) {
        const struct row row = row_of(ringing, i);
        CHART_ROW(chart, (double)i + 1, row.measured, row.exact, row.decay,
                  row.decay_exact, row.q);
        chart_option_of(chart, "exact", i, row.exact);
        low = fmin(low, row.decay_exact);
        high = fmax(high, row.decay_exact);
    }
    chart_option_number(chart, "resonances", (double)ringing->resonances.count);
    chart_option_number(chart, "cells", (double)ringing->probes);
    chart_option_number(chart, "least_decay", high > 0 ? low / 1.5 : 1);
    chart_option_number(chart, "most_decay", high > 0 ? 1.5 * high : 10);
}

/* The cells of the part and one more on each side. */
static struct box box_of(const struct ports *ports)
{
    const struct box all = grid_box(&ports->map.terrain->grid);
    struct box box = ports_box(ports);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        box.low[axis] -= box.low[axis] > all.low[axis];
        box.high[axis] += box.high[axis] < all.high[axis];
    }
    return box;
}

/* The layer in which the shape is largest; *largest: its largest |real part|,
 * with its sign. */
static int layer_of(const struct ringing *ringing, size_t i, double *largest)
{
    const struct ports *ports = &ringing->ports;
    const double complex *shape = ringing->resonances.list[i].shape;
    int layer = 0;
    *largest = 0;
    for (size_t k = 0; k < ports->cells; k++) {
        const double value = creal(shape[k]);
        int cell[GRID_AXES];
        /* Not of rounding errors. */
        if (fabs(value) < (1 + 1e-6) * fabs(*largest))
            continue;
        grid_cell(&ports->map.terrain->grid, ports->cell[k], cell);
        *largest = value;
        layer = cell[2];
    }
    return layer;
}

static void write_shapes(const struct ringing *ringing, struct chart *chart)
{
    const struct ports *ports = &ringing->ports;
    const struct grid *grid = &ports->map.terrain->grid;
    const struct box box = box_of(ports);
    for (size_t i = 0; i < ringing->resonances.count; i++) {
        const double complex *shape = ringing->resonances.list[i].shape;
        double largest;
        const int z = layer_of(ringing, i, &largest);
        char *name = need_format("shape_%02d", (int)i + 1);
        char *what =
            need_format("of resonance %d in the layer z = %d, over its largest",
                        (int)i + 1, z);
        chart_table(chart, name, what, "x (cells),y (cells),shape (1),wall");
        memory_release(what);
        memory_release(name);
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++) {
                const size_t at = grid_index(grid, x, y, z);
                const int32_t number = ports->number[at];
                CHART_ROW(chart, x, y,
                          number < 0 ? (double)NAN
                                     : creal(shape[number]) / largest,
                          ports->map.terrain->wall[at]);
            }
        chart_option_of(chart, "layer", i, grid->dims == 2 ? -1 : z);
    }
    chart_option_number(chart, "first_x", box.low[0]);
    chart_option_number(chart, "first_y", box.low[1]);
    chart_option_number(chart, "last_x", box.high[0]);
    chart_option_number(chart, "last_y", box.high[1]);
}

void room_write(const struct ringing *ringing, struct chart *chart)
{
    write_spectrum(ringing, chart);
    write_resonances(ringing, chart);
    write_shapes(ringing, chart);
}

static bool any_decay(const struct ringing *ringing)
{
    for (size_t i = 0; i < ringing->resonances.count; i++)
        if (!isnan(row_of(ringing, i).decay_exact))
            return true;
    return false;
}

void room_panels(const struct ringing *ringing, struct chart_figure *figure)
{
    figure->commands = room_gp;
    figure->title = N_("resonances of a room or a dead end");
    figure->count = 3;
    figure->panels[0] = (struct chart_panel){ .name = "spectrum" };
    figure->panels[1] = (struct chart_panel){ .name = "shapes" };
    figure->panels[2] =
        (struct chart_panel){ .name = "decay", .extra = !any_decay(ringing) };
}
