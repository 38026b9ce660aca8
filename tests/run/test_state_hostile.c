/* SPDX-License-Identifier: MIT */
/* Restart states that no run has saved: each is rejected, or resumed to an
 * ordinary end. Undefined behaviour is detected by the sanitizers. */
#include "base/crc32c.h"
#include "base/random.h"
#include "run/run.h"
#include "tests/pursuit/chase_runs.h"

#include <hdf5.h>
#include <stdlib.h>
#include <unistd.h>

#define FLAT                                                                   \
    "map = { rows = (\"..........\",\"....@@....\",\"....@.....\","            \
    "\"..........\"); legend = ({ symbol = \"@\"; wall = true; }); };"         \
    "events = ({ step = 3; box = [7, 0, 7, 1]; set = \"wall\"; },"             \
    "{ step = 35; box = [7, 0, 7, 1]; set = \"free\"; });"
#define DEEP                                                                   \
    "map = { layers = ((\"......\",\"......\",\"......\"),(\"@@..@@\","        \
    "\"......\",\"......\")); };"                                              \
    "events = ({ step = 35; box = [2, 0, 1, 2, 0, 1]; set = \"wall\"; });"
#define WAVES "wave = { count = 3; lifetime = 24; "
#define STILL "target = { at = [8, 3]; };"
#define MANY(method)                                                           \
    "agents = ({ name = \"A\"; at = [0, 0]; method = \"" method                \
    "\"; count = 2; speed = 0.3; });"
#define WANDER(method)                                                         \
    "agents = ({ name = \"A\"; at = [0, 0]; method = \"" method                \
    "\"; count = 2; speed = 0.3; goal = \"random\"; });"

/* steps, record and pursuit are added. */
static const char *const cases[] = {
    FLAT WAVES "};" STILL MANY("wave"),
    FLAT "wave = { count = 1; lifetime = 24; restart = \"on-arrival\"; };" STILL
        MANY("wave"),
    FLAT WAVES
    "precision = \"double\"; source = \"ricker\"; wavelength = 6.0; "
    "};" STILL MANY(
        "wave") "arrival = { detector = \"capped-exponential\"; heading = "
                "\"flux\"; };",
    FLAT WAVES "amplitude = 1e-36; };" STILL MANY(
        "wave") "arrival = { detector = \"capped-exponential\"; };",
    FLAT WAVES
    "};" STILL MANY("wave") "arrival = { detector = \"leading-edge\"; heading "
                            "= \"arrival-time\"; "
                            "};",
    FLAT WAVES "};" STILL MANY("wave") "arrival = { detector = \"first-peak\"; "
                                       "heading = \"arrival-time\"; };",
    FLAT WAVES "};" STILL MANY("wave") "arrival = { detector = \"laplace\"; };",
    FLAT WAVES "};" STILL MANY("wave") "arrival = { detector = "
                                       "\"laplace\"; heading = "
                                       "\"arrival-time\"; };",
    FLAT WAVES "};" STILL MANY("lee"),
    FLAT STILL MANY("dijkstra"),
    FLAT STILL MANY("dstar-lite"),
    FLAT STILL WANDER("astar"),
    FLAT STILL WANDER("fast-marching"),
    FLAT STILL MANY("pincer"),
    FLAT "wave = { delta = 0.25; };" STILL MANY("wave-pincer"),
    FLAT STILL MANY("relay"),
    FLAT WANDER("relay"),
    FLAT STILL MANY("relay-complete"),
    FLAT WANDER("relay-complete"),
    FLAT "target = { at = [8, 3]; motion = \"random\"; };" MANY("dijkstra"),
    FLAT "target = { at = [8, 3]; motion = \"waypoints\"; speed = 0.4; "
         "waypoints = ([8, 0], [2, 3], [0, 3]); };" MANY("astar"),
    FLAT "target = { at = [8, 3]; motion = \"evade\"; speed = 0.4; };" MANY(
        "dijkstra"),
    FLAT "target = { at = [8, 3]; motion = \"farthest-safe\"; speed = 0.4; "
         "};" MANY("dijkstra"),
    DEEP WAVES "};target = { at = [4, 2, 0]; };"
               "agents = ({ at = [0, 0, 0]; count = 2; });",
    DEEP WAVES "};target = { at = [4, 2, 0]; };"
               "agents = ({ at = [0, 0, 0]; count = 2; });"
               "arrival = { detector = \"laplace\"; };",
    DEEP "wave = { count = 2; lifetime = 24; };target = { at = [4, 2, 0]; };"
         "agents = ({ at = [0, 0, 0]; method = \"lee\"; },"
         "{ name = \"D\"; at = [0, 1, 0]; method = \"dstar-lite\"; });",
};
enum { CASES = sizeof cases / sizeof *cases, MIDDLE = 28, STEPS = 60 };

static void text_of(int which, char *text, size_t size)
{
    int used = snprintf(
        text, size,
        "steps = %d; seed = 3; record = { fields = [%s]; };"
        "pursuit = { stop = \"never\"; replan = 5; ties = \"random\"; "
        "capture_radius = 0.5; }; %s",
        STEPS, strstr(cases[which], "lifetime") ? "\"arrival\"" : "\"agents\"",
        cases[which]);
    ck_assert_int_lt(used, (int)size);
}

/* ---- changes ---- */

enum { CHANGES = 11 };

/* Writes the change at `at`, as far as there is room. */
static void change(char *state, size_t bytes, size_t at, int which,
                   struct random *random)
{
    static const double reals[] = { NAN, 1e300, -7.5 };
    static const int64_t wholes[] = { -1, INT32_MAX, 2, INT64_MAX, INT64_MIN };
    uint64_t word = random_next(random);
    size_t width = sizeof word;
    if (which < 3)
        memcpy(&word, &reals[which], sizeof word);
    else if (which < 8)
        memcpy(&word, &wholes[which - 3], sizeof word);
    else if (which < 10) {
        width = which == 8 ? 1 : sizeof(int32_t);
        word = which == 8 ? 2 : INT32_MAX;
    }
    memcpy(state + at, &word, at + width <= bytes ? width : bytes - at);
}

/* ---- simulations ---- */

/* Runs to the end; a wave that is no longer finite is an end too. */
static void go_on(struct simulation *simulation)
{
    struct error error;
    struct agent_plan plan;
    enum status status = STATUS_OK;
    while (!status && !simulation_ended(simulation)) {
        while (simulation_plan(simulation, &plan))
            for (size_t i = 0; i < plan.path_cells; i++)
                ck_assert_int_ge(plan.path[i], 0);
        status = simulation_advance(simulation, &error);
        if (!status)
            status = simulation_begin(simulation, &error);
    }
    ck_assert(!status || status == STATUS_DIVERGED);
}

static bool is_taken(const struct scenario *scenario, const char *state)
{
    struct simulation *simulation;
    struct error error;
    ck_assert(!simulation_new(scenario, 1, &simulation, &error));
    enum status status = simulation_load(simulation, state, &error);
    ck_assert(!status || status == STATUS_INPUT);
    if (!status)
        go_on(simulation);
    simulation_release(simulation);
    return !status;
}

START_TEST(a_state_that_no_run_has_saved_is_rejected_or_continued)
    {
        char text[2000];
        size_t bytes, taken = 0, refused = 0;
        struct random random;
        random_seed(&random, (uint64_t)_i);
        text_of(_i, text, sizeof text);
        struct chase_run run = chase_start(text, 1);
        chase_go_to(&run, MIDDLE);
        char *state = chase_state(&run, &bytes);
        char *changed = memory_new(bytes, 1);
        ck_assert(is_taken(run.scenario, state));
        /* The first bytes are few and decisive; fields are sampled. */
        for (size_t at = 0; at < bytes;) {
            for (int i = 0; i < CHANGES; i++) {
                if (!suite_is_long() && random_below(&random, 4) != 0)
                    continue;
                memcpy(changed, state, bytes);
                change(changed, bytes, at, i, &random);
                if (is_taken(run.scenario, changed))
                    taken++;
                else
                    refused++;
            }
            at += suite_is_long() ? 1 + random_below(&random, 3)
                                  : 1 + random_below(&random, 1 + bytes / 60);
        }
        ck_assert_uint_gt(taken, 0);
        ck_assert_uint_gt(refused, 0);
        memory_release(state);
        memory_release(changed);
        chase_end(&run);
    }
END_TEST

/* ---- recordings ---- */

struct file {
    char *bytes;
    size_t count, slot[2], slot_bytes; /* positions of the states */
};

static const char path[] = "hostile-state.h5";

static void read_file(struct file *file)
{
    FILE *in = fopen(path, "rb");
    ck_assert_ptr_nonnull(in);
    fseek(in, 0, SEEK_END);
    file->count = (size_t)ftell(in);
    rewind(in);
    file->bytes = memory_new(file->count, 1);
    ck_assert_uint_eq(fread(file->bytes, 1, file->count, in), file->count);
    fclose(in);
}

static void write_file(const struct file *file)
{
    FILE *out = fopen(path, "wb");
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(file->bytes, 1, file->count, out), file->count);
    fclose(out);
}

static bool is_as_it_was(const struct file *file)
{
    struct file now = { 0 };
    read_file(&now);
    bool same = now.count == file->count &&
                memcmp(now.bytes, file->bytes, now.count) == 0;
    memory_release(now.bytes);
    return same;
}

static void find_slots(struct file *file)
{
    static const char *const names[] = { "restart/state0", "restart/state1" };
    hid_t id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (int i = 0; i < 2; i++) {
        hid_t set = H5Dopen2(id, names[i], H5P_DEFAULT);
        file->slot[i] = (size_t)H5Dget_offset(set);
        file->slot_bytes = (size_t)H5Dget_storage_size(set);
        H5Dclose(set);
    }
    H5Fclose(id);
}

/* A slot is magic, checksum, and what the checksum is of. */
static void mend(struct file *file, int which)
{
    char *slot = file->bytes + file->slot[which];
    uint32_t crc = crc32c(0, slot + 8, file->slot_bytes - 8);
    memcpy(slot + 4, &crc, sizeof crc);
}

/* Until `end`, from the beginning or from the file's state. */
static enum status record(const struct scenario *scenario, bool resume,
                          int64_t end, struct error *error)
{
    struct run_options options = {
        .path = path,
        .force = !resume,
        .resume = resume,
        .threads = 1,
        .command = "test",
    };
    struct run *run;
    bool ended = false;
    enum status status = run_new(scenario, &options, &run, error);
    if (status)
        return status;
    status = run_begin(run, error);
    while (!status && !ended && run_steps_done(run) < end)
        status = run_step(run, &ended, error);
    if (status) {
        run_abandon(run);
        return status;
    }
    return run_close(run, ended ? RUN_DONE : RUN_STOPPED, NULL, error);
}

START_TEST(a_recording_with_such_a_state_is_unchanged_or_completed)
    {
        static const int recorded[] = { 0, 6, 8, 13, 15, 18, 22 };
        char text[2000], folder[] = "/tmp/hamon-state-XXXXXX";
        struct scenario *scenario;
        struct error error;
        struct random random;
        struct file file = { 0 };
        size_t refused = 0;
        random_seed(&random, (uint64_t)_i);
        text_of(recorded[_i], text, sizeof text);
        ck_assert_ptr_nonnull(mkdtemp(folder));
        ck_assert_int_eq(chdir(folder), 0);
        ck_assert_msg(!scenario_parse(text, "test", NULL, 0, &scenario, &error),
                      "%s", error.message);
        ck_assert_msg(!record(scenario, false, MIDDLE, &error), "%s",
                      error.message);
        find_slots(&file);
        read_file(&file);
        for (int i = 0; i < (suite_is_long() ? 2000 : 24); i++) {
            struct file changed = file;
            changed.bytes = memory_new(file.count, 1);
            memcpy(changed.bytes, file.bytes, file.count);
            /* The words of the headers, the first words of the state, and any
             * word. */
            size_t words = i % 3 == 0 ? 10 : i % 3 == 1 ? 60 : SIZE_MAX;
            size_t most = (file.slot_bytes - 8) / 8;
            size_t at = 8 * random_below(&random, words < most ? words : most);
            for (int slot = 0; slot < 2; slot++) {
                change(changed.bytes + file.slot[slot] + 8, file.slot_bytes - 8,
                       at, i % CHANGES, &random);
                mend(&changed, slot);
            }
            write_file(&changed);
            enum status status = record(scenario, true, STEPS, &error);
            /* Counts in the slot's header may leave no room for a table, or
             * name another version of the map than the expected one. */
            ck_assert_msg(!status || status == STATUS_INPUT ||
                              status == STATUS_DIVERGED ||
                              strstr(error.message, " is full at ") ||
                              strstr(error.message, " of the map comes where "),
                          "%s", error.message);
            if (status == STATUS_INPUT) {
                ck_assert_msg(is_as_it_was(&changed), "%s", error.message);
                refused++;
            }
            memory_release(changed.bytes);
        }
        ck_assert_uint_gt(refused, 0);
        /* The saved state itself can be resumed. */
        write_file(&file);
        ck_assert_msg(!record(scenario, true, STEPS, &error), "%s",
                      error.message);
        memory_release(file.bytes);
        scenario_release(scenario);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(chdir("/"), 0);
        ck_assert_int_eq(rmdir(folder), 0);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile states");
    TCase *tests = tcase_create("states");
    tcase_set_timeout(tests, suite_is_long() ? 3600 : 60);
    tcase_add_loop_test(tests,
                        a_state_that_no_run_has_saved_is_rejected_or_continued,
                        0, CASES);
    tcase_add_loop_test(
        tests, a_recording_with_such_a_state_is_unchanged_or_completed, 0, 7);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
