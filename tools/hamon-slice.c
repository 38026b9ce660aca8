/* SPDX-License-Identifier: MIT */
/* hamon-slice: rows of a recording, as pictures. */
#include "draw/frame_name.h"
#include "drawing.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *output;
    bool force;
} given;

/* Where the pictures go. */
struct names {
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
    "  hamon-slice run.h5 --overlay walls,agents,trails --agent B --legend\n"
    "  hamon-slice run.h5 --at step=100:100:600 --montage 3x2 --bar --axes -S "
    "4\n"
    "  hamon-slice cube.h5 --at step=80,y=25 -o - | display\n"
    "  hamon-slice floors.h5 --oblique --overlay walls,agents,trails -S 8\n"
    "\nAll pictures of a call share one range of colours: that of all of them "
    "together,\nwalls left out, or what -R says; amplitudes are shown "
    "symmetric about zero. Cells\nwithout a value (never reached, no "
    "direction) have a colour of their own.\n"
    "Row 0 is at the top. A 3D recording shows one plane, by default the "
    "middle z;\nat x or y, z runs downwards. Without --at step= the last step "
    "is shown.\n"
    "Without title, axes, bars, legend and montage a picture is the field "
    "alone, N x N\npixels a cell. -S, -c, -r, -Z, -m, -M, -o and -v mean what "
    "they mean to h5topng.\n";

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
    snprintf(name->before, sizeof name->before, "%.*s-%s%s",
             (int)(length < 200 ? length : 200), base, field->name,
             numbered ? "-" : "");
    snprintf(name->after, sizeof name->after, ".png");
}

static enum status choose_names(const struct pages *pages, struct names *names,
                                struct error *error)
{
    const struct field *field = pages->view->field;
    if (!given.output) {
        default_output(recording_path(pages->recording), field,
                       field->by_row || pages->count > 1, &names->name);
        return STATUS_OK;
    }
    names->to_stdout = strcmp(given.output, "-") == 0;
    if (names->to_stdout && isatty(STDOUT_FILENO))
        return error_set(error, STATUS_INPUT,
                         "-o -: standard output is a terminal; pipe it on, or "
                         "name a file");
    enum status status = frame_name_parse(given.output, &names->name, error);
    if (!status && !names->to_stdout && !names->name.numbered &&
        pages->count > 1)
        return error_set(error, STATUS_INPUT,
                         "--output '%s': %zu pictures need a %%d, as in "
                         "c-%%06d.png",
                         given.output, pages->count);
    return status;
}

static enum status write_pages(const struct cli *cli, struct pages *pages,
                               const struct names *names, struct error *error)
{
    enum status status = STATUS_OK;
    struct progress progress;
    progress_start(&progress, cli->quiet || pages->count < 2, "pictures",
                   (int64_t)pages->count);
    for (size_t i = 0; i < pages->count && !status; i++) {
        char path[FRAME_NAME_SIZE] = "-";
        if (!names->to_stdout)
            status = frame_name_make(&names->name, pages_step(pages, i), path,
                                     error);
        if (!status)
            status = pages_paint(pages, i, error);
        if (!status)
            status = image_write_png(
                figure_page(&pages->figure), pages->picture.notes,
                pages->picture.note_count, path, given.force, error);
        progress_update(&progress, (int64_t)i + 1, 0);
        if (!status && cli->verbose)
            cli_say(cli, "%s", path);
    }
    progress_end(&progress);
    return status;
}

static enum status slice(const struct cli *cli, const char *path,
                         struct error *error)
{
    struct pages pages;
    struct names names = { 0 };
    enum status status = pages_open(path, cli->program, 0, &pages, error);
    if (!status)
        status = choose_names(&pages, &names, error);
    if (!status) {
        pages_tell(cli, &pages);
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
    else if (drawing.list)
        code = drawing_list_colormaps();
    else if (cli.operand_count != 1)
        code = cli_usage(&cli, "one recording is wanted");
    else if (slice(&cli, cli.operands[0], &error))
        code = cli_fail(&error);
    else
        code = STATUS_OK;
    cli_release(&cli);
    return code;
}
