/* SPDX-License-Identifier: MIT */
/* hamon-movie: the rows of a recording, as a film. */
#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "tools/look/drawing.h"
#include "tools/look/film.h"

static struct {
    const char *output;
    char *made; /* the output's name, if none was given */
    int64_t fps, every;
    bool force;
} given = { .fps = 20, .every = 1 };

static const char notes[] =
    "Examples:\n"
    "  hamon-movie run.h5             # run.mp4\n"
    "  hamon-movie run.h5 --every 2 --title 'corridor, step %d' -o run.webm\n"
    "  hamon-movie run.h5 --at step=0:5:300 --fps 10 -o run.gif\n"
    "  hamon-movie run.h5 -S 4 -o field.mp4\n"
    "  hamon-movie run.h5 --overlay walls,agents,trails --legend --bar \\\n"
    "      -S 6 -o chase.mp4\n"
    "\n"
    "A frame is the figure that hamon-slice draws of one step, about 800 "
    "pixels\n"
    "wide: the field, walls, agents by what they are doing, their trails, a\n"
    "colour bar, axes and a key. The range of colours is that of 98 % of the\n"
    "values of all frames, unless --per-frame is given. With --bare or -S N a\n"
    "frame is the field alone, N x N pixels per cell, and what is requested "
    "by\n"
    "--overlay, --bar and so on; its amplitude and gradient are coloured by a\n"
    "signed logarithm unless --linear or a range is given.\n"
    "\n"
    "The drawing options are those of hamon-slice. A field that is the same\n"
    "at every step (arrival, error, cause) is a film only with agents or\n"
    "trails over it; hamon-slice draws it.\n"
    "ffmpeg makes the film and must be installed; to make a film with another\n"
    "program, write the pictures by hamon-slice.\n";

static enum status add_pages(const struct cli *cli, struct pages *pages,
                             struct film *film, struct error *error)
{
    enum status status = STATUS_OK;
    struct progress progress;
    progress_start(&progress, cli->quiet, "frames", (int64_t)pages->count);
    for (size_t i = 0; i < pages->count && !status; i++) {
        const struct image *page;
        status = pages_show(pages, i, &page, error);
        if (!status && i == 0)
            status = film_open(film, given.output, given.force, page->width,
                               page->height, given.fps, error);
        if (!status)
            status = film_add(film, page, error);
        if (!status)
            status = interrupt_check(error);
        progress_update(&progress, (int64_t)i + 1, 0);
    }
    progress_end(&progress);
    return status;
}

/* A field such as the arrival is the same at every step. */
static enum status check_count(const struct pages *pages, struct error *error)
{
    const struct field *field = pages->shown[0].view->field;
    if (pages->count > 1)
        return STATUS_OK;
    if (!field->by_row && recording_rows(pages->shown[0].recording) > 1)
        return error_set(error, STATUS_INPUT,
                         "-f %s is the same at every step, which is no film: "
                         "draw it by hamon-slice, or add --overlay agents",
                         field->name);
    return error_set(error, STATUS_INPUT,
                     "%s: one frame is no film; draw it by hamon-slice",
                     pages->sources);
}

static enum status make_film(const struct cli *cli, struct error *error)
{
    struct pages pages = { 0 };
    struct film film = { .to = -1, .words = -1 };
    enum status status = film_check(given.output, given.fps, error);
    drawing.film = !drawing.bare && !drawing.cell;
    drawing.page = drawing.film ? &page_png : NULL;
    if (!status)
        status = pages_open(cli, given.every, PAGES_SHOWN, &pages, error);
    if (!status)
        status = check_count(&pages, error);
    if (!status) {
        pages_report(cli, &pages);
        status = add_pages(cli, &pages, &film, error);
    }
    if (!status)
        status = film_commit(&film, error);
    else
        film_abandon(&film);
    if (status && interrupt_check(NULL)) /* the signal ended ffmpeg as well */
        status = interrupt_check(error);
    if (!status)
        pages_report_drawn(cli, &pages, NULL, 0);
    if (!status && given.made)
        cli_say(cli, "%s", given.made);
    pages_close(&pages);
    return status;
}

static const struct cli_option options[] = {
    { CLI_TEXT, 'o', "output", "NAME",
      "the film: NAME.mp4, .webm or .gif (FILE.mp4)", &given.output, 0, 0 },
    { CLI_INT, 0, "fps", "N", "frames per second (20); of a GIF up to 50",
      &given.fps, 1, 240 },
    { CLI_INT, 0, "every", "N", "every N-th recorded frame (1)", &given.every,
      1, 1e9 },
    { .kind = CLI_TABLE, .value = &drawing_options },
    { CLI_FLAG, 0, "force", NULL, "replace an existing file", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    (void)context;
    if (!given.output && cli->operand_count > 0)
        given.output = given.made = cli_output_of(cli->operands[0], ".mp4");
    const int code = drawing_run(cli, make_film);
    memory_release(given.made);
    return code;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-movie",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Makes a film of the frames of a recording.",
        .notes = notes,
        .recordings = true,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
