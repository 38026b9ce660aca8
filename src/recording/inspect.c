/* SPDX-License-Identifier: MIT */
#include "recording/inspect.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FOUND_MAX = 4096, WAIT_SECONDS = 20 };

static const char not_readable[] = "not a readable recording";

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One whole piece; false at the end, at an error, and past the deadline. */
static bool receive(int in, int64_t deadline, struct piece *piece)
{
    char *at = (char *)piece;
    for (size_t left = sizeof *piece; left > 0;) {
        struct pollfd poll_in = { .fd = in, .events = POLLIN };
        int64_t wait = deadline - milliseconds();
        int ready = wait > 0 ? poll(&poll_in, 1, (int)wait) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return false;
        ssize_t got = read(in, at, left);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        left -= (size_t)got;
    }
    return true;
}

/* Is what the child says well formed? It may have been taken over. */
static bool well_formed(const struct found *found)
{
    if (!memchr(found->name, '\0', sizeof found->name) || found->type < 0 ||
        found->type >= ELEMENT_TYPES || found->rank < 0 ||
        found->rank > VARIABLE_MAX_RANK)
        return false;
    for (int axis = 0; axis < found->rank; axis++)
        if (found->extent[axis] < 1 ||
            (found->chunk[0] && (found->chunk[axis] < 1 ||
                                 found->chunk[axis] > found->extent[axis])))
            return false;
    return true;
}

static enum status take(const struct piece *piece, const char *path,
                        struct inspection *inspection, struct error *error)
{
    switch (piece->kind) {
    case PIECE_FOUND:
        if (inspection->count == FOUND_MAX || !well_formed(&piece->found))
            break;
        inspection->items[inspection->count++] = piece->found;
        return STATUS_OK;
    case PIECE_TITLE:
        memcpy(inspection->title, piece->text, sizeof inspection->title - 1);
        return STATUS_OK;
    case PIECE_FAULT:
        return error_at(error, STATUS_INPUT, path, 0, "%s: %.*s", not_readable,
                        (int)sizeof piece->text - 1, piece->text);
    default:
        break;
    }
    return error_at(error, STATUS_INPUT, path, 0, "%s: damaged", not_readable);
}

static enum status receive_all(int in, const char *path,
                               struct inspection *inspection,
                               struct error *error)
{
    struct piece piece;
    int64_t deadline = milliseconds() + WAIT_SECONDS * 1000;
    enum status status = STATUS_OK;
    while (!status) {
        if (!receive(in, deadline, &piece))
            return error_at(error, STATUS_INPUT, path, 0,
                            "%s: HDF5 crashes on it, or takes too much memory "
                            "or time",
                            not_readable);
        if (piece.kind == PIECE_END)
            return STATUS_OK;
        status = take(&piece, path, inspection, error);
    }
    return status;
}

static pid_t start_child(int fd, int pipe_ends[2])
{
    if (pipe2(pipe_ends, O_CLOEXEC) < 0)
        return -1;
    pid_t child = fork();
    if (child == 0)
        inspect_child(fd, pipe_ends[1]);
    close(pipe_ends[1]);
    if (child < 0)
        close(pipe_ends[0]);
    return child;
}

enum status inspect_file(int fd, const char *path,
                         struct inspection *inspection, struct error *error)
{
    int pipe_ends[2];
    *inspection = (struct inspection){ 0 };
    inspection->items = memory_new(FOUND_MAX, sizeof *inspection->items);
    if (!inspection->items)
        return error_memory(error);
    pid_t child = start_child(fd, pipe_ends);
    enum status status;
    if (child < 0) {
        status = error_system(error, STATUS_FAILED,
                              "%s: no process to read it in", path);
    } else {
        status = receive_all(pipe_ends[0], path, inspection, error);
        close(pipe_ends[0]);
        kill(child, SIGKILL); /* it has said all it has to say */
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (status) {
        memory_release(inspection->items);
        inspection->items = NULL;
    }
    return status;
}
