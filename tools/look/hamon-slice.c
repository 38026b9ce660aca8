/* SPDX-License-Identifier: MIT */
/* hamon-slice: rows of a recording, as pictures. */
#include "base/memory.h"
#include "base/need.h"
#include "base/team.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "draw/chart/chart.h"
#include "draw/figure/frame_name.h"
#include "tools/look/drawing.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static struct {
    const char *output, *format_name, *width, *placed;
    int format; /* of formats */
    bool force;
} given;

/* The names of the pictures' files. */
struct names {
    struct frame_name name;
    bool to_stdout;
};

static const char notes[] =
    "Examples:\n"
    "  hamon-slice run.h5            # what happens in the run, "
    "run-amplitude.png\n"
    "  hamon-slice run.h5 --at step=120 -o a.png\n"
    "  hamon-slice run.h5 --at step=50:50:600 -o c-%06d.png\n"
    "  hamon-slice run.h5 -w 2 --at step=250         # wave 2; the first is 0\n"
    "  hamon-slice run.h5 -f gradient -c -batlow\n"
    "  hamon-slice run.h5 --agent B -o b.png\n"
    "  hamon-slice run.h5 --at step=50:100:550 --montage 3x2 -o montage.svg\n"
    "  hamon-slice run.h5 --width 8.5 -o a.pdf\n"
    "  hamon-slice run.h5 --at step=120 --bare -S 4 -o field.png\n"
    "  hamon-slice free.h5 fixed.h5 --at step=10 -o both.png\n"
    "  hamon-slice free.h5 --minus fixed.h5 --at step=10 -o minus.png\n"
    "  hamon-slice run.h5 --along 0,3:19,3 -o echoes.png\n"
    "  hamon-slice cube.h5 --at step=80,y=25 -o - | display\n"
    "  hamon-slice floors.h5 --oblique\n"
    "  hamon-slice floors.h5 -f arrival --view 30,35 --level 60\n"
    "\n"
    "A picture is a figure with one layout in PNG (300 dots per inch), PDF "
    "and\n"
    "SVG. It has the field, walls, agents by what they are doing, their "
    "trails,\n"
    "a colour bar, axes or a bar of a round length, and a key. It shows the\n"
    "free cells, and at each step the newest wave. Without --at step= it "
    "shows\n"
    "up to six steps, chosen by the events that hamon-info lists, and above "
    "each\n"
    "panel why. If that names a wave, the panel shows this one. Of a run\n"
    "without waves the map is drawn. If --bar, --axes, --scale-bar or "
    "--legend\n"
    "is given, exactly those that are given are drawn.\n"
    "\n"
    "Several recordings of equal grids are drawn side by side at the same\n"
    "step, each in a panel with its file's name. A recording that ended\n"
    "earlier shows its last step; any other step must be in all of them. With\n"
    "--minus a cell has no value if it has none, or is a wall, in one of the\n"
    "recordings. --along draws at each place the value of the nearest cell,\n"
    "and over it the agents within half of the local width of the line, its\n"
    "bends, and from the source, if that is as near, a line with the wave's\n"
    "speed c (not with --bare). The titles of its panels are the settings\n"
    "that differ.\n"
    "Flux is -dz/dt grad z, from the steps before and after (from one of them\n"
    "where a wave begins or ends).\n"
    "\n"
    "All pictures of a call have the same range of colours: the range of\n"
    "their values without walls, or that of -R, which gives several calls the\n"
    "same colours. Amplitudes are shown symmetric about zero. The source's\n"
    "amplitude is far above the rest of the wave's. Therefore the range of\n"
    "amplitude, gradient and flux is that of 98 % of the values, rounded up.\n"
    "If it differs between recordings by more than 3 times, each panel of a\n"
    "figure has its own range and bar.\n"
    "Points at the ends of the bar show that values lie beyond it. Cells\n"
    "that the wave has not reached, or without a value, are white. y = 0 is\n"
    "at the top. Of a 3D recording one plane is drawn: by default the z\n"
    "nearest the middle with walls in at most half of its cells; in planes of\n"
    "x or y, z goes downwards.\n"
    "\n"
    "Agents and their trails are drawn if they are in the plane: if\n"
    "their x, y or z rounds to it, or if z is on the same floor (floors are\n"
    "separated by layers with walls in more than half of their cells).\n"
    "Otherwise agents are rings, and trails are dots. --oblique draws agents\n"
    "on the layer of their floor, and paths between floors as dots.\n"
    "\n"
    "--view draws a surface: around amplitudes and other values of --level or\n"
    "more, around arrivals at --level or before. Upper faces are the\n"
    "brightest, and farther faces are darker; agents and trails behind it are\n"
    "rings and dots. Walls are glass, or opaque with -f walls. With a --level\n"
    "above all values only walls, agents and trails are drawn. Cubes show the\n"
    "recorded cells; --smooth draws the level itself, linear between the\n"
    "centres of cells, and flat at walls and at the edge of the map.\n"
    "\n"
    "--bare is for programs that read pixels, and for films of your own: the\n"
    "field alone, N x N pixels per cell, and what is requested by --overlay,\n"
    "--bar and so on. It draws wave 0 and the last step, amplitude and "
    "gradient\n"
    "by a signed logarithm unless --linear or a range is given, and cells\n"
    "without a value in a colour of their own. -S, -c, -r, -Z, -m, -M, -o and "
    "-v\n"
    "have the same meaning as in h5topng. Its pictures stay the same in all\n"
    "versions 1.x; those of figures may change.\n"
    "\n"
    "PDF and SVG contain the cells as an image with one pixel per cell, not\n"
    "smoothed, and all the rest as vectors. A PDF contains its font; letters "
    "of\n"
    "an SVG are outlines labelled with their text.\n"
    "\n"
    "record.fields decides what is stored, not what can be drawn: what was\n"
    "not recorded is computed again from the recorded scenario, with the "
    "run's\n"
    "own bits. A line on standard error says so; it takes the time of the "
    "run.\n"
    "\n"
    "hamon-movie makes films, hamon-report a page of everything, hamon-export\n"
    "numbers, and hamon-pack a smaller recording.\n";

static const struct {
    const char *name;
    const struct page_format *page;
} formats[] = { { "png", &page_png },
                { "pdf", &page_pdf },
                { "svg", &page_svg } };

enum { FORMATS = sizeof formats / sizeof *formats };

/* run.h5 → run-amplitude-%06d.png, in the current directory. */
static void default_output(const char *path, const struct field *field,
                           bool numbered, struct frame_name *name)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".h5") == 0)
        length -= 3;
    *name =
        (struct frame_name){ .numbered = numbered, .zeros = true, .width = 6 };
    snprintf(name->before, sizeof name->before, "%.*s-%s%s%s",
             (int)(length < 200 ? length : 200), base, field->name,
             drawing.minus   ? "-minus"
             : drawing.along ? "-along"
                             : "",
             numbered ? "-" : "");
    snprintf(name->after, sizeof name->after, ".%s",
             formats[given.format].name);
}

/* The number of the format; −1: there is none of this name. */
static int find_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcasecmp(name, formats[i].name) == 0)
            return i;
    return -1;
}

/* Programs would open a picture of this name as another format. */
static bool names_another_format(const char *end)
{
    static const char *const ends[] = { "jpg",  "jpeg", "gif", "tif", "bmp",
                                        "webp", "eps",  "mp4", "tiff" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(end, ends[i]) == 0)
            return true;
    return false;
}

/* By --format, by the ending of the name, or PNG. */
static enum status choose_format(struct error *error)
{
    const char *dot = given.output ? strrchr(given.output, '.') : NULL;
    int ends = dot ? find_format(dot + 1) : -1;
    given.format = given.format_name ? find_format(given.format_name)
                   : ends >= 0       ? ends
                                     : 0;
    if (given.format < 0)
        return error_set(error, STATUS_INPUT,
                         "--format '%s': png, pdf or svg is required",
                         given.format_name);
    if (dot && names_another_format(dot + 1))
        return error_set(error, STATUS_INPUT,
                         "--output '%s': pictures are PNG, PDF or SVG; end the "
                         "name by .png, .pdf or .svg",
                         given.output);
    if (ends >= 0 && ends != given.format)
        return error_set(
            error, STATUS_INPUT,
            "--output '%s' and --format %s: the name ends in another format",
            given.output, given.format_name);
    drawing.vectors = given.format > 0;
    drawing.page =
        drawing.bare && !drawing.vectors ? NULL : formats[given.format].page;
    if (given.width && !drawing.page)
        return error_set(error, STATUS_INPUT,
                         "--width is for figures; use --scale with --bare");
    return given.width
               ? chart_width_parse(given.width, &drawing.centimetres, error)
               : STATUS_OK;
}

static enum status choose_names(const struct pages *pages, struct names *names,
                                struct error *error)
{
    const struct shown *first = &pages->shown[0];
    const struct field *field = first->view->field;
    if (!given.output) {
        default_output(recording_path(first->recording), field,
                       (field->by_row && !field->of_walls && !pages->sheet) ||
                           pages->count > 1,
                       &names->name);
        return STATUS_OK;
    }
    names->to_stdout = strcmp(given.output, "-") == 0;
    if (names->to_stdout && isatty(STDOUT_FILENO))
        return error_set(
            error, STATUS_INPUT,
            "-o -: standard output is a terminal; use a pipe or name a file");
    enum status status = frame_name_parse(given.output, &names->name, error);
    if (!status && names->to_stdout && drawing.vectors && pages->count > 1)
        return error_set(
            error, STATUS_INPUT,
            "-o -: %zu pages: standard output can have several PNGs, but only "
            "one PDF or SVG; name one step, or files",
            pages->count);
    if (!status && !names->to_stdout && !names->name.numbered &&
        pages->count > 1)
        return error_set(error, STATUS_INPUT,
                         "--output '%s': %zu pictures need a %%d, as in "
                         "c-%%06d.png",
                         given.output, pages->count);
    return status;
}

/* The threads' common work: each takes the next page. */
struct work {
    const struct cli *cli;
    const struct names *names;
    struct pages *first, *twins; /* of thread 0; of the others */
    atomic_size_t next, done;
    atomic_bool failed;
    pthread_mutex_t lock; /* of the members below, and of messages */
    struct progress progress;
    enum status status;
    struct error *error; /* of the first failure */
};

static enum status write_page(struct work *work, struct pages *pages,
                              size_t page, struct error *error)
{
    char path[FRAME_NAME_SIZE] = "-";
    enum status status = STATUS_OK;
    if (!work->names->to_stdout)
        status = frame_name_make(&work->names->name, pages_step(pages, page),
                                 path, error);
    if (!status)
        status = pages_write(pages, page, path, given.force, error);
    if (!status && work->cli->verbose)
        cli_say(work->cli, "%s", path);
    return status;
}

static void write_share(void *context, int thread, int threads)
{
    struct work *work = context;
    struct pages *pages = thread ? &work->twins[thread - 1] : work->first;
    struct error error;
    size_t page;
    (void)threads;
    while (!work->failed && (page = work->next++) < pages->count) {
        enum status status = interrupt_check(&error);
        if (!status)
            status = write_page(work, pages, page, &error);
        size_t done = ++work->done;
        pthread_mutex_lock(&work->lock);
        if (status && !work->status) {
            work->status = status;
            *work->error = error;
            work->failed = true;
        }
        progress_update(&work->progress, (int64_t)done, 0);
        pthread_mutex_unlock(&work->lock);
    }
}

static int choose_threads(const struct pages *pages, bool one)
{
    int threads = drawing_threads(pages_bytes(pages));
    if ((size_t)threads > pages->count)
        threads = (int)pages->count;
    return one || threads < 1 ? 1 : threads;
}

static enum status write_pages(const struct cli *cli, struct pages *pages,
                               const struct names *names, struct error *error)
{
    struct work work = {
        .cli = cli, .names = names, .first = pages, .error = error
    };
    struct team *team = NULL;
    int threads = choose_threads(pages, names->to_stdout), twins = 0;
    work.twins = need_memory((size_t)threads, sizeof *work.twins);
    enum status status = STATUS_OK;
    for (; twins < threads - 1 && !status; twins++)
        status = pages_twin(pages, &work.twins[twins], error);
    if (!status && threads > 1)
        status = team_new(threads, false, &team, error);
    if (!status) {
        pthread_mutex_init(&work.lock, NULL);
        progress_start(&work.progress, cli->quiet || pages->count < 2,
                       "pictures", (int64_t)pages->count);
        team_run(team, write_share, &work);
        progress_end(&work.progress);
        pthread_mutex_destroy(&work.lock);
        status = work.status;
    }
    if (!status)
        pages_report_drawn(cli, pages, work.twins, twins);
    team_release(team);
    while (twins > 0)
        pages_close(&work.twins[--twins]);
    memory_release(work.twins);
    return status;
}

static enum status slice(const struct cli *cli, struct error *error)
{
    struct pages pages;
    struct names names = { 0 };
    enum status status = choose_format(error);
    drawing.on_page = given.placed;
    if (!status && given.placed)
        status = placed_parse(given.placed, &drawing.placed, error);
    if (status)
        return status;
    status = pages_open(cli, 0, PAGES_WRITTEN, &pages, error);
    if (!status && drawing.placed.measure) {
        status = placed_print(&pages, error);
        pages_close(&pages);
        return status;
    }
    if (!status)
        status = choose_names(&pages, &names, error);
    if (!status) {
        pages_report(cli, &pages);
        status = write_pages(cli, &pages, &names, error);
    }
    pages_close(&pages);
    return status;
}

static const struct cli_option options[] = {
    { .kind = CLI_TABLE, .value = &drawing_options },
    { CLI_TEXT, 'o', "output", "NAME",
      "name of the picture, with %d for the step, as in\n"
      "c-%06d.png; - is standard output (FILE-FIELD-%06d.png)",
      &given.output, 0, 0 },
    { CLI_TEXT, 0, "format", "FORMAT",
      "png, pdf or svg (from the end of NAME, or png)", &given.format_name, 0,
      0 },
    { CLI_TEXT, 0, "width", "WIDTH",
      "width on paper: column (8.5 cm), page (17 cm) or\n"
      "centimetres, 6 to 60; letters have the same size in all of\n"
      "them (column; page for several panels)",
      &given.width, 0, 0 },
    { CLI_TEXT, 0, "placed", "HOW",
      "used by hamon-figure: measure the panel, or draw it with\n"
      "the margins, range and key of its neighbours",
      &given.placed, 0, 0 },
    { CLI_INT, 0, "threads", "N",
      "number of pictures made at the same time (one per\n"
      "processor)",
      &drawing.threads, 1, 256 },
    { CLI_FLAG, 0, "force", NULL, "replace existing files", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    (void)context;
    return drawing_run(cli, slice);
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-slice",
        .synopsis = "[OPTION]... FILE...",
        .purpose =
            "Makes pictures (PNG, PDF, SVG) of the frames of a recording.",
        .notes = notes,
        .recordings = true,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
