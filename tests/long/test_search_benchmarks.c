/* SPDX-License-Identifier: MIT */
/* Every public problem: A* meets its optimum, and so does Dijkstra from each
 * distinct start. Takes minutes. */
#include "tests/search/search_benchmarks.h"

START_TEST(every_public_problem_is_met)
    {
        try_problems(getenv("HAMON_BENCHMARKS"), benchmark_files[_i], 1);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("search_benchmarks");
    TCase *tests = tcase_create("search_benchmarks");
    tcase_set_timeout(tests, 0);
    if (getenv("HAMON_BENCHMARKS"))
        tcase_add_loop_test(tests, every_public_problem_is_met, 0,
                            BENCHMARK_FILES);
    else
        fputs("# public problems skipped: HAMON_BENCHMARKS names no folder\n",
              stderr);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
