/* SPDX-License-Identifier: MIT */
#include "draw/figure/streamlines.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Vectors shorter than this share of the longest have no direction. A
 * travelling wave's flux is that small between its crests, and lines continue
 * there. */
static const double least_share = 1e-6;

/* A point of a line, known to all lines by its bucket. */
struct known {
    double at[2];
    double arc; /* along its line, from the seed; negative upstream */
    size_t line;
    size_t next; /* in its bucket; `nothing`: the last */
};

static const size_t nothing = SIZE_MAX;

struct tracer {
    const struct vectors *vectors;
    struct streamlines *lines;
    double apart, near, clear;
    double step;   /* cells, from point to point */
    size_t stride; /* one of so many points is known */
    double least;
    struct known *known;
    size_t known_count, known_room;
    size_t *buckets; /* squares of side `apart` */
    int across, down;
};

static size_t cell_of(const struct vectors *vectors, int x, int y)
{
    return (size_t)y * (size_t)vectors->nx + (size_t)x;
}

static bool is_free(const struct vectors *vectors, int x, int y)
{
    return x >= vectors->left && x < vectors->end_x && y >= vectors->top &&
           y < vectors->end_y &&
           !(vectors->wall && vectors->wall[cell_of(vectors, x, y)]);
}

static double length_at(const struct vectors *vectors, size_t cell)
{
    return hypot(vectors->right[cell], vectors->down[cell]);
}

static int cell_at(double place)
{
    return (int)floor(place + .5);
}

/* A unit vector along the field; false: it has no direction there. */
static bool direction_at(const struct tracer *tracer, const double at[2],
                         double unit[2])
{
    const struct vectors *vectors = tracer->vectors;
    int x = cell_at(at[0]), y = cell_at(at[1]);
    if (!is_free(vectors, x, y) ||
        !(length_at(vectors, cell_of(vectors, x, y)) > tracer->least))
        return false;
    double low[2] = { floor(at[0]), floor(at[1]) }, sum[2] = { 0 };
    for (int corner = 0; corner < 4; corner++) {
        x = (int)low[0] + (corner & 1);
        y = (int)low[1] + corner / 2;
        double part = (corner & 1 ? at[0] - low[0] : 1 - at[0] + low[0]) *
                      (corner / 2 ? at[1] - low[1] : 1 - at[1] + low[1]);
        if (!is_free(vectors, x, y))
            continue;
        size_t i = cell_of(vectors, x, y);
        if (isfinite(vectors->right[i] + vectors->down[i])) {
            sum[0] += part * vectors->right[i];
            sum[1] += part * vectors->down[i];
        }
    }
    double length = hypot(sum[0], sum[1]);
    unit[0] = sum[0] / length;
    unit[1] = sum[1] / length;
    return length > 0;
}

/* Is no wall on the straight line between both? From cell to cell. */
static bool sees(const struct vectors *vectors, const double from[2],
                 const double to[2])
{
    int at[2], end[2], way[2];
    double next[2], each[2];
    for (int k = 0; k < 2; k++) {
        double along = to[k] - from[k];
        at[k] = cell_at(from[k]);
        end[k] = cell_at(to[k]);
        way[k] = along > 0 ? 1 : -1;
        each[k] = 1 / fabs(along);
        next[k] = at[k] == end[k] ? INFINITY
                                  : (at[k] + .5 * way[k] - from[k]) / along;
    }
    while (at[0] != end[0] || at[1] != end[1]) {
        int k = next[1] < next[0];
        at[k] += way[k];
        next[k] = at[k] == end[k] ? INFINITY : next[k] + each[k];
        if (!is_free(vectors, at[0], at[1]))
            return false;
    }
    return is_free(vectors, at[0], at[1]);
}

/* Are the corners of the square round it free? */
static bool is_clear(const struct tracer *tracer, const double at[2])
{
    for (int corner = 0; corner < 4; corner++) {
        double x = at[0] + (corner & 1 ? tracer->clear : -tracer->clear);
        double y = at[1] + (corner / 2 ? tracer->clear : -tracer->clear);
        int cell[2] = { cell_at(x), cell_at(y) };
        const struct vectors *vectors = tracer->vectors;
        bool outside = cell[0] < vectors->left || cell[0] >= vectors->end_x ||
                       cell[1] < vectors->top || cell[1] >= vectors->end_y;
        if (!outside && !is_free(vectors, cell[0], cell[1]))
            return false;
    }
    return true;
}

/* ---- points that are known ---- */

static int bucket_at(const struct tracer *tracer, double place, int first,
                     int count)
{
    int bucket = (int)((place - first + .5) / tracer->apart);
    return bucket < 0 ? 0 : bucket < count ? bucket : count - 1;
}

static size_t *bucket_of(const struct tracer *tracer, const double at[2])
{
    const struct vectors *vectors = tracer->vectors;
    int x = bucket_at(tracer, at[0], vectors->left, tracer->across);
    int y = bucket_at(tracer, at[1], vectors->top, tracer->down);
    return &tracer->buckets[(size_t)y * (size_t)tracer->across + (size_t)x];
}

static void know(struct tracer *tracer, const double at[2], double arc)
{
    size_t *bucket = bucket_of(tracer, at);
    tracer->known = need_more(tracer->known, tracer->known_count,
                              &tracer->known_room, sizeof *tracer->known);
    tracer->known[tracer->known_count] = (struct known){
        { at[0], at[1] }, arc, tracer->lines->line_count, *bucket
    };
    *bucket = tracer->known_count++;
}

/* All from number `first` on, the last of their buckets. */
static void forget(struct tracer *tracer, size_t first)
{
    while (tracer->known_count > first) {
        const struct known *last = &tracer->known[--tracer->known_count];
        *bucket_of(tracer, last->at) = last->next;
    }
}

enum meeting { MEETS_NONE, MEETS_ITSELF, MEETS_ANOTHER };

/* Is a point of another line nearer than `near` and in sight; or one of the
 * same line, which is not its neighbour along it? */
static enum meeting meets(const struct tracer *tracer, const double at[2],
                          double near, double arc)
{
    const struct vectors *vectors = tracer->vectors;
    int x = bucket_at(tracer, at[0], vectors->left, tracer->across);
    int y = bucket_at(tracer, at[1], vectors->top, tracer->down);
    enum meeting found = MEETS_NONE;
    for (int square = 0; square < 9 && found != MEETS_ANOTHER; square++) {
        int column = x + square % 3 - 1, row = y + square / 3 - 1;
        if (column < 0 || column >= tracer->across || row < 0 ||
            row >= tracer->down)
            continue;
        size_t i = tracer->buckets[(size_t)row * (size_t)tracer->across +
                                   (size_t)column];
        for (; i != nothing && found != MEETS_ANOTHER;
             i = tracer->known[i].next) {
            const struct known *known = &tracer->known[i];
            bool own = known->line == tracer->lines->line_count;
            if (!(hypot(known->at[0] - at[0], known->at[1] - at[1]) < near) ||
                (own && fabs(known->arc - arc) < 3 * near) ||
                !sees(vectors, at, known->at))
                continue;
            found = own ? MEETS_ITSELF : MEETS_ANOTHER;
        }
    }
    return found;
}

/* ---- lines ---- */

static void add_point(struct streamlines *lines, const double at[2])
{
    lines->points = need_more(lines->points, lines->count, &lines->room,
                              sizeof *lines->points);
    lines->points[lines->count][0] = at[0];
    lines->points[lines->count++][1] = at[1];
}

/* A step of Runge and Kutta's method of fourth order along the unit vectors,
 * down (sign 1) or up the stream. False: the line ends at `from`. */
static bool go_on(const struct tracer *tracer, const double from[2],
                  double sign, double to[2])
{
    static const double parts[4] = { 0, .5, .5, 1 },
                        weights[4] = { 1. / 6, 1. / 3, 1. / 3, 1. / 6 };
    double slope[2] = { 0 }, first[2] = { 0 }, sum[2] = { 0 };
    for (int i = 0; i < 4; i++) {
        double at[2], part = parts[i] * sign * tracer->step;
        for (int k = 0; k < 2; k++)
            at[k] = from[k] + part * slope[k];
        if (!direction_at(tracer, at, slope))
            return false;
        if (i == 0)
            memcpy(first, slope, sizeof first);
        /* The field turns back: a crest of the wave. */
        if (first[0] * slope[0] + first[1] * slope[1] <= 0)
            return false;
        for (int k = 0; k < 2; k++)
            sum[k] += weights[i] * slope[k];
    }
    for (int k = 0; k < 2; k++)
        to[k] = from[k] + sign * tracer->step * sum[k];
    return direction_at(tracer, to, slope) &&
           first[0] * slope[0] + first[1] * slope[1] > 0 &&
           sees(tracer->vectors, from, to) && is_clear(tracer, to);
}

/* The line has met itself. Does it come round to its seed? Then it is a ring;
 * otherwise no point is added. */
static bool close_ring(struct tracer *tracer, size_t first, double arc)
{
    struct streamlines *lines = tracer->lines;
    const size_t count = lines->count, known = tracer->known_count;
    const double seed[2] = { lines->points[first][0], lines->points[first][1] };
    double at[2] = { lines->points[count - 1][0], lines->points[count - 1][1] };
    for (double more = 0; more < 2 * tracer->near; more += tracer->step) {
        double to[2];
        if (hypot(seed[0] - at[0], seed[1] - at[1]) <= tracer->step) {
            add_point(lines, seed);
            return true;
        }
        if (!go_on(tracer, at, 1, to) ||
            meets(tracer, to, tracer->near, arc) == MEETS_ANOTHER)
            break;
        add_point(lines, to);
        know(tracer, to, arc + more);
        memcpy(at, to, sizeof at);
    }
    lines->count = count;
    forget(tracer, known);
    return false;
}

/* Adds the points after the seed in one direction; returns whether the line is
 * a ring. */
static bool follow(struct tracer *tracer, const double seed[2], double sign)
{
    struct streamlines *lines = tracer->lines;
    const size_t first = lines->count - 1;
    double at[2] = { seed[0], seed[1] }, to[2];
    for (size_t i = 1; go_on(tracer, at, sign, to); i++) {
        double arc = sign * (double)i * tracer->step;
        enum meeting met = meets(tracer, to, tracer->near, arc);
        if (met == MEETS_ITSELF && sign > 0)
            return close_ring(tracer, first, arc);
        if (met)
            return false;
        add_point(lines, to);
        if (i % tracer->stride == 0)
            know(tracer, to, arc);
        memcpy(at, to, sizeof at);
    }
    return false;
}

static void turn(double (*points)[2], size_t count)
{
    for (size_t i = 0; i < count / 2; i++)
        for (int k = 0; k < 2; k++) {
            double kept = points[i][k];
            points[i][k] = points[count - 1 - i][k];
            points[count - 1 - i][k] = kept;
        }
}

/* The line through the seed: first upstream from it, then turned, so that the
 * seed is followed by the points downstream. A ring begins and ends at it. */
static void trace(struct tracer *tracer, const double seed[2])
{
    struct streamlines *lines = tracer->lines;
    const size_t first = lines->count, known = tracer->known_count;
    add_point(lines, seed);
    know(tracer, seed, 0);
    if (!follow(tracer, seed, 1)) {
        const size_t down = lines->count - first;
        add_point(lines, seed);
        follow(tracer, seed, -1);
        /* Downstream, the seed again, upstream: in the order of the line. */
        const size_t up = lines->count - first - down;
        turn(lines->points + first, down);
        turn(lines->points + first, down + up);
        memmove(lines->points + first + up - 1, lines->points + first + up,
                down * sizeof *lines->points);
        lines->count--;
    }
    if ((double)(lines->count - first - 1) * tracer->step < tracer->near) {
        forget(tracer, known);
        lines->count = first;
        return;
    }
    lines->lines = need_more(lines->lines, lines->line_count, &lines->line_room,
                             sizeof *lines->lines);
    lines->lines[lines->line_count++] = first;
}

static bool may_begin(const struct tracer *tracer, const double at[2])
{
    double unit[2];
    return direction_at(tracer, at, unit) && is_clear(tracer, at) &&
           !meets(tracer, at, .99 * tracer->apart, 0);
}

/* Lines beside all that are known, and beside those. */
static void trace_beside(struct tracer *tracer, size_t *done)
{
    for (; *done < tracer->known_count; ++*done) {
        const double from[2] = { tracer->known[*done].at[0],
                                 tracer->known[*done].at[1] };
        double unit[2];
        if (!direction_at(tracer, from, unit))
            continue;
        for (int side = -1; side <= 1; side += 2) {
            double seed[2] = { from[0] - side * tracer->apart * unit[1],
                               from[1] + side * tracer->apart * unit[0] };
            if (may_begin(tracer, seed) && sees(tracer->vectors, from, seed))
                trace(tracer, seed);
        }
    }
}

/* The cell of the longest vector, and its length; false: all are 0. */
static bool strongest(const struct vectors *vectors, double at[2], double *most)
{
    *most = 0;
    for (int y = vectors->top; y < vectors->end_y; y++)
        for (int x = vectors->left; x < vectors->end_x; x++) {
            size_t i = cell_of(vectors, x, y);
            if (!is_free(vectors, x, y) || !(length_at(vectors, i) > *most))
                continue;
            *most = length_at(vectors, i);
            at[0] = x;
            at[1] = y;
        }
    return *most > 0 && isfinite(*most);
}

static void trace_all(struct tracer *tracer, const double start[2])
{
    const struct vectors *vectors = tracer->vectors;
    const int pace = tracer->apart > 8 ? (int)(tracer->apart / 8) : 1;
    size_t done = 0;
    if (may_begin(tracer, start))
        trace(tracer, start);
    trace_beside(tracer, &done);
    for (int y = vectors->top; y < vectors->end_y; y += pace)
        for (int x = vectors->left; x < vectors->end_x; x += pace)
            if (may_begin(tracer, (double[]){ x, y })) {
                trace(tracer, (double[]){ x, y });
                trace_beside(tracer, &done);
            }
}

void streamlines_trace(struct streamlines *lines, const struct vectors *vectors,
                       double apart, double clear)
{
    double start[2] = { 0 }, most;
    struct tracer tracer = {
        .vectors = vectors,
        .lines = lines,
        .apart = apart,
        .near = .502 * apart, /* to lines, not only to their known points */
        .clear = clear,
        .step = fmin(.25, apart / 8),
        .across = (int)((vectors->end_x - vectors->left) / apart) + 1,
        .down = (int)((vectors->end_y - vectors->top) / apart) + 1,
    };
    lines->count = lines->line_count = 0;
    if (!strongest(vectors, start, &most))
        return;
    const size_t buckets = (size_t)tracer.across * (size_t)tracer.down;
    tracer.least = least_share * most;
    tracer.stride = (size_t)fmax(apart / 16 / tracer.step, 1);
    tracer.known_room = 1;
    tracer.known = need_memory(tracer.known_room, sizeof *tracer.known);
    tracer.buckets = need_memory(buckets, sizeof *tracer.buckets);
    for (size_t i = 0; i < buckets; i++)
        tracer.buckets[i] = nothing;
    trace_all(&tracer, start);
    memory_release(tracer.buckets);
    memory_release(tracer.known);
}

void streamlines_release(struct streamlines *lines)
{
    memory_release(lines->points);
    memory_release(lines->lines);
    *lines = (struct streamlines){ 0 };
}
