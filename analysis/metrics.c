/* SPDX-License-Identifier: MIT */
#include "metrics.h"

#include <math.h>
#include <string.h>

typedef double of_agent(const struct measured_agent *agent);

/* The mean over the agents for which it is a number; NAN where none is. */
static double mean(const struct measured *measured, of_agent *value)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < measured->agent_count; i++) {
        double v = value(&measured->agents[i]);
        if (!isfinite(v))
            continue;
        sum += v;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

static double steps(const struct measured *measured)
{
    return measured->steps < 0 ? NAN : (double)measured->steps;
}

static double agents(const struct measured *measured)
{
    return (double)measured->agent_count;
}

static double captured(const struct measured *measured)
{
    double count = 0;
    for (size_t i = 0; i < measured->agent_count; i++)
        count += measured->agents[i].captured >= 0;
    return count;
}

static double capture_rate(const struct measured *measured)
{
    return measured->agent_count
               ? captured(measured) / (double)measured->agent_count
               : NAN;
}

static double step_of(const struct measured_agent *agent)
{
    return agent->captured >= 0 ? (double)agent->captured : NAN;
}

static double capture_steps(const struct measured *measured)
{
    return mean(measured, step_of);
}

static double length_of(const struct measured_agent *agent)
{
    return agent->path_length;
}

static double path_length(const struct measured *measured)
{
    return mean(measured, length_of);
}

static double geodesic_of(const struct measured_agent *agent)
{
    return agent->geodesic;
}

static double geodesic(const struct measured *measured)
{
    return mean(measured, geodesic_of);
}

/* v·steps/d. */
static double ratio_of(const struct measured_agent *agent)
{
    return agent->captured >= 0 && agent->geodesic > 0
               ? agent->speed * (double)agent->captured / agent->geodesic
               : NAN;
}

static double capture_ratio(const struct measured *measured)
{
    return mean(measured, ratio_of);
}

static double arrivals(const struct measured *measured)
{
    double count = 0;
    for (size_t i = 0; i < measured->agent_count; i++)
        count += (double)measured->agents[i].arrivals;
    return count;
}

static double arrival_of(const struct measured_agent *agent)
{
    return agent->first_arrival;
}

static double first_arrival(const struct measured *measured)
{
    return mean(measured, arrival_of);
}

static double squared_error_of(const struct measured_agent *agent)
{
    return agent->arrival_error * agent->arrival_error;
}

static double arrival_error(const struct measured *measured)
{
    return sqrt(mean(measured, squared_error_of));
}

static double reach(const struct measured *measured)
{
    return measured->far_cells > 0
               ? (double)measured->far_reached / (double)measured->far_cells
               : NAN;
}

/* Sums over the agents' plans; NAN where none has made one. */
static double over_plans(const struct measured *measured, of_agent *value)
{
    double sum = 0;
    int64_t plans = 0;
    for (size_t i = 0; i < measured->agent_count; i++) {
        sum += value(&measured->agents[i]);
        plans += measured->agents[i].plans;
    }
    return plans ? sum : NAN;
}

static double expansions_of(const struct measured_agent *agent)
{
    return agent->expansions;
}

static double expansions(const struct measured *measured)
{
    return over_plans(measured, expansions_of);
}

static double nanoseconds_of(const struct measured_agent *agent)
{
    return agent->nanoseconds;
}

static double plans_of(const struct measured_agent *agent)
{
    return (double)agent->plans;
}

static double search_time(const struct measured *measured)
{
    return over_plans(measured, nanoseconds_of) /
           over_plans(measured, plans_of);
}

size_t measured_of_method(const struct measured *all, const char *method,
                          struct measured_agent *agents,
                          struct measured *measured)
{
    *measured = *all;
    measured->agents = agents;
    measured->agent_count = 0;
    for (size_t i = 0; i < all->agent_count; i++)
        if (strcmp(all->agents[i].method, method) == 0)
            agents[measured->agent_count++] = all->agents[i];
    return measured->agent_count;
}

const struct metric metrics[] = {
    { "steps", "step", "the last step of the run", steps },
    { "agents", "1", "agents in the run", agents },
    { "captured", "1", "agents that captured the target", captured },
    { "capture_rate", "1", "share of the agents that captured", capture_rate },
    { "capture_steps", "step", "steps to the capture, mean of the captors",
      capture_steps },
    { "path_length", "cell", "length of the way, mean of the agents",
      path_length },
    { "geodesic", "cell",
      "shortest path from the agent's start to the target's, mean", geodesic },
    { "capture_ratio", "1",
      "speed times steps to the capture over the geodesic, mean",
      capture_ratio },
    { "arrivals", "1", "arrivals that agents reacted to", arrivals },
    { "first_arrival", "step",
      "from the emission to the first arrival, mean of the agents",
      first_arrival },
    { "arrival_error", "degree",
      "heading at the first arrival against the exact path, RMS of the agents",
      arrival_error },
    { "reach", "1",
      "share of the reachable cells farther than 3 from the source at which "
      "the first emission of wave 0 arrives",
      reach },
    { "expansions", "1", "cells expanded by all searches", expansions },
    { "search_time", "ns", "time of a search, mean", search_time },
    { 0 },
};
_Static_assert(sizeof metrics / sizeof *metrics == METRICS + 1,
               "METRICS counts the rows");
