/* SPDX-License-Identifier: MIT */
#include "run/again.h"

#include "base/disk.h"
#include "base/memory.h"
#include "pursuit/settings.h"
#include "recording/read/file.h"
#include "run/run.h"
#include "run/start.h"
#include "view/replay.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- the map ---- */

/* A value that no scenario gives a cell. */
static bool is_cell(const struct terrain *map, size_t cell)
{
    return map->wall[cell] <= 1 &&
           (!map->speed || (map->speed[cell] > 0 && map->speed[cell] <= 1e6)) &&
           (!map->cost || (map->cost[cell] > 0 && map->cost[cell] <= 1e12)) &&
           (!map->one_way ||
            map->one_way[cell] <= (map->grid.dims == 3 ? UP : NORTH) + 1);
}

static enum status check_cells(const struct recording *recording,
                               size_t version, const struct terrain *map,
                               struct error *error)
{
    for (size_t i = 0; i < grid_cells(&map->grid); i++)
        if (!is_cell(map, i))
            return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                            "version %zu of the map has a cell of no map",
                            version);
    return STATUS_OK;
}

enum status again_map(const struct recording *recording, size_t version,
                      struct terrain *map, struct error *error)
{
    static const enum terrain_change_kind kinds[TERRAIN_ARRAYS] = {
        [TERRAIN_WALL] = CHANGE_WALL,
        [TERRAIN_SPEED] = CHANGE_SPEED,
        [TERRAIN_COST] = CHANGE_COST,
        [TERRAIN_ONE_WAY] = CHANGE_ONE_WAY,
    };
    enum status status = STATUS_OK;
    for (int i = 0; i < TERRAIN_ARRAYS && !status; i++) {
        const char *name = terrain_arrays[i].name;
        if (!recording_find(recording, name))
            continue;
        status = terrain_prepare(map, kinds[i], error);
        if (!status)
            status = recording_read_terrain(recording, name, version,
                                            terrain_array_at(map, i), error);
    }
    return status ? status : check_cells(recording, version, map, error);
}

/* ---- the scenario ---- */

enum { GIVEN_MOST = 16 }; /* overrides of a run made again */

static enum status check(const struct recording *recording,
                         const struct scenario *scenario, struct error *error)
{
    if (memcmp(&scenario->terrain.grid, recording_grid(recording),
               sizeof(struct grid)) != 0)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "the map has another size than its scenario's");
    if (start_is_hidden(scenario) && !recording_text(recording, "start"))
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "an event of step 0 hides the map that agents were "
                        "placed on");
    return STATUS_OK;
}

/* The scenario gets the text and the overrides that were recorded, not the
 * resolved text that was read back. */
static enum status keep_texts(const struct recording *recording,
                              struct scenario *scenario, struct error *error)
{
    const char *given[] = { recording_text(recording, "scenario"),
                            recording_text(recording, "set") };
    char **texts[] = { &scenario->text, &scenario->set };
    for (int i = 0; i < 2; i++) {
        char *text = memory_text(given[i] ? given[i] : "");
        if (!text)
            return error_memory(error);
        memory_release(*texts[i]);
        *texts[i] = text;
    }
    return STATUS_OK;
}

size_t again_overrides(const struct recording *recording,
                       const char *overrides[AGAIN_OVERRIDES])
{
    const char *detector = recording_setting(recording, "arrival.detector");
    const char *steering = recording_setting(recording, "pursuit.steering");
    const char *every_step = steering_rule_names[STEERING_EVERY_STEP];
    if (!detector || strcmp(detector, "laplace") != 0 ||
        recording_setting(recording, "arrival.stencil"))
        return 0;
    overrides[0] = "arrival.stencil=wave";
    overrides[1] = "pursuit.steering=every-step";
    return steering && strcmp(steering, every_step) == 0 ? 2 : 1;
}

/* Removes the first line with this start, after spaces. */
static void drop_line(char *text, const char *start)
{
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        const char *next = line + length - !line[length - 1];
        if (strncmp(line + strspn(line, " "), start, strlen(start)) == 0) {
            memmove(line, next, strlen(next) + 1);
            return;
        }
        line += next - line;
    }
}

void again_leave_out(const struct recording *recording,
                     struct scenario *scenario)
{
    const char *overrides[AGAIN_OVERRIDES];
    if (!again_overrides(recording, overrides))
        return;
    drop_line(scenario->parameters, "arrival.stencil = ");
    drop_line(scenario->resolved, "stencil = \"wave\"");
}

static enum status parse(const struct recording *recording,
                         const char *const *given, size_t count,
                         struct scenario **scenario, struct error *error)
{
    const char *resolved = recording_text(recording, "resolved");
    const char *overrides[GIVEN_MOST + AGAIN_OVERRIDES];
    struct terrain map = { 0 };
    for (size_t i = 0; i < count; i++)
        overrides[i] = given[i];
    count += again_overrides(recording, &overrides[count]);
    *scenario = NULL;
    if (!resolved)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "the scenario is not recorded");
    enum status status = terrain_init(&map, recording_grid(recording), error);
    if (!status)
        status = again_map(recording, 0, &map, error);
    if (!status)
        status = start_restore(recording_text(recording, "start"), &map, error);
    if (!status)
        status = check_cells(recording, 0, &map, error);
    if (!status)
        status = scenario_parse_on(resolved, recording_path(recording),
                                   overrides, count, &map, scenario, error);
    terrain_release(&map);
    if (!status)
        status = check(recording, *scenario, error);
    if (!status)
        status = keep_texts(recording, *scenario, error);
    if (!status)
        again_leave_out(recording, *scenario);
    if (status) {
        scenario_release(*scenario);
        *scenario = NULL;
    }
    return status;
}

enum status again_scenario(const struct recording *recording,
                           struct scenario **scenario, struct error *error)
{
    return parse(recording, NULL, 0, scenario, error);
}

/* Frames between keyframes, up to about this size of those that are stored. */
static const double stored_bytes = 0x1p30;
enum { KEYFRAMES_LEAST = 16 };

static int64_t keyframes_for(const struct recording *recording)
{
    const char *precision = recording_setting(recording, "wave.precision");
    const bool is_double = precision && strcmp(precision, "double") == 0;
    const double bytes =
        (is_double ? sizeof(double) : sizeof(float)) *
        recording_setting_real(recording, "wave.count", 1) *
        (double)grid_cells(recording_grid(recording)) *
        (double)recording_steps(recording)[recording_rows(recording) - 1];
    const double pairs = 2 * bytes / stored_bytes;
    return pairs > KEYFRAMES_LEAST ? (int64_t)pairs : KEYFRAMES_LEAST;
}

/* The scenario that records every field of the whole map at every step. */
static enum status scenario_whole(const struct recording *recording,
                                  struct scenario **scenario,
                                  struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    char region[128], keyframes[64];
    const bool flat = grid->dims == 2;
    snprintf(region, sizeof region,
             flat ? "record.region=[0, 0, %d, %d]"
                  : "record.region=[0, 0, 0, %d, %d, %d]",
             grid->nx - 1, grid->ny - 1, grid->nz - 1);
    snprintf(keyframes, sizeof keyframes, "record.keyframes=%" PRId64,
             keyframes_for(recording));
    const char *const overrides[] = {
        "record.fields=(\"amplitude\", \"gradient\", \"arrival\", \"agents\")",
        "record.every=1",
        "record.commit=1000000000000L",
        region,
        keyframes,
    };
    const size_t count = sizeof overrides / sizeof *overrides;
    /* A scenario whose events rule out keyframes has few frames. */
    enum status status = parse(recording, overrides, count, scenario, error);
    return status == STATUS_INPUT
               ? parse(recording, overrides, count - 1, scenario, error)
               : status;
}

/* ---- the run ---- */

/* Steps to the last recorded step, or the run's own end; and a run that
 * diverged after its last row, to that. */
static enum status go(struct run *run, const struct recording *recording,
                      const struct again_options *options,
                      enum run_state *state, struct error *error)
{
    const int64_t last =
        recording_steps(recording)[recording_rows(recording) - 1];
    const bool diverges = recording_state(recording) == RUN_DIVERGED;
    enum status status = STATUS_OK;
    for (bool ended = false; !status;) {
        const int64_t step = run_steps_done(run);
        *state = ended ? RUN_DONE : RUN_STOPPED;
        if (options->progress && step <= last)
            status =
                options->progress(options->context, recording_path(recording),
                                  ended ? last : step, last, error);
        if (ended || (step >= last && !diverges))
            break;
        if (!status)
            status = run_step(run, &ended, error);
        if (status == STATUS_DIVERGED && step >= last) {
            *state = RUN_DIVERGED;
            return STATUS_OK;
        }
    }
    return status;
}

static enum status record(const struct recording *recording,
                          const struct scenario *scenario,
                          const struct again_options *options, const char *path,
                          struct error *error)
{
    const struct run_options run_options = {
        .path = path,
        .force = true, /* the file is there, and empty */
        .threads = options->threads,
        .command = recording_text(recording, "command"),
    };
    struct run *run = NULL;
    enum run_state state = RUN_STOPPED;
    enum status status = run_new(scenario, &run_options, &run, error);
    if (status)
        return status;
    status = run_begin(run, error);
    if (!status)
        status = go(run, recording, options, &state, error);
    if (!status)
        return run_close(run, state, NULL, error);
    run_abandon(run);
    return status;
}

enum status again_record(const struct recording *recording,
                         const struct scenario *scenario,
                         const struct again_options *options,
                         struct recording **copy, struct error *error)
{
    char *path = NULL, *name = memory_text(recording_path(recording));
    enum status status = STATUS_OK;
    *copy = NULL;
    if (recording_rows(recording) == 0)
        status = error_at(error, STATUS_INPUT, recording_path(recording), 0,
                          "no frame is committed");
    const int fd = status || !name ? -1 : disk_nameless(&path);
    if (!status && fd < 0)
        status =
            error_system(error, STATUS_FAILED, "%s: no memory to run it again",
                         recording_path(recording));
    if (!status)
        status = record(recording, scenario, options, path, error);
    if (!status)
        status = replay_open(path, copy, error);
    if (!status) {
        memory_release((*copy)->path);
        (*copy)->path = name;
        name = NULL;
    }
    if (fd >= 0)
        close(fd);
    memory_release(name);
    memory_release(path);
    return status;
}

/* ---- the whole run, when it is required ---- */

struct whole {
    const struct recording *recording;
    struct again_options options;
    struct recording *copy; /* NULL: not made yet */
    enum status status;     /* why it could not be made */
    struct error error;
    pthread_mutex_t mutex;
};

static enum status differs(const struct whole *whole, const char *what,
                           int64_t row, struct error *error)
{
    const struct recording *recording = whole->recording;
    const char *version = recording_text(recording, "version");
    return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                    "its run, computed again, differs from it in %s up to step "
                    "%lld: its version, %.40s, had other rules; record it "
                    "again",
                    what, (long long)recording_steps(recording)[row],
                    version ? version : "unknown");
}

/* Compares the first `count` elements of a row of the recording with those of
 * the copy. */
static enum status compare_row(const struct whole *whole,
                               const struct variable *variable, int64_t row,
                               size_t count, struct error *error)
{
    const struct recording *recording = whole->recording;
    const struct variable *other = recording_find(whole->copy, variable->name);
    const size_t cell = element_bytes(variable->type);
    const int64_t there =
        variable->by_row ? recording_steps(recording)[row] : 0;
    if (!other || other->type != variable->type ||
        count > variable_elements(other))
        return differs(whole, variable->name, row, error);
    char *was = memory_new(variable_elements(variable), cell);
    char *is = memory_new(variable_elements(other), cell);
    enum status status = is && was ? STATUS_OK : error_memory(error);
    if (!status)
        status = recording_read(recording, variable, row, was, error);
    if (!status)
        status = recording_read(whole->copy, other, there, is, error);
    if (!status && memcmp(is, was, count * cell) != 0)
        status = differs(whole, variable->name, row, error);
    memory_release(is);
    memory_release(was);
    return status;
}

/* The rows of its table; −1: it is in none of these. */
static int64_t table_rows(const struct recording *recording, const char *name)
{
    static const char *const tables[] = { "emissions", "arrivals", "captures" };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const size_t length = strlen(tables[i]);
        if (strncmp(name, tables[i], length) == 0 && name[length] == '/')
            return recording_table_rows(recording, tables[i]);
    }
    return -1;
}

/* Of fields, which are large, the last frame depends on all before it. */
static enum status compare(const struct whole *whole, struct error *error)
{
    const struct recording *recording = whole->recording;
    const int64_t last = recording_rows(recording) - 1;
    const struct box all = grid_box(&recording->grid);
    const bool fields = !recording_keep_bits(recording) &&
                        memcmp(&recording->region, &all, sizeof all) == 0;
    const struct variable *variable;
    enum status status = STATUS_OK;
    /* The copy of a run that diverged continues until it diverged. */
    const int64_t more =
        recording_rows(whole->copy) - (recording_steps(recording)[last] + 1);
    if (more < 0 || (more > 0 && recording_state(recording) != RUN_DIVERGED))
        return differs(whole, "its end", last, error);
    for (size_t i = 0; !status && (variable = recording_variable(recording, i));
         i++) {
        const char *name = variable->name;
        const bool moves = strncmp(name, "agents/", 7) == 0 ||
                           strncmp(name, "target/", 7) == 0;
        const int64_t used = table_rows(recording, name);
        if (used >= 0)
            status = compare_row(whole, variable, last, (size_t)used, error);
        else if (variable->by_row && fields && strncmp(name, "wave", 4) == 0)
            status = compare_row(whole, variable, last,
                                 variable_elements(variable), error);
        for (int64_t row = 0;
             variable->by_row && moves && row <= last && !status; row++)
            status = compare_row(whole, variable, row,
                                 variable_elements(variable), error);
    }
    return status;
}

static enum status make_whole(struct whole *whole, struct error *error)
{
    struct scenario *scenario;
    enum status status = scenario_whole(whole->recording, &scenario, error);
    if (status)
        return status;
    status = again_record(whole->recording, scenario, &whole->options,
                          &whole->copy, error);
    scenario_release(scenario);
    return status ? status : compare(whole, error);
}

static enum status get_whole(void *context, const struct recording **copy,
                             struct error *error)
{
    struct whole *whole = context;
    pthread_mutex_lock(&whole->mutex);
    if (!whole->copy && !whole->status)
        whole->status = make_whole(whole, &whole->error);
    pthread_mutex_unlock(&whole->mutex);
    *copy = whole->copy;
    if (whole->status && error)
        *error = whole->error;
    return whole->status;
}

static void release_whole(void *context)
{
    struct whole *whole = context;
    recording_close(whole->copy);
    pthread_mutex_destroy(&whole->mutex);
    memory_release(whole);
}

enum status again_offer(struct recording *recording,
                        const struct again_options *options,
                        struct error *error)
{
    if (!recording_text(recording, "resolved") ||
        recording_rows(recording) == 0 || !recording_ran_waves(recording))
        return STATUS_OK;
    struct whole *whole = memory_new(1, sizeof *whole);
    if (!whole)
        return error_memory(error);
    whole->recording = recording;
    whole->options = *options;
    pthread_mutex_init(&whole->mutex, NULL);
    recording->whole = (struct whole_source){ whole, get_whole, release_whole };
    return STATUS_OK;
}
