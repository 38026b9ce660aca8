/* SPDX-License-Identifier: MIT */
/* hamon-check: does the recording agree with its own scenario and with the
 * laws? */
#include "analysis/check/again.h"
#include "analysis/check/recording.h"
#include "cli/cli.h"
#include "cli/json.h"

#include "base/utf8.h"
#include "view/replay.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const verdict_names[] = {
    [VERDICT_PASS] = "pass",
    [VERDICT_FAIL] = "FAIL",
    [VERDICT_SKIP] = "skip",
};

/* 8654400 as "8 654 400". */
static const char *grouped(int64_t number, char text[32])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRId64, number), used = 0;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            text[used++] = ' ';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* The position of the worst value: "wave 0, step 12, cell 3,4". */
static void describe(const struct grid *grid, const struct spot *spot,
                     char *text, size_t size)
{
    int used = 0;
    text[0] = '\0';
    if (spot->wave >= 0)
        used = snprintf(text, size, "wave %d, ", spot->wave);
    else if (spot->agent == SPOT_TARGET)
        used = snprintf(text, size, "target, ");
    else if (spot->agent >= 0)
        used = snprintf(text, size, "agent %d, ", spot->agent);
    if (spot->step >= 0)
        used += snprintf(text + used, size - (size_t)used, "step %" PRId64 ", ",
                         spot->step);
    if (spot->cell >= 0) {
        int at[GRID_AXES];
        grid_cell(grid, (size_t)spot->cell, at);
        used += snprintf(text + used, size - (size_t)used, "cell %d,%d", at[0],
                         at[1]);
        if (grid->dims == 3)
            snprintf(text + used, size - (size_t)used, ",%d", at[2]);
    } else if (used >= 2) {
        text[used - 2] = '\0'; /* the comma after the last part */
    }
}

static void print_row(const struct grid *grid, const struct finding *finding)
{
    enum verdict verdict = finding_verdict(finding);
    char looked[32], skipped[32], error[32] = "", bound[32] = "", where[160];
    where[0] = '\0';
    if (finding->has_spot) {
        snprintf(error, sizeof error, "%.2g", finding->error);
        snprintf(bound, sizeof bound, finding->bound > 0 ? "%.2g" : "exact",
                 finding->bound);
        if (verdict == VERDICT_FAIL || finding->error > 0)
            describe(grid, &finding->spot, where, sizeof where);
    }
    printf("  %-25s %s %14s %12s %9s %9s  %s", finding->name,
           verdict_names[verdict], grouped(finding->looked, looked),
           grouped(finding->skipped, skipped), error, bound, where);
    if (verdict == VERDICT_FAIL)
        printf(" (%s wrong)", grouped(finding->wrong, looked));
    if (finding->rule)
        printf("; %s", finding->rule);
    if (finding->why[0] && (verdict != VERDICT_PASS || finding->skipped))
        printf("%s%s", where[0] ? "; " : "", finding->why);
    putchar('\n');
}

/* What the second run cannot have. */
static void print_not_compared(void)
{
    printf("  not compared:");
    for (const struct not_compared *row = not_compared; row->name; row++)
        printf("%s %s (%s)", row == not_compared ? "" : ",", row->name,
               row->why);
    putchar('\n');
}

static bool print_report(const struct recording *recording,
                         const struct check_report *report, bool quiet)
{
    const struct grid *grid = recording_grid(recording);
    int failed = 0;
    for (int c = 0; c < CHECKS; c++)
        failed += finding_verdict(&report->finding[c]) == VERDICT_FAIL;
    if (quiet && !failed)
        return true;
    utf8_show(stdout, recording_path(recording));
    int waves = recording_waves(recording);
    printf(": %" PRId64 " rows, ", recording_rows(recording));
    if (waves == 0 && recording_ran_waves(recording))
        printf("waves not recorded");
    else
        printf("%d waves", waves);
    printf(", %d x %d", grid->nx, grid->ny);
    if (grid->dims == 3)
        printf(" x %d", grid->nz);
    printf(" cells\n  %-25s      %14s %12s %9s %9s  where the largest is\n", "",
           "compared", "skipped", "error", "bound");
    for (int c = 0; c < CHECKS; c++)
        if (!quiet || finding_verdict(&report->finding[c]) == VERDICT_FAIL)
            print_row(grid, &report->finding[c]);
    if (!quiet)
        print_not_compared();
    return !failed;
}

static void json_finding(struct json *json, const struct grid *grid,
                         const struct finding *finding)
{
    char where[160] = "";
    if (finding->has_spot)
        describe(grid, &finding->spot, where, sizeof where);
    json_object(json, NULL);
    json_text(json, "check", finding->name);
    json_text(json, "verdict", verdict_names[finding_verdict(finding)]);
    json_whole(json, "looked", finding->looked);
    json_whole(json, "skipped", finding->skipped);
    json_whole(json, "wrong", finding->wrong);
    json_real(json, "error", finding->has_spot ? finding->error : NAN);
    json_real(json, "bound", finding->has_spot ? finding->bound : NAN);
    json_text(json, "where", where[0] ? where : NULL);
    json_text(json, "why",
              finding->rule     ? finding->rule
              : finding->why[0] ? finding->why
                                : NULL);
    json_object_end(json);
}

static bool json_report(struct json *json, const struct recording *recording,
                        const struct check_report *report)
{
    bool good = true;
    json_object(json, NULL);
    json_text(json, "file", recording_path(recording));
    json_array(json, "checks");
    for (int c = 0; c < CHECKS; c++) {
        json_finding(json, recording_grid(recording), &report->finding[c]);
        good = good && finding_verdict(&report->finding[c]) != VERDICT_FAIL;
    }
    json_array_end(json);
    json_array(json, "not_compared");
    for (const struct not_compared *row = not_compared; row->name; row++) {
        json_object(json, NULL);
        json_text(json, "name", row->name);
        json_text(json, "why", row->why);
        json_object_end(json);
    }
    json_array_end(json);
    json_truth(json, "good", good);
    json_object_end(json);
    return good;
}

/* STATUS_FAILED, without a message, if a check failed. */
static int check_file(const struct cli *cli, const char *path, bool again,
                      struct json *json)
{
    struct recording *recording;
    struct check_report report;
    struct error error;
    if (replay_open(path, &recording, &error))
        return cli_fail(&error);
    int code;
    if (check_recording(recording, again, &report, &error))
        code = cli_fail(&error);
    else if (json ? json_report(json, recording, &report)
                  : print_report(recording, &report, cli->quiet))
        code = STATUS_OK;
    else
        code = STATUS_FAILED;
    recording_close(recording);
    return code;
}

struct options {
    bool as_json, no_replay;
};

static int check_files(struct cli *cli, void *context)
{
    const struct options *options = context;
    const bool as_json = options->as_json;
    struct json json = { .out = stdout };
    struct error error;
    int code = STATUS_OK;
    if (cli->operand_count == 0)
        return cli_usage(cli, "a recording is required");
    if (as_json)
        json_array(&json, NULL);
    for (int i = 0; i < cli->operand_count; i++) {
        int one = check_file(cli, cli->operands[i], !options->no_replay,
                             as_json ? &json : NULL);
        code = one > code ? one : code;
    }
    if (as_json)
        json_array_end(&json);
    return cli_flush(&error) ? cli_fail(&error) : code;
}

int main(int argc, char **argv)
{
    struct options chosen = { .as_json = false };
    const struct cli_option options[] = {
        { CLI_FLAG, 0, "json", NULL, "print the reports as a JSON array",
          &chosen.as_json, 0, 0 },
        { CLI_FLAG, 0, "no-replay", NULL,
          "do not run the scenario again; that takes the memory of\n"
          "the run, and less time than the laws of fields",
          &chosen.no_replay, 0, 0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-check",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Checks recordings against the laws of waves, and against a "
                   "second run of\ntheir own scenario.",
        .notes = "Examples:\n"
                 "  hamon-check run.h5\n"
                 "  hamon-check -q runs/*.h5 && echo all pass\n"
                 "\n"
                 "Each check reports how many values it compared and skipped, "
                 "the largest\n"
                 "error, its bound, and where this error is. -q prints only "
                 "the checks\n"
                 "that failed. If a check fails, the exit status is 1. "
                 "docs/reference/format.md,\n"
                 "\"What hamon-check covers\", lists what is checked of each "
                 "variable.\n",
        .recordings = true,
        .options = options,
    };
    return cli_main(&cli, argc, argv, check_files, &chosen);
}
