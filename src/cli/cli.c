/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "base/allocation.h"
#include "base/disk.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "base/version.h"
#include "cli/recorded.h"
#include "cli/temporary.h"
#include "settings/keys.h"
#include "words/words.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The default of --memory, GB: the limit for memory that the size of an input
 * determines. */
#define MEMORY "2"

enum {
    MOST_OPTIONS = 64,
    COMMON_OPTIONS = 6,
    LONG_ONLY = 256, /* getopt's value for the option i is LONG_ONLY + i */
    HELP_COLUMN = 28,
};

static const struct cli_option language[] = {
    { CLI_LANGUAGE, 0, "language", "LANG",
      "language of the words drawn: en or ja (Japanese);\n"
      "messages stay English (en)",
      NULL, 0, 0 },
    { 0 },
};
const struct cli_option *cli_language = language;

/* The table that a CLI_TABLE is. */
static const struct cli_option *table_of(const struct cli_option *option)
{
    return *(const struct cli_option **)option->value;
}

/* Options of every program; cli_parse fills in their values. */
static void common_options(struct cli *cli, bool *help, bool *version,
                           struct cli_option common[COMMON_OPTIONS])
{
    const struct cli_option rows[COMMON_OPTIONS] = {
        { CLI_FLAG, 'q', "quiet", NULL, "print errors only", &cli->quiet, 0,
          0 },
        { CLI_FLAG, 'v', "verbose", NULL, "print more", &cli->verbose, 0, 0 },
        { CLI_REAL, 0, "memory", "GB",
          "use at most GB gigabytes of memory (" MEMORY ")", &cli->memory, 1e-3,
          1e6 },
        { CLI_FLAG, 0, "debug", NULL,
          "print messages of HDF5 and other libraries too", &cli->debug, 0, 0 },
        { CLI_FLAG, 'h', "help", NULL,
          cli->columns ? "print this help and exit; with the word columns:\n"
                         "describe the columns of its tables"
                       : "print this help and exit",
          help, 0, 0 },
        { CLI_FLAG, 'V', "version", NULL, "print the version and exit", version,
          0, 0 },
    };
    memcpy(common, rows, sizeof rows);
}

static void print_option(const struct cli_option *option)
{
    char left[64];
    int used = snprintf(
        left, sizeof left, "  %c%c%s --%s%s%s", option->letter ? '-' : ' ',
        option->letter ? option->letter : ' ', option->letter ? "," : " ",
        option->name, option->argument ? " " : "",
        option->argument ? option->argument : "");
    if (used >= HELP_COLUMN)
        printf("%s\n%*s", left, HELP_COLUMN, "");
    else
        printf("%-*s", HELP_COLUMN, left);
    for (const char *c = option->help; *c; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

static int print_help(const struct cli *cli,
                      const struct cli_option *const *options, int count)
{
    printf("Usage: %s %s\n%s\n\nOptions:\n", cli->program, cli->synopsis,
           cli->purpose);
    for (int i = 0; i < count; i++)
        print_option(options[i]);
    if (cli->notes)
        printf("\n%s", cli->notes);
    if (cli->recordings)
        printf("\nA scenario (NAME.cfg) in place of a recording is recorded "
               "into a temporary\nfile, which is removed at the end.\n");
    printf("\nExit status: 0 done, 1 failed while running, 2 bad usage or bad "
           "input,\n3 disk or device error, 4 the wave diverged; on ctrl-C: "
           "the signal.\n");
    return cli_end();
}

static int print_version(const struct cli *cli)
{
    printf(
        "%s (hamon) %s, commit %s\n%s, %s\n"
        "MIT License; colour tables under their own, see COPYING.colormaps.\n",
        cli->program, hamon_version, hamon_commit, hamon_compiler, hamon_flags);
    return cli_end();
}

static bool in_range(const struct cli_option *option, double value)
{
    return (option->low == 0 && option->high == 0) ||
           (value >= option->low && value <= option->high);
}

static int take_number(const struct cli *cli, const struct cli_option *option,
                       const char *text)
{
    char *end;
    errno = 0;
    bool good;
    if (option->kind == CLI_INT) {
        int64_t value = strtoimax(text, &end, 10);
        good =
            !errno && end != text && !*end && in_range(option, (double)value);
        if (good)
            *(int64_t *)option->value = value;
    } else {
        double value = strtod(text, &end);
        good =
            end != text && !*end && isfinite(value) && in_range(option, value);
        if (good)
            *(double *)option->value = value;
    }
    if (good)
        return CLI_GO_ON;
    if (option->low == 0 && option->high == 0)
        return cli_usage(cli, "--%s '%s': a %s is required", option->name, text,
                         option->kind == CLI_INT ? "whole number" : "number");
    return cli_usage(cli, "--%s '%s': a %s from %g to %g is required",
                     option->name, text,
                     option->kind == CLI_INT ? "whole number" : "number",
                     option->low, option->high);
}

static int take(const struct cli *cli, const struct cli_option *option,
                const char *text)
{
    struct cli_list *list;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->value = true;
        return CLI_GO_ON;
    case CLI_FILE:
    case CLI_RECORDING:
        if (strcmp(text, "-") == 0)
            return cli_usage(cli,
                             "--%s -: give a file's name; standard output "
                             "cannot take it",
                             option->name);
        *(const char **)option->value = text;
        return CLI_GO_ON;
    case CLI_LANGUAGE:
        return words_choose(text)
                   ? CLI_GO_ON
                   : cli_usage(cli, "--%s '%s': en or ja is required",
                               option->name, text);
    case CLI_TEXT:
        *(const char **)option->value = text;
        return CLI_GO_ON;
    case CLI_LIST: /* has room for every word of the command line */
        list = option->value;
        list->items[list->count++] = text;
        return CLI_GO_ON;
    default:
        return take_number(cli, option, text);
    }
}

/* Gives every list room for all words. */
static void lists_reserve(struct cli *cli, int argc,
                          const struct cli_option *const *options, int count)
{
    for (int i = 0; i < count; i++) {
        if (options[i]->kind != CLI_LIST)
            continue;
        struct cli_list *list = options[i]->value;
        list->items = need_memory((size_t)argc + 1, sizeof *list->items);
        cli->owned[cli->owned_count++] = list->items;
    }
}

/* Tables for getopt from the option table; `options` are all its rows in
 * order. */
static void getopt_tables(const struct cli_option *const *options, int count,
                          struct option *longs, char *shorts)
{
    *shorts++ = ':'; /* a missing argument gives ':', and we report it */
    for (int i = 0; i < count; i++) {
        bool argument = options[i]->kind != CLI_FLAG;
        longs[i] = (struct option){
            .name = options[i]->name,
            .has_arg = argument ? required_argument : no_argument,
            .val = LONG_ONLY + i,
        };
        if (options[i]->letter) {
            *shorts++ = options[i]->letter;
            if (argument)
                *shorts++ = ':';
        }
    }
    *shorts = '\0';
}

/* Reports an option that getopt did not find: `word` of the command line. */
static int refuse(const struct cli *cli, const char *word,
                  const struct cli_option *const *options, int count)
{
    if (optopt >= LONG_ONLY)
        return cli_usage(cli, "--%s takes no argument",
                         options[optopt - LONG_ONLY]->name);
    if (optopt)
        return cli_usage(cli, "unknown option -%c", optopt);
    const int length = (int)strcspn(word, "=");
    const char *nearest = "", *first = NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", length - 2, word + 2);
    for (int i = 0, least = INT_MAX; i < count; i++) {
        const char *other = options[i]->name;
        const int distance = name_distance(name, other);
        if (distance < least)
            nearest = other;
        least = distance < least ? distance : least;
        if (strncmp(name, other, strlen(name)) != 0)
            continue;
        if (first)
            return cli_usage(cli, "%.*s is the start of --%s and --%s", length,
                             word, first, other);
        first = other;
    }
    return cli_usage(cli, "unknown option %.*s; the nearest known one is --%s",
                     length, word, nearest);
}

static int parse_words(struct cli *cli, int argc, char **argv,
                       const struct cli_option *const *options, int count)
{
    struct option longs[MOST_OPTIONS + 1] = { { 0 } };
    char shorts[2 * MOST_OPTIONS + 2];
    getopt_tables(options, count, longs, shorts);
    opterr = 0;
    optind = 0; /* getopt forgets what an earlier call left */
    int code;
    while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const struct cli_option *option = NULL;
        for (int i = 0; i < count; i++)
            if (code == LONG_ONLY + i ||
                (options[i]->letter && code == options[i]->letter))
                option = options[i];
        if (code == ':')
            return cli_usage(cli, "%s needs an argument", argv[optind - 1]);
        if (!option)
            return refuse(cli, argv[optind - 1], options, count);
        int result = take(cli, option, optarg);
        if (result != CLI_GO_ON)
            return result;
    }
    cli->operands = argv + optind;
    cli->operand_count = argc - optind;
    return CLI_GO_ON;
}

/* Adds those of a table, and of the tables in it; returns their number. */
static int list_options(const struct cli_option *table,
                        const struct cli_option **options, int count)
{
    for (const struct cli_option *o = table; o->kind; o++)
        if (o->kind == CLI_TABLE)
            count = list_options(table_of(o), options, count);
        else
            options[count++] = o;
    return count;
}

int cli_parse(struct cli *cli, int argc, char **argv)
{
    bool help = false, version = false;
    struct cli_option common[COMMON_OPTIONS];
    common_options(cli, &help, &version, common);
    const struct cli_option *options[MOST_OPTIONS];
    int count = list_options(cli->options, options, 0);
    for (int i = 0; i < COMMON_OPTIONS; i++)
        options[count++] = &common[i];
    lists_reserve(cli, argc, options, count);
    cli->memory = strtod(MEMORY, NULL);
    int result = parse_words(cli, argc, argv, options, count);
    memory_limit((size_t)(1e9 * cli->memory));
    if (result == CLI_GO_ON && help && cli->columns && cli->operand_count &&
        strcmp(cli->operands[0], "columns") == 0) {
        cli->columns(stdout);
        result = cli_end();
    } else if (result == CLI_GO_ON && help)
        result = print_help(cli, options, count);
    else if (result == CLI_GO_ON && version)
        result = print_version(cli);
    return result;
}

void cli_release(struct cli *cli)
{
    while (cli->owned_count)
        memory_release(cli->owned[--cli->owned_count]);
}

/* If a standard stream is closed, the first file that is opened would get its
 * number. Reads and writes of such a stream still fail. */
static bool hold_streams(void)
{
    for (;;) {
        const bool input = fcntl(STDIN_FILENO, F_GETFD) < 0;
        int fd = open("/dev/null", input ? O_WRONLY : O_RDONLY);
        if (fd < 0)
            return false;
        if (fd > STDERR_FILENO)
            return close(fd) == 0;
    }
}

/* There is no memory. Incomplete files are removed, and what is committed
 * stays. If several threads call it, only the first prints the message. */
static void end_without_memory(void)
{
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
        pause();
    struct error error;
    error_memory(&error);
    disk_discard_all();
    temporary_remove();
    size_t length = strlen(error.message);
    error.message[length++] = '\n';
    while (write(STDERR_FILENO, error.message, length) < 0 && errno == EINTR)
        continue;
    _exit(STATUS_FAILED);
}

static void library_without_memory(size_t bytes)
{
    end_without_memory();
}

/* Replaces a scenario by its recording. */
static int record_one(const struct cli *cli, const char **path)
{
    const char *scenario = *path;
    if (!recorded_is_scenario(scenario))
        return 0;
    if (cli->stays && cli->stays())
        return cli_usage(cli,
                         "%s: a recording is required, which stays: make it by "
                         "'hamon-record %s'",
                         scenario, scenario);
    return recorded_make(scenario, cli->quiet, path);
}

static int record_options(const struct cli *cli,
                          const struct cli_option *options)
{
    int code = 0;
    for (const struct cli_option *o = options; o->kind && !code; o++)
        if (o->kind == CLI_TABLE)
            code = record_options(cli, table_of(o));
        else if (o->kind == CLI_RECORDING && *(const char **)o->value)
            code = record_one(cli, o->value);
    return code;
}

/* The command line, which is recorded, keeps its words. */
static int record_scenarios(struct cli *cli)
{
    const size_t count = (size_t)cli->operand_count;
    const char **paths = need_memory(count + 1, sizeof *paths);
    int code = 0;
    cli->owned[cli->owned_count++] = paths;
    for (size_t i = 0; i < count && !code; i++) {
        paths[i] = cli->operands[i];
        code = record_one(cli, &paths[i]);
    }
    cli->operands = (char **)(uintptr_t)paths; /* as argv has them */
    if (!code)
        code = record_options(cli, cli->options);
    return code ? code : CLI_GO_ON;
}

int cli_main(struct cli *cli, int argc, char **argv,
             int (*run)(struct cli *cli, void *context), void *context)
{
    struct error error;
    allocation_on_failure(library_without_memory);
    need_on_failure(end_without_memory);
    if (!hold_streams()) {
        error_system(&error, STATUS_FAILED, "/dev/null");
        return cli_fail(&error);
    }
    inputs_watch();
    /* Then a file over the size limit is an error of write, as on a full
     * disk. */
    signal(SIGXFSZ, SIG_IGN);
    int code = cli_parse(cli, argc, argv);
    if (code == CLI_GO_ON && cli->recordings)
        code = record_scenarios(cli);
    if (code == CLI_GO_ON)
        code = run(cli, context);
    temporary_remove();
    cli_release(cli);
    return code;
}

int cli_usage(const struct cli *cli, const char *format, ...)
{
    char text[ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct error error;
    error_set(&error, STATUS_INPUT, "%s: %s; see '%s --help'", cli->program,
              text, cli->program);
    return cli_fail(&error);
}

int cli_fail(const struct error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return (int)error->status;
}

char *cli_output_of(const char *path, const char *ending)
{
    size_t end = strlen(path), begin, length;
    while (end > 1 && path[end - 1] == '/')
        end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/'; begin--)
        continue;
    for (length = end - begin; length > 0 && path[begin + length - 1] != '.';
         length--)
        continue;
    return need_format("%.*s%s", (int)(length > 1 ? length - 1 : end - begin),
                       path + begin, ending);
}

void cli_say(const struct cli *cli, const char *format, ...)
{
    if (cli->quiet)
        return;
    char text[PATH_MAX + 512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_show(stderr, text);
    fputc('\n', stderr);
}

static char *put(char *out, const char *piece, size_t bytes)
{
    memcpy(out, piece, bytes);
    return out + bytes;
}

/* Unchanged if it needs no quotes, else in single quotes; returns the end. */
static char *quote(const char *word, char *out)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+=./:,%@^";
    size_t length = strlen(word);
    if (length && strspn(word, bare) == length)
        return put(out, word, length);
    out = put(out, "'", 1);
    for (const char *c = word; *c; c++)
        out = *c == '\'' ? put(out, "'\\''", 4) : put(out, c, 1);
    return put(out, "'", 1);
}

char *cli_command(int argc, const char *const *argv)
{
    size_t bytes = 1;
    for (int i = 0; i < argc; i++)
        bytes += 4 * strlen(argv[i]) + sizeof "'' ";
    char *text = need_memory(bytes, 1), *at = text;
    for (int i = 0; i < argc; i++) {
        if (i)
            *at++ = ' ';
        at = quote(argv[i], at);
    }
    return text;
}

enum status cli_flush(struct error *error)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return STATUS_OK;
    return error_system(error, STATUS_DISK, "standard output");
}

int cli_end(void)
{
    struct error error;
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}
