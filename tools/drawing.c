/* SPDX-License-Identifier: MIT */
#include "drawing.h"

#include "base/team.h"
#include "base/version.h"
#include "drawing_parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where threads are not asked for; and what a view takes a cell. */
enum { THREADS_MOST = 16, THREADS_MEMORY = 200 << 20, VIEW_CELL_BYTES = 24 };

struct drawing drawing = { .field = "amplitude",
                           .overlays = "walls",
                           .low = (double)NAN,
                           .high = (double)NAN };

const struct cli_option drawing_options[] = {
    { CLI_TEXT, 'f', "field", "FIELD",
      "amplitude (default), gradient (its length), heading\n"
      "(of the gradient, by the run's rule signed or paper; in\n"
      "degrees against the clock from the right), arrival\n"
      "(first arrival, generations), speed or walls",
      &drawing.field, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &drawing.wave, 0, 1e9 },
    { CLI_LIST, 0, "at", "step=RANGE,z=K",
      "at these steps (N, A:B or A:STEP:B, or several by\n"
      "commas) and in this plane (x=, y= or z=; 3D alone; a\n"
      "range of z for --oblique); repeatable: steps add up",
      &drawing.at, 0, 0 },
    { CLI_TEXT, 0, "project", "max",
      "instead of a plane of 3D, the value farthest from 0\n"
      "along z, or with max:x, max:y along another axis",
      &drawing.project, 0, 0 },
    { CLI_FLAG, 0, "oblique", NULL,
      "several layers of 3D, seen from above and before: of\n"
      "each floor the one with the least walls, or those that\n"
      "--at z= names",
      &drawing.oblique, 0, 0 },
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
      "round), arrows (headings; arrows=gradient: the\n"
      "gradient), front (where the wave has come to; contours\n"
      "over the field arrival); or none",
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
      "by scale.step, %% a percent sign",
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

/* Opens the view and finds what its pictures take. */
static enum status open_view(struct pages *pages, const char *path,
                             const struct place_range places[AT_KEYS],
                             struct error *error)
{
    enum status status = drawing_place(&drawing, places, &pages->place, error);
    if (!status)
        status = recording_open(path, &pages->recording, error);
    if (!status)
        status = view_open(pages->recording, drawing.field, drawing.wave,
                           &pages->place, &pages->view, error);
    if (!status && drawing.oblique)
        status =
            drawing_layers(pages->view, &places[AT_Z], &pages->options, error);
    return status;
}

/* Where no plane was asked for, one that is open, near the middle: between
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

/* Where it was not asked for. What is drawn over the field and round it wants
 * room; the field alone has a pixel a cell, as h5topng gives it. */
static int choose_cell(const struct pages *pages, enum pages_use use)
{
    const struct cut *cut = &pages->view->cut;
    const struct figure_options *layout = &pages->layout;
    bool over = pages->options.overlays & ~(unsigned)OVERLAY_WALLS;
    if (drawing.cell)
        return (int)drawing.cell;
    if (use == PAGES_WRITTEN && figure_is_bare(layout) && !over &&
        !drawing.oblique)
        return 1;
    double across = drawing.oblique ? oblique_cells(cut->nx, cut->ny) : cut->nx;
    double width = across * layout->columns, height = cut->ny * layout->rows;
    int cell = (int)(800 / fmax(width, height));
    return cell < 1 ? 1 : cell > 16 ? 16 : cell;
}

/* Text and lines go by the page: several panels make it larger. */
static double choose_em(const struct view *view, int cell,
                        const struct figure_options *figure)
{
    const struct cut *cut = &view->cut;
    double across = drawing.oblique ? oblique_cells(cut->nx, cut->ny) : cut->nx;
    return picture_em(cell * across * figure->columns,
                      cell * cut->ny * figure->rows);
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
    enum status status = drawing_options_make(
        &drawing, pages->map, sizeof pages->map, &pages->options, error);
    if (!status)
        status = drawing_figure(&drawing, &pages->layout, error);
    for (size_t i = 0; i < drawing.at.count && !status; i++)
        status = at_parse(drawing.at.items[i], places, error);
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
    pages->options.em =
        choose_em(pages->view, pages->options.cell, &pages->layout);
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
    if (options->map == pages->map)
        options->map = twin->map;
    if (!options->per_frame) { /* the range is found */
        options->symmetric = false;
        options->has_low = options->has_high = true;
        options->low = scale->low;
        options->high = scale->high;
        options->linear_width = scale->linear_width;
    }
    enum status status = view_open(twin->recording, drawing.field, drawing.wave,
                                   &twin->place, &twin->view, error);
    return status ? status : make_pictures(twin, error);
}

uint64_t pages_bytes(const struct pages *pages)
{
    const struct image *image = &pages->picture.image;
    uint64_t pixels = (uint64_t)image->width * (uint64_t)image->height;
    uint64_t cells = grid_cells(&pages->view->cut.block);
    return (pixels * 8 + cells * 18) * pages->panels;
}

void pages_close(struct pages *pages)
{
    figure_release(&pages->figure);
    picture_release(&pages->picture);
    view_release(pages->view);
    if (!pages->borrowed) {
        frames_release(&pages->frames);
        recording_close(pages->recording);
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

enum status pages_write(struct pages *pages, size_t page, const char *path,
                        bool force, struct error *error)
{
    const struct picture *picture = &pages->picture;
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
    if ((drawing.range && !pages->picture.options.logarithmic &&
         !cli->verbose) ||
        drawing.per_frame)
        return;
    picture_describe(&pages->picture, what, sizeof what);
    picture_range(&pages->picture, range, sizeof range);
    cli_say(cli, "%s: %s: colours from %s", recording_path(recording), what,
            range);
}
