/* SPDX-License-Identifier: MIT */
/* The file for a paper: \input{BASE} */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"

#include <string.h>

enum status tex_check_name(const char *base, struct error *error)
{
    static const char refused[] = " #$%&\\^{}~\"";
    const char *bad = strpbrk(base, refused);
    return bad ? error_set(error, STATUS_INPUT,
                           "%s: LaTeX does not accept a name with '%c'; choose "
                           "another by -o",
                           base, *bad)
               : STATUS_OK;
}

enum status tex_check_caption(const char *caption, struct error *error)
{
    int open = 0;
    for (const char *at = caption; *at && open >= 0; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '%')
            return error_set(
                error, STATUS_INPUT,
                "a %% starts a comment in LaTeX; \\\\%% is a percent sign");
        else
            open += (*at == '{') - (*at == '}');
    }
    return open ? error_set(error, STATUS_INPUT,
                            "a %c without its %c is an error in LaTeX; add it",
                            open > 0 ? '{' : '}', open > 0 ? '}' : '{')
                : STATUS_OK;
}

static void put_sources(const struct composition *figure, FILE *out)
{
    fprintf(out, "%% Made by hamon-figure %s, commit %s, of %s\n",
            hamon_version, hamon_commit, figure->name);
    for (size_t i = 0; i < figure->source_count; i++)
        fprintf(out, "%% sha256 %s  %s\n", figure->sources[i].sum,
                figure->sources[i].name);
    for (size_t k = 0; k < figure->count; k++)
        fprintf(out, "%% (%c) %s\n", (char)('a' + k),
                figure->panels[k].command);
}

/* The picture keeps its own size, in which letters have the intended size. If
 * it is wider than a column, it spans both in a document with two. */
static void put_figure(const struct composition *figure, const char *base,
                       FILE *out)
{
    const char *star = figure->width > 8.6 ? "*" : "";
    const char *slash = strrchr(base, '/');
    fprintf(out, "\\begin{figure%s}\n  \\centering\n  \\includegraphics{%s}\n",
            star, base);
    if (*figure->caption)
        fprintf(out, "  \\caption{%s}\n  \\label{fig:%s}\n", figure->caption,
                slash ? slash + 1 : base);
    fprintf(out, "\\end{figure%s}\n", star);
}

enum status tex_compose(const struct composition *figure, const char *base,
                        struct error *error)
{
    char *path = work_path(figure, "figure.tex");
    FILE *file = fopen(path, "w");
    if (file) {
        put_sources(figure, file);
        put_figure(figure, base, file);
    }
    bool good = file && !ferror(file);
    if (file && fclose(file) != 0)
        good = false;
    enum status status =
        good ? STATUS_OK : error_system(error, STATUS_DISK, "%s", path);
    memory_release(path);
    return status;
}
