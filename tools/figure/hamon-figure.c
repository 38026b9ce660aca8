/* SPDX-License-Identifier: MIT */
/* hamon-figure: a paper's figure, of panels that the other programs draw. */
#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "tools/figure/composition.h"

#include <string.h>

/* In the order in which they are made. */
enum { PDF, SVG, PNG, EPS, TEX, FORMATS };
static const char *const formats[FORMATS] = { "pdf", "svg", "png", "eps",
                                              "tex" };

static struct {
    const char *output, *format;
    int64_t dots;
    bool force;
    bool chosen[FORMATS];
} given = { .format = "pdf,svg,png,tex", .dots = 300 };

static const char notes[] =
    "FIGURE.cfg has the syntax of a scenario, with these keys:\n"
    "width = 17.0;     width of the page, 6 to 60 cm (17)\n"
    "columns = 2;      columns of the page, 1 to 8 (2; 1 if 2 do not fit)\n"
    "caption = \"...\";  the caption, LaTeX (none)\n"
    "share = \"range\";  one range, bar and key for hamon-slice's panels "
    "(none)\n"
    "panels = ( { command = \"hamon-slice run.h5\"; columns = 2; }, ... );\n"
    "columns of a panel: how many of the page's it spans (1)\n"
    "title of a panel: the line beside its letter (hamon-slice: the step)\n"
    "share of a panel: \"range\" or \"none\" (as the page)\n"
    "\n"
    "The command of a panel is the command line that draws it, of\n"
    "hamon-slice, hamon-isotropy, hamon-modes, hamon-reflection or\n"
    "hamon-steering. Its paths are relative to the folder of FIGURE.cfg;\n"
    "hamon-figure itself sets --width, --format and --output. Panels fill a\n"
    "row from left to right, 0.4 cm apart, and then the next row. A panel is\n"
    "as wide as its columns (6 cm or more), and has its letter above it. The\n"
    "size of its text does not change. The frames of hamon-slice's panels are\n"
    "aligned: their left and right sides in a column, their tops in a row.\n"
    "Panels that share a range are drawn in the range of all of them, and "
    "have\n"
    "one bar and one key below the last of their rows.\n"
    "\n"
    "BASE.pdf and BASE.svg contain what the programs drew, with fonts, text\n"
    "and exact cells; so does BASE.eps (by pdftocairo). BASE.png has 300 dots\n"
    "per inch (by pdftoppm); Word shows it at the width of the page. BASE.tex\n"
    "is for \\input: it has \\includegraphics of BASE, and the caption. All "
    "of\n"
    "them name the commands and the recordings (by sha256sum) of the figure.\n"
    "The same input gives the same bytes.\n"
    "\n"
    "Examples:\n"
    "  echo 'panels = ( { command = \"hamon-slice run.h5 --bar\"; } );' "
    ">a.cfg\n"
    "  hamon-figure a.cfg\n"
    "  hamon-figure --force --format png --dpi 600 a.cfg\n";

static enum status choose_formats(struct error *error)
{
    for (const char *at = given.format; *at;) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < FORMATS && (strlen(formats[i]) != length ||
                               strncmp(formats[i], at, length) != 0))
            i++;
        if (i == FORMATS)
            return error_set(error, STATUS_INPUT,
                             "--format '%.*s': pdf, svg, png, eps and tex are "
                             "allowed, separated by commas",
                             (int)length, at);
        given.chosen[i] = true;
        at += length + (at[length] == ',');
    }
    return *given.format
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "--format: names no format");
}

struct figure_files {
    char *path[FORMATS];
    struct output output[FORMATS];
    bool open[FORMATS];
};

/* Opens all of them before anything is drawn. */
static enum status open_files(const char *base, struct figure_files *files,
                              struct error *error)
{
    enum status status = tex_check_name(base, error);
    for (size_t i = 0; i < FORMATS && !status; i++) {
        if (!given.chosen[i])
            continue;
        files->path[i] = need_format("%s.%s", base, formats[i]);
        status =
            output_open(&files->output[i], files->path[i], given.force, error);
        files->open[i] = !status;
    }
    return status;
}

static void close_files(struct figure_files *files)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (files->open[i])
            output_abandon(&files->output[i]);
        memory_release(files->path[i]);
    }
}

static enum status copy_file(const char *path, FILE *to, struct error *error)
{
    char bytes[1 << 14];
    FILE *from = fopen(path, "rb");
    if (!from)
        return error_system(error, STATUS_FAILED, "%s", path);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
        fwrite(bytes, 1, got, to);
    bool good = !ferror(from);
    fclose(from);
    return good
               ? STATUS_OK
               : error_system(error, STATUS_FAILED, "%s: cannot be read", path);
}

/* Gives the pictures their names when all of them are complete. */
static enum status keep_files(const struct composition *figure,
                              struct figure_files *files, struct error *error)
{
    struct output *outputs[FORMATS];
    enum status status = STATUS_OK;
    size_t count = 0;
    for (size_t i = 0; i < FORMATS && !status; i++) {
        if (!given.chosen[i])
            continue;
        char *path = need_format("%s/figure.%s", figure->work, formats[i]);
        status = copy_file(path, files->output[i].file, error);
        memory_release(path);
        outputs[count++] = &files->output[i];
    }
    return status ? status : output_commit_all(outputs, count, error);
}

/* "paper.pdf, .svg" */
static void name_files(const char *base, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", base);
    const char *between = "";
    for (size_t i = 0; i < FORMATS && used < size; i++)
        if (given.chosen[i]) {
            used += (size_t)snprintf(text + used, size - used, "%s.%s", between,
                                     formats[i]);
            between = ", ";
        }
}

static void report(const struct cli *cli, const struct composition *figure,
                   const char *base)
{
    char names[512];
    name_files(base, names, sizeof names);
    if (*figure->lacking.text)
        cli_say(cli, LACKING_MESSAGE, figure->path, figure->lacking.text,
                lacking_packages(figure->lacking.text));
    cli_say(cli, "%s: %zu panels of %zu recording%s, %.1f x %.1f cm", names,
            figure->count, figure->source_count,
            figure->source_count == 1 ? "" : "s", figure->width,
            figure->height * 2.54 / 72);
}

/* The PDF is made in any case: PNG and EPS are made from it. */
static enum status compose(const struct composition *figure, const char *base,
                           struct error *error)
{
    enum status status = pdf_compose(figure, error);
    if (!status && given.chosen[SVG])
        status = svg_compose(figure, error);
    if (!status && given.chosen[PNG])
        status = png_compose(figure, (int)given.dots, error);
    if (!status && given.chosen[EPS])
        status = eps_compose(figure, error);
    if (!status && given.chosen[TEX])
        status = tex_compose(figure, base, error);
    return status;
}

static enum status draw(const struct cli *cli, struct composition *figure,
                        const char *base, struct error *error)
{
    enum status status = sources_find(figure, error);
    if (!status)
        status = work_make(figure, error);
    if (!status)
        status = composition_measure(figure, error);
    for (size_t k = 0; k < figure->drawn && !status; k++) {
        status = panel_draw(figure, k, error);
        if (!status)
            status = interrupt_check(error);
    }
    if (!status) {
        composition_lay_out(figure);
        status = titles_draw(figure, error);
    }
    if (!status)
        status = compose(figure, base, error);
    if (!status)
        report(cli, figure, base);
    return status;
}

/* paper from paper.cfg; from need_memory. */
static char *base_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return need_format("%.*s", (int)length, name);
}

static enum status make_figure(const struct cli *cli, struct error *error)
{
    struct composition figure;
    struct figure_files files = { 0 };
    char *base = NULL;
    enum status status = choose_formats(error);
    if (status)
        return status;
    status = composition_read(cli->operands[0], &figure, error);
    if (!status) {
        base = given.output ? need_text(given.output) : base_of(figure.name);
        status = open_files(base, &files, error);
    }
    if (!status)
        status = draw(cli, &figure, base, error);
    if (!status)
        status = keep_files(&figure, &files, error);
    close_files(&files);
    work_remove(&figure);
    composition_release(&figure);
    memory_release(base);
    return status;
}

static const struct cli_option options[] = {
    { CLI_FILE, 'o', "output", "BASE",
      "the figure, BASE.pdf, .svg, .png and .tex (FIGURE)", &given.output, 0,
      0 },
    { CLI_TEXT, 0, "format", "LIST",
      "files to write, of pdf, svg, png, eps and tex\n"
      "(pdf,svg,png,tex)",
      &given.format, 0, 0 },
    { CLI_INT, 0, "dpi", "N", "dots per inch of the PNG (300)", &given.dots, 72,
      1200 },
    { .kind = CLI_TABLE, .value = &cli_language },
    { CLI_FLAG, 0, "force", NULL, "replace existing files", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    struct error error;
    (void)context;
    if (cli->operand_count != 1)
        return cli_usage(cli, "one figure file is required");
    if (pdf_check(&error))
        return cli_fail(&error);
    return make_figure(cli, &error) ? cli_fail(&error) : STATUS_OK;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-figure",
        .synopsis = "[OPTION]... FIGURE.cfg",
        .purpose =
            "Makes a paper's figure from panels that the other programs draw.",
        .notes = notes,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
