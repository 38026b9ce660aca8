/* SPDX-License-Identifier: MIT */
/* hamon-export: a recording for other programs. */
#include "cli/again.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "tools/look/export.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool xdmf, vtkhdf, csv, npy, force;
    const char *output, *only, *field;
    int64_t wave;
    struct cli_list at;
} given = { .field = "amplitude" };

static const char notes[] =
    "Examples:\n"
    "  hamon-export --xdmf run.h5     # run.xdmf beside it, for ParaView\n"
    "  hamon-export --vtkhdf run.h5   # run.vtkhdf, for ParaView 5.12 and "
    "later\n"
    "  hamon-export --csv run.h5      # run-trajectories.csv, run-arrivals.csv "
    "...\n"
    "  hamon-export --csv --only arrivals -o - run.h5 | column -s, -t\n"
    "  hamon-export --npy --at step=120 -o a.npy run.h5   # "
    "numpy.load(\"a.npy\")\n"
    "  hamon-export --npy -f gradient --at step=100:10:200 -o g.npy run.h5\n"
    "\n"
    "The tables are trajectories (agent -1: the target), arrivals, captures,\n"
    "emissions, plans and paths; empty tables are not written. An NPY array\n"
    "has the axes (step, z, y, x): no step axis if there is one step, no z\n"
    "axis in 2D or if --at gives a plane; NaN is a missing value. Fields and\n"
    "steps that were not recorded are computed again. The XDMF\n"
    "file contains no fields, so keep it beside the recording (plain or\n"
    "packed); with keyframes it shows the steps that are stored. So does\n"
    "the VTKHDF file, which has no agents; of one step it is for ParaView 5.10 "
    "and\n"
    "later. y and z count from the top; ParaView draws them upwards.\n";

/* run.h5 → run, without its folder if `bare`. */
static void base_of(const char *path, bool bare, char *base, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(base, size, "%s", bare && slash ? slash + 1 : path);
    size_t length = strlen(base);
    if (length > 3 && strcmp(base + length - 3, ".h5") == 0)
        base[length - 3] = '\0';
}

static void say_stored(const struct cli *cli, const struct recording *recording,
                       int64_t steps, int64_t rows)
{
    if (steps < rows)
        cli_say(cli,
                "%s: %lld of %lld steps, those with stored waves; hamon-pack "
                "--expand -o OTHER stores all",
                recording_path(recording), (long long)steps, (long long)rows);
}

static enum status write_xdmf(const struct cli *cli,
                              const struct recording *recording,
                              struct error *error)
{
    char base[4000], path[4096];
    int64_t rows = recording_rows(recording), steps = 0;
    base_of(recording_path(recording), false, base, sizeof base);
    snprintf(path, sizeof path, "%s.xdmf", base);
    enum status status =
        export_xdmf(recording, given.output ? given.output : path, given.force,
                    &steps, error);
    if (!status)
        say_stored(cli, recording, steps, rows);
    return status;
}

static enum status choose_steps(const struct recording *recording,
                                int64_t every, struct frames *frames,
                                struct place_range places[AT_KEYS],
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < given.at.count && !status; i++)
        status = place_range_parse(given.at.items[i], places, error);
    if (!status)
        status =
            frames_choose(recording, &places[AT_STEP], every, frames, error);
    return status;
}

static enum status write_vtkhdf(const struct cli *cli,
                                const struct recording *recording,
                                struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    struct frames frames = { 0 };
    int64_t steps = 0;
    char base[4000], path[4096];
    base_of(recording_path(recording), false, base, sizeof base);
    snprintf(path, sizeof path, "%s.vtkhdf", base);
    enum status status = choose_steps(recording, 1, &frames, places, error);
    if (!status)
        status = export_vtkhdf(recording, &frames,
                               given.output ? given.output : path, given.force,
                               &steps, error);
    if (!status)
        say_stored(cli, recording, steps, (int64_t)frames.count);
    frames_release(&frames);
    return status;
}

static bool is_table(const char *name)
{
    for (const char *const *table = export_tables; *table; table++)
        if (strcmp(*table, name) == 0)
            return true;
    return false;
}

static enum status write_one(const struct recording *recording,
                             struct error *error)
{
    char base[4000], path[4096];
    base_of(recording_path(recording), true, base, sizeof base);
    snprintf(path, sizeof path, "%s-%s.csv", base, given.only);
    if (!is_table(given.only))
        return error_set(error, STATUS_INPUT,
                         "--only '%s': the tables are trajectories, arrivals, "
                         "captures, emissions, plans and paths",
                         given.only);
    if (!export_has_table(recording, given.only))
        return error_set(error, STATUS_INPUT, "%s: has no %s",
                         recording_path(recording), given.only);
    return export_csv(recording, given.only, given.output ? given.output : path,
                      given.force, error);
}

static enum status write_csv(const struct cli *cli,
                             const struct recording *recording,
                             struct error *error)
{
    if (given.only)
        return write_one(recording, error);
    char base[4000];
    base_of(recording_path(recording), true, base, sizeof base);
    if (given.output && strcmp(given.output, "-") == 0)
        return error_set(error, STATUS_INPUT,
                         "-o -: only one table can go to standard output; "
                         "choose it by --only");
    enum status status = STATUS_OK;
    for (const char *const *table = export_tables; *table && !status; table++) {
        char path[4096];
        snprintf(path, sizeof path, "%.3900s-%s.csv",
                 given.output ? given.output : base, *table);
        if (!export_has_table(recording, *table))
            continue;
        status = export_csv(recording, *table, path, given.force, error);
        if (!status)
            cli_say(cli, "%s", path);
    }
    return status;
}

static enum status write_npy(const struct recording *recording,
                             struct error *error)
{
    struct place_range places[AT_KEYS] = { 0 };
    struct view_place place = { .axis = -1 };
    struct view *view = NULL;
    struct frames frames = { 0 };
    char base[3900], path[4096];
    enum status status = choose_steps(recording, 0, &frames, places, error);
    if (!status)
        status = place_range_plane(
            places, GRID_AXES, "--at: one plane is required: x=N, y=N or z=N",
            &place.axis, &place.at, error);
    if (!status)
        status = view_open(frames.recording, given.field, given.wave, &place,
                           &view, error);
    base_of(recording_path(recording), true, base, sizeof base);
    snprintf(path, sizeof path, "%s-%s.npy", base, given.field);
    if (!status)
        status =
            export_npy(view, &frames, place.axis >= 0,
                       given.output ? given.output : path, given.force, error);
    frames_release(&frames);
    view_release(view);
    return status;
}

static enum status write_given(const struct cli *cli, struct error *error)
{
    struct recording *recording = NULL;
    enum status status = again_open(cli, cli->operands[0], &recording, error);
    if (!status && given.xdmf)
        status = write_xdmf(cli, recording, error);
    else if (!status && given.vtkhdf)
        status = write_vtkhdf(cli, recording, error);
    else if (!status && given.csv)
        status = write_csv(cli, recording, error);
    else if (!status)
        status = write_npy(recording, error);
    recording_close(recording);
    return status;
}

static const struct cli_option options[] = {
    { CLI_FLAG, 0, "xdmf", NULL, "write an XDMF file, for ParaView and VisIt",
      &given.xdmf, 0, 0 },
    { CLI_FLAG, 0, "vtkhdf", NULL, "write a VTKHDF file, for ParaView",
      &given.vtkhdf, 0, 0 },
    { CLI_FLAG, 0, "csv", NULL, "write tables as CSV, one file each",
      &given.csv, 0, 0 },
    { CLI_TEXT, 0, "only", "NAME", "with --csv: only this table", &given.only,
      0, 0 },
    { CLI_FLAG, 0, "npy", NULL, "write a field as a numpy array", &given.npy, 0,
      0 },
    { CLI_TEXT, 'f', "field", "FIELD",
      "with --npy: amplitude (default), gradient,\n"
      "gradient-direction, flux (its length), heading (that\n"
      "agents follow), error (of the heading at the first\n"
      "arrival), cause (of wrong headings, as a number; 6: right,\n"
      "7: not counted), arrival, speed, cost, one-way (in\n"
      "degrees), density (agents that walked through), width,\n"
      "height or walls",
      &given.field, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &given.wave, 0, 1e9 },
    { CLI_LIST, 0, "at", "step=RANGE,z=K",
      "with --npy: these steps (N, A:B or A:STEP:B, or several\n"
      "separated by commas; the last) and this plane (x=, y= or\n"
      "z=; 3D only); with --vtkhdf: these steps (all);\n"
      "repeatable",
      &given.at, 0, 0 },
    { CLI_TEXT, 'o', "output", "NAME",
      "the output file; with --csv without --only, the beginning\n"
      "of the names; - is standard output (FILE.xdmf,\n"
      "FILE.vtkhdf, FILE-TABLE.csv, FILE-FIELD.npy)",
      &given.output, 0, 0 },
    { CLI_FLAG, 0, "force", NULL, "replace existing files", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    struct error error;
    (void)context;
    if (given.xdmf + given.vtkhdf + given.csv + given.npy != 1)
        return cli_usage(cli, "one of --xdmf, --vtkhdf, --csv and --npy is "
                              "required");
    if (cli->operand_count != 1)
        return cli_usage(cli, "one recording is required");
    return write_given(cli, &error) ? cli_fail(&error) : STATUS_OK;
}

/* The XDMF or VTKHDF file refers to it. */
static bool stays(void)
{
    return given.xdmf || given.vtkhdf;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-export",
        .synopsis = "--xdmf|--vtkhdf|--csv|--npy [OPTION]... FILE",
        .purpose = "Writes a recording for other programs.",
        .notes = notes,
        .stays = stays,
        .recordings = true,
        .options = options,
    };
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
