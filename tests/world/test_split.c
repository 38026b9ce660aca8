/* SPDX-License-Identifier: MIT */
#include "base/crc32c.h"
#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"
#include "world/split.h"
#include "world/terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct grid grids[] = {
    { 2, 61, 47, 1 }, { 2, 200, 9, 1 }, { 3, 18, 14, 9 }, { 3, 7, 40, 8 }
};
enum { GRIDS = sizeof grids / sizeof *grids };

START_TEST(every_cell_is_one_ranks_own)
    {
        for (int g = 0; g < GRIDS; g++)
            for (int ranks = 1; ranks <= 24; ranks++) {
                const struct grid *grid = &grids[g];
                struct split split;
                if (split_make(grid, ranks, 1, &split, NULL))
                    continue;
                unsigned char *owners = memory_new(grid_cells(grid), 1);
                for (int rank = 0; rank < ranks; rank++) {
                    struct box b = split_block(&split, rank);
                    for (int z = b.low[2]; z <= b.high[2]; z++)
                        for (int y = b.low[1]; y <= b.high[1]; y++)
                            for (int x = b.low[0]; x <= b.high[0]; x++)
                                owners[grid_index(grid, x, y, z)]++;
                }
                for (size_t i = 0; i < grid_cells(grid); i++)
                    ck_assert_int_eq(owners[i], 1);
                memory_release(owners);
            }
    }
END_TEST

START_TEST(no_other_division_costs_less)
    {
        for (int g = 0; g < GRIDS; g++)
            for (int ranks = 1; ranks <= 24; ranks++) {
                const struct grid *grid = &grids[g];
                struct split split;
                if (split_make(grid, ranks, 2, &split, NULL))
                    continue;
                double ours = split_cost(&split, 2);
                for (int x = 1; x <= ranks; x++)
                    for (int y = 1; y <= ranks; y++) {
                        int z = ranks / (x * y);
                        struct split other = { *grid, { x, y, z } };
                        bool fits = x * y * z == ranks &&
                                    (x == 1 || grid->nx / x >= 2) &&
                                    (y == 1 || grid->ny / y >= 2) &&
                                    (z == 1 || grid->nz / z >= 2);
                        ck_assert(!fits || split_cost(&other, 2) >= ours);
                    }
            }
    }
END_TEST

/* A cut along x costs more than one that is four times as long, and few
 * messages less than many; but faces that are long enough are cut too. */
START_TEST(grids_are_divided_at_minimum_cost_of_a_step)
    {
        static const struct {
            struct grid grid;
            int ranks, parts[GRID_AXES];
        } cases[] = {
            { { 2, 2048, 512, 1 }, 2, { 1, 2, 1 } },
            { { 2, 2048, 2048, 1 }, 4, { 1, 4, 1 } },
            { { 2, 100000, 2, 1 }, 2, { 2, 1, 1 } },
            { { 2, 16384, 16384, 1 }, 1024, { 8, 128, 1 } },
            { { 3, 256, 256, 256 }, 2, { 1, 1, 2 } },
            { { 3, 128, 128, 128 }, 8, { 1, 2, 4 } },
            { { 2, 61, 4, 1 }, 3, { 3, 1, 1 } },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct split split;
            ck_assert(
                !split_make(&cases[i].grid, cases[i].ranks, 2, &split, NULL));
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert_int_eq(split.parts[axis], cases[i].parts[axis]);
        }
    }
END_TEST

/* The environment may ask for a cut, of which the first that fits is taken. */
START_TEST(blocks_may_be_given)
    {
        struct split split;
        setenv("HAMON_BLOCKS", "1x1x4 2x2x1 4x1x1", 1);
        ck_assert(!split_make(&grids[0], 4, 1, &split, NULL));
        ck_assert(split.parts[0] == 2 && split.parts[1] == 2);
        ck_assert(!split_make(&grids[2], 4, 1, &split, NULL));
        ck_assert(split.parts[2] == 4);
        unsetenv("HAMON_BLOCKS");
    }
END_TEST

START_TEST(the_halo_has_the_requested_depth)
    {
        struct split split;
        ck_assert(!split_make(&grids[2], 12, 2, &split, NULL));
        for (int rank = 0; rank < 12; rank++) {
            struct share share = split_share(&split, rank, 2);
            const int extent[] = { grids[2].nx, grids[2].ny, grids[2].nz };
            for (int axis = 0; axis < GRID_AXES; axis++) {
                int low = share.own.low[axis], high = share.own.high[axis];
                ck_assert_int_eq(share.held.low[axis], low < 2 ? 0 : low - 2);
                ck_assert_int_eq(share.held.high[axis], high + 2 < extent[axis]
                                                            ? high + 2
                                                            : extent[axis] - 1);
            }
        }
    }
END_TEST

START_TEST(too_many_ranks_for_a_grid_are_reported)
    {
        struct grid grid = { 2, 3, 2, 1 };
        struct split split;
        struct error error;
        ck_assert_int_eq(split_make(&grid, 7, 1, &split, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(
            strstr(error.message, "7 ranks cannot share a grid of 3 x 2 x 1"));
        ck_assert_int_eq(split_make(&grid, 2, 2, &split, &error), STATUS_INPUT);
    }
END_TEST

START_TEST(a_cut_terrain_is_the_terrain_of_its_box)
    {
        struct terrain whole, cut;
        struct random random;
        struct box box = { .low = { 3, 2, 1 }, .high = { 9, 11, 5 } };
        random_seed(&random, 4);
        ck_assert(!terrain_init(&whole, &grids[2], NULL));
        ck_assert(!terrain_prepare(&whole, CHANGE_SPEED, NULL));
        for (size_t i = 0; i < grid_cells(&grids[2]); i++) {
            whole.wall[i] = (uint8_t)random_below(&random, 2);
            whole.speed[i] = random_unit(&random);
        }
        ck_assert(!terrain_cut(&whole, &box, &cut, NULL));
        ck_assert(cut.grid.nx == 7 && cut.grid.ny == 10 && cut.grid.nz == 5);
        ck_assert_ptr_null(cut.cost);
        for (int z = 0; z < 5; z++)
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < 7; x++) {
                    size_t to = grid_index(&cut.grid, x, y, z);
                    size_t from = grid_index(&whole.grid, x + 3, y + 2, z + 1);
                    ck_assert(cut.wall[to] == whole.wall[from] &&
                              cut.speed[to] == whole.speed[from]);
                }
        terrain_release(&cut);
        terrain_release(&whole);
    }
END_TEST

/* Bilinear weights and nearest cells come out of the same digits. */
START_TEST(a_position_in_a_share_has_the_same_fraction)
    {
        struct share share = { .held = { .low = { 1021, 7, 0 } } };
        struct random random;
        random_seed(&random, 5);
        for (int i = 0; i < 100000; i++) {
            double at[GRID_AXES] = { 1021 + 1000 * random_unit(&random),
                                     7 + random_unit(&random),
                                     random_unit(&random) };
            double local[GRID_AXES];
            share_local(&share, at, local);
            for (int axis = 0; axis < GRID_AXES; axis++) {
                ck_assert(local[axis] + share.held.low[axis] == at[axis]);
                ck_assert(local[axis] - floor(local[axis]) ==
                          at[axis] - floor(at[axis]));
                ck_assert(floor(local[axis] + 0.5) + share.held.low[axis] ==
                          floor(at[axis] + 0.5));
            }
        }
    }
END_TEST

START_TEST(checksums_of_scattered_pieces_join_to_that_of_the_whole)
    {
        enum { WHOLE = 5000 };
        unsigned char data[WHOLE];
        struct random random;
        struct crc32c_gap gap, whole;
        random_seed(&random, 6);
        for (int i = 0; i < WHOLE; i++)
            data[i] = (unsigned char)random_next(&random);
        crc32c_gap_make(&whole, WHOLE);
        for (int round = 0; round < 200; round++) {
            uint32_t parts[3] = { 0, 0, 0 };
            for (size_t at = 0, next; at < WHOLE; at = next) {
                size_t owner = random_below(&random, 3);
                next = at + 1 + random_below(&random, 900);
                next = next < WHOLE ? next : WHOLE;
                crc32c_gap_make(&gap, next - at);
                for (size_t i = 0; i < 3; i++)
                    parts[i] = i == owner ? crc32c_piece(parts[i], data + at,
                                                         next - at)
                                          : crc32c_gap(&gap, parts[i]);
            }
            ck_assert_uint_eq(
                crc32c_join(&whole, parts[0] ^ parts[1] ^ parts[2]),
                crc32c(0, data, WHOLE));
        }
    }
END_TEST

START_TEST(a_gap_is_as_many_zeros)
    {
        static const unsigned char zeros[70000];
        const size_t lengths[] = { 0, 1, 2, 255, 4096, 69999 };
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            struct crc32c_gap gap;
            crc32c_gap_make(&gap, lengths[i]);
            ck_assert_uint_eq(crc32c_gap(&gap, 0xdeadbeef),
                              crc32c_piece(0xdeadbeef, zeros, lengths[i]));
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("split");
    TCase *tests = tcase_create("split");
    tcase_add_test(tests, every_cell_is_one_ranks_own);
    tcase_add_test(tests, no_other_division_costs_less);
    tcase_add_test(tests, grids_are_divided_at_minimum_cost_of_a_step);
    tcase_add_test(tests, blocks_may_be_given);
    tcase_add_test(tests, the_halo_has_the_requested_depth);
    tcase_add_test(tests, too_many_ranks_for_a_grid_are_reported);
    tcase_add_test(tests, a_cut_terrain_is_the_terrain_of_its_box);
    tcase_add_test(tests, a_position_in_a_share_has_the_same_fraction);
    tcase_add_test(tests,
                   checksums_of_scattered_pieces_join_to_that_of_the_whole);
    tcase_add_test(tests, a_gap_is_as_many_zeros);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
