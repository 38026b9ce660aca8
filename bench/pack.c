/* SPDX-License-Identifier: MIT */
/* The cost of packing: hamon-pack, including reading back and comparing,
 * compared with h5repack's shuffle and gzip 1 into the same chunks, in turn in
 * one run. For each: wall-clock seconds, processor seconds, medians over the
 * rounds; MB/s of the recording; and the size ratio. Other work on the machine
 * affects only the wall-clock time, so both are printed.
 * usage: pack ROUNDS HAMON-PACK FILE… */
#include "clock.h"
#include "recording/read/recording.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_ROUNDS = 99, WAYS = 2 };

struct cost {
    double clock, processors;
};

static double of_timeval(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static struct cost run(const char *const *words)
{
    struct rusage usage;
    pid_t child;
    int code;
    double begun = clock_seconds(CLOCK_MONOTONIC);
    if (posix_spawnp(&child, words[0], NULL, NULL,
                     (char *const *)(uintptr_t)words, environ) ||
        wait4(child, &code, 0, &usage) < 0 || code != 0) {
        fprintf(stderr, "%s fails\n", words[0]);
        exit(EXIT_FAILURE);
    }
    return (struct cost){
        .clock = clock_seconds(CLOCK_MONOTONIC) - begun,
        .processors = of_timeval(usage.ru_utime) + of_timeval(usage.ru_stime),
    };
}

static double megabytes(const char *path)
{
    struct stat about;
    return stat(path, &about) ? 0 : (double)about.st_size / 1e6;
}

/* The chunks of wave0, as h5repack expects them: "wave0:CHUNK=1x256x256". */
static void name_chunks(const char *path, char *words, size_t size)
{
    struct recording *recording;
    struct error error;
    if (recording_open(path, &recording, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    const struct variable *wave = recording_find(recording, "wave0");
    int64_t edge = wave->rank == 4 ? 64 : 256;
    size_t used = (size_t)snprintf(words, size, "wave0:CHUNK=1");
    for (int i = 1; i < wave->rank; i++) {
        int64_t most = i == 1 && wave->rank == 4 ? 16 : edge;
        int64_t parts = (wave->extent[i] + most - 1) / most;
        used += (size_t)snprintf(
            words + used, size - used, "x%lld",
            (long long)((wave->extent[i] + parts - 1) / parts));
    }
    recording_close(recording);
}

static void measure(const char *pack, const char *path, int rounds)
{
    static double clock[WAYS][MOST_ROUNDS], processors[WAYS][MOST_ROUNDS],
        ratio[2][MOST_ROUNDS];
    char ours[] = "bench-pack.h5", theirs[] = "bench-repack.h5", chunks[128];
    double sizes[WAYS] = { 0 };
    const char *const ways[WAYS][12] = {
        { pack, "-q", "--force", "-o", ours, path, NULL },
        { "h5repack", "-l", chunks, "-f", "wave0:SHUF", "-f", "wave0:GZIP=1",
          path, theirs, NULL },
    };
    name_chunks(path, chunks, sizeof chunks);
    for (int round = 0; round < rounds; round++) {
        for (int way = 0; way < WAYS; way++) {
            struct cost cost = run(ways[way]);
            clock[way][round] = cost.clock;
            processors[way][round] = cost.processors;
        }
        ratio[0][round] = clock[1][round] / clock[0][round];
        ratio[1][round] = processors[1][round] / processors[0][round];
        sizes[0] = megabytes(ours);
        sizes[1] = megabytes(theirs);
        unlink(ours);
        unlink(theirs);
    }
    double bytes = megabytes(path);
    printf("%-24s %7.1f", path, bytes);
    for (int way = 0; way < WAYS; way++)
        printf(" | %7.3f %7.3f %6.0f %6.2f", clock_median(clock[way], rounds),
               clock_median(processors[way], rounds),
               bytes / clock_median(clock[way], rounds), bytes / sizes[way]);
    printf(" | %5.1f %5.1f %5.2f\n", clock_median(ratio[0], rounds),
           clock_median(ratio[1], rounds), sizes[1] / sizes[0]);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    int rounds = count > 3 ? atoi(arguments[1]) : 0;
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return 2;
    printf("%-24s %7s | hamon-pack: s, CPU s, MB/s, n:1  | h5repack            "
           "        | times: clock, CPU; size\n",
           "file", "MB");
    for (int i = 3; i < count; i++)
        measure(arguments[2], arguments[i], rounds);
    return 0;
}
