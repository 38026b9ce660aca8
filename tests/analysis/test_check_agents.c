/* SPDX-License-Identifier: MIT */
#include "tests/analysis/rules/agents.h"
#include "tests/suite.h"

#include <math.h>

static const struct grid grid = { 2, 5, 4, 1 };
static struct finding range, speed, walls;

static void check(const uint8_t *wall, const struct stride *stride)
{
    struct agent_findings findings = { &range, &speed, &walls };
    check_stride(&grid, wall, stride, &findings);
}

static void start(void)
{
    range = speed = walls = (struct finding){ 0 };
}

START_TEST(positions_are_on_the_map)
    {
        struct stride stride = { .now = { 4, 3 } };
        check(NULL, &stride);
        ck_assert_int_eq(range.wrong, 0);
        stride.now[1] = nextafter(3, 4);
        check(NULL, &stride);
        ck_assert_int_eq(range.wrong, 1);
        stride.now[1] = -1e-300;
        check(NULL, &stride);
        ck_assert_int_eq(range.wrong, 2);
        stride.now[1] = NAN;
        check(NULL, &stride);
        ck_assert_int_eq(range.wrong, 3);
        ck_assert_int_eq(range.looked, 4);
        ck_assert_int_eq(speed.looked, 0); /* the first row has no stride before
                                            * it */
    }
END_TEST

START_TEST(no_step_is_longer_than_the_speed_allows)
    {
        const uint8_t wall[20] = { 0 };
        struct stride stride = {
            .before = { 1, 1 }, .now = { 1.6, 1.8 }, .steps = 4, .speed = 0.25
        };
        check(wall, &stride);
        ck_assert_int_eq(speed.wrong, 0);
        ck_assert_int_eq(speed.looked, 1);
        stride.now[0] += 1e-9; /* displacements are rounded, and the agent is
                                * almost at the point */
        check(wall, &stride);
        ck_assert_int_eq(speed.wrong, 0);
        stride.now[0] += 2e-6;
        check(wall, &stride);
        ck_assert_int_eq(speed.wrong, 1);
        stride.speed = NAN;
        check(wall, &stride);
        ck_assert_int_eq(speed.skipped, 1);
    }
END_TEST

START_TEST(no_step_ends_in_a_wall_but_an_enclosed_agent_may_stay)
    {
        uint8_t wall[20] = { 0 };
        wall[5 + 2] = 1;
        struct stride stride = { .before = { 1.4, 1 },
                                 .now = { 1.5001, 1 },
                                 .steps = 1,
                                 .speed = 0.25 };
        check(wall, &stride);
        ck_assert_int_eq(walls.wrong, 1);
        ck_assert_int_eq(walls.spot.cell, 7);
        stride.now[0] = 1.5; /* the border is free on one side */
        check(wall, &stride);
        ck_assert_int_eq(walls.wrong, 1);
        stride.before[0] = stride.now[0] = 1.6;
        check(wall, &stride);
        ck_assert_int_eq(walls.wrong, 1);
        stride.now[0] = 1.3;
        check(wall, &stride);
        ck_assert_int_eq(walls.wrong, 1);
        stride.before[0] = 1.8; /* on its path out of the wall */
        stride.now[0] = 1.6;
        check(wall, &stride);
        ck_assert_int_eq(walls.wrong, 1);
        ck_assert_int_eq(walls.skipped, 1);
        check(NULL, &stride);
        ck_assert_int_eq(walls.skipped, 2);
        ck_assert_int_eq(walls.looked, 3);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_agents");
    TCase *tests = tcase_create("check_agents");
    tcase_add_checked_fixture(tests, start, NULL);
    tcase_add_test(tests, positions_are_on_the_map);
    tcase_add_test(tests, no_step_is_longer_than_the_speed_allows);
    tcase_add_test(tests,
                   no_step_ends_in_a_wall_but_an_enclosed_agent_may_stay);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
