/* SPDX-License-Identifier: MIT */
/* The recordings of a figure. */
#include "tools/figure/composition.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"
#include "cli/recordings.h"

#include <string.h>

/* The first bytes of every HDF5 file. */
static const unsigned char signature[8] = { 0x89, 'H',  'D',  'F',
                                            '\r', '\n', 0x1a, '\n' };

static enum status sum_file(FILE *file, const char *name,
                            char text[SHA256_TEXT], struct error *error)
{
    enum { BUFFER = 1 << 16 };
    unsigned char *bytes = need_memory(BUFFER, 1);
    struct sha256 sum;
    sha256_start(&sum);
    sha256_add(&sum, signature, sizeof signature);
    for (size_t got; (got = fread(bytes, 1, BUFFER, file)) > 0;)
        sha256_add(&sum, bytes, got);
    sha256_end(&sum, text);
    memory_release(bytes);
    return ferror(file)
               ? error_system(error, STATUS_INPUT, "%s: cannot be read", name)
               : STATUS_OK;
}

static bool known(const struct composition *figure, const char *name)
{
    for (size_t i = 0; i < figure->source_count; i++)
        if (strcmp(figure->sources[i].name, name) == 0)
            return true;
    return false;
}

static enum status add(struct composition *figure, FILE *file, const char *name,
                       struct error *error)
{
    struct source *more =
        need_more(figure->sources, figure->source_count, &figure->source_room,
                  sizeof *figure->sources);
    figure->sources = more;
    struct source *source = &more[figure->source_count++];
    *source = (struct source){ .name = need_text(name) };
    enum status status = inputs_note(fileno(file), error);
    return status ? status : sum_file(file, name, source->sum, error);
}

/* A file that begins as HDF5 is a recording. One that cannot be opened is left
 * to the program, which has a better message. */
static enum status take_file(struct composition *figure, const char *path,
                             const char *name, struct error *error)
{
    unsigned char head[sizeof signature];
    FILE *file = known(figure, name) ? NULL : fopen(path, "rb");
    if (!file)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (fread(head, 1, sizeof head, file) == sizeof head &&
        memcmp(head, signature, sizeof head) == 0)
        status = add(figure, file, name, error);
    fclose(file);
    return status;
}

/* The recording, or those in the folder of a sweep. */
static enum status take_path(struct composition *figure, char *path,
                             const char *name, struct error *error)
{
    const size_t before = strlen(path) - strlen(name);
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end--)
        path[end - 1] = '\0';
    struct recording_paths paths = { 0 };
    enum status status = STATUS_OK;
    if (recording_paths_make(&paths, &path, 1, NULL) == STATUS_OK)
        for (size_t i = 0; i < paths.count && !status; i++)
            status = take_file(figure, paths.items[i], paths.items[i] + before,
                               error);
    recording_paths_release(&paths);
    return status;
}

/* Any word may be a recording, or a folder with recordings. */
static enum status take_word(struct composition *figure, const char *word,
                             struct error *error)
{
    const char *value = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const char *name = value ? value + 1 : word;
    if (!*name)
        return STATUS_OK;
    char *path = *name == '/' ? need_text(name)
                              : need_format("%s/%s", figure->folder, name);
    enum status status = take_path(figure, path, name, error);
    memory_release(path);
    return status;
}

/* Appends `more` to *text, with "; " between. */
static void append(char **text, char *more)
{
    char *both = more && *text ? need_format("%s; %s", *text, more) : more;
    if (both != more)
        memory_release(more);
    memory_release(*text);
    *text = both;
}

enum status sources_find(struct composition *figure, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < figure->count && !status; k++) {
        const struct panel *panel = &figure->panels[k];
        for (size_t i = 1; i < panel->word_count && !status; i++)
            status = take_word(figure, panel->words[i], error);
        if (!status)
            append(&figure->panels_note,
                   need_format("(%c) %s", (char)('a' + k), panel->command));
    }
    for (size_t i = 0; i < figure->source_count && !status; i++)
        append(&figure->recordings_note,
               need_format("%s sha256 %s", figure->sources[i].name,
                           figure->sources[i].sum));
    return status;
}
