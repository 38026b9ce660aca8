/* SPDX-License-Identifier: MIT */
#include "draw/figure/surface.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The corners of a cube are numbered by bits: bit k is its side on axis k. Each
 * tetrahedron goes from corner 0 to 7 along the axes in one of six orders. */
enum { CORNERS = 8, TETRAHEDRA = 6, EDGES = 7 };
static const int tetrahedra[TETRAHEDRA][4] = {
    { 0, 1, 3, 7 }, { 0, 1, 5, 7 }, { 0, 2, 3, 7 },
    { 0, 2, 6, 7 }, { 0, 4, 5, 7 }, { 0, 4, 6, 7 },
};

static const size_t none = SIZE_MAX;

/* The search, from plane of cubes to plane. Cells next to the box count as
 * outside the surface. */
struct search {
    struct surface *surface;
    const struct solid_field *field;
    const struct box *region, *box;
    int nx, ny; /* of the box and the cells next to it */
    /* The corner on each edge that begins in the plane of cells at the cube's
     * lower side, and at its upper one: (ny, nx, EDGES). An edge goes from a
     * corner to one with more bits; its number is these bits, less 1. */
    size_t *edges[2];
};

/* How far beyond the level the cell's value is; NaN: it has none. */
static double excess_at(const struct search *search, const int cell[GRID_AXES],
                        double *value)
{
    const struct box *region = search->region, *box = search->box;
    const struct solid_field *field = search->field;
    size_t i = 0;
    for (int axis = GRID_AXES - 1; axis >= 0; axis--) {
        if (cell[axis] < box->low[axis] || cell[axis] > box->high[axis])
            return (double)NAN;
        i = i * (size_t)(region->high[axis] - region->low[axis] + 1) +
            (size_t)(cell[axis] - region->low[axis]);
    }
    *value = field->values[i];
    return field->wall[i]               ? (double)NAN
           : field->rule == SOLID_UP_TO ? field->level - *value
           : field->rule == SOLID_SIZE  ? fabs(*value) - field->level
                                        : *value - field->level;
}

/* A cube: what is known of its corners. */
struct cube {
    int cell[CORNERS][GRID_AXES];
    double excess[CORNERS], value[CORNERS];
};

static bool is_within(const struct cube *cube, int corner)
{
    return cube->excess[corner] >= 0;
}

/* The surface's corner on the edge between two of the cube's, one within. */
static size_t corner_on(struct search *search, const struct cube *cube, int a,
                        int b)
{
    struct surface *surface = search->surface;
    const int low = a & b, bits = a ^ b;
    const int *cell = cube->cell[low];
    size_t x = (size_t)(cell[0] - search->box->low[0] + 1);
    size_t y = (size_t)(cell[1] - search->box->low[1] + 1);
    size_t *edge =
        &search->edges[low >> 2]
                      [(y * (size_t)search->nx + x) * EDGES + (size_t)bits - 1];
    if (*edge != none)
        return *edge;
    const int in = is_within(cube, a) ? a : b, out = a + b - in;
    const bool cut = isnan(cube->excess[out]);
    double part = cube->excess[in] / (cube->excess[in] - cube->excess[out]);
    if (!isfinite(part)) /* cut, or beside an infinite value */
        part = .5;
    struct surface_corner corner = { .value = cube->value[in] };
    for (int axis = 0; axis < GRID_AXES; axis++)
        corner.at[axis] = cube->cell[in][axis] +
                          part * (cube->cell[out][axis] - cube->cell[in][axis]);
    if (!cut && search->field->rule == SOLID_SIZE)
        corner.value = copysign(search->field->level, corner.value);
    else if (!cut)
        corner.value = search->field->level;
    surface->corners = need_more(surface->corners, surface->count,
                                 &surface->room, sizeof *surface->corners);
    surface->corners[surface->count] = corner;
    return *edge = surface->count++;
}

static void cross(const double a[3], const double b[3], const double c[3],
                  double normal[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] =
            (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
}

/* Must the order of three edges be turned, so that their middles go round the
 * direction from the corners within to those outside? */
static bool is_turned(const int edges[3][2])
{
    double middle[3][3], normal[3], way = 0;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < GRID_AXES; axis++)
            middle[i][axis] =
                (edges[i][0] >> axis & 1) + (edges[i][1] >> axis & 1);
    cross(middle[0], middle[1], middle[2], normal);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < GRID_AXES; axis++)
            way += normal[axis] *
                   ((edges[i][1] >> axis & 1) - (edges[i][0] >> axis & 1));
    return way < 0;
}

static void add_triangle(struct search *search, const struct cube *cube,
                         const int edges[3][2], bool turned)
{
    struct surface *surface = search->surface;
    size_t corners[3];
    for (int i = 0; i < 3; i++)
        corners[i] = corner_on(search, cube, edges[i][0], edges[i][1]);
    surface->triangles =
        need_more(surface->triangles, surface->triangle_count,
                  &surface->triangle_room, sizeof *surface->triangles);
    size_t *triangle = surface->triangles[surface->triangle_count++];
    triangle[0] = corners[0];
    triangle[1] = corners[turned ? 2 : 1];
    triangle[2] = corners[turned ? 1 : 2];
}

/* The surface in one tetrahedron: none, a triangle, or two. */
static void add_tetrahedron(struct search *search, const struct cube *cube,
                            const int corner[4])
{
    int in[4], out[4], count = 0, others = 0;
    for (int i = 0; i < 4; i++)
        if (is_within(cube, corner[i]))
            in[count++] = corner[i];
        else
            out[others++] = corner[i];
    if (count == 0 || others == 0)
        return;
    /* Round the edges between both kinds. */
    int edges[4][2];
    for (int i = 0; i < 4; i++) {
        bool last = i == 3 && count != 2;
        edges[i][0] = in[count == 1 || last ? 0 : count == 3 ? i : i / 2];
        edges[i][1] = out[others == 1 || last ? 0
                          : others == 3       ? i
                                              : (i == 1 || i == 2)];
    }
    bool turned = is_turned((const int(*)[2])edges);
    add_triangle(search, cube, (const int(*)[2])edges, turned);
    if (count == 2) {
        const int more[3][2] = { { edges[0][0], edges[0][1] },
                                 { edges[2][0], edges[2][1] },
                                 { edges[3][0], edges[3][1] } };
        add_triangle(search, cube, more, turned);
    }
}

static void add_cube(struct search *search, int x, int y, int z)
{
    struct cube cube = { 0 };
    int within = 0;
    for (int i = 0; i < CORNERS; i++) {
        const int cell[GRID_AXES] = { x + (i & 1), y + (i >> 1 & 1),
                                      z + (i >> 2) };
        memcpy(cube.cell[i], cell, sizeof cell);
        cube.excess[i] = excess_at(search, cell, &cube.value[i]);
        within += is_within(&cube, i);
    }
    for (int i = 0; i < TETRAHEDRA && within > 0 && within < CORNERS; i++)
        add_tetrahedron(search, &cube, tetrahedra[i]);
}

/* Each corner's normal: those of its triangles, by their areas. */
static void find_normals(struct surface *surface)
{
    for (size_t i = 0; i < surface->triangle_count; i++) {
        const size_t *corner = surface->triangles[i];
        double normal[3];
        cross(surface->corners[corner[0]].at, surface->corners[corner[1]].at,
              surface->corners[corner[2]].at, normal);
        for (int k = 0; k < 9; k++)
            surface->corners[corner[k / 3]].normal[k % 3] += normal[k % 3];
    }
    for (size_t i = 0; i < surface->count; i++) {
        double *normal = surface->corners[i].normal;
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] +
                             normal[2] * normal[2]);
        for (int axis = 0; axis < GRID_AXES && length > 0; axis++)
            normal[axis] /= length;
    }
}

void surface_find(struct surface *surface, const struct solid_field *field,
                  const struct box *region, const struct box *box)
{
    struct search search = { .surface = surface,
                             .field = field,
                             .region = region,
                             .box = box,
                             .nx = box->high[0] - box->low[0] + 3,
                             .ny = box->high[1] - box->low[1] + 3 };
    const size_t count = (size_t)search.nx * (size_t)search.ny * EDGES;
    surface->count = surface->triangle_count = 0;
    for (int i = 0; i < 2; i++) {
        search.edges[i] = need_memory(count, sizeof **search.edges);
        memset(search.edges[i], 0xff, count * sizeof **search.edges);
    }
    for (int z = box->low[2] - 1; z <= box->high[2]; z++) {
        for (int y = box->low[1] - 1; y <= box->high[1]; y++)
            for (int x = box->low[0] - 1; x <= box->high[0]; x++)
                add_cube(&search, x, y, z);
        size_t *lower = search.edges[0];
        search.edges[0] = search.edges[1];
        search.edges[1] = memset(lower, 0xff, count * sizeof *lower);
    }
    memory_release(search.edges[0]);
    memory_release(search.edges[1]);
    find_normals(surface);
}

void surface_release(struct surface *surface)
{
    memory_release(surface->corners);
    memory_release(surface->triangles);
    *surface = (struct surface){ 0 };
}
