/* SPDX-License-Identifier: MIT */
#include "tools/info/info.h"

#include "base/memory.h"
#include "base/need.h"
#include "settings/keys.h"
#include "wave/arrival/detector.h"
#include "words/words.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

size_t info_keys(const struct recording *recording, const char *group,
                 const char *paths[INFO_KEYS])
{
    const struct key *inside = group ? key_of(group) : NULL;
    const struct key *first = key_next(inside, keys);
    size_t count = 0;
    for (const struct key *key = first; key; key = key_next(inside, key + 1)) {
        const char *name = recording_setting(recording, key->path);
        if (key->brief && count < INFO_KEYS)
            paths[count++] = key->path;
        const struct detector *detector =
            key->type == KEY_NAMED && name ? detector_find(name) : NULL;
        for (int i = 0; detector && detector->keys[i] && count < INFO_KEYS; i++)
            paths[count++] = detector->keys[i];
    }
    return count;
}

const char *info_state_name(int state)
{
    static const char *const names[] = {
        [AGENT_WAITING] = N_("waiting"),
        [AGENT_MOVING] = N_("moving"),
        [AGENT_CAPTURED] = N_("captured"),
        [AGENT_STUCK] = N_("stuck"),
    };
    return state >= AGENT_WAITING && state <= AGENT_STUCK ? names[state]
                                                          : "unknown";
}

/* Reads a whole variable, or its last row, as doubles. NULL if it does not
 * exist, cannot be read (info's health has the error), or if there is no memory
 * (info notes it). */
static double *read_last(struct info *info, const char *name, size_t *count)
{
    const struct recording *recording = info->recording;
    const struct variable *variable = recording_find(recording, name);
    int64_t row = recording_rows(recording) - 1;
    if (!variable || row < 0)
        return NULL;
    *count = variable_elements(variable);
    double *values = need_memory(*count, sizeof *values);
    enum status status = recording_read_real(
        recording, variable, variable->by_row ? row : 0, values, NULL);
    if (status == STATUS_FAILED)
        info->out_of_memory = true;
    if (status) {
        memory_release(values);
        return NULL;
    }
    return values;
}

/* Reads the column of a table; its rows in use. */
static double *read_column(struct info *info, const char *table,
                           const char *name, size_t *used)
{
    int64_t rows = recording_table_rows(info->recording, table);
    size_t count = 0;
    double *values = rows > 0 ? read_last(info, name, &count) : NULL;
    *used = rows > 0 ? (size_t)rows : 0;
    if (values && count < *used)
        *used = count;
    if (!values)
        *used = 0;
    return values;
}

static enum status read_agents(struct info *info, struct error *error)
{
    static const char *const axes[] = { "agents/x", "agents/y", "agents/z" };
    const struct recording *recording = info->recording;
    const struct variable *x = recording_find(recording, axes[0]);
    if (!x)
        return STATUS_OK;
    info->agent_count = variable_elements(x);
    info->agents = need_memory(info->agent_count, sizeof *info->agents);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < info->agent_count && !status; i++) {
        struct info_agent *agent = &info->agents[i];
        *agent = (struct info_agent){ .at = { NAN, NAN, NAN },
                                      .state = -1,
                                      .captured = -1 };
        status = recording_agent_text(recording, "agents/name", i, agent->name,
                                      sizeof agent->name, error);
        if (!status)
            status = recording_agent_text(recording, "agents/method", i,
                                          agent->method, sizeof agent->method,
                                          error);
    }
    for (int axis = 0; axis < grid_axes(recording_grid(recording)); axis++) {
        size_t count = 0;
        double *at = read_last(info, axes[axis], &count);
        for (size_t i = 0; at && i < count && i < info->agent_count; i++)
            info->agents[i].at[axis] = at[i];
        memory_release(at);
    }
    size_t count = 0;
    double *state = read_last(info, "agents/state", &count);
    for (size_t i = 0; state && i < count && i < info->agent_count; i++)
        info->agents[i].state = (int)state[i];
    memory_release(state);
    return status;
}

static void read_target(struct info *info)
{
    static const char *const axes[] = { "target/x", "target/y", "target/z" };
    for (int axis = 0; axis < grid_axes(recording_grid(info->recording));
         axis++) {
        size_t count = 0;
        double *at = read_last(info, axes[axis], &count);
        if (at && count == 1) {
            info->target_at[axis] = at[0];
            info->has_target = true;
        }
        memory_release(at);
    }
}

/* Counts the rows of each agent and wave in the tables. */
static void read_tables(struct info *info)
{
    size_t rows, others;
    double *who = read_column(info, "arrivals", "arrivals/agent", &rows);
    double *step = read_column(info, "arrivals", "arrivals/step", &others);
    for (size_t i = 0; i < info->agent_count; i++)
        info->agents[i].first = info->agents[i].last = -1;
    for (size_t i = 0; i < rows && i < others; i++) {
        if (!(who[i] >= 0 && who[i] < (double)info->agent_count))
            continue;
        struct info_agent *agent = &info->agents[(size_t)who[i]];
        if (agent->arrivals++ == 0)
            agent->first = (int64_t)step[i];
        agent->last = (int64_t)step[i];
    }
    memory_release(who);
    memory_release(step);
    who = read_column(info, "captures", "captures/agent", &rows);
    step = read_column(info, "captures", "captures/step", &others);
    for (size_t i = 0; i < rows && i < others; i++)
        if (who[i] >= 0 && who[i] < (double)info->agent_count)
            info->agents[(size_t)who[i]].captured = (int64_t)step[i];
    memory_release(who);
    memory_release(step);
    who = read_column(info, "emissions", "emissions/wave", &rows);
    step = read_column(info, "emissions", "emissions/step", &others);
    for (size_t i = 0; i < rows && i < others; i++) {
        if (!(who[i] >= 0 && who[i] < info->wave_count))
            continue;
        struct info_wave *wave = &info->waves[(size_t)who[i]];
        if (!wave->emissions++)
            wave->first = (int64_t)step[i];
        wave->last = (int64_t)step[i];
    }
    memory_release(who);
    memory_release(step);
}

static void read_map(struct info *info)
{
    const struct recording *recording = info->recording;
    int64_t rows = recording_rows(recording);
    info->free_cells = -1;
    if (rows == 0)
        return;
    int64_t last = recording_steps(recording)[rows - 1];
    size_t cells = grid_cells(recording_grid(recording));
    info->versions = recording_version_at(recording, last) + 1;
    uint8_t *wall = need_memory(cells, 1);
    if (!recording_read_terrain(recording, "wall", 0, wall, NULL)) {
        info->free_cells = 0;
        for (size_t i = 0; i < cells; i++)
            info->free_cells += !wall[i];
    }
    memory_release(wall);
}

/* While a recorder runs, it has a lock on the file. */
static enum info_writer find_writer(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return WRITER_UNKNOWN;
    enum info_writer writer = WRITER_UNKNOWN;
    if (flock(fd, LOCK_SH | LOCK_NB) == 0)
        writer = WRITER_NONE;
    else if (errno == EWOULDBLOCK)
        writer = WRITER_ALIVE;
    close(fd);
    return writer;
}

static enum status verify_variable(struct info *info,
                                   const struct variable *variable,
                                   struct error *error)
{
    void *row =
        need_memory(variable_elements(variable), element_bytes(variable->type));
    struct error fault;
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < recording_rows(info->recording) && !status; i++) {
        info->rows_read++;
        enum status read =
            recording_read(info->recording, variable, i, row, &fault);
        if (read == STATUS_INPUT && !info->rows_bad++)
            memcpy(info->first_bad, fault.message, sizeof info->first_bad);
        if (read && read != STATUS_INPUT) /* not an error in the file */
            status = error_set(error, read, "%s", fault.message);
    }
    memory_release(row);
    return status;
}

static enum status verify_all(struct info *info, struct error *error)
{
    enum status status = STATUS_OK;
    const struct variable *variable;
    info->verified = true;
    for (size_t i = 0;
         !status && (variable = recording_variable(info->recording, i)); i++)
        if (variable->by_row)
            status = verify_variable(info, variable, error);
    return status;
}

/* What is wrong with the file is no failure: the rest is still reported. */
static enum status read_events(struct info *info, struct error *error)
{
    enum status status =
        events_read(info->recording, &info->events, &info->events_fault);
    if (!status || status == STATUS_INPUT)
        return STATUS_OK;
    return error_set(error, status, "%s", info->events_fault.message);
}

/* The number of waves that ran, even if nothing else of them is recorded. */
static int count_waves(const struct recording *recording)
{
    double told = recording_setting_real(recording, "wave.count", 0);
    int waves = recording_waves(recording);
    bool good = told > waves && told <= RECORDING_MAX_WAVES;
    return good ? (int)told : waves;
}

enum status info_init(struct info *info, const struct recording *recording,
                      bool verify, struct error *error)
{
    struct stat about;
    const char *path = recording_path(recording);
    *info = (struct info){ .recording = recording };
    if (stat(path, &about))
        return error_system(error, STATUS_INPUT, "%s", path);
    info->bytes = (uint64_t)about.st_size;
    info->planned = recording_planned(recording);
    info->wave_count = count_waves(recording);
    info->waves =
        need_memory((size_t)info->wave_count + 1, sizeof *info->waves);
    const char *lines = recording_text(recording, "parameters");
    info->parameters = need_text(lines ? lines : "");
    for (int i = 0; i < info->wave_count; i++)
        info->waves[i] = (struct info_wave){ 0, -1, -1 };
    enum status status = read_agents(info, error);
    if (!status)
        read_map(info);
    if (!status && verify)
        status = verify_all(info, error);
    if (!status)
        status = read_events(info, error);
    if (status)
        return status;
    read_target(info);
    read_tables(info);
    if (info->out_of_memory)
        return error_memory(error);
    enum run_state state = recording_state(recording);
    info->writer = state == RUN_RUNNING ? find_writer(path) : WRITER_NONE;
    info->can_resume =
        recording_rows(recording) > 0 &&
        (state == RUN_STOPPED ||
         (state == RUN_RUNNING && info->writer != WRITER_ALIVE)) &&
        recording_find(recording, "restart/state0");
    return STATUS_OK;
}

void info_release(struct info *info)
{
    events_release(&info->events);
    memory_release(info->waves);
    memory_release(info->parameters);
    memory_release(info->agents);
    *info = (struct info){ 0 };
}
