/* SPDX-License-Identifier: MIT */
#include "pursuit/node_walk.h"

#include "pursuit/motion.h"

#include <math.h>

/* ---- nodes ---- */

/* The two axes of a corner, and its side along each. */
struct corner {
    int axis[2], side[2];
};

static struct corner corner_of(int corner)
{
    static const int axes[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    const int pair = (corner - 1) / 4, sides = (corner - 1) % 4;
    return (
        struct corner){ .axis = { axes[pair][0], axes[pair][1] },
                        .side = { sides & 1 ? 1 : -1, sides & 2 ? 1 : -1 } };
}

void node_place(const struct grid *grid, int64_t cell, int corner,
                double at[GRID_AXES])
{
    int centre[GRID_AXES];
    grid_cell(grid, (size_t)cell, centre);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = centre[axis];
    if (!corner)
        return;
    const struct corner of = corner_of(corner);
    for (int i = 0; i < 2; i++)
        at[of.axis[i]] += of.side[i] * (.5 - NODE_CORNER);
}

static bool is_free(const struct terrain *terrain, const int cell[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    return grid_holds(grid, cell[0], cell[1], cell[2]) &&
           !terrain->wall[grid_index(grid, cell[0], cell[1], cell[2])];
}

/* Is the cell diagonally across the corner a wall, or slower than the cell and
 * the two cells adjacent to the corner? */
static bool stands_out(const struct terrain *terrain, size_t cell,
                       const int across[GRID_AXES], const size_t beside[2])
{
    const double *speed = terrain->speed;
    if (!is_free(terrain, across))
        return true;
    return speed &&
           speed[grid_index(&terrain->grid, across[0], across[1], across[2])] <
               fmin(speed[cell], fmin(speed[beside[0]], speed[beside[1]]));
}

/* A corner of a wall, or of an area of slower waves, exists if the cell
 * diagonally across is in it and the two adjacent cells are free, and not in
 * it. Returns its potential, or −∞ if there is no corner, or if the potentials
 * of the two are equal, since it might then be larger than every potential in
 * sight. */
static float corner_potential(const struct trail *trail, int64_t emitted,
                              const int cell[GRID_AXES], int which)
{
    const struct terrain *terrain = trail->terrain;
    const struct corner of = corner_of(which);
    const struct grid *grid = &terrain->grid;
    int across[GRID_AXES] = { cell[0], cell[1], cell[2] };
    size_t beside[2] = { 0 };
    for (int i = 0; i < 2; i++) {
        int next[GRID_AXES] = { cell[0], cell[1], cell[2] };
        across[of.axis[i]] += of.side[i];
        next[of.axis[i]] += of.side[i];
        if (!is_free(terrain, next))
            return -INFINITY;
        beside[i] = grid_index(grid, next[0], next[1], next[2]);
    }
    if (!stands_out(terrain, grid_index(grid, cell[0], cell[1], cell[2]),
                    across, beside))
        return -INFINITY;
    const float first = trail_at(trail, emitted, beside[0]);
    const float second = trail_at(trail, emitted, beside[1]);
    return first != second ? (first + second) / 2 : -INFINITY;
}

static float potential_of(const struct trail *trail, int64_t emitted,
                          int64_t node, int corner)
{
    int cell[GRID_AXES];
    grid_cell(&trail->terrain->grid, (size_t)node, cell);
    if (!is_free(trail->terrain, cell))
        return -INFINITY;
    return corner ? corner_potential(trail, emitted, cell, corner)
                  : trail_at(trail, emitted, (size_t)node);
}

/* ---- sight ---- */

/* A straight path, cell by cell (Amanatides and Woo 1987). */
struct way {
    const struct terrain *terrain;
    double from[GRID_AXES], step[GRID_AXES]; /* b − a */
    double next[GRID_AXES]; /* the fraction of the path at the next face */
    int cell[GRID_AXES], ahead[GRID_AXES];
    int axes;
};

/* At a face across `axis` the path is closer than NODE_CLEAR to some cells: are
 * they free, on both sides of the face? */
static bool keeps_clear(const struct way *way, int axis, double share)
{
    int near[GRID_AXES] = { 0 };
    for (int other = 0; other < way->axes; other++) {
        double off =
            way->from[other] + share * way->step[other] - way->cell[other];
        if (other != axis)
            near[other] = (off > .5 - NODE_CLEAR) - (off < NODE_CLEAR - .5);
    }
    for (int i = 0; i < 8; i++) { /* every combination of the two */
        int cell[GRID_AXES];
        bool other = true;
        for (int j = 0; j < GRID_AXES; j++) {
            bool over = i >> j & 1;
            cell[j] = way->cell[j];
            if (over)
                cell[j] += j == axis ? way->ahead[j] : near[j];
            other = other && (!over || j == axis || near[j]);
        }
        if (other && (i & ~(1 << axis)) && !is_free(way->terrain, cell))
            return false;
    }
    return true;
}

static struct way way_from(const struct terrain *terrain,
                           const double from[GRID_AXES],
                           const double step[GRID_AXES])
{
    struct way way = { .terrain = terrain, .axes = grid_axes(&terrain->grid) };
    for (int axis = 0; axis < way.axes; axis++) {
        way.from[axis] = from[axis];
        way.step[axis] = step[axis];
        way.cell[axis] = (int)floor(from[axis] + .5);
        way.ahead[axis] = (step[axis] > 0) - (step[axis] < 0);
        way.next[axis] =
            way.ahead[axis]
                ? (way.cell[axis] + .5 * way.ahead[axis] - from[axis]) /
                      step[axis]
                : INFINITY;
    }
    return way;
}

/* The axis of the face through which the path leaves its cell. */
static int way_out(const struct way *way)
{
    int axis = way->next[1] < way->next[0];
    return way->axes == 3 && way->next[2] < way->next[axis] ? 2 : axis;
}

static void way_go(struct way *way, int axis)
{
    way->cell[axis] += way->ahead[axis];
    way->next[axis] =
        (way->cell[axis] + .5 * way->ahead[axis] - way->from[axis]) /
        way->step[axis];
}

/* The mean along the path of the potential's fall at the cells' speeds. Between
 * a cell and the next one towards the source the potential grows by the first
 * cell's speed (fall.h, `behind`), so the path is sampled half a cell back. */
static double slower_along(const struct trail *trail, const double a[GRID_AXES],
                           const double step[GRID_AXES])
{
    const struct terrain *terrain = trail->terrain;
    const double most = fmax(fabs(step[0]), fmax(fabs(step[1]), fabs(step[2])));
    double from[GRID_AXES] = { 0 }, slower = 0, done = 0, last = 1, ratio = 1;
    int own[GRID_AXES] = { 0 };
    if (most == 0)
        return 1;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        from[axis] = a[axis] - trail->fall->behind * step[axis] / most;
        own[axis] = (int)floor(a[axis] + .5);
    }
    for (struct way way = way_from(terrain, from, step);;) {
        const int axis = way_out(&way);
        const double end = fmin(way.next[axis], 1);
        const int *cell = is_free(terrain, way.cell) ? way.cell : own;
        const double speed =
            terrain
                ->speed[grid_index(&terrain->grid, cell[0], cell[1], cell[2])];
        if (speed != last) {
            last = speed;
            ratio = fall_at_speed(trail->fall, speed);
        }
        slower += (end - done) * ratio;
        done = end;
        if (end == 1)
            return slower;
        way_go(&way, axis);
    }
}

bool node_in_sight(const struct trail *trail, const double a[GRID_AXES],
                   const double b[GRID_AXES], double *slower)
{
    const struct terrain *terrain = trail->terrain;
    double step[GRID_AXES] = { 0 };
    for (int axis = 0; axis < GRID_AXES; axis++)
        step[axis] = b[axis] - a[axis];
    for (struct way way = way_from(terrain, a, step);;) {
        const int axis = way_out(&way);
        const double share = way.next[axis];
        if (!(share < 1))
            break;
        if (!keeps_clear(&way, axis, share))
            return false;
        way_go(&way, axis);
        if (!is_free(terrain, way.cell))
            return false;
    }
    *slower = terrain->speed ? slower_along(trail, a, step) : 1;
    return true;
}

/* ---- the choice ---- */

struct choice {
    const struct trail *trail;
    const double *at;
    int64_t emitted;
    double sight; /* R */
    float held;   /* the held node's potential */
    double worth; /* of the best node so far: potential − fall */
    int64_t node;
    int corner;
};

/* Takes the node if it is in sight and its worth is the largest so far. */
static void weigh(struct choice *choice, float potential, int64_t node,
                  int corner, const double place[GRID_AXES])
{
    double way[GRID_AXES], square = 0, slower;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        way[axis] = place[axis] - choice->at[axis];
        square += way[axis] * way[axis];
    }
    if (square > choice->sight * choice->sight)
        return;
    double fall = fall_along(choice->trail->fall, way);
    if (!choice->trail->terrain->speed && !(potential - fall > choice->worth))
        return;
    if (!node_in_sight(choice->trail, choice->at, place, &slower))
        return;
    double worth = potential - fall * slower;
    if (!(worth > choice->worth))
        return;
    choice->worth = worth;
    choice->node = node;
    choice->corner = corner;
}

/* May a cell have corner nodes? Away from walls it has none, and four bytes
 * (twelve in 3D) decide that for most cells. */
static bool has_wall_across(const struct terrain *terrain,
                            const int cell[GRID_AXES], size_t index)
{
    const struct grid *grid = &terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < grid_axes(grid); axis++)
        if (cell[axis] == 0 || cell[axis] == extent[axis] - 1)
            return true;
    const ptrdiff_t step[GRID_AXES] = { 1, grid->nx,
                                        (ptrdiff_t)grid->nx * grid->ny };
    const uint8_t *wall = terrain->wall + index;
    unsigned walls = 0;
    for (int a = 0; a < grid_axes(grid); a++)
        for (int b = a + 1; b < grid_axes(grid); b++)
            walls |= wall[step[a] + step[b]] | wall[step[a] - step[b]] |
                     wall[step[b] - step[a]] | wall[-step[a] - step[b]];
    return walls;
}

/* The i-th of a cell's corners, mirrored along the axes in `mirror`. */
static int mirrored_corner(int i, unsigned mirror)
{
    const struct corner of = corner_of(1 + i);
    const unsigned first = mirror >> of.axis[0] & 1;
    const unsigned second = mirror >> of.axis[1] & 1;
    return 1 + (i ^ (int)(first | second << 1));
}

static void weigh_corners(struct choice *choice, const int cell[GRID_AXES],
                          int64_t node)
{
    const struct terrain *terrain = choice->trail->terrain;
    const int corners = grid_axes(&terrain->grid) == 3 ? NODE_CORNERS : 4;
    if (!terrain->speed && !has_wall_across(terrain, cell, (size_t)node))
        return;
    for (int i = 0; i < corners; i++) {
        const int corner = mirrored_corner(i, choice->trail->mirror);
        float potential =
            corner_potential(choice->trail, choice->emitted, cell, corner);
        double place[GRID_AXES];
        if (!(potential > choice->held) || !(potential > choice->worth))
            continue;
        node_place(&terrain->grid, node, corner, place);
        weigh(choice, potential, node, corner, place);
    }
}

static void weigh_cell(struct choice *choice, int x, int y, int z)
{
    const struct terrain *terrain = choice->trail->terrain;
    const size_t cell = grid_index(&terrain->grid, x, y, z);
    const int place[GRID_AXES] = { x, y, z };
    const double centre[GRID_AXES] = { x, y, z };
    if (terrain->wall[cell])
        return;
    float potential = trail_at(choice->trail, choice->emitted, cell);
    if (potential > choice->held && potential > choice->worth)
        weigh(choice, potential, (int64_t)cell, 0, centre);
    weigh_corners(choice, place, (int64_t)cell);
}

/* The held node is the first candidate, if it is still in sight. An agent at
 * the held node takes any node with a larger potential, because the potential
 * to the next cell may grow by less than the fall along the path there. */
static void weigh_held(struct choice *choice, const struct node_hold *hold)
{
    const struct trail *trail = choice->trail;
    double place[GRID_AXES];
    float held = potential_of(trail, hold->emitted, hold->node, hold->corner);
    node_place(&trail->terrain->grid, hold->node, hold->corner, place);
    if (!(held > -INFINITY))
        return;
    weigh(choice, held, hold->node, hold->corner, place);
    if (choice->node < 0)
        return;
    choice->held = held;
    if (motion_distance(choice->at, place) <= MOTION_NEAR)
        choice->worth = -INFINITY;
}

bool node_choose(const struct trail *trail, double sight,
                 const double at[GRID_AXES], struct node_hold *hold)
{
    const struct grid *grid = &trail->terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    struct choice choice = { .trail = trail,
                             .at = at,
                             .emitted = hold->emitted,
                             .sight = INFINITY, /* of the held node */
                             .held = -INFINITY,
                             .worth = -INFINITY,
                             .node = -1 };
    int low[GRID_AXES] = { 0 }, high[GRID_AXES] = { 0 };
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        low[axis] = (int)fmax(0, ceil(at[axis] - sight));
        high[axis] = (int)fmin(extent[axis] - 1, floor(at[axis] + sight));
    }
    if (hold->node >= 0)
        weigh_held(&choice, hold);
    choice.sight = sight;
    int first[GRID_AXES], step[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const bool down = trail->mirror >> axis & 1;
        first[axis] = down ? high[axis] : low[axis];
        step[axis] = down ? -1 : 1;
    }
    for (int z = 0; z <= high[2] - low[2]; z++)
        for (int y = 0; y <= high[1] - low[1]; y++)
            for (int x = 0; x <= high[0] - low[0]; x++)
                weigh_cell(&choice, first[0] + step[0] * x,
                           first[1] + step[1] * y, first[2] + step[2] * z);
    hold->node = choice.node;
    hold->corner = choice.corner;
    return choice.node >= 0;
}
