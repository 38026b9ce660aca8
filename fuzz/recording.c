/* SPDX-License-Identifier: MIT */
/* Recordings: a file that opens is read completely. HDF5 runs in the reader's
 * child process, whose output the reader must not trust more than the file. */
#include "target.h"

#include "base/memory.h"
#include "view/replay.h"

#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* No more rows are read after this many bytes. */
enum { READ_MOST = 1 << 22 };

/* Counts sanitizer errors in the reader's child, whose report cannot be seen
 * because it may not write. Shared with the children. */
static int *falls;

static void note_fall(void)
{
    ++*falls;
}

void __sanitizer_set_death_callback(void (*callback)(void))
    __attribute__((weak));

/* A child has its own limits and none of libFuzzer's signal handlers: HDF5 may
 * crash there, and does. */
static void begin_child(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
                                   SIGILL,  SIGXCPU, SIGXFSZ, SIGALRM };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(note_fall);
}

/* Starts HDF5 once here instead of in each child. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    falls = mmap(NULL, sizeof *falls, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (falls == MAP_FAILED || pthread_atfork(NULL, NULL, begin_child) != 0 ||
        H5open() < 0)
        exit(1);
    return 0;
}

static void read_variable(const struct recording *recording,
                          const struct variable *variable, const char *path)
{
    struct error error = { 0 };
    size_t elements = variable_elements(variable);
    int64_t rows = variable->by_row ? recording_rows(recording) : 1;
    if (elements > READ_MOST)
        return;
    double *row = memory_new(elements, sizeof *row);
    for (int64_t i = 0; row && i < rows && i < 16; i++)
        hold_to_word(recording_read_real(recording, variable, i, row, &error),
                     &error, path);
    memory_release(row);
}

static void read_all(const struct recording *recording, const char *path)
{
    static const char *const terrains[] = { "wall", "speed", "cost" };
    struct error error = { 0 };
    const struct variable *variable;
    for (size_t i = 0; (variable = recording_variable(recording, i)); i++)
        read_variable(recording, variable, path);
    size_t cells = grid_cells(recording_grid(recording));
    double *terrain =
        cells > READ_MOST ? NULL : memory_new(cells, sizeof *terrain);
    for (size_t i = 0; terrain && i < 3; i++)
        hold_to_word(
            recording_read_terrain(recording, terrains[i], 0, terrain, &error),
            &error, path);
    memory_release(terrain);
    char text[64];
    hold_to_word(recording_agent_text(recording, "agents/name", 0, text,
                                      sizeof text, &error),
                 &error, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = scratch_file(".h5", data, size);
    struct recording *recording;
    struct error error = { 0 };
    enum status status = replay_open(path, &recording, &error);
    hold_to_word(status, &error, path);
    if (*falls) {
        fprintf(stderr, "a sanitizer ended the reader's child\n");
        abort();
    }
    if (status)
        return 0;
    read_all(recording, path);
    recording_close(recording);
    return 0;
}
