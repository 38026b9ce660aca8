/* SPDX-License-Identifier: MIT */
#include "base/inputs.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Not freed before the process ends: it has few inputs. */
static struct {
    dev_t device;
    ino_t number;
} * inputs;
static size_t input_count, input_room;
static bool watching;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool has(const struct stat *file)
{
    for (size_t i = 0; i < input_count; i++)
        if (inputs[i].device == file->st_dev &&
            inputs[i].number == file->st_ino)
            return true;
    return false;
}

static bool add(const struct stat *file)
{
    void *more = memory_more(inputs, input_count, &input_room, sizeof *inputs);
    if (!more)
        return false;
    inputs = more;
    inputs[input_count].device = file->st_dev;
    inputs[input_count++].number = file->st_ino;
    return true;
}

void inputs_watch(void)
{
    watching = true;
}

enum status inputs_note(int fd, struct error *error)
{
    struct stat file;
    if (!watching || fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return STATUS_OK; /* a pipe or a device is not replaced by an output */
    pthread_mutex_lock(&lock);
    const bool good = has(&file) || add(&file);
    pthread_mutex_unlock(&lock);
    return good ? STATUS_OK : error_memory(error);
}

static enum status read_stream(FILE *file, const char *path, size_t limit,
                               char **text, size_t *length, struct error *error)
{
    enum status status = STATUS_OK;
    size_t room = 1 << 16, used = 0;
    char *bytes = memory_new(room + 1, 1);
    while (bytes) {
        used += fread(bytes + used, 1, room - used, file);
        if (used < room || room > limit)
            break;
        char *grown = memory_grow(bytes, used, 2 * room + 1, 1);
        if (!grown)
            memory_release(bytes);
        bytes = grown;
        room *= 2;
    }
    if (!bytes)
        status = error_memory(error);
    else if (ferror(file))
        status = error_system(error, STATUS_INPUT, "%s: cannot be read", path);
    if (status) {
        memory_release(bytes);
        return status;
    }
    bytes[used] = '\0';
    *text = bytes;
    *length = used;
    return STATUS_OK;
}

enum status inputs_read(const char *path, size_t limit, char **text,
                        size_t *length, struct error *error)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin, path, limit, text, length, error);
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_system(error, STATUS_INPUT, "%s: cannot be opened", path);
    enum status status = inputs_note(fileno(file), error);
    if (!status)
        status = read_stream(file, path, limit, text, length, error);
    fclose(file);
    return status;
}

enum status inputs_refuse(const char *path, struct error *error)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return STATUS_OK;
    pthread_mutex_lock(&lock);
    const bool found = has(&file);
    pthread_mutex_unlock(&lock);
    return found ? error_set(error, STATUS_INPUT,
                             "%s: is an input of this command; give the output "
                             "another name",
                             path)
                 : STATUS_OK;
}
