/* SPDX-License-Identifier: MIT */
#include "drawing_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LO:HI */
static enum status parse_range(const char *text, double *low, double *high,
                               struct error *error)
{
    char *end;
    *low = strtod(text, &end);
    bool good = end != text && *end == ':';
    const char *second = end + good;
    *high = strtod(second, &end);
    struct scale scale = { *low, *high, 0 };
    if (!good || end == second || *end || scale_check(&scale, NULL))
        return error_set(error, STATUS_INPUT,
                         "--range '%s': LO:HI is wanted, two finite numbers, "
                         "LO below HI",
                         text);
    return STATUS_OK;
}

static const struct {
    const char *name;
    unsigned overlay;
} overlay_names[] = {
    { "walls", OVERLAY_WALLS },
    { "agents", OVERLAY_AGENTS },
    { "trails", OVERLAY_TRAILS },
    { "paths", OVERLAY_PATHS },
    { "nodes", OVERLAY_NODES },
    { "colors", OVERLAY_COLORS },
    { "arrows", OVERLAY_HEADINGS },
    { "arrows=heading", OVERLAY_HEADINGS },
    { "arrows=gradient", OVERLAY_GRADIENT },
    { "front", OVERLAY_FRONT },
};

static unsigned find_overlay(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof overlay_names / sizeof *overlay_names; i++)
        if (strlen(overlay_names[i].name) == length &&
            strncmp(overlay_names[i].name, text, length) == 0)
            return overlay_names[i].overlay;
    return 0;
}

static enum status parse_overlays(const char *text, unsigned *overlays,
                                  struct error *error)
{
    *overlays = 0;
    if (strcmp(text, "none") == 0)
        return STATUS_OK;
    for (;;) {
        size_t length = strcspn(text, ",");
        unsigned overlay = find_overlay(text, length);
        if (!overlay)
            return error_set(error, STATUS_INPUT,
                             "--overlay '%.*s': overlays are walls, agents, "
                             "trails, paths, nodes, colors, arrows, "
                             "arrows=gradient, front, or none",
                             (int)(length < 60 ? length : 60), text);
        *overlays |= overlay;
        if (!text[length])
            return STATUS_OK;
        text += length + 1;
    }
}

/* The map's name with its sign, turned by --reverse. */
static enum status name_map(const struct drawing *asked, char *map,
                            size_t map_size, struct picture_options *options,
                            struct error *error)
{
    const struct field *field = field_find(asked->field);
    const char *name = asked->map ? asked->map : field ? field->map : "";
    bool minus = name[0] == '-';
    options->map = asked->map;
    if (!asked->reversed)
        return STATUS_OK;
    int length = snprintf(map, map_size, "%s%s", minus ? "" : "-",
                          name + (minus ? 1 : 0));
    options->map = map;
    return length < (int)map_size
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "--colormap: too long a name");
}

enum status drawing_options_make(const struct drawing *asked, char *map,
                                 size_t map_size,
                                 struct picture_options *options,
                                 struct error *error)
{
    *options = (struct picture_options){
        .has_low = asked->range || !isnan(asked->low),
        .has_high = asked->range || !isnan(asked->high),
        .low = asked->low,
        .high = asked->high,
        .symmetric = asked->symmetric,
        .linear_width = asked->linear_width,
        .per_frame = asked->per_frame,
        .agents = asked->agents.items,
        .agent_count = asked->agents.count,
        .oblique = asked->oblique,
    };
    bool logarithmic = asked->logarithmic || asked->linear_width > 0;
    if (asked->linear && logarithmic)
        return error_set(error, STATUS_INPUT,
                         "--linear and --log: colours are by the one or the "
                         "other");
    const struct field *field = field_find(asked->field);
    options->logarithmic =
        logarithmic || (!asked->linear && !options->has_low &&
                        !options->has_high && field && field->decades);
    if (asked->range && (!isnan(asked->low) || !isnan(asked->high)))
        return error_set(error, STATUS_INPUT,
                         "--range and --low or --high say the same twice");
    enum status status = name_map(asked, map, map_size, options, error);
    if (!status && asked->range)
        status =
            parse_range(asked->range, &options->low, &options->high, error);
    if (!status)
        status = parse_overlays(asked->overlays, &options->overlays, error);
    unsigned agents =
        OVERLAY_AGENTS | OVERLAY_TRAILS | OVERLAY_PATHS | OVERLAY_NODES;
    if (!status && !(options->overlays & agents) &&
        (asked->legend || asked->agents.count))
        status = error_set(error, STATUS_INPUT,
                           "--%s: no agents are drawn; --overlay walls,agents "
                           "draws them",
                           asked->legend ? "legend" : "agent");
    return status;
}

enum status drawing_figure(const struct drawing *asked,
                           struct figure_options *figure, struct error *error)
{
    *figure = (struct figure_options){
        .bar = asked->bar,
        .axes = asked->axes,
        .scale_bar = asked->scale_bar,
        .legend = asked->legend,
        .title = asked->title,
        .font = asked->font,
        .columns = 1,
        .rows = 1,
    };
    if (!asked->montage)
        return STATUS_OK;
    char *end;
    long columns = strtol(asked->montage, &end, 10);
    bool good = end != asked->montage && *end == 'x';
    const char *second = end + good;
    long rows = strtol(second, &end, 10);
    if (!good || end == second || *end || columns < 1 || rows < 1 ||
        columns > FIGURE_PANELS || rows > FIGURE_PANELS ||
        columns * rows > FIGURE_PANELS)
        return error_set(error, STATUS_INPUT,
                         "--montage '%s': CxR is wanted, C columns and R rows "
                         "of at most %d panels in all, as in 3x2",
                         asked->montage, FIGURE_PANELS);
    figure->columns = (int)columns;
    figure->rows = (int)rows;
    return STATUS_OK;
}

static enum status parse_projection(const char *text, struct view_place *place,
                                    struct error *error)
{
    static const char *const words[] = { "max:x", "max:y", "max:z", "max" };
    for (int i = 0; i < 4; i++)
        if (strcmp(text, words[i]) == 0) {
            *place = (struct view_place){ .axis = i < 3 ? i : 2, .most = true };
            return STATUS_OK;
        }
    return error_set(error, STATUS_INPUT,
                     "--project '%s': max, max:x, max:y or max:z is wanted",
                     text);
}

enum status drawing_place(const struct drawing *asked,
                          const struct place_range places[AT_KEYS],
                          struct view_place *place, struct error *error)
{
    static const int keys[GRID_AXES] = { AT_X, AT_Y, AT_Z };
    *place = (struct view_place){ .axis = -1 };
    bool whole = asked->project || asked->oblique;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const struct place_range *given = &places[keys[axis]];
        const struct range *range = &given->ranges[0];
        if (!given->count || (asked->oblique && keys[axis] == AT_Z))
            continue;
        if (place->axis >= 0 || range->first != range->last)
            return error_set(error, STATUS_INPUT,
                             "--at: one plane is wanted: x=N, y=N or z=N");
        if (whole)
            return error_set(error, STATUS_INPUT,
                             "--at: no plane goes with --%s",
                             asked->project ? "project" : "oblique");
        *place = (struct view_place){ .axis = axis, .at = range->first };
    }
    if (asked->project && asked->oblique)
        return error_set(error, STATUS_INPUT,
                         "--project and --oblique are two different views");
    return asked->project ? parse_projection(asked->project, place, error)
                          : STATUS_OK;
}

enum status drawing_layers(const struct view *view,
                           const struct place_range *layers,
                           struct picture_options *options, struct error *error)
{
    const struct range *range = &layers->ranges[0];
    int low = view->region.low[2], high = view->region.high[2];
    if (!layers->count)
        return STATUS_OK;
    if (range->first < low || range->last > high)
        return error_set(error, STATUS_INPUT,
                         "--at z: layers run from %d to %d", low, high);
    for (int64_t z = range->first; z <= range->last; z += range->step) {
        if (options->plane_count == LAYERS_MOST)
            return error_set(error, STATUS_INPUT,
                             "--at z: at most %d layers are shown at once",
                             LAYERS_MOST);
        options->planes[options->plane_count++] = (int)z;
    }
    return STATUS_OK;
}
