/* SPDX-License-Identifier: MIT */
#include "check_settings.h"

#include "base/memory.h"
#include "recording/tables.h"

#include <math.h>
#include <string.h>

/* The number of the setting's word in `words`, or −1. */
static int word_of(const struct recording *recording, const char *key,
                   const char *const *words)
{
    const char *text = recording_setting(recording, key);
    for (int i = 0; text && words[i]; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

static enum status bad_setting(const struct recording *recording,
                               const char *key, struct error *error)
{
    const char *text = recording_setting(recording, key);
    return error_set(error, STATUS_INPUT,
                     "%s: provenance/parameters: %s is %s%s: the law of the "
                     "waves is not known",
                     recording_path(recording), key, text ? "" : "missing",
                     text ? text : "");
}

static enum status read_words(const struct recording *recording,
                              struct law *law, struct error *error)
{
    static const char *const walls[] = { "fixed", "free", NULL };
    static const char *const forms[] = { "c2-laplacian", "conservative", NULL };
    static const char *const precisions[] = { "double", "single", NULL };
    static const char *const denormals[] = { "keep", "flush", NULL };
    static const char *const sources[] = {
        [LAW_IMPULSE] = "impulse",   [LAW_REST] = "rest",
        [LAW_GAUSSIAN] = "gaussian", [LAW_RICKER] = "ricker",
        [LAW_RICKER + 1] = NULL,
    };
    const struct {
        const char *key;
        const char *const *words;
    } rows[] = { { "wave.walls", walls },
                 { "wave.speed_form", forms },
                 { "wave.precision", precisions },
                 { "wave.denormals", denormals },
                 { "wave.source", sources } };
    int number[5];
    for (int i = 0; i < 5; i++) {
        number[i] = word_of(recording, rows[i].key, rows[i].words);
        if (number[i] < 0)
            return bad_setting(recording, rows[i].key, error);
    }
    law->free_walls = number[0];
    law->conservative = number[1];
    law->single = number[2];
    law->flush = number[3];
    law->source = (enum law_source)number[4];
    return STATUS_OK;
}

enum status law_read(const struct recording *recording, struct law *law,
                     struct error *error)
{
    *law = (struct law){ .grid = *recording_grid(recording) };
    enum status status = read_words(recording, law, error);
    if (status)
        return status;
    const char *stencil = recording_setting(recording, "wave.stencil");
    law->stencil = stencil ? stencil_find(stencil) : NULL;
    if (!law->stencil || law->stencil->dims != law->grid.dims ||
        (law->conservative && law->stencil->points == 8))
        return bad_setting(recording, "wave.stencil", error);
    const struct {
        const char *key;
        double *value;
        double otherwise;
    } rows[] = { { "wave.delta", &law->delta, NAN },
                 { "wave.amplitude", &law->amplitude, NAN },
                 { "wave.damping", &law->loss, NAN },
                 { "wave.sigma", &law->sigma, 0 },
                 { "wave.wavelength", &law->wavelength, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].value =
            recording_setting_real(recording, rows[i].key, rows[i].otherwise);
        if (!isfinite(*rows[i].value))
            return bad_setting(recording, rows[i].key, error);
    }
    law->loss /= 2; /* m = μΔt/2 */
    return STATUS_OK;
}

enum status walls_read(const struct recording *recording, size_t version,
                       uint8_t *wall, struct error *error)
{
    return recording_read_terrain(recording, "wall", version, wall, error);
}

enum status ground_read(const struct recording *recording,
                        const struct law *law, size_t version,
                        struct ground *ground, struct error *error)
{
    enum status status = walls_read(recording, version, ground->wall, error);
    if (!status && recording_find(recording, "speed"))
        status = recording_read_terrain(recording, "speed", version,
                                        ground->speed, error);
    if (!status)
        ground_build(law, ground);
    return status;
}

enum status version_steps_read(const struct recording *recording,
                               int64_t **steps, struct error *error)
{
    const struct variable *variable = recording_find(recording, "version_step");
    double *column = NULL;
    enum status status = STATUS_OK;
    size_t count = variable ? variable_elements(variable) : 1;
    *steps = memory_new(count, sizeof **steps);
    if (!*steps)
        return error_memory(error);
    if (!variable)
        return STATUS_OK;
    status = table_column_read(recording, "version_step", 1, &column, error);
    for (size_t i = 0; i < count && !status; i++)
        (*steps)[i] = (int64_t)column[i];
    memory_release(column);
    return status;
}
