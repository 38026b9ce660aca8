/* SPDX-License-Identifier: MIT */
/* Agents' signs and trails: those of one colour are distinguishable, in black
 * and white too. */
#include "tests/suite.h"

#include "draw/figure/overlay.h"

#include <math.h>
#include <string.h>

enum { SIDE = 120, AGENTS = 21, LEVEL = 60 };

static struct image image;
static struct projection projection = { .step = { { 1, 0 }, { 0, 1 } } };
static struct pen pen = { .size = { SIDE, SIDE },
                          .projection = &projection,
                          .em = 29 /* 7 points at 300 dots an inch */ };

static void setup(void)
{
    ck_assert_int_eq(image_init(&image, SIDE, SIDE, NULL), STATUS_OK);
    ck_assert_int_eq(page_over(&image, NULL, &pen.page, NULL), STATUS_OK);
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
}

static void teardown(void)
{
    page_release(pen.page);
    image_release(&image);
}

static int luma(const uint8_t *rgb)
{
    return (2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2]) / 10000;
}

/* The brightness of every pixel of the agent's sign, drawn on white. */
static void draw_sign(const struct pen *with, int agent, int out[SIDE * SIDE])
{
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    overlay_agent(with, agent, (double[]){ SIDE / 2., SIDE / 2. });
    for (int i = 0; i < SIDE * SIDE; i++)
        out[i] = luma(image.rgb + 3 * (size_t)i);
}

static int pixels_unlike(const int *a, const int *b)
{
    int unlike = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        unlike += abs(a[i] - b[i]) > LEVEL;
    return unlike;
}

START_TEST(twenty_one_agents_differ_in_colour_or_shape)
    {
        for (int i = 0; i < AGENTS; i++)
            for (int j = 0; j < i; j++)
                ck_assert(overlay_color(i) != overlay_color(j) ||
                          overlay_shape(i) != overlay_shape(j));
        ck_assert_ptr_eq(overlay_color(AGENTS), overlay_color(0));
        ck_assert_int_eq(overlay_shape(AGENTS), overlay_shape(0));
        ck_assert_int_eq(overlay_shape(-1), OVERLAY_DISC);
    }
END_TEST

START_TEST(signs_of_one_colour_differ_in_black_and_white)
    {
        static int one[SIDE * SIDE], other[SIDE * SIDE];
        double area = 3.14159265 * pow(overlay_agent_radius(pen.em), 2);
        for (int i = 0; i < AGENTS; i++)
            for (int j = 0; j < i; j++) {
                if (overlay_color(i) != overlay_color(j))
                    continue;
                draw_sign(&pen, i, one);
                draw_sign(&pen, j, other);
                ck_assert_double_gt(pixels_unlike(one, other), .08 * area);
            }
    }
END_TEST

START_TEST(signs_of_every_shape_have_the_area_of_a_disc)
    {
        static int sign[SIDE * SIDE];
        struct pen large = pen;
        large.em = 90; /* few pixels are on its edge */
        double area = 3.14159265 * pow(overlay_agent_radius(large.em), 2);
        for (int agent = 6; agent < AGENTS; agent += 7) { /* a dark one */
            double covered = 0;
            draw_sign(&large, agent, sign);
            for (int i = 0; i < SIDE * SIDE; i++)
                covered += sign[i] < 128;
            ck_assert_double_eq_tol(covered / area, 1, .03);
        }
    }
END_TEST

/* How many pixels of a trail have its colour, and how many that of its
 * outline. */
static void draw_trail(int agent, int *colored, int *cased)
{
    double xs[] = { 10, 110 }, ys[] = { 60, 60 }, zs[] = { 0, 0 };
    struct track track = { .number = agent, .at = { xs, ys, zs } };
    struct tracks tracks = { .rows = 2, .track = &track, .count = 1 };
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    overlay_trails(&pen, &tracks, 1);
    *colored = *cased = 0;
    for (int x = 15; x < 105; x++) {
        const uint8_t *on = image_at(&image, x, 60);
        *colored += luma(on) > luma(overlay_color(agent)) - LEVEL;
        *cased += luma(on) < LEVEL;
    }
}

START_TEST(trails_of_one_colour_are_unbroken_dashed_and_dotted)
    {
        int colored[OVERLAY_SHAPES], cased[OVERLAY_SHAPES];
        for (int shape = 0; shape < OVERLAY_SHAPES; shape++)
            draw_trail(7 * shape, &colored[shape], &cased[shape]);
        ck_assert_int_eq(colored[OVERLAY_DISC], 90);
        ck_assert_int_eq(cased[OVERLAY_DISC], 0);
        for (int shape = 1; shape < OVERLAY_SHAPES; shape++) {
            ck_assert_int_ge(colored[shape], 20);
            ck_assert_int_ge(cased[shape], 20);
        }
        ck_assert_int_gt(colored[OVERLAY_SQUARE], colored[OVERLAY_TRIANGLE]);
    }
END_TEST

/* How many pixels of a row are not white from `from` to before `to`. */
static int drawn_in(int y, int from, int to)
{
    int count = 0;
    for (int x = from; x < to; x++)
        count += luma(image_at(&image, x, y)) < 250;
    return count;
}

START_TEST(the_node_that_a_walker_goes_to_is_half_as_large_again)
    {
        uint8_t kind[] = { PLAN_NODES };
        double agent[] = { 0 }, step[] = { 0 };
        size_t first[] = { 0, 3 };
        double xs[] = { 20, 60, 100 }, ys[] = { 60, 60, 60 };
        const struct plans plans = { .count = 1,
                                     .kind = kind,
                                     .agent = agent,
                                     .step = step,
                                     .first = first,
                                     .cell = { xs, ys, NULL } };
        struct track track = { .number = 0 };
        const struct tracks tracks = { .track = &track, .count = 1 };
        overlay_nodes(&pen, &plans, &tracks, 5);
        int wide = drawn_in(60, 0, 40);
        ck_assert_int_gt(wide, 2 * .6 * overlay_agent_radius(pen.em) - 2);
        ck_assert_int_eq(drawn_in(60, 40, 80), wide);
        ck_assert_double_eq_tol(drawn_in(60, 80, 120), 1.5 * wide, 2);
        ck_assert_int_eq(drawn_in(40, 0, 120), 0);
    }
END_TEST

/* The amount of ink of a sign at this place. */
static double ink_at(int agent, double x, double y)
{
    double at[3][1] = { { x }, { y }, { 0 } }, still[1] = { 0 }, ink = 0;
    struct track track = { .number = agent,
                           .at = { at[0], at[1], at[2] },
                           .heading = { still, still, still } };
    const struct tracks tracks = { .rows = 1, .track = &track, .count = 1 };
    memset(image.rgb, agent < 0 ? 128 : 255, (size_t)SIDE * SIDE * 3);
    const int paper = luma(image.rgb);
    overlay_agents(&pen, &tracks, 0);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        ink += abs(luma(image.rgb + 3 * i) - paper);
    return ink;
}

START_TEST(signs_at_the_edge_are_whole)
    {
        static const double edges[][2] = { { 0, 0 },  { SIDE, SIDE },
                                           { 60, 0 }, { 60.3, SIDE },
                                           { 0, 61 }, { SIDE, 4 } };
        for (int agent = -1; agent < AGENTS; agent += agent < 0 ? 1 : 7) {
            double whole = ink_at(agent, 60, 60);
            for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
                ck_assert_double_eq_tol(
                    ink_at(agent, edges[i][0], edges[i][1]) / whole, 1, .02);
            ck_assert_double_eq(ink_at(agent, -60, 60), 0);
            ck_assert_double_eq(ink_at(agent, NAN, 60), 0);
        }
    }
END_TEST

/* ---- many agents ---- */

/* `agents` walk along y = 60 and come back along it. */
static void draw_crowd(struct pen *with, int agents, bool trails)
{
    static double x[3] = { 20, 100, 20 }, y[3] = { 60, 60, 60 }, zero[3];
    struct track track[4];
    for (int i = 0; i < agents; i++)
        track[i] = (struct track){ .number = i,
                                   .at = { x, y, zero },
                                   .heading = { zero, zero, zero } };
    const struct tracks tracks = { .rows = 3,
                                   .track = track,
                                   .count = (size_t)agents };
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    if (trails)
        overlay_trails(with, &tracks, 2);
    else
        overlay_agents(with, &tracks, 2);
}

START_TEST(trails_of_many_agents_are_darker_where_more_of_them_overlap)
    {
        struct pen many = pen, some = pen;
        many.crowd = CROWD_MANY;
        some.crowd = CROWD_FEW;
        many.em = some.em = 90; /* whole pixels are covered */
        int before = 255;
        for (int agents = 1; agents <= 4; agents++) {
            draw_crowd(&many, agents, true);
            int found = luma(image_at(&image, 60, 60));
            ck_assert_int_lt(found, before - 8);
            before = found;
        }
        draw_crowd(&many, 1, true); /* one trail over itself is one trail */
        const uint8_t *color = mark_color(0);
        for (int c = 0; c < 3; c++)
            ck_assert_int_le(abs(image_at(&image, 60, 60)[c] -
                                 (int)lround(255 - .3 * (255 - color[c]))),
                             2);
        draw_crowd(&some, 1, true);
        int one = luma(image_at(&image, 60, 60));
        draw_crowd(&some, 4, true);
        ck_assert_int_eq(luma(image_at(&image, 60, 60)), one);
    }
END_TEST

START_TEST(marks_of_many_agents_are_half_as_wide)
    {
        struct pen many = pen, some = pen;
        many.crowd = CROWD_MANY;
        some.crowd = CROWD_FEW;
        draw_crowd(&some, 1, false);
        int wide = drawn_in(60, 0, SIDE);
        draw_crowd(&many, 1, false);
        ck_assert_double_eq_tol(drawn_in(60, 0, SIDE), wide / 2., 1.5);
    }
END_TEST

/* ---- up to twenty agents ---- */

/* The share of a trail along y = 60 that is drawn. */
static double share_of(int agent)
{
    struct pen some = pen;
    double x[2] = { 10, 110 }, y[2] = { 60, 60 }, zero[2] = { 0 };
    struct track track = { .number = agent, .at = { x, y, zero } };
    const struct tracks tracks = { .rows = 2, .track = &track, .count = 1 };
    some.crowd = CROWD_SOME;
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    overlay_trails(&some, &tracks, 1);
    return drawn_in(60, 12, 108) / 96.;
}

START_TEST(trails_of_one_colour_or_of_one_brightness_differ_in_their_strokes)
    {
        double share[20];
        int same = 0;
        for (int i = 0; i < 20; i++)
            share[i] = share_of(i);
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < i; k++) {
                bool gray = abs(luma(mark_color(i)) - luma(mark_color(k))) < 45;
                bool alike = fabs(share[i] - share[k]) < .08;
                ck_assert(!alike || i % MARK_COLORS != k % MARK_COLORS);
                same += i < MARK_COLORS && gray && alike;
            }
        ck_assert_int_le(same, 2); /* eight agents, three strokes, two grays */
    }
END_TEST

START_TEST(trails_of_unlike_strokes_that_share_a_path_are_all_visible)
    {
        static const int numbers[3] = { 0, 3, 4 }; /* unbroken, dashed, dots */
        struct pen some = pen;
        double x[2] = { 10, 110 }, y[2] = { 60.5, 60.5 }, zero[2] = { 0 };
        struct track track[3];
        const struct tracks tracks = { .rows = 2, .track = track, .count = 3 };
        some.crowd = CROWD_SOME;
        for (int first = 0; first < 3; first++) {
            int found[3] = { 0 };
            for (int i = 0; i < 3; i++)
                track[(first + i) % 3] = (struct track){ .number = numbers[i],
                                                         .at = { x, y, zero } };
            memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
            overlay_trails(&some, &tracks, 1);
            for (int at = 12; at < 108; at++)
                for (int i = 0; i < 3; i++) {
                    int off = 0;
                    for (int c = 0; c < 3; c++)
                        off += abs(image_at(&image, at, 60)[c] -
                                   mark_color(numbers[i])[c]);
                    found[i] += off < 60;
                }
            for (int i = 0; i < 3; i++)
                ck_assert_int_ge(found[i], 5);
        }
    }
END_TEST

/* ---- positions of arrows ---- */

enum { NX = 45, NY = 31, CELLS = NX * NY };

static bool is_free(const uint8_t *wall, int x, int y)
{
    return x >= 0 && x < NX && y >= 0 && y < NY && !wall[y * NX + x];
}

/* One more move from every marked cell, without cutting corners. */
static void spread(const uint8_t *wall, uint8_t *near)
{
    static uint8_t before[CELLS];
    memcpy(before, near, CELLS);
    for (int i = 0; i < 9 * CELLS; i++) {
        int x = i / 9 % NX, y = i / 9 / NX, dx = i % 3 - 1, dy = i / 3 % 3 - 1;
        if (before[i / 9] && is_free(wall, x + dx, y) &&
            is_free(wall, x, y + dy) && is_free(wall, x + dx, y + dy))
            near[(y + dy) * NX + x + dx] = 1;
    }
}

static size_t place_arrows(const uint8_t *wall, const double *right, int apart,
                           uint8_t *there)
{
    static const double down[CELLS];
    static int32_t room[2 * CELLS];
    size_t able =
        overlay_arrows(&pen, right, down, wall, NX, NY, 2, apart, room);
    for (int i = 0; i < CELLS; i++)
        there[i] = room[i] < 0;
    return able;
}

START_TEST(an_arrow_is_near_every_free_cell_by_moves_over_free_cells)
    {
        uint8_t wall[CELLS], there[CELLS], near[CELLS];
        double right[CELLS];
        const int apart = _i;
        for (int share = 0; share < 6; share++) {
            int count = 0;
            for (int i = 0; i < CELLS; i++) {
                wall[i] = (i * 7919 + i / NX * 31) % 11 < share;
                right[i] = i % 5 ? 1 : -1;
            }
            place_arrows(wall, right, apart, there);
            memcpy(near, there, CELLS);
            for (int i = 0; i < 3 * apart / 4; i++)
                spread(wall, near);
            for (int i = 0; i < CELLS; i++) {
                ck_assert(wall[i] ? !there[i] : near[i]);
                count += there[i];
            }
            if (!share) /* a lattice in the open, and some at the ends */
                ck_assert_int_le(count, (NX / apart + 1) * (NY / apart + 1));
        }
    }
END_TEST

START_TEST(each_corridor_has_its_own_arrows)
    {
        uint8_t wall[CELLS], there[CELLS];
        double right[CELLS];
        for (int width = 1; width <= 6; width++)
            for (int apart = 1; apart < 14; apart++) {
                for (int i = 0; i < CELLS; i++) {
                    wall[i] = i / NX % (width + 1) == 0;
                    right[i] = 1;
                }
                place_arrows(wall, right, apart, there);
                for (int y = 1; y + width <= NY; y += width + 1) {
                    int last = -apart, count = 0;
                    for (int x = 0; x < NX; x++) {
                        bool here = false;
                        for (int k = 0; k < width; k++)
                            here |= there[(y + k) * NX + x];
                        if (!here)
                            continue;
                        ck_assert_int_le(x - last, 2 * apart);
                        last = x;
                        count++;
                    }
                    ck_assert_int_gt(count, 0);
                    ck_assert_int_ge(last, NX - 1 - apart);
                }
            }
    }
END_TEST

START_TEST(cells_without_a_direction_have_no_arrow)
    {
        uint8_t there[CELLS];
        double right[CELLS];
        for (int i = 0; i < CELLS; i++)
            right[i] = i % NX < 20 ? (i % 2 ? NAN : .09) : 1;
        size_t able = place_arrows(NULL, right, 3, there);
        ck_assert_uint_eq(able, (NX - 20) * NY);
        for (int i = 0; i < CELLS; i++)
            ck_assert(!there[i] || i % NX >= 20);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("overlay");
    TCase *tcase = tcase_create("overlay");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(
        tcase,
        trails_of_one_colour_or_of_one_brightness_differ_in_their_strokes);
    tcase_add_test(tcase,
                   trails_of_unlike_strokes_that_share_a_path_are_all_visible);
    tcase_add_test(tcase, twenty_one_agents_differ_in_colour_or_shape);
    tcase_add_test(tcase, signs_of_one_colour_differ_in_black_and_white);
    tcase_add_test(tcase, signs_of_every_shape_have_the_area_of_a_disc);
    tcase_add_test(tcase, signs_at_the_edge_are_whole);
    tcase_add_test(tcase, trails_of_one_colour_are_unbroken_dashed_and_dotted);
    tcase_add_test(tcase,
                   the_node_that_a_walker_goes_to_is_half_as_large_again);
    tcase_add_loop_test(
        tcase, an_arrow_is_near_every_free_cell_by_moves_over_free_cells, 1, 9);
    tcase_add_test(tcase, each_corridor_has_its_own_arrows);
    tcase_add_test(tcase, cells_without_a_direction_have_no_arrow);
    tcase_add_test(tcase,
                   trails_of_many_agents_are_darker_where_more_of_them_overlap);
    tcase_add_test(tcase, marks_of_many_agents_are_half_as_wide);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
