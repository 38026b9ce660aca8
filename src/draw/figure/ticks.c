/* SPDX-License-Identifier: MIT */
#include "draw/figure/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\u2212"
#define TIMES "\u00d7"

double ticks_round(double value)
{
    int exponent = (int)floor(log10(value));
    static const int leads[] = { 1, 2, 5, 10 };
    double best = pow(10, exponent);
    for (int i = 0; i < 4; i++) {
        double round = leads[i] * pow(10, exponent);
        if (round <= value * (1 + 1e-12))
            best = round;
    }
    return best;
}

/* The smallest round number that is at least `value`. */
static double round_up(double value)
{
    double round = ticks_round(value);
    if (round >= value * (1 - 1e-12))
        return round;
    int exponent = (int)floor(log10(round) + 1e-9);
    double lead = round / pow(10, exponent);
    return lead < 1.5 ? 2 * round : lead < 3 ? 2.5 * round : 2 * round;
}

static void superscript(int number, char *text, size_t size)
{
    static const char *const digits[] = { "\u2070", "\u00b9", "\u00b2",
                                          "\u00b3", "\u2074", "\u2075",
                                          "\u2076", "\u2077", "\u2078",
                                          "\u2079" };
    char plain[16];
    snprintf(plain, sizeof plain, "%d", number);
    *text = '\0';
    for (const char *c = plain; *c; c++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s",
                 *c == '-' ? "\u207b" : digits[*c - '0']);
    }
}

/* m×10ᵉ of a value > 0. */
static void label_scientific(double value, double step, const char *sign,
                             char label[TICK_LABEL_SIZE])
{
    int exponent = (int)floor(log10(value) + 1e-9);
    int finest = (int)floor(log10(step) + 1e-9);
    int decimals = exponent > finest ? exponent - finest : 0;
    char raised[24], lead[24];
    superscript(exponent, raised, sizeof raised);
    snprintf(lead, sizeof lead, "%.*f", decimals > 9 ? 9 : decimals,
             value / pow(10, exponent));
    if (strcmp(lead, "1") == 0)
        snprintf(label, TICK_LABEL_SIZE, "%s10%s", sign, raised);
    else
        snprintf(label, TICK_LABEL_SIZE, "%s%s" TIMES "10%s", sign, lead,
                 raised);
}

void ticks_label(double value, double step, char label[TICK_LABEL_SIZE])
{
    const char *sign = value < 0 ? MINUS : "";
    value = fabs(value);
    if (value < step * 1e-6) {
        snprintf(label, TICK_LABEL_SIZE, "0");
        return;
    }
    int decimals = -(int)floor(log10(step) + 1e-9);
    if (decimals > 4 || value >= 1e6)
        label_scientific(value, step, sign, label);
    else
        snprintf(label, TICK_LABEL_SIZE, "%s%.*f", sign,
                 decimals > 0 ? decimals : 0, value);
}

static struct tick *add(struct ticks *ticks, const struct scale *scale,
                        double value)
{
    if (ticks->count == TICKS_MOST)
        return NULL;
    struct tick *tick = &ticks->tick[ticks->count++];
    *tick = (struct tick){ .value = value, .place = scale_place(scale, value) };
    return tick;
}

static void make_linear(const struct scale *scale, int most,
                        struct ticks *ticks)
{
    double width = scale->high - scale->low;
    double step = width == 360 ? 90 : round_up(width / most);
    double slack = 1e-9 * width;
    for (double k = ceil((scale->low - slack) / step);
         k * step <= scale->high + slack; k++) {
        struct tick *tick = add(ticks, scale, k * step);
        if (!tick)
            return;
        ticks_label(tick->value, step, tick->label);
    }
}

/* At least two: if the step has only one multiple on the scale, the outer
 * multiples of a finer step. */
static void make_two_linear(const struct scale *scale, int most,
                            struct ticks *ticks)
{
    int finer = most;
    do {
        ticks->count = 0;
        make_linear(scale, finer, ticks);
    } while (ticks->count < 2 && ++finer <= TICKS_MOST);
    if (finer > most && ticks->count > 2) {
        ticks->tick[1] = ticks->tick[ticks->count - 1];
        ticks->count = 2;
    }
}

/* The powers of ten 10^k, k from `least` to `greatest`, of one sign; every
 * `stride`-th from the greatest down has a label if zero leaves room. */
static void add_powers(struct ticks *ticks, const struct scale *scale, int sign,
                       int least, int greatest, int stride, double gap)
{
    double zero = scale_place(scale, 0);
    bool has_zero = scale->low <= 0 && scale->high >= 0;
    for (int k = greatest; k >= least; k--) {
        double value = sign * pow(10, k);
        if (value < scale->low || value > scale->high)
            continue;
        struct tick *tick = add(ticks, scale, value);
        bool crowded = has_zero && fabs(tick ? tick->place - zero : 0) < gap;
        if (!tick || (greatest - k) % stride != 0 || crowded)
            continue;
        const char *sign_text = sign < 0 ? MINUS : "";
        if (k == 0 || k == 1)
            snprintf(tick->label, sizeof tick->label, "%s%d", sign_text,
                     k ? 10 : 1);
        else
            label_scientific(fabs(value), fabs(value), sign_text, tick->label);
    }
}

static void make_logarithmic(const struct scale *scale, int most,
                             struct ticks *ticks)
{
    double largest = fmax(fabs(scale->low), fabs(scale->high));
    int least = (int)ceil(log10(scale->linear_width) - 1e-9);
    int greatest = (int)floor(log10(largest) + 1e-9);
    double gap = 1. / most;
    int stride = 1;
    if (greatest > least) {
        double decade = fabs(
            scale_place(scale, (scale->high > 0 ? 1 : -1) * pow(10, greatest)) -
            scale_place(scale,
                        (scale->high > 0 ? 1 : -1) * pow(10, greatest - 1)));
        stride = decade > 0 ? (int)ceil(gap / decade) : 1;
    }
    if (scale->low <= 0 && scale->high >= 0) {
        struct tick *tick = add(ticks, scale, 0);
        snprintf(tick->label, sizeof tick->label, "0");
    }
    add_powers(ticks, scale, 1, least, greatest, stride, gap);
    add_powers(ticks, scale, -1, least, greatest, stride, gap);
}

void ticks_make(const struct scale *scale, int most, struct ticks *ticks)
{
    ticks->count = 0;
    most = most < 2 ? 2 : most;
    if (scale->linear_width > 0)
        make_logarithmic(scale, most, ticks);
    int labels = 0;
    for (int i = 0; i < ticks->count; i++)
        labels += ticks->tick[i].label[0] != '\0';
    if (labels < 2)
        make_two_linear(scale, most, ticks);
}
