/* SPDX-License-Identifier: MIT */
/* How the causes of wrong headings depend on the limits between them: each
 * recording is read as by hamon-reflection, with the arrival settings of the
 * recording, and the causes of all wrong headings are found with several
 * limits. Prints the rows of a table: ratio below which a wave is standing,
 * cone in degrees, then the share of each cause.
 * usage: causes RECORDING... */
#include "analysis/study/reflection.h"
#include "view/replay.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ratios[] = { .05, .1, .2, .4 };
static const double cones[] = { 45, 60, 75 };
enum { RATIOS = sizeof ratios / sizeof *ratios };
enum { CONES = sizeof cones / sizeof *cones };

static long counts[RATIOS][CONES][CAUSES], wrong;

static void count(const struct front *front, const struct truth *truth)
{
    const double half = acos(-1) / 2;
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        if (!(heading_error(front->heading[i], truth->toward[i]) > half))
            continue;
        wrong++;
        for (int r = 0; r < RATIOS; r++)
            for (int c = 0; c < CONES; c++) {
                const struct cause_limits limits = { ratios[r],
                                                     cones[c] * half / 90 };
                counts[r][c][front_cause(front, truth, i, 0, &limits)]++;
            }
    }
}

static enum status add(const char *path, struct error *error)
{
    struct recording *recording = NULL;
    struct arrival_settings settings;
    struct front front = { 0 };
    struct truth truth = { 0 };
    enum status status = replay_open(path, &recording, error);
    if (!status)
        status = arrival_settings_of(recording, &settings, error);
    if (!status)
        status = front_compare(&front, &truth, recording, 0, &settings,
                               acos(-1) / 2, error);
    if (!status)
        count(&front, &truth);
    truth_release(&truth);
    front_release(&front);
    recording_close(recording);
    return status;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct error error;
        if (add(argv[i], &error)) {
            fprintf(stderr, "causes: %s\n", error.message);
            return EXIT_FAILURE;
        }
    }
    printf("| ratio | cone | phase | echo | standing | stencil | other | "
           "unknown |\n|---|---|---|---|---|---|---|---|\n");
    for (int r = 0; r < RATIOS; r++)
        for (int c = 0; c < CONES; c++) {
            printf("| %g | %g° |", ratios[r], cones[c]);
            for (int cause = 0; cause < CAUSES; cause++)
                printf(" %.3f |", (double)counts[r][c][cause] / (double)wrong);
            putchar('\n');
        }
    printf("\n%ld wrong headings\n", wrong);
    return EXIT_SUCCESS;
}
