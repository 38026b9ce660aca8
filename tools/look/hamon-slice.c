/* SPDX-License-Identifier: MIT */
/* hamon-slice: rows of a recording, as pictures. */
#include "base/memory.h"
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
    const char *output, *format_name, *width;
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
    "  hamon-slice run.h5                    # the last step, "
    "run-amplitude-000600.png\n"
    "  hamon-slice run.h5 --at step=120 -S 4 -o a.png\n"
    "  hamon-slice run.h5 --at step=50:50:600 --title 'step %d' -o c-%06d.png\n"
    "  hamon-slice run.h5 -w 2 --at step=250 -S 4    # wave 2; waves count "
    "from 0\n"
    "  hamon-slice run.h5 -f gradient -c -batlow\n"
    "  hamon-slice run.h5 --overlay walls,agents,trails --agent B --legend -o "
    "b.png\n"
    "  hamon-slice run.h5 --at step=50:100:550 --montage 3x2 --bar --axes -S "
    "4\n"
    "  hamon-slice run.h5 --overlay walls,trails --bar --axes --width 8.5 -o "
    "a.pdf\n"
    "  hamon-slice free.h5 fixed.h5 --at step=10 --bar -o both.png\n"
    "  hamon-slice free.h5 --minus fixed.h5 --at step=10 --bar -o minus.png\n"
    "  hamon-slice run.h5 --along 0,3:19,3 --bar --axes -o echoes.png\n"
    "  hamon-slice cube.h5 --at step=80,y=25 -o - | display\n"
    "  hamon-slice floors.h5 --oblique --overlay walls,agents,trails -S 8\n"
    "  hamon-slice floors.h5 -f arrival --view 30,35 --level 60 --bar --axes\n"
    "\nSeveral recordings of one grid stand side by side at the same step, a "
    "panel each with\nits file's name; one that ended earlier keeps its last "
    "step, any other step must be in\nall of them. With --minus the difference "
    "has no value where either has none, or where\na wall stands in the other "
    "alone. --along shows the cell nearest each place, so that\nall values are "
    "recorded ones, a cell's length apart. Flux is -dz/dt grad z, with the\n"
    "steps before and after (one of them alone where a wave begins or ends).\n"
    "\nAll pictures of a call share one range of colours: that of all of them "
    "together,\nwalls left out, or what -R says, which makes several calls "
    "alike; amplitudes are\nshown symmetric about zero. Cells without a value "
    "(never reached, no direction)\nhave a colour of their own. Row 0 is at "
    "the top. A 3D recording shows one plane, by\ndefault the z nearest the "
    "middle that is not more than half wall; at x or y, z runs\ndownwards.\n"
    "Agents are discs and their trails lines where they stand in that plane: "
    "their x, y or\nz rounds to it, or z is of the same floor (layers between "
    "two that are more than half\nwall). Elsewhere agents are rings, trails "
    "dots. --oblique puts them on the layer of\ntheir floor, and dots the ways "
    "from one to the next.\n--view shows a surface: of amplitude, gradient and "
    "the like what has --level or more,\nof arrival what the wave has come to "
    "by "
    "then. Faces up are the brightest, farther\nones darker; agents and trails "
    "behind it are rings and dots. Walls are glass, with\n-f walls opaque; a "
    "--level over all values leaves walls, agents and trails alone.\n"
    "A wave's source is far above the rest of it, so amplitude and gradient "
    "are coloured\nby a signed logarithm; --linear, or a range of one's own, "
    "colours them by their\nvalues. Without --at step= the last step is shown, "
    "where a wave may be echoes, or a\nsingle cell if it has just been sent: "
    "hamon-info tells at which steps waves were\nsent and heard.\n"
    "Without title, axes, bars, legend and montage a picture is the field "
    "alone, N x N\npixels a cell. -S, -c, -r, -Z, -m, -M, -o and -v mean what "
    "they mean to h5topng.\nA PNG says 300 dots an inch. PDF and SVG have the "
    "cells as an image of a pixel each,\nnot smoothed, of the PNG's colours, "
    "and all the rest as vectors, walls with outlines.\n"
    "A PDF has its font in it; letters of an SVG are outlines labelled with "
    "their words.\nhamon-movie makes films, hamon-report a page of "
    "everything, hamon-export numbers, "
    "hamon-pack a smaller recording to send.\n";

static const struct {
    const char *name;
    const struct page_format *vectors; /* NULL: PNG */
} formats[] = { { "png", NULL }, { "pdf", &page_pdf }, { "svg", &page_svg } };

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
                         "--format '%s': png, pdf or svg is wanted",
                         given.format_name);
    if (dot && names_another_format(dot + 1))
        return error_set(error, STATUS_INPUT,
                         "--output '%s': pictures are PNG, PDF or SVG; end the "
                         "name by .png, .pdf or .svg",
                         given.output);
    if (ends >= 0 && ends != given.format)
        return error_set(error, STATUS_INPUT,
                         "--output '%s' and --format %s: the name ends by "
                         "another format",
                         given.output, given.format_name);
    drawing.vectors = formats[given.format].vectors;
    if (given.width && !drawing.vectors)
        return error_set(error, STATUS_INPUT,
                         "--width: is of PDF and SVG, on paper; the size of a "
                         "PNG is set by --scale");
    return chart_width_parse(given.width ? given.width : "column",
                             &drawing.centimetres, error);
}

static enum status choose_names(const struct pages *pages, struct names *names,
                                struct error *error)
{
    const struct shown *first = &pages->shown[0];
    const struct field *field = first->view->field;
    if (!given.output) {
        default_output(recording_path(first->recording), field,
                       field->by_row || pages->count > 1, &names->name);
        return STATUS_OK;
    }
    names->to_stdout = strcmp(given.output, "-") == 0;
    if (names->to_stdout && isatty(STDOUT_FILENO))
        return error_set(error, STATUS_INPUT,
                         "-o -: standard output is a terminal; pipe it on, or "
                         "name a file");
    enum status status = frame_name_parse(given.output, &names->name, error);
    if (!status && names->to_stdout && drawing.vectors && pages->count > 1)
        return error_set(error, STATUS_INPUT,
                         "-o -: %zu pages: several PNGs may follow each other "
                         "on standard output, but not PDFs or SVGs; name one "
                         "step, or files",
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
    work.twins = memory_new((size_t)threads, sizeof *work.twins);
    if (!work.twins)
        return error_memory(error);
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
    if (status)
        return status;
    status = pages_open(cli, 0, PAGES_WRITTEN, &pages, error);
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
    { CLI_TABLE, 0, NULL, NULL, NULL, (void *)drawing_options, 0, 0 },
    { CLI_TEXT, 'o', "output", "NAME",
      "name with the step for %d, as in c-%06d.png; - is\n"
      "standard output (FILE-FIELD-%06d.png)",
      &given.output, 0, 0 },
    { CLI_TEXT, 0, "format", "FORMAT",
      "png, pdf or svg (the end of NAME, or png)", &given.format_name, 0, 0 },
    { CLI_TEXT, 0, "width", "WIDTH",
      "of pdf and svg on paper: column (8.5 cm), page (17 cm)\n"
      "or centimetres, 6 to 60; letters are 7 to 8 points in\n"
      "any of them (column)",
      &given.width, 0, 0 },
    { CLI_INT, 0, "threads", "N", "pictures made at a time (a processor each)",
      &drawing.threads, 1, 256 },
    { CLI_FLAG, 0, "force", NULL, "write over files that exist", &given.force,
      0, 0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    (void)context;
    return drawing_run(cli, NULL, slice);
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-slice",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Makes pictures (PNG, PDF, SVG) of the rows of a recording.",
        .notes = notes,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
