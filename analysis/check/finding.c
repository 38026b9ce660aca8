/* SPDX-License-Identifier: MIT */
#include "analysis/check/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum verdict finding_verdict(const struct finding *finding)
{
    if (finding->wrong > 0)
        return VERDICT_FAIL;
    return finding->looked > 0 ? VERDICT_PASS : VERDICT_SKIP;
}

/* Is a value worse than the worst so far? A wrong value is worse than every
 * right one; then the ratio of error to bound decides. */
static bool is_worse(const struct finding *finding, double error, double bound,
                     bool wrong)
{
    if (!finding->has_spot)
        return true;
    if (wrong != (finding->wrong > 0))
        return wrong;
    double ratio = bound > 0 ? error / bound : error;
    double worst =
        finding->bound > 0 ? finding->error / finding->bound : finding->error;
    return isnan(ratio) ? !isnan(worst) : ratio > worst;
}

static void note(struct finding *finding, double error, double bound,
                 bool wrong, const struct spot *spot)
{
    if (is_worse(finding, error, bound, wrong)) {
        finding->error = error;
        finding->bound = bound;
        finding->spot = *spot;
        finding->has_spot = true;
    }
    finding->looked++;
    finding->wrong += wrong;
}

void finding_exact(struct finding *finding, double recorded, double expected,
                   const struct spot *spot)
{
    bool wrong = memcmp(&recorded, &expected, sizeof recorded) != 0;
    note(finding, wrong ? fabs(recorded - expected) : 0, 0, wrong, spot);
}

void finding_differs(struct finding *finding, double recorded, double expected,
                     const struct spot *spot)
{
    note(finding, fabs(recorded - expected), 0, true, spot);
}

void finding_equal(struct finding *finding, size_t values,
                   const struct spot *spot)
{
    note(finding, 0, 0, false, spot);
    finding->looked += (int64_t)values - 1;
}

void finding_within(struct finding *finding, double error, double bound,
                    const struct spot *spot)
{
    note(finding, error, bound, !(error <= bound), spot);
}

void finding_test(struct finding *finding, bool good, const struct spot *spot)
{
    note(finding, good ? 0 : 1, 0, !good, spot);
}

void finding_skip(struct finding *finding, int64_t values, const char *format,
                  ...)
{
    finding->skipped += values;
    if (finding->why[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->why, sizeof finding->why, format, arguments);
    va_end(arguments);
}

void finding_expect(struct finding *finding, bool same, const char *what)
{
    static const struct spot nowhere = { -1, -1, -1, -1 };
    finding_test(finding, same, &nowhere);
    if (!same)
        finding_skip(finding, 0, "%s", what);
}
