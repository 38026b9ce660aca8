/* SPDX-License-Identifier: MIT */
/* Recorded runs that are made again in memory. */
#include "run/again.h"

#include "base/memory.h"
#include "recording/read/file.h"
#include "run/run.h"
#include "run/start.h"
#include "tests/suite.h"
#include "view/replay.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char place[] = "/tmp/hamon-again-XXXXXX";
static char path[64];

static void make_place(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/run.h5", place);
}

static void remove_place(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(place), 0);
    memcpy(place + strlen(place) - 6, "XXXXXX", 6);
}

#define ROOM                                                                   \
    "map = { rows = (\"....................\",\"....................\","       \
    "\".......@@@@.........\",\".......@..@.........\","                       \
    "\".......@..@.........\",\".......@............\","                       \
    "\"....................\",\"....................\","                       \
    "\"....................\"); };"
#define CUBE                                                                   \
    "map = { layers = ((\"......\",\"......\",\"......\",\"......\"),"         \
    "(\"@@..@@\",\"@@..@@\",\"@@@@@@\",\"......\"),"                           \
    "(\"......\",\"......\",\"......\",\"......\")); };"
#define CHASE                                                                  \
    "target = { at = [2.0, 2.0]; motion = \"random\"; speed = 0.3; };"         \
    "agents = ({ at = [18.0, 8.0]; method = \"wave\"; },"                      \
    "{ at = \"random\"; count = 2; method = \"astar\"; });"
#define DOOR                                                                   \
    "events = ({ step = 0; box = [0, 7, 1, 8]; set = \"wall\"; },"             \
    "{ step = 9; box = [8, 3, 9, 4]; set = \"wall\"; },"                       \
    "{ step = 21; box = [0, 7, 1, 8]; set = \"free\"; });"
#define WAVES "wave = { count = 2; lifetime = 25; };"

static const char *const runs[] = {
    "steps = 60;" ROOM WAVES CHASE,
    "steps = 60;" ROOM WAVES CHASE DOOR "record = { fields = (\"agents\"); };",
    "steps = 60;" ROOM WAVES CHASE DOOR "record = { keyframes = 8; };",
    "steps = 60;" ROOM WAVES CHASE
    "record = { every = 7; fields = (\"amplitude\", \"arrival\"); };",
    "steps = 60;" ROOM WAVES CHASE
    "record = { region = [3, 1, 12, 6]; fields = (\"amplitude\", "
    "\"gradient\", \"arrival\"); };",
    "steps = 60; wave = { count = 1; lifetime = 60; precision = \"double\"; };"
    "arrival = { detector = \"laplace\"; };" ROOM CHASE,
    "steps = 60; scale = { cell = 0.5; step = 0.25; };" ROOM WAVES CHASE
    "record = { fields = (\"agents\"); every = 4; };",
    "steps = 40;" CUBE WAVES "target = { at = [0.0, 0.0, 0.0]; };"
    "agents = ({ at = [5.0, 3.0, 2.0]; method = \"wave\"; });"
    "record = { fields = (\"agents\"); };",
    "steps = 400;" ROOM WAVES /* ends early */
    "target = { at = [2.0, 2.0]; };"
    "agents = ({ at = [6.0, 8.0]; method = \"wave\"; });"
    "pursuit = { stop = \"all-captured\"; };",
    "steps = 30;" ROOM /* no waves */
    "target = { at = [2.0, 2.0]; };"
    "agents = ({ at = [18.0, 8.0]; method = \"astar\"; });",
};
enum { RUNS = sizeof runs / sizeof *runs };

/* Records `steps` steps of the run; −1: to its end. */
static struct recording *record(const char *text, int64_t steps)
{
    struct scenario *scenario;
    struct run *run;
    struct error error;
    struct recording *recording;
    const struct run_options options = {
        .path = path, .force = true, .threads = 1, .command = "test"
    };
    bool ended = false;
    ck_assert_msg(!scenario_parse(text, "run.cfg", NULL, 0, &scenario, &error),
                  "%s", error.message);
    ck_assert_msg(!run_new(scenario, &options, &run, &error), "%s",
                  error.message);
    ck_assert_msg(!run_begin(run, &error), "%s", error.message);
    while (!ended && run_steps_done(run) != steps)
        ck_assert_int_eq(run_step(run, &ended, &error), STATUS_OK);
    ck_assert_int_eq(
        run_close(run, ended ? RUN_DONE : RUN_STOPPED, NULL, &error),
        STATUS_OK);
    scenario_release(scenario);
    ck_assert_msg(!replay_open(path, &recording, &error), "%s", error.message);
    return recording;
}

static struct recording *again(const struct recording *recording)
{
    struct scenario *scenario;
    struct recording *copy;
    struct error error;
    const struct again_options options = { .threads = 1 };
    enum status status = again_scenario(recording, &scenario, &error);
    ck_assert_msg(!status, "%s", error.message);
    ck_assert_msg(!again_record(recording, scenario, &options, &copy, &error),
                  "%s", error.message);
    scenario_release(scenario);
    ck_assert_str_eq(recording_path(copy), path);
    return copy;
}

/* Differs from run to run, or by the time of a commit. */
static bool is_free(const char *name)
{
    static const char *const free[] = {
        "provenance/date", "status/sequence", "plans/nanoseconds",
        "restart/state0",  "restart/state1",  "provenance/step_nanoseconds",
    };
    for (size_t i = 0; i < sizeof free / sizeof *free; i++)
        if (strcmp(name, free[i]) == 0)
            return true;
    return false;
}

static void expect_row(const struct recording *a, const struct variable *in_a,
                       int64_t row_a, const struct recording *b,
                       const struct variable *in_b, int64_t row_b)
{
    const size_t bytes = variable_elements(in_a) * element_bytes(in_a->type);
    char *values = memory_new(bytes, 2);
    struct error error;
    ck_assert_msg(!recording_read(a, in_a, row_a, values, &error), "%s",
                  error.message);
    ck_assert_msg(!recording_read(b, in_b, row_b, values + bytes, &error), "%s",
                  error.message);
    ck_assert_msg(memcmp(values, values + bytes, bytes) == 0,
                  "%s differs at row %lld", in_a->name, (long long)row_a);
    memory_release(values);
}

static void expect_same(const struct recording *recording,
                        const struct recording *copy)
{
    const struct variable *variable, *other;
    size_t count = 0;
    for (; (variable = recording_variable(recording, count)); count++) {
        other = recording_find(copy, variable->name);
        ck_assert_msg(other != NULL, "%s is lacking", variable->name);
        ck_assert_int_eq(other->type, variable->type);
        ck_assert_int_eq(other->rank, variable->rank);
        ck_assert_mem_eq(other->extent, variable->extent, sizeof other->extent);
        if (is_free(variable->name))
            continue;
        int64_t rows = 1;
        if (variable->by_row)
            rows = strcmp(variable->axis[0], "version") == 0
                       ? variable->extent[0]
                       : recording_rows(recording);
        for (int64_t row = 0; row < rows; row++)
            expect_row(recording, variable, row, copy, other, row);
    }
    ck_assert_ptr_null(recording_variable(copy, count));
    ck_assert_int_eq(recording_rows(copy), recording_rows(recording));
    ck_assert_int_eq(recording_state(copy), recording_state(recording));
}

START_TEST(a_run_made_again_writes_the_same_recording)
    {
        for (int stop = 0; stop < 2; stop++) {
            make_place();
            struct recording *recording = record(runs[_i], stop ? 17 : -1);
            struct recording *copy = again(recording);
            expect_same(recording, copy);
            recording_close(recording);
            recording_close(copy);
            remove_place();
        }
    }
END_TEST

/* The same element in a field of the whole map. */
static void expect_region(const struct recording *recording,
                          const struct variable *variable, int64_t row,
                          const struct recording *copy, int64_t step)
{
    const struct variable *whole = recording_find(copy, variable->name);
    const struct grid *grid = recording_grid(copy);
    const struct box region = recording_region(recording);
    double *part = memory_new(variable_elements(variable), sizeof *part);
    double *all = memory_new(grid_cells(grid), sizeof *all);
    int64_t row_of = 0;
    if (variable->by_row)
        ck_assert_int_eq(recording_row_of(copy, step, &row_of, NULL),
                         STATUS_OK);
    ck_assert_int_eq(recording_read_real(recording, variable, row, part, NULL),
                     STATUS_OK);
    ck_assert_int_eq(recording_read_real(copy, whole, row_of, all, NULL),
                     STATUS_OK);
    size_t i = 0;
    for (int z = region.low[2]; z <= region.high[2]; z++)
        for (int y = region.low[1]; y <= region.high[1]; y++)
            for (int x = region.low[0]; x <= region.high[0]; x++, i++)
                ck_assert_mem_eq(&part[i], &all[grid_index(grid, x, y, z)],
                                 sizeof *all);
    memory_release(part);
    memory_release(all);
}

START_TEST(a_run_made_again_has_every_field_of_every_step)
    {
        make_place();
        const struct again_options options = { .threads = 1 };
        const struct recording *copy, *same;
        struct error error;
        struct recording *recording = record(runs[_i], -1);
        ck_assert(!recording_has_whole(recording));
        ck_assert_int_eq(recording_whole(recording, &copy, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(again_offer(recording, &options, &error), STATUS_OK);
        ck_assert(recording_has_whole(recording));
        ck_assert_msg(!recording_whole(recording, &copy, &error), "%s",
                      error.message);
        ck_assert_int_eq(recording_whole(recording, &same, &error), STATUS_OK);
        ck_assert_ptr_eq(copy, same);
        const int64_t rows = recording_rows(recording);
        const int64_t *steps = recording_steps(recording);
        const struct variable *variable;
        ck_assert_int_eq(recording_rows(copy), steps[rows - 1] + 1);
        for (int wave = 0; wave < recording_waves(copy); wave++)
            for (int f = 0; f < 2 + grid_axes(recording_grid(copy)); f++) {
                static const char *const tails[] = { "", "_arrival", "_grad_x",
                                                     "_grad_y", "_grad_z" };
                char name[VARIABLE_NAME_SIZE];
                snprintf(name, sizeof name, "wave%d%s", wave, tails[f]);
                ck_assert_ptr_nonnull(recording_find(copy, name));
            }
        for (size_t i = 0; (variable = recording_variable(recording, i)); i++)
            for (int64_t row = 0; row < rows; row++)
                if (strncmp(variable->name, "wave", 4) == 0)
                    expect_region(recording, variable, row, copy, steps[row]);
                else if (strncmp(variable->name, "agents/", 7) == 0 &&
                         variable->by_row)
                    expect_row(recording, variable, row, copy,
                               recording_find(copy, variable->name),
                               steps[row]);
        recording_close(recording);
        remove_place();
    }
END_TEST

struct watch {
    int64_t last, calls;
};

static enum status stop_at_5(void *context, const char *name, int64_t step,
                             int64_t last, struct error *error)
{
    struct watch *watch = context;
    ck_assert_int_eq(step, watch->last + 1);
    ck_assert_int_eq(last, 60);
    ck_assert_str_eq(name, path);
    watch->last = step;
    watch->calls++;
    return step == 5 ? error_set(error, STATUS_FAILED, "stopped") : STATUS_OK;
}

START_TEST(the_work_can_be_stopped_and_leaves_no_open_file)
    {
        struct watch watch = { .last = -1 };
        const struct again_options options = { 1, stop_at_5, &watch };
        struct scenario *scenario;
        struct recording *copy;
        struct error error;
        make_place();
        struct recording *recording = record(runs[0], -1);
        const int before = dup(0);
        close(before);
        ck_assert_int_eq(again_scenario(recording, &scenario, &error),
                         STATUS_OK);
        ck_assert_int_eq(
            again_record(recording, scenario, &options, &copy, &error),
            STATUS_FAILED);
        ck_assert_str_eq(error.message, "stopped");
        ck_assert_int_eq(watch.calls, 6);
        ck_assert_ptr_null(copy);
        const int after = dup(0);
        close(after);
        ck_assert_int_eq(after, before);
        scenario_release(scenario);
        copy = again(recording);
        recording_close(copy);
        const int last = dup(0);
        close(last);
        ck_assert_int_eq(last, before);
        recording_close(recording);
        remove_place();
    }
END_TEST

START_TEST(a_recording_without_waves_offers_none)
    {
        const struct again_options options = { .threads = 1 };
        struct error error;
        make_place();
        struct recording *recording = record(runs[RUNS - 1], -1);
        ck_assert_int_eq(again_offer(recording, &options, &error), STATUS_OK);
        ck_assert(!recording_has_whole(recording));
        recording_close(recording);
        remove_place();
    }
END_TEST

/* Changes the byte at `at` of the values of a variable in the file. */
static void spoil(const struct recording *recording, const char *name,
                  size_t at)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    const off_t where = (off_t)(item->offset + at);
    char byte;
    const int fd = open(path, O_RDWR);
    ck_assert_int_eq(pread(fd, &byte, 1, where), 1);
    byte ^= 2;
    ck_assert_int_eq(pwrite(fd, &byte, 1, where), 1);
    close(fd);
}

START_TEST(a_run_that_differs_from_its_recording_is_an_error)
    {
        const struct again_options options = { .threads = 1 };
        const struct recording *copy;
        struct error error;
        make_place();
        struct recording *recording = record(runs[1], -1);
        ck_assert_int_eq(again_offer(recording, &options, &error), STATUS_OK);
        spoil(recording, "emissions/x", 0);
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(recording_whole(recording, &copy, &error),
                             STATUS_INPUT);
            ck_assert_ptr_nonnull(strstr(error.message, "emissions/x"));
            ck_assert_ptr_nonnull(strstr(error.message, "other rules"));
        }
        recording_close(recording);
        remove_place();
    }
END_TEST

/* On the map of the file, not on the one after the events, agents chosen by the
 * seed have their cells. */
START_TEST(a_map_file_with_events_of_step_0_is_restored)
    {
        char map[80], text[800];
        make_place();
        snprintf(map, sizeof map, "%s/room.map", place);
        FILE *file = fopen(map, "w");
        fputs("type octile\nheight 12\nwidth 12\nmap\n", file);
        for (int y = 0; y < 12; y++)
            fputs(y % 4 == 2 ? "@@@@@@@@@.@@\n" : "............\n", file);
        fclose(file);
        snprintf(text, sizeof text,
                 "steps = 40; map = { file = \"%s\"; }; " WAVES
                 "target = { at = [2.0, 0.0]; };"
                 "agents = ({ at = \"random\"; count = 3; method = \"wave\"; },"
                 "{ at = [9.0, 5.0]; method = \"astar\"; });"
                 "events = ({ step = 0; box = [0, 4, 11, 9]; set = \"wall\"; },"
                 "{ step = 0; box = [9, 5, 9, 5]; set = \"free\"; },"
                 "{ step = 0; box = [0, 0, 5, 5]; speed = 0.5; },"
                 "{ step = 9; box = [0, 4, 11, 9]; set = \"free\"; });"
                 "record = { fields = (\"agents\"); };",
                 map);
        struct recording *recording = record(text, -1);
        unlink(map);
        struct recording *copy = again(recording);
        expect_same(recording, copy);
        recording_close(copy);
        /* No map has a wall of 2 or 3. */
        const char *start = recording_text(recording, "start");
        spoil(recording, "provenance/start",
              (size_t)(strchr(start, '\n') - start) - 1);
        recording_close(recording);
        struct scenario *scenario;
        struct error error;
        ck_assert_int_eq(replay_open(path, &recording, &error), STATUS_OK);
        ck_assert_int_eq(again_scenario(recording, &scenario, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "a cell of no map"));
        ck_assert_ptr_null(scenario);
        recording_close(recording);
        remove_place();
    }
END_TEST

START_TEST(a_text_of_another_map_is_refused)
    {
        static const char *const bad[] = {
            "wall 6 1 0\n", "wall 0 7 0\n",  "wall 0 1\n",     "speed 0 1 1\n",
            "wood 0 1 0\n", "wall 0 1 -1\n", "wall 0 1 nan\n",
        };
        const struct grid grid = { 2, 3, 2, 1 };
        struct terrain map = { 0 };
        struct error error;
        ck_assert_int_eq(terrain_init(&map, &grid, &error), STATUS_OK);
        ck_assert_int_eq(
            start_restore("wall 1 2 1\nwall 5 1 1\n", &map, &error), STATUS_OK);
        for (int i = 0; i < 6; i++)
            ck_assert_int_eq(map.wall[i], i == 1 || i == 2 || i == 5);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_int_eq(start_restore(bad[i], &map, &error), STATUS_INPUT);
        terrain_release(&map);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("again");
    TCase *again = tcase_create("again");
    tcase_set_timeout(again, 0);
    tcase_add_loop_test(again, a_run_made_again_writes_the_same_recording, 0,
                        RUNS);
    /* all but the last have waves */
    tcase_add_loop_test(again, a_run_made_again_has_every_field_of_every_step,
                        0, RUNS - 1);
    tcase_add_test(again, the_work_can_be_stopped_and_leaves_no_open_file);
    tcase_add_test(again, a_recording_without_waves_offers_none);
    tcase_add_test(again, a_run_that_differs_from_its_recording_is_an_error);
    tcase_add_test(again, a_map_file_with_events_of_step_0_is_restored);
    tcase_add_test(again, a_text_of_another_map_is_refused);
    suite_add_tcase(suite, again);
    return suite_main(suite);
}
