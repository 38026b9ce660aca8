/* SPDX-License-Identifier: MIT */
/* The agents that wait for a wave, compared with sets that are searched
 * completely. */
#include "base/random.h"
#include "pursuit/waiting.h"
#include "tests/suite.h"

#include <math.h>

enum { MOST = 300, AGES = 400 };

/* The ages at which each wakes; of those that do not wait, INFINITY. */
static size_t expect(const double wake[], size_t count, int64_t age,
                     int32_t awake[])
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (wake[i] <= (double)age)
            awake[found++] = (int32_t)i;
    return found;
}

static void draw(struct random *random, double wake[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        switch (random_below(random, 5)) {
        case 0:
            wake[i] = INFINITY;
            break;
        case 1:
            wake[i] = 1 - (double)random_below(random, 9); /* immediately */
            break;
        case 2:
            wake[i] = 1e12; /* almost never */
            break;
        default:
            wake[i] = (double)random_below(random, AGES);
        }
}

/* Some ages are skipped: more than one agent wakes at the same time. */
START_TEST(all_wake_at_their_age_and_stay_in_order_until_they_are_done)
    {
        struct random random;
        random_seed(&random, 31);
        for (size_t count = 1; count <= MOST; count += 1 + count / 3) {
            double wake[MOST];
            int32_t expected[MOST], done[MOST];
            struct waiting waiting;
            ck_assert_int_eq(waiting_init(&waiting, count, NULL), STATUS_OK);
            draw(&random, wake, count);
            waiting_clear(&waiting);
            for (size_t i = 0; i < count; i++)
                if (wake[i] < INFINITY)
                    waiting_add(&waiting, i, wake[i]);
            waiting_order(&waiting);
            for (int64_t age = 1; age < AGES;
                 age += 1 + (int64_t)random_below(&random, 3)) {
                waiting_advance(&waiting, age);
                size_t awake = expect(wake, count, age, expected), gone = 0;
                ck_assert_uint_eq(waiting.awake_count, awake);
                ck_assert_mem_eq(waiting.awake, expected,
                                 awake * sizeof *expected);
                for (size_t i = 0; i < awake; i++)
                    if (random_below(&random, 10) == 0) {
                        done[gone++] = expected[i];
                        wake[expected[i]] = INFINITY;
                    }
                waiting_remove(&waiting, done, gone);
            }
            waiting_release(&waiting);
        }
    }
END_TEST

START_TEST(ages_of_four_bytes_are_in_order_too)
    {
        const double wake[] = { 0x7000001, 0x100,     0x7000000, 1e15,
                                0x20304,   0x1000000, 0x20303,   0x100 };
        const int64_t age[] = { 0xff,     0x100,     0x20303,   0x20304,
                                0x999999, 0x1000000, 0x7000000, 0x7000001 };
        const size_t awake[] = { 0, 2, 3, 4, 4, 5, 6, 7 };
        struct waiting waiting;
        ck_assert_int_eq(waiting_init(&waiting, 8, NULL), STATUS_OK);
        waiting_clear(&waiting);
        for (size_t i = 0; i < 8; i++)
            waiting_add(&waiting, i, wake[i]);
        waiting_order(&waiting);
        for (size_t i = 0; i < 8; i++) {
            waiting_advance(&waiting, age[i]);
            ck_assert_uint_eq(waiting.awake_count, awake[i]);
        }
        const int32_t all[] = { 0, 1, 2, 4, 5, 6, 7 };
        ck_assert_mem_eq(waiting.awake, all, sizeof all);
        waiting_release(&waiting);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("waiting");
    TCase *tests = tcase_create("waiting");
    tcase_add_test(tests,
                   all_wake_at_their_age_and_stay_in_order_until_they_are_done);
    tcase_add_test(tests, ages_of_four_bytes_are_in_order_too);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
