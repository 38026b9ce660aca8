/* SPDX-License-Identifier: MIT */
/* The resolved scenario, the parameters, the examples, the list of keys. */
#include "settings/keys.h"
#include "tests/scenario/scenarios.h"
#include "tests/suite.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static void assert_line(const struct scenario *scenario, const char *line)
{
    char whole[256];
    snprintf(whole, sizeof whole, "\n%s\n", line);
    ck_assert_msg(strstr(scenario->parameters, whole), "no %s in:\n%s", line,
                  scenario->parameters);
}

START_TEST(the_resolved_scenario_is_a_fixed_point)
    {
        static const char *const texts[] = {
            everything,
            WORLD "# the end has no newline",
            WORLD "wave = { }; preset = \"best\"; title = \"\";",
            WORLD "wave = { delta = 0.1; amplitude = 1e300; precision = "
                  "\"double\"; };",
            "steps = 4; map = { rows = (\"...\", \"...\"); };"
            "target = { at = \"random\"; motion = \"waypoints\"; waypoints = "
            "([0, 0], [1.5, 1.0]); };",
            "steps = 1L; map = { layers = ((\"..\", \"..\"), (\"..\", "
            "\".@\")); }; record = { region = [0, 0, 0, 1, 1, 1]; };",
        };
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            struct scenario *s = parse(texts[i], NULL);
            assert_fixed_point(s);
            scenario_release(s);
        }
    }
END_TEST

/* Recordings of 1.0 lack it, and mean the run's stencil. */
START_TEST(a_later_key_is_printed_unless_it_has_the_plain_default)
    {
        static const struct {
            const char *head, *stencil, *line;
        } cases[] = {
            { "", "", NULL },
            { "", "stencil = \"wave\";", NULL },
            { "", "stencil = \"matched\";", "arrival.stencil = matched" },
            { "preset = \"best\";", "", "arrival.stencil = matched" },
            { "preset = \"best\";", "stencil = \"wave\";",
              "arrival.stencil = wave" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "%s steps = 5; map = { rows = ( \"...\" ); }; wave = { };"
                     "arrival = { detector = \"laplace\"; %s };"
                     "target = { at = [0, 0]; };",
                     cases[i].head, cases[i].stencil);
            struct scenario *s = parse(text, NULL), *again;
            if (cases[i].line)
                assert_line(s, cases[i].line);
            else
                ck_assert_ptr_null(strstr(s->parameters, "arrival.stencil"));
            again = parse(s->resolved, NULL);
            ck_assert_str_eq(again->parameters, s->parameters);
            scenario_release(again);
            scenario_release(s);
        }
    }
END_TEST

START_TEST(parameters_are_a_line_a_key)
    {
        struct scenario *s = parse(everything, NULL);
        assert_line(s, "seed = 9000000000L");
        assert_line(s, "wave.delta = 0.2");
        assert_line(s, "wave.walls = free");
        assert_line(s, "wave.stencil = 9-point");
        assert_line(s, "wave.allow_unstable = true");
        assert_line(s, "arrival.detector = laplace");
        assert_line(s, "target.at = [4.5, 3.0]");
        assert_line(s, "agents.[1].at = random");
        assert_line(s, "agents.[0].name = A");
        assert_line(s, "regions.[0].name = mud");
        assert_line(s, "regions.[1].one_way = east");
        assert_line(s, "events.[2].speed = 0.75");
        assert_line(s, "record.fields = (\"amplitude\", \"arrival\")");
        assert_line(s, "map.legend.[2].color = #00ff80");
        assert_line(s, "scale.cell = 0.5");
        scenario_release(s);
    }
END_TEST

/* So the settings read back to the same names, whatever entries come before. */
START_TEST(names_that_were_not_given_are_not_printed)
    {
        struct scenario *s = parse(everything, NULL);
        ck_assert_ptr_nonnull(strstr(s->resolved, "name = \"A\""));
        ck_assert_ptr_null(strstr(s->parameters, "agents.[1].name"));
        ck_assert_ptr_null(strstr(s->parameters, "regions.[1].name"));
        scenario_release(s);
    }
END_TEST

START_TEST(examples_are_valid_fixed_points_of_no_warning)
    {
        static const char *const names[] = { "paper", "best", "3d" };
        for (size_t i = 0; i < 3; i++) {
            const char *text = scenario_example(names[i]);
            ck_assert_ptr_nonnull(strchr(text, '#'));
            struct scenario *s = parse(text, NULL);
            ck_assert_ptr_null(scenario_warning(s, 0));
            ck_assert_int_eq(s->terrain.grid.dims, i == 2 ? 3 : 2);
            assert_fixed_point(s);
            scenario_release(s);
        }
        ck_assert_ptr_null(scenario_example("worst"));
    }
END_TEST

START_TEST(numbers_keep_their_point_in_every_locale)
    {
        struct scenario *plain = parse(everything, NULL);
        const char *locale = setlocale(LC_ALL, "de_DE.UTF-8");
        struct scenario *german = parse(everything, NULL);
        ck_assert_str_eq(german->resolved, plain->resolved);
        /* The caller's own locale is restored. */
        char text[16];
        snprintf(text, sizeof text, "%.1f", 0.5);
        ck_assert_str_eq(text, locale ? "0,5" : "0.5");
        scenario_release(german);
        scenario_release(plain);
    }
END_TEST

/* Every key at the start of a line, no line over 100 columns or with blanks at
 * its end. */
START_TEST(the_list_of_keys_is_complete_and_fits_a_screen)
    {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        keys_print(out);
        fclose(out);
        for (const struct key *key = keys; key->path; key++) {
            char line[64];
            snprintf(line, sizeof line, "\n%s ", key->path);
            ck_assert_msg(strstr(text, line), "no %s", key->path);
        }
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            ck_assert_msg(strlen(line) <= 100, "too long: %s", line);
            ck_assert_msg(line[strlen(line) - 1] != ' ', "blank: %s|", line);
        }
        free(text);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenario, printed");
    TCase *tests = tcase_create("printed");
    tcase_add_test(tests, the_resolved_scenario_is_a_fixed_point);
    tcase_add_test(tests,
                   a_later_key_is_printed_unless_it_has_the_plain_default);
    tcase_add_test(tests, parameters_are_a_line_a_key);
    tcase_add_test(tests, names_that_were_not_given_are_not_printed);
    tcase_add_test(tests, examples_are_valid_fixed_points_of_no_warning);
    tcase_add_test(tests, numbers_keep_their_point_in_every_locale);
    tcase_add_test(tests, the_list_of_keys_is_complete_and_fits_a_screen);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
