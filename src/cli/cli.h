/* SPDX-License-Identifier: MIT */
/* The common parts of every program's command line: an option table, --help,
 * --version, messages. A program consists of a table, an open, a library call
 * and a report. */
#ifndef HAMON_CLI_CLI_H
#define HAMON_CLI_CLI_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum cli_kind {
    CLI_END = 0,
    CLI_FLAG,      /* value: bool *, becomes true */
    CLI_TEXT,      /* value: const char ** */
    CLI_FILE,      /* as CLI_TEXT, but "-" is rejected */
    CLI_RECORDING, /* as CLI_FILE, of a recording or a scenario */
    CLI_LIST,      /* value: struct cli_list *, may be given repeatedly */
    CLI_INT,       /* value: int64_t *, within low … high */
    CLI_REAL,      /* value: double *, finite, within low … high */
    CLI_LANGUAGE,  /* chooses the language of words (words/words.h) */
    CLI_TABLE,     /* value: const struct cli_option **, a table put here */
};

struct cli_list {
    const char **items; /* the array belongs to the cli, and is released with
                         * it */
    size_t count;
};

/* One option; a table ends with { 0 }. */
struct cli_option {
    enum cli_kind kind;
    char letter;          /* 0: none */
    const char *name;     /* the long name */
    const char *argument; /* its argument in --help */
    const char *help;
    void *value;
    double low, high; /* of CLI_INT and CLI_REAL; both 0: any */
};

/* --language, a CLI_TABLE of every program that draws words. */
extern const struct cli_option *cli_language;

struct cli {
    const char *program;  /* "hamon-record" */
    const char *synopsis; /* "[OPTION]… SCENARIO" */
    const char *purpose;  /* the program's purpose, a line or two */
    const char *notes;    /* examples and more, after the options; or NULL */
    const struct cli_option *options;
    /* --help columns: describes the columns of its tables. NULL: none. */
    void (*columns)(FILE *out);
    /* The operands are recordings. A scenario in place of one is recorded
     * into a temporary file (cli/recorded.h), unless the output depends on the
     * recording (`stays`, or NULL: never). */
    bool recordings;
    bool (*stays)(void);
    /* Set by cli_parse. */
    bool quiet, verbose, debug;
    double memory; /* GB */
    char **operands;
    int operand_count;
    void *owned[16];
    int owned_count;
};

enum { CLI_GO_ON = -1 };

/* Reads the command line by the program's table and the common options (-q, -v,
 * --debug, --help, --version). CLI_GO_ON, or the exit code: 0 after --help and
 * --version, 2 after an error, which it has reported. */
int cli_parse(struct cli *cli, int argc, char **argv);

void cli_release(struct cli *cli);

/* A program's main: cli_parse; then `run`, unless the program is to exit (its
 * result is the exit code); cli_release. */
int cli_main(struct cli *cli, int argc, char **argv,
             int (*run)(struct cli *cli, void *context), void *context);

/* Prints a usage error on stderr, with a pointer to --help; STATUS_INPUT. */
int cli_usage(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the error, one line on stderr, and returns the exit code. */
int cli_fail(const struct error *error);

/* The default name of an output: the base name of the file or folder with
 * another ending, in the current folder. Release with memory_release. */
char *cli_output_of(const char *path, const char *ending);

/* A line on stderr unless --quiet. */
void cli_say(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The command line as one text, its words quoted for a shell if necessary; from
 * need_memory. */
char *cli_command(int argc, const char *const *argv);

/* Flushes stdout; STATUS_DISK and an error if output was lost. */
enum status cli_flush(struct error *error);

/* The end of a program that has printed all its output: flushes stdout and
 * returns the exit code. */
int cli_end(void);

#endif
