/* SPDX-License-Identifier: MIT */
#include "analysis/modes/echoes.h"

#include "analysis/modes/spectrum.h"
#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = 57.295779513082320877;

/* ---- images ---- */

/* The walls' letters, shortened if there are many. */
static void name_walls(char walls[IMAGE_WALLS / 2], const char *letters,
                       int first, int reflections)
{
    const int shown = reflections < 7 ? reflections : 6;
    for (int i = 0; i < shown; i++)
        walls[i] = letters[(first + i) % 2];
    snprintf(walls + shown, (size_t)(IMAGE_WALLS / 2 - shown), "%s",
             shown < reflections ? "..." : "");
}

size_t mirror_images(int source, int cell, int length,
                     const enum boundary mirrors[2], const char *letters,
                     int most, int64_t reach, struct mirrored *out, size_t room)
{
    size_t count = 0;
    if (llabs((long long)source - cell) <= reach && count < room)
        out[count++] = (struct mirrored){ .at = source, .sign = 1 };
    for (int first = 0; first < 2; first++) {
        int64_t at = source;
        int sign = 1;
        for (int i = 0; i < most && count < room; i++) {
            const int mirror = (first + i) % 2;
            const bool fixed = mirrors[mirror] == BOUNDARY_FIXED;
            if (mirrors[mirror] != BOUNDARY_FIXED &&
                mirrors[mirror] != BOUNDARY_FREE)
                break;
            /* About the wall's node, or half a cell before it. */
            at = (mirror == 0 ? fixed ? -2 : -1
                              : 2 * (int64_t)length - (fixed ? 0 : 1)) -
                 at;
            sign = fixed ? -sign : sign;
            if (llabs((long long)at - cell) > reach)
                break;
            out[count] = (struct mirrored){ .at = (int)at,
                                            .sign = sign,
                                            .reflections = i + 1 };
            name_walls(out[count++].walls, letters, first, i + 1);
        }
    }
    return count;
}

/* Source and cell in the corridor's own coordinates, and its mirrors. */
struct scene {
    const struct corridor *corridor;
    int source[2], cell[2]; /* along, across */
    const char *letters[2]; /* of the mirrors along and across */
};

static size_t images_of(const struct scene *scene, int way, int most,
                        int64_t reach, struct mirrored *out, size_t room)
{
    const struct corridor *corridor = scene->corridor;
    return mirror_images(scene->source[way], scene->cell[way],
                         way == 0 ? corridor_length(corridor)
                                  : corridor_width(corridor),
                         way == 0 ? corridor->ends : corridor->sides,
                         scene->letters[way], most, reach, out, room);
}

static int by_size(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The distance of the last of the first ECHOES echoes, cells. */
static double farthest(const struct scene *scene)
{
    enum { EACH = 2 * (ECHOES + 1) + 1 };
    struct mirrored along[EACH], across[EACH];
    double distance[EACH * EACH] = { 0 };
    size_t count = 0;
    size_t n = images_of(scene, 0, ECHOES + 1, INT32_MAX, along, EACH);
    size_t m = images_of(scene, 1, ECHOES + 1, INT32_MAX, across, EACH);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            distance[count++] = hypot(along[i].at - scene->cell[0],
                                      across[j].at - scene->cell[1]);
    qsort(distance, count, sizeof *distance, by_size);
    return distance[count > ECHOES ? ECHOES : count - 1];
}

/* All images whose wave can be at the cell within the steps: it advances one
 * cell a step along the lattice. */
static void make_images(const struct scene *scene, int64_t steps,
                        struct image_source **images, size_t *count)
{
    const size_t room = 2 * (size_t)steps + 3; /* mirrors are a cell apart */
    struct mirrored *along = need_memory(room, sizeof *along);
    struct mirrored *across = need_memory(room, sizeof *across);
    size_t space = 1, n = 0, m = 0;
    *images = need_memory(1, sizeof **images);
    *count = 0;
    n = images_of(scene, 0, INT32_MAX, steps, along, room);
    m = images_of(scene, 1, INT32_MAX, steps, across, room);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            const int dx = abs(along[i].at - scene->cell[0]);
            const int dy = abs(across[j].at - scene->cell[1]);
            if ((int64_t)dx + dy > steps)
                continue;
            *images = need_more(*images, *count, &space, sizeof **images);
            struct image_source *image = &(*images)[(*count)++];
            *image = (struct image_source){
                .along = dx,
                .across = dy,
                .sign = along[i].sign * across[j].sign,
                .reflections = along[i].reflections + across[j].reflections,
            };
            const bool both = along[i].reflections && across[j].reflections;
            snprintf(image->walls, sizeof image->walls, "%s%s%s",
                     image->reflections ? across[j].walls : "direct",
                     both ? "+" : "", along[i].walls);
        }
    memory_release(along);
    memory_release(across);
}

/* ---- the contribution of each image ---- */

/* A wave in free space: on a grid so large that its edge has no effect. */
struct reference {
    struct terrain terrain;
    struct team *team;
    struct medium *medium;
    struct wave *wave;
    int centre[2];
};

static void reference_release(struct reference *reference)
{
    wave_release(reference->wave);
    medium_release(reference->medium);
    team_release(reference->team);
    terrain_release(&reference->terrain);
}

static enum status reference_new(const struct wave_settings *of,
                                 const int64_t half[2],
                                 struct reference *reference,
                                 struct error *error)
{
    struct wave_settings settings = *of;
    struct grid grid;
    *reference = (struct reference){ 0 };
    settings.precision = PRECISION_DOUBLE;
    enum status status = grid_make(2, (int)(2 * half[0] + 1),
                                   (int)(2 * half[1] + 1), 1, &grid, error);
    if (!status)
        status = terrain_init(&reference->terrain, &grid, error);
    if (!status)
        status = team_new(1, settings.flush_denormals, &reference->team, error);
    if (!status)
        status = medium_new(&reference->terrain, &settings, &reference->medium,
                            error);
    if (!status)
        status = wave_new(reference->medium, &reference->wave, error);
    if (status)
        return status;
    for (int i = 0; i < 2; i++)
        reference->centre[i] = (int)half[i];
    wave_emit(reference->wave, grid_index(&grid, (int)half[0], (int)half[1], 0),
              0);
    return STATUS_OK;
}

/* The parts of all images, and their sum. */
static enum status make_parts(const struct wave_settings *settings,
                              struct image_source *images,
                              struct echoes *echoes, struct error *error)
{
    struct reference reference;
    int64_t half[2] = { 0, 0 };
    for (size_t i = 0; i < echoes->images; i++) {
        half[0] = images[i].along > half[0] ? images[i].along : half[0];
        half[1] = images[i].across > half[1] ? images[i].across : half[1];
    }
    for (int i = 0; i < 2; i++) /* to the edge and back */
        half[i] = (echoes->steps + half[i]) / 2 + 1;
    enum status status = reference_new(settings, half, &reference, error);
    for (int64_t t = 0; t < echoes->steps && !status; t++) {
        for (size_t i = 0; i < echoes->images; i++) {
            struct image_source *image = &images[i];
            image->part[t] =
                image->sign *
                wave_value(reference.wave,
                           grid_index(&reference.terrain.grid,
                                      reference.centre[0] + image->along,
                                      reference.centre[1] + image->across, 0));
            echoes->sum[t] += image->part[t];
            if (fabs(image->part[t]) > fabs(image->part[image->arrival]))
                image->arrival = t;
        }
        wave_step(reference.wave, reference.team);
    }
    reference_release(&reference);
    return status;
}

static int by_arrival(const void *a, const void *b)
{
    const struct image_source *p = a, *q = b;
    if (p->arrival != q->arrival)
        return p->arrival < q->arrival ? -1 : 1;
    return p->reflections - q->reflections;
}

/* The first arrivals, each measured in the trace minus all other images. */
static void measure(struct echoes *echoes, const struct image_source *images)
{
    double largest = 0;
    for (int64_t t = 0; t < echoes->steps; t++) {
        largest = fmax(largest, fabs(echoes->trace[t]));
        echoes->rest =
            fmax(echoes->rest, fabs(echoes->trace[t] - echoes->sum[t]));
    }
    echoes->rest = largest > 0 ? echoes->rest / largest : 0;
    for (size_t i = 0; i < echoes->images && echoes->count <= ECHOES; i++) {
        const struct image_source *image = &images[i];
        double crest = -1;
        if (image->arrival == 0 && image->along + image->across > 0)
            continue; /* none of it has arrived yet */
        if (image->arrival + 1 >= echoes->steps)
            continue; /* it may still grow */
        struct echo *echo = &echoes->echo[echoes->count++];
        *echo = (struct echo){ .image = *image,
                               .crest = image->part[image->arrival],
                               .trace = echoes->trace[image->arrival] };
        for (int64_t t = 0; t < echoes->steps; t++) {
            double left =
                fabs(echoes->trace[t] - echoes->sum[t] + image->part[t]);
            if (left > crest) {
                crest = left;
                echo->measured = (double)t;
            }
        }
    }
}

/* ---- the record at the cell ---- */

/* The amplitude next to the cell as the update reads it. */
static double beside(const struct corridor_field *field, int x, int y, int dx,
                     int dy)
{
    const struct grid *grid = &field->terrain.grid;
    const bool inside = grid_holds(grid, x + dx, y + dy, 0);
    if (inside && !field->terrain.wall[grid_index(grid, x + dx, y + dy, 0)])
        return field_at(field, x + dx, y + dy, 0);
    return inside && field->settings.walls == WALLS_FIXED
               ? 0
               : field_at(field, x, y, 0);
}

/* Trace, envelope and flux. */
static enum status read_trace(const struct corridor_field *field,
                              struct echoes *echoes, struct error *error)
{
    const int axis = field->corridor.axis;
    const int x = echoes->x, y = echoes->y;
    const int64_t steps = echoes->steps;
    double *gradient = need_memory((size_t)steps, 2 * sizeof *gradient);
    double *size = need_memory((size_t)steps, sizeof *size), largest = 0;
    enum status status = STATUS_OK;
    for (int64_t t = 0; t < steps && !status; t++) {
        status = field_read_row(field, t, error);
        if (status)
            break;
        echoes->trace[t] = field_at(field, x, y, 0);
        gradient[2 * t] =
            (beside(field, x, y, 1, 0) - beside(field, x, y, -1, 0)) / 2;
        gradient[2 * t + 1] =
            (beside(field, x, y, 0, 1) - beside(field, x, y, 0, -1)) / 2;
    }
    for (int64_t t = 0; t < steps && !status; t++) {
        const double before = t > 0 ? echoes->trace[t - 1] : NAN;
        const double after = t + 1 < steps ? echoes->trace[t + 1] : NAN;
        const double change = (after - before) / 2;
        const double along = -change * gradient[2 * t + axis];
        const double across = -change * gradient[2 * t + 1 - axis];
        size[t] = hypot(along, across);
        largest = fmax(largest, size[t]);
        echoes->flux[t] = degrees * atan2(axis == 0 ? across : -across, along);
    }
    for (int64_t t = 0; t < steps && !status; t++)
        if (!(size[t] > 1e-3 * largest))
            echoes->flux[t] = NAN;
    memory_release(gradient);
    memory_release(size);
    return status ? status
                  : spectrum_envelope(echoes->trace, (size_t)steps,
                                      echoes->envelope, error);
}

/* ---- all of it ---- */

static enum status check_cell(const struct corridor_field *field, int x, int y,
                              struct error *error)
{
    const struct corridor *corridor = &field->corridor;
    const struct box region = recording_region(field->recording);
    const struct grid *grid = &field->terrain.grid;
    const int *source = field->emission.cell;
    const int along = corridor->axis == 0 ? x : y;
    const int across = corridor->axis == 0 ? y : x;
    int at[2];
    char where[120];
    corridor_describe(&field->terrain, corridor, false, where, sizeof where);
    if (along < corridor->first || along > corridor->last ||
        across < corridor->low || across > corridor->high)
        return error_set(error, STATUS_INPUT,
                         "--probe %d,%d: the cell is outside the corridor %s; "
                         "images are those in the straight part of the source. "
                         "Choose a cell inside, or give this one alone: then "
                         "the modes of its own straight part are measured",
                         x, y, where);
    if (!field_source(field, &at[0], &at[1]))
        return error_set(
            error, STATUS_INPUT,
            "%s: the source, %d,%d, is outside the corridor %s, and has no "
            "images there; choose the stretch that contains it by --along, or "
            "leave out --probe: modes are measured there too",
            recording_path(field->recording), source[0], source[1], where);
    if (field->settings.source == SOURCE_GAUSSIAN ||
        field->settings.source >= SOURCE_SIGNAL)
        return error_set(error, STATUS_INPUT,
                         "%s: images are those of a source of one cell; record "
                         "with wave.source = \"impulse\", \"rest\" or "
                         "\"ricker\"",
                         recording_path(field->recording));
    if ((x == region.low[0] && x > 0) || (y == region.low[1] && y > 0) ||
        (x == region.high[0] && x + 1 < grid->nx) ||
        (y == region.high[1] && y + 1 < grid->ny))
        return error_set(error, STATUS_INPUT,
                         "--probe %d,%d: a cell beside it was not recorded; "
                         "choose one inside record.region",
                         x, y);
    return STATUS_OK;
}

/* Until the last echo has ended: its crest arrives after distance over √δ; a
 * pulse's later, by the pulse's own delay. */
static int64_t steps_needed(const struct corridor_field *field,
                            const struct scene *scene)
{
    const struct wave_settings *settings = &field->settings;
    double steps = 40 + 1.3 * farthest(scene) / sqrt(settings->delta);
    if (settings->source == SOURCE_RICKER)
        steps += 3 * settings->wavelength / sqrt(settings->delta);
    return steps < (double)field->steps ? (int64_t)steps : field->steps;
}

static void make_room(struct echoes *echoes, struct image_source *images)
{
    const size_t steps = (size_t)echoes->steps;
    double **const arrays[] = { &echoes->trace, &echoes->envelope, &echoes->sum,
                                &echoes->flux };
    size_t numbers;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = need_memory(steps, sizeof(double));
    }
    echoes->parts = size_multiply(echoes->images, steps, &numbers)
                        ? need_memory(numbers, sizeof *echoes->parts)
                        : NULL;
    for (size_t i = 0; i < echoes->images; i++)
        images[i].part = echoes->parts + i * steps;
}

enum status echoes_find(const struct corridor_field *field, int x, int y,
                        struct echoes *echoes, struct error *error)
{
    static const char *const letters[] = { "WE", "NS" };
    const struct corridor *corridor = &field->corridor;
    const int axis = corridor->axis;
    struct scene scene = { .corridor = corridor,
                           .letters = { letters[axis], letters[1 - axis] } };
    struct image_source *images = NULL;
    *echoes = (struct echoes){ .x = x, .y = y };
    enum status status = check_cell(field, x, y, error);
    if (status)
        return status;
    field_source(field, &scene.source[0], &scene.source[1]);
    scene.cell[0] = (axis == 0 ? x : y) - corridor->first;
    scene.cell[1] = (axis == 0 ? y : x) - corridor->low;
    scene.source[0] -= corridor->first;
    scene.source[1] -= corridor->low;
    echoes->steps = steps_needed(field, &scene);
    make_images(&scene, echoes->steps, &images, &echoes->images);
    if (!status)
        make_room(echoes, images);
    if (!status)
        status = make_parts(&field->settings, images, echoes, error);
    if (!status)
        status = read_trace(field, echoes, error);
    if (!status) {
        qsort(images, echoes->images, sizeof *images, by_arrival);
        measure(echoes, images);
        if (echoes->count == 0)
            status = error_set(error, STATUS_INPUT,
                               "--probe %d,%d: no crest reaches this cell in "
                               "the %lld recorded steps; record more steps",
                               x, y, (long long)echoes->steps);
    }
    memory_release(images);
    return status;
}

void echoes_release(struct echoes *echoes)
{
    memory_release(echoes->trace);
    memory_release(echoes->envelope);
    memory_release(echoes->sum);
    memory_release(echoes->flux);
    memory_release(echoes->parts);
    *echoes = (struct echoes){ 0 };
}
