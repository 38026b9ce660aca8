/* SPDX-License-Identifier: MIT */
/* hamon-slice: rows of a recording, as pictures. */
#include "base/memory.h"
#include "base/version.h"
#include "cli.h"
#include "draw/frame_name.h"
#include "draw/picture.h"
#include "progress.h"
#include "range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asked {
    const char *field, *map, *range, *output, *overlays;
    struct cli_list at;
    int64_t wave, cell;
    bool symmetric, logarithmic, list, force;
    double linear_width;
};

/* The rows to be painted. */
struct frames {
    int64_t *rows;
    size_t count;
    int64_t absent; /* steps that were asked for and are not recorded */
    struct frame_name name;
    bool to_stdout;
};

static const char notes[] =
    "Examples:\n"
    "  hamon-slice run.h5                    the last step, as "
    "run-amplitude-000600.png\n"
    "  hamon-slice run.h5 --at step=120 -S 4 -o a.png\n"
    "  hamon-slice run.h5 --at step=50:50:600 -o c-%06d.png\n"
    "  hamon-slice run.h5 --log -f gradient -c -batlow\n"
    "  hamon-slice cube.h5 --at step=80,y=25 -o - | display\n"
    "\nAll pictures of a call share one range of colours: that of all of them "
    "together,\nwalls left out, or what -R says; amplitudes are shown "
    "symmetric about zero. Cells\nwithout a value (never reached, no "
    "direction) have a colour of their own.\n"
    "Row 0 is at the top. A 3D recording shows one plane, by default the "
    "middle z;\nat x or y, z runs downwards.\n";

static int list_colormaps(void)
{
    for (const struct colormap *const *map = colormaps; *map; map++)
        printf("%-8s  %-10s  %s\n", (*map)->name,
               colormap_kind_names[(*map)->kind], (*map)->words);
    struct error error;
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

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

static enum status parse_overlays(const char *text, unsigned *overlays,
                                  struct error *error)
{
    *overlays = 0;
    if (strcmp(text, "none") == 0)
        return STATUS_OK;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length != 5 || strncmp(text, "walls", 5) != 0)
            return error_set(error, STATUS_INPUT,
                             "--overlay '%.*s': overlays are walls, or none",
                             (int)(length < 60 ? length : 60), text);
        *overlays |= OVERLAY_WALLS;
        if (!text[length])
            return STATUS_OK;
        text += length + 1;
    }
}

static enum status picture_options(const struct asked *asked,
                                   struct picture_options *options,
                                   struct error *error)
{
    *options = (struct picture_options){
        .map = asked->map,
        .has_range = asked->range != NULL,
        .symmetric = asked->symmetric,
        .logarithmic = asked->logarithmic || asked->linear_width > 0,
        .linear_width = asked->linear_width,
        .cell = (int)asked->cell,
    };
    enum status status = STATUS_OK;
    if (asked->range)
        status =
            parse_range(asked->range, &options->low, &options->high, error);
    if (!status)
        status = parse_overlays(asked->overlays, &options->overlays, error);
    return status;
}

/* The one plane that --at names. */
static enum status choose_place(const struct place_range places[AT_KEYS],
                                struct view_place *place, struct error *error)
{
    static const int keys[GRID_AXES] = { AT_X, AT_Y, AT_Z };
    *place = (struct view_place){ -1, 0 };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const struct place_range *given = &places[keys[axis]];
        if (!given->given)
            continue;
        if (place->axis >= 0 || given->range.first != given->range.last)
            return error_set(error, STATUS_INPUT,
                             "--at: one plane is wanted: x=N, y=N or z=N");
        *place = (struct view_place){ axis, given->range.first };
    }
    return STATUS_OK;
}

/* The recorded rows that the range holds; one step alone must be there. */
static enum status choose_rows(const struct recording *recording,
                               const struct place_range *steps,
                               struct frames *frames, struct error *error)
{
    int64_t rows = recording_rows(recording);
    const int64_t *recorded = recording_steps(recording);
    const struct range *range = &steps->range;
    if (steps->given && range->first < 0)
        return error_set(error, STATUS_INPUT,
                         "--at step=%lld: steps count from 0",
                         (long long)range->first);
    if (rows < 1)
        return error_set(error, STATUS_INPUT, "%s: holds no row yet",
                         recording_path(recording));
    frames->rows = memory_new((size_t)rows, sizeof *frames->rows);
    if (!frames->rows)
        return error_memory(error);
    if (!steps->given) {
        frames->rows[frames->count++] = rows - 1;
        return STATUS_OK;
    }
    for (int64_t row = 0; row < rows; row++)
        if (range_holds(range, recorded[row]))
            frames->rows[frames->count++] = row;
    if (!frames->count) /* fails, in the reader's words */
        return recording_row_of(recording, range->first, frames->rows, error);
    frames->absent =
        (range->last - range->first) / range->step + 1 - (int64_t)frames->count;
    return STATUS_OK;
}

/* run.h5 → run-amplitude-%06d.png, in the current directory. */
static void default_output(const char *path, const struct field *field,
                           struct frame_name *name)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".h5") == 0)
        length -= 3;
    *name = (struct frame_name){ .numbered = field->by_row,
                                 .zeros = true,
                                 .width = 6 };
    snprintf(name->before, sizeof name->before, "%.*s-%s%s",
             (int)(length < 200 ? length : 200), base, field->name,
             field->by_row ? "-" : "");
    snprintf(name->after, sizeof name->after, ".png");
}

static enum status choose_names(const struct asked *asked,
                                const struct view *view, struct frames *frames,
                                struct error *error)
{
    if (!view->field->by_row && frames->count > 1) {
        frames->rows[0] = frames->rows[frames->count - 1];
        frames->count = 1; /* the same whatever the step */
    }
    if (!asked->output) {
        default_output(recording_path(view->recording), view->field,
                       &frames->name);
        return STATUS_OK;
    }
    frames->to_stdout = strcmp(asked->output, "-") == 0;
    if (frames->to_stdout && isatty(STDOUT_FILENO))
        return error_set(error, STATUS_INPUT,
                         "-o -: standard output is a terminal; pipe it on, or "
                         "name a file");
    enum status status = frame_name_parse(asked->output, &frames->name, error);
    if (!status && !frames->to_stdout && !frames->name.numbered &&
        frames->count > 1)
        return error_set(error, STATUS_INPUT,
                         "--output '%s': %zu pictures need a %%d, as in "
                         "c-%%06d.png",
                         asked->output, frames->count);
    return status;
}

static enum status write_frames(const struct cli *cli,
                                const struct asked *asked,
                                const struct frames *frames,
                                struct picture *picture, struct error *error)
{
    const int64_t *steps = recording_steps(picture->view->recording);
    enum status status = STATUS_OK;
    struct progress progress;
    progress_start(&progress, cli->quiet || frames->count < 2, "frames",
                   (int64_t)frames->count);
    for (size_t i = 0; i < frames->count && !status; i++) {
        char path[FRAME_NAME_SIZE] = "-";
        if (!frames->to_stdout)
            status = frame_name_make(&frames->name, steps[frames->rows[i]],
                                     path, error);
        if (!status)
            status = picture_paint(picture, frames->rows[i], error);
        if (!status)
            status =
                image_write_png(&picture->image, picture->notes,
                                picture->note_count, path, asked->force, error);
        progress_update(&progress, (int64_t)i + 1, 0);
        if (!status && cli->verbose)
            cli_say(cli, "%s", path);
    }
    progress_end(&progress);
    return status;
}

/* Tells which steps are missing, and what the colours mean where it was not
 * said. */
static void tell(const struct cli *cli, const struct asked *asked,
                 const struct frames *frames, const struct picture *picture)
{
    const struct recording *recording = picture->view->recording;
    if (frames->absent > 0 && picture->view->field->by_row)
        cli_say(cli, "%s: %zu of %lld steps are recorded; the last is %lld",
                recording_path(recording), frames->count,
                (long long)((int64_t)frames->count + frames->absent),
                (long long)recording_steps(
                    recording)[recording_rows(recording) - 1]);
    char what[256], range[256];
    if (asked->range && !picture->options.logarithmic && !cli->verbose)
        return;
    view_describe(picture->view, what, sizeof what);
    picture_range(picture, range, sizeof range);
    cli_say(cli, "%s: %s: colours from %s", recording_path(recording), what,
            range);
}

static enum status slice(const struct cli *cli, const struct asked *asked,
                         const char *path, struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    struct view_place place;
    struct picture_options options;
    struct recording *recording = NULL;
    struct view *view = NULL;
    struct frames frames = { 0 };
    struct picture picture = { 0 };
    char software[128];
    snprintf(software, sizeof software, "hamon-slice %s, commit %s",
             hamon_version, hamon_commit);
    enum status status = picture_options(asked, &options, error);
    for (size_t i = 0; i < asked->at.count && !status; i++)
        status = at_parse(asked->at.items[i], places, error);
    if (!status)
        status = choose_place(places, &place, error);
    if (!status)
        status = recording_open(path, &recording, error);
    if (!status)
        status = view_open(recording, asked->field, asked->wave, &place, &view,
                           error);
    if (!status)
        status = choose_rows(recording, &places[AT_STEP], &frames, error);
    if (!status)
        status = choose_names(asked, view, &frames, error);
    if (!status)
        status = picture_init(&picture, view, &options, frames.rows,
                              frames.count, software, error);
    if (!status)
        tell(cli, asked, &frames, &picture);
    if (!status)
        status = write_frames(cli, asked, &frames, &picture, error);
    picture_release(&picture);
    memory_release(frames.rows);
    view_release(view);
    recording_close(recording);
    return status;
}

static struct asked given = { .field = "amplitude",
                              .overlays = "walls",
                              .cell = 1 };

static const struct cli_option options[] = {
    { CLI_TEXT, 'f', "field", "FIELD",
      "amplitude (default), gradient (its length), heading\n"
      "(of the gradient, by the run's rule signed or paper; in\n"
      "degrees against the clock from the right), arrival\n"
      "(first arrival, generations), speed or walls",
      &given.field, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &given.wave, 0, 1e9 },
    { CLI_LIST, 0, "at", "step=RANGE,z=K",
      "at these steps (N, A:B or A:STEP:B; the last) and\n"
      "in this plane (x=, y= or z=; 3D alone)",
      &given.at, 0, 0 },
    { CLI_TEXT, 'c', "colormap", "MAP",
      "a colour map, or a file of rows `r g b`; -MAP reverses", &given.map, 0,
      0 },
    { CLI_FLAG, 0, "list-colormaps", NULL, "list them and exit", &given.list, 0,
      0 },
    { CLI_TEXT, 'R', "range", "LO:HI",
      "the values of the first and the last colour", &given.range, 0, 0 },
    { CLI_FLAG, 'Z', "symmetric", NULL, "make the range symmetric to zero",
      &given.symmetric, 0, 0 },
    { CLI_FLAG, 0, "log", NULL, "signed logarithm of the values",
      &given.logarithmic, 0, 0 },
    { CLI_REAL, 0, "log-width", "W",
      "the same, linear within W of zero (1e-4 of the range)",
      &given.linear_width, 1e-300, 1e300 },
    { CLI_INT, 'S', "scale", "N", "N x N pixels a cell (1)", &given.cell, 1,
      1000 },
    { CLI_TEXT, 0, "overlay", "WHAT",
      "what is drawn over the field: walls (default) or none", &given.overlays,
      0, 0 },
    { CLI_TEXT, 'o', "output", "NAME",
      "name with the step for %d, as in c-%06d.png; - is\n"
      "standard output (FILE-FIELD-%06d.png)",
      &given.output, 0, 0 },
    { CLI_FLAG, 0, "force", NULL, "write over files that exist", &given.force,
      0, 0 },
    { 0 },
};

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-slice",
        .synopsis = "[OPTION]... FILE",
        .purpose = "Makes pictures (PNG) of the rows of a recording.",
        .notes = notes,
        .options = options,
    };
    struct error error;
    int code = cli_parse(&cli, argc, argv);
    if (code != CLI_GO_ON)
        ;
    else if (given.list)
        code = list_colormaps();
    else if (cli.operand_count != 1)
        code = cli_usage(&cli, "one recording is wanted");
    else if (slice(&cli, &given, cli.operands[0], &error))
        code = cli_fail(&error);
    else
        code = STATUS_OK;
    cli_release(&cli);
    return code;
}
