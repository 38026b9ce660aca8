/* SPDX-License-Identifier: MIT */
/* Which emissions are kept for agents that have not received them, and that
 * agents far away or cut off do not delay the others. */
#include "pursuit/needs.h"
#include "pursuit/reach.h"
#include "tests/pursuit/chase_runs.h"
#include "tests/world/flood.h"

#include "base/random.h"

static struct random dice;

static int below(int bound)
{
    return (int)random_below(&dice, (uint64_t)bound);
}

/* By the definition, one wave at a time: an agent needs an emission if it has
 * received none as new, and none between these is still to come. */
static bool is_needed(const struct needs *needs, int wave,
                      const int64_t *received, int agents)
{
    for (int j = 0; j < agents; j++) {
        bool first = needs->emitted[wave] > received[j] && !needs->over[wave];
        for (int i = 0; i < needs->waves && first; i++)
            first = needs->over[i] || needs->emitted[i] <= received[j] ||
                    needs->emitted[i] >= needs->emitted[wave];
        if (first)
            return true;
    }
    return false;
}

START_TEST(the_oldest_emissions_that_agents_need_stay)
    {
        random_seed(&dice, 1);
        for (int trial = 0; trial < 2000; trial++) {
            enum { AGENTS = 6 };
            struct needs needs;
            int64_t received[AGENTS];
            bool wanted[20];
            ck_assert_int_eq(needs_init(&needs, 1 + below(20), NULL),
                             STATUS_OK);
            /* Different steps, in any order; some were never emitted. */
            for (int i = 0; i < needs.waves; i++) {
                needs.emitted[i] = below(5) ? 100 * i + below(100) : -1;
                needs.over[i] = needs.emitted[i] < 0 || below(4) == 0;
                needs.stays[i] = false;
                const int other = below(i + 1);
                const int64_t emitted = needs.emitted[i];
                const bool over = needs.over[i];
                needs.emitted[i] = needs.emitted[other];
                needs.over[i] = needs.over[other];
                needs.emitted[other] = emitted;
                needs.over[other] = over;
            }
            for (int j = 0; j < AGENTS; j++) {
                received[j] = below(100 * needs.waves) - 1;
                needs_add(&needs, received[j]);
            }
            int count = 0;
            for (int i = 0; i < needs.waves; i++) {
                wanted[i] = is_needed(&needs, i, received, AGENTS);
                ck_assert(needs.stays[i] == wanted[i]);
                count += wanted[i];
            }
            ck_assert_int_eq(needs_count(&needs), count);
            needs_limit(&needs);
            const int most = needs.waves > 1 ? needs.waves / 2 : 1;
            for (int i = 0; i < needs.waves; i++) {
                int older = 0;
                for (int j = 0; j < needs.waves; j++)
                    older += wanted[j] && needs.emitted[j] < needs.emitted[i];
                ck_assert(needs.stays[i] == (wanted[i] && older < most));
            }
            needs_release(&needs);
        }
    }
END_TEST

START_TEST(cells_are_reached_as_by_a_search)
    {
        random_seed(&dice, 2);
        for (int trial = 0; trial < 200; trial++) {
            struct terrain terrain;
            struct reach reach;
            struct grid grid;
            const int dims = 2 + trial % 2;
            ck_assert_int_eq(grid_make(dims, 1 + below(20), 1 + below(12),
                                       dims == 3 ? 1 + below(5) : 1, &grid,
                                       NULL),
                             STATUS_OK);
            const size_t cells = grid_cells(&grid);
            ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
            ck_assert_int_eq(reach_init(&reach, &terrain, NULL), STATUS_OK);
            for (int change = 0; change < 3; change++) {
                const size_t from = (size_t)below((int)cells);
                uint8_t *seen = memory_new(cells, 1);
                int32_t *queue = memory_new(cells, sizeof *queue);
                for (size_t i = 0; i < cells; i++)
                    terrain.wall[i] = below(3) == 0;
                reach.known = false;
                reach_find(&reach, from);
                terrain_flood(&terrain, from, seen, queue);
                for (size_t i = 0; i < cells; i++) {
                    int cell[GRID_AXES];
                    grid_cell(&grid, i, cell);
                    const double at[GRID_AXES] = { cell[0], cell[1], cell[2] };
                    ck_assert(reach_holds(&reach, at) == seen[i]);
                }
                memory_release(seen);
                memory_release(queue);
            }
            reach_release(&reach);
            terrain_release(&terrain);
        }
    }
END_TEST

/* ---- chases with and without agents that no wave reaches soon ---- */

enum { WIDE = 24, HIGH = 16, TAIL = 150 };

/* Walls and free cells at random; two rows below them a corridor that begins at
 * the last column, and a closed chamber. */
static void write_map(FILE *out)
{
    fprintf(out, "map = { rows = (");
    for (int y = 0; y < HIGH + 4; y++) {
        fprintf(out, y ? ",\n\"" : "\"");
        for (int x = 0; x < WIDE + TAIL; x++) {
            bool open = x < WIDE && y < HIGH &&
                        (below(5) || x == WIDE - 1 || (x < 3 && y < 3));
            open = open || (y == HIGH && x == WIDE - 1);
            open = open || (y == HIGH + 1 && x >= WIDE - 1);
            open = open || (y == HIGH + 3 && x > WIDE);
            fputc(open ? '.' : '@', out);
        }
        fputc('"', out);
    }
    fprintf(out, "); };\n");
}

static char *scenario_text(uint64_t seed, const char *others,
                           const char *method)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    random_seed(&dice, seed);
    fprintf(
        out,
        "preset = \"best\"; steps = 1200; seed = %d;\n"
        "target = { at = [1, 1]; motion = \"random\"; };\n"
        "agents = ( { name = \"a\"; at = [%d, 3]; method = \"%s\"; },\n"
        "           { name = \"b\"; at = [%d, 12]; method = \"%s\"; }%s );\n"
        "pursuit = { stop = \"never\"; };\n",
        (int)seed, WIDE - 1, method, WIDE - 1, method, others);
    write_map(out);
    fclose(out);
    return text;
}

/* The steps at which the first two agents capture; −1: not. */
static void capture_steps(const char *text, int64_t steps[2])
{
    struct chase_run run = chase_start(text, 1);
    steps[0] = steps[1] = -1;
    while (!simulation_ended(run.simulation) &&
           (steps[0] < 0 || steps[1] < 0)) {
        chase_step(&run);
        for (int i = 0; i < 2; i++)
            if (steps[i] < 0 && chase_agents(&run)->state[i] == AGENT_CAPTURED)
                steps[i] = simulation_step(run.simulation);
    }
    chase_end(&run);
}

START_TEST(agents_far_away_or_cut_off_delay_no_other)
    {
        const char *method = _i % 3 == 2 ? "lee" : "wave";
        char cut_off[256], far[256], both[512];
        int64_t alone[2], steps[2];
        snprintf(cut_off, sizeof cut_off,
                 ", { name = \"c\"; at = [%d, %d]; method = \"%s\"; }"
                 ", { name = \"d\"; at = [%d, %d]; method = \"%s\"; }",
                 WIDE + 20, HIGH + 3, method, WIDE + 90, HIGH + 3, method);
        snprintf(far, sizeof far,
                 ", { name = \"far\"; at = [%d, %d]; method = \"%s\"; speed "
                 "= 0; }",
                 WIDE + TAIL - 1, HIGH + 1, method);
        snprintf(both, sizeof both, "%s%s", cut_off, far);
        const char *const others[] = { "", cut_off, far, both };
        for (int i = 0; i < 4; i++) {
            char *text = scenario_text((uint64_t)_i + 1, others[i], method);
            capture_steps(text, i ? steps : alone);
            free(text);
            ck_assert_int_ge(alone[0], 0);
            ck_assert_int_ge(alone[1], 0);
            for (int j = 0; j < 2 && i; j++)
                ck_assert_int_eq(steps[j], alone[j]);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("needs");
    TCase *tests = tcase_create("needs");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, the_oldest_emissions_that_agents_need_stay);
    tcase_add_test(tests, cells_are_reached_as_by_a_search);
    tcase_add_loop_test(tests, agents_far_away_or_cut_off_delay_no_other, 0, 9);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
