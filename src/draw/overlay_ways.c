/* SPDX-License-Identifier: MIT */
/* Lines where agents went and where they mean to go. */
#include "draw/overlay.h"

#include <math.h>

static const uint8_t black[3] = { 0, 0, 0 };

/* A line in strokes, which go on from piece to piece. */
struct strokes {
    double on, off; /* pixels; off 0: unbroken */
    double run;     /* how far the line has come */
};

static struct strokes dots_of(double em)
{
    return (struct strokes){ .on = .05 * em, .off = fmax(.36 * em, 3.5) };
}

/* Of a path; longer and shorter ones tell agents of one colour apart. */
static struct strokes dashes_of(double em, enum overlay_shape shape)
{
    static const double lengths[OVERLAY_SHAPES] = { 1, 2, .4 };
    double dash = fmax(.45 * em, 4);
    return (struct strokes){ .on = lengths[shape] * dash, .off = dash };
}

/* Of a trail, on a casing that is unbroken. */
static struct strokes strokes_of(double em, enum overlay_shape shape)
{
    struct strokes strokes = { 0 };
    if (shape == OVERLAY_SQUARE)
        strokes.on = strokes.off = fmax(.7 * em, 6);
    if (shape == OVERLAY_TRIANGLE)
        strokes = dots_of(em);
    return strokes;
}

/* The part [*first, *last] of the line that may be seen: a place in a file may
 * be anywhere, and there is no end of strokes on the way to it. */
static void seen_part(const struct mask *mask, const double from[2],
                      const double along[2], double width, double *first,
                      double *last)
{
    const double most[2] = { mask->width + width, mask->height + width };
    *first = 0, *last = 1;
    for (int axis = 0; axis < 2; axis++) {
        double a = (-width - from[axis]) / along[axis];
        double b = (most[axis] - from[axis]) / along[axis];
        if (along[axis] != 0) {
            *first = fmax(*first, fmin(a, b));
            *last = fmin(*last, fmax(a, b));
        } else if (from[axis] < -width || from[axis] > most[axis])
            *last = 0;
    }
}

static void gather_strokes(const struct pen *pen, const double from[2],
                           const double to[2], double width,
                           struct strokes *strokes)
{
    double along[2] = { to[0] - from[0], to[1] - from[1] };
    double length = hypot(along[0], along[1]), first, last;
    if (!(strokes->off > 0)) {
        mask_line(pen->mask, from, to, width);
        return;
    }
    seen_part(pen->mask, from, along, width, &first, &last);
    for (double done = first * length; done < last * length;) {
        double phase = fmod(strokes->run + done, strokes->on + strokes->off);
        bool on = phase < strokes->on;
        double left =
            on ? strokes->on - phase : strokes->on + strokes->off - phase;
        /* A step too short to change `done` would never end. */
        double end = fmin(done + fmax(left, fmax(1e-3, done * 1e-12)), length);
        double a = done / length, b = end / length;
        if (on)
            mask_line(
                pen->mask,
                (double[]){ from[0] + a * along[0], from[1] + a * along[1] },
                (double[]){ from[0] + b * along[0], from[1] + b * along[1] },
                width);
        done = end;
    }
    double run = fmod(strokes->run + length, strokes->on + strokes->off);
    strokes->run = isfinite(run) ? run : 0;
}

void overlay_dots(const struct pen *pen, const double from[2],
                  const double to[2], const uint8_t *color)
{
    for (int casing = 1; casing >= 0; casing--) {
        struct strokes strokes = dots_of(pen->em);
        gather_strokes(pen, from, to,
                       casing ? overlay_casing(pen->em) : overlay_line(pen->em),
                       &strokes);
        mask_lay(pen->mask, pen->image, casing ? black : color);
    }
}

/* A line as it is being gathered: what of it is on the layers, or what is not.
 */
struct line {
    const struct pen *pen;
    double width;
    bool elsewhere;
    struct strokes strokes;
    int layer; /* that its last piece was on; −1: none */
};

static void between(const double from[GRID_AXES], const double to[GRID_AXES],
                    double part, double at[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = from[axis] + part * (to[axis] - from[axis]);
}

/* A place as it is seen on a layer, whatever its height. */
static void place_on(const struct pen *pen, int layer,
                     const double world[GRID_AXES], double pixel[2])
{
    double on[GRID_AXES] = { world[0], world[1], world[2] };
    if (layer >= 0)
        on[pen->layers->axis] = pen->layers->at[layer];
    overlay_place(pen, on, pixel);
}

/* What is on a layer or between two, from → to. */
static void gather_stretch(struct line *line, int layer,
                           const double from[GRID_AXES],
                           const double to[GRID_AXES])
{
    const struct pen *pen = line->pen;
    double pixels[2][2];
    /* From layer to layer where nothing is between what stands on them. */
    if (line->elsewhere && line->layer >= 0 && layer >= 0 &&
        layer != line->layer) {
        place_on(pen, line->layer, from, pixels[0]);
        place_on(pen, layer, from, pixels[1]);
        gather_strokes(pen, pixels[0], pixels[1], line->width, &line->strokes);
    }
    line->layer = layer;
    if ((pen->layers && layer < 0) != line->elsewhere)
        return;
    place_on(pen, layer, from, pixels[0]);
    place_on(pen, layer, to, pixels[1]);
    gather_strokes(pen, pixels[0], pixels[1], line->width, &line->strokes);
}

/* The piece from → to, which leaves layers and comes to others on its way. */
static void gather_piece(struct line *line, const double from[GRID_AXES],
                         const double to[GRID_AXES])
{
    const struct layers *layers = line->pen->layers;
    if (!layers) {
        gather_stretch(line, -1, from, to);
        return;
    }
    int axis = layers->axis;
    for (double part = 0, next; part < 1; part = next) {
        double middle[GRID_AXES], ends[2][GRID_AXES];
        next = layers_next(layers, from[axis], to[axis], part);
        between(from, to, (part + next) / 2, middle);
        between(from, to, part, ends[0]);
        between(from, to, next, ends[1]);
        if (layers_see(layers, middle[axis]))
            gather_stretch(line, layers_find(layers, middle[axis]), ends[0],
                           ends[1]);
    }
}

/* Lays one way in its colour and strokes, over a casing in its own: what is not
 * on the layers first, in dots. */
static void lay_way(const struct pen *pen, const struct strokes *cased,
                    const struct strokes *strokes, const uint8_t *color,
                    void (*gather)(struct line *, const void *),
                    const void *way)
{
    for (int pass = pen->layers ? 0 : 2; pass < 4; pass++) {
        bool elsewhere = pass < 2, casing = !(pass & 1);
        struct line line = {
            .pen = pen,
            .width = casing ? overlay_casing(pen->em) : overlay_line(pen->em),
            .elsewhere = elsewhere,
            .strokes = elsewhere ? dots_of(pen->em)
                       : casing  ? *cased
                                 : *strokes,
            .layer = -1,
        };
        gather(&line, way);
        mask_lay(pen->mask, pen->image, casing ? black : color);
    }
}

struct trail {
    const struct track *track;
    int64_t row; /* the last */
};

static void gather_trail(struct line *line, const void *way)
{
    const struct trail *trail = way;
    double *const *at = trail->track->at;
    double from[GRID_AXES] = { at[0][0], at[1][0], at[2][0] };
    for (int64_t k = 1; k <= trail->row; k++) {
        double to[GRID_AXES] = { at[0][k], at[1][k], at[2][k] };
        if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2])
            continue;
        gather_piece(line, from, to);
        between(to, to, 0, from);
    }
}

void overlay_trails(const struct pen *pen, const struct tracks *tracks,
                    int64_t row)
{
    static const struct strokes unbroken;
    for (size_t i = 0; i < tracks->count; i++) {
        const struct track *track = &tracks->track[i];
        struct strokes strokes =
            strokes_of(pen->em, overlay_shape(track->number));
        lay_way(pen, &unbroken, &strokes, overlay_color(track->number),
                gather_trail, &(struct trail){ track, row });
    }
}

struct path {
    const struct plans *plans;
    int64_t plan;
};

static void gather_path(struct line *line, const void *way)
{
    const struct path *path = way;
    const struct plans *plans = path->plans;
    double from[GRID_AXES] = { 0 };
    for (size_t first = plans->first[path->plan], i = first;
         i < plans->first[path->plan + 1]; i++) {
        double to[GRID_AXES] = { plans->cell[0][i], plans->cell[1][i],
                                 plans->cell[2] ? plans->cell[2][i] : 0 };
        if (i > first)
            gather_piece(line, from, to);
        between(to, to, 0, from);
    }
}

void overlay_paths(const struct pen *pen, const struct plans *plans,
                   const struct tracks *tracks, int64_t step)
{
    for (size_t i = 0; i < tracks->count; i++) {
        int number = tracks->track[i].number;
        int64_t plan = number < 0 ? -1 : plans_find(plans, number, step);
        struct strokes dashes = dashes_of(pen->em, overlay_shape(number));
        if (plan >= 0)
            lay_way(pen, &dashes, &dashes, overlay_color(number), gather_path,
                    &(struct path){ plans, plan });
    }
}
