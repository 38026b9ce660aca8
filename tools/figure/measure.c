/* SPDX-License-Identifier: MIT */
/* What panels of one page have in common: a grid of frames, a range, a bar. */
#include "tools/figure/composition.h"

#include <math.h>
#include <string.h>

enum { LEFT, ABOVE, RIGHT };

/* Points: positions agree within this. */
static const double exact = .05;

static bool is_framed(const struct panel *panel)
{
    return panel->slice && panel->measured.framed;
}

/* Is the margin on this side of both panels along the same line? */
static bool aligned(const struct panel *a, const struct panel *b, int side)
{
    return side == LEFT    ? a->first == b->first
           : side == RIGHT ? a->first + a->columns == b->first + b->columns
                           : a->row == b->row;
}

/* Raises all margins to the largest measured one along their line. Returns
 * whether one was raised. */
static bool raise_margins(struct composition *figure)
{
    bool raised = false;
    for (size_t k = 0; k < figure->count; k++)
        for (int side = LEFT; side <= RIGHT; side++) {
            struct panel *panel = &figure->panels[k];
            double most = panel->margins[side];
            for (size_t i = 0; i < figure->count; i++) {
                const struct panel *other = &figure->panels[i];
                if (is_framed(panel) && is_framed(other) &&
                    aligned(panel, other, side))
                    most = fmax(most, other->measured.margins[side]);
            }
            raised |= most > panel->margins[side] + exact;
            panel->margins[side] = most;
        }
    return raised;
}

static enum status measure_all(struct composition *figure, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < figure->count && !status; k++)
        if (figure->panels[k].slice)
            status = panel_measure(figure, k, error);
    return status;
}

static enum status join(const struct composition *figure, size_t number,
                        const struct panel *first, struct measures *all,
                        struct error *error)
{
    const struct panel *panel = &figure->panels[number];
    const struct measures *own = &panel->measured;
    if (!own->colors[0])
        return panel_fault(figure, panel, error,
                           "share: this field has no range of colours, or with "
                           "--per-frame several; share = \"none\" in its group "
                           "leaves it out");
    if (strcmp(own->colors, first->measured.colors) != 0)
        return panel_fault(figure, panel, error,
                           "share: the colours differ from those of panel "
                           "(%c), in the field, the colour map or --log; share "
                           "= \"none\" in its group leaves it out",
                           (char)('a' + (first - figure->panels)));
    all->low = fmin(all->low, own->low);
    all->high = fmax(all->high, own->high);
    all->least = fmin(all->least, own->least);
    all->most = fmax(all->most, own->most);
    all->signs |= own->signs;
    return STATUS_OK;
}

/* One range for those that share it, and the strip below the last of them. */
static enum status share_range(struct composition *figure, struct error *error)
{
    struct panel *first = NULL, *strip = &figure->panels[figure->count];
    int64_t end = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < figure->count && !status; k++) {
        struct panel *panel = &figure->panels[k];
        if (panel->share != SHARE_RANGE)
            continue;
        if (!first) {
            first = panel;
            *strip = *panel;
        }
        status = join(figure, k, first, &strip->measured, error);
        figure->unnamed |=
            strcmp(panel->measured.about, first->measured.about) != 0;
        strip->row = panel->row;
        strip->first =
            panel->first < strip->first ? panel->first : strip->first;
        end = panel->first + panel->columns > end
                  ? panel->first + panel->columns
                  : end;
    }
    if (status || !first)
        return status;
    for (size_t k = 0; k < figure->count; k++) {
        struct measures *own = &figure->panels[k].measured;
        const struct measures *all = &strip->measured;
        if (figure->panels[k].share != SHARE_RANGE)
            continue;
        own->low = all->low;
        own->high = all->high;
        own->least = all->least;
        own->most = all->most;
    }
    strip->columns = end - strip->first;
    strip->share = SHARE_NONE;
    strip->strip = true;
    figure->drawn = figure->count + 1;
    return STATUS_OK;
}

/* The strip begins at the left side of the first frame above it. */
static void place_strip(struct composition *figure)
{
    struct panel *strip = &figure->panels[figure->count];
    for (size_t k = 0; k < figure->count && strip->strip; k++) {
        const struct panel *panel = &figure->panels[k];
        if (panel->share == SHARE_RANGE && panel->first == strip->first)
            strip->margins[LEFT] =
                fmax(strip->margins[LEFT], panel->margins[LEFT]);
    }
}

enum status composition_measure(struct composition *figure, struct error *error)
{
    enum { ROUNDS = 4 }; /* a wider margin can add a tick, and its label */
    enum status status = measure_all(figure, error);
    if (!status)
        status = share_range(figure, error);
    for (int round = 0; round < ROUNDS && !status && raise_margins(figure);
         round++)
        status = measure_all(figure, error);
    place_strip(figure);
    return status;
}
