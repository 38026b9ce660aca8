/* SPDX-License-Identifier: MIT */
#include "tools/look/placed.h"

#include "base/sha256.h"
#include "tools/look/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool parse_item(const char *item, struct placed *placed)
{
    static const char *const margins[] = { "left", "above", "right" };
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        { "measure", &placed->measure },
        { "shared", &placed->shared },
        { "strip", &placed->strip },
        { "unnamed", &placed->unnamed },
    };
    char behind;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(item, flags[i].name) == 0)
            return *flags[i].flag = true;
    for (size_t i = 0; i < sizeof margins / sizeof *margins; i++) {
        const size_t length = strlen(margins[i]);
        if (strncmp(item, margins[i], length) != 0)
            continue;
        double *points = &placed->margins[i];
        return sscanf(item + length, "=%lf%c", points, &behind) == 1 &&
               *points >= 0 && *points < 2000;
    }
    if (sscanf(item, "signs=%u%c", &placed->signs, &behind) == 1)
        return placed->has_signs = true;
    placed->has_range =
        sscanf(item, "range=%lf:%lf:%lf:%lf%c", &placed->low, &placed->high,
               &placed->least, &placed->most, &behind) == 4;
    return placed->has_range && isfinite(placed->low) &&
           isfinite(placed->high) && placed->low < placed->high &&
           isfinite(placed->least) && isfinite(placed->most);
}

enum status placed_parse(const char *text, struct placed *placed,
                         struct error *error)
{
    while (*text) {
        char item[160];
        size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        if (length >= sizeof item || !parse_item(item, placed))
            return error_set(
                error, STATUS_INPUT,
                "--placed '%s': measure, shared, strip, unnamed, left=POINTS, "
                "above=POINTS, right=POINTS, signs=NUMBER and "
                "range=LO:HI:LEAST:MOST are allowed, separated by commas",
                item);
        text += length + (text[length] == ',');
    }
    return STATUS_OK;
}

/* The same if one bar is right for both pictures: field, colours, kind of
 * scale. */
static void print_colors(const struct picture *picture)
{
    char sum[SHA256_TEXT], what[256];
    struct sha256 colors;
    sha256_start(&colors);
    sha256_add(&colors, picture->ramp.colors, sizeof picture->ramp.colors);
    sha256_end(&colors, sum);
    view_describe(picture->view, true, what, sizeof what);
    printf("colors %s %s %.12s\n", picture->view->field->name,
           picture->scale.linear_width > 0 ? "logarithmic" : "linear", sum);
    printf("range %.17g %.17g %.17g %.17g\n", picture->scale.low,
           picture->scale.high, picture->extremes.low, picture->extremes.high);
    printf("about %s\n", what);
}

enum status placed_print(const struct pages *pages, struct error *error)
{
    const struct figure *figure = &pages->figure;
    const struct picture *picture = &pages->shown[0].picture;
    double margins[3];
    char caption[256];
    if (pages->count > 1)
        return error_set(error, STATUS_INPUT,
                         "%zu pictures; one is required: name its step by "
                         "--at step=",
                         pages->count);
    if (!picture->view->field->kinds && !picture->options.per_frame)
        print_colors(picture);
    const struct picture_options *options = &picture->options;
    const double shape = options->tall > 0 ? fmin(options->tall, 1) : 1;
    if (!options->outside)
        printf("cell %.4f\n", options->cell * shape * figure->size.points /
                                  figure->size.width);
    if (!figure->font)
        return STATUS_OK; /* a field alone has no frame */
    figure_margins(figure, margins);
    printf("margins %.4f %.4f %.4f\n", margins[0], margins[1], margins[2]);
    printf("signs %u\n", figure_signs(figure));
    figure_caption(figure, pages_step(pages, 0), caption, sizeof caption);
    printf("caption %s\n", caption);
    return STATUS_OK;
}
