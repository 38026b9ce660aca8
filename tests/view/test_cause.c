/* SPDX-License-Identifier: MIT */
/* Causes of wrong headings on fields that have one cause each: modes of a
 * straight corridor, solutions of the scheme in closed form. */
#include "view/cause.h"

#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* A mode of a corridor along x, `width` cells in y: amplitudes of the wave that
 * travels away from the source, toward +x, and of the one back. */
struct mode {
    int width, number;
    bool fixed;
    double k, delta, away, back;
    double amplitude;
};

static double across(const struct mode *m, int y)
{
    return m->fixed ? sin(m->number * PI * (y + 1) / (m->width + 1))
                    : cos(m->number * PI * (y + .5) / m->width);
}

/* sin²(ω/2) = δ[sin²(k/2) + sin²(q/2)] */
static double frequency(const struct mode *m)
{
    double q = m->number * PI / (m->fixed ? m->width + 1 : m->width);
    return 2 *
           asin(sqrt(m->delta * (pow(sin(m->k / 2), 2) + pow(sin(q / 2), 2))));
}

static double value(const struct mode *m, int x, int y, int64_t t)
{
    double w = frequency(m);
    return m->amplitude * across(m, y) *
           (m->away * cos(m->k * x - w * (double)t) +
            m->back * cos(m->k * x + w * (double)t + .3));
}

/* Central differences; a neighbour in a wall is 0 (fixed) or the cell's own
 * value (free). */
static void gradient_at(const struct mode *m, int x, int y, int64_t t,
                        double gradient[GRID_AXES])
{
    double side[2];
    for (int i = 0; i < 2; i++) {
        int next = y + 2 * i - 1;
        bool wall = next < 0 || next >= m->width;
        side[i] = !wall      ? value(m, x, next, t)
                  : m->fixed ? 0
                             : value(m, x, y, t);
    }
    gradient[0] = (value(m, x + 1, y, t) - value(m, x - 1, y, t)) / 2;
    gradient[1] = (side[1] - side[0]) / 2;
    gradient[2] = 0;
}

/* The source is far away toward −x. */
static const double toward[GRID_AXES] = { -1, 0, 0 };

static enum cause cause_at(const struct mode *m, int x, int y, int64_t s)
{
    struct cause_sums sums = { 0 };
    int64_t period = cause_period(m->delta, m->width, 0, m->fixed);
    for (int64_t t = s; t <= s + period; t++) {
        double gradient[GRID_AXES];
        gradient_at(m, x, y, t, gradient);
        cause_add(&sums, cause_weight(t - s, period), value(m, x, y, t - 1),
                  value(m, x, y, t + 1), gradient, toward, m->delta);
    }
    return cause_of(&sums, toward, m->delta, period,
                    y == 0 || y == m->width - 1, &cause_usual_limits);
}

/* Of the cells and steps with a wrong heading along +∇z, the share with this
 * cause. Cells on a node of the mode have no wave and so no heading. */
static double share_with(const struct mode *m, enum cause wanted, int *wrong)
{
    int right = 0;
    *wrong = 0;
    for (int64_t s = 0; s < 40; s += 13)
        for (int x = 0; x < 24; x += 5)
            for (int y = 0; y < m->width; y++) {
                double gradient[GRID_AXES];
                gradient_at(m, x, y, s, gradient);
                if (fabs(across(m, y)) < 1e-9 || gradient[0] <= 0)
                    continue;
                (*wrong)++;
                right += cause_at(m, x, y, s) == wanted;
            }
    return (double)right / *wrong;
}

/* Over widths, walls, modes, frequencies and δ with a window of at least one
 * period of the wave, and a wave number along the corridor of at least some
 * part of the one across. */
static void ck_cause(double away, double back, enum cause wanted)
{
    static const int widths[] = { 1, 2, 3, 5, 7, 11, 21 };
    static const double deltas[] = { .1, .25, .4 };
    static const double ks[] = { .15, .35, .7, 1.2 };
    int fields = 0;
    for (int i = 0; i < 7 * 2 * 3 * 4; i++)
        for (int number = 0; number < 4; number++) {
            struct mode m = { widths[i / 24],    number, i / 12 % 2, ks[i % 4],
                              deltas[i / 4 % 3], away,   back,       1 };
            if (m.fixed ? number < 1 || number > m.width : number >= m.width)
                continue;
            double q = number * PI / (m.fixed ? m.width + 1 : m.width);
            if (m.k < .2 * q || /* hardly travels: it has its own test */
                frequency(&m) < cause_cutoff(m.delta, m.width, 0, m.fixed))
                continue;
            int wrong;
            fields++;
            double share = share_with(&m, wanted, &wrong);
            ck_assert_int_gt(wrong, 5);
            ck_assert_msg(share >= .99,
                          "width %d, %s walls, mode %d, k %g, delta %g: %.4f "
                          "of %d",
                          m.width, m.fixed ? "fixed" : "free", number, m.k,
                          m.delta, share, wrong);
        }
    ck_assert_int_gt(fields, 150);
}

START_TEST(a_mode_that_travels_away_is_wrong_by_its_phase)
    {
        ck_cause(1, 0, CAUSE_PHASE);
    }
END_TEST

START_TEST(a_mode_that_travels_back_is_an_echo)
    {
        ck_cause(0, 1, CAUSE_ECHO);
    }
END_TEST

START_TEST(both_modes_together_are_standing)
    {
        ck_cause(1, 1, CAUSE_STANDING);
    }
END_TEST

/* The mean of |⟨S⟩|/(c⟨e⟩) is (1 − r²)/(1 + r²) for an echo of r; it varies
 * from place to place. */
START_TEST(a_weak_echo_changes_nothing_and_a_strong_one_makes_a_standing_wave)
    {
        ck_cause(1, .25, CAUSE_PHASE);
        ck_cause(.25, 1, CAUSE_ECHO);
        ck_cause(1, .98, CAUSE_STANDING);
    }
END_TEST

/* Near its cutoff a mode's group speed tends to 0: it is a standing wave,
 * although there is no echo. With ω ≈ cq the ratio is 2k/q. */
START_TEST(a_mode_at_its_cutoff_is_standing)
    {
        struct mode m = { 5, 1, true, .01, .25, 1, 0, 1 };
        int wrong;
        ck_assert_double_ge(share_with(&m, CAUSE_STANDING, &wrong), .99);
        ck_assert_int_gt(wrong, 5);
    }
END_TEST

START_TEST(amplitudes_may_be_of_any_size)
    {
        static const double amplitudes[] = { 1e-300, 1e-160, 1e160, 1e300 };
        for (int i = 0; i < 4; i++) {
            struct mode m = { 5, 1, true, .4, .25, 1, 0, amplitudes[i] };
            int wrong;
            ck_assert_double_ge(share_with(&m, CAUSE_PHASE, &wrong), .99);
            m.back = 1;
            ck_assert_double_ge(share_with(&m, CAUSE_STANDING, &wrong), .99);
        }
        /* The square of the window's first value underflows. */
        struct cause_sums sums = { 0 };
        for (int decade = -300; decade <= 300; decade += 100)
            cause_add(&sums, 1, 0, pow(10, decade),
                      (double[]){ -pow(10, decade), 0, 0 }, toward, .25);
        ck_assert_int_eq(
            cause_of(&sums, toward, .25, 10, false, &cause_usual_limits),
            CAUSE_PHASE);
    }
END_TEST

START_TEST(a_flux_across_the_path_is_of_the_stencil_or_other)
    {
        const struct cause_sums across_it = { { 0, 1 }, 1, 1, 5 };
        const struct cause_sums none = { { 0, 0 }, 0, 0, 5 };
        const struct cause_sums cut_short = { { 0, 1 }, 1, 1, 2.7 };
        const struct cause_limits *usual = &cause_usual_limits;
        ck_assert_int_eq(cause_of(&across_it, toward, .25, 10, true, usual),
                         CAUSE_STENCIL);
        ck_assert_int_eq(cause_of(&across_it, toward, .25, 10, false, usual),
                         CAUSE_OTHER);
        ck_assert_int_eq(cause_of(&none, toward, .25, 10, true, usual),
                         CAUSE_UNKNOWN);
        ck_assert_int_eq(cause_of(&cut_short, toward, .25, 10, true, usual),
                         CAUSE_UNKNOWN);
        for (int degrees = 0; degrees < 360; degrees++) {
            double angle = degrees * PI / 180; /* from the path */
            const struct cause_sums sums = {
                { -cos(angle), sin(angle) }, 1, 1, 5
            };
            enum cause wanted = degrees < 60 || degrees > 300    ? CAUSE_ECHO
                                : degrees > 120 && degrees < 240 ? CAUSE_PHASE
                                                                 : CAUSE_OTHER;
            if (degrees % 60)
                ck_assert_int_eq(cause_of(&sums, toward, .25, 10, false, usual),
                                 wanted);
        }
    }
END_TEST

/* The lowest transverse mode, one step of the scheme by hand. */
START_TEST(the_cutoff_is_the_lowest_modes_frequency)
    {
        for (int i = 0; i < 2 * 6 * 3; i++) {
            struct mode m = { 1 + 4 * (i / 2 % 6), 1, i % 2, 0,
                              .1 + .15 * (i / 12), 1, 0,     1 };
            double twice = 2 * cos(cause_cutoff(m.delta, m.width, 0, m.fixed));
            for (int y = 0; y < m.width; y++) {
                double here = across(&m, y), sum = 0;
                for (int next = y - 1; next <= y + 1; next += 2)
                    sum += next >= 0 && next < m.width ? across(&m, next)
                           : m.fixed                   ? 0
                                                       : here;
                ck_assert_double_eq_tol(m.delta * (sum - 2 * here) + 2 * here,
                                        twice * here, 1e-12);
            }
        }
        /* 2 asin(½ sin 15°) = .25955 rad a step */
        ck_assert_int_eq(cause_period(.25, 5, 0, true), 24);
    }
END_TEST

/* The lowest mode of a duct that varies across it, a product of one of each
 * axis, one step of the scheme by hand. */
START_TEST(a_ducts_cutoff_has_the_terms_of_both_axes)
    {
        const int sizes[][2] = { { 1, 1 }, { 5, 5 }, { 3, 7 }, { 11, 3 } };
        for (int i = 0; i < 2 * 4; i++) {
            int width = sizes[i / 2][0], height = sizes[i / 2][1];
            bool fixed = i % 2;
            /* Between free walls one axis is enough: the longer one. */
            bool wide = fixed || width >= height, high = fixed || !wide;
            const struct mode x = { width, 1, fixed, 0, .2, 1, 0, 1 };
            const struct mode y = { height, 1, fixed, 0, .2, 1, 0, 1 };
            double twice = 2 * cos(cause_cutoff(.2, width, height, fixed));
            for (int cell = 0; cell < width * height; cell++) {
                const int at[2] = { cell % width, cell / width };
                const int sides[2] = { width, height };
                double part[2] = { wide ? across(&x, at[0]) : 1,
                                   high ? across(&y, at[1]) : 1 };
                double here = part[0] * part[1], sum = 0;
                for (int axis = 0; axis < 2; axis++)
                    for (int next = at[axis] - 1; next <= at[axis] + 1;
                         next += 2) {
                        bool inside = next >= 0 && next < sides[axis];
                        double value =
                            axis == 0 ? wide && inside ? across(&x, next) : 1
                            : high && inside ? across(&y, next)
                                             : 1;
                        sum += inside  ? value * part[1 - axis]
                               : fixed ? 0
                                       : here;
                    }
                ck_assert_double_eq_tol(.2 * (sum - 4 * here) + 2 * here,
                                        twice * here, 1e-12);
            }
        }
        ck_assert_double_eq_tol(cause_cutoff(.25, 1, 1, true), acos(-1) / 3,
                                1e-15);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("cause");
    TCase *causes = tcase_create("causes");
    tcase_add_test(causes, a_mode_that_travels_away_is_wrong_by_its_phase);
    tcase_add_test(causes, a_mode_that_travels_back_is_an_echo);
    tcase_add_test(causes, both_modes_together_are_standing);
    tcase_add_test(
        causes,
        a_weak_echo_changes_nothing_and_a_strong_one_makes_a_standing_wave);
    tcase_add_test(causes, a_mode_at_its_cutoff_is_standing);
    tcase_add_test(causes, amplitudes_may_be_of_any_size);
    tcase_add_test(causes, a_flux_across_the_path_is_of_the_stencil_or_other);
    tcase_add_test(causes, the_cutoff_is_the_lowest_modes_frequency);
    tcase_add_test(causes, a_ducts_cutoff_has_the_terms_of_both_axes);
    suite_add_tcase(suite, causes);
    return suite_main(suite);
}
