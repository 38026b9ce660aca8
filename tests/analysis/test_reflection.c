/* SPDX-License-Identifier: MIT */
/* The measures of hamon-reflection compared with brute force: fronts of
 * recorded random numbers, headings known by formula. */
#include "analysis/study/crest.h"
#include "analysis/study/reflection.h"
#include "analysis/study/trace.h"
#include "settings/value.h"
#include "tests/view/view_run.h"

static const double pi = 3.14159265358979323846;

/* ---- fronts ---- */

/* The expected front of wave 1: emitted at EMITTED, followed to the row before
 * the map changes. */
struct expected {
    int64_t age;
    double heading[GRID_AXES];
};

static bool reaches(size_t cell, int64_t age, double level)
{
    return fabs((double)number(0, 1, EMITTED + age, cell)) >= level;
}

static void heading_at(size_t cell, int64_t age, bool with_sign, int axes,
                       double heading[GRID_AXES])
{
    double sign = with_sign && number(0, 1, EMITTED + age, cell) < 0 ? -1 : 1;
    double length = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = axis < axes ? sign * (double)number(1 + axis, 1,
                                                            EMITTED + age, cell)
                                    : 0;
        length = hypot(length, heading[axis]);
    }
    for (int axis = 0; axis < axes; axis++)
        heading[axis] /= length;
}

static struct expected expect(const struct run *run, size_t cell, double level,
                              bool with_sign)
{
    struct expected expected = { -1, { 0 } };
    if (cell == run->source)
        return (struct expected){ 0, { 0 } };
    for (int64_t age = 1; EMITTED + age < VERSION_STEP; age++)
        if (reaches(cell, age, level)) {
            expected.age = age;
            heading_at(cell, age, with_sign, grid_axes(&run->grid),
                       expected.heading);
            break;
        }
    return expected;
}

static int summed; /* windows with a wave */

/* The expected sums of a cell's wrong headings: computed from the recorded
 * numbers, for each lag. */
static void ck_sums(const struct front *front, size_t cell, int64_t arrived,
                    const double toward[GRID_AXES])
{
    const int axes = grid_axes(&front->terrain.grid);
    const struct front_waves *waves = front->waves;
    for (int k = 0; k < FRONT_CAUSES; k++) {
        int64_t first = arrived + front_cause_lags[k];
        double flux[GRID_AXES] = { 0 }, energy = 0;
        const struct cause_sums *sums = &waves->sums[cell][k];
        if (!(waves->error[cell][k] > waves->wrong))
            continue;
        for (int64_t t = first;
             EMITTED + t + 1 < VERSION_STEP && t <= first + waves->period[cell];
             t++) {
            int64_t step = EMITTED + t;
            double weight = pow(sin(pi * ((double)(t - first) + .5) /
                                    ((double)waves->period[cell] + 1)),
                                2);
            double change = ((double)number(0, 1, step + 1, cell) -
                             (double)number(0, 1, step - 1, cell)) /
                            2;
            double along = 0;
            for (int axis = 0; axis < axes; axis++) {
                double slope = (double)number(1 + axis, 1, step, cell);
                flux[axis] -= weight * change * slope;
                along += slope * toward[axis];
            }
            energy +=
                weight * .5 * (change * change / waves->delta + along * along);
        }
        double square = sums->scale * sums->scale;
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert_double_eq_tol(sums->flux[axis] * square, flux[axis],
                                    1e-14);
        ck_assert_double_eq_tol(sums->energy * square, energy, 1e-14);
        summed += energy > 0;
    }
}

static void ck_front(struct run run, const char *rule, bool with_sign)
{
    const int axes = grid_axes(&run.grid);
    char parameters[128];
    snprintf(parameters, sizeof parameters,
             "arrival.threshold = 0.01\nwave.amplitude = 2.0\n"
             "arrival.heading = %s\n",
             rule);
    run.region = grid_box(&run.grid);
    run.parameters = parameters;
    struct recording *recording = record(&run);
    struct arrival_settings settings;
    struct front front;
    struct error error;
    size_t cells = grid_cells(&run.grid);
    double(*toward)[GRID_AXES] = memory_new(cells, sizeof *toward);
    for (size_t i = 0; i < cells; i += 2) {
        double up = axes == GRID_AXES ? sin(.3 * (double)i) : 0;
        toward[i][0] = sqrt(1 - up * up) * cos((double)i);
        toward[i][1] = sqrt(1 - up * up) * sin((double)i);
        toward[i][2] = up;
    }
    ck_assert_int_eq(arrival_settings_of(recording, &settings, NULL),
                     STATUS_OK);
    ck_assert_int_eq(front_open(&front, recording, 1, NULL), STATUS_OK);
    ck_assert_int_eq(front_waves_new(&front, .3, .2, true, NULL), STATUS_OK);
    summed = 0;
    ck_assert_msg(front_follow(&front, recording, 1, &settings,
                               (const double(*)[GRID_AXES])toward,
                               &error) == STATUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(front.rows, VERSION_STEP - EMITTED);
    double squares[FRONT_LAGS] = { 0 };
    int64_t counts[FRONT_LAGS] = { 0 }, came = 0;
    for (size_t i = 0; i < cells; i++) {
        struct expected expected = expect(&run, i, 0.02, with_sign);
        ck_assert_int_eq(front.step[i], expected.age);
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert_double_eq_tol(front.heading[i][axis],
                                    expected.heading[axis], 1e-12);
        ck_assert_uint_eq(front.terrain.wall[i], is_wall(0, i));
        came += expected.age > 0;
        if (expected.age < 1 || i % 2)
            continue;
        ck_assert(front.time[i] > (double)expected.age - 1 &&
                  front.time[i] <= (double)expected.age);
        for (int64_t lag = 0; EMITTED + expected.age + lag < VERSION_STEP;
             lag++) {
            double now[GRID_AXES];
            heading_at(i, expected.age + lag, with_sign, axes, now);
            double cosine = now[0] * toward[i][0] + now[1] * toward[i][1] +
                            now[2] * toward[i][2];
            double e = acos(fmax(-1, fmin(1, cosine)));
            squares[lag] += e * e;
            counts[lag]++;
            for (int k = 0; k < FRONT_CAUSES; k++)
                if (front_cause_lags[k] == lag)
                    ck_assert_double_eq_tol(front.waves->error[i][k], e, 1e-7);
        }
        ck_sums(&front, i, expected.age, toward[i]);
    }
    ck_assert_int_gt(came, 20);
    ck_assert_int_gt(summed, 20);
    for (int lag = 0; lag < FRONT_LAGS; lag++) {
        ck_assert_int_eq(front.lag_count[lag], counts[lag]);
        ck_assert_double_eq_tol(front.lag_squares[lag], squares[lag], 1e-9);
    }
    memory_release(toward);
    front_release(&front);
    recording_close(recording);
}

/* `deep` with every step, and its source in the middle at an odd cell, which
 * has no true heading. */
static struct run deep_run(void)
{
    struct run run = deep;
    run.every = 1;
    run.source = grid_index(&run.grid, 2, 3, 2);
    return run;
}

START_TEST(a_front_is_the_first_row_that_reaches_the_level)
    {
        ck_front(flat, "paper", false);
        ck_front(flat, "signed", true);
        ck_front(deep_run(), "paper", false);
        ck_front(deep_run(), "signed", true);
    }
END_TEST

/* A front of the run with these settings. */
static void follow(struct run run, const char *parameters, struct front *front)
{
    struct arrival_settings settings;
    struct error error;
    run.region = grid_box(&run.grid);
    run.parameters = parameters;
    struct recording *recording = record(&run);
    ck_assert_int_eq(arrival_settings_of(recording, &settings, NULL),
                     STATUS_OK);
    ck_assert_int_eq(front_open(front, recording, 1, NULL), STATUS_OK);
    ck_assert_msg(front_follow(front, recording, 1, &settings, NULL, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    recording_close(recording);
}

/* The heading of the flux that begins at `from`, to the change of z's sign or
 * the end of the lifetime. */
static void flux_of(size_t cell, int64_t from, int64_t lifetime, int axes,
                    double heading[GRID_AXES])
{
    double sum[GRID_AXES] = { 0 };
    float first = number(0, 1, EMITTED + from, cell);
    for (int64_t age = from; age <= lifetime; age++) {
        float now = number(0, 1, EMITTED + age, cell);
        if ((now < 0) != (first < 0))
            break;
        double rate =
            (double)now - (double)number(0, 1, EMITTED + age - 1, cell);
        for (int axis = 0; axis < axes; axis++)
            sum[axis] +=
                rate * (double)number(1 + axis, 1, EMITTED + age, cell);
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] = sum[axis] / hypot(hypot(sum[0], sum[1]), sum[2]);
}

static void ck_flux(struct run run)
{
    enum { LIFETIME = VERSION_STEP - EMITTED - 1 };
    char parameters[160];
    snprintf(parameters, sizeof parameters,
             "arrival.threshold = 0.01\narrival.heading = flux\n"
             "wave.lifetime = %d\n",
             LIFETIME);
    struct front front;
    int came = 0;
    follow(run, parameters, &front);
    for (size_t i = 0; i < grid_cells(&run.grid); i++) {
        struct expected expected = expect(&run, i, 0.01, false);
        ck_assert_int_eq(front.step[i], expected.age);
        if (expected.age < 1)
            continue;
        flux_of(i, expected.age, LIFETIME, grid_axes(&run.grid),
                expected.heading);
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert_double_eq_tol(front.heading[i][axis],
                                    expected.heading[axis], 1e-9);
        came++;
    }
    ck_assert_int_gt(came, 20);
    front_release(&front);
}

START_TEST(a_flux_is_summed_to_the_change_of_sign)
    {
        ck_flux(flat);
        ck_flux(deep_run());
    }
END_TEST

START_TEST(recordings_without_a_front_are_rejected)
    {
        struct run run = flat;
        struct front front;
        struct error error;
        struct recording *part = record(&run);
        ck_assert_int_eq(front_open(&front, part, 1, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "record.region"));
        front_release(&front);
        recording_close(part);
        run.region = grid_box(&run.grid);
        run.every = 2;
        struct recording *thin = record(&run);
        ck_assert_int_eq(front_open(&front, thin, 1, NULL), STATUS_OK);
        struct arrival_settings settings = arrival_default();
        ck_assert_int_eq(front_follow(&front, thin, 1, &settings, NULL, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "record.every = 1"));
        front_release(&front);
        recording_close(thin);
    }
END_TEST

/* ---- truth ---- */

static struct terrain terrain;

static void make_map(int nx, int ny)
{
    struct grid grid;
    ck_assert_int_eq(grid_make(2, nx, ny, 1, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
}

static void put_wall(int x0, int y0, int x1, int y1)
{
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++)
            terrain.wall[grid_index(&terrain.grid, x, y, 0)] = 1;
}

static size_t cell_at(int x, int y)
{
    return grid_index(&terrain.grid, x, y, 0);
}

START_TEST(in_free_space_every_far_cell_has_a_heading_to_the_source)
    {
        struct truth truth;
        make_map(31, 21);
        ck_assert_int_eq(truth_make(&truth, &terrain, cell_at(10, 8), NULL),
                         STATUS_OK);
        int64_t far = 0;
        for (int y = 0; y < 21; y++)
            for (int x = 0; x < 31; x++) {
                double dx = 10 - x, dy = 8 - y, d = hypot(dx, dy);
                const double *toward = truth.toward[cell_at(x, y)];
                ck_assert_double_eq_tol(truth.distance[cell_at(x, y)], d,
                                        1e-12);
                ck_assert_double_eq_tol(toward[0], d > 3 ? dx / d : 0, 1e-12);
                ck_assert_double_eq_tol(toward[1], d > 3 ? dy / d : 0, 1e-12);
                far += d > 3;
            }
        ck_assert_int_eq(truth.counted, far);
        ck_assert_int_eq(truth.reachable, far);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

/* A wall from the top with one end, at (15.5, 12.5) and (16.5, 12.5). */
START_TEST(behind_a_wall_headings_point_to_its_end)
    {
        struct truth truth;
        make_map(31, 21);
        put_wall(16, 0, 16, 12);
        ck_assert_int_eq(truth_make(&truth, &terrain, cell_at(8, 4), NULL),
                         STATUS_OK);
        int behind = 0;
        for (int y = 0; y < 12; y++)
            for (int x = 17; x < 31; x++) {
                double dx = 16.5 - x, dy = 12.5 - y, d = hypot(dx, dy);
                const double *toward = truth.toward[cell_at(x, y)];
                bool counts = d > 2;
                ck_assert_double_eq_tol(toward[0], counts ? dx / d : 0, 1e-12);
                ck_assert_double_eq_tol(toward[1], counts ? dy / d : 0, 1e-12);
                behind += counts;
            }
        ck_assert_int_gt(behind, 100);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

/* Two paths round a wall in the middle: cells on the axis of its far side do
 * not count, those far from the axis do. */
START_TEST(cells_with_two_shortest_paths_do_not_count)
    {
        struct truth truth;
        make_map(41, 21);
        put_wall(20, 5, 20, 15);
        ck_assert_int_eq(truth_make(&truth, &terrain, cell_at(10, 10), NULL),
                         STATUS_OK);
        for (int x = 22; x < 41; x++) {
            const double *on = truth.toward[cell_at(x, 10)];
            ck_assert(on[0] == 0 && on[1] == 0);
        }
        for (int x = 24; x < 30; x++) {
            const double *off = truth.toward[cell_at(x, 14)];
            ck_assert(off[0] < 0 && off[1] > 0);
        }
        ck_assert_int_eq(truth.reachable, 41 * 21 - 11 - 29);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

/* ---- sums ---- */

/* The heading of cell i: the true one, turned by an angle of this cell. */
static double turn_of(size_t i)
{
    return pi * ((double)(i * 37 % 360) - 179.5) / 180;
}

/* A pocket that no path reaches, and an arrival that is missing. */
START_TEST(a_cell_without_an_error_has_a_reason)
    {
        struct truth truth;
        struct front front = { 0 };
        make_map(60, 33);
        put_wall(20, 8, 24, 12);
        size_t pocket = cell_at(22, 10), source = cell_at(8, 4);
        size_t cells = grid_cells(&terrain.grid);
        terrain.wall[pocket] = 0;
        ck_assert_int_eq(truth_make(&truth, &terrain, source, NULL), STATUS_OK);
        front.terrain = terrain;
        front.source = source;
        front.heading = memory_new(cells, sizeof *front.heading);
        for (size_t i = 0; i < cells; i++)
            front.heading[i][0] = 1;
        size_t dark = cell_at(50, 20), beside = cell_at(21, 13);
        size_t near = cell_at(10, 4), plain = cell_at(50, 4);
        front.heading[dark][0] = front.heading[source][0] = 0;
        ck_assert_int_eq(reflection_blank(&front, &truth, pocket),
                         BLANK_CUT_OFF);
        ck_assert_int_eq(reflection_blank(&front, &truth, dark),
                         BLANK_NO_ARRIVAL);
        ck_assert_int_eq(reflection_blank(&front, &truth, source),
                         BLANK_UNCOUNTED);
        ck_assert_int_eq(reflection_blank(&front, &truth, near),
                         BLANK_UNCOUNTED);
        ck_assert_int_eq(reflection_blank(&front, &truth, beside),
                         BLANK_UNCOUNTED);
        ck_assert_int_eq(reflection_blank(&front, &truth, plain), BLANK_NONE);
        ck_assert_int_eq(reflection_blank(&front, &truth, cell_at(20, 8)),
                         BLANK_NONE);
        for (size_t i = 0; i < cells; i++)
            if (!terrain.wall[i])
                ck_assert_int_eq(
                    reflection_blank(&front, &truth, i) != BLANK_NONE,
                    isnan(heading_error(front.heading[i], truth.toward[i])) !=
                        0);
        memory_release(front.heading);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(sums_are_those_of_the_cells)
    {
        struct truth truth;
        struct front front = { 0 };
        make_map(60, 33);
        put_wall(16, 0, 16, 12);
        put_wall(30, 10, 33, 32);
        size_t source = cell_at(8, 4), cells = grid_cells(&terrain.grid);
        front.terrain = terrain;
        front.source = source;
        front.step = memory_new(cells, sizeof *front.step);
        front.heading = memory_new(cells, sizeof *front.heading);
        double *errors = memory_new(cells, sizeof *errors);
        ck_assert_int_eq(truth_make(&truth, &terrain, source, NULL), STATUS_OK);
        struct reflection want = { 0 }, got = { 0 };
        for (size_t i = 0; i < cells; i++) {
            const double *t = truth.toward[i];
            double a = turn_of(i), e = fabs(a), d = truth.distance[i];
            front.step[i] = i % 3 ? (int32_t)i : -1;
            if (i % 3 == 0)
                continue;
            front.heading[i][0] = t[0] * cos(a) - t[1] * sin(a);
            front.heading[i][1] = t[0] * sin(a) + t[1] * cos(a);
            if (isfinite(d) && d > 3)
                want.reached++;
            if (t[0] == 0 && t[1] == 0)
                continue;
            want.squares += e * e;
            want.counted++;
            want.wrong += e > pi / 2;
            want.by[FROM_SOURCE].squares[(int)(d / REFLECTION_BAND_CELLS)] +=
                e * e;
            want.by[FROM_SOURCE].count[(int)(d / REFLECTION_BAND_CELLS)]++;
            double turns[8][2];
            if (exact_path(truth.exact, i, turns, 8) > 2) {
                int band = (int)(hypot(turns[0][0] - turns[1][0],
                                       turns[0][1] - turns[1][1]) /
                                 REFLECTION_BAND_CELLS);
                want.by[PAST_BEND].squares[band] += e * e;
                want.by[PAST_BEND].count[band]++;
            }
            want.angle_count[(int)(e / pi * 18)]++;
        }
        reflection_add(&got, &front, &truth, errors, NULL);
        ck_assert_double_eq_tol(got.squares, want.squares, 1e-8);
        ck_assert_int_eq(got.counted, want.counted);
        ck_assert_int_eq(got.wrong, want.wrong);
        ck_assert_int_eq(got.reached, want.reached);
        ck_assert_int_eq(got.reachable, truth.reachable);
        ck_assert_int_eq(got.started, truth.reachable);
        ck_assert_int_gt(want.counted, 500);
        ck_assert_int_gt(want.by[PAST_BEND].count[4], 20);
        for (int of = 0; of < ABSCISSAS; of++)
            for (int b = 0; b < REFLECTION_BANDS; b++) {
                ck_assert_int_eq(got.by[of].count[b], want.by[of].count[b]);
                ck_assert_double_eq_tol(got.by[of].squares[b],
                                        want.by[of].squares[b], 1e-8);
            }
        for (int a = 0; a < REFLECTION_ANGLES; a++)
            ck_assert_int_eq(got.angle_count[a], want.angle_count[a]);
        for (size_t i = 0; i < cells; i++) {
            bool counts =
                (truth.toward[i][0] != 0 || truth.toward[i][1] != 0) &&
                i % 3 != 0;
            ck_assert_int_eq(isnan(errors[i]) != 0, !counts);
            if (counts)
                ck_assert_double_eq_tol(errors[i], fabs(turn_of(i)), 1e-9);
        }
        struct reflection pooled = got;
        reflection_pool(&pooled, &got);
        /* Twice: all doubles. */
        reflection_add(&got, &front, &truth, NULL, NULL);
        ck_assert_double_eq_tol(pooled.squares, got.squares, 1e-8);
        ck_assert_int_eq(pooled.wrong, got.wrong);
        ck_assert_int_eq(pooled.started, got.started);
        for (int a = 0; a < REFLECTION_ANGLES; a++)
            ck_assert_int_eq(pooled.angle_count[a], got.angle_count[a]);
        ck_assert_int_eq(got.counted, 2 * want.counted);
        ck_assert_double_eq_tol(reflection_rms(got.squares, got.counted),
                                reflection_rms(want.squares, want.counted),
                                1e-9);
        ck_assert(isnan(reflection_rms(0, 0)));
        memory_release(errors);
        memory_release(front.step);
        memory_release(front.heading);
        truth_release(&truth);
        terrain_release(&terrain);
    }
END_TEST

/* ---- the first crest ---- */

/* The distance at which the first crest of the lowest mode, by its recursion
 * z″ = 2z′ − z + δ(z₋ + z₊ − 2z′) − 4Sz′, falls below the amplitude. */
static int crest_ends(double delta, int width, double amplitude)
{
    enum { LENGTH = 400, AGES = 300 };
    static double z[3][LENGTH + 2];
    const double least = delta * pow(sin(pi / 2 / (width + 1)), 2);
    double crest[LENGTH / 2] = { 0 };
    bool over[LENGTH / 2] = { false };
    memset(z, 0, sizeof z);
    z[1][LENGTH / 2] = 1;
    for (int n = 0; n < AGES; n++) {
        double *before = z[n % 3], *now = z[(n + 1) % 3],
               *next = z[(n + 2) % 3];
        for (int x = 1; x <= LENGTH; x++)
            next[x] = 2 * now[x] - before[x] - 4 * least * now[x] +
                      delta * (now[x - 1] + now[x + 1] - 2 * now[x]);
        for (int s = 1; s < LENGTH / 2; s++) {
            over[s] |= next[LENGTH / 2 + s] < crest[s];
            if (!over[s])
                crest[s] = next[LENGTH / 2 + s];
        }
    }
    int s = 1;
    while (s < LENGTH / 2 && crest[s] >= amplitude)
        s++;
    return s;
}

START_TEST(the_first_crest_of_a_mode_falls_as_its_law_says)
    {
        static const double deltas[] = { 0.1, 0.25, 0.45 };
        const double delta = deltas[_i % 3];
        const double threshold = pow(10, -3 - 2 * (_i / 3));
        for (int width = 3; width <= 11; width += 2) {
            const double share =
                2. / (width + 1) *
                sin(pi * fmax(1, .05 * width + .5) / (width + 1));
            const int ends = crest_ends(delta, width, threshold / share);
            ck_assert_int_lt(ends, 180);
            /* It holds far away: within 3 %, and the cell. */
            ck_assert_double_eq_tol(
                crest_reach(delta, width, threshold, NULL, 0), ends - .5,
                1 + .03 * ends);
        }
    }
END_TEST

START_TEST(a_bend_costs_the_crest_a_part_of_a_decade)
    {
        const double far = crest_reach(.25, 7, 1e-5, NULL, 0);
        const double bends[] = { 5, 10, far + 1 };
        ck_assert_double_eq_tol(crest_reach(.25, 7, 1e-5, bends + 2, 1), far,
                                1e-6);
        ck_assert_double_eq_tol(
            crest_reach(.25, 7, 1e-5, bends, 3),
            crest_reach(.25, 7, 1e-5 * pow(10, 2 * CREST_BEND), NULL, 0), 1e-6);
        /* A bend from which on the crest is below the threshold. */
        ck_assert_double_eq_tol(
            crest_reach(.25, 7, 1e-5, (double[]){ far - 1 }, 1), far - 1, 1e-6);
    }
END_TEST

/* ---- traces ---- */

static double (*headings_of)[GRID_AXES];

static void aim(size_t source, double turned)
{
    int home[GRID_AXES], at[GRID_AXES];
    size_t cells = grid_cells(&terrain.grid);
    headings_of = memory_new(cells, sizeof *headings_of);
    grid_cell(&terrain.grid, source, home);
    for (size_t i = 0; i < cells; i++) {
        grid_cell(&terrain.grid, i, at);
        double way = atan2(home[1] - at[1], home[0] - at[0]) + turned;
        headings_of[i][0] = i == source ? 0 : cos(way);
        headings_of[i][1] = i == source ? 0 : sin(way);
    }
}

static double trace_from(size_t source, double x, double y, double distance)
{
    return trace_length(&terrain, (const double(*)[GRID_AXES])headings_of,
                        source, (double[]){ x, y, 0 }, distance);
}

START_TEST(a_walker_with_true_headings_walks_straight_to_the_source)
    {
        make_map(60, 60);
        size_t source = cell_at(30, 30);
        aim(source, 0);
        for (int y = 0; y < 60; y += 7)
            for (int x = 0; x < 60; x += 7) {
                double d = hypot(x - 30, y - 30);
                double length = trace_from(source, x, y, d);
                ck_assert_double_ge(length, d - 1e-9);
                ck_assert_double_le(length, 1.02 * d + 1e-9);
            }
        ck_assert_double_eq_tol(trace_from(source, 33, 30, 3), 3, 1e-12);
        memory_release(headings_of);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_walker_with_wrong_headings_does_not_arrive)
    {
        make_map(60, 60);
        size_t source = cell_at(30, 30);
        const double turns[] = { pi, pi / 2 }; /* away from the source, and in
                                                * circles */
        for (int i = 0; i < 2; i++) {
            aim(source, turns[i]);
            ck_assert_double_eq(trace_from(source, 50, 41, hypot(20, 11)), -1);
            memory_release(headings_of);
        }
        aim(source, 0);
        headings_of[cell_at(40, 30)][0] = 0; /* this cell has no heading */
        ck_assert_double_eq(trace_from(source, 45, 30, 15), -1);
        memory_release(headings_of);
        terrain_release(&terrain);
    }
END_TEST

/* Along (1, 1)/√2 against a wall in the west-east direction: the walker slides
 * east along it, each step as long as its component. */
START_TEST(a_walker_slides_along_walls)
    {
        make_map(41, 21);
        put_wall(0, 12, 40, 20);
        size_t source = cell_at(35, 11);
        aim(source, 0);
        for (size_t i = 0; i < grid_cells(&terrain.grid); i++)
            if (i != source)
                headings_of[i][0] = headings_of[i][1] = sqrt(0.5);
        double length = trace_from(source, 5, 11, 30);
        /* The path enters its own row by up to half a cell, then slides. */
        ck_assert_double_ge(length, 30);
        ck_assert_double_le(length, 31);
        /* Near enough, but behind a wall: the source is not reached. */
        put_wall(36, 0, 36, 20);
        ck_assert_double_eq(trace_from(source, 37, 11, 30), -1);
        memory_release(headings_of);
        terrain_release(&terrain);
    }
END_TEST

static Suite *reflection_suite(void)
{
    Suite *suite = suite_create("reflection");
    TCase *recorded = tcase_create("recorded");
    tcase_add_checked_fixture(recorded, make_place, remove_place);
    tcase_add_test(recorded, a_front_is_the_first_row_that_reaches_the_level);
    tcase_add_test(recorded, a_flux_is_summed_to_the_change_of_sign);
    tcase_add_test(recorded, recordings_without_a_front_are_rejected);
    suite_add_tcase(suite, recorded);
    TCase *truths = tcase_create("truth");
    tcase_add_test(truths,
                   in_free_space_every_far_cell_has_a_heading_to_the_source);
    tcase_add_test(truths, behind_a_wall_headings_point_to_its_end);
    tcase_add_test(truths, cells_with_two_shortest_paths_do_not_count);
    tcase_add_test(truths, a_cell_without_an_error_has_a_reason);
    tcase_add_test(truths, sums_are_those_of_the_cells);
    suite_add_tcase(suite, truths);
    TCase *crests = tcase_create("crests");
    tcase_add_loop_test(crests, the_first_crest_of_a_mode_falls_as_its_law_says,
                        0, 6);
    tcase_add_test(crests, a_bend_costs_the_crest_a_part_of_a_decade);
    suite_add_tcase(suite, crests);
    TCase *walks = tcase_create("walks");
    tcase_add_test(walks,
                   a_walker_with_true_headings_walks_straight_to_the_source);
    tcase_add_test(walks, a_walker_with_wrong_headings_does_not_arrive);
    tcase_add_test(walks, a_walker_slides_along_walls);
    suite_add_tcase(suite, walks);
    return suite;
}

int main(void)
{
    return suite_main(reflection_suite());
}
