/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "draw/figure/contour.h"
#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 23, NY = 17 };

static double values[NX * NY];
static struct contour contour;

START_TEST(the_contour_of_a_plane_is_a_straight_line)
    {
        for (int i = 0; i < NX * NY; i++)
            values[i] = .7 * (i % NX) - .4 * (i / NX) + .13;
        contour_add(&contour, values, NX, NY, 5);
        ck_assert_uint_gt(contour.count, 10);
        double length = 0;
        for (size_t i = 0; i < contour.count; i++) {
            const struct contour_piece *p = &contour.pieces[i];
            ck_assert_double_eq_tol(.7 * p->from[0] - .4 * p->from[1] + .13, 5,
                                    1e-12);
            ck_assert_double_eq_tol(.7 * p->to[0] - .4 * p->to[1] + .13, 5,
                                    1e-12);
            length += hypot(p->to[0] - p->from[0], p->to[1] - p->from[1]);
        }
        /* From the edge y = 0 at x = 6.957… to y = 16. */
        ck_assert_double_eq_tol(length, 16 * hypot(1, .4 / .7), 1e-9);
        contour_release(&contour);
    }
END_TEST

START_TEST(the_contour_of_a_cone_is_a_circle_of_its_length)
    {
        for (int i = 0; i < NX * NY; i++)
            values[i] = hypot(i % NX - 11.2, i / NX - 8.3);
        contour_add(&contour, values, NX, NY, 6);
        double length = 0;
        for (size_t i = 0; i < contour.count; i++) {
            const struct contour_piece *p = &contour.pieces[i];
            ck_assert_double_eq_tol(hypot(p->from[0] - 11.2, p->from[1] - 8.3),
                                    6, .03);
            length += hypot(p->to[0] - p->from[0], p->to[1] - p->from[1]);
        }
        ck_assert_double_eq_tol(length, 12 * acos(-1), .25);
        contour_release(&contour);
    }
END_TEST

/* A contour has no loose end except at the edge of the known values: at each
 * point inside as many pieces end as begin, two in total. */
static void ck_closed(bool holes)
{
    for (size_t i = 0; i < contour.count; i++)
        for (int end = 0; end < 2; end++) {
            const double *at =
                end ? contour.pieces[i].to : contour.pieces[i].from;
            int meet = 0;
            for (size_t k = 0; k < contour.count; k++) {
                const struct contour_piece *p = &contour.pieces[k];
                meet += p->from[0] == at[0] && p->from[1] == at[1];
                meet += p->to[0] == at[0] && p->to[1] == at[1];
            }
            bool edge =
                at[0] == 0 || at[1] == 0 || at[0] == NX - 1 || at[1] == NY - 1;
            ck_assert_int_ge(meet, 1);
            if (!edge && !holes)
                ck_assert_int_eq(meet, 2);
            ck_assert_int_le(meet, 2);
        }
}

START_TEST(contours_of_random_numbers_have_no_loose_ends)
    {
        struct random random;
        random_seed(&random, 11);
        for (int trial = 0; trial < 10; trial++) {
            for (int i = 0; i < NX * NY; i++)
                values[i] = random_unit(&random);
            contour_clear(&contour);
            contour_add(&contour, values, NX, NY, .5);
            ck_closed(false);
        }
        contour_release(&contour);
    }
END_TEST

START_TEST(every_piece_separates_high_from_low)
    {
        struct random random;
        random_seed(&random, 12);
        for (int i = 0; i < NX * NY; i++)
            values[i] = random_unit(&random);
        contour_add(&contour, values, NX, NY, .37);
        size_t crossings = 0;
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                int i = y * NX + x;
                crossings +=
                    x + 1 < NX && (values[i] >= .37) != (values[i + 1] >= .37)
                        ? 1 + (y > 0 && y < NY - 1)
                        : 0;
                crossings +=
                    y + 1 < NY && (values[i] >= .37) != (values[i + NX] >= .37)
                        ? 1 + (x > 0 && x < NX - 1)
                        : 0;
            }
        /* An inner edge belongs to two squares; a piece takes two crossings. */
        ck_assert_uint_eq(2 * contour.count, crossings);
        contour_release(&contour);
    }
END_TEST

START_TEST(a_saddle_is_divided_by_its_middle)
    {
        for (int high = 0; high < 2; high++) {
            double saddle[4] = { 1, high ? -.5 : -2, high ? -.5 : -2, 1 };
            contour_clear(&contour);
            contour_add(&contour, saddle, 2, 2, 0);
            ck_assert_uint_eq(contour.count, 2);
            for (int i = 0; i < 2; i++) {
                const struct contour_piece *p = &contour.pieces[i];
                double middle[2] = { (p->from[0] + p->to[0]) / 2,
                                     (p->from[1] + p->to[1]) / 2 };
                /* The corner that is cut off, found by the position of the
                 * piece's middle. */
                bool falling = (middle[0] < .5) == (middle[1] < .5);
                ck_assert_int_eq(falling, !high);
            }
        }
        contour_release(&contour);
    }
END_TEST

START_TEST(nothing_is_drawn_next_to_missing_values)
    {
        for (int i = 0; i < NX * NY; i++)
            values[i] = i % NX;
        values[8 * NX + 10] = (double)NAN;
        contour_add(&contour, values, NX, NY, 10.5);
        ck_assert_uint_eq(contour.count, NY - 1 - 2);
        for (size_t i = 0; i < contour.count; i++) {
            const struct contour_piece *p = &contour.pieces[i];
            double y = (p->from[1] + p->to[1]) / 2;
            ck_assert(y < 7 || y > 9);
        }
        contour_release(&contour);
    }
END_TEST

static int compare_pieces(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct contour_piece));
}

/* With its ends in order, so that a reversed piece is equal. */
static struct contour_piece in_order(const struct contour_piece *piece)
{
    bool turned =
        piece->from[1] > piece->to[1] ||
        (piece->from[1] == piece->to[1] && piece->from[0] > piece->to[0]);
    struct contour_piece same = *piece;
    for (int k = 0; k < 2 && turned; k++) {
        same.from[k] = piece->to[k];
        same.to[k] = piece->from[k];
    }
    return same;
}

static struct contour_piece *sorted_pieces(void)
{
    struct contour_piece *pieces = calloc(contour.count + 1, sizeof *pieces);
    for (size_t i = 0; i < contour.count; i++)
        pieces[i] = in_order(&contour.pieces[i]);
    qsort(pieces, contour.count, sizeof *pieces, compare_pieces);
    return pieces;
}

static bool is_first(size_t piece)
{
    for (size_t k = 0; k < contour.line_count; k++)
        if (contour.lines[k] == piece)
            return true;
    return false;
}

/* The number of single ends equals that of the lines' ends, so that no line is
 * in two parts. */
static void ck_lines(void)
{
    size_t open = 0, alone = 0;
    for (size_t k = 0; k < contour.line_count; k++) {
        size_t last = (k + 1 < contour.line_count ? contour.lines[k + 1]
                                                  : contour.count) -
                      1;
        const struct contour_piece *a = &contour.pieces[contour.lines[k]];
        const struct contour_piece *b = &contour.pieces[last];
        open += memcmp(a->from, b->to, sizeof a->from) != 0;
    }
    for (size_t i = 0; i < 2 * contour.count; i++) {
        int meet = 0;
        const double *at =
            i % 2 ? contour.pieces[i / 2].to : contour.pieces[i / 2].from;
        for (size_t k = 0; k < 2 * contour.count; k++)
            meet += memcmp(at,
                           k % 2 ? contour.pieces[k / 2].to
                                 : contour.pieces[k / 2].from,
                           2 * sizeof *at) == 0;
        alone += meet == 1;
    }
    ck_assert_uint_eq(2 * open, alone);
}

START_TEST(chained_pieces_are_the_same_and_follow_each_other)
    {
        struct random random;
        random_seed(&random, 13);
        for (int trial = 0; trial < 10; trial++) {
            for (int i = 0; i < NX * NY; i++)
                values[i] = random_unit(&random);
            values[8 * NX + 10] = (double)NAN;
            contour_clear(&contour);
            contour_add(&contour, values, NX, NY, .5);
            contour_add(&contour, values, NX, NY, .7);
            struct contour_piece *before = sorted_pieces();
            contour_chain(&contour);
            struct contour_piece *after = sorted_pieces();
            ck_assert_mem_eq(before, after, contour.count * sizeof *before);
            for (size_t i = 1; i < contour.count; i++)
                if (!is_first(i))
                    ck_assert_mem_eq(contour.pieces[i - 1].to,
                                     contour.pieces[i].from, sizeof(double[2]));
            ck_lines();
            free(before);
            free(after);
        }
        contour_release(&contour);
    }
END_TEST

START_TEST(contours_of_a_cone_are_rings_each_one_line)
    {
        for (int i = 0; i < NX * NY; i++)
            values[i] = hypot(i % NX - 11.2, i / NX - 8.3);
        for (double level = 2; level <= 7; level++)
            contour_add(&contour, values, NX, NY, level);
        contour_chain(&contour);
        ck_assert_uint_eq(contour.line_count, 6);
        ck_lines();
        contour_clear(&contour);
        contour_chain(&contour);
        ck_assert_uint_eq(contour.line_count, 0);
        contour_release(&contour);
    }
END_TEST

static int pieces_between(const double a[2], const double b[2])
{
    int count = 0;
    for (size_t i = 0; i < contour.count; i++) {
        const struct contour_piece *p = &contour.pieces[i];
        count += (!memcmp(p->from, a, sizeof p->from) &&
                  !memcmp(p->to, b, sizeof p->to)) ||
                 (!memcmp(p->from, b, sizeof p->from) &&
                  !memcmp(p->to, a, sizeof p->to));
    }
    return count;
}

/* Every edge between a wall and a free cell, and no other edge, once. */
START_TEST(the_outlines_of_walls_are_the_edges_to_free_cells)
    {
        struct random random;
        uint8_t wall[NX * NY];
        random_seed(&random, 5 + (uint64_t)_i);
        for (int i = 0; i < NX * NY; i++)
            wall[i] = random_unit(&random) < .2 * _i;
        contour_add_walls(&contour, wall, NX, NY);
        contour_chain(&contour);
        size_t wanted = 0;
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++)
                for (int down = 0; down < 2; down++) {
                    if (x + !down == NX || y + down == NY)
                        continue;
                    bool edge =
                        wall[y * NX + x] != wall[(y + down) * NX + x + !down];
                    double to[2] = { x + .5, y + .5 };
                    double from[2] = { to[0] - down, to[1] - !down };
                    wanted += edge;
                    ck_assert_int_eq(pieces_between(from, to), edge);
                }
        ck_assert_uint_eq(contour.count, wanted);
        ck_lines();
        contour_release(&contour);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("contour");
    TCase *tcase = tcase_create("contour");
    tcase_add_test(tcase, the_contour_of_a_plane_is_a_straight_line);
    tcase_add_test(tcase, the_contour_of_a_cone_is_a_circle_of_its_length);
    tcase_add_test(tcase, contours_of_random_numbers_have_no_loose_ends);
    tcase_add_test(tcase, every_piece_separates_high_from_low);
    tcase_add_test(tcase, a_saddle_is_divided_by_its_middle);
    tcase_add_test(tcase, nothing_is_drawn_next_to_missing_values);
    tcase_add_test(tcase, chained_pieces_are_the_same_and_follow_each_other);
    tcase_add_test(tcase, contours_of_a_cone_are_rings_each_one_line);
    tcase_add_loop_test(
        tcase, the_outlines_of_walls_are_the_edges_to_free_cells, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
