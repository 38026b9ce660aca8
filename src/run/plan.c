/* SPDX-License-Identifier: MIT */
#include "run/plan.h"

#include "base/memory.h"
#include "base/version.h"
#include "recording/format/hdf5_start.h"
#include "run/start.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Version 0 is the map at step 0; each later step with events makes another
 * version. */
static enum status plan_versions(struct run_plan *plan,
                                 const struct scenario *scenario,
                                 struct error *error)
{
    plan->version_steps =
        memory_new(scenario->event_count + 1, sizeof *plan->version_steps);
    if (!plan->version_steps)
        return error_memory(error);
    size_t versions = 1;
    for (size_t i = 0; i < scenario->event_count; i++) {
        int64_t step = scenario->events[i].step;
        if (step > plan->version_steps[versions - 1] && step <= scenario->steps)
            plan->version_steps[versions++] = step;
    }
    plan->recording.version_steps = plan->version_steps;
    plan->recording.versions = versions;
    return STATUS_OK;
}

static enum status plan_agents(struct run_plan *plan,
                               const struct agents *agents, struct error *error)
{
    plan->agent_names = memory_new(agents->count, sizeof(char *));
    plan->agent_methods = memory_new(agents->count, sizeof(char *));
    if (!plan->agent_names || !plan->agent_methods)
        return error_memory(error);
    for (size_t i = 0; i < agents->count; i++) {
        plan->agent_names[i] = agents->name[i];
        plan->agent_methods[i] =
            agent_methods[agents->settings[i]->method]->name;
    }
    plan->recording.agents = agents->count;
    plan->recording.agent_names = plan->agent_names;
    plan->recording.agent_methods = plan->agent_methods;
    return STATUS_OK;
}

/* The emissions of n waves of lifetime T in the steps 0 … N: wave i at
 * ⌊iT/n⌋ + mT. With restart on-arrival the only wave may start again at every
 * step. */
static size_t emissions_at_most(const struct scenario *scenario)
{
    const struct wave_settings *wave = &scenario->wave;
    if (!scenario->has_target)
        return 0;
    if (wave->restart == RESTART_ON_ARRIVAL)
        return (size_t)scenario->steps + 1;
    size_t count = 0;
    for (int i = 0; i < wave->count; i++) {
        int64_t first = i * wave->lifetime / wave->count;
        if (first <= scenario->steps)
            count += (size_t)((scenario->steps - first) / wave->lifetime) + 1;
    }
    return count;
}

/* A plan every `replan` steps for each agent that follows a route or walks by
 * relay nodes. Only paths in mazes are longer on average than assumed here;
 * then the table becomes full, which stops the run. */
static enum status plan_plans(struct recording_plan *plan,
                              const struct scenario *scenario,
                              const struct agents *agents, struct error *error)
{
    const struct grid *grid = &scenario->terrain.grid;
    size_t longest = 4 * (size_t)(grid->nx + grid->ny + grid->nz);
    size_t cells = grid_cells(grid), planners = 0, each = 0;
    for (size_t i = 0; i < agents->count; i++) {
        const struct method *method =
            agent_methods[agents->settings[i]->method];
        if (method->reacts)
            continue;
        planners++;
        plan->relay |= method->nodes > 0;
        each += method->nodes     ? method->nodes
                : longest < cells ? longest
                                  : cells;
    }
    size_t rounds = (size_t)(scenario->steps / scenario->pursuit.replan + 1);
    if (size_multiply(planners, rounds, &plan->plans) &&
        size_multiply(each, rounds, &plan->plan_cells) &&
        plan->plan_cells <= INT64_MAX)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, scenario->path, 0,
                    "steps, pursuit.replan, agents: too many plans to record; "
                    "fewer steps or agents, or a longer replan are allowed");
}

static enum status plan_tables(struct recording_plan *plan,
                               const struct scenario *scenario,
                               const struct agents *agents, struct error *error)
{
    size_t emissions = emissions_at_most(scenario), listeners = 0;
    plan->emissions = scenario->has_wave ? emissions : 0;
    for (size_t i = 0; i < agents->count; i++)
        /* Twice, because an arrival may be reported as lost and still come
         * later. */
        if (agent_methods[agents->settings[i]->method]->reacts)
            listeners += 2;
    plan->captures = agents->count;
    if (!size_multiply(listeners, emissions, &plan->arrivals))
        return error_at(error, STATUS_INPUT, scenario->path, 0,
                        "steps, wave.lifetime, agents: too many arrivals to "
                        "record; fewer steps or agents are allowed");
    return plan_plans(plan, scenario, agents, error);
}

static void plan_fields(struct recording_plan *plan,
                        const struct scenario *scenario)
{
    const struct record_settings *record = &scenario->record;
    plan->title = scenario->title;
    plan->grid = scenario->terrain.grid;
    plan->region = record->has_region ? record->region : grid_box(&plan->grid);
    plan->real = scenario->wave.precision == PRECISION_DOUBLE ? TYPE_FLOAT64
                                                              : TYPE_FLOAT32;
    plan->waves = scenario->has_wave ? scenario->wave.count : 0;
    plan->amplitude = plan->waves && (record->fields & FIELD_AMPLITUDE);
    /* The reader computes both again between keyframes. */
    plan->keyframes = plan->amplitude ? record->keyframes : 0;
    plan->gradient =
        plan->waves && !plan->keyframes && (record->fields & FIELD_GRADIENT);
    plan->arrival = plan->waves && (record->fields & FIELD_ARRIVAL);
    plan->steps = scenario->steps;
    plan->every = record->every;
    plan->speed = scenario->terrain.speed != NULL;
    plan->cost = scenario->terrain.cost != NULL;
    plan->one_way = scenario->terrain.one_way != NULL;
    plan->target = scenario->has_target;
    plan->cell_metres = scenario->cell_metres;
    plan->step_seconds = scenario->step_seconds;
}

static void plan_texts(struct run_plan *plan, const struct scenario *scenario,
                       const char *command)
{
    if (gethostname(plan->host, sizeof plan->host - 1))
        snprintf(plan->host, sizeof plan->host, "unknown");
    time_t seconds = time(NULL);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(plan->date, sizeof plan->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(plan->seed, sizeof plan->seed, "%" PRIu64, scenario->seed);
    const struct recording_text texts[] = {
        { "scenario", scenario->text },
        { "set", scenario->set },
        { "resolved", scenario->resolved },
        { "parameters", scenario->parameters },
        { "command", command ? command : "" },
        { "version", hamon_version },
        { "commit", hamon_commit },
        { "compiler", hamon_compiler },
        { "flags", hamon_flags },
        { "hdf5", recording_hdf5_version() },
        { "host", plan->host },
        { "date", plan->date },
        { "seed", plan->seed },
        { "start", plan->start },
    };
    _Static_assert(sizeof texts <= sizeof plan->texts, "RUN_TEXTS");
    memcpy(plan->texts, texts, sizeof texts);
    plan->recording.texts = plan->texts;
    plan->recording.text_count = sizeof texts / sizeof *texts - !plan->start;
}

enum status run_plan_init(struct run_plan *plan,
                          const struct scenario *scenario,
                          const struct simulation *simulation,
                          const char *command, struct error *error)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(simulation));
    *plan = (struct run_plan){ 0 };
    plan_fields(&plan->recording, scenario);
    enum status status = plan_tables(&plan->recording, scenario, agents, error);
    if (!status && start_is_hidden(scenario))
        status = start_print(scenario, simulation_terrain(simulation),
                             &plan->start, error);
    plan_texts(plan, scenario, command);
    if (!status)
        status = plan_versions(plan, scenario, error);
    if (!status && (scenario->record.fields & FIELD_AGENTS))
        status = plan_agents(plan, agents, error);
    return status;
}

void run_plan_release(struct run_plan *plan)
{
    memory_release(plan->start);
    memory_release(plan->version_steps);
    memory_release(plan->agent_names);
    memory_release(plan->agent_methods);
}

int64_t run_plan_rows(const struct run_plan *plan)
{
    return recording_plan_rows(&plan->recording, plan->recording.steps);
}

uint64_t run_plan_disk_free(const char *path)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (slash && length < sizeof folder - 1) {
        /* "/" for a file in the root directory */
        memcpy(folder, path, length + 1);
        folder[length ? length : 1] = '\0';
    }
    struct statvfs disk;
    if (statvfs(folder, &disk))
        return 0;
    return (uint64_t)disk.f_bavail * disk.f_frsize;
}
