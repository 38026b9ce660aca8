/* SPDX-License-Identifier: MIT */
/* hamon-report: recordings as one self-contained page. */
#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"
#include "base/version.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/range.h"
#include "cli/recordings.h"
#include "draw/raster/installed.h"
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *output, *map;
    struct cli_list waves, at;
    int64_t frames;
    double megabytes;
    bool linear, force;
} given = { .megabytes = 10 };

static const char notes[] =
    "Examples:\n"
    "  hamon-report run.h5 -o run.html\n"
    "  hamon-report fixed.h5 free.h5 -o walls.html    # side by side\n"
    "  hamon-report run.h5 --wave 0 -o wave0.html\n"
    "  hamon-report floors.h5 --at z=2 -o floor.html\n"
    "  hamon-report sweep -o runs.html      # all runs of a hamon-sweep\n"
    "\n"
    "The page is one file and needs no network. It computes the waves again, "
    "at\n"
    "each step, and compares each generation with the checksum of the "
    "recorded\n"
    "one: it says how many are equal, and which is the first that differs. "
    "Play\n"
    "it, go to a step, choose wave, field, range and layer; a click on the "
    "map\n"
    "draws the amplitude of a cell by step. The address of the page keeps "
    "what\n"
    "is shown: #step=200&probe=40,12. Several recordings are shown side by "
    "side\n"
    "at the same step; a recording that has ended shows its last one. Equal\n"
    "colours mean equal values if the largest values differ by less than a\n"
    "factor of 10. A folder of hamon-sweep becomes the table of its runs, of\n"
    "which the page shows one, chosen by a click.\n"
    "\n"
    "Of waves that were not recorded hamon-report computes the checksums, by "
    "the\n"
    "same run made again. Of more than 2 million cells x waves or 2 billion "
    "cells\n"
    "x waves x steps, and with --frames, the page has pictures of the field, "
    "with\n"
    "several cells per pixel on large maps, at evenly spaced steps: as many "
    "as\n"
    "--frames and --size allow.\n"
    "3D is then shown floor by floor, or, if the map has no floors, by the "
    "value\n"
    "farthest from 0 along z. --at chooses one plane.\n";

/* Bytes of the page for all but frames: style, script, tables, paths. */
static const double rest = 2e5;

static enum status read_options(struct report_options *options,
                                struct error *error)
{
    static int64_t waves[64];
    struct place_range places[AT_KEYS] = { 0 };
    *options =
        (struct report_options){ .waves = waves,
                                 .frames = given.frames ? given.frames : 24,
                                 .pictures = given.frames,
                                 .linear = given.linear,
                                 .map = given.map,
                                 .place = { .axis = -1 } };
    for (size_t i = 0; i < given.waves.count; i++) {
        char *end;
        long wave = strtol(given.waves.items[i], &end, 10);
        if (*end || end == given.waves.items[i] || wave < 0 ||
            options->wave_count == sizeof waves / sizeof *waves)
            return error_set(
                error, STATUS_INPUT,
                "--wave '%s': the number of a wave is required, from 0 on",
                given.waves.items[i]);
        waves[options->wave_count++] = wave;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < given.at.count && !status; i++)
        status = place_range_parse(given.at.items[i], places, error);
    if (!status && places[AT_STEP].count)
        status = error_set(
            error, STATUS_INPUT,
            "--at step=: a report shows all steps; give a plane, as in z=2");
    return status ? status
                  : place_range_plane(places, GRID_AXES,
                                      "--at: a report shows only one plane",
                                      &options->place.axis, &options->place.at,
                                      error);
}

static void say_frames(const struct cli *cli, const struct report_run *runs,
                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (runs[i].checked_count)
            cli_say(cli, "%s: every step of %zu wave%s%s%s",
                    recording_path(runs[i].recording), runs[i].checked_count,
                    runs[i].checked_count == 1 ? "" : "s",
                    runs[i].missing[0] ? "; no first arrivals: " : "",
                    runs[i].missing);
        else
            cli_say(cli, "%s: pictures of %zu of %lld recorded steps: %s",
                    recording_path(runs[i].recording), runs[i].frame_count,
                    (long long)recording_rows(runs[i].recording), runs[i].why);
}

/* The browser takes its letters from the fonts of its computer, which is
 * probably this one. */
static void say_lacking(const struct cli *cli, const struct report_run *runs,
                        size_t count)
{
    struct installed *installed = installed_open();
    for (size_t i = 0; i < count; i++) {
        struct lacking lacking = { { 0 } };
        lacking_find(&lacking, installed, runs[i].title);
        for (size_t k = 0; k < runs[i].info.agent_count; k++)
            lacking_find(&lacking, installed, runs[i].info.agents[k].name);
        if (*lacking.text)
            cli_say(cli,
                    LACKING_MESSAGE ", or see the page on another computer",
                    recording_path(runs[i].recording), lacking.text,
                    lacking_packages(lacking.text));
    }
    installed_release(installed);
}

static void name_runs(char *const *paths, struct report_run *runs, size_t count)
{
    const struct recording **all = need_memory(count, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = runs[i].recording;
    for (size_t i = 0; i < count; i++) {
        recording_title_among(all, count, i, runs[i].title,
                              sizeof runs[i].title);
        recording_label_text((const char *const *)paths, count, i,
                             runs[i].label, sizeof runs[i].label);
    }
    memory_release(all);
}

static enum status make_report(const struct cli *cli, struct error *error)
{
    struct report_options options;
    struct output output;
    char software[160];
    struct recording_paths paths = { 0 };
    snprintf(software, sizeof software, "%s %s, commit %s", cli->program,
             hamon_version, hamon_commit);
    enum status status = read_options(&options, error);
    if (!status)
        status = recording_paths_make(&paths, cli->operands,
                                      (size_t)cli->operand_count, error);
    const size_t count = paths.count;
    for (int i = 0; i < cli->operand_count && !status; i++)
        options.sweep |= count != (size_t)cli->operand_count ||
                         strcmp(paths.items[i], cli->operands[i]) != 0;
    options.bytes = (uint64_t)((1e6 * given.megabytes - rest) /
                               (double)(count ? count : 1));
    if (!status)
        status = output_open(&output, given.output, given.force, error);
    if (status) {
        recording_paths_release(&paths);
        return status;
    }
    struct report_run *runs = need_memory(count, sizeof *runs);
    status = report_runs_open(cli, paths.items, count, &options, runs, error);
    if (!status)
        name_runs(paths.items, runs, count);
    if (!status) {
        say_frames(cli, runs, count);
        say_lacking(cli, runs, count);
        report_write(output.file, runs, count, options.sweep, given.output,
                     software);
        status = output_commit(&output, error);
    } else {
        output_abandon(&output);
    }
    for (size_t i = 0; i < count; i++)
        report_run_release(&runs[i]);
    memory_release(runs);
    recording_paths_release(&paths);
    return status;
}

static const struct cli_option options[] = {
    { CLI_TEXT, 'o', "output", "NAME",
      "the page, NAME.html; - is standard output; without it the first "
      "recording's name",
      &given.output, 0, 0 },
    { CLI_LIST, 'w', "wave", "N", "show only wave N; repeatable (all)",
      &given.waves, 0, 0 },
    { CLI_LIST, 0, "at", "z=K", "show this plane (x=, y= or z=; 3D only)",
      &given.at, 0, 0 },
    { CLI_INT, 0, "frames", "N",
      "pictures instead of computed waves, at most N per view\n"
      "(24, if the page cannot compute them)",
      &given.frames, 2, 100000 },
    { CLI_REAL, 0, "size", "MB", "maximum size of the page with pictures (10)",
      &given.megabytes, 1, 2000 },
    { CLI_TEXT, 'c', "colormap", "MAP", "colour map of amplitudes (vik)",
      &given.map, 0, 0 },
    { CLI_FLAG, 0, "linear", NULL,
      "let colours end at the largest value, without logarithm", &given.linear,
      0, 0 },
    { .kind = CLI_TABLE, .value = &cli_language },
    { CLI_FLAG, 0, "force", NULL, "replace an existing file", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    struct error error;
    (void)context;
    if (cli->operand_count < 1)
        return cli_usage(cli, "a recording is required");
    char *made = NULL, *first = cli->operands[0];
    for (size_t end = strlen(first); end > 1 && first[end - 1] == '/';)
        first[--end] = '\0'; /* of a folder */
    if (!given.output)
        given.output = made = cli_output_of(first, ".html");
    enum status status = make_report(cli, &error);
    memory_release(made);
    return status ? cli_fail(&error) : STATUS_OK;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-report",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Makes one HTML page of recordings, to read and to send.",
        .notes = notes,
        .recordings = true,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
