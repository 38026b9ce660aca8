/* SPDX-License-Identifier: MIT */
/* What every test program ends with: its suite, run, told in TAP on stdout. */
#ifndef HAMON_TESTS_SUITE_H
#define HAMON_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int suite_main(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
