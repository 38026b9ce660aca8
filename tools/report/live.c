/* SPDX-License-Identifier: MIT */
/* What the page computes a run's waves again from: the map, the emissions, the
 * settings, tables of the source, and the checksum of each recorded row. */
#include "tools/report/report.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/real.h"
#include "recording/read/file.h"
#include "recording/read/tables.h"
#include "view/replay_inputs.h"
#include "view/settings.h"
#include "wave/wave.h"

#include <stdlib.h>
#include <string.h>

/* Limits of a run that a page computes: its time and memory in a browser. */
static const double most_work = 2e9, most_cells = 2e6;

/* ---- whether the page can compute the run ---- */

static const struct layout_item *wave_item(const struct report_run *run,
                                           int wave)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    return layout_find(&run->recording->layout, name);
}

/* Chooses waves; false: they are too many. */
static bool add_checked(struct report_run *run,
                        const struct report_options *options)
{
    for (int wave = 0; wave < view_waves(run->recording); wave++) {
        if (!report_is_chosen(options, wave))
            continue;
        if (run->checked_count == REPORT_WAVES)
            return false;
        run->checked[run->checked_count++] = wave;
    }
    return true;
}

static bool is_recorded(const struct report_run *run)
{
    for (size_t i = 0; i < run->checked_count; i++)
        if (!wave_item(run, run->checked[i]))
            return false;
    return true;
}

static bool is_too_large(const struct report_run *run)
{
    const double held = report_wave_cells(run) * (double)run->checked_count;
    return held > most_cells || held * (double)report_last(run) > most_work ||
           report_last(run) > INT32_MAX;
}

enum status report_live_find(struct report_run *run,
                             const struct report_options *options,
                             struct error *error)
{
    const char *why = "";
    const bool all = add_checked(run, options), recorded = is_recorded(run);
    run->proof = run->recording;
    if (!run->checked_count) {
        why = "no wave was recorded";
    } else if (!recorded && !recording_has_whole(run->recording)) {
        why = "not all of these waves were recorded";
    } else if (view_open_sides(run->recording, &run->open, error)) {
        if (error->status != STATUS_INPUT)
            return error->status;
        why = "its settings were not recorded";
    } else if (options->pictures) {
        why = "--frames asks for pictures";
    } else if (!all || is_too_large(run)) {
        why = "it has more than 2e9 cells × steps × waves, or 2e6 cells × "
              "waves";
    }
    snprintf(run->why, sizeof run->why, "%s", why);
    if (*why)
        run->checked_count = 0;
    return *why || recorded
               ? STATUS_OK
               : recording_whole(run->recording, &run->proof, error);
}

/* ---- the map ---- */

/* Speeds as indices into those that exist, which become `speeds` of the
 * JSON. */
static void put_speeds(struct json *json, struct words *words,
                       const double *speed, size_t cells, size_t versions)
{
    double *exist = need_memory(cells * versions, sizeof *exist);
    int32_t *index = need_memory(cells, sizeof *index);
    memcpy(exist, speed, cells * versions * sizeof *exist);
    const size_t count = report_sort_once(exist, cells * versions);
    json_array(json, "speeds");
    for (size_t i = 0; i < count; i++)
        json_real(json, NULL, exist[i]);
    json_array_end(json);
    for (size_t v = 0; v < versions; v++) {
        for (size_t i = 0; i < cells; i++) {
            const double *at = bsearch(&speed[v * cells + i], exist, count,
                                       sizeof *exist, real_compare);
            index[i] = at ? (int32_t)(at - exist) : 0;
        }
        words_add(words, index, cells);
    }
    memory_release(exist);
    memory_release(index);
}

enum status report_live_map(struct json *json, struct words *words,
                            const struct report_run *run, double **speed,
                            struct error *error)
{
    const struct recording *recording = run->recording;
    const size_t cells = grid_cells(recording_grid(recording));
    const size_t versions =
        recording_version_at(recording, report_last(run)) + 1;
    struct terrain terrain;
    const size_t bytes = (cells + 7) / 8;
    if (!run->checked_count) {
        report_put_list(json, "versions", NULL, 0);
        return STATUS_OK;
    }
    enum status status = replay_terrain_new(recording, &terrain, error);
    if (!status && terrain.speed)
        *speed = need_memory(cells * versions, sizeof **speed);
    json_array(json, "versions");
    for (size_t v = 0; v < versions && !status; v++) {
        json_whole(json, NULL, v ? recording->version_steps[v] : 0);
        status = replay_terrain_read(recording, v, &terrain, error);
        uint8_t *walls = need_memory(bytes, 1);
        for (size_t i = 0; i < cells && !status; i++)
            walls[i / 8] |= (uint8_t)((terrain.wall[i] == 1) << i % 8);
        words_add_bytes(words, walls, bytes);
        memory_release(walls);
        if (!status && *speed && terrain.speed)
            memcpy(*speed + v * cells, terrain.speed, cells * sizeof **speed);
    }
    json_array_end(json);
    if (!status && *speed)
        put_speeds(json, words, *speed, cells, versions);
    terrain_release(&terrain);
    return status;
}

/* ---- emissions and checksums ---- */

static void put_emissions(struct words *words, const struct emission_row *sent,
                          size_t count)
{
    int32_t *column = need_memory(3 * count, sizeof *column);
    for (size_t i = 0; i < count; i++) {
        column[i] = sent[i].wave;
        column[count + i] = (int32_t)sent[i].step;
        column[2 * count + i] = (int32_t)sent[i].cell;
    }
    for (size_t k = 0; k < 3; k++)
        words_add(words, column + k * count, count);
    memory_release(column);
}

/* Of each row; of each wave, one after the other. */
static enum status read_sums(const struct report_run *run, size_t rows,
                             uint32_t *sums, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < run->checked_count && !status; i++) {
        const struct layout_item *of = layout_checksums(
            &run->proof->layout, wave_item(run, run->checked[i]));
        status = recording_read_bytes(run->proof, of, 0, rows * sizeof *sums,
                                      sums + i * rows, error);
    }
    return status;
}

/* Of each row of the run made again, which has few itself: one of all waves. */
static enum status make_sums(const struct report_run *run, size_t rows,
                             uint32_t *sums, struct error *error)
{
    const size_t cells = grid_cells(recording_grid(run->proof));
    char *field = need_memory(cells, sizeof(double)), name[VARIABLE_NAME_SIZE];
    enum status status = STATUS_OK;
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < run->checked_count && !status; i++) {
            snprintf(name, sizeof name, "wave%d", run->checked[i]);
            const struct variable *of = recording_find(run->proof, name);
            status = recording_read(run->proof, of, (int64_t)row, field, error);
            if (!status)
                sums[row] =
                    crc32c(sums[row], field, cells * element_bytes(of->type));
        }
    memory_release(field);
    return status;
}

/* The rows with their steps and checksums. */
static enum status put_checksums(struct json *json, struct words *words,
                                 const struct report_run *run,
                                 struct error *error)
{
    const struct recording *proof = run->proof;
    const struct box region = recording_region(proof);
    const int64_t *steps = recording_steps(proof);
    const bool again = proof != run->recording;
    const size_t columns = again ? 1 : run->checked_count;
    size_t rows = (size_t)recording_rows(proof);
    while (rows > 1 && steps[rows - 1] > report_last(run))
        rows--;
    uint32_t *sums = need_memory(columns * rows, sizeof *sums);
    int32_t *column = need_memory(rows, sizeof *column);
    for (size_t row = 0; row < rows; row++)
        column[row] = (int32_t)steps[row];
    enum status status = again ? make_sums(run, rows, sums, error)
                               : read_sums(run, rows, sums, error);
    json_object(json, "proof");
    json_truth(json, "again", again);
    json_whole(json, "rows", (int64_t)rows);
    json_whole(json, "keepBits", recording_keep_bits(proof));
    report_put_box(json, "region", &region);
    json_object_end(json);
    words_add(words, column, rows);
    for (size_t i = 0; i < columns; i++)
        words_add(words, (const int32_t *)sums + i * rows, rows);
    memory_release(sums);
    memory_release(column);
    return status;
}

static void put_settings(struct json *json, const struct report_run *run)
{
    static const char *const reals[] = { "delta", "amplitude", "damping" };
    static const char *const names[] = {
        "walls", "stencil", "source", "precision", "speed_form", "denormals"
    };
    char key[REPORT_NAME];
    json_object(json, "wave");
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        snprintf(key, sizeof key, "wave.%s", reals[i]);
        json_real(json, reals[i],
                  recording_setting_real(run->recording, key, 0));
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(key, sizeof key, "wave.%s", names[i]);
        const char *text = recording_setting(run->recording, key);
        json_text(json, names[i], text ? text : "");
    }
    json_whole(json, "open", run->open);
    json_object_end(json);
}

enum status report_live_put(struct json *json, struct words *words,
                            const struct report_run *run, const double *speed,
                            struct error *error)
{
    struct emission_row *sent = NULL;
    size_t count = 0;
    put_settings(json, run);
    enum status status = emissions_read(run->recording, &sent, &count, error);
    if (!status) {
        json_whole(json, "emissions", (int64_t)count);
        put_emissions(words, sent, count);
        status = put_checksums(json, words, run, error);
    }
    if (!status)
        status = report_source_put(json, words, run, sent, count, speed, error);
    memory_release(sent);
    report_put_list(json, "checked", run->checked, (int)run->checked_count);
    return status;
}
