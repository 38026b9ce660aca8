/* SPDX-License-Identifier: MIT */
/* The heading of a cell by the choice among nodes, compared with brute force:
 * every node of the map, tested for sight by many points of the path. */
#include "pursuit/node_heading.h"

#include "base/memory.h"
#include "base/random.h"
#include "pursuit/node_walk.h"
#include "pursuit/reception.h"
#include "tests/suite.h"
#include "wave/arrival/detector.h"

#include <math.h>

enum { POINTS = 128 }; /* of a path, in each cell */

struct case_of {
    int dims;
    bool slow;
    double share, sight; /* of walls; cells */
};

static const struct case_of cases[] = {
    { 2, false, .1, 3.5 }, { 2, false, .25, 3 },   { 2, false, .33, 4 },
    { 2, true, .2, 3 },    { 3, false, .3, 2.25 }, { 3, true, .15, 1.5 },
};

static void draw_map(const struct case_of *test, struct random *random,
                     struct terrain *terrain)
{
    const int side = test->dims == 2 ? 17 : 7;
    struct grid grid;
    struct error error;
    ck_assert(!grid_make(test->dims, side, side - 2, test->dims == 2 ? 1 : 6,
                         &grid, &error));
    ck_assert(!terrain_init(terrain, &grid, &error));
    if (test->slow)
        terrain->speed = memory_new(grid_cells(&grid), sizeof(double));
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        terrain->wall[i] = random_unit(random) < test->share;
        if (test->slow)
            terrain->speed[i] = i % (size_t)side > 8 ? .6 : 1;
    }
}

static size_t any_free(const struct terrain *terrain, struct random *random)
{
    size_t cell;
    do
        cell = random_below(random, grid_cells(&terrain->grid));
    while (terrain->wall[cell]);
    return cell;
}

static bool is_free(const struct terrain *terrain, const int cell[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    return grid_holds(grid, cell[0], cell[1], cell[2]) &&
           !terrain->wall[grid_index(grid, cell[0], cell[1], cell[2])];
}

/* ---- a wave that has passed ---- */

static double potential(const void *context, size_t cell, bool *settled)
{
    return detection_potential(context, cell, settled);
}

static struct detection *detect(const struct case_of *test,
                                const struct terrain *terrain, double p)
{
    static struct arrival_settings settings;
    static struct wave_settings waves;
    struct detection *detection;
    struct error error;
    settings = (struct arrival_settings){ .detector = detector_find("laplace"),
                                          .p = p,
                                          .eta = .3 };
    waves = (struct wave_settings){
        .count = 1,
        .delta = .25,
        .amplitude = 1,
        .walls = WALLS_FREE,
        .stencil = stencil_find(test->dims == 2 ? "5-point" : "7-point"),
        .flush_denormals = true,
    };
    const struct detection_options options = { .settings = &settings,
                                               .terrain = terrain,
                                               .amplitude = 1,
                                               .width = sizeof(float),
                                               .waves = &waves,
                                               .potential = true };
    ck_assert(!detection_new(&options, &detection, &error));
    return detection;
}

static struct detection *pass(const struct case_of *test,
                              const struct terrain *terrain, size_t source)
{
    struct detection *detection = detect(test, terrain, 1.5);
    detection_begin(detection, source, NULL);
    detection_take(detection, NULL, 0, NULL);
    for (int64_t age = 1; !detection_is_spent(detection); age++)
        detection_take(detection, NULL, age, NULL);
    return detection;
}

/* ---- nodes by brute force ---- */

struct node {
    double at[GRID_AXES];
    float potential;
    int edge; /* in 3D the axis of a corner's edge, on which it may move; or -1
               */
};

/* The cell's centre and the corners of walls in it. */
static int nodes_of(const struct trail *trail, size_t cell, struct node *nodes)
{
    const struct terrain *terrain = trail->terrain;
    const struct grid *grid = &terrain->grid;
    int centre[GRID_AXES], count = 0;
    grid_cell(grid, cell, centre);
    nodes[count++] = (struct node){ { centre[0], centre[1], centre[2] },
                                    trail_at(trail, trail->emitted, cell),
                                    -1 };
    for (int i = 0; i < 27; i++) { /* all that meet it across an edge */
        const int by[GRID_AXES] = { i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1 };
        int across[GRID_AXES], sides = 0;
        float sum = 0, beside = 0;
        bool good = (by[0] != 0) + (by[1] != 0) + (by[2] != 0) == 2 &&
                    (grid->dims == 3 || by[2] == 0);
        struct node node = nodes[0];
        for (int axis = 0; axis < GRID_AXES && good; axis++) {
            int next[GRID_AXES] = { centre[0], centre[1], centre[2] };
            across[axis] = centre[axis] + by[axis];
            next[axis] += by[axis];
            if (!by[axis]) {
                node.edge = grid->dims == 3 ? axis : -1;
                continue;
            }
            node.at[axis] += by[axis] * (.5 - NODE_CORNER);
            good = is_free(terrain, next);
            if (!good)
                break;
            beside = trail_at(trail, trail->emitted,
                              grid_index(grid, next[0], next[1], next[2]));
            good = !sides++ || beside != sum;
            sum += beside;
        }
        if (!good || is_free(terrain, across))
            continue;
        node.potential = sum / 2;
        nodes[count++] = node;
    }
    return count;
}

/* The speed half a cell behind a point of the path; outside the map that of the
 * cell where the path begins. */
static double speed_behind(const struct trail *trail, const double a[GRID_AXES],
                           const double b[GRID_AXES], double share)
{
    const struct terrain *terrain = trail->terrain;
    int cell[GRID_AXES] = { 0 }, own[GRID_AXES] = { 0 };
    double most = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        most = fmax(most, fabs(b[axis] - a[axis]));
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double step = b[axis] - a[axis];
        own[axis] = (int)floor(a[axis] + .5);
        cell[axis] =
            (int)floor(a[axis] + share * step -
                       (most > 0 ? trail->fall->behind * step / most : 0) + .5);
    }
    const int *at = is_free(terrain, cell) ? cell : own;
    return terrain->speed
               ? terrain->speed[grid_index(&terrain->grid, at[0], at[1], at[2])]
               : 1;
}

/* Does every point of the path keep the distance `clear` from walls? *slower:
 * see node_in_sight. */
static bool sees(const struct trail *trail, const double a[GRID_AXES],
                 const double b[GRID_AXES], double length, double clear,
                 double *slower)
{
    const struct terrain *terrain = trail->terrain;
    const int dims = terrain->grid.dims, points = 1 + (int)(POINTS * length);
    *slower = 0;
    for (int i = 0; i < points; i++)
        for (int corner = 0; corner < 1 << dims; corner++) {
            int cell[GRID_AXES] = { 0 };
            for (int axis = 0; axis < dims; axis++)
                cell[axis] = (int)floor(
                    a[axis] + (b[axis] - a[axis]) * (i + .5) / points +
                    (corner >> axis & 1 ? clear : -clear) + .5);
            if (!is_free(terrain, cell))
                return false;
        }
    for (int i = 0; i < points; i++)
        *slower += fall_at_speed(trail->fall,
                                 speed_behind(trail, a, b, (i + .5) / points));
    *slower /= points;
    return true;
}

static double distance(const double a[GRID_AXES], const double b[GRID_AXES])
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    return sqrt(square);
}

/* What the potential falls by along a straight path; infinite if it comes
 * nearer than `clear` to a wall. */
static double fall_between(const struct trail *trail, const double a[GRID_AXES],
                           const double b[GRID_AXES], double clear)
{
    double way[GRID_AXES], slower;
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = b[axis] - a[axis];
    return sees(trail, a, b, distance(a, b), clear, &slower)
               ? fall_along(trail->fall, way) * slower
               : INFINITY;
}

/* In sight for certain, and in sight or nearly. */
static const double SURE = 1.5 * NODE_CLEAR, NEARLY = 0;

/* All nodes of the map. */
struct nodes {
    const struct trail *trail;
    double sight;
    struct node *node;
    int count;
};

static void find_nodes(struct nodes *nodes)
{
    const struct trail *trail = nodes->trail;
    const size_t cells = grid_cells(&trail->terrain->grid);
    nodes->node = memory_new(cells * (NODE_CORNERS + 1), sizeof *nodes->node);
    ck_assert_ptr_nonnull(nodes->node);
    for (size_t i = 0; i < cells; i++)
        if (!trail->terrain->wall[i] &&
            trail_at(trail, trail->emitted, i) > -INFINITY)
            nodes->count += nodes_of(trail, i, nodes->node + nodes->count);
}

/* A node's potential − the fall to it, from a place whose own node has the
 * potential `over`; −∞ if it may not be chosen there. */
static double worth_of(const struct nodes *nodes, const double from[GRID_AXES],
                       float over, const struct node *node, double clear)
{
    if (!(node->potential > over) || distance(from, node->at) > nodes->sight)
        return -INFINITY;
    return node->potential - fall_between(nodes->trail, from, node->at, clear);
}

/* Does a heading point from one place to another? */
static bool points(const double from[GRID_AXES], const double to[GRID_AXES],
                   const double heading[GRID_AXES])
{
    double ahead = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        ahead += (to[axis] - from[axis]) * heading[axis];
    return ahead > distance(from, to) * (1 - 1e-12);
}

/* Does the heading point at the place on the node's edge from which the fall is
 * least, on to a node that may be chosen in its middle? */
static bool points_on_edge(const struct nodes *nodes,
                           const double from[GRID_AXES],
                           const struct node *node,
                           const double heading[GRID_AXES], double equal)
{
    double sure = -INFINITY;
    bool any = false, good = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < nodes->count && !good; i++) {
            const struct node *next = &nodes->node[i];
            double best = INFINITY, taken = INFINITY;
            if (distance(from, next->at) > nodes->sight)
                continue;
            if (pass == 0) {
                sure = fmax(sure, worth_of(nodes, node->at, node->potential,
                                           next, SURE));
                continue;
            }
            const double worth =
                worth_of(nodes, node->at, node->potential, next, NEARLY);
            if (worth == -INFINITY || worth < sure - equal)
                continue;
            any = true;
            for (int step = -8; step <= 8; step++) {
                double place[GRID_AXES];
                memcpy(place, node->at, sizeof place);
                place[node->edge] += step / 8. * (.5 - NODE_CORNER);
                best =
                    fmin(best,
                         fall_between(nodes->trail, from, place, SURE) +
                             fall_between(nodes->trail, place, next->at, SURE));
                if (points(from, place, heading))
                    taken = fmin(
                        taken, fall_between(nodes->trail, from, place, NEARLY) +
                                   fall_between(nodes->trail, place, next->at,
                                                NEARLY));
            }
            good = taken < INFINITY && taken <= best + equal;
        }
    return any ? good : points(from, node->at, heading);
}

START_TEST(the_heading_points_to_the_best_node_in_sight)
    {
        const struct case_of *test = &cases[_i];
        struct random random;
        struct terrain terrain;
        struct trail trail;
        struct error error;
        size_t compared = 0;
        random_seed(&random, (uint64_t)_i + 6);
        draw_map(test, &random, &terrain);
        const size_t source = any_free(&terrain, &random);
        const size_t cells = grid_cells(&terrain.grid);
        struct detection *detection = pass(test, &terrain, source);
        ck_assert(!trail_init(&trail, &terrain, potential, detection,
                              &detection->fall, &error));
        trail_begin(&trail, -1, 3);
        struct nodes nodes = { .trail = &trail, .sight = test->sight };
        const double equal = test->slow ? .05 : 1e-9;
        find_nodes(&nodes);
        for (size_t i = 0; i < cells; i++) {
            double heading[GRID_AXES];
            const bool found = node_heading(&trail, test->sight, i, heading);
            const bool came =
                !terrain.wall[i] && trail_at(&trail, 3, i) > -INFINITY;
            ck_assert_int_eq(found, came && i != source);
            if (!found)
                continue;
            struct node own[NODE_CORNERS + 1];
            double sure = -INFINITY, along = -INFINITY;
            nodes_of(&trail, i, own);
            for (int j = 0; j < nodes.count; j++)
                sure = fmax(sure, worth_of(&nodes, own->at, own->potential,
                                           &nodes.node[j], SURE));
            for (int j = 0; j < nodes.count; j++) {
                const struct node *node = &nodes.node[j];
                const double worth =
                    worth_of(&nodes, own->at, own->potential, node, NEARLY);
                if (worth > along && worth >= sure - equal &&
                    (node->edge < 0 ? points(own->at, node->at, heading)
                                    : points_on_edge(&nodes, own->at, node,
                                                     heading, equal)))
                    along = worth;
            }
            ck_assert_msg(along >= sure - equal, "cell %zu: %.9g, not %.9g", i,
                          along, sure);
            compared++;
        }
        ck_assert_uint_gt(compared, 80);
        memory_release(nodes.node);
        trail_release(&trail);
        detection_release(detection);
        terrain_release(&terrain);
    }
END_TEST

/* ---- the sieve ---- */

static bool sums(const void *context, struct detection_sums *of)
{
    const struct detection *detection = context;
    return detection->detector->sums(detection, of);
}

/* Off the centre of a free cell, inside the map. */
static void near_free(const struct terrain *terrain, struct random *random,
                      double at[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int cell[GRID_AXES];
    grid_cell(grid, any_free(terrain, random), cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = fmin(fmax(cell[axis] + .6 * random_unit(random) - .3, 0),
                        extent[axis] - 1);
}

/* Over a wave that still spreads, with agents that go to their nodes: a trail
 * with sums, cells with corners and kept potentials, against one without that
 * reads every potential again. */
START_TEST(the_sieve_leaves_out_no_node_that_would_be_chosen)
    {
        enum { AGENTS = 10 };
        /* By these the next node is little better than the one before. */
        static const double SLOW_P = .05, SHORT = 1.1;
        const struct case_of *test = &cases[_i];
        struct random random;
        struct terrain terrain;
        struct trail sieved, plain;
        struct error error;
        struct node_hold holds[AGENTS];
        double at[AGENTS][GRID_AXES];
        size_t chosen = 0, changed = 0;
        random_seed(&random, (uint64_t)_i + 60);
        draw_map(test, &random, &terrain);
        const struct grid *grid = &terrain.grid;
        const struct box all = grid_box(grid);
        uint8_t *cornered = memory_new(
            node_corner_row(grid) * (size_t)grid->ny * (size_t)grid->nz, 1);
        struct detection *detection = detect(test, &terrain, SLOW_P);
        ck_assert_ptr_nonnull(cornered);
        node_mark_corners(&terrain, &all, cornered);
        ck_assert(!trail_init(&sieved, &terrain, potential, detection,
                              &detection->fall, &error));
        ck_assert(!trail_init(&plain, &terrain, potential, detection,
                              &detection->fall, &error));
        sieved.sums = sums;
        sieved.cornered = cornered;
        sieved.mirror = plain.mirror = (unsigned)_i;
        for (int i = 0; i < AGENTS; i++) {
            near_free(&terrain, &random, at[i]);
            holds[i] = (struct node_hold){ .emitted = 3, .node = -1 };
        }
        detection_begin(detection, any_free(&terrain, &random), NULL);
        detection_take(detection, NULL, 0, NULL);
        trail_begin(&sieved, -1, 3);
        for (int64_t age = 1; !detection_is_spent(detection); age++) {
            detection_take(detection, NULL, age, NULL);
            trail_refresh(&sieved);
            for (int i = 0; i < AGENTS; i++) {
                const double sight = i % 2 ? SHORT : 3 * test->sight;
                struct node_hold hold = holds[i];
                trail_begin(&plain, -1, 3);
                const bool found = node_choose(&plain, sight, at[i], &hold);
                const int64_t held = holds[i].node;
                ck_assert_int_eq(node_choose(&sieved, sight, at[i], &holds[i]),
                                 found);
                ck_assert_int_eq(holds[i].node, hold.node);
                ck_assert_int_eq(holds[i].corner, hold.corner);
                chosen += found;
                changed += found && held != hold.node;
                if (found && random_below(&random, 2) == 0)
                    node_place(grid, hold.node, hold.corner, at[i]);
            }
        }
        ck_assert_uint_gt(chosen, 100);
        ck_assert_uint_gt(changed, AGENTS);
        memory_release(cornered);
        trail_release(&sieved);
        trail_release(&plain);
        detection_release(detection);
        terrain_release(&terrain);
    }
END_TEST

enum { PLACES = 400 };

/* The test of many positions at once finds those of the detector's own. */
static void check_by_terms(struct detection *detection,
                           double *const at[GRID_AXES], const bool *may)
{
    const struct reception_rules rules = {
        .terrain = detection->options.terrain,
        .wave = detection->options.waves,
        .arrival = { .settings = detection->options.settings },
    };
    const struct reception reception = { .rules = &rules,
                                         .detection = detection };
    static struct reception_nodes nodes[PLACES];
    int32_t who[PLACES], found[PLACES];
    size_t count = 0;
    for (int i = 0; i < PLACES; i++)
        who[i] = i;
    ck_assert(reception_weigh(&reception, at, PLACES, nodes));
    const size_t all =
        reception_find_by_terms(&reception, nodes, who, PLACES, found);
    for (int i = 0; i < PLACES; i++)
        if (may[i])
            ck_assert_int_eq(found[count++], i);
    ck_assert_uint_eq(count, all);
}

/* Where the detector's own test is false, a whole look finds no arrival. */
START_TEST(a_position_that_may_not_hold_does_not_hold)
    {
        const struct case_of *test = &cases[_i];
        struct random random;
        struct terrain terrain;
        double x[PLACES], y[PLACES], z[PLACES];
        double *const all[GRID_AXES] = { x, y, z };
        bool may[PLACES];
        size_t held = 0, out = 0;
        random_seed(&random, (uint64_t)_i + 90);
        draw_map(test, &random, &terrain);
        struct detection *detection = detect(test, &terrain, 1.5);
        const struct detector *detector = detection->detector;
        detection_begin(detection, any_free(&terrain, &random), NULL);
        detection_take(detection, NULL, 0, NULL);
        for (int64_t age = 1; age < 60; age++) {
            detection_take(detection, NULL, age, NULL);
            for (int i = 0; i < PLACES; i++) {
                double at[GRID_AXES];
                struct arrival_look look;
                near_free(&terrain, &random, at);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    all[axis][i] = at[axis];
                detection_look(detection, at, true, &look);
                const struct detector_sample sample = {
                    .now = look.now,
                    .amplitude = 1,
                    .age = age,
                    .sum = look.sum,
                };
                const bool holds =
                    detector->holds(detection->options.settings, &sample);
                may[i] = detector->may_hold(detection, at);
                ck_assert_msg(may[i] || !holds, "age %d", (int)age);
                held += holds;
                out += !may[i];
            }
            check_by_terms(detection, all, may);
        }
        ck_assert_uint_gt(held, 1000);
        ck_assert_uint_gt(out, 1000);
        detection_release(detection);
        terrain_release(&terrain);
    }
END_TEST

/* ---- two emissions ---- */

struct known {
    const double *of; /* (cells) */
};

static double known(const void *context, size_t cell, bool *settled)
{
    const struct known *known = context;
    *settled = true;
    return known->of[cell];
}

/* Towards the left end, then towards the right one in the cells at which that
 * wave arrived. */
START_TEST(the_heading_is_of_the_newest_emission_that_has_arrived)
    {
        enum { LONG = 12, COME = 7 };
        double left[LONG], right[LONG], heading[GRID_AXES];
        struct known now = { left };
        struct terrain terrain;
        struct trail trail;
        struct grid grid;
        struct error error;
        struct fall fall;
        for (int i = 0; i < LONG; i++) {
            left[i] = -i;
            right[i] = i < COME ? -INFINITY : i - LONG;
        }
        ck_assert(!grid_make(2, LONG, 1, 1, &grid, &error));
        ck_assert(!terrain_init(&terrain, &grid, &error));
        fall_of_time(1, &fall);
        ck_assert(!trail_init(&trail, &terrain, known, &now, &fall, &error));
        ck_assert(!node_heading(&trail, 2.5, 4, heading));
        trail_begin(&trail, -1, 0);
        ck_assert(node_heading(&trail, 2.5, LONG - 1, heading));
        ck_assert(heading[0] == -1);
        trail_keep(&trail, true);
        now.of = right;
        trail_begin(&trail, -1, 20);
        for (int i = 0; i < LONG; i++) {
            ck_assert_int_eq(node_heading(&trail, 2.5, (size_t)i, heading),
                             i != 0 && i != LONG - 1);
            if (i > 0 && i < LONG - 1)
                ck_assert(heading[0] == (i < COME ? -1 : 1));
            else
                ck_assert(heading[0] == 0 && heading[1] == 0);
        }
        trail_release(&trail);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_heading");
    TCase *tests = tcase_create("node_heading");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, the_heading_points_to_the_best_node_in_sight, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_loop_test(tests,
                        the_sieve_leaves_out_no_node_that_would_be_chosen, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_loop_test(tests, a_position_that_may_not_hold_does_not_hold, 0,
                        (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tests,
                   the_heading_is_of_the_newest_emission_that_has_arrived);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
