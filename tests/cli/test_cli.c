/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "cli/recordings.h"
#include "cli/table.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct parsed {
    bool force;
    const char *output;
    struct cli_list set;
    int64_t threads;
    double scale;
};

static int parse(struct cli *cli, struct parsed *parsed, int argc,
                 const char *const *words)
{
    static char copies[16][64];
    static char *argv[17]; /* contains the operands */
    for (int i = 0; i < argc; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        argv[i] = copies[i];
    }
    argv[argc] = NULL;
    *parsed = (struct parsed){ .threads = 1 };
    static struct cli_option options[6];
    const struct cli_option rows[6] = {
        { CLI_FLAG, 'f', "force", NULL, "", &parsed->force, 0, 0 },
        { CLI_TEXT, 'o', "output", "FILE", "", &parsed->output, 0, 0 },
        { CLI_LIST, 0, "set", "K=V", "", &parsed->set, 0, 0 },
        { CLI_INT, 0, "threads", "N", "", &parsed->threads, 1, 1024 },
        { CLI_REAL, 0, "scale", "X", "", &parsed->scale, 0, 0 },
        { 0 },
    };
    memcpy(options, rows, sizeof rows);
    *cli = (struct cli){ .program = "hamon-test",
                         .synopsis = "",
                         .purpose = "",
                         .options = options };
    return cli_parse(cli, argc, argv);
}

#define PARSE(...)                                                             \
    parse(                                                                     \
        &cli, &parsed,                                                         \
        (int)(sizeof((const char *[]){ "t", __VA_ARGS__ }) / sizeof(char *)),  \
        (const char *[]){ "t", __VA_ARGS__ })

START_TEST(options_of_every_kind_are_taken)
    {
        struct cli cli;
        struct parsed parsed;
        ck_assert_int_eq(PARSE("--set", "a=1", "file", "-fq", "--set=b=2", "-o",
                               "x.h5", "--threads", "4", "--scale", "-2.385"),
                         CLI_GO_ON);
        ck_assert(parsed.force && cli.quiet && !cli.verbose);
        ck_assert_str_eq(parsed.output, "x.h5");
        ck_assert_uint_eq(parsed.set.count, 2);
        ck_assert_str_eq(parsed.set.items[1], "b=2");
        ck_assert_int_eq(parsed.threads, 4);
        ck_assert_double_eq(parsed.scale, -2.385);
        ck_assert_int_eq(cli.operand_count, 1);
        ck_assert_str_eq(cli.operands[0], "file");
        cli_release(&cli);
    }
END_TEST

START_TEST(bad_options_are_usage_errors)
    {
        struct cli cli;
        struct parsed parsed;
        ck_assert_int_eq(PARSE("--threads", "0"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--threads", "4x"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--threads", "99999999999999999999"),
                         STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--scale", "nan"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--scale", ""), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--nonsense"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("-x"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("-o"), STATUS_INPUT);
        cli_release(&cli);
        ck_assert_int_eq(PARSE("--force=yes"), STATUS_INPUT);
        cli_release(&cli);
    }
END_TEST

/* The message of a program with these options and these words. */
static const char *message_of(int argc, const char *const *words)
{
    static char text[512];
    struct cli cli;
    struct parsed parsed;
    int kept = dup(STDERR_FILENO), ends[2];
    ck_assert(kept >= 0 && pipe(ends) == 0);
    dup2(ends[1], STDERR_FILENO);
    ck_assert_int_eq(parse(&cli, &parsed, argc, words), STATUS_INPUT);
    cli_release(&cli);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    ssize_t got = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

#define MESSAGE_OF(word)                                                       \
    message_of(2, (const char *const[]){ "hamon-test", word })

START_TEST(an_unknown_option_is_answered_by_the_nearest_one)
    {
#define SEE "; see 'hamon-test --help'\n"
        ck_assert_str_eq(MESSAGE_OF("--thraeds=4"),
                         "hamon-test: unknown option --thraeds; the nearest "
                         "known one is --threads" SEE);
        ck_assert_str_eq(MESSAGE_OF("--sca1e"),
                         "hamon-test: unknown option --sca1e; the nearest "
                         "known one is --scale" SEE);
        ck_assert_str_eq(MESSAGE_OF("--s"),
                         "hamon-test: --s is the start of --set and "
                         "--scale" SEE);
        ck_assert_str_eq(MESSAGE_OF("--force=yes"),
                         "hamon-test: --force takes no argument" SEE);
        ck_assert_str_eq(MESSAGE_OF("--forc=yes"),
                         "hamon-test: --force takes no argument" SEE);
        ck_assert_str_eq(MESSAGE_OF("-x"), "hamon-test: unknown option -x" SEE);
#undef SEE
    }
END_TEST

START_TEST(a_command_line_is_quoted_for_a_shell)
    {
        const char *words[] = { "hamon-record", "a b.cfg", "it's", "",
                                "x=$(y)" };
        char *text = cli_command(5, words);
        ck_assert_str_eq(text, "hamon-record 'a b.cfg' 'it'\\''s' '' 'x=$(y)'");
        memory_release(text);
    }
END_TEST

START_TEST(ranges_have_three_forms)
    {
        struct range range;
        struct error error;
        ck_assert_int_eq(range_parse("120", "x", &range, &error), STATUS_OK);
        ck_assert(range.first == 120 && range.last == 120 && range.step == 1);
        ck_assert_int_eq(range_parse("-3:5", "x", &range, &error), STATUS_OK);
        ck_assert(range.first == -3 && range.last == 5 && range.step == 1);
        ck_assert_int_eq(range_parse("50:50:600", "x", &range, &error),
                         STATUS_OK);
        ck_assert(range_holds(&range, 600) && range_holds(&range, 50));
        ck_assert(!range_holds(&range, 51) && !range_holds(&range, 650));
        static const char *const bad[] = { "",
                                           "a",
                                           "1:",
                                           "1:2:",
                                           "1:2:3:4",
                                           "5:1",
                                           "1:0:5",
                                           "1:-1:5",
                                           " 1",
                                           "1 ",
                                           "99999999999999999999",
                                           ":" };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_msg(range_parse(bad[i], "x", &range, &error) ==
                              STATUS_INPUT,
                          "'%s' was taken", bad[i]);
    }
END_TEST

START_TEST(places_are_keys_with_ranges)
    {
        struct place_range at[AT_KEYS] = { 0 };
        struct error error;
        ck_assert_int_eq(place_range_parse("step=1:2:9,z=3", at, &error),
                         STATUS_OK);
        ck_assert(at[AT_STEP].count == 1 && at[AT_Z].count == 1);
        ck_assert_int_eq(at[AT_X].count, 0);
        ck_assert(at[AT_STEP].ranges[0].step == 2);
        ck_assert(at[AT_Z].ranges[0].first == 3);
        static const char *const bad[] = { "",   "step", "w=1",  "step=",
                                           "=1", "z=1,", ",z=1", "step=1;z=2" };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_msg(place_range_parse(bad[i],
                                            (struct place_range[AT_KEYS]){ 0 },
                                            &error) == STATUS_INPUT,
                          "'%s' was taken", bad[i]);
    }
END_TEST

START_TEST(steps_add_up_and_planes_do_not)
    {
        struct place_range at[AT_KEYS] = { 0 };
        struct error error;
        ck_assert_int_eq(place_range_parse("step=75,275:5:300,z=3", at, &error),
                         STATUS_OK);
        ck_assert_int_eq(place_range_parse("step=9", at, &error), STATUS_OK);
        ck_assert_int_eq(at[AT_STEP].count, 3);
        ck_assert_int_eq(at[AT_STEP].ranges[0].last, 75);
        ck_assert_int_eq(at[AT_STEP].ranges[1].step, 5);
        ck_assert_int_eq(at[AT_STEP].ranges[2].first, 9);
        ck_assert_int_eq(place_range_parse("z=4", at, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "--at z: is given twice"));
        ck_assert_int_eq(place_range_parse("x=4,5", at, &error), STATUS_INPUT);
        for (int i = 3; i < AT_RANGES_MOST; i++)
            ck_assert_int_eq(place_range_parse("step=1", at, &error),
                             STATUS_OK);
        ck_assert_int_eq(place_range_parse("step=1", at, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "at most 64"));
    }
END_TEST

START_TEST(sizes_in_bytes_are_printed_with_units)
    {
        char text[16];
        ck_assert_str_eq(progress_bytes(0, text), "0 B");
        ck_assert_str_eq(progress_bytes(1440000, text), "1.4 MB");
        ck_assert_str_eq(progress_bytes(999600, text), "1.0 MB");
        ck_assert_str_eq(progress_bytes(UINT64_MAX, text), "18447 PB");
    }
END_TEST

/* A terminal in the place of stderr, which is kept in *kept: its two ends. */
static int open_terminal(int *end, int *kept)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(terminal, 0);
    ck_assert(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    *end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    *kept = dup(STDERR_FILENO);
    ck_assert(*end >= 0 && *kept >= 0);
    ck_assert_int_eq(dup2(*end, STDERR_FILENO), STDERR_FILENO);
    return terminal;
}

/* What appears on a terminal of this width, 0: that does not know it. */
static const char *line_of(int terminal, unsigned short width,
                           struct progress *progress, int64_t done,
                           uint64_t bytes)
{
    static char seen[512];
    const struct winsize size = { .ws_row = 24, .ws_col = width };
    ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
    progress->drawn = 0;
    progress_update(progress, done, bytes);
    ssize_t got = read(terminal, seen, sizeof seen - 1);
    ck_assert_int_gt((int)got, 0);
    seen[got] = '\0';
    char *line = seen + strlen("\r\033[J"), *end = strchr(line, '\r');
    ck_assert(strncmp(seen, "\r\033[J", 4) == 0 && end && !end[1]);
    *end = '\0';
    return line;
}

/* Wider and narrower by turns: as if the window changed at each step. */
START_TEST(progress_fits_every_width_also_after_a_change)
    {
        struct progress progress;
        int end, kept, terminal = open_terminal(&end, &kept);
        progress_start(&progress, false, "steps", 1000);
        const int whole =
            (int)strlen(line_of(terminal, 999, &progress, 500, 1440000));
        for (unsigned short i = 0; i < 240; i++) {
            const unsigned short width = i % 2 ? i / 2 + 1 : 240 - i / 2;
            const char *line =
                line_of(terminal, width, &progress, 500, 1440000);
            ck_assert_msg((int)strlen(line) < width, "%d: %s", width, line);
            ck_assert(line[0] != '[' || strstr(line, "1.4 MB"));
            if (width > 14)
                ck_assert_ptr_nonnull(strstr(line, "500/1000 steps"));
            if (width > whole)
                ck_assert_ptr_nonnull(strstr(line, "[############....."));
        }
        setenv("COLUMNS", "30", 1);
        ck_assert_int_lt((int)strlen(line_of(terminal, 0, &progress, 1, 9)),
                         30);
        ck_assert_int_ge((int)strlen(line_of(terminal, 60, &progress, 1, 9)),
                         30);
        setenv("COLUMNS", "-1", 1);
        ck_assert_int_lt((int)strlen(line_of(terminal, 0, &progress, 1, 9)),
                         80);
        unsetenv("COLUMNS");
        progress_end(&progress);
        dup2(kept, STDERR_FILENO);
        close(kept);
        close(end);
        close(terminal);
    }
END_TEST

/* `rows` rows from `first` of a table with an interval, its range and a detail,
 * printed; from the heap. */
static char *table_text(enum table_format format, size_t first, size_t rows)
{
    static const struct table_column columns[] = {
        { "rate", .digits = 2 },
        { "low", .digits = 2, .interval = "95 %", .ranged = true },
        { "high", .digits = 2 },
        { "least", .digits = 2 },
        { "largest", .digits = 2 },
        { "cells", .digits = 0, .detail = true },
    };
    static const double none = (double)NAN;
    static const double all[][6] = { { .94, .91, .97, none, none, 23 },
                                     { .5, .2385, none, none, none, 23 },
                                     { 1, none, none, none, none, 23 },
                                     { .7, none, none, .3, .9, 23 },
                                     { .6, none, none, .3, none, 23 } };
    struct table table;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(file);
    table_init(&table, "group", columns, 6);
    for (size_t i = first; i < first + rows; i++)
        table_add(&table, "a", all[i]);
    table_print(&table, format, file);
    table_release(&table);
    fclose(file);
    return text;
}

START_TEST(an_interval_is_one_column_except_in_CSV)
    {
        static const struct {
            enum table_format format;
            const char *text;
        } cases[] = {
            { TABLE_MD, "| group | rate | 95 % | cells |\n"
                        "|---|---:|---:|---:|\n"
                        "| a | 0.94 | [0.91, 0.97] | 23 |\n"
                        "| a | 0.50 | [0.24, –] | 23 |\n"
                        "| a | 1.00 | – | 23 |\n" },
            { TABLE_TEX,
              "% \\usepackage{booktabs,siunitx}\n"
              "\\begin{tabular}{@{}l S[table-format=1.2] c@{}}\n\\toprule\n"
              "group & {rate} & {95 \\%} \\\\\n\\midrule\n"
              "a & 0.94 & [\\num{0.91}, \\num{0.97}] \\\\\n"
              "a & 0.50 & [\\num{0.24}, {--}] \\\\\n"
              "a & 1.00 & {--} \\\\\n"
              "\\bottomrule\n\\end{tabular}\n" },
            { TABLE_CSV, "group,rate,low,high,least,largest,cells\n"
                         "a,0.94,0.91,0.97,,,23\n"
                         "a,0.5,0.2385,,,,23\n"
                         "a,1,,,,,23\n" },
            { TABLE_TEXT, "group  rate          95 %  cells\n"
                          "a      0.94  [0.91, 0.97]     23\n"
                          "a      0.50     [0.24, -]     23\n"
                          "a      1.00             -     23\n" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char *text = table_text(cases[i].format, 0, 3);
            ck_assert_str_eq(text, cases[i].text);
            free(text);
        }
    }
END_TEST

START_TEST(a_range_is_in_the_place_of_an_interval_and_called_so)
    {
        static const struct {
            enum table_format format;
            size_t first, rows;
            const char *text;
        } cases[] = {
            { TABLE_TEXT, 3, 2,
              "group  rate         range  cells\n"
              "a      0.70  0.30 to 0.90     23\n"
              "a      0.60     0.30 to -     23\n" },
            { TABLE_MD, 0, 4,
              "| group | rate | 95 % or range | cells |\n"
              "|---|---:|---:|---:|\n"
              "| a | 0.94 | [0.91, 0.97] | 23 |\n"
              "| a | 0.50 | [0.24, –] | 23 |\n"
              "| a | 1.00 | – | 23 |\n"
              "| a | 0.70 | 0.30 to 0.90 | 23 |\n" },
            { TABLE_TEX, 3, 1,
              "% \\usepackage{booktabs,siunitx}\n"
              "\\begin{tabular}{@{}l S[table-format=1.2] c@{}}\n\\toprule\n"
              "group & {rate} & {range} \\\\\n\\midrule\n"
              "a & 0.70 & \\num{0.30} to \\num{0.90} \\\\\n"
              "\\bottomrule\n\\end{tabular}\n" },
            { TABLE_CSV, 3, 2,
              "group,rate,low,high,least,largest,cells\n"
              "a,0.7,,,0.3,0.9,23\n"
              "a,0.6,,,0.3,,23\n" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char *text =
                table_text(cases[i].format, cases[i].first, cases[i].rows);
            ck_assert_str_eq(text, cases[i].text);
            free(text);
        }
    }
END_TEST

/* Ten columns are 116 characters beside a text of 4. */
START_TEST(a_wide_table_of_text_is_set_in_blocks)
    {
        static const struct table_column columns[] = {
            { "one of three words", .digits = 0 },
            { "without a number", .digits = 0 },
            { "2 3 4 5 67", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "0123456789", .digits = 0 },
            { "low", .digits = 4, .interval = "longer than a 95 %" },
            { "high", .digits = 2 },
        };
        enum { COLUMNS = sizeof columns / sizeof *columns };
        static const double numbers[COLUMNS] = { 1,  (double)NAN, 2,     3, 4,
                                                 5,  6,           7,     8, 9,
                                                 10, 11,          -12.5, 10 };
        struct table table;
        char *text = NULL;
        size_t size;
        FILE *file = open_memstream(&text, &size);
        ck_assert_ptr_nonnull(file);
        table_init(&table, "name", columns, COLUMNS);
        table_add(&table, "波", numbers);
        table_print(&table, TABLE_COMMENT, file);
        table_release(&table);
        fclose(file);
        ck_assert_str_eq(
            text, "# |       one of\n"
                  "# |        three\n"
                  "# | name   words  2 3 4 5 67  0123456789  0123456789  0123"
                  "456789  0123456789  0123456789  0123456789  0123456789  01"
                  "23456789\n"
                  "# | 波         1           2           3           4      "
                  "     5           6           7           8           9    "
                  "      10\n"
                  "# | \n"
                  "# |                              longer\n"
                  "# |                              than a\n"
                  "# | name  0123456789               95 %\n"
                  "# | 波            11  [-12.5000, 10.00]\n");
        free(text);
    }
END_TEST

/* How a program ends that a signal reaches just before it ends with code. */
static int end_of_interrupted(int code)
{
    int how = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        interrupt_watch();
        raise(SIGTERM);
        _exit(interrupt_end(code));
    }
    ck_assert_int_eq(waitpid(child, &how, 0), child);
    return how;
}

START_TEST(a_signal_after_the_output_is_complete_is_too_late)
    {
        int how = end_of_interrupted(STATUS_OK);
        ck_assert(WIFEXITED(how) && WEXITSTATUS(how) == STATUS_OK);
        how = end_of_interrupted(STATUS_FAILED);
        ck_assert(WIFSIGNALED(how) && WTERMSIG(how) == SIGTERM);
    }
END_TEST

enum { LABELLED = 5 };
static const struct labelled {
    const char *paths[LABELLED], *labels[LABELLED];
} labelled[] = {
    { { "run.h5" }, { "run.h5" } },
    { { "a/run.h5" }, { "run.h5" } },
    { { "a/one.h5", "b/two.h5" }, { "one.h5", "two.h5" } },
    { { "a/run.h5", "b/run.h5" }, { "a", "b" } },
    { { "a/x/run.h5", "b/x/run.h5" }, { "a", "b" } },
    { { "/d/a/run.h5", "/d/b/run.h5", "/d/c.h5" },
      { "a/run.h5", "b/run.h5", "c.h5" } },
    { { "run.h5", "b/run.h5" }, { "run.h5", "b/run.h5" } },
    { { "run.h5", "../run.h5" }, { "run.h5", "../run.h5" } },
    { { "s/k=1/run.h5", "s/k=2/run.h5", "t/k=1/run.h5", "t/k=2/run.h5" },
      { "s/k=1", "s/k=2", "t/k=1", "t/k=2" } },
    { { "a/run.h5", "b/run.h5", "a/go.h5", "b/go.h5" },
      { "a/run.h5", "b/run.h5", "a/go.h5", "b/go.h5" } },
    { { "a.h5", "ba.h5", "c/a.h5" }, { "a.h5", "ba.h5", "c/a.h5" } },
    { { "a/run.h5", "a/run.h5" }, { "run.h5", "run.h5" } },
    { { "s/map=%22b c%22/run.h5", "s/map=d/run.h5" },
      { "map=\"b c\"", "map=d" } },
    { { "s/%0A/run.h5", "s/%zz/run.h5", "s/%/run.h5" }, { "?", "%zz", "%" } },
};

START_TEST(recordings_are_labelled_by_what_differs_in_their_paths)
    {
        const struct labelled *all = &labelled[_i];
        size_t count = 0;
        while (count < LABELLED && all->paths[count])
            count++;
        for (size_t i = 0; i < count; i++) {
            char label[40], cut[4];
            recording_label_text(all->paths, count, i, label, sizeof label);
            ck_assert_str_eq(label, all->labels[i]);
            recording_label_text(all->paths, count, i, cut, sizeof cut);
            ck_assert_int_eq(strncmp(cut, label, sizeof cut - 1), 0);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli");
    TCase *tests = tcase_create("cli");
    tcase_add_test(tests, options_of_every_kind_are_taken);
    tcase_add_test(tests, bad_options_are_usage_errors);
    tcase_add_test(tests, an_unknown_option_is_answered_by_the_nearest_one);
    tcase_add_test(tests, a_command_line_is_quoted_for_a_shell);
    tcase_add_test(tests, ranges_have_three_forms);
    tcase_add_test(tests, places_are_keys_with_ranges);
    tcase_add_test(tests, steps_add_up_and_planes_do_not);
    tcase_add_test(tests, sizes_in_bytes_are_printed_with_units);
    tcase_add_test(tests, progress_fits_every_width_also_after_a_change);
    tcase_add_test(tests, an_interval_is_one_column_except_in_CSV);
    tcase_add_test(tests, a_range_is_in_the_place_of_an_interval_and_called_so);
    tcase_add_test(tests, a_wide_table_of_text_is_set_in_blocks);
    tcase_add_loop_test(tests,
                        recordings_are_labelled_by_what_differs_in_their_paths,
                        0, sizeof labelled / sizeof *labelled);
    tcase_add_test(tests, a_signal_after_the_output_is_complete_is_too_late);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
