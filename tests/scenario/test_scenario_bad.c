/* SPDX-License-Identifier: MIT */
/* Bad scenarios: each is STATUS_INPUT, with the line and the error. */
#include "base/memory.h"
#include "scenario/scenario.h"
#include "settings/keys.h"
#include "tests/scenario/bad_scenarios.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static void assert_has(const char *message, const char *part)
{
    ck_assert_msg(strstr(message, part), "no `%s` in `%s`", part, message);
}

START_TEST(each_bad_scenario_is_rejected_with_its_line)
    {
        const struct bad_case *bad = &cases[_i];
        struct scenario *scenario = NULL;
        struct error error;
        char head[32];
        ck_assert_msg(scenario_parse(bad->text, "bad.cfg", NULL, 0, &scenario,
                                     &error) == STATUS_INPUT,
                      "taken: %s", bad->text);
        ck_assert_ptr_null(scenario);
        ck_assert_int_eq(error.status, STATUS_INPUT);
        snprintf(head, sizeof head, "bad.cfg:%d: ", bad->line);
        ck_assert_msg(strncmp(error.message, head, strlen(head)) == 0,
                      "not in line %d: %s", bad->line, error.message);
        assert_has(error.message, bad->message);
        ck_assert_ptr_null(strchr(error.message, '\n'));
        /* The message has the reason. */
        ck_assert_int_eq(
            scenario_parse(bad->text, "bad.cfg", NULL, 0, &scenario, NULL),
            STATUS_INPUT);
    }
END_TEST

/* ---- every key of the table ---- */

/* Writes `name = value;` of the group's other keys that are required. */
static int write_required(char *text, size_t size, const struct key *group,
                          const struct key *without)
{
    int used = 0;
    text[0] = '\0';
    for (const struct key *key = keys; key->path; key++) {
        const char *value = key->type == KEY_BOX     ? "[0, 0, 1, 1]"
                            : key->type == KEY_PLACE ? "[0, 0]"
                                                     : "4";
        if (key_is_in(key, group) && key->required && key != without &&
            key->type != KEY_GROUP)
            used += snprintf(text + used, size - (size_t)used, "%s = %s;\n",
                             key_leaf(key), value);
    }
    return used;
}

static const struct key *group_of(const struct key *key)
{
    for (const struct key *group = keys; group->path; group++)
        if (key_is_in(key, group))
            return group;
    return NULL;
}

/* A complete scenario except for `key`, which has this value on a separate
 * line; the path by which the message must name it. */
static void write_scenario(const struct key *key, const char *value,
                           char text[1024], char path[128])
{
    static const char map[] = "rows = (\"....\", \"....\");\n";
    const struct key *group = group_of(key);
    bool legend = group && strcmp(group->path, "map.legend") == 0;
    bool list = group && group->type == KEY_GROUPS;
    char top[256], others[256], setting[256];
    write_required(top, sizeof top, NULL, key);
    write_required(others, sizeof others, group, key);
    snprintf(setting, sizeof setting, "%s = %s;\n", key_leaf(key), value);
    snprintf(path, 128, "%s%s%s", group ? group->path : "",
             list    ? ".[0]."
             : group ? "."
                     : "",
             key_leaf(key));
    if (key->type == KEY_GROUP && strcmp(key->path, "map") == 0)
        snprintf(text, 1024, "%s%s", top, setting);
    else if (!group)
        snprintf(text, 1024, "%s%smap = { %s };\n", top, setting, map);
    else if (legend)
        snprintf(text, 1024, "%smap = { %s legend = ( { %s%s } ); };\n", top,
                 map, strcmp(key_leaf(key), "symbol") ? "symbol = \"x\";" : "",
                 setting);
    else if (strcmp(group->path, "map") == 0)
        snprintf(text, 1024, "%smap = { %s };\n", top, setting);
    else
        snprintf(text, 1024, "%smap = { %s };\n%s = %s{ %s%s }%s;\n", top, map,
                 group->path, list ? "( " : "", others, setting,
                 list ? " )" : "");
}

static bool takes(enum key_type type, const char *value)
{
    switch (*value) {
    case '5':
        return type == KEY_REAL || type == KEY_WHOLE;
    case '1': /* 1.5 */
        return type == KEY_REAL;
    case 't': /* true */
        return type == KEY_SWITCH;
    case '"':
        return type == KEY_TEXT || type == KEY_PATH;
    case '{':
        return type == KEY_GROUP;
    default: /* an empty list */
        return value[1] != 't' && (type == KEY_GROUPS || type == KEY_POSITIONS);
    }
}

START_TEST(every_key_rejects_values_of_other_types)
    {
        static const char *const values[] = { "5",  "1.5",    "true",
                                              "()", "{ }",    "\"no such\"",
                                              "[]", "(true)", "[true]" };
        const struct key *key = &keys[_i];
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            if (takes(key->type, values[i]))
                continue;
            char text[1024], path[128], setting[128], head[160];
            struct scenario *scenario = NULL;
            struct error error;
            write_scenario(key, values[i], text, path);
            ck_assert_msg(scenario_parse(text, "bad.cfg", NULL, 0, &scenario,
                                         &error) == STATUS_INPUT,
                          "taken: %s", text);
            snprintf(setting, sizeof setting, "%s = %s", key_leaf(key),
                     values[i]);
            int line = 1;
            for (const char *at = strstr(text, setting); at > text; at--)
                line += at[-1] == '\n';
            snprintf(head, sizeof head, "bad.cfg:%d: %s", line, path);
            ck_assert_msg(strncmp(error.message, head, strlen(head)) == 0,
                          "not %s but %s", head, error.message);
        }
    }
END_TEST

enum { MESSAGE_SIZE = 2 * ERROR_MESSAGE_SIZE + 16 };

static bool refused(const struct key *key, double value, char *message)
{
    char text[1024], path[128], number[64];
    struct scenario *scenario = NULL;
    struct error error;
    snprintf(number, sizeof number, key->type == KEY_WHOLE ? "%.0fL" : "%.17e",
             value);
    write_scenario(key, number, text, path);
    strcat(path, ": ");
    enum status status =
        scenario_parse(text, "bad.cfg", NULL, 0, &scenario, &error);
    scenario_release(scenario);
    snprintf(message, MESSAGE_SIZE, "%s for %s",
             status ? error.message : "taken", text);
    return status == STATUS_INPUT && strstr(error.message, path) &&
           strstr(error.message, "is not allowed; ");
}

START_TEST(every_number_keeps_its_range)
    {
        const struct key *key = &keys[_i];
        char message[MESSAGE_SIZE];
        if (key->type != KEY_WHOLE && key->type != KEY_REAL)
            return;
        double below = key->type == KEY_WHOLE ? key->low - 1
                       : key->above           ? key->low
                                              : key->low - 1e-3;
        ck_assert_msg(refused(key, below, message), "%s", message);
        double above =
            key->type == KEY_WHOLE ? key->high + 1 : key->high * 1.01;
        if (key->high < 0x1p63)
            ck_assert_msg(refused(key, above, message), "%s", message);
    }
END_TEST

START_TEST(a_misspelt_key_leads_to_the_right_one)
    {
        const struct key *key = &keys[_i];
        char name[64];
        snprintf(name, sizeof name, "%sx", key_leaf(key));
        ck_assert_ptr_eq(key_nearest(keys, group_of(key), name), key);
    }
END_TEST

/* ---- overrides ---- */

static const struct {
    const char *override, *message;
} overrides[] = {
    { "wave.delta=0.9", "--set wave.delta=0.9: 0.9 is over" },
    { "wave.delta=1e999", "--set wave.delta=1e999: 1e999: a number too large" },
    { "wave.delta=fast", "--set wave.delta=fast: \"fast\" is not allowed" },
    { "wave.delta=", "--set wave.delta=: the text ends: a value is missing" },
    { "wave.delta", "--set wave.delta: key=value is expected" },
    { "=5", "--set =5: not the path of a key" },
    { "wave..delta=5", "not the path of a key" },
    { "wave.=5", "not the path of a key" },
    { "wave.detla=1", "detla: unknown key; the nearest known one is wave." },
    { "steps=3000000000",
      "--set steps=3000000000: 3000000000: a whole number" },
    { "steps=1e3", "--set steps=1e3: a whole number is written without point "
                   "and exponent: 1000" },
    { "steps=1e300", "--set steps=1e300: 1e+300 is not allowed" },
    { "target.at=50,3", "nothing is allowed after the value; a position "
                        "[x, y]" },
    { "steps=5;6", "nothing is allowed after the value" },
    { "steps=5; seed = 7", "nothing is allowed after the value" },
    { "steps.more=5", "continues after a key that is not a group" },
    { "steps=@include", "@include is not allowed" },
    { "agents.speed=1", "agents is a list; an index is expected" },
    { "agents.[1].speed=0.1", "the scenario has 1 agents" },
    { "agents.[x].speed=0.1", "an index is expected" },
    { "agents.[-1].speed=0.1", "an index is expected" },
    { "agents.[99999999999999999999].speed=0.1", "the scenario has 1 agents" },
    { "agents.[0]=5", "ends before a key" },
    { "agents.[0].at.[0]=5", "continues after a key" },
    { "agents.[0].speed=0.9", "--set agents.[0].speed=0.9: 0.9" },
    { "agents=({at=[0,0];spede=1;})", "[0].spede: unknown key" },
    { "agents=({at=[1,1];})",
      "--set agents=({at=[1,1];}): agents.[0].at: its nearest cell" },
    { "wave={delta=0.9}", "--set wave={delta=0.9}: wave.delta: 0.9" },
    { "wave=5", "--set wave=5: 5 is not allowed; a group" },
    { "record.region=[0,0,9,9]", "outside the map" },
    { "record.region=[0,0.5,1,1]", "a box ends at cells" },
    { "title=\"two\\nlines\"", "--set title=" },
    { "events.[0].step=5", "the scenario has 0 events" },
};

START_TEST(a_bad_override_is_reported_as_such)
    {
        static const char text[] = WAVES "agents = ({ at = [0, 0]; });\n";
        struct scenario *scenario = NULL;
        struct error error;
        const char *override = overrides[_i].override;
        ck_assert_msg(scenario_parse(text, "bad.cfg", &override, 1, &scenario,
                                     &error) == STATUS_INPUT,
                      "taken: %s", override);
        ck_assert_msg(strncmp(error.message, "--set ", 6) == 0, "%s",
                      error.message);
        assert_has(error.message, overrides[_i].message);
    }
END_TEST

START_TEST(a_scenario_that_cannot_be_read_is_reported)
    {
        struct scenario *scenario = NULL;
        struct error error;
        ck_assert_int_eq(
            scenario_load("no/such/file.cfg", NULL, 0, &scenario, &error),
            STATUS_INPUT);
        assert_has(error.message, "no/such/file.cfg: cannot be opened");
        ck_assert_int_eq(scenario_load("/", NULL, 0, &scenario, &error),
                         STATUS_INPUT);
        ck_assert_ptr_null(scenario);
    }
END_TEST

START_TEST(distances_between_names_are_those_of_damerau)
    {
        ck_assert_int_eq(name_distance("", ""), 0);
        ck_assert_int_eq(name_distance("", "delta"), 5);
        ck_assert_int_eq(name_distance("Delta", "delta"), 0);
        ck_assert_int_eq(name_distance("detla", "delta"), 1);
        ck_assert_int_eq(name_distance("kitten", "sitting"), 3);
        ck_assert_int_eq(name_distance("sitting", "kitten"), 3);
    }
END_TEST

/* Positions are exact on axes of up to 2^22 cells (pursuit/motion.h). */
START_TEST(agents_and_targets_need_axes_of_4194304_cells_at_most)
    {
        enum { CELLS = (1 << 22) + 1 };
        static const char *const groups[] = {
            "", "target = { at = [0.0, 0.0]; };"
        };
        char *text = memory_new(CELLS + 200, 1);
        ck_assert_ptr_nonnull(text);
        for (int target = 0; target < 2; target++) {
            struct scenario *scenario = NULL;
            struct error error;
            int used = snprintf(text, 100, "steps = 1; map = { rows = (\"");
            memset(text + used, '.', CELLS);
            snprintf(text + used + CELLS, 100, "\"); }; %s", groups[target]);
            ck_assert_int_eq(
                scenario_parse(text, "long.cfg", NULL, 0, &scenario, &error),
                target ? STATUS_INPUT : STATUS_OK);
            if (target)
                assert_has(error.message,
                           "map: has 4194305 cells along x; with agents or a "
                           "target at most 4194304 are allowed");
            scenario_release(scenario);
        }
        memory_release(text);
    }
END_TEST

int main(void)
{
    int key_count = 0, case_count = sizeof cases / sizeof *cases;
    while (keys[key_count].path)
        key_count++;
    Suite *suite = suite_create("scenario, refused");
    TCase *tests = tcase_create("refused");
    tcase_add_loop_test(tests, each_bad_scenario_is_rejected_with_its_line, 0,
                        case_count);
    tcase_add_loop_test(tests, every_key_rejects_values_of_other_types, 0,
                        key_count);
    tcase_add_loop_test(tests, every_number_keeps_its_range, 0, key_count);
    tcase_add_loop_test(tests, a_misspelt_key_leads_to_the_right_one, 0,
                        key_count);
    tcase_add_loop_test(tests, a_bad_override_is_reported_as_such, 0,
                        sizeof overrides / sizeof *overrides);
    tcase_add_test(tests, a_scenario_that_cannot_be_read_is_reported);
    tcase_add_test(tests, distances_between_names_are_those_of_damerau);
    TCase *large = tcase_create("large");
    tcase_set_timeout(large, 60);
    tcase_add_test(large,
                   agents_and_targets_need_axes_of_4194304_cells_at_most);
    suite_add_tcase(suite, large);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
