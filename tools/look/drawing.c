/* SPDX-License-Identifier: MIT */
#include "tools/look/drawing.h"

#include "base/output.h"
#include "base/team.h"
#include "base/version.h"
#include "view/difference.h"
#include "view/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the words of the options, read ---- */

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
                         "--view '%s': AZIMUTH,ELEVATION is wanted, degrees "
                         "within -360 ... 360 and -90 ... 90, as in 30,25",
                         text);
    return STATUS_OK;
}

static const struct {
    const char *name;
    unsigned overlay;
    bool arrows; /* takes =N too */
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
    { "front", OVERLAY_FRONT, false },
};

/* N of "arrows=N", 1 … 1000; 0: `text` is nothing like that. */
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
        if (!overlay)
            return error_set(error, STATUS_INPUT,
                             "--overlay '%.*s': overlays are walls, agents, "
                             "trails, paths, nodes, colors, arrows, gradient, "
                             "gradient-direction, flux (these four with =N "
                             "too: N cells apart, 1 to 1000), front, or none",
                             (int)(length < 60 ? length : 60), text);
        options->overlays |= overlay;
        if (!text[length])
            return STATUS_OK;
        text += length + 1;
    }
}

/* Everything of picture_options but layers, cell and em. The map's and the
 * agents' names are borrowed. */
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
        .vectors = asked->vectors,
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
    if (field && field->kinds &&
        (asked->map || asked->reversed || options->has_low ||
         options->has_high || asked->symmetric || logarithmic))
        return error_set(error, STATUS_INPUT,
                         "-f %s: is of kinds, each with a colour of its own; "
                         "leave out colour maps, ranges, --symmetric and --log",
                         field->name);
    if (asked->range && (!isnan(asked->low) || !isnan(asked->high)))
        return error_set(error, STATUS_INPUT,
                         "--range and --low or --high say the same twice");
    if (!asked->view && !isnan(asked->level))
        return error_set(error, STATUS_INPUT,
                         "--level: is of the surface that --view shows; "
                         "--overlay front draws lines");
    enum status status = STATUS_OK;
    if (asked->view)
        status = parse_sight(asked->view, &options->sight, error);
    if (!status && asked->range)
        status =
            parse_range(asked->range, &options->low, &options->high, error);
    if (!status)
        status = parse_overlays(asked->overlays, options, error);
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

static enum status make_figure_options(const struct drawing *asked,
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
        .columns = 1,
        .rows = 1,
        .points = asked->vectors ? asked->centimetres / 2.54 * 72 : 0,
    };
    if (asked->vectors && asked->cell)
        return error_set(error, STATUS_INPUT,
                         "--scale: is of PNG, in pixels; the size of PDF and "
                         "SVG is set by --width");
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

/* The one plane that --at names, or the projection. */
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
                          "--at: one plane is wanted: x=N, y=N or z=N",
                          &place->axis, &place->at, error);
    if ((asked->project || asked->oblique || asked->view) && place->axis >= 0)
        return error_set(error, STATUS_INPUT, "--at: no plane goes with --%s",
                         other);
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
        return error_set(error, STATUS_INPUT,
                         "--at z: layers run from %d to %d", low, high);
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

/* If --threads is not given; and what a view takes a cell. */
enum { THREADS_MOST = 16, THREADS_MEMORY = 200 << 20, VIEW_CELL_BYTES = 24 };

struct drawing drawing = { .field = "amplitude",
                           .overlays = "walls",
                           .low = (double)NAN,
                           .high = (double)NAN,
                           .level = (double)NAN };

const struct cli_option drawing_options[] = {
    { CLI_TEXT, 'f', "field", "FIELD",
      "amplitude (default), gradient (its length),\n"
      "gradient-direction (by the run's rule signed or paper),\n"
      "heading (that agents follow: of the newest emission that\n"
      "has arrived by the step, by the run's detector, or if\n"
      "agents steer at every step to the node that one there\n"
      "takes; both in degrees counter-clockwise from the right),\n"
      "error (of the heading at the first arrival, degrees off\n"
      "the shortest path), cause (of headings more than 90 off,\n"
      "as hamon-reflection has it), flux (of energy, its length),\n"
      "arrival (first arrival, generations), speed, width (the\n"
      "side of the largest square or cube of free cells that\n"
      "contains the cell), height (in 3D the other extent of the\n"
      "free cross-section) or walls",
      &drawing.field, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &drawing.wave, 0, 1e9 },
    { CLI_LIST, 0, "at", "step=RANGE,z=K",
      "at these steps (N, A:B or A:STEP:B, or several by\n"
      "commas) and in this plane (x=, y= or z=; 3D alone; a\n"
      "range of z for --oblique); repeatable: steps add up",
      &drawing.at, 0, 0 },
    { CLI_FILE, 0, "minus", "FILE",
      "less the same of this recording at the same step: of\n"
      "the same grid, steps and waves",
      &drawing.minus, 0, 0 },
    { CLI_TEXT, 0, "project", "max",
      "instead of a plane of 3D, the value farthest from 0\n"
      "along z, or with max:x, max:y along another axis",
      &drawing.project, 0, 0 },
    { CLI_FLAG, 0, "oblique", NULL,
      "several layers of 3D, seen from above and before: of\n"
      "each floor the one with the least walls, or those that\n"
      "--at z= names",
      &drawing.oblique, 0, 0 },
    { CLI_TEXT, 0, "view", "AZIMUTH,ELEVATION",
      "3D from outside, from so many degrees to the right of the\n"
      "front and above it (30,25): the cells beyond --level as\n"
      "opaque cubes, walls as glass; of the layers --at z= alone",
      &drawing.view, 0, 0 },
    { CLI_REAL, 0, "level", "VALUE",
      "of that surface: it encloses what is VALUE or farther from\n"
      "0, of arrival what is VALUE or less (half of the colours)",
      &drawing.level, -1e300, 1e300 },
    { CLI_TEXT, 'c', "colormap", "MAP",
      "a colour map, or a file of rows `r g b`; -MAP reverses", &drawing.map, 0,
      0 },
    { CLI_FLAG, 'r', "reverse", NULL, "reverse the colour map",
      &drawing.reversed, 0, 0 },
    { CLI_FLAG, 0, "list-colormaps", NULL, "list them and exit", &drawing.list,
      0, 0 },
    { CLI_TEXT, 'R', "range", "LO:HI",
      "the values of the first and the last colour", &drawing.range, 0, 0 },
    { CLI_REAL, 'm', "low", "LO", "of the first colour alone", &drawing.low, 0,
      0 },
    { CLI_REAL, 'M', "high", "HI", "of the last colour alone", &drawing.high, 0,
      0 },
    { CLI_FLAG, 'Z', "symmetric", NULL, "make the range symmetric to zero",
      &drawing.symmetric, 0, 0 },
    { CLI_FLAG, 0, "log", NULL,
      "colours by the values' signed logarithm: so are those of\n"
      "amplitude and gradient where no range is given",
      &drawing.logarithmic, 0, 0 },
    { CLI_REAL, 0, "log-width", "W",
      "the same, linear within W of zero (1e-4 of the range)",
      &drawing.linear_width, 1e-300, 1e300 },
    { CLI_FLAG, 0, "linear", NULL, "colours by the values themselves",
      &drawing.linear, 0, 0 },
    { CLI_FLAG, 0, "per-frame", NULL, "a range for each frame, not one for all",
      &drawing.per_frame, 0, 0 },
    { CLI_INT, 'S', "scale", "N",
      "N x N pixels a cell (1 for the field alone, else for a\n"
      "page some 800 wide)",
      &drawing.cell, 1, 1000 },
    { CLI_TEXT, 0, "overlay", "WHAT,...",
      "over the field: walls (default), agents, trails, paths\n"
      "(as planned), nodes (of relay walkers), colors (yellow\n"
      "and green cells that the last pursuer of a pincer went\n"
      "round), arrows (headings that agents follow), gradient\n"
      "and flux (arrows as long as they are),\n"
      "gradient-direction (arrows along it), arrows=N (N cells\n"
      "apart; the other three as well), front (where the wave has come to; "
      "contours over\n"
      "the field arrival); or none",
      &drawing.overlays, 0, 0 },
    { CLI_LIST, 0, "agent", "NAME", "of the agents this one alone; repeatable",
      &drawing.agents, 0, 0 },
    { CLI_FLAG, 0, "bar", NULL, "a colour bar", &drawing.bar, 0, 0 },
    { CLI_FLAG, 0, "axes", NULL, "axes in cells, or in metres by scale.cell",
      &drawing.axes, 0, 0 },
    { CLI_FLAG, 0, "scale-bar", NULL, "a bar of a round length under it",
      &drawing.scale_bar, 0, 0 },
    { CLI_FLAG, 0, "legend", NULL, "the agents' names under it",
      &drawing.legend, 0, 0 },
    { CLI_TEXT, 0, "title", "TEXT",
      "a title; %d in it is the step, %t the time in seconds\n"
      "by scale.step, %% a percent sign; with a step or a time\n"
      "it is each panel's of a montage",
      &drawing.title, 0, 0 },
    { CLI_TEXT, 0, "font", "FILE", "font of the text (DejaVu Sans)",
      &drawing.font, 0, 0 },
    { CLI_TEXT, 0, "montage", "CxR",
      "steps as panels of C columns and R rows, a letter each",
      &drawing.montage, 0, 0 },
    { 0 },
};

static int list_colormaps(void)
{
    for (const struct colormap *const *map = colormaps; *map; map++)
        printf("%-8s  %-10s  %s\n", (*map)->name,
               colormap_kind_names[(*map)->kind], (*map)->words);
    struct error error;
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

int drawing_run(struct cli *cli, const char *missing,
                enum status (*draw)(const struct cli *cli, const char *path,
                                    struct error *error))
{
    struct error error;
    if (drawing.list)
        return list_colormaps();
    if (cli->operand_count != 1)
        return cli_usage(cli, "one recording is wanted");
    if (missing)
        return cli_usage(cli, "%s", missing);
    return draw(cli, cli->operands[0], &error) ? cli_fail(&error) : STATUS_OK;
}

/* The field as it is asked for, at pages->place. */
static enum status make_view(struct pages *pages, struct error *error)
{
    enum status status =
        view_open(pages->recording, drawing.field, drawing.wave, &pages->place,
                  &pages->view, error);
    if (!status && pages->minus)
        status = view_subtract(pages->view, pages->minus, error);
    return status;
}

/* Opens the view and finds what its pictures take. */
static enum status open_view(struct pages *pages, const char *path,
                             const struct place_range places[AT_KEYS],
                             struct error *error)
{
    enum status status = choose_place(&drawing, places, &pages->place, error);
    if (!status)
        status = replay_open(path, &pages->recording, error);
    if (!status && drawing.minus)
        status = replay_open(drawing.minus, &pages->minus, error);
    if (!status)
        status = make_view(pages, error);
    if (!status && (drawing.oblique || drawing.view))
        status =
            choose_layers(pages->view, &places[AT_Z], &pages->options, error);
    return status;
}

/* If no plane was given, one that is open, near the middle: between
 * floors there is nothing to be seen. */
static enum status choose_plane(struct pages *pages, struct error *error)
{
    struct view_place *place = &pages->place;
    if (pages->view->cut.block.dims == 2 || place->axis >= 0 || drawing.oblique)
        return STATUS_OK;
    const struct frames *frames = &pages->frames;
    enum status status =
        view_read(pages->view, frames->rows[frames->count - 1], error);
    if (status)
        return status;
    *place = (struct view_place){ .axis = 2, .at = layers_middle(pages->view) };
    view_move(pages->view, (int)place->at);
    return STATUS_OK;
}

/* How many cells a picture is wide and high, about. */
static void picture_cells(const struct pages *pages, double size[2])
{
    const struct cut *cut = &pages->view->cut;
    const struct picture_options *options = &pages->options;
    size[0] = drawing.oblique ? oblique_cells(cut->nx, cut->ny) : cut->nx;
    size[1] = cut->ny;
    if (options->outside)
        solid_extent(&pages->view->region, &options->sight, size);
}

/* On paper what is placed in whole pixels stands within a 600th of an inch; the
 * rays of a view from outside are as fine as a printed PNG's. */
static int paper_cell(const struct pages *pages)
{
    const struct figure_options *layout = &pages->layout;
    double size[2], dots = pages->options.outside ? 300 : 600;
    picture_cells(pages, size);
    double cell = dots / 72 * layout->points / (size[0] * layout->columns);
    return (int)fmax(1, ceil(cell));
}

/* Where it was not asked for. What is drawn over the field and round it wants
 * room; the field alone has a pixel a cell, as h5topng gives it. */
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
    double width = size[0] * layout->columns, height = size[1] * layout->rows;
    int cell = (int)(800 / fmax(width, height));
    return cell < 1 ? 1 : cell > 16 ? 16 : cell;
}

/* Text and lines go by the page: several panels make it larger. */
static double choose_em(const struct pages *pages)
{
    int cell = pages->options.cell;
    double size[2];
    picture_cells(pages, size);
    return picture_em(cell * size[0] * pages->layout.columns,
                      cell * size[1] * pages->layout.rows);
}

static enum status make_pictures(struct pages *pages, struct error *error)
{
    enum status status = picture_init(
        &pages->picture, pages->view, &pages->options, pages->frames.rows,
        pages->frames.count, pages->software, error);
    if (!status)
        status =
            figure_init(&pages->figure, &pages->picture, &pages->layout, error);
    return status;
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

enum status pages_open(const char *path, const char *program, int64_t every,
                       enum pages_use use, struct pages *pages,
                       struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    *pages = (struct pages){ 0 };
    snprintf(pages->software, sizeof pages->software, "%s %s, commit %s",
             program, hamon_version, hamon_commit);
    enum status status = make_options(&drawing, &pages->options, error);
    if (!status)
        status = make_figure_options(&drawing, &pages->layout, error);
    for (size_t i = 0; i < drawing.at.count && !status; i++)
        status = place_range_parse(drawing.at.items[i], places, error);
    if (!status)
        status = open_view(pages, path, places, error);
    if (!status)
        status = frames_choose(pages->recording, &places[AT_STEP], every,
                               &pages->frames, error);
    if (!status)
        status = choose_plane(pages, error);
    if (status)
        return status;
    struct frames *frames = &pages->frames;
    if (!pages->view->field->by_row && frames->count > 1 &&
        !(pages->options.overlays & (OVERLAY_AGENTS | OVERLAY_TRAILS))) {
        frames->rows[0] = frames->rows[frames->count - 1];
        frames->count = 1; /* the same whatever the step */
    }
    pages->panels = (size_t)pages->layout.columns * (size_t)pages->layout.rows;
    pages->count = (frames->count + pages->panels - 1) / pages->panels;
    pages->options.cell = choose_cell(pages, use);
    pages->options.em = choose_em(pages);
    pages->options.threads =
        drawing_threads(grid_cells(&pages->view->cut.block) * VIEW_CELL_BYTES);
    pages->options.sheet =
        use == PAGES_WRITTEN && figure_is_bare(&pages->layout);
    return make_pictures(pages, error);
}

enum status pages_twin(const struct pages *pages, struct pages *twin,
                       struct error *error)
{
    const struct scale *scale = &pages->picture.scale;
    *twin = *pages;
    twin->borrowed = true;
    twin->view = NULL;
    twin->picture = (struct picture){ 0 };
    twin->figure = (struct figure){ 0 };
    struct picture_options *options = &twin->options;
    if (!options->per_frame && pages->view->field->range != RANGE_FIXED) {
        /* the range is found */
        options->symmetric = false;
        options->has_low = options->has_high = true;
        options->low = scale->low;
        options->high = scale->high;
        options->linear_width = scale->linear_width;
    }
    enum status status = make_view(twin, error);
    return status ? status : make_pictures(twin, error);
}

uint64_t pages_bytes(const struct pages *pages)
{
    const struct image *image = &pages->picture.image;
    uint64_t pixels = (uint64_t)image->width * (uint64_t)image->height;
    uint64_t cells = grid_cells(&pages->view->cut.block);
    if (!image->rgb)
        pixels = cells;
    uint64_t more = pages->view->field->cell_bytes;
    if (pages->options.overlays & OVERLAY_HEADINGS)
        more += field_find("heading")->cell_bytes;
    return (pixels * 8 + cells * 18) * pages->panels + cells * more;
}

void pages_close(struct pages *pages)
{
    figure_release(&pages->figure);
    picture_release(&pages->picture);
    view_release(pages->view);
    if (!pages->borrowed) {
        frames_release(&pages->frames);
        recording_close(pages->recording);
        recording_close(pages->minus);
    }
    *pages = (struct pages){ 0 };
}

enum status pages_paint(struct pages *pages, size_t page, struct error *error)
{
    size_t first = page * pages->panels;
    size_t left = pages->frames.count - first;
    return figure_paint(&pages->figure, pages->frames.rows + first,
                        left < pages->panels ? left : pages->panels, error);
}

static enum status write_vectors(struct pages *pages, size_t number,
                                 const char *path, bool force,
                                 struct error *error)
{
    struct figure *figure = &pages->figure;
    const struct picture *picture = &pages->picture;
    struct output output;
    struct page *page = NULL;
    enum status status = output_open(&output, path, force, error);
    if (status)
        return status;
    status = page_open(drawing.vectors, &figure->size, pages->layout.font,
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
    const struct picture *picture = &pages->picture;
    if (pages->options.vectors)
        return write_vectors(pages, page, path, force, error);
    enum status status = pages_paint(pages, page, error);
    if (status)
        return status;
    if (figure_is_bare(&pages->layout) && !picture->options.oblique)
        return picture_write(picture, path, force, error);
    return image_write_png(figure_page(&pages->figure), picture->notes,
                           picture->note_count, path, force, error);
}

int64_t pages_step(const struct pages *pages, size_t page)
{
    return recording_steps(
        pages->recording)[pages->frames.rows[page * pages->panels]];
}

void pages_tell(const struct cli *cli, const struct pages *pages)
{
    const struct recording *recording = pages->recording;
    const struct frames *frames = &pages->frames;
    if (frames->absent > 0 && pages->view->field->by_row)
        cli_say(cli, "%s: %zu of %lld steps are recorded; the last is %lld",
                recording_path(recording), frames->count,
                (long long)((int64_t)frames->count + frames->absent),
                (long long)recording_steps(
                    recording)[recording_rows(recording) - 1]);
    if (frames->count < pages->panels)
        cli_say(cli,
                "--montage %dx%d has %zu places, and there %s %zu picture%s: "
                "the others stay empty; name more steps (--at step=A,B,...), "
                "or a smaller montage",
                pages->layout.columns, pages->layout.rows, pages->panels,
                frames->count == 1 ? "is" : "are", frames->count,
                frames->count == 1 ? "" : "s");
    char what[256], range[256];
    const struct field *field = pages->view->field;
    if (field->kinds && !drawing.bar)
        cli_say(cli, "-f %s: --bar adds a key of the colours", field->name);
    if (field->kinds ||
        (drawing.range && !pages->picture.options.logarithmic &&
         !cli->verbose) ||
        drawing.per_frame)
        return;
    picture_describe(&pages->picture, what, sizeof what);
    picture_range(&pages->picture, range, sizeof range);
    cli_say(cli, "%s: %s: colours from %s", recording_path(recording), what,
            range);
    if (pages->options.outside && !pages->view->field->of_walls)
        cli_say(cli, "%s: the surface is at %.6g", recording_path(recording),
                picture_level(&pages->picture));
}
