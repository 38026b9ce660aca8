/* SPDX-License-Identifier: MIT */
/* The slope of the Laplace-weighted wave next to walls, compared with its
 * definition: cell by cell, from logarithms only, with the middle row's weight
 * not from the neighbours' U but from the equation that U obeys. */
#include "tests/wave/waves.h"
#include "wave/laplace/wave.h"

static double laplace_log(const struct laplace *laplace, size_t cell)
{
    return laplace_log_of(laplace, laplace_cell(laplace, cell));
}

struct field {
    struct pool pool;
    struct laplace_wave front;
    const struct laplace *laplace;
    size_t source;
};

static void field_sum(struct field *field, int steps)
{
    struct pool *pool = &field->pool;
    const struct laplace_options options = { .p = 1, .eta = 1e-13 };
    pool_fill(pool);
    ck_assert_int_eq(laplace_wave_init(&field->front, pool->medium, &options,
                                       800, false, NULL),
                     STATUS_OK);
    field->laplace = &field->front.pair.sum[0];
    laplace_wave_begin(&field->front, field->source, NULL);
    for (int k = 1; k <= steps; k++)
        laplace_wave_advance(&field->front, NULL);
}

static void field_release(struct field *field)
{
    laplace_wave_release(&field->front);
    pool_release(&field->pool);
}

static bool is_matched(const struct field *field)
{
    return stencil_has_diagonals(field->pool.settings.stencil);
}

static bool is_free(const struct pool *pool, const int at[GRID_AXES])
{
    return grid_holds(&pool->grid, at[0], at[1], at[2]) &&
           !pool->terrain.wall[pool_cell(pool, at[0], at[1], at[2])];
}

/* A shortest path of free cells leads from `at` to the cell at this offset. */
static bool is_seen(const struct pool *pool, const int at[GRID_AXES],
                    const int offset[GRID_AXES])
{
    const int there[GRID_AXES] = { at[0] + offset[0], at[1] + offset[1],
                                   at[2] + offset[2] };
    bool by_any = true;
    if (!is_free(pool, there))
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int nearer[GRID_AXES] = { offset[0], offset[1], offset[2] };
        nearer[axis] = 0;
        if (offset[axis] == 0)
            continue;
        if (is_seen(pool, at, nearer))
            return true;
        by_any = false;
    }
    return by_any;
}

/* U at offset over that at `at`; NaN if it is not seen. */
static double over_own(const struct field *field, const int at[GRID_AXES],
                       const int offset[GRID_AXES])
{
    const struct pool *pool = &field->pool;
    if (!is_seen(pool, at, offset))
        return NAN;
    size_t there = pool_cell(pool, at[0] + offset[0], at[1] + offset[1],
                             at[2] + offset[2]);
    return exp(
        laplace_log(field->laplace, there) -
        laplace_log(field->laplace, pool_cell(pool, at[0], at[1], at[2])));
}

/* Half the difference along an axis in the row at `offset`. */
static double difference(const struct field *field, const int at[GRID_AXES],
                         const int offset[GRID_AXES], int axis)
{
    int low_at[GRID_AXES] = { offset[0], offset[1], offset[2] };
    int high_at[GRID_AXES] = { offset[0], offset[1], offset[2] };
    low_at[axis]--;
    high_at[axis]++;
    double middle = over_own(field, at, offset);
    double low = over_own(field, at, low_at);
    double high = over_own(field, at, high_at);
    bool own_row = !offset[0] && !offset[1] && !offset[2];
    if (isnan(low) && isnan(high))
        return 0;
    if (isnan(middle))
        middle = 1;
    if (isnan(low))
        low = own_row ? 1 / high : middle;
    if (isnan(high))
        high = own_row ? 1 / low : middle;
    return (high - low) / 2;
}

static bool is_whole(const struct field *field, const int at[GRID_AXES])
{
    int depth = field->pool.grid.dims == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (!is_seen(&field->pool, at, (int[]){ x, y, z }))
                    return false;
    return true;
}

/* Σⱼ Uⱼ/U over the existing neighbours. With fixed walls and the 5- and 7-point
 * stencils it follows from 4 sinh²(p/2)·U = δᵢΔU, where U outside the map's
 * edge is the cell's own U. */
static double neighbours(const struct field *field, const int at[GRID_AXES])
{
    const struct pool *pool = &field->pool;
    double c = pool->terrain.speed[pool_cell(pool, at[0], at[1], at[2])];
    double s = sinh(field->laplace->decay / 2), total = 0, known = 0;
    for (int axis = 0; axis < pool->grid.dims; axis++)
        for (int side = -1; side <= 1; side += 2) {
            int offset[GRID_AXES] = { 0 }, next[GRID_AXES];
            memcpy(next, at, sizeof next);
            next[axis] += offset[axis] = side;
            if (is_free(pool, next))
                total += over_own(field, at, offset);
            known += grid_holds(&pool->grid, next[0], next[1], next[2]);
        }
    if (pool->settings.walls == WALLS_FREE || is_matched(field))
        return total;
    return known + 4 * s * s / (pool->settings.delta * c * c);
}

/* 0: the other rows have no weight. */
static double weight_of_middle(const struct field *field,
                               const int at[GRID_AXES])
{
    if (!is_whole(field, at))
        return fmax(neighbours(field, at) / 2, 1);
    return is_matched(field) ? 4 : 0;
}

static double slope_by_definition(const struct field *field,
                                  const int at[GRID_AXES], int axis)
{
    double middle = weight_of_middle(field, at), total = 0, weights = 0;
    int depth = field->pool.grid.dims == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int offset[GRID_AXES] = { x, y, z };
                double weight = 1;
                if (offset[axis] != 0)
                    continue;
                for (int i = 0; i < field->pool.grid.dims; i++)
                    if (i != axis && offset[i] == 0)
                        weight *= middle > 0 ? middle : 1;
                    else if (i != axis && !(middle > 0))
                        weight = 0;
                total += weight * difference(field, at, offset, axis);
                weights += weight;
            }
    return total / weights;
}

static void compare(const char *stencil, enum wall_rule walls, int nz,
                    uint64_t seed, int *touching)
{
    struct field field;
    field.source = pool_random(&field.pool, nz, seed);
    field.pool.settings.stencil = stencil_find(stencil);
    field.pool.settings.walls = walls;
    field_sum(&field, 700);
    uint8_t *reached = pool_reached(&field.pool, field.source);
    for (size_t i = 0; i < grid_cells(&field.pool.grid); i++) {
        double slope[GRID_AXES];
        int at[GRID_AXES];
        if (!reached[i] || i == field.source)
            continue;
        grid_cell(&field.pool.grid, i, at);
        *touching += !is_whole(&field, at);
        laplace_slope(field.laplace, i, slope);
        for (int axis = 0; axis < field.pool.grid.dims; axis++) {
            double right = slope_by_definition(&field, at, axis);
            ck_assert_double_eq_tol(slope[axis], right,
                                    1e-9 * (1 + fabs(right)));
        }
    }
    memory_release(reached);
    field_release(&field);
}

START_TEST(the_slope_is_its_definition_beside_walls_too)
    {
        const enum wall_rule walls[] = { WALLS_FIXED, WALLS_FREE };
        int touching = 0;
        for (int i = 0; i < 2; i++) {
            compare("5-point", walls[i], 0, 3, &touching);
            compare("9-point", walls[i], 0, 4, &touching);
            compare("7-point", walls[i], 5, 5, &touching);
            compare("27-point", walls[i], 5, 6, &touching);
        }
        ck_assert_int_gt(touching, 1000);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("laplace_slope");
    TCase *tests = tcase_create("laplace_slope");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_slope_is_its_definition_beside_walls_too);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
