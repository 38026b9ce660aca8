/* SPDX-License-Identifier: MIT */
#include "pursuit/node_walk.h"

#include "base/bits.h"
#include "base/clones.h"
#include "pursuit/motion.h"

#include <math.h>
#include <string.h>

/* ---- nodes ---- */

/* The two axes of a corner, or the one of a face, and its side along each; the
 * axis of its edge, or along the face, and the node's place on it: cells from
 * the middle. */
struct corner {
    int axes, axis[2], side[2];
    int edge;
    double place;
};

/* How many numbers there are for each place on an edge or face. */
static int numbers_of(int corner)
{
    return corner < NODE_FACE ? NODE_CORNERS : NODE_FACES;
}

static struct corner corner_of(int corner)
{
    static const int axes[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 } };
    const int number = corner - (corner < NODE_FACE ? 1 : NODE_FACE);
    const int which = number % numbers_of(corner), pair = which / 4;
    const int place = number / numbers_of(corner); /* 0, 1, -1, 2, -2, ... */
    const int steps = place % 2 ? (place + 1) / 2 : -place / 2;
    if (corner >= NODE_FACE)
        return (struct corner){ .axes = 1,
                                .axis = { which / 2 },
                                .side = { which & 1 ? 1 : -1 },
                                .edge = !(which / 2),
                                .place = steps * NODE_APART };
    return (struct corner){ .axes = 2,
                            .axis = { axes[pair][0], axes[pair][1] },
                            .side = { which & 1 ? 1 : -1, which & 2 ? 1 : -1 },
                            .edge = 2 - pair,
                            .place = steps * NODE_APART };
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
    for (int i = 0; i < of.axes; i++)
        at[of.axis[i]] += of.side[i] * (.5 - NODE_CORNER);
    at[of.edge] += of.place;
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

/* A face has a node if the cell beyond it, `over`, is free and slower. */
static bool face_exists(const struct terrain *terrain,
                        const int cell[GRID_AXES], const struct corner *of,
                        size_t *over)
{
    const struct grid *grid = &terrain->grid;
    int next[GRID_AXES] = { cell[0], cell[1], cell[2] };
    next[of->axis[0]] += of->side[0];
    if (!terrain->speed || !is_free(terrain, next))
        return false;
    *over = grid_index(grid, next[0], next[1], next[2]);
    return terrain->speed[*over] <
           terrain->speed[grid_index(grid, cell[0], cell[1], cell[2])];
}

/* A corner of a wall, or of an area of slower waves, exists if the cell
 * diagonally across is in it and the two adjacent cells, `beside`, are free,
 * and not in it. */
static bool corner_exists(const struct terrain *terrain,
                          const int cell[GRID_AXES], int which,
                          size_t beside[2])
{
    const struct corner of = corner_of(which);
    const struct grid *grid = &terrain->grid;
    int across[GRID_AXES] = { cell[0], cell[1], cell[2] };
    for (int i = 0; i < 2; i++)
        across[of.axis[i]] += of.side[i];
    if (!terrain->speed && is_free(terrain, across)) /* as most often */
        return false;
    for (int i = 0; i < 2; i++) {
        int next[GRID_AXES] = { cell[0], cell[1], cell[2] };
        next[of.axis[i]] += of.side[i];
        if (!is_free(terrain, next))
            return false;
        beside[i] = grid_index(grid, next[0], next[1], next[2]);
    }
    return stands_out(terrain, grid_index(grid, cell[0], cell[1], cell[2]),
                      across, beside);
}

/* The largest potential of a cell's neighbours along a face. */
static float most_along(const struct trail *trail, int64_t emitted,
                        const int cell[GRID_AXES], int axis)
{
    const struct terrain *terrain = trail->terrain;
    float most = -INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        int next[GRID_AXES] = { cell[0], cell[1], cell[2] };
        next[axis] += side;
        if (is_free(terrain, next))
            most = fmaxf(most, trail_at(trail, emitted,
                                        grid_index(&terrain->grid, next[0],
                                                   next[1], next[2])));
    }
    return most;
}

/* By how much the potential grows from a cell to its face, by half of what it
 * grows from the cell before it; 0 if that is slower, too. */
static double growth_to_face(const struct trail *trail, int64_t emitted,
                             const int cell[GRID_AXES], const struct corner *of,
                             float here)
{
    const struct terrain *terrain = trail->terrain;
    const struct grid *grid = &terrain->grid;
    int back[GRID_AXES] = { cell[0], cell[1], cell[2] };
    back[of->axis[0]] -= of->side[0];
    if (!is_free(terrain, back))
        return 0;
    const size_t before = grid_index(grid, back[0], back[1], back[2]);
    const float there = trail_at(trail, emitted, before);
    const bool slower =
        terrain->speed[before] <
        terrain->speed[grid_index(grid, cell[0], cell[1], cell[2])];
    return slower || !(there > -INFINITY) ? 0 : (double)(here - there) / 2;
}

/* The potential of a face: the cell's, continued, but not farther from those on
 * both sides than half a cell's fall. −∞ if there is no such node, or if no
 * centre beside it has a larger potential: a node in sight must have (within
 * NODE_FACE_SIGHT). */
static float face_potential(const struct trail *trail, int64_t emitted,
                            const int cell[GRID_AXES], int which)
{
    static const double HALF[GRID_AXES] = { .5 };
    const struct terrain *terrain = trail->terrain;
    const struct corner of = corner_of(which);
    const size_t own = grid_index(&terrain->grid, cell[0], cell[1], cell[2]);
    size_t over;
    if (!trail->fall->borders || !face_exists(terrain, cell, &of, &over))
        return -INFINITY;
    const float here = trail_at(trail, emitted, own);
    const float there = trail_at(trail, emitted, over);
    if (!(here > -INFINITY) || !(there > -INFINITY))
        return -INFINITY;
    const double half = fall_along(trail->fall, HALF);
    const double fall = half * fall_at_speed(trail->fall, terrain->speed[own]);
    const double slow = half * fall_at_speed(trail->fall, terrain->speed[over]);
    double potential = here + growth_to_face(trail, emitted, cell, &of, here);
    potential = fmin(potential, fmin(here + fall, there + slow));
    potential = fmax(potential, fmax(here - fall, there - slow));
    const float most =
        fmaxf(most_along(trail, emitted, cell, of.edge), fmaxf(here, there));
    return (float)potential < most ? (float)potential : -INFINITY;
}

/* The potential of a corner or face, or −∞ if there is none, or if the
 * potentials of the two cells beside a corner are equal, since it might then be
 * larger than every potential in sight. */
static float corner_potential(const struct trail *trail, int64_t emitted,
                              const int cell[GRID_AXES], int which)
{
    size_t beside[2];
    if (which >= NODE_FACE)
        return face_potential(trail, emitted, cell, which);
    if (!corner_exists(trail->terrain, cell, which, beside))
        return -INFINITY;
    const float first = trail_at(trail, emitted, beside[0]);
    const float second = trail_at(trail, emitted, beside[1]);
    return first != second ? (first + second) / 2 : -INFINITY;
}

/* The corners of a cell, and the faces in 2D. */
static int corners_most(const struct grid *grid)
{
    return grid_axes(grid) == 3 ? NODE_CORNERS : 4 + NODE_FACES;
}

/* The i-th of them, mirrored along the axes in `mirror`. */
static int mirrored_corner(const struct grid *grid, int i, unsigned mirror)
{
    const int corners = grid_axes(grid) == 3 ? NODE_CORNERS : 4;
    const int first = i < corners ? 1 : NODE_FACE;
    const int which = i < corners ? i : i - corners;
    const struct corner of = corner_of(first + which);
    int sides = 0;
    for (int axis = 0; axis < of.axes; axis++)
        sides |= (int)(mirror >> of.axis[axis] & 1) << axis;
    return first + (which ^ sides);
}

size_t node_corner_row(const struct grid *grid)
{
    return ((size_t)grid->nx + 31) / 8;
}

static bool has_corner(const struct terrain *terrain, const int cell[GRID_AXES],
                       int which)
{
    const struct corner of = corner_of(which);
    size_t beside[2];
    return which < NODE_FACE ? corner_exists(terrain, cell, which, beside)
                             : face_exists(terrain, cell, &of, beside);
}

void node_mark_corners(const struct terrain *terrain, const struct box *box,
                       uint8_t *cornered)
{
    const struct grid *grid = &terrain->grid;
    const struct box all = grid_box(grid);
    struct box near = *box;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        near.low[axis] -= near.low[axis] > all.low[axis];
        near.high[axis] += near.high[axis] < all.high[axis];
    }
    for (int z = near.low[2]; z <= near.high[2]; z++)
        for (int y = near.low[1]; y <= near.high[1]; y++)
            for (int x = near.low[0]; x <= near.high[0]; x++) {
                const int cell[GRID_AXES] = { x, y, z };
                uint8_t *row =
                    cornered + node_corner_row(grid) *
                                   ((size_t)z * (size_t)grid->ny + (size_t)y);
                bool any = false;
                for (int i = 0; i < corners_most(grid) && !any; i++)
                    any =
                        is_free(terrain, cell) &&
                        has_corner(terrain, cell, mirrored_corner(grid, i, 0));
                bit_set(row, x, any);
            }
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
    int near[GRID_AXES] = { 0 }, any = 0;
    for (int other = 0; other < way->axes; other++) {
        double off =
            way->from[other] + share * way->step[other] - way->cell[other];
        if (other != axis)
            near[other] = (off > .5 - NODE_CLEAR) - (off < NODE_CLEAR - .5);
        any |= near[other];
    }
    if (!any) /* the caller looks at the cell ahead */
        return true;
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
    double sight;       /* R */
    const double *also; /* the node is within R of this place, too; or NULL */
    float held;         /* the held node's potential */
    double worth;       /* of the best node so far: potential − fall */
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
    if (choice->also && motion_distance(choice->also, place) > choice->sight)
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

static void weigh_corners(struct choice *choice, const int cell[GRID_AXES],
                          int64_t node)
{
    const struct terrain *terrain = choice->trail->terrain;
    const int corners = corners_most(&terrain->grid);
    if (!choice->trail->cornered && !terrain->speed &&
        !has_wall_across(terrain, cell, (size_t)node))
        return;
    for (int i = 0; i < corners; i++) {
        const int corner =
            mirrored_corner(&terrain->grid, i, choice->trail->mirror);
        if (corner >= NODE_FACE && choice->sight < NODE_FACE_SIGHT)
            continue;
        float potential =
            corner_potential(choice->trail, choice->emitted, cell, corner);
        double place[GRID_AXES];
        if (!(potential > choice->held) || !(potential > choice->worth))
            continue;
        node_place(&terrain->grid, node, corner, place);
        weigh(choice, potential, node, corner, place);
    }
}

static void weigh_centre(struct choice *choice, const int at[GRID_AXES],
                         int64_t node)
{
    const struct trail *trail = choice->trail;
    const double centre[GRID_AXES] = { at[0], at[1], at[2] };
    if (trail->terrain->wall[node])
        return;
    float potential = trail_at(trail, choice->emitted, (size_t)node);
    if (potential > choice->held && potential > choice->worth)
        weigh(choice, potential, node, 0, centre);
}

/* ---- which cells of the square are weighed ---- */

/* A square of cells is cut into strips that are SIEVE_CELLS wide, and these
 * into bands of rows with up to SIEVE_MASKS words of bits in all. */
enum { SIEVE_CELLS = TRAIL_SLACK, SIEVE_MASKS = 512 };

/* A cell is weighed only if its potential is over that of the held node, and
 * its worth can be over the largest so far: its potential − the least fall to
 * it, `steep` times the distance, is an upper bound of that. `least` and
 * `worth_open` are these bounds for the logarithm's argument and logarithm of
 * sums, for cells whose potential is neither kept nor final. */
struct sieve {
    const float *kept;
    ptrdiff_t kept_row;
    struct detection_sums sums; /* if there are none, no cell is open */
    float held, least, worth, worth_open;
    float sight_square, steep_square;
};

/* A positive sum's logarithm to .01, and of sums that are not normal numbers
 * one that is too large: exponent, and a parabola for the rest. */
static inline float log_about(float sum)
{
    uint32_t bits;
    float part;
    memcpy(&bits, &sum, sizeof bits);
    const float exponent = (float)(int32_t)(bits >> 23) - 128;
    bits = (bits & 0x7fffff) | 0x3f800000;
    memcpy(&part, &bits, sizeof part);
    return 0.693147f * (exponent + ((-1.f / 3) * part + 2) * part - 2.f / 3);
}

/* Where a strip lies: its first cell among what is kept, and among the sums;
 * and relative to the agent. */
struct strip {
    ptrdiff_t cell, item;
    float x, y, z;
};

/* A bit a cell, of `rows` rows of a strip. No branch, so that it is vectorised;
 * a potential that is not kept is NaN. */
VECTOR_CLONES static void sift(const struct sieve *sieve,
                               const struct strip *strip, int rows,
                               uint16_t *mask)
{
    static const uint32_t bit[SIEVE_CELLS] = {
        1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,
        1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10, 1u << 11,
        1u << 12, 1u << 13, 1u << 14, 1u << 15,
    };
    const float held = sieve->held, worth = sieve->worth;
    const float least = sieve->least, worth_open = sieve->worth_open;
    const float growth = sieve->sums.growth, owes = sieve->sums.owes;
    const float far = sieve->sight_square, steep = sieve->steep_square;
    for (int i = 0; i < rows; i++) {
        const float *kept = sieve->kept + strip->cell + i * sieve->kept_row;
        const float *sum = sieve->sums.sum + strip->item + i * sieve->sums.row;
        const float *z = sieve->sums.z + strip->item + i * sieve->sums.row;
        const uint16_t *closed =
            sieve->sums.closed + strip->item + i * sieve->sums.row;
        const float y = strip->y + (float)i;
        const float across = y * y + strip->z * strip->z;
        uint32_t low = 0;
        for (int x = 0; x < SIEVE_CELLS; x++) {
            const float along = strip->x + (float)x;
            const float square = along * along + across;
            const float fall = steep * square;
            const float over = kept[x] - worth;
            const float now = sum[x] * growth + owes * z[x];
            const float over_open = log_about(now) - worth_open;
            const uint32_t away = square > far ? bit[x] : 0;
            const uint32_t under = kept[x] <= held ? bit[x] : 0;
            const uint32_t worse = over * fabsf(over) <= fall ? bit[x] : 0;
            const uint32_t open = closed[x] == 0 ? bit[x] : 0;
            const uint32_t faint = now <= least ? bit[x] : 0;
            const uint32_t fainter =
                over_open * fabsf(over_open) <= fall ? bit[x] : 0;
            low |= away | under | worse | ((faint | fainter) & open);
        }
        mask[i] = (uint16_t)~low;
    }
}

/* `potential`, lowered by more than what potentials and sums are rounded by. */
static double lowered(double potential)
{
    return potential - 1e-3 - 1e-6 * fabs(potential);
}

/* A sum below the precision counts as 0, and one that is larger than needed is
 * cut off, which lets more cells pass. */
static struct sieve sieve_of(const struct choice *choice)
{
    static const float none[SIEVE_CELLS];
    static const uint16_t no_open[] = { 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1 };
    static const double MOST = 80; /* e^80 is in single precision */
    static const double ABOUT = .02;
    const struct trail *trail = choice->trail;
    const bool newest = choice->emitted == trail->emitted;
    const double held = lowered(choice->held), worth = lowered(choice->worth);
    const double steep = trail->terrain->speed ? 0 : trail->steep;
    const double far = choice->sight * (1 + 1e-6) + 1e-3;
    struct sieve sieve = {
        .kept = newest ? trail->now : trail->before,
        .kept_row = trail->terrain->grid.nx,
        .sums = { .sum = none, .z = none, .closed = no_open },
        .held = (float)fmax(held, worth),
        .worth = (float)worth,
        .sight_square = (float)(far * far),
        .steep_square = (float)(steep * steep),
    };
    if (newest && trail->sums && trail->sums(trail->context, &sieve.sums)) {
        const double log = fmax(held, worth) + sieve.sums.unit;
        sieve.least = log > -MOST ? (float)exp(fmin(log, MOST)) : 0;
        sieve.worth_open = (float)(worth + sieve.sums.unit - ABOUT);
    }
    return sieve;
}

/* The square of cells that the agent looks at. */
struct square {
    int low[GRID_AXES], high[GRID_AXES];
    int strips; /* along x */
};

static void sift_band(const struct choice *choice, const struct square *square,
                      int y, int z, int rows, uint16_t *mask)
{
    const struct sieve sieve = sieve_of(choice);
    const struct grid *grid = &choice->trail->terrain->grid;
    for (int strip = 0; strip < square->strips; strip++) {
        const int x = square->low[0] + strip * SIEVE_CELLS;
        const struct strip place = {
            .cell = (ptrdiff_t)grid_index(grid, x, y, z),
            .item = sieve.sums.row
                        ? x + y * sieve.sums.row + z * sieve.sums.layer
                        : 0,
            .x = (float)(x - choice->at[0]),
            .y = (float)(y - choice->at[1]),
            .z = (float)(z - choice->at[2]),
        };
        sift(&sieve, &place, rows, &mask[strip * rows]);
    }
}

/* Of SIEVE_CELLS cells of a row, those that may have corners. */
static uint32_t corners_of(const struct trail *trail, int x, int y, int z)
{
    const struct grid *grid = &trail->terrain->grid;
    uint32_t word;
    if (!trail->cornered)
        return UINT16_MAX;
    memcpy(&word,
           trail->cornered +
               node_corner_row(grid) *
                   ((size_t)z * (size_t)grid->ny + (size_t)y) +
               x / 8,
           sizeof word);
    return word >> x % 8 & UINT16_MAX;
}

/* The cells of a strip's row, in order. */
static void weigh_strip(struct choice *choice, const struct square *square,
                        int strip, int y, int z, uint32_t mask)
{
    const struct trail *trail = choice->trail;
    const bool down = trail->mirror & 1;
    const int x = square->low[0] + strip * SIEVE_CELLS;
    const int left = square->high[0] - x + 1;
    const uint32_t inside = left < SIEVE_CELLS ? (1u << left) - 1 : UINT16_MAX;
    const uint32_t corners = corners_of(trail, x, y, z) & inside;
    for (uint32_t rest = (mask & inside) | corners; rest;) {
        const int i = down ? 31 - __builtin_clz(rest) : __builtin_ctz(rest);
        const int at[GRID_AXES] = { x + i, y, z };
        const size_t cell =
            grid_index(&trail->terrain->grid, at[0], at[1], at[2]);
        rest &= ~(1u << i);
        if (trail->terrain->wall[cell])
            continue;
        if (mask >> i & 1)
            weigh_centre(choice, at, (int64_t)cell);
        if (corners >> i & 1)
            weigh_corners(choice, at, (int64_t)cell);
    }
}

static void weigh_layer(struct choice *choice, const struct square *square,
                        int z)
{
    const unsigned mirror = choice->trail->mirror;
    const int most = SIEVE_MASKS / square->strips;
    const int height = square->high[1] - square->low[1] + 1;
    uint16_t mask[SIEVE_MASKS];
    for (int done = 0, rows; done < height; done += rows) {
        rows = height - done < most ? height - done : most;
        const int y = mirror >> 1 & 1 ? square->high[1] - done - rows + 1
                                      : square->low[1] + done;
        sift_band(choice, square, y, z, rows, mask);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < square->strips; j++) {
                const int row = mirror >> 1 & 1 ? rows - 1 - i : i;
                const int strip = mirror & 1 ? square->strips - 1 - j : j;
                weigh_strip(choice, square, strip, y + row, z,
                            mask[strip * rows + row]);
            }
    }
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

static void weigh_all(struct choice *choice)
{
    const struct grid *grid = &choice->trail->terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    const bool down = choice->trail->mirror >> 2 & 1;
    const double *also = choice->also ? choice->also : choice->at;
    struct square square = { .strips = 1 };
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        const double from = fmax(choice->at[axis], also[axis]) - choice->sight;
        const double to = fmin(choice->at[axis], also[axis]) + choice->sight;
        square.low[axis] = from > 0 ? (int)ceil(from) : 0;
        square.high[axis] = to < extent[axis] - 1 ? (int)to : extent[axis] - 1;
    }
    square.strips = (square.high[0] - square.low[0]) / SIEVE_CELLS + 1;
    for (int i = square.low[2]; i <= square.high[2]; i++)
        weigh_layer(choice, &square,
                    down ? square.high[2] + square.low[2] - i : i);
}

/* ---- the place on an edge or a face ---- */

/* The fall along a straight path; infinite if it is not in sight. */
static double fall_between(const struct trail *trail, const double a[GRID_AXES],
                           const double b[GRID_AXES])
{
    double way[GRID_AXES], slower;
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = b[axis] - a[axis];
    return node_in_sight(trail, a, b, &slower)
               ? fall_along(trail->fall, way) * slower
               : INFINITY;
}

/* The node that would be chosen in the middle of the chosen node's edge or
 * face, of those that are within R of the agent, too. False: there is none. */
static bool look_ahead(const struct choice *choice, double next[GRID_AXES])
{
    const struct trail *trail = choice->trail;
    const struct grid *grid = &trail->terrain->grid;
    double middle[GRID_AXES];
    node_place(grid, choice->node, choice->corner, middle);
    struct choice ahead = { .trail = trail,
                            .at = middle,
                            .emitted = choice->emitted,
                            .sight = choice->sight,
                            .also = choice->at,
                            .held = potential_of(trail, choice->emitted,
                                                 choice->node, choice->corner),
                            .worth = -INFINITY,
                            .node = -1 };
    weigh_all(&ahead);
    if (ahead.node >= 0)
        node_place(grid, ahead.node, ahead.corner, next);
    return ahead.node >= 0;
}

/* Moves the chosen node along its edge or face, from the middle to where the
 * fall is least from the agent over it to the next node. */
static void place_on_edge(struct choice *choice)
{
    const struct trail *trail = choice->trail;
    const int middle = choice->corner;
    const unsigned mirror = trail->mirror >> corner_of(middle).edge & 1;
    double next[GRID_AXES], place[GRID_AXES], least = INFINITY;
    if (!look_ahead(choice, next))
        return;
    for (unsigned i = 0; i < NODE_PLACES; i++) {
        const unsigned mirrored = i ? ((i - 1) ^ mirror) + 1 : 0;
        const int corner = middle + numbers_of(middle) * (int)mirrored;
        node_place(&trail->terrain->grid, choice->node, corner, place);
        const double fall = fall_between(trail, choice->at, place) +
                            fall_between(trail, place, next);
        if (fall < least) {
            least = fall;
            choice->corner = corner;
        }
    }
}

bool node_choose(const struct trail *trail, double sight,
                 const double at[GRID_AXES], struct node_hold *hold)
{
    struct choice choice = { .trail = trail,
                             .at = at,
                             .emitted = hold->emitted,
                             .sight = INFINITY, /* of the held node */
                             .held = -INFINITY,
                             .worth = -INFINITY,
                             .node = -1 };
    if (hold->node >= 0)
        weigh_held(&choice, hold);
    choice.sight = sight;
    weigh_all(&choice);
    if (choice.corner &&
        corner_of(choice.corner).edge < grid_axes(&trail->terrain->grid) &&
        (choice.node != hold->node || choice.corner != hold->corner))
        place_on_edge(&choice);
    hold->node = choice.node;
    hold->corner = choice.corner;
    return choice.node >= 0;
}
