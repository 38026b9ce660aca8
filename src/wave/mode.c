/* SPDX-License-Identifier: MIT */
#include "wave/mode.h"

#include "base/memory.h"
#include "base/real.h"
#include "base/team.h"
#include "wave/generations.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* ---- the mode across ---- */

/* A mode along one axis across: w cells from `low` on, and which of its ends
 * are fixed walls. The others are mirrors. */
struct profile {
    int axis, low, width, number;
    bool fixed[2];
};

static int across_count(const struct grid *grid)
{
    return grid->dims - 1;
}

static int least_number(const struct profile *profile)
{
    return profile->fixed[0] || profile->fixed[1];
}

/* The i-th axis across; `number` is the lowest unless it is given. */
static struct profile profile_of(const struct wave_settings *settings,
                                 const struct grid *grid, int i)
{
    const struct box *section = &settings->section;
    const int along = settings->toward / 2;
    const int axis = i + (along <= i);
    const struct box map = grid_box(grid);
    const bool fixed = settings->walls == WALLS_FIXED;
    struct profile profile = {
        .axis = axis,
        .low = section->low[axis],
        .width = section->high[axis] - section->low[axis] + 1,
        .fixed = { fixed && section->low[axis] > 0,
                   fixed && section->high[axis] < map.high[axis] },
    };
    profile.number = least_number(&profile);
    if (i == 0 && settings->has_mode)
        profile.number = settings->mode;
    if (i == 1 && settings->has_second_mode)
        profile.number = settings->second_mode;
    return profile;
}

/* q */
static double wavenumber(const struct profile *profile)
{
    const int fixed = profile->fixed[0] + profile->fixed[1];
    return (profile->number - (fixed == 1 ? .5 : 0)) * PI /
           (profile->width + fixed / 2.);
}

/* φ of the j-th cell from the low end, j from 1, with Σφ² = 1. */
static double shape(const struct profile *profile, int j)
{
    const int fixed = profile->fixed[0] + profile->fixed[1];
    const double q = wavenumber(profile);
    const double norm =
        sqrt((profile->number ? 2 : 1) / (profile->width + fixed / 2.));
    if (fixed == 0)
        return norm * cos(q * (j - .5));
    return norm * sin(q * (profile->fixed[0] ? j : profile->width + 1 - j));
}

/* ---- what a source needs ---- */

static enum status check_signal(const struct wave_settings *settings,
                                const char **key, struct error *error)
{
    *key = "wave.signal";
    if (settings->source == SOURCE_SIGNAL && !settings->has_signal)
        return error_set(error, STATUS_INPUT,
                         "source \"signal\" has no numbers; signal or "
                         "signal_file is expected");
    if (settings->has_signal && !real_list(settings->signal, NULL, 0))
        return error_set(error, STATUS_INPUT,
                         "not a list of numbers; [0.5, 1.0, ...] is expected");
    return STATUS_OK;
}

static enum status check_time(const struct wave_settings *settings,
                              const char **key, struct error *error)
{
    double band[2];
    if (settings->has_frequency + settings->has_band + settings->has_signal !=
        1) {
        *key = "wave.source";
        return error_set(error, STATUS_INPUT,
                         "\"mode\" needs one of frequency, band, signal and "
                         "signal_file");
    }
    *key = "wave.band";
    if (settings->has_band &&
        (real_list(settings->band, band, 2) != 2 ||
         !(0 < band[0] && band[0] < band[1]) || band[1] > PI))
        return error_set(error, STATUS_INPUT,
                         "not two frequencies; [lowest, highest] is expected, "
                         "over 0 and up to pi");
    *key = "steps";
    if (settings->ages > WAVE_MODE_AGES)
        return error_set(error, STATUS_INPUT,
                         "%lld steps with wave.source \"mode\"; up to %d are "
                         "allowed",
                         (long long)settings->ages, WAVE_MODE_AGES);
    return check_signal(settings, key, error);
}

static enum status check_section(const struct wave_settings *settings,
                                 const struct grid *grid, const char **key,
                                 struct error *error)
{
    const struct box *section = &settings->section;
    const struct box map = grid_box(grid);
    const int axis = settings->toward / 2;
    struct box sections[2], both;
    *key = "wave.toward";
    if (!settings->has_toward)
        return error_set(error, STATUS_INPUT,
                         "is missing; the direction in which the mode travels "
                         "is expected");
    if (axis >= grid->dims)
        return error_set(error, STATUS_INPUT,
                         "\"%s\" on a 2D map; east, west, south and north are "
                         "allowed",
                         direction_names[settings->toward]);
    *key = "wave.section";
    if (!settings->has_section)
        return error_set(error, STATUS_INPUT,
                         "is missing; the box of the cells of a cross-section "
                         "is expected");
    if (section->low[axis] != section->high[axis])
        return error_set(error, STATUS_INPUT,
                         "%d cells along %c, in which the mode travels; 1 is "
                         "allowed",
                         section->high[axis] - section->low[axis] + 1,
                         "xyz"[axis]);
    wave_source_sections(settings, sections);
    for (int i = 0; i < 2; i++)
        if (!box_meet(&sections[i], &map, &both) ||
            box_cells(&both) != box_cells(&sections[i]))
            return error_set(error, STATUS_INPUT,
                             "it, or the cells behind it, which drive the mode "
                             "too, lie outside the map");
    return STATUS_OK;
}

static enum status check_numbers(const struct wave_settings *settings,
                                 const struct grid *grid, const char **key,
                                 struct error *error)
{
    const struct box map = grid_box(grid);
    const unsigned open = wave_open_sides(settings, grid->dims);
    for (int i = 0; i < across_count(grid); i++) {
        const struct profile profile = profile_of(settings, grid, i);
        const int axis = profile.axis, least = least_number(&profile);
        *key = "wave.section";
        if ((settings->section.low[axis] == 0 && open >> (2 * axis + 1) & 1) ||
            (settings->section.high[axis] == map.high[axis] &&
             open >> (2 * axis) & 1))
            return error_set(error, STATUS_INPUT,
                             "it ends at an open edge, where it has no modes; "
                             "walls or closed edges are allowed");
        *key = i ? "wave.second_mode" : "wave.mode";
        if (profile.number < least ||
            profile.number > profile.width - 1 + least)
            return error_set(error, STATUS_INPUT,
                             "%d of a cross-section %d wide; from %d to %d is "
                             "allowed",
                             profile.number, profile.width, least,
                             profile.width - 1 + least);
    }
    *key = "wave.second_mode";
    if (settings->has_second_mode && grid->dims == 2)
        return error_set(error, STATUS_INPUT,
                         "a corridor of a 2D map has one mode number, "
                         "wave.mode");
    return STATUS_OK;
}

enum status wave_source_check(const struct wave_settings *settings,
                              const struct grid *grid, const char **key,
                              struct error *error)
{
    if (settings->source == SOURCE_SIGNAL)
        return check_signal(settings, key, error);
    if (settings->source != SOURCE_MODE)
        return STATUS_OK;
    enum status status = check_section(settings, grid, key, error);
    if (!status)
        status = check_numbers(settings, grid, key, error);
    return status ? status : check_time(settings, key, error);
}

void wave_source_sections(const struct wave_settings *settings,
                          struct box sections[2])
{
    const int axis = settings->toward / 2;
    const int back = -direction_step[settings->toward][axis];
    sections[0] = sections[1] = settings->section;
    sections[0].low[axis] += back;
    sections[0].high[axis] += back;
}

static bool holds(const struct box *box, const int cell[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (cell[axis] < box->low[axis] || cell[axis] > box->high[axis])
            return false;
    return true;
}

/* The cells of the section are free and of speed 1, those round it are
 * walls. */
static bool is_closed(const struct terrain *terrain, const struct box *section,
                      int along, int cell[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    struct box round = *section, map = grid_box(grid);
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (axis != along) {
            round.low[axis]--;
            round.high[axis]++;
        }
    box_meet(&round, &map, &round);
    for (int z = round.low[2]; z <= round.high[2]; z++)
        for (int y = round.low[1]; y <= round.high[1]; y++)
            for (int x = round.low[0]; x <= round.high[0]; x++) {
                const size_t i = grid_index(grid, x, y, z);
                grid_cell(grid, i, cell);
                const bool inside = holds(section, cell);
                if (inside != !terrain->wall[i] ||
                    (inside && terrain->speed && terrain->speed[i] != 1))
                    return false;
            }
    return true;
}

enum status wave_source_fits(const struct wave_settings *settings,
                             const struct terrain *terrain, struct error *error)
{
    struct box sections[2];
    int at[GRID_AXES];
    wave_source_sections(settings, sections);
    for (int i = 0; i < 2; i++) {
        if (is_closed(terrain, &sections[i], settings->toward / 2, at))
            continue;
        char layer[32] = "";
        if (terrain->grid.dims == 3)
            snprintf(layer, sizeof layer, ", %d", at[2]);
        return error_set(
            error, STATUS_INPUT,
            "the cell [%d, %d%s] is %s; a section and the cells behind it "
            "whose cells are free and of speed 1, with walls or the map's edge "
            "round them, are allowed",
            at[0], at[1], layer,
            terrain->wall[grid_index(&terrain->grid, at[0], at[1], at[2])]
                ? "a wall"
                : "free beside it, or of another speed");
    }
    return STATUS_OK;
}

/* ---- the source ---- */

struct mode_source {
    struct box section[2]; /* in the whole grid; behind the section, itself */
    int axis[2];           /* the axes across; −1: none */
    double *shape[2];      /* by cell along them */
    double *level[2];      /* by age: what is added, over φ */
    int64_t ages;
};

/* s(k) for k = 0 … ages − 1: the first `direct` are in s; the others are
 * sin ωk if `steady`, else 0. */
struct signal {
    double *s;
    int64_t direct;
    double omega;
    bool steady;
};

/* A pulse whose spectrum is a Gaussian that has fallen to a tenth at the ends
 * of the band: e^(−u²/2) cos ω(k − t₀), u = (k − t₀)/τ, from u = −6 to 6. */
static void set_band(struct signal *signal, const char *text, int64_t ages)
{
    double band[2] = { 0, 0 };
    real_list(text, band, 2);
    const double tau = sqrt(2 * log(10)) / ((band[1] - band[0]) / 2);
    const double omega = (band[0] + band[1]) / 2, middle = ceil(6 * tau);
    signal->direct =
        2 * middle + 1 < (double)ages ? 2 * (int64_t)middle + 1 : ages;
    for (int64_t k = 0; k < signal->direct; k++) {
        const double u = ((double)k - middle) / tau;
        signal->s[k] = exp(-u * u / 2) * cos(omega * ((double)k - middle));
    }
}

/* sin ωk, which rises over five periods. */
static void set_frequency(struct signal *signal, double omega, int64_t ages)
{
    const double rise = ceil(10 * PI / omega);
    signal->omega = omega;
    signal->steady = rise < (double)ages;
    signal->direct = signal->steady ? (int64_t)rise : ages;
    for (int64_t k = 0; k < signal->direct; k++)
        signal->s[k] =
            (1 - cos(PI * (double)k / rise)) / 2 * sin(omega * (double)k);
}

static void set_signal(struct signal *signal,
                       const struct wave_settings *settings)
{
    const int64_t ages = settings->ages;
    if (settings->has_band) {
        set_band(signal, settings->band, ages);
    } else if (settings->has_frequency) {
        set_frequency(signal, settings->frequency, ages);
    } else {
        const size_t count =
            real_list(settings->signal, signal->s, (size_t)ages);
        signal->direct = (int64_t)count < ages ? (int64_t)count : ages;
    }
}

/* h of the chain, for 0 … count − 1. With b = e − cx + gx² the root is
 * (b − √R)/(2δ′x), R = (b − 2δ′x)(b + 2δ′x); y = √R obeys 2Ry′ = R′y. `y` has
 * room for count + 1 numbers. */
static void set_response(double delta, double mass, double m, int64_t count,
                         double *y, double *h)
{
    const double e = 1 + m, g = 1 - m, c = 2 - 2 * delta - mass;
    const double r[] = { e * e, -2 * e * c,
                         2 * e * g + (c * c - 4 * (delta * delta)), -2 * c * g,
                         g * g };
    const double b[] = { e, -c, g };
    y[0] = e;
    for (int64_t n = 1; n <= count; n++) {
        double sum = 0;
        for (int64_t i = 1; i <= 4 && i <= n; i++)
            sum += r[i] * (double)(2 * n - 3 * i) * y[n - i];
        y[n] = -sum / (2 * (double)n * r[0]);
        h[n - 1] = ((n < 3 ? b[n] : 0) - y[n]) / (2 * delta);
    }
}

/* (h * s)(k). Of sin ωk after the direct part it keeps the sums of h cos ωn and
 * h sin ωn. */
static double respond(const struct signal *signal, const double *h, int64_t k,
                      double sums[2])
{
    double sum = 0;
    for (int64_t j = 0; j < signal->direct && j <= k; j++)
        sum += signal->s[j] * h[k - j];
    if (!signal->steady || k < signal->direct)
        return sum;
    const int64_t n = k - signal->direct;
    const double turn = signal->omega * (double)n;
    const double phase = signal->omega * (double)k;
    sums[0] += h[n] * cos(turn);
    sums[1] += h[n] * sin(turn);
    return sum + (sin(phase) * sums[0] - cos(phase) * sums[1]);
}

static enum status set_levels(struct mode_source *source,
                              const struct wave_settings *settings,
                              double delta, double mass, struct error *error)
{
    const size_t ages = (size_t)source->ages;
    const double m = settings->damping / 2;
    const double factor = delta / (1 + m) * settings->amplitude;
    struct signal signal = { .s = memory_new(ages + 1, sizeof *signal.s) };
    double *y = memory_new(ages + 1, sizeof *y);
    double *h = memory_new(ages + 1, sizeof *h), sums[2] = { 0, 0 };
    for (int i = 0; i < 2; i++)
        source->level[i] = memory_new(ages + 1, sizeof *source->level[i]);
    const bool good =
        signal.s && y && h && source->level[0] && source->level[1];
    if (good) {
        set_signal(&signal, settings);
        set_response(delta, mass, m, source->ages, y, h);
    }
    for (int64_t k = 0; good && k < source->ages; k++) {
        const double s = k < signal.direct ? signal.s[k]
                         : signal.steady   ? sin(signal.omega * (double)k)
                                           : 0;
        source->level[0][k + 1] = -factor * respond(&signal, h, k, sums);
        source->level[1][k + 1] = factor * s;
    }
    memory_release(signal.s);
    memory_release(y);
    memory_release(h);
    return good ? STATUS_OK : error_memory(error);
}

enum status mode_source_new(const struct medium *medium,
                            struct mode_source **source, struct error *error)
{
    const struct wave_settings *settings = &medium->settings;
    const struct grid *grid = &medium->share.world;
    const bool diagonals = stencil_has_diagonals(settings->stencil);
    struct mode_source *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct mode_source){ .axis = { -1, -1 }, .ages = settings->ages };
    wave_source_sections(settings, made->section);
    double sum = 0, product = 1;
    bool good = true;
    for (int i = 0; i < across_count(grid) && good; i++) {
        const struct profile profile = profile_of(settings, grid, i);
        const double sine = sin(wavenumber(&profile) / 2);
        sum += sine * sine;
        product *= 1 - 2. / 3 * (sine * sine);
        made->axis[i] = profile.axis;
        made->shape[i] =
            memory_new((size_t)profile.width, sizeof *made->shape[i]);
        good = made->shape[i];
        for (int j = 0; good && j < profile.width; j++)
            made->shape[i][j] = shape(&profile, j + 1);
    }
    const double delta = settings->delta;
    enum status status = good ? STATUS_OK : error_memory(error);
    if (!status)
        status = set_levels(
            made, settings, diagonals ? delta * product : delta,
            diagonals ? 6 * delta * (1 - product) : 4 * delta * sum, error);
    if (status)
        mode_source_release(made);
    else
        *source = made;
    return status;
}

void mode_source_release(struct mode_source *source)
{
    if (!source)
        return;
    for (int i = 0; i < 2; i++) {
        memory_release(source->shape[i]);
        memory_release(source->level[i]);
    }
    memory_release(source);
}

const double *mode_source_levels(const struct mode_source *source, int section)
{
    return source->level[section] + 1;
}

const double *mode_source_shape(const struct mode_source *source, int across)
{
    return source->shape[across];
}

/* ---- adding ---- */

/* A box of the whole grid in the medium's. */
static struct box box_here(const struct medium *medium, const struct box *box)
{
    int from[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        from[axis] = medium->share.held.low[axis] - medium->margin[axis];
    return box_from(box, from);
}

struct box mode_source_box(const struct medium *medium)
{
    const struct box *section = medium->mode->section;
    struct box both = section[0];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        if (section[1].low[axis] < both.low[axis])
            both.low[axis] = section[1].low[axis];
        if (section[1].high[axis] > both.high[axis])
            both.high[axis] = section[1].high[axis];
    }
    return box_here(medium, &both);
}

static double added(const struct mode_source *source, double level,
                    const int from[GRID_AXES], const int at[GRID_AXES])
{
    for (int i = 0; i < 2 && source->axis[i] >= 0; i++) {
        const int axis = source->axis[i];
        level *= source->shape[i][at[axis] - from[axis]];
    }
    return level;
}

static void add_section(struct wave *wave, int which, double level)
{
    const struct medium *medium = wave->medium;
    const struct layout *layout = &medium->layout;
    const struct grid *grid = &layout->grid;
    const struct box here = box_here(medium, &medium->mode->section[which]);
    const struct box all = grid_box(grid);
    struct box box;
    int at[GRID_AXES];
    if (!box_meet(&here, &all, &box))
        return;
    for (at[2] = box.low[2]; at[2] <= box.high[2]; at[2]++)
        for (at[1] = box.low[1]; at[1] <= box.high[1]; at[1]++) {
            for (at[0] = box.low[0]; at[0] <= box.high[0]; at[0]++) {
                if (medium->terrain
                        ->wall[grid_index(grid, at[0], at[1], at[2])])
                    continue;
                const ptrdiff_t i = layout_at(layout, at[0], at[1], at[2]);
                const double now = field_value(layout, wave->now, i);
                const double value = added(medium->mode, level, here.low, at);
                field_set(layout, wave->now, i,
                          layout->item == sizeof(float)
                              ? (double)((float)now + (float)value)
                              : now + value);
            }
            layout_mirror_row(layout, wave->now, at[1], at[2]);
        }
}

void mode_source_add(struct wave *wave)
{
    const struct mode_source *source = wave->medium->mode;
    const int64_t age = wave->step - wave->emitted;
    if (age < 1 || age > source->ages)
        return;
    const bool was = denormals_flush(wave->medium->settings.flush_denormals);
    for (int i = 0; i < 2; i++)
        add_section(wave, i, source->level[i][age]);
    denormals_flush(was);
}
