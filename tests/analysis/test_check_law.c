/* SPDX-License-Identifier: MIT */
#include "analysis/check/law.h"
#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static const struct grid seven_by_five = { 2, 7, 5, 1 };

static struct law law_of(const char *stencil, struct grid grid)
{
    return (struct law){ .grid = grid,
                         .stencil = stencil_find(stencil),
                         .delta = 0.25,
                         .amplitude = 1,
                         .areas = true };
}

static struct ground ground_of(const struct law *law, const char *walls)
{
    struct ground ground;
    ground_init(law, &ground);
    for (size_t i = 0; walls && walls[i]; i++)
        ground.wall[i] = walls[i] == '@';
    ground_build(law, &ground);
    return ground;
}

/* Random walls and speeds. */
static struct ground random_ground(const struct law *law, uint64_t seed)
{
    struct ground ground;
    struct random random;
    random_seed(&random, seed);
    ground_init(law, &ground);
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        ground.wall[i] = random_below(&random, 4) == 0;
        ground.speed[i] = random_below(&random, 3) ? 1 : 0.5;
    }
    ground_build(law, &ground);
    return ground;
}

START_TEST(a_kick_gives_the_values_of_the_page)
    {
        struct law law = law_of("5-point", seven_by_five);
        struct ground ground = ground_of(&law, NULL);
        double z[35] = { 0 };
        size_t source = grid_index(&law.grid, 3, 2, 0);
        z[source] = 2.5;
        /* δ = 1/4: (2 − 4δ)·2.5 = 2.5, δ·2.5 = .625 in the cells next to it,
         * and after a start at rest 2.5 − 2.5 = 0 */
        ck_assert_double_eq(law_next(&law, &ground, z, 0, source), 2.5);
        ck_assert_double_eq(law_next(&law, &ground, z, 2.5, source), 0);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, source + 1), 0.625);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, source - 7), 0.625);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, source + 8), 0);
        ground_release(&ground);
    }
END_TEST

START_TEST(edges_have_two_minus_three_and_two_minus_two_delta)
    {
        struct law law = law_of("5-point", seven_by_five);
        law.delta = 0.375;
        struct ground ground = ground_of(&law, NULL);
        double z[35] = { 0 };
        z[0] = z[3] = 1;
        ck_assert_double_eq(law_next(&law, &ground, z, 0, 0), 2 - 2 * 0.375);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, 3), 2 - 3 * 0.375);
        ground_release(&ground);
    }
END_TEST

START_TEST(a_fixed_wall_is_0_and_a_free_one_a_mirror)
    {
        struct law law = law_of("5-point", seven_by_five);
        size_t cell = grid_index(&law.grid, 2, 2, 0);
        double z[35] = { 0 };
        z[cell] = 1;
        static const char walls[] = "......."
                                    "......."
                                    "...@..."
                                    "......."
                                    ".......";
        struct ground ground = ground_of(&law, walls);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, cell), 1);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, cell + 1), 0);
        ck_assert_double_eq(law_gradient(&law, &ground, z, cell - 1, 0), 0.5);
        ck_assert_double_eq(law_gradient(&law, &ground, z, cell, 0), 0);
        law.free_walls = true;
        ground_build(&law, &ground);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, cell), 1.25);
        ck_assert_double_eq(law_next(&law, &ground, z, 0, cell + 1), 0);
        ck_assert_double_eq(law_gradient(&law, &ground, z, cell, 0), 0.5);
        ground_release(&ground);
    }
END_TEST

START_TEST(damping_and_speed_enter_by_the_semi_implicit_form)
    {
        struct law law = law_of("5-point", seven_by_five);
        law.loss = 0.125;
        struct ground ground = ground_of(&law, NULL);
        size_t cell = grid_index(&law.grid, 3, 2, 0);
        ground.speed[cell] = 0.5; /* δᵢ = 1/16 */
        ground_build(&law, &ground);
        double z[35] = { 0 };
        z[cell] = 1, z[cell + 1] = 3;
        double c = (2 - 4. / 16) / 1.125, a = 0.875 / 1.125;
        ck_assert_double_eq(law_next(&law, &ground, z, 5, cell),
                            1 / 16. / 1.125 * 3 + (c * 1 - a * 5));
        /* Conservative: the face next to it is the harmonic mean of 1/16,
         * 1/4. */
        law.conservative = true;
        ground_release(&ground);
        ground_init(&law, &ground);
        ground.speed[cell] = 0.5;
        ground_build(&law, &ground);
        double face = 2 * (1 / 16. * 0.25) / (1 / 16. + 0.25);
        c = (2 - 4 * face) / 1.125;
        ck_assert_double_eq(law_next(&law, &ground, z, 5, cell),
                            face / 1.125 * 3 + (c * 1 - a * 5));
        ground_release(&ground);
    }
END_TEST

START_TEST(the_nine_point_stencil_weighs_and_folds_its_diagonals)
    {
        struct law law = law_of("9-point", seven_by_five);
        law.delta = 0.5;
        struct ground ground = ground_of(&law, NULL);
        double z[35] = { 0 };
        size_t cell = grid_index(&law.grid, 3, 2, 0);
        z[cell] = 6;
        ck_assert_double_eq_tol(law_next(&law, &ground, z, 0, cell + 1), 2,
                                1e-15);
        ck_assert_double_eq_tol(law_next(&law, &ground, z, 0, cell + 8), 0.5,
                                1e-15);
        /* (2 − 10/3·δ)·6 */
        ck_assert_double_eq_tol(law_next(&law, &ground, z, 0, cell), 2, 1e-14);
        /* At the west edge the two diagonals outside fold onto N and S: their
         * weight is 5/6 plus the diagonal's. */
        memset(z, 0, sizeof z);
        z[grid_index(&law.grid, 0, 1, 0)] = 6;
        ck_assert_double_eq_tol(
            law_next(&law, &ground, z, 0, grid_index(&law.grid, 0, 2, 0)), 2.5,
            1e-15);
        ground_release(&ground);
    }
END_TEST

/* The weight of the links from one cell to another. */
static double weight_between(const struct law *law, const struct ground *ground,
                             size_t from, size_t to)
{
    struct link links[STENCIL_POINTS];
    double weight = 0;
    int count = ground_links(law, ground, from, links);
    for (int i = 0; i < count; i++)
        if (links[i].cell == (int32_t)to)
            weight += links[i].weight;
    return weight;
}

START_TEST(the_graph_is_symmetric_on_any_map)
    {
        static const struct {
            const char *stencil;
            bool free_walls, conservative;
        } cases[] = {
            { "5-point", false, false },  { "5-point", true, true },
            { "5-point", false, true },   { "9-point", false, false },
            { "9-point", true, false },   { "7-point", true, true },
            { "27-point", false, false }, { "27-point", true, false }
        };
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                struct law law = law_of(cases[c].stencil, seven_by_five);
                if (law.stencil->dims == 3)
                    law.grid = (struct grid){ 3, 4, 3, 3 };
                law.free_walls = cases[c].free_walls;
                law.conservative = cases[c].conservative;
                struct ground ground = random_ground(&law, seed);
                for (size_t i = 0; i < grid_cells(&law.grid); i++)
                    for (size_t j = 0; j < i; j++)
                        if (!ground.wall[i] && !ground.wall[j])
                            ck_assert_double_eq(
                                weight_between(&law, &ground, i, j),
                                weight_between(&law, &ground, j, i));
                ground_release(&ground);
            }
    }
END_TEST

START_TEST(the_links_and_the_step_are_one_operator)
    {
        static const char *const names[] = { "5-point", "9-point", "7-point",
                                             "27-point" };
        for (int c = 0; c < 16; c++) {
            struct law law = law_of(names[c % 4], seven_by_five);
            if (law.stencil->dims == 3)
                law.grid = (struct grid){ 3, 4, 3, 3 };
            law.free_walls = c / 4 % 2;
            law.conservative = c >= 8 && c % 2 == 0;
            struct ground ground = random_ground(&law, (uint64_t)c);
            double z[36];
            struct random random;
            random_seed(&random, 7);
            for (size_t i = 0; i < grid_cells(&law.grid); i++)
                z[i] = ground.wall[i] ? 0 : random_unit(&random) - 0.5;
            for (size_t i = 0; i < grid_cells(&law.grid); i++) {
                if (ground.wall[i])
                    continue;
                struct link links[STENCIL_POINTS];
                int count = ground_links(&law, &ground, i, links);
                double sum = 0;
                for (int l = 0; l < count; l++)
                    sum += links[l].weight *
                           ((links[l].cell < 0 ? 0 : z[links[l].cell]) - z[i]);
                double spread =
                    law.conservative ? 1 : ground_delta(&law, &ground, i);
                ck_assert_double_eq_tol(law_next(&law, &ground, z, 0.75, i),
                                        2 * z[i] - 0.75 + spread * sum, 1e-15);
            }
            ground_release(&ground);
        }
    }
END_TEST

START_TEST(single_precision_has_the_bits_of_float_arithmetic)
    {
        struct law law = law_of("5-point", seven_by_five);
        law.single = true;
        law.delta = 0.1;
        law.loss = 0.01;
        struct ground ground = ground_of(&law, NULL);
        struct random random;
        random_seed(&random, 3);
        const float d = (float)(0.1 / 1.01), c = (float)(1.6 / 1.01);
        const float a = (float)(0.99 / 1.01);
        for (int round = 0; round < 1000; round++) {
            double z[35];
            for (int i = 0; i < 35; i++)
                z[i] = (float)ldexp(random_unit(&random) - 0.5,
                                    (int)random_below(&random, 140) - 139);
            float before = (float)random_unit(&random);
            float own = c * (float)z[17] - a * before;
            float next = d * (((float)z[18] + (float)z[16]) +
                              ((float)z[10] + (float)z[24])) +
                         own;
            double expected = law_next(&law, &ground, z, before, 17);
            ck_assert_double_eq(expected, next);
        }
        ground_release(&ground);
    }
END_TEST

START_TEST(an_edge_mode_oscillates_with_its_frequency)
    {
        struct law law = law_of("7-point", (struct grid){ 3, 6, 5, 4 });
        struct ground ground = ground_of(&law, NULL);
        double mode[120], z[2][120], next[120];
        double sum = 0;
        const int extent[3] = { 6, 5, 4 }, number[3] = { 2, 1, 3 };
        for (int axis = 0; axis < 3; axis++)
            sum += pow(sin(number[axis] * PI / 2 / extent[axis]), 2);
        double omega = 2 * asin(sqrt(law.delta * sum));
        for (size_t i = 0; i < 120; i++) {
            int at[3];
            grid_cell(&law.grid, i, at);
            mode[i] = 1;
            for (int axis = 0; axis < 3; axis++)
                mode[i] *=
                    cos(number[axis] * PI * (at[axis] + 0.5) / extent[axis]);
            z[0][i] = mode[i] * cos(omega);
            z[1][i] = mode[i];
        }
        for (int k = 1; k <= 300; k++) {
            for (size_t i = 0; i < 120; i++)
                next[i] = law_next(&law, &ground, z[1], z[0][i], i);
            memcpy(z[0], z[1], sizeof z[0]);
            memcpy(z[1], next, sizeof next);
            for (size_t i = 0; i < 120; i++)
                ck_assert_double_eq_tol(z[1][i], mode[i] * cos(omega * k),
                                        1e-11);
        }
        ground_release(&ground);
    }
END_TEST

START_TEST(the_sources_start_as_they_are_defined)
    {
        struct law law = law_of("5-point", seven_by_five);
        uint8_t wall[35] = { 0 };
        wall[16] = 1;
        law.amplitude = 3;
        ck_assert_double_eq(law_emitted(&law, wall, 17, 17), 3);
        ck_assert_double_eq(law_emitted(&law, wall, 17, 18), 0);
        ck_assert_double_eq(law_emitted(&law, wall, 16, 16), 0);
        law.source = LAW_GAUSSIAN;
        law.sigma = 1.5;
        ck_assert_double_eq_tol(law_emitted(&law, wall, 17, 19),
                                3 * exp(-4 / 4.5), 1e-15);
        ck_assert_double_eq(law_emitted(&law, wall, 17, 16), 0);
        law.source = LAW_RICKER;
        law.wavelength = 8;
        ck_assert_double_eq(law_emitted(&law, wall, 17, 17), 0);
        struct ground ground = ground_of(&law, NULL);
        /* The wavelet has its peak A once; it is almost 0 at its start and
         * end. */
        double largest = 0;
        for (int64_t age = 1; age < 200; age++)
            largest = fmax(largest, law_driven(&law, &ground, 17, 0, age));
        ck_assert_double_eq(largest, 3);
        ck_assert_double_lt(fabs(law_driven(&law, &ground, 17, 0, 1)), 2e-6);
        ck_assert_double_eq(law_driven(&law, &ground, 17, 0.5, 5000), 0.5);
        ground_release(&ground);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_law");
    TCase *tests = tcase_create("check_law");
    tcase_add_test(tests, a_kick_gives_the_values_of_the_page);
    tcase_add_test(tests, edges_have_two_minus_three_and_two_minus_two_delta);
    tcase_add_test(tests, a_fixed_wall_is_0_and_a_free_one_a_mirror);
    tcase_add_test(tests, damping_and_speed_enter_by_the_semi_implicit_form);
    tcase_add_test(tests,
                   the_nine_point_stencil_weighs_and_folds_its_diagonals);
    tcase_add_test(tests, the_graph_is_symmetric_on_any_map);
    tcase_add_test(tests, the_links_and_the_step_are_one_operator);
    tcase_add_test(tests, single_precision_has_the_bits_of_float_arithmetic);
    tcase_add_test(tests, an_edge_mode_oscillates_with_its_frequency);
    tcase_add_test(tests, the_sources_start_as_they_are_defined);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
