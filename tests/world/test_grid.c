/* SPDX-License-Identifier: MIT */
#include "tests/suite.h"
#include "world/grid.h"

START_TEST(extents_are_checked)
    {
        struct grid grid;
        struct error error;
        ck_assert_int_eq(grid_make(2, 7, 5, 1, &grid, &error), STATUS_OK);
        ck_assert_uint_eq(grid_cells(&grid), 35);
        ck_assert_int_eq(grid_make(2, 7, 5, 2, &grid, &error), STATUS_INPUT);
        ck_assert_int_eq(grid_make(3, 7, 0, 2, &grid, &error), STATUS_INPUT);
        ck_assert_int_eq(grid_make(4, 7, 5, 2, &grid, &error), STATUS_INPUT);
        ck_assert_int_eq(grid_make(2, 65536, 32768, 1, &grid, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(
            grid_make(3, 2147483647, 2147483647, 2147483647, &grid, &error),
            STATUS_INPUT);
        ck_assert_int_eq(grid.nx, 7); /* unchanged by the failures */
    }
END_TEST

START_TEST(an_index_and_its_cell_are_inverse)
    {
        struct grid grid = { .dims = 3, .nx = 3, .ny = 5, .nz = 2 };
        int cell[GRID_AXES];
        for (size_t i = 0; i < grid_cells(&grid); i++) {
            grid_cell(&grid, i, cell);
            ck_assert(grid_holds(&grid, cell[0], cell[1], cell[2]));
            ck_assert_uint_eq(grid_index(&grid, cell[0], cell[1], cell[2]), i);
        }
        ck_assert(!grid_holds(&grid, 3, 0, 0) && !grid_holds(&grid, 0, -1, 0));
    }
END_TEST

START_TEST(the_nearest_cell_rounds_halves_up_and_stays_inside)
    {
        struct grid grid = { .dims = 2, .nx = 10, .ny = 4, .nz = 1 };
        ck_assert_uint_eq(grid_nearest(&grid, (double[]){ 2.5, 1.49, 0 }),
                          grid_index(&grid, 3, 1, 0));
        ck_assert_uint_eq(grid_nearest(&grid, (double[]){ 99, -3, 0 }),
                          grid_index(&grid, 9, 0, 0));
    }
END_TEST

START_TEST(the_opposite_direction_is_the_next_bit)
    {
        for (int d = 0; d < DIRECTIONS; d++)
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert_int_eq(direction_step[d][axis],
                                 -direction_step[d ^ 1][axis]);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("grid");
    TCase *tests = tcase_create("grid");
    tcase_add_test(tests, extents_are_checked);
    tcase_add_test(tests, an_index_and_its_cell_are_inverse);
    tcase_add_test(tests, the_nearest_cell_rounds_halves_up_and_stays_inside);
    tcase_add_test(tests, the_opposite_direction_is_the_next_bit);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
