/* SPDX-License-Identifier: MIT */
/* bench/metric [FILE.svg]: how far a sum Σ e^(−pk)z[k] has decreased alike in
 * all directions on the lattice, for the 5-point, the 9-point and the matched
 * stencil, where it decreases by e^(−q) a cell along an axis. A line for each
 * direction, 0 to 90 degrees: for each q the radius over that of the axis for
 * each stencil, from fall_of_sum, which solves the dispersion law of each. With
 * FILE gnuplot draws it (docs/images/metric.svg). */
#include "settings/value.h"
#include "wave/arrival/fall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECAYS = 3, STENCILS = 3, DEGREES = 90 };
static const double decays[DECAYS] = { 2.54, 5, 10 };
static const char *const names[STENCILS] = { "5-point", "9-point", "matched" };

static struct fall fall_with(const char *name, double decay)
{
    struct wave_settings waves;
    struct fall fall;
    settings_default("wave", &waves);
    const bool matched = strcmp(name, "matched") == 0;
    const double p = 2 * asinh(sqrt(waves.delta) * sinh(decay / 2));
    waves.stencil = stencil_find(matched ? "9-point" : name);
    waves.matched_p = p;
    waves.matched_weights = matched;
    fall_of_sum(&waves, p, &fall);
    return fall;
}

static double radius(const struct fall *fall, int degrees)
{
    const double angle = degrees * acos(-1) / 180;
    const double axis[GRID_AXES] = { 1, 0, 0 };
    const double way[GRID_AXES] = { cos(angle), sin(angle), 0 };
    return fall_along(fall, axis) / fall_along(fall, way);
}

static void print_table(FILE *out)
{
    struct fall fall[DECAYS][STENCILS];
    fprintf(out, "# degrees");
    for (int q = 0; q < DECAYS; q++)
        for (int s = 0; s < STENCILS; s++) {
            fall[q][s] = fall_with(names[s], decays[q]);
            fprintf(out, ", q %g %s", decays[q], names[s]);
        }
    fprintf(out, "\n");
    for (int degrees = 0; degrees <= DEGREES; degrees++) {
        fprintf(out, "%d", degrees);
        for (int q = 0; q < DECAYS; q++)
            for (int s = 0; s < STENCILS; s++)
                fprintf(out, " %.4f", radius(&fall[q][s], degrees));
        fprintf(out, "\n");
    }
}

/* A panel for each q. The lines differ in gray too. */
static void draw(FILE *gnuplot, const char *file)
{
    static const char *const styles[STENCILS] = {
        "lw 2 dt (10, 6) lc rgb '#d55e00'", "lw 2 dt (2, 4) lc rgb '#0072b2'",
        "lw 2.5 lc rgb 'black'"
    };
    fprintf(gnuplot, "$data << E\n");
    print_table(gnuplot);
    fprintf(gnuplot,
            "E\n"
            "set terminal svg size 760,270 font 'sans,14' background 'white'\n"
            "set output '%s'\n"
            "set multiplot layout 1,3 margins .05,.83,.12,.88 spacing .03\n"
            "set size ratio -1\nset xrange [0:1.15]\nset yrange [0:1.15]\n"
            "set xtics 0,.5,1\nset ytics 0,.5,1\nset angles degrees\n"
            "set key at screen .995,.7 right top spacing 1.3\n"
            "unset border\nset border 3\nset xtics nomirror\n"
            "set ytics nomirror\n",
            file);
    for (int q = 0; q < DECAYS; q++) {
        fprintf(gnuplot, "set title 'q = %g'\n", decays[q]);
        fprintf(gnuplot, "%s\n",
                q ? "unset key\nset format y ''" : "set format y '%g'");
        fprintf(gnuplot, "plot $data u (cos($1)):(sin($1)) w l lw 1 lc rgb "
                         "'gray60' title 'circle'");
        for (int s = 0; s < STENCILS; s++)
            fprintf(gnuplot,
                    ", $data u ($%d*cos($1)):($%d*sin($1)) w l %s title '%s'",
                    2 + q * STENCILS + s, 2 + q * STENCILS + s, styles[s],
                    names[s]);
        fprintf(gnuplot, "\n");
    }
    fprintf(gnuplot, "unset multiplot\n");
}

int main(int count, char **arguments)
{
    print_table(stdout);
    if (count < 2)
        return EXIT_SUCCESS;
    FILE *gnuplot = popen("gnuplot", "w");
    if (!gnuplot)
        return EXIT_FAILURE;
    draw(gnuplot, arguments[1]);
    return pclose(gnuplot) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
