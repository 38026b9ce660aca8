/* SPDX-License-Identifier: MIT */
/* Prints the step of a recording's last frame, the agents' positions in it and
 * the largest amplitude of wave 0. Build and run it:
 *     cc last.c -o last $(pkg-config --cflags --libs hamon) -lm
 *     ./last corridor.h5 */
#include <hamon/hamon.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct hamon_recording *run;
    struct hamon_error error;
    struct hamon_info info = { .size = sizeof info };
    char name[64];
    if (hamon_open(argc > 1 ? argv[1] : "", &run, &error) ||
        hamon_describe(run, &info, &error))
        return fprintf(stderr, "%s\n", error.message), error.status;
    size_t agents = (size_t)info.agents, cells = 1;
    for (int axis = 0; axis < 3; axis++)
        cells *= (size_t)info.region[axis];
    double *x = calloc(agents + 1, sizeof *x), greatest = 0;
    double *y = calloc(agents + 1, sizeof *y), *z = calloc(cells, sizeof *z);
    if (!x || !y || !z || info.frames < 1)
        return fprintf(stderr, "no memory, or no frame\n"), 1;
    int64_t last = info.frames - 1;
    printf("step %lld\n", (long long)hamon_steps(run)[last]);
    hamon_read(run, "agents/x", last, 1, HAMON_FLOAT64, x, agents, NULL);
    hamon_read(run, "agents/y", last, 1, HAMON_FLOAT64, y, agents, NULL);
    for (int i = 0; i < info.agents; i++)
        if (!hamon_agent_text(run, "name", i, name, sizeof name, &error))
            printf("%s at %.6g, %.6g\n", name, x[i], y[i]);
    if (hamon_read_field(run, "amplitude", 0, last, z, cells, &error))
        return fprintf(stderr, "%s\n", error.message), error.status;
    for (size_t i = 0; i < cells; i++)
        greatest = fmax(greatest, fabs(z[i]));
    printf("greatest amplitude %.9g\n", greatest);
    hamon_close(run); /* the rest is released at the end */
}
