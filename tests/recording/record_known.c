/* SPDX-License-Identifier: MIT */
/* Records the run of known values for programs of others to read:
 *   record_known 2|3 whole|region FILE */
#include "tests/recording/recording_run.h"

static char **arguments;

START_TEST(record)
    {
        struct run run;
        run_init(&run, arguments[1][0] - '0', TYPE_FLOAT32,
                 strcmp(arguments[2], "region") == 0, 1);
        run_record(&run, arguments[3], run_rows(&run), RUN_DONE);
        run_release(&run);
    }
END_TEST

int main(int count, char **given)
{
    if (count != 4)
        return 2;
    arguments = given;
    Suite *suite = suite_create("record_known");
    TCase *tests = tcase_create("record");
    tcase_add_test(tests, record);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
