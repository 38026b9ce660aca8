/* SPDX-License-Identifier: MIT */
/* The end of every test program: runs its suite, and reports in TAP on
 * stdout. */
#ifndef HAMON_TESTS_SUITE_H
#define HAMON_TESTS_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>

/* For each assertion that passes, check writes the line to a file, to report it
 * if the test crashes. In a loop over the cells of a field this takes most of
 * the time, so a line is written only if it differs from the one before. */
static inline void suite_mark(const char *file, int line)
{
    static int last;
    if (line == last)
        return;
    last = line;
    _mark_point(file, line);
}
#define _mark_point suite_mark

/* Under sanitizers one of so many cases: they look for errors of memory, and
 * more cases of one kind use memory in the same manner. */
#ifdef __SANITIZE_ADDRESS__
enum { SUITE_SHARE = 4 };
#else
enum { SUITE_SHARE = 1 };
#endif

/* Is this make check-long? */
static inline bool suite_is_long(void)
{
    return getenv("HAMON_CHECK_LONG");
}

/* make check-long tries every case, make check one of `shallow`. */
static inline int suite_every(int shallow)
{
    return suite_is_long() ? 1 : shallow * SUITE_SHARE;
}

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
