/* SPDX-License-Identifier: MIT */
#include "draw/figure/outcomes.h"

#include "base/memory.h"
#include "base/need.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least width of a column, in ems. */
#define COLUMN_WIDTH 12.5

struct outcome {
    const struct track *track;
    enum mark mark;
    int64_t step; /* of the change to the last state */
};

bool outcomes_fit(const struct figure *figure)
{
    const struct figure_options *options = &figure->options;
    const bool sheet = options->reasons; /* of one recording */
    const bool single =
        !options->strip && options->columns * options->rows == 1;
    return options->key && (sheet || single) &&
           (figure->picture->options.overlays & OVERLAY_TRAILS) &&
           !picture_is_along(figure->picture) &&
           picture_crowd(figure->picture) == CROWD_SOME;
}

/* Captures first, by their steps; then who is stuck, then who still walks. */
static int compare(const void *a, const void *b)
{
    const struct outcome *x = a, *y = b;
    if (x->mark != y->mark)
        return x->mark < y->mark ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->track->number - y->track->number;
}

static struct outcome outcome_of(const struct figure *figure,
                                 const struct track *track, int64_t row)
{
    const int64_t *steps = recording_steps(figure->picture->view->recording);
    enum mark mark = overlay_mark(track, row, true);
    int64_t since = row;
    bool over = mark == MARK_CAPTURED || mark == MARK_STUCK;
    while (over && since > 0 && track->state[since - 1] == track->state[row])
        since--;
    if (mark == MARK_WAITING)
        mark = MARK_COUNT; /* after all others */
    return (struct outcome){ track, mark, steps[since] };
}

static size_t list_outcomes(const struct figure *figure, int64_t row,
                            struct outcome *outcomes)
{
    const struct tracks *tracks = &figure->picture->tracks;
    size_t count = 0;
    for (size_t i = 0; i < tracks->count; i++)
        if (tracks->track[i].number >= 0)
            outcomes[count++] = outcome_of(figure, &tracks->track[i], row);
    qsort(outcomes, count, sizeof *outcomes, compare);
    return count;
}

/* A name that says more than its number? */
static bool is_named(const struct track *track)
{
    char name[TRACK_NAME_SIZE];
    snprintf(name, sizeof name, "agent%d", track->number + 1);
    return strcmp(track->name, name) != 0;
}

static void draw_outcome(struct figure *figure, const struct outcome *outcome,
                         const struct frame *frame, double y, int64_t last)
{
    const double em = figure->em;
    struct page *page = figure_surface(figure);
    const uint8_t *color = mark_color(outcome->track->number);
    double left = frame->left + mark_start_reach(em);
    /* An end at an early step stands beside the start, not on it. */
    double least = mark_start_reach(em) + mark_reach(MARK_CAPTURED, em);
    double room = frame->width - mark_start_reach(em) - 8 * em - least;
    double end[2] = {
        left + least + room * (double)outcome->step / (double)last, y
    };
    char text[32];
    const struct pen pen = {
        .page = page,
        .size = { figure->image.width, figure->image.height },
        .em = em,
        .crowd = CROWD_SOME,
    };
    enum mark mark = outcome->mark == MARK_COUNT ? MARK_WAITING : outcome->mark;
    overlay_trail(&pen, outcome->track->number, (double[]){ left, y }, end);
    mark_draw_start(page, em, (double[]){ left, y }, color);
    snprintf(text, sizeof text, "%d", outcome->track->number + 1);
    figure_text(figure, text, .84 * em, (double[]){ left, y }, .5, false);
    if (mark != MARK_WAITING)
        mark_draw(page, mark, em, end, NULL);
    end[0] += 1.1 * mark_reach(mark, em);
    snprintf(text, sizeof text, "%lld", (long long)outcome->step);
    if (mark == MARK_CAPTURED || mark == MARK_STUCK) {
        figure_text(figure, text, figure->small, end, 0, false);
        end[0] += text_width(figure->font, figure->small, text) + .5 * em;
    }
    if (is_named(outcome->track)) {
        char name[TRACK_NAME_SIZE];
        snprintf(name, sizeof name, "%s", outcome->track->name);
        text_fit(figure->font, figure->small,
                 frame->left + frame->width - end[0], name);
        figure_gray_text(figure, name, figure->small, end, 0);
    }
}

/* Entries of a column, and columns as wide as they need. */
static size_t rows_of(const struct figure *figure, double width,
                      size_t *columns)
{
    const struct tracks *tracks = &figure->picture->tracks;
    size_t count = 0;
    for (size_t i = 0; i < tracks->count; i++)
        count += tracks->track[i].number >= 0;
    *columns = (size_t)fmax(1, floor(width / (COLUMN_WIDTH * figure->em)));
    return (count + *columns - 1) / *columns;
}

double outcomes_height(const struct figure *figure, double width)
{
    size_t columns;
    return ((double)rows_of(figure, width, &columns) + .5) * 1.7 * figure->em;
}

void outcomes_draw(struct figure *figure, const struct frame *frame,
                   int64_t row)
{
    const double em = figure->em;
    const int64_t last = recording_steps(figure->picture->view->recording)[row];
    struct outcome *outcomes =
        need_memory(figure->picture->tracks.count, sizeof *outcomes);
    size_t count = list_outcomes(figure, row, outcomes), columns;
    const size_t rows = rows_of(figure, frame->width, &columns);
    double apart = frame->height / ((double)rows + .5);
    apart = apart > 2 * em ? 2 * em : apart;
    for (size_t i = 0; i < count; i++) {
        struct frame column = *frame;
        column.width /= (int)columns;
        column.left += (int)(i / rows) * column.width;
        draw_outcome(figure, &outcomes[i], &column,
                     frame->top + ((double)(i % rows) + .7) * apart,
                     last > 0 ? last : 1);
    }
    figure_text(figure, _("number, and step of its end"), figure->small,
                (double[]){ frame->left, frame->top - .75 * em }, 0, false);
    memory_release(outcomes);
}
