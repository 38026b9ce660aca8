/* SPDX-License-Identifier: MIT */
/* hamon: one name for all programs. `hamon slice …` is `hamon-slice …`. */
#include "base/process.h"
#include "cli/cli.h"
#include "settings/keys.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct program {
    const char *heading; /* of this program and those after it; or NULL */
    const char *name, *purpose, *example;
} programs[] = {
    { "Run", "record", "run a scenario and record it",
      "samples/corridors/corridor.cfg" },
    { NULL, "sweep", "run a scenario for many values, make one table",
      "-o walls --vary wave.walls=fixed,free corridor.cfg" },
    { "Look", "info", "show what a recording contains", "corridor.h5" },
    { NULL, "slice", "draw pictures of any step",
      "corridor.h5 --at step=120 -o wave.png" },
    { NULL, "movie", "make a film", "corridor.h5 -S 4 -o corridor.mp4" },
    { NULL, "report", "make one HTML page", "corridor.h5 -o corridor.html" },
    { NULL, "figure", "put panels together to a paper's figure",
      "corridors.cfg" },
    { "Measure", "compare", "compare how methods do",
      "--by file paper.h5 best.h5" },
    { NULL, "check", "check a recording against the laws of waves",
      "corridor.h5" },
    { NULL, "reflection", "measure how wrong headings are near walls",
      "-o walls corridor.h5" },
    { NULL, "isotropy", "measure how round wave fronts are",
      "-o round open.h5" },
    { NULL, "modes", "measure which waves a corridor passes",
      "-o modes modes.h5" },
    { NULL, "steering", "measure how areas of other speeds bend paths",
      "-o slow slow.h5" },
    { "Files", "pack", "make a recording smaller", "-o small.h5 corridor.h5" },
    { NULL, "export", "write CSV, numpy arrays or XDMF", "--csv corridor.h5" },
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Manual pages that belong to no program. */
static const char *const formats[] = { "scenario", "recording" };
enum { FORMATS = sizeof formats / sizeof *formats };

static int list_programs(void)
{
    for (int i = 0; i < PROGRAMS; i++) {
        const struct program *p = &programs[i];
        if (p->heading)
            printf("%s%s\n", i ? "\n" : "", p->heading);
        printf("  %-11s %s\n              hamon %s %s\n", p->name, p->purpose,
               p->name, p->example);
    }
    puts("\n'hamon help slice' opens the manual page of hamon-slice, 'hamon "
         "help scenario'\nthat of all keys of a scenario. 'hamon slice' and "
         "'hamon-slice' are the same.");
    return cli_end();
}

static bool is_program(const char *name)
{
    for (int i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i].name, name) == 0)
            return true;
    return false;
}

static bool is_format(const char *name)
{
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(formats[i], name) == 0)
            return true;
    return false;
}

/* The word itself or, of "hamon-slice", "slice". */
static const char *plain_name(const char *word)
{
    static const char start[] = "hamon-";
    return strncmp(word, start, sizeof start - 1) == 0 ? word + sizeof start - 1
                                                       : word;
}

static int unknown(const struct cli *cli, const char *word, bool pages)
{
    const char *nearest = "help";
    int least = name_distance(plain_name(word), nearest);
    for (int i = 0; i < PROGRAMS + (pages ? FORMATS : 0); i++) {
        const char *name =
            i < PROGRAMS ? programs[i].name : formats[i - PROGRAMS];
        const int distance = name_distance(plain_name(word), name);
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return cli_usage(cli, "'%s' is not a program; the nearest name is '%s'",
                     word, nearest);
}

/* Replaces this process; returns only after an error, which it has
 * reported. */
static int become(const char *path, char *const *words)
{
    struct error error;
    execv(path, words);
    return cli_fail((error_system(&error, STATUS_FAILED, "%s", path), &error));
}

static int start(const struct cli *cli, char **words)
{
    char name[64], path[PATH_MAX];
    struct error error;
    if (!is_program(plain_name(words[0])))
        return unknown(cli, words[0], false);
    snprintf(name, sizeof name, "hamon-%s", plain_name(words[0]));
    if (process_find(name, path, &error))
        return cli_fail(&error);
    words[0] = name;
    return become(path, words);
}

/* The page in this build tree or in this installation; else NULL: man looks for
 * it. */
static const char *find_page(const char *page, int section, char *path)
{
    static const char *const folders[] = { "man", "share/man/man1",
                                           "share/man/man5" };
    char own[PATH_MAX];
    struct error error;
    if (process_find("hamon", own, &error))
        return NULL;
    const int length = (int)(strrchr(own, '/') - own);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int needed = snprintf(path, PATH_MAX, "%.*s/../%s/%s.%d", length, own,
                              folders[i], page, section);
        if (needed < PATH_MAX && access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Without the program man, --help of the program is printed. */
static int open_page(const struct cli *cli, const char *word)
{
    const char *name = plain_name(word);
    const bool format = is_format(name);
    char page[64], path[PATH_MAX], program[PATH_MAX];
    struct error error;
    if (!format && !is_program(name) && strcmp(word, "hamon") != 0)
        return unknown(cli, word, true);
    if (strcmp(word, "hamon") == 0)
        snprintf(page, sizeof page, "hamon");
    else
        snprintf(page, sizeof page, "hamon-%s", name);
    const char *file = find_page(page, format ? 5 : 1, path);
    char man[] = "man", local[] = "-l";
    char *const with_file[] = { man, local, path, NULL };
    char *const by_name[] = { man, page, NULL };
    execvp(man, file ? with_file : by_name);
    if (errno != ENOENT || format)
        return cli_fail((error_system(&error, STATUS_FAILED, "man"), &error));
    if (process_find(page, program, &error))
        return cli_fail(&error);
    char help[] = "--help";
    char *const words[] = { page, help, NULL };
    return become(program, words);
}

static int run(struct cli *cli, void *context)
{
    const bool help =
        cli->operand_count && strcmp(cli->operands[0], "help") == 0;
    if (!cli->operand_count || (help && cli->operand_count == 1))
        return list_programs();
    if (!help)
        return start(cli, cli->operands);
    if (cli->operand_count > 2)
        return cli_usage(cli, "help takes one program");
    return open_page(cli, cli->operands[1]);
}

static const struct cli_option options[] = { { 0 } };

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon",
        .synopsis = "[PROGRAM [ARGUMENT]... | help PROGRAM]",
        .purpose = "Starts the programs of Hamon: 'hamon slice' is "
                   "hamon-slice. Without arguments it\nlists them by purpose, "
                   "each with an example.",
        .notes = "help PROGRAM opens the program's manual page; help scenario "
                 "that of all keys of a\nscenario, help recording that of the "
                 "file format. Arguments after the program are\nthe "
                 "program's.\n\n"
                 "Examples:\n"
                 "  hamon record samples/corridors/corridor.cfg\n"
                 "  hamon slice corridor.h5 --at step=120 -o wave.png\n"
                 "  hamon help slice\n",
        .options = options,
    };
    /* What follows the name of a program is not for this one. */
    if (argc > 1 && argv[1][0] != '-') {
        cli.operands = argv + 1;
        cli.operand_count = argc - 1;
        return run(&cli, NULL);
    }
    return cli_main(&cli, argc, argv, run, NULL);
}
