/* SPDX-License-Identifier: MIT */
#include "tools/look/drawing.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"
#include "base/team.h"
#include "base/utf8.h"
#include "base/version.h"
#include "cli/again.h"
#include "cli/recordings.h"
#include "draw/raster/installed.h"
#include "view/along.h"
#include "view/difference.h"
#include "view/settings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading of options ---- */

/* LO:HI or SHARE% */
static enum status parse_range(const char *text, double *low, double *high,
                               double *share, struct error *error)
{
    char *end;
    *low = strtod(text, &end);
    if (end != text && strcmp(end, "%") == 0 && *low > 0 && *low <= 100) {
        *share = *low / 100;
        return STATUS_OK;
    }
    bool good = end != text && *end == ':';
    const char *second = end + good;
    *high = strtod(second, &end);
    struct scale scale = { *low, *high, 0 };
    if (!good || end == second || *end || scale_check(&scale, NULL))
        return error_set(
            error, STATUS_INPUT,
            "--range '%s': LO:HI is required, two finite numbers, LO below "
            "HI, or a share of the values such as 98%%",
            text);
    return STATUS_OK;
}

/* AZIMUTH,ELEVATION */
static enum status parse_sight(const char *text, struct solid_sight *sight,
                               struct error *error)
{
    char *end;
    sight->azimuth = strtod(text, &end);
    bool good = end != text && *end == ',';
    const char *second = end + good;
    sight->elevation = strtod(second, &end);
    if (!good || end == second || *end || !(fabs(sight->azimuth) <= 360) ||
        !(fabs(sight->elevation) <= 90))
        return error_set(error, STATUS_INPUT,
                         "--view '%s': AZIMUTH,ELEVATION is required, degrees "
                         "within -360 ... 360 and -90 ... 90, as in 30,25",
                         text);
    return STATUS_OK;
}

static const struct {
    const char *name;
    unsigned overlay;
    bool arrows; /* may be followed by =N */
} overlay_names[] = {
    { "walls", OVERLAY_WALLS, false },
    { "agents", OVERLAY_AGENTS, false },
    { "trails", OVERLAY_TRAILS, false },
    { "paths", OVERLAY_PATHS, false },
    { "nodes", OVERLAY_NODES, false },
    { "colors", OVERLAY_COLORS, false },
    { "arrows", OVERLAY_HEADINGS, true },
    { "arrows=heading", OVERLAY_HEADINGS, false },
    { "arrows=gradient", OVERLAY_GRADIENT, false },
    { "gradient", OVERLAY_GRADIENT, true },
    { "gradient-direction", OVERLAY_DIRECTION, true },
    { "flux", OVERLAY_FLUX, true },
    { "one-way", OVERLAY_ONE_WAY, false },
    { "streamlines", OVERLAY_STREAMLINES, true },
    { "gradient-streamlines", OVERLAY_GRADIENT_STREAMLINES, true },
    { "front", OVERLAY_FRONT, false },
    { "areas", OVERLAY_AREAS, false },
    { "contours", OVERLAY_CONTOURS, false },
    { "values", OVERLAY_VALUES, false },
};

/* N of "arrows=N", 1 … 1000; 0: `text` is not of this form. */
static int parse_apart(const char *text, size_t length)
{
    char *end;
    long apart =
        length && text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
    return apart >= 1 && apart <= 1000 && end == text + length ? (int)apart : 0;
}

static unsigned find_overlay(const char *text, size_t length, int *apart)
{
    const char *sign = memchr(text, '=', length);
    size_t named = sign ? (size_t)(sign - text) : length;
    int given = sign ? parse_apart(sign + 1, length - named - 1) : 0;
    for (size_t i = 0; i < sizeof overlay_names / sizeof *overlay_names; i++) {
        size_t whole = overlay_names[i].arrows && given ? named : length;
        if (strlen(overlay_names[i].name) != whole ||
            strncmp(overlay_names[i].name, text, whole) != 0)
            continue;
        if (given)
            *apart = given;
        return overlay_names[i].overlay;
    }
    return 0;
}

/* STEP of "contours=STEP"; 0: `text` is not of this form. */
static double parse_contours(const char *text, size_t length)
{
    static const char name[] = "contours=";
    char *end;
    if (strncmp(text, name, sizeof name - 1) != 0)
        return 0;
    double step = strtod(text + sizeof name - 1, &end);
    return end == text + length && isfinite(step) && step > 0 ? step : 0;
}

static enum status parse_overlays(const char *text,
                                  struct picture_options *options,
                                  struct error *error)
{
    options->overlays = 0;
    if (strcmp(text, "none") == 0)
        return STATUS_OK;
    for (;;) {
        size_t length = strcspn(text, ",");
        unsigned overlay = find_overlay(text, length, &options->apart);
        double step = parse_contours(text, length);
        if (step > 0) {
            overlay = OVERLAY_CONTOURS;
            options->contour_step = step;
        }
        if (!overlay)
            return error_set(
                error, STATUS_INPUT,
                "--overlay '%.*s': overlays are walls, agents, "
                "trails, areas, paths, nodes, colors, arrows, gradient, "
                "gradient-direction, flux, streamlines, "
                "gradient-streamlines (these six with =N "
                "too: N cells apart, 1 to 1000), one-way, front, "
                "contours, contours=STEP (above 0), values, or none",
                (int)(length < 60 ? length : 60), text);
        options->overlays |= overlay;
        if (!text[length])
            return STATUS_OK;
        text += length + 1;
    }
}

/* What a reader needs, or with --bare only what is required? */
static bool is_figure(const struct drawing *asked)
{
    return asked->page && !asked->bare;
}

/* As if it was found in the data. */
static void take_range(const struct placed *placed,
                       struct picture_options *options)
{
    options->has_low = options->has_high = options->has_extremes = true;
    options->symmetric = false;
    options->low = placed->low;
    options->high = placed->high;
    options->least = placed->least;
    options->most = placed->most;
}

/* All of picture_options except layers, cell and em. The map's and the agents'
 * names are borrowed. */
static enum status make_options(const struct drawing *asked,
                                struct picture_options *options,
                                struct error *error)
{
    *options = (struct picture_options){
        .map = asked->map,
        .reversed = asked->reversed,
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
        .outside = asked->view,
        .level = asked->level,
        .smooth = asked->smooth,
        .vectors = asked->page != NULL,
        .paper = is_figure(asked),
    };
    bool logarithmic = asked->logarithmic || asked->linear_width > 0;
    if (asked->linear && logarithmic)
        return error_set(error, STATUS_INPUT,
                         "--linear and --log: give one of them");
    const struct field *field =
        field_find(asked->field ? asked->field : "amplitude");
    options->logarithmic =
        logarithmic ||
        (!options->paper && !asked->linear && !options->has_low &&
         !options->has_high && field && field->decades);
    if (options->paper && !options->logarithmic && field &&
        (field->decades || strcmp(field->name, "flux") == 0))
        options->share = .98;
    if (field && field->kinds &&
        (asked->map || asked->reversed || options->has_low ||
         options->has_high || asked->symmetric || logarithmic))
        return error_set(error, STATUS_INPUT,
                         "-f %s: has categories, each with its own colour; "
                         "leave out colour maps, ranges, --symmetric and --log",
                         field->name);
    if (asked->range && (!isnan(asked->low) || !isnan(asked->high)))
        return error_set(
            error, STATUS_INPUT,
            "--range sets what --low and --high set; give one or the other");
    if (!asked->view && !isnan(asked->level))
        return error_set(error, STATUS_INPUT,
                         "--level requires --view, whose surface it sets; "
                         "--overlay front draws lines");
    if (!asked->view && asked->smooth)
        return error_set(error, STATUS_INPUT,
                         "--smooth requires --view, whose surface it draws");
    enum status status = STATUS_OK;
    if (asked->view)
        status = parse_sight(asked->view, &options->sight, error);
    if (asked->range)
        options->share = 0;
    if (!status && asked->range)
        status = parse_range(asked->range, &options->low, &options->high,
                             &options->share, error);
    if (!status && asked->range && options->share > 0)
        options->has_low = options->has_high = false;
    if (!status)
        status = parse_overlays(asked->overlays   ? asked->overlays
                                : !options->paper ? "walls"
                                : asked->along    ? "walls,agents,trails"
                                                  : "walls,agents,trails,areas",
                                options, error);
    unsigned agents =
        OVERLAY_AGENTS | OVERLAY_TRAILS | OVERLAY_PATHS | OVERLAY_NODES;
    if (!status && !(options->overlays & agents) &&
        (asked->legend || asked->agents.count))
        status =
            error_set(error, STATUS_INPUT,
                      "--%s: no agents are drawn; add --overlay walls,agents",
                      asked->legend ? "legend" : "agent");
    if (asked->placed.has_range)
        take_range(&asked->placed, options);
    return status;
}

/* Of the decorations a panel of a larger page leaves out what others have. */
static void place_figure(const struct placed *placed,
                         struct figure_options *figure)
{
    figure->placed = true;
    figure->strip = placed->strip;
    figure->unnamed = placed->unnamed;
    figure->has_signs = placed->has_signs;
    figure->signs = placed->signs;
    memcpy(figure->margins, placed->margins, sizeof figure->margins);
    if (placed->shared)
        figure->bar = figure->key = false;
    if (placed->strip) {
        figure->bar = figure->key = true;
        figure->axes = figure->scale_bar = figure->legend = false;
        figure->has_inset = false;
        figure->title = NULL;
        figure->columns = figure->rows = 1;
    }
}

/* Without options a figure has all that a reader needs. */
static void choose_decorations(const struct drawing *asked,
                               struct figure_options *figure)
{
    const bool many = figure->columns * figure->rows > 1;
    const double column = 8.5, page = 17;
    if (!asked->page)
        return;
    if (!asked->film)
        figure->points = (asked->centimetres > 0 ? asked->centimetres
                          : many && !asked->bare ? page
                                                 : column) /
                         2.54 * 72;
    /* Its marks are by the agents' states, and have their names beside them. */
    figure->key = asked->legend && !asked->bare;
    figure->legend = asked->legend && asked->bare;
    if (asked->bare || asked->bar || asked->axes || asked->scale_bar ||
        asked->legend)
        return;
    figure->bar = true;
    figure->key = true;
    figure->axes = asked->along || (!asked->oblique && !many);
    figure->scale_bar = !figure->axes && !asked->view;
}

static enum status make_figure_options(const struct drawing *asked,
                                       int recordings,
                                       struct figure_options *figure,
                                       struct error *error)
{
    *figure = (struct figure_options){
        .bar = asked->bar,
        .axes = asked->axes,
        .scale_bar = asked->scale_bar,
        .legend = asked->legend,
        .title = asked->title,
        .font = asked->font,
        .columns = recordings,
        .rows = 1,
    };
    if (asked->vectors && asked->cell)
        return error_set(
            error, STATUS_INPUT,
            "--scale is for PNG, in pixels; use --width for PDF and SVG");
    if (!asked->montage) {
        choose_decorations(asked, figure);
        return STATUS_OK;
    }
    char *end;
    long columns = strtol(asked->montage, &end, 10);
    bool good = end != asked->montage && *end == 'x';
    const char *second = end + good;
    long rows = strtol(second, &end, 10);
    if (!good || end == second || *end || columns < 1 || rows < 1 ||
        columns > FIGURE_PANELS || rows > FIGURE_PANELS ||
        columns * rows > FIGURE_PANELS)
        return error_set(error, STATUS_INPUT,
                         "--montage '%s': CxR is required, C columns and R "
                         "rows with at most %d panels in all, as in 3x2",
                         asked->montage, FIGURE_PANELS);
    if (columns * rows % recordings != 0)
        return error_set(error, STATUS_INPUT,
                         "--montage '%s': %d recordings have one panel each, "
                         "so %d panels, or a multiple, are required",
                         asked->montage, recordings, recordings);
    figure->columns = (int)columns;
    figure->rows = (int)rows;
    choose_decorations(asked, figure);
    return STATUS_OK;
}

/* X,Y or in 3D X,Y,Z; returns its end, or NULL. */
static const char *parse_cell(const char *text, int dims, int cell[GRID_AXES])
{
    for (int axis = 0; axis < dims; axis++) {
        char *end;
        if (*text < '0' || *text > '9')
            return NULL;
        long value = strtol(text, &end, 10);
        cell[axis] = value < INT_MAX ? (int)value : INT_MAX;
        if (axis + 1 < dims && *end != ',')
            return NULL;
        text = end + (axis + 1 < dims);
    }
    return text;
}

/* CELL:CELL… */
static enum status parse_line(const char *text, int dims,
                              struct along_line *line, struct error *error)
{
    *line = (struct along_line){ 0 };
    const char *end = parse_cell(text, dims, line->point[line->count++]);
    while (end && *end == ':' && line->count < ALONG_POINTS)
        end = parse_cell(end + 1, dims, line->point[line->count++]);
    if (end && *end == ':')
        return error_set(error, STATUS_INPUT,
                         "--along '%s': up to %d cells are allowed", text,
                         ALONG_POINTS);
    if (!end || *end || line->count < 2)
        return error_set(
            error, STATUS_INPUT,
            "--along '%s': two cells or more of a map of %s are required, as "
            "in %s",
            text, dims == 2 ? "2D" : "3D",
            dims == 2 ? "0,12:60,12" : "0,12,3:60,12,3");
    return STATUS_OK;
}

/* Options that cannot be combined with a line over time. */
static enum status check_along(const struct drawing *asked, unsigned overlays,
                               enum pages_use use,
                               const struct place_range places[AT_KEYS],
                               struct error *error)
{
    const char *other = asked->project   ? "--project"
                        : asked->oblique ? "--oblique"
                        : asked->view    ? "--view"
                                         : NULL;
    if (places[AT_X].count || places[AT_Y].count || places[AT_Z].count)
        other = "a plane of --at";
    if (other)
        return error_set(error, STATUS_INPUT,
                         "--along and %s are two different views", other);
    const unsigned agents = OVERLAY_AGENTS | OVERLAY_TRAILS;
    if (overlays & ~(unsigned)(OVERLAY_WALLS | (is_figure(asked) ? agents : 0)))
        return error_set(error, STATUS_INPUT,
                         "--along: only walls and, without --bare, agents can "
                         "be drawn over it; leave --overlay out");
    if (use == PAGES_SHOWN)
        return error_set(error, STATUS_INPUT,
                         "--along: it is one picture of all steps, not a film; "
                         "use hamon-slice");
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
                     "--project '%s': max, max:x, max:y or max:z is required",
                     text);
}

/* The plane named by --at, or the projection. */
static enum status choose_place(const struct drawing *asked,
                                const struct place_range places[AT_KEYS],
                                struct view_place *place, struct error *error)
{
    const char *other = asked->project ? "project"
                        : asked->view  ? "view"
                                       : "oblique";
    *place = (struct view_place){ .axis = -1 };
    /* With --oblique and --view, z= names layers. */
    enum status status =
        place_range_plane(places, asked->oblique || asked->view ? 2 : GRID_AXES,
                          "--at: one plane is required: x=N, y=N or z=N",
                          &place->axis, &place->at, error);
    if ((asked->project || asked->oblique || asked->view) && place->axis >= 0)
        return error_set(error, STATUS_INPUT,
                         "--at: a plane cannot be combined with --%s", other);
    if (status)
        return status;
    if (asked->project && (asked->oblique || asked->view))
        return error_set(error, STATUS_INPUT,
                         "--project and --%s are two different views",
                         asked->view ? "view" : "oblique");
    if (asked->view && asked->oblique)
        return error_set(error, STATUS_INPUT,
                         "--view and --oblique are two different views");
    if (asked->view)
        place->axis = VIEW_WHOLE;
    return asked->project ? parse_projection(asked->project, place, error)
                          : STATUS_OK;
}

/* The layers of an oblique view, or the first and the last of a view from
 * outside, if --at z= names them. */
static enum status choose_layers(const struct view *view,
                                 const struct place_range *layers,
                                 struct picture_options *options,
                                 struct error *error)
{
    const struct range *range = &layers->ranges[0];
    int low = view->region.low[2], high = view->region.high[2];
    if (!layers->count)
        return STATUS_OK;
    if (range->first < low || range->last > high)
        return error_set(error, STATUS_INPUT, "--at z: the layers are %d to %d",
                         low, high);
    if (options->outside) {
        options->planes[options->plane_count++] = (int)range->first;
        options->planes[options->plane_count++] = (int)range->last;
        return STATUS_OK;
    }
    for (int64_t z = range->first; z <= range->last; z += range->step) {
        if (options->plane_count == LAYERS_MOST)
            return error_set(error, STATUS_INPUT,
                             "--at z: at most %d layers are shown at once",
                             LAYERS_MOST);
        options->planes[options->plane_count++] = (int)z;
    }
    return STATUS_OK;
}

/* ---- the options ---- */

/* Maximum without --threads; and the memory of a view for each cell. */
enum { THREADS_MOST = 16, THREADS_MEMORY = 200 << 20, VIEW_CELL_BYTES = 24 };

struct drawing drawing = { .aspect = 1,
                           .wave = WAVE_NEWEST,
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .level = (double)NAN };

static const struct cli_option table[] = {
    { CLI_TEXT, 'f', "field", "FIELD",
      "amplitude (default); gradient (its length);\n"
      "gradient-direction (by the run's rule signed or paper);\n"
      "heading (that agents follow: of the newest wave that has\n"
      "arrived by this step, by the run's detector; if agents\n"
      "steer at every step, towards the node that an agent there\n"
      "would choose), both in degrees counter-clockwise from the\n"
      "right; error (of the heading at the first arrival against\n"
      "the shortest path, in degrees); cause (of headings wrong\n"
      "by more than 90 degrees, as in hamon-reflection); flux (of\n"
      "energy, its length); arrival (first arrival by the run's\n"
      "detector, in generations; laplace detects near the leading\n"
      "edge, and its headings come from a sum of the wave);\n"
      "speed; cost (of a move into the cell); one-way (the only\n"
      "direction in which a cell may be left, in degrees as\n"
      "above); density (of paths: the agents that have walked\n"
      "through the cell by this step, each once); width (side of\n"
      "the largest square or cube of free cells that contains the\n"
      "cell; no value if it touches the map's edge, which is not a\n"
      "wall); height (in 3D the other extent of the free\n"
      "cross-section); or walls",
      &drawing.field, 0, 0 },
    { CLI_INT, 'w', "wave", "N",
      "draw wave N (at each step the newest; with --bare, --along,\n"
      "and of fields that are the same at every step, wave 0)",
      &drawing.wave, 0, 1e9 },
    { CLI_LIST, 0, "at", "step=RANGE,z=K",
      "draw these steps (N, A:B or A:STEP:B, or several separated\n"
      "by commas) and this plane (x=, y= or z=; 3D only; a range\n"
      "of z for --oblique); repeatable: steps add up",
      &drawing.at, 0, 0 },
    { CLI_RECORDING, 0, "minus", "FILE",
      "draw the difference from this recording at the same step;\n"
      "it must have the same grid, steps and waves",
      &drawing.minus, 0, 0 },
    { CLI_TEXT, 0, "along", "X,Y:X,Y",
      "draw the cells of a line from one cell to another, and on\n"
      "to further ones (X,Y:X,Y:X,Y, up to 32 cells): place to\n"
      "the right, time downwards, all steps or those of --at (in\n"
      "3D X,Y,Z:X,Y,Z), and over it where agents near the line\n"
      "are, and the wave's speed; hamon-slice only",
      &drawing.along, 0, 0 },
    { CLI_TEXT, 0, "project", "max",
      "in 3D, instead of a plane, the value farthest from 0 along\n"
      "z, or with max:x, max:y along another axis",
      &drawing.project, 0, 0 },
    { CLI_FLAG, 0, "oblique", NULL,
      "in 3D, several layers seen from above and in front: of\n"
      "each floor the layer with the fewest walls, or the layers\n"
      "of --at z=",
      &drawing.oblique, 0, 0 },
    { CLI_TEXT, 0, "view", "AZIMUTH,ELEVATION",
      "in 3D, the view from outside, AZIMUTH degrees to the right\n"
      "of the front and ELEVATION degrees above it (30,25): cells\n"
      "beyond --level are opaque cubes, walls are glass; with\n"
      "--at z= only these layers",
      &drawing.view, 0, 0 },
    { CLI_REAL, 0, "level", "VALUE",
      "level of the surface of --view: it encloses values of\n"
      "VALUE or farther from 0; of arrival, values of VALUE or\n"
      "less (the middle of the colours)",
      &drawing.level, -1e300, 1e300 },
    { CLI_FLAG, 0, "smooth", NULL,
      "with --view, instead of cubes a smooth surface: it crosses\n"
      "the level between the centres of cells",
      &drawing.smooth, 0, 0 },
    { CLI_TEXT, 'c', "colormap", "MAP",
      "a colour map, or a file of rows `r g b` or `#rrggbb`;\n"
      "-MAP reverses it",
      &drawing.map, 0, 0 },
    { CLI_FLAG, 'r', "reverse", NULL, "reverse the colour map",
      &drawing.reversed, 0, 0 },
    { CLI_FLAG, 0, "list-colormaps", NULL, "list the colour maps and exit",
      &drawing.list, 0, 0 },
    { CLI_TEXT, 'R', "range", "LO:HI",
      "the values of the first and the last colour, or the share\n"
      "of values that they enclose, as in 98% (figures: 98% of\n"
      "amplitude, gradient and flux; otherwise all values)",
      &drawing.range, 0, 0 },
    { CLI_REAL, 'm', "low", "LO", "the value of the first colour only",
      &drawing.low, 0, 0 },
    { CLI_REAL, 'M', "high", "HI", "the value of the last colour only",
      &drawing.high, 0, 0 },
    { CLI_FLAG, 'Z', "symmetric", NULL, "make the range symmetric about zero",
      &drawing.symmetric, 0, 0 },
    { CLI_FLAG, 0, "log", NULL,
      "colour by the signed logarithm of values; default of --bare\n"
      "for amplitude and gradient if no range is given",
      &drawing.logarithmic, 0, 0 },
    { CLI_REAL, 0, "log-width", "W",
      "the same, linear within W of zero (1e-4 of the range)",
      &drawing.linear_width, 1e-300, 1e300 },
    { CLI_FLAG, 0, "linear", NULL, "colour by the values, without logarithm",
      &drawing.linear, 0, 0 },
    { CLI_FLAG, 0, "per-frame", NULL,
      "a range of colours for each frame, not one for all", &drawing.per_frame,
      0, 0 },
    { CLI_INT, 'S', "scale", "N",
      "N x N pixels per cell (figures: for 300 dots per inch; in\n"
      "films it includes --bare; otherwise 1 if only the field is\n"
      "drawn, or for a picture about 800 pixels wide)",
      &drawing.cell, 1, 1000 },
    { CLI_TEXT, 0, "overlay", "WHAT,...",
      "draw over the field (figures: walls, agents, trails and\n"
      "areas; otherwise walls): walls, agents, trails, areas (of\n"
      "other speeds, costs and directions), paths (as planned),\n"
      "nodes (of relay walkers), colors (yellow and green cells\n"
      "that the last pursuer of a pincer avoided), arrows\n"
      "(headings that agents follow), gradient and flux (arrows\n"
      "with their lengths), gradient-direction (arrows of equal\n"
      "length), streamlines (of the flux), gradient-streamlines,\n"
      "arrows=N (an arrow every N cells; also for these five),\n"
      "one-way (arrows in cells that may be left in one direction\n"
      "only), front (the wave's front; over the field arrival its\n"
      "contours), contours (of the field, at the values of the\n"
      "colour bar) or contours=STEP (at multiples of STEP), with\n"
      "labels on figures, values (the number in each cell, if\n"
      "cells are large enough); or none",
      &drawing.overlays, 0, 0 },
    { CLI_LIST, 0, "agent", "NAME", "draw only this agent; repeatable",
      &drawing.agents, 0, 0 },
    { CLI_REAL, 0, "aspect", "R",
      "height of a figure of --along divided by its width (1)", &drawing.aspect,
      .05, 20 },
    { CLI_FLAG, 0, "bare", NULL,
      "draw the field only, N x N pixels per cell, and what is\n"
      "given by --overlay (walls), --bar and so on",
      &drawing.bare, 0, 0 },
    { CLI_TEXT, 0, "crop", "X0:X1,Y0:Y1",
      "draw only these cells; auto: free cells and 3 cells around\n"
      "them (default, but not of --bare); none: all",
      &drawing.crop, 0, 0 },
    { CLI_TEXT, 0, "inset", "X0:X1,Y0:Y1[@CORNER]",
      "draw these cells larger in a corner of the panel (nw, ne,\n"
      "sw or se; the one away from them)",
      &drawing.inset, 0, 0 },
    { CLI_FLAG, 0, "bar", NULL, "add a colour bar", &drawing.bar, 0, 0 },
    { CLI_FLAG, 0, "axes", NULL,
      "add axes in cells, or in metres by scale.cell", &drawing.axes, 0, 0 },
    { CLI_FLAG, 0, "scale-bar", NULL, "add a bar with a round length below",
      &drawing.scale_bar, 0, 0 },
    { CLI_FLAG, 0, "legend", NULL,
      "add a key of the marks below; with --bare, the agents' names",
      &drawing.legend, 0, 0 },
    { CLI_TEXT, 0, "title", "TEXT",
      "add a title; %d in it is the step, %t the time in seconds\n"
      "by scale.step, %f the recording's name (its folder's, if\n"
      "only that differs), %% a percent sign; with one of these\n"
      "three, each panel of a montage has a title",
      &drawing.title, 0, 0 },
    { CLI_TEXT, 0, "font", "FILE",
      "font of the text (DejaVu Sans); another installed font\n"
      "draws letters that it lacks",
      &drawing.font, 0, 0 },
    { .kind = CLI_TABLE, .value = &cli_language },
    { CLI_TEXT, 0, "montage", "CxR",
      "draw steps as panels in C columns and R rows, with\n"
      "letters; with several recordings, a panel for each\n"
      "recording and step (all in one row)",
      &drawing.montage, 0, 0 },
    { 0 },
};
const struct cli_option *drawing_options = table;

static int list_colormaps(void)
{
    for (const struct colormap *const *map = colormaps; *map; map++)
        printf("%-8s  %-10s  %s\n", (*map)->name,
               colormap_kind_names[(*map)->kind], (*map)->words);
    struct error error;
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

int drawing_run(struct cli *cli,
                enum status (*draw)(const struct cli *cli, struct error *error))
{
    struct error error;
    if (drawing.list)
        return list_colormaps();
    if (cli->operand_count < 1)
        return cli_usage(cli, "a recording is required");
    if (cli->operand_count > FIGURE_PANELS)
        return cli_usage(cli, "at most %d recordings can be drawn side by side",
                         FIGURE_PANELS);
    return draw(cli, &error) ? cli_fail(&error) : STATUS_OK;
}

/* The view of the required field, at pages->place. */
static enum status make_view(const struct pages *pages, struct shown *shown,
                             struct error *error)
{
    const bool first =
        drawing.wave == WAVE_NEWEST && (drawing.along || !is_figure(&drawing));
    enum status status =
        view_open(shown->recording, drawing.field, first ? 0 : drawing.wave,
                  &pages->place, &shown->view, error);
    if (!status && pages->sheet && shown->view->newest) {
        shown->view->moments = pages->moments;
        shown->view->moment_count = pages->moment_count;
    }
    if (!status && pages->minus)
        status = view_subtract(shown->view, pages->minus, error);
    return status;
}

/* A line in 3D needs all cells; angles are relative to a plane. */
static enum status place_line(struct pages *pages, struct error *error)
{
    const struct field *field = field_find(drawing.field);
    if (recording_grid(pages->shown[0].recording)->dims == 2)
        return STATUS_OK;
    pages->place.axis = VIEW_WHOLE;
    return field && field->angle
               ? error_set(
                     error, STATUS_INPUT,
                     "--along: in 3D %s is an angle in a plane and cannot be "
                     "shown along a line; use -f gradient or -f amplitude",
                     field->name)
               : STATUS_OK;
}

static void take_titles(struct pages *pages)
{
    const struct recording **all = need_memory(pages->shown_count, sizeof *all);
    for (size_t i = 0; i < pages->shown_count; i++)
        all[i] = pages->shown[i].recording;
    recording_titles(all, pages->shown_count, pages->titles,
                     sizeof pages->titles);
    for (size_t i = 0; i < pages->shown_count; i++)
        view_settings_apart(all, pages->shown_count, i, pages->shown[i].apart,
                            sizeof pages->shown[i].apart);
    memory_release(all);
}

/* For panels, without .h5; and all of them, for the pictures' notes. */
static void take_names(const struct cli *cli, struct pages *pages)
{
    const char *const *paths = (const char *const *)cli->operands;
    size_t used = 0, size = sizeof pages->sources;
    for (size_t i = 0; i < pages->shown_count; i++) {
        struct shown *shown = &pages->shown[i];
        char label[sizeof shown->name];
        recording_label_text(paths, pages->shown_count, i, label, sizeof label);
        used += utf8_copy(pages->sources + used, size - used, i ? ", " : "");
        used += utf8_copy(pages->sources + used, size - used, label);
        size_t length = strlen(label);
        if (length > 3 && strcmp(label + length - 3, ".h5") == 0)
            label[length - 3] = '\0';
        utf8_copy(shown->name, sizeof shown->name, label);
    }
}

static enum status check_grids(const struct pages *pages, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 1; i < pages->shown_count && !status; i++)
        status = difference_cells(pages->shown[0].recording,
                                  pages->shown[i].recording, "", "side by side",
                                  error);
    return status;
}

static enum status open_recordings(const struct cli *cli, struct pages *pages,
                                   struct error *error)
{
    enum status status = STATUS_OK;
    size_t count = (size_t)cli->operand_count;
    pages->shown = need_memory(count, sizeof *pages->shown);
    pages->shown_count = count;
    for (size_t i = 0; i < count && !status; i++) {
        struct shown *shown = &pages->shown[i];
        status = again_open(cli, cli->operands[i], &shown->opened, error);
        shown->recording = shown->opened;
    }
    if (!status && drawing.minus)
        status = again_open(cli, drawing.minus, &pages->opened_minus, error);
    pages->minus = pages->opened_minus;
    if (!status) {
        take_names(cli, pages);
        take_titles(pages);
    }
    return status;
}

/* Of a run without waves the map. */
static void choose_field(const struct pages *pages)
{
    if (!drawing.field)
        drawing.field = is_figure(&drawing) &&
                                !view_waves(pages->shown[0].recording) &&
                                !recording_ran_waves(pages->shown[0].recording)
                            ? "walls"
                            : "amplitude";
}

/* Opens the views and finds the data for their pictures. */
static enum status open_views(struct pages *pages,
                              const struct place_range places[AT_KEYS],
                              struct error *error)
{
    enum status status = choose_place(&drawing, places, &pages->place, error);
    if (!status && drawing.along)
        status = place_line(pages, error);
    for (size_t i = 0; i < pages->shown_count && !status; i++)
        status = make_view(pages, &pages->shown[i], error);
    if (!status && (drawing.oblique || drawing.view))
        status = choose_layers(pages->shown[0].view, &places[AT_Z],
                               &pages->options, error);
    return status;
}

static int64_t last_step(const struct recording *recording)
{
    int64_t rows = recording_rows(recording);
    return rows ? recording_steps(recording)[rows - 1] : -1;
}

/* The row of each of the steps; after a recording's end, its last row. */
static enum status find_rows(const struct pages *pages, struct shown *shown,
                             struct error *error)
{
    const struct recording *recording = shown->recording;
    enum status status = STATUS_OK;
    shown->rows = need_memory(pages->frames.count, sizeof *shown->rows);
    if (recording_rows(recording) < 1)
        return error_set(error, STATUS_INPUT, "%s: has no row yet",
                         recording_path(recording));
    for (size_t i = 0; i < pages->frames.count && !status; i++) {
        bool ended = pages->steps[i] > last_step(recording);
        shown->ended |= ended;
        shown->rows[i] = recording_rows(recording) - 1;
        if (!ended)
            status = recording_row_of(recording, pages->steps[i],
                                      &shown->rows[i], error);
    }
    return status;
}

/* Of so many panels, the columns with which they are largest on a page. */
static int sheet_columns(const struct recording *recording, int panels)
{
    const double page[2] = {
        drawing.centimetres > 0 ? drawing.centimetres : 17, 12.5 /* cm */
    };
    const struct box region = recording_region(recording);
    double nx = region.high[0] - region.low[0] + 1;
    double ny = region.high[1] - region.low[1] + 1, best = 0;
    int columns = 1;
    for (int i = 1; i <= panels; i++) {
        int rows = (panels + i - 1) / i;
        double cell = fmin(page[0] / (i * nx), page[1] / (rows * ny));
        if (cell >= best) {
            best = cell;
            columns = i;
        }
    }
    return columns;
}

/* The steps of a contact sheet: what happens in the run. */
static enum status choose_moments(struct pages *pages,
                                  struct place_range *asked,
                                  struct error *error)
{
    const struct recording *recording = pages->shown[0].recording;
    struct events events = { 0 };
    enum status status = events_read(recording, &events, error);
    size_t count = status ? 0
                          : moments_choose(recording, &events, MOMENTS_MOST,
                                           pages->moments);
    events_release(&events);
    for (size_t i = 0; i < count; i++) {
        const int64_t step = pages->moments[i].step;
        asked->ranges[asked->count++] =
            (struct range){ .first = step, .last = step, .step = 1 };
        pages->reasons[i] = pages->moments[i].reason;
    }
    pages->moment_count = count;
    if (count) {
        struct figure_options *layout = &pages->layout;
        layout->columns = sheet_columns(recording, (int)count);
        layout->rows = ((int)count + layout->columns - 1) / layout->columns;
        layout->reasons = pages->reasons;
        choose_decorations(&drawing, layout);
    }
    return status;
}

/* The steps of the longest recording. */
static enum status choose_steps(struct pages *pages,
                                const struct place_range *asked, int64_t every,
                                struct error *error)
{
    const struct recording *longest = pages->shown[0].recording;
    struct frames *frames = &pages->frames;
    for (size_t i = 1; i < pages->shown_count; i++)
        if (last_step(pages->shown[i].recording) > last_step(longest))
            longest = pages->shown[i].recording;
    enum status status = frames_choose(longest, asked, every, frames, error);
    if (status)
        return status;
    pages->steps = need_memory(frames->count, sizeof *pages->steps);
    for (size_t i = 0; i < frames->count; i++)
        pages->steps[i] = recording_steps(frames->recording)[frames->rows[i]];
    for (size_t i = 0; i < pages->shown_count && !status; i++) {
        struct shown *shown = &pages->shown[i];
        status = frames_source(shown->opened, pages->steps, frames->count,
                               &shown->recording, error);
        if (!status && !drawing.along)
            status = find_rows(pages, shown, error);
    }
    if (!status && pages->minus)
        status = frames_source(pages->opened_minus, pages->steps, frames->count,
                               &pages->minus, error);
    return status ? status : check_grids(pages, error);
}

/* The last row of a run that ends between two of record.every is not one
 * interval after the row before: unless steps are named, it has no place. */
static void drop_end(struct pages *pages)
{
    const int64_t *steps = pages->steps;
    const size_t last = pages->frames.count - 1;
    if (last > 1 && steps[last] - steps[last - 1] < steps[1] - steps[0])
        pages->frames.count--;
}

/* Changes each view to the line, over all steps; it then has one row. */
static enum status lay_along(struct pages *pages, bool named,
                             struct error *error)
{
    struct along_line line;
    const int dims = recording_grid(pages->shown[0].recording)->dims;
    enum status status = parse_line(drawing.along, dims, &line, error);
    if (!named)
        drop_end(pages);
    for (size_t i = 0; i < pages->shown_count && !status; i++) {
        struct shown *shown = &pages->shown[i];
        shown->rows = need_memory(1, sizeof *shown->rows);
        status = view_lay_along(shown->view, &line, pages->steps,
                                pages->frames.count, error);
    }
    return status;
}

/* If no plane was given, one near the middle that is open: in a plane between
 * floors all is wall. */
static enum status choose_plane(struct pages *pages, struct error *error)
{
    struct view_place *place = &pages->place;
    const struct shown *first = &pages->shown[0];
    if (first->view->cut.block.dims == 2 || place->axis >= 0 || drawing.oblique)
        return STATUS_OK;
    enum status status =
        view_read(first->view, first->rows[pages->frames.count - 1], error);
    if (status)
        return status;
    *place = (struct view_place){ .axis = 2, .at = layers_middle(first->view) };
    for (size_t i = 0; i < pages->shown_count; i++)
        view_move(pages->shown[i].view, (int)place->at);
    return STATUS_OK;
}

/* The free cells of the view's plane at a row, and so all that moves. */
static enum status add_free(struct view *view, int64_t row, struct cells *free,
                            struct error *error)
{
    const struct cut *cut = &view->cut;
    enum status status = view_go_to(view, row, error);
    for (int i = 0; i < cut->nx * cut->ny && !status; i++) {
        int x = i % cut->nx, y = i / cut->nx;
        if (view->wall[i])
            continue;
        free->left = x < free->left ? x : free->left;
        free->right = x > free->right ? x : free->right;
        free->top = y < free->top ? y : free->top;
        free->bottom = y > free->bottom ? y : free->bottom;
    }
    return status;
}

static void widen(struct cells *part, int by, const struct cut *cut)
{
    part->left = part->left > by ? part->left - by : 0;
    part->top = part->top > by ? part->top - by : 0;
    part->right = part->right + by < cut->nx ? part->right + by : cut->nx - 1;
    part->bottom =
        part->bottom + by < cut->ny ? part->bottom + by : cut->ny - 1;
}

/* Free cells and what moves, with 3 cells around. */
static enum status crop_to_free(struct pages *pages, struct error *error)
{
    enum { AROUND = 3 };
    const struct cut *cut = &pages->shown[0].view->cut;
    struct cells part = { cut->nx, cut->ny, -1, -1 };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pages->shown_count && !status; i++) {
        const struct shown *shown = &pages->shown[i];
        status = add_free(shown->view, shown->rows[0], &part, error);
        if (!status)
            status = add_free(shown->view, shown->rows[pages->frames.count - 1],
                              &part, error);
    }
    if (part.right < 0)
        return status;
    widen(&part, AROUND, cut);
    pages->options.cropped = true;
    pages->options.crop = part;
    return status;
}

/* X0:X1,Y0:Y1, or with other letters in a plane of 3D, in cells of the map;
 * *end is what follows. */
static enum status parse_cells(const char *option, const char *text,
                               const struct view *view, struct cells *part,
                               const char **end, struct error *error)
{
    int value[4], used = 0;
    const struct cut *cut = &view->cut;
    const int *low = view->region.low;
    int count = sscanf(text, "%d:%d,%d:%d%n", &value[0], &value[1], &value[2],
                       &value[3], &used);
    *part =
        (struct cells){ value[0] - low[cut->right], value[2] - low[cut->down],
                        value[1] - low[cut->right], value[3] - low[cut->down] };
    if (count < 4 || part->left < 0 || part->top < 0 ||
        part->left > part->right || part->top > part->bottom ||
        part->right >= cut->nx || part->bottom >= cut->ny)
        return error_set(error, STATUS_INPUT,
                         "--%s '%s': X0:X1,Y0:Y1 is required, cells of the "
                         "map (%d:%d,%d:%d are all)",
                         option, text, low[cut->right],
                         low[cut->right] + cut->nx - 1, low[cut->down],
                         low[cut->down] + cut->ny - 1);
    *end = text + used;
    return STATUS_OK;
}

/* CELLS or CELLS@CORNER; the default corner is that away from the cells. */
static enum status choose_inset(struct pages *pages, struct error *error)
{
    static const char *const corners[] = { "nw", "ne", "sw", "se" };
    struct figure_options *layout = &pages->layout;
    struct inset *inset = &layout->inset;
    const struct cells *cells = &inset->cells;
    const struct view *view = pages->shown[0].view;
    const char *end;
    if (!drawing.inset)
        return STATUS_OK;
    if (!is_figure(&drawing) || drawing.along || drawing.oblique ||
        drawing.view)
        return error_set(error, STATUS_INPUT,
                         "--inset: is a part of a plane in a figure; leave "
                         "out --bare, --along, --oblique and --view");
    enum status status =
        parse_cells("inset", drawing.inset, view, &inset->cells, &end, error);
    if (status)
        return status;
    layout->has_inset = true;
    inset->right = cells->left + cells->right < view->cut.nx;
    inset->bottom = cells->top + cells->bottom < view->cut.ny;
    bool good = !*end;
    for (int i = 0; i < 4 && *end == '@'; i++)
        if (strcmp(end + 1, corners[i]) == 0) {
            inset->right = i & 1;
            inset->bottom = i >> 1;
            good = true;
        }
    return good ? STATUS_OK
                : error_set(error, STATUS_INPUT,
                            "--inset '%s': a corner is @nw, @ne, @sw or @se",
                            drawing.inset);
}

static enum status choose_crop(struct pages *pages, struct error *error)
{
    const char *crop = drawing.crop          ? drawing.crop
                       : is_figure(&drawing) ? "auto"
                                             : "none";
    const struct view *view = pages->shown[0].view;
    bool plane = !drawing.along && !drawing.oblique && !drawing.view;
    if (strcmp(crop, "none") == 0 || (!plane && !drawing.crop))
        return STATUS_OK;
    if (!plane)
        return error_set(error, STATUS_INPUT,
                         "--crop: is a part of a plane; leave out --along, "
                         "--oblique and --view");
    if (strcmp(crop, "auto") == 0)
        return view->field->of_walls ? STATUS_OK : crop_to_free(pages, error);
    const char *end = "";
    enum status status =
        parse_cells("crop", crop, view, &pages->options.crop, &end, error);
    pages->options.cropped = true;
    return status || !*end
               ? status
               : error_set(error, STATUS_INPUT,
                           "--crop '%s': X0:X1,Y0:Y1, auto or none", crop);
}

/* The approximate width and height of a picture, in cells. */
static void picture_cells(const struct pages *pages, double size[2])
{
    const struct view *view = pages->shown[0].view;
    const struct cut *cut = &view->cut;
    const struct picture_options *options = &pages->options;
    const struct cells *crop = &options->crop;
    size[0] = drawing.oblique ? oblique_cells(cut->nx, cut->ny) : cut->nx;
    size[1] = cut->ny * (options->tall > 0 ? options->tall : 1);
    if (options->cropped) {
        size[0] = crop->right - crop->left + 1;
        size[1] = crop->bottom - crop->top + 1;
    }
    if (options->outside)
        solid_extent(&view->region, &options->sight, size);
}

/* Of a figure in a film: pixels of the longer side of its panels, of a cell at
 * most, and the em as a part of that side; with text it is about 800 wide. */
enum { FILM_PANELS = 600, FILM_CELL_MOST = 60 };
#define FILM_LETTERS .035

/* Points that are left for the panels of the highest page. */
#define HIGHEST 560

/* On paper, positions in whole pixels are exact to a 600th of an inch, those on
 * a page beside others to a 2400th; the rays
 * of a view from outside are as fine as a printed PNG's. */
static int paper_cell(const struct pages *pages)
{
    const struct figure_options *layout = &pages->layout;
    double size[2];
    double dots = pages->options.outside || !drawing.vectors ? 300
                  : drawing.on_page && !drawing.placed.strip ? 2400
                                                             : 600;
    picture_cells(pages, size);
    double cell = fmin(dots / 72 * layout->points / (size[0] * layout->columns),
                       dots / 72 * HIGHEST / (size[1] * layout->rows));
    /* Text and bars take a part of the page. */
    return (int)fmax(1, drawing.vectors ? ceil(cell) : round(.85 * cell));
}

/* The default size of a cell. Drawings over and round the field need room; the
 * field alone has a pixel a cell, as in h5topng. */
static int choose_cell(const struct pages *pages, enum pages_use use)
{
    const struct figure_options *layout = &pages->layout;
    double size[2];
    bool over = pages->options.overlays & ~(unsigned)OVERLAY_WALLS;
    if (drawing.cell)
        return (int)drawing.cell;
    if (layout->points > 0)
        return paper_cell(pages);
    if (use == PAGES_WRITTEN && figure_is_bare(layout) && !over &&
        !drawing.oblique && !drawing.view)
        return 1;
    picture_cells(pages, size);
    const bool figure = is_figure(&drawing); /* which needs room for text */
    const double most = figure ? FILM_CELL_MOST : 16;
    double width = size[0] * layout->columns, height = size[1] * layout->rows;
    double cell = (figure ? FILM_PANELS : 800) / fmax(width, height);
    cell = figure ? round(cell) : floor(cell);
    return (int)fmin(fmax(cell, 1), most);
}

/* Text and lines are sized for the page: several panels make it larger. In a
 * film letters are as large as those of a column on a screen. */
static double choose_em(const struct pages *pages)
{
    const struct figure_options *layout = &pages->layout;
    int cell = pages->options.cell;
    double size[2];
    picture_cells(pages, size);
    double width = cell * size[0] * layout->columns;
    double height = cell * size[1] * layout->rows;
    return drawing.film
               ? round(FILM_LETTERS * fmax(FILM_PANELS, fmax(width, height)))
               : picture_em(width, height);
}

/* Twins have the ranges that were found. */
static enum status make_pictures(struct pages *pages, struct error *error)
{
    enum status status = STATUS_OK;
    size_t count = pages->shown_count;
    size_t rows = pages->frames.count;
    for (size_t i = 0; i < count && !status; i++) {
        struct shown *shown = &pages->shown[i];
        pages->options.name = shown->name;
        pages->options.caption =
            drawing.along && shown->apart[0] ? shown->apart : NULL;
        pages->options.source = pages->sources;
        pages->options.title = pages->titles;
        pages->options.scaled = pages->lender && !pages->options.per_frame
                                    ? &pages->lender->shown[i].picture
                                    : NULL;
        pages->pictures[i] = &shown->picture;
        status = picture_init(&shown->picture, shown->view, &pages->options,
                              shown->rows, rows, pages->software, error);
    }
    if (!status && count > 1 && !pages->lender)
        status = picture_share_scale(pages->pictures, count, error);
    if (!status)
        status = figure_init(&pages->figure, &pages->shown[0].picture,
                             &pages->layout, error);
    return status || count < 2
               ? status
               : figure_set_beside(&pages->figure, pages->pictures, count,
                                   error);
}

/* Memory that each of the pages and their twins needs. */
static void make_room(struct pages *pages)
{
    pages->pictures = need_memory(pages->shown_count, sizeof *pages->pictures);
    pages->panel_rows = need_memory(pages->panels, sizeof *pages->panel_rows);
}

int drawing_threads(uint64_t each)
{
    int64_t threads = drawing.threads;
    if (threads)
        return (int)threads;
    uint64_t room = THREADS_MEMORY / (each + 1);
    threads = team_processors();
    threads = threads > THREADS_MOST ? THREADS_MOST : threads;
    threads = (uint64_t)threads > room ? (int64_t)room : threads;
    return threads < 1 ? 1 : (int)threads;
}

/* For a field that is the same at every step one row is sufficient, the last,
 * unless agents move over it. */
static void drop_rows(struct pages *pages)
{
    struct frames *frames = &pages->frames;
    const unsigned agents = OVERLAY_AGENTS | OVERLAY_TRAILS;
    if (pages->shown[0].view->field->by_row || frames->count < 2 ||
        (!drawing.along && (pages->options.overlays & agents)))
        return;
    size_t last = frames->count - 1;
    pages->steps[0] = pages->steps[last];
    for (size_t i = 0; i < pages->shown_count && !drawing.along; i++)
        pages->shown[i].rows[0] = pages->shown[i].rows[last];
    frames->count = 1;
}

/* How the pages are divided into panels, and all sizes. */
static void lay_out(struct pages *pages, enum pages_use use)
{
    const struct figure_options *layout = &pages->layout;
    const struct view *view = pages->shown[0].view;
    pages->panels = (size_t)layout->columns * (size_t)layout->rows;
    pages->steps_each = pages->panels / pages->shown_count;
    pages->count =
        (pages->frames.count + pages->steps_each - 1) / pages->steps_each;
    const bool list = crowd_of(tracks_agents(view->recording)) == CROWD_SOME;
    if (pages->panels == 1 && layout->key && list && !drawing.centimetres &&
        !drawing.along && (pages->options.overlays & OVERLAY_TRAILS))
        pages->layout.points *= 2; /* for the list of outcomes */
    if (drawing.along && is_figure(&drawing))
        pages->options.tall =
            drawing.aspect * view->cut.nx / (double)view->cut.ny;
    pages->options.cell = choose_cell(pages, use);
    pages->options.em = choose_em(pages);
    pages->options.threads =
        drawing_threads(grid_cells(&view->cut.block) * VIEW_CELL_BYTES);
    pages->options.sheet = use == PAGES_WRITTEN && figure_is_bare(layout);
    make_room(pages);
}

/* Reads the options, as far as possible without the recordings. */
static enum status read_options(const struct cli *cli, struct pages *pages,
                                enum pages_use use,
                                struct place_range places[AT_KEYS],
                                struct error *error)
{
    enum status status = make_options(&drawing, &pages->options, error);
    if (!status)
        status = make_figure_options(&drawing, cli->operand_count,
                                     &pages->layout, error);
    if (!status && drawing.on_page)
        place_figure(&drawing.placed, &pages->layout);
    for (size_t i = 0; i < drawing.at.count && !status; i++)
        status = place_range_parse(drawing.at.items[i], places, error);
    if (!status && drawing.along)
        status =
            check_along(&drawing, pages->options.overlays, use, places, error);
    return status;
}

enum status pages_open(const struct cli *cli, int64_t every, enum pages_use use,
                       struct pages *pages, struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    *pages = (struct pages){ 0 };
    snprintf(pages->software, sizeof pages->software, "%s %s, commit %s",
             cli->program, hamon_version, hamon_commit);
    enum status status = read_options(cli, pages, use, places, error);
    if (!status)
        status = open_recordings(cli, pages, error);
    if (!status)
        choose_field(pages);
    const struct field *field = status ? NULL : field_find(drawing.field);
    pages->sheet = is_figure(&drawing) && use == PAGES_WRITTEN &&
                   cli->operand_count == 1 && !places[AT_STEP].count &&
                   !drawing.montage && !drawing.along && !drawing.oblique &&
                   !drawing.view && field && field->by_row && !field->of_walls;
    if (!status && pages->sheet)
        status = choose_moments(pages, &places[AT_STEP], error);
    if (!status)
        status = choose_steps(pages, &places[AT_STEP],
                              drawing.along ? 1 : every, error);
    if (!status)
        status = open_views(pages, places, error);
    if (!status)
        status = drawing.along
                     ? lay_along(pages, places[AT_STEP].count > 0, error)
                     : choose_plane(pages, error);
    if (!status)
        status = choose_crop(pages, error);
    if (!status)
        status = choose_inset(pages, error);
    if (status)
        return status;
    drop_rows(pages);
    lay_out(pages, use);
    return status ? status : make_pictures(pages, error);
}

enum status pages_twin(const struct pages *pages, struct pages *twin,
                       struct error *error)
{
    *twin = *pages;
    twin->lender = pages;
    twin->figure = (struct figure){ 0 };
    twin->pictures = NULL;
    twin->panel_rows = NULL;
    twin->shown = need_memory(pages->shown_count, sizeof *twin->shown);
    make_room(twin);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < pages->shown_count && !status; i++) {
        struct shown *shown = &twin->shown[i];
        *shown = pages->shown[i];
        shown->view = NULL;
        shown->picture = (struct picture){ 0 };
        status = make_view(twin, shown, error);
    }
    return status ? status : make_pictures(twin, error);
}

uint64_t pages_bytes(const struct pages *pages)
{
    const struct shown *first = &pages->shown[0];
    const struct image *image = &first->picture.image;
    uint64_t pixels = (uint64_t)image->width * (uint64_t)image->height;
    uint64_t cells = grid_cells(&first->view->cut.block);
    if (!image->rgb)
        pixels = cells;
    uint64_t more = first->view->field->cell_bytes;
    if (pages->options.overlays & OVERLAY_HEADINGS)
        more += field_find("heading")->cell_bytes;
    return (pixels * 8 + cells * 18) * pages->panels +
           cells * more * pages->shown_count;
}

void pages_close(struct pages *pages)
{
    figure_release(&pages->figure);
    page_release(pages->page);
    image_release(&pages->frame);
    memory_release(pages->pictures);
    memory_release(pages->panel_rows);
    for (size_t i = 0; pages->shown && i < pages->shown_count; i++) {
        struct shown *shown = &pages->shown[i];
        picture_release(&shown->picture);
        view_release(shown->view);
        if (pages->lender)
            continue;
        memory_release(shown->rows);
        recording_close(shown->opened);
    }
    memory_release(pages->shown);
    if (!pages->lender) {
        frames_release(&pages->frames);
        memory_release(pages->steps);
        recording_close(pages->opened_minus);
    }
    *pages = (struct pages){ 0 };
}

static enum status pages_paint(struct pages *pages, size_t page,
                               struct error *error)
{
    size_t first = page * pages->steps_each, count = 0;
    if (pages->layout.strip)
        return figure_paint(&pages->figure, pages->shown[0].rows, 0, error);
    for (size_t i = first;
         i < first + pages->steps_each && i < pages->frames.count; i++)
        for (size_t k = 0; k < pages->shown_count; k++)
            pages->panel_rows[count++] = pages->shown[k].rows[i];
    return figure_paint(&pages->figure, pages->panel_rows, count, error);
}

enum status pages_show(struct pages *pages, size_t page,
                       const struct image **image, struct error *error)
{
    struct figure *figure = &pages->figure;
    enum status status = STATUS_OK;
    if (drawing.page && !pages->page)
        status = page_open(drawing.page, &figure->size, pages->layout.font,
                           NULL, &pages->page, error);
    figure->page = pages->page;
    figure->keeps = pages->page && !pages->options.per_frame;
    if (!status)
        status = pages_paint(pages, page, error);
    if (!status && pages->page)
        status = page_pixels(pages->page, &pages->frame, error);
    *image = pages->page ? &pages->frame : figure_page(figure);
    return status;
}

static enum status write_paper(struct pages *pages, size_t number,
                               const char *path, bool force,
                               struct error *error)
{
    struct figure *figure = &pages->figure;
    const struct picture *picture = &pages->shown[0].picture;
    struct output output;
    struct page *page = NULL;
    enum status status = output_open(&output, path, force, error);
    if (status)
        return status;
    status = page_open(drawing.page, &figure->size, pages->layout.font,
                       output.file, &page, error);
    figure->page = page;
    if (!status)
        status = pages_paint(pages, number, error);
    if (!status)
        status = page_end(page, picture->notes, picture->note_count, error);
    page_release(page);
    figure->page = NULL;
    if (!status)
        return output_commit(&output, error);
    output_abandon(&output);
    return status;
}

enum status pages_write(struct pages *pages, size_t page, const char *path,
                        bool force, struct error *error)
{
    const struct picture *picture = &pages->shown[0].picture;
    if (pages->options.vectors)
        return write_paper(pages, page, path, force, error);
    enum status status = pages_paint(pages, page, error);
    if (status)
        return status;
    if (!pages->figure.font)
        return picture_write(picture, path, force, error);
    return image_write_png(figure_page(&pages->figure), picture->notes,
                           picture->note_count, path, force, error);
}

int64_t pages_step(const struct pages *pages, size_t page)
{
    return pages->steps[page * pages->steps_each];
}

/* The meaning of the colours, reported once for all pictures. */
static void report_colors(const struct cli *cli, const struct pages *pages)
{
    const struct shown *first = &pages->shown[0];
    const struct picture *picture = &first->picture;
    const char *path = recording_path(first->recording);
    char what[256], range[256];
    if (first->view->field->kinds) {
        if (!drawing.bar)
            cli_say(cli, "-f %s: --bar adds a key of the colours",
                    first->view->field->name);
        return;
    }
    if ((drawing.range && !picture->options.logarithmic && !cli->verbose) ||
        drawing.per_frame)
        return;
    picture_describe(picture, what, sizeof what);
    for (size_t i = 0; i < (pages->figure.own_bars ? pages->shown_count : 1);
         i++) {
        const struct shown *shown = &pages->shown[i];
        picture_range(&shown->picture, range, sizeof range);
        cli_say(cli, "%s: %s: colours from %s",
                recording_path(shown->recording), what, range);
    }
    if (pages->options.outside && !first->view->field->of_walls)
        cli_say(cli, "%s: the surface is at %.6g", path,
                picture_level(picture));
}

void pages_report(const struct cli *cli, const struct pages *pages)
{
    const struct shown *first = &pages->shown[0];
    const struct frames *frames = &pages->frames;
    size_t pictures = frames->count * pages->shown_count;
    if (frames->absent > 0 && first->view->field->by_row)
        cli_say(cli, "%s: %zu of %lld steps are recorded; the last is %lld",
                recording_path(first->recording), frames->count,
                (long long)((int64_t)frames->count + frames->absent),
                (long long)last_step(first->recording));
    for (size_t i = 0; i < pages->shown_count; i++)
        if (pages->shown[i].ended && first->view->field->by_row)
            cli_say(cli, "%s: ended at step %lld, which later pictures repeat",
                    recording_path(pages->shown[i].recording),
                    (long long)last_step(pages->shown[i].recording));
    if (pictures < pages->panels)
        cli_say(cli,
                "--montage %dx%d has %zu places, and there %s %zu picture%s: "
                "the others stay empty; name more steps (--at step=A,B,...), "
                "or a smaller montage",
                pages->layout.columns, pages->layout.rows, pages->panels,
                pictures == 1 ? "is" : "are", pictures,
                pictures == 1 ? "" : "s");
    report_colors(cli, pages);
}

static void report_titles(const struct cli *cli, const struct pages *pages,
                          const struct pages *twins, int count)
{
    size_t cut = pages->figure.cut_titles;
    for (int i = 0; i < count; i++)
        cut += twins[i].figure.cut_titles;
    if (cut)
        cli_say(cli,
                "%zu title%s cut to the width of %s panel; shorten --title, "
                "or have fewer panels side by side",
                cut, cut > 1 ? "s are" : " is", cut > 1 ? "their" : "its");
}

/* Twins draw the same names, and one of them may have drawn all pages. */
static void report_lacking(const struct cli *cli, const struct pages *pages,
                           const struct pages *twins, int count)
{
    const char *lacking = "";
    for (int i = 0; i <= count && !*lacking; i++) {
        const struct font *font = (i ? &twins[i - 1] : pages)->figure.font;
        lacking = font ? font_lacks(font) : "";
    }
    if (*lacking)
        cli_say(cli, LACKING_MESSAGE " or choose one by --font",
                recording_path(pages->shown[0].recording), lacking,
                lacking_packages(lacking));
}

void pages_report_drawn(const struct cli *cli, const struct pages *pages,
                        const struct pages *twins, int count)
{
    report_titles(cli, pages, twins, count);
    report_lacking(cli, pages, twins, count);
    for (size_t i = 0; i < pages->shown_count; i++) {
        const struct picture *picture = &pages->shown[i].picture;
        struct few_arrows few = picture->few_arrows;
        for (int k = 0; k < count; k++)
            few_arrows_add(&few, &twins[k].shown[i].picture.few_arrows);
        if (!few.pictures)
            continue;
        char more[64] = "";
        if (few.pictures > 1)
            snprintf(more, sizeof more, ", and few can in %zu more picture%s",
                     few.pictures - 1, few.pictures > 2 ? "s" : "");
        const struct recording *recording = pages->shown[i].recording;
        cli_say(cli,
                "%s: step %lld: %zu of %zu free cells can have an arrow%s; "
                "in the others %s has no value or a very small one "
                "(hamon-info lists when waves were sent)",
                recording_path(recording),
                (long long)recording_steps(recording)[few.row], few.cells,
                few.free_cells, more, picture->arrows->field->name);
    }
}
