/* SPDX-License-Identifier: MIT */
/* The wave's settings against each other, the map and the stability limit. */
#include "base/real.h"
#include "scenario/load.h"
#include "search/search.h"
#include "wave/arrival/detector.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static enum status check_stencil(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct stencil *stencil = scenario->wave.stencil;
    int dims = scenario->terrain.grid.dims;
    if (stencil->dims != dims)
        return load_fault_path(
            load, "wave.stencil",
            "\"%s\" is of %d axes, the map has %d; %s allowed", stencil->name,
            stencil->dims, dims,
            dims == 2 ? "5-point and 9-point are" : "7-point and 27-point are");
    if (stencil_has_diagonals(stencil) &&
        scenario->wave.speed_form == FORM_CONSERVATIVE)
        return load_fault_path(load, "wave.speed_form",
                               "\"conservative\" conserves nothing with the %s "
                               "stencil; c2-laplacian is allowed",
                               stencil->name);
    return STATUS_OK;
}

/* Sides that the map has, and what the layers beyond them can continue. */
static enum status check_edges(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct wave_settings *wave = &scenario->wave;
    const int dims = scenario->terrain.grid.dims;
    if (wave->has_edges && wave->edges >> 2 * dims)
        return load_fault_path(load, "wave.edges",
                               "a 2D map has no sides down and up; east, west, "
                               "south and north are allowed");
    if (wave_open_sides(wave, dims) && dims == 3 &&
        stencil_has_diagonals(wave->stencil))
        return load_fault_path(load, "wave.stencil",
                               "\"%s\" has no open edges; 7-point is allowed "
                               "with them, or wave.edge = \"mirror\"",
                               wave->stencil->name);
    return STATUS_OK;
}

static enum status check_amplitude(const struct load *load)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    if (wave->precision == PRECISION_SINGLE &&
        (wave->amplitude > FLT_MAX || wave->amplitude < FLT_MIN))
        return load_fault_path(load, "wave.amplitude",
                               "%s does not fit single precision; from %.9g to "
                               "%.9g is allowed, or precision \"double\"",
                               REAL_TEXT(wave->amplitude), FLT_MIN, FLT_MAX);
    return STATUS_OK;
}

static enum status fault_unstable(const struct load *load, const char *path,
                                  double largest, double limit)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    char why[96] = "";
    if (largest != wave->delta)
        snprintf(why, sizeof why, " (delta %s at speed %.6g)",
                 REAL_TEXT(wave->delta), sqrt(largest / wave->delta));
    return load_fault_path(
        load, path,
        "%s%s is over the limit of stability; up to %s is "
        "allowed with %s, more only with wave.allow_unstable",
        REAL_TEXT(largest), why, REAL_TEXT(limit), wave->stencil->name);
}

/* Checks the map at the start, and every speed that an event may set: the
 * largest δᵢ decides, because any event may coincide with any area of another
 * speed. */
static enum status check_stability(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    double largest, limit;
    if (scenario->wave.allow_unstable || load->outline)
        return STATUS_OK;
    if (!wave_is_stable(&scenario->wave, &scenario->terrain, &largest, &limit))
        return fault_unstable(load, "wave.delta", largest, limit);
    const struct change_entry *entries = load->draft->events.items;
    for (size_t i = 0; i < load->draft->events.count; i++) {
        double speed = entries[i].has_speed ? entries[i].speed : 1;
        double delta = scenario->wave.delta * (speed * speed);
        if (entries[i].has_speed && delta > limit)
            return fault_unstable(load, ITEM_PATH("events", i, "speed"), delta,
                                  limit);
    }
    return STATUS_OK;
}

/* If 2 + centre·δ = 0, the source's own cell has no influence: without
 * diagonals cells of odd parity stay 0, and with diagonals the gradient is 0
 * when the wave arrives. */
static enum status warn_parity(const struct load *load)
{
    const struct wave_settings *wave = &load->draft->scenario.wave;
    if (wave->source != SOURCE_IMPULSE ||
        stencil_has_diagonals(wave->stencil) ||
        fabs(2 + wave->stencil->centre * wave->delta) > 1e-12)
        return STATUS_OK;
    return load_warn(
        load, "wave.delta",
        "at %s an impulse leaves every other cell at 0, and the gradient is 0 "
        "where it arrives; use a smaller delta or another source",
        REAL_TEXT(wave->delta));
}

static enum status check_emission(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct wave_settings *wave = &scenario->wave;
    if (!scenario->has_target)
        return load_fault_path(
            load, "wave",
            "there is no target to send waves; a group target "
            "with its at is expected");
    if (wave->count > wave->lifetime)
        return load_fault_path(
            load, "wave.count",
            "%d waves within a lifetime of %lld steps; at most "
            "one a step is allowed",
            wave->count, (long long)wave->lifetime);
    if (wave->restart == RESTART_ON_ARRIVAL && wave->count != 1)
        return load_fault_path(
            load, "wave.count",
            "%d waves with restart \"on-arrival\"; 1 is allowed", wave->count);
    return STATUS_OK;
}

/* The detector's settings against the waves'. */
static enum status check_detector(const struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct detector *detector = scenario->arrival.detector;
    struct detector_fault fault;
    if (!detector->fits ||
        detector->fits(&scenario->arrival, &scenario->wave, &scenario->terrain,
                       scenario->steps, &fault))
        return STATUS_OK;
    return load_fault_path(load, fault.key, "%s", fault.why);
}

/* Is the value meant to have an effect? A default in the text need not be: a
 * printed scenario has all of them. */
static bool is_meant(const struct load *load, const char *path)
{
    return load_changes(load, key_of(path)) ||
           (load_find(load, path) && !load_from_text(load, path));
}

/* Values that the detector does not use. */
static enum status warn_unused(const struct load *load)
{
    const struct arrival_settings *arrival = &load->draft->scenario.arrival;
    const struct detector *own = arrival->detector;
    enum status status = STATUS_OK;
    for (const struct detector *const *row = detectors; *row; row++)
        for (int i = 0; (*row)->keys[i] && !status; i++)
            if (!detector_uses(own, (*row)->keys[i]) &&
                detector_with((*row)->keys[i]) == *row &&
                is_meant(load, (*row)->keys[i]))
                status =
                    load_warn(load, (*row)->keys[i],
                              "has no effect with arrival.detector "
                              "\"%s\"; delete it, or use the detector \"%s\"",
                              own->name, (*row)->name);
    if (!status && !detector_uses(own, "arrival.heading") &&
        arrival->heading != HEADING_ARRIVAL_TIME &&
        is_meant(load, "arrival.heading"))
        status =
            load_warn(load, "arrival.heading",
                      "\"%s\" has no effect with arrival.detector "
                      "\"%s\", which has its own headings; "
                      "delete it, or use \"arrival-time\" or another detector",
                      heading_rule_names[arrival->heading], own->name);
    return status;
}

/* Is there an agent that steps its own waves, and needs no group `wave`? Or one
 * that reacts to the waves of the group? */
static bool any_agent(const struct scenario *scenario, bool own_waves)
{
    for (size_t i = 0; i < scenario->agent_count; i++) {
        const struct method *method = agent_methods[scenario->agents[i].method];
        if (own_waves ? method->own_waves : method->waves)
            return true;
    }
    return false;
}

/* The steps in which the front of a wave covers the length of the shortest path
 * by moves along axes and diagonals; INFINITY if there is no path. */
static double steps_to(const struct search_workspace *search,
                       const struct scenario *scenario, size_t agent)
{
    const struct grid *grid = &scenario->terrain.grid;
    const size_t cell = grid_nearest(grid, scenario->agents[agent].place.at);
    return search_distance(search, cell) / sqrt(scenario->wave.delta);
}

static enum status warn_agents(const struct load *load,
                               const struct search_workspace *search)
{
    const struct scenario *scenario = &load->draft->scenario;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < scenario->agent_count && !status; i++) {
        const struct agent_settings *agent = &scenario->agents[i];
        const double steps =
            agent_methods[agent->method]->waves && !agent->place.random
                ? steps_to(search, scenario, i)
                : 0;
        if (isfinite(steps) && steps > (double)scenario->wave.lifetime)
            status = load_warn(
                load, "wave.lifetime",
                "%lld steps are too few: a wave needs about %.0f to agent "
                "\"%s\", and is sent again before it arrives; a longer "
                "lifetime, or restart \"received\" is allowed",
                (long long)scenario->wave.lifetime, steps, agent->name);
        if (status || steps > (double)scenario->wave.lifetime)
            break; /* one warning is enough */
    }
    return status;
}

/* The largest map that is searched for a warning, in cells: half a second. */
enum { LOOKED_AT_MOST = 1 << 20 };

/* Warns if the wave is replaced before it arrives, again and again. Maps that
 * change and areas of other speeds are not examined. */
enum status load_warn_lifetime(struct load *load)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct terrain *terrain = &scenario->terrain;
    struct passages *passages = NULL;
    struct search_workspace *search = NULL;
    struct search_result result;
    if (load->outline || !scenario->has_wave ||
        scenario->wave.restart == RESTART_RECEIVED ||
        scenario->steps <= scenario->wave.lifetime ||
        scenario->target.place.random || scenario->event_count ||
        terrain->speed || grid_cells(&terrain->grid) > LOOKED_AT_MOST)
        return STATUS_OK;
    const struct search_query query = {
        .from = grid_nearest(&terrain->grid, scenario->target.place.at),
        .to = SEARCH_EVERYWHERE,
    };
    if (terrain->wall[query.from])
        return STATUS_OK;
    enum status status = passages_new(terrain, terrain->grid.dims == 2 ? 8 : 26,
                                      MEASURE_LENGTH, &passages, load->error);
    if (!status)
        status = search_workspace_new(search_find("dijkstra"), passages,
                                      terrain, &search, load->error);
    if (!status) {
        search_run(search, &query, &result);
        status = warn_agents(load, search);
    }
    search_workspace_release(search);
    passages_release(passages);
    return status;
}

enum status load_settle_wave(struct load *load)
{
    struct draft *draft = load->draft;
    struct scenario *scenario = &draft->scenario;
    if (!scenario->wave.stencil)
        scenario->wave.stencil = stencil_find(key_default_of_axes(
            key_of("wave.stencil"), scenario->terrain.grid.dims));
    if (!scenario->has_wave && draft->preset == PRESET_BEST &&
        any_agent(scenario, false))
        scenario->has_wave = true; /* with its default values */
    if (!scenario->has_wave) {
        bool unused = draft->has_arrival && !any_agent(scenario, true);
        draft->has_arrival = draft->has_arrival && !unused;
        return unused ? load_warn(load, "arrival",
                                  "has no effect without a group wave")
                      : warn_unused(load);
    }
    draft->has_arrival = true;
    enum status status = check_emission(load);
    if (!status)
        status = check_stencil(load);
    if (!status)
        status = check_edges(load);
    if (!status)
        status = load_settle_source(load);
    if (!status)
        status = check_amplitude(load);
    if (!status)
        status = check_stability(load);
    if (!status)
        status = check_detector(load);
    if (!status && scenario->arrival.detector->settle)
        scenario->arrival.detector->settle(&scenario->arrival, &scenario->wave,
                                           &scenario->terrain);
    if (!status)
        status = warn_unused(load);
    return status ? status : warn_parity(load);
}
