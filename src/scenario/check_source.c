/* SPDX-License-Identifier: MIT */
/* A source of one mode or of a signal: the file of its numbers, and where the
 * mode starts. */
#include "base/inputs.h"
#include "base/memory.h"
#include "scenario/load.h"
#include "wave/arrival/detector.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As many as a scenario may list. */
enum { NUMBERS_MOST = 200000, BYTES_MOST = 1 << 24 };

/* Numbers with blanks, line ends or commas between them; the rest of a line
 * after # is a comment. */
static enum status scan(const struct load *load, const char *path,
                        const char *text, double *numbers, size_t *count)
{
    int line = 1;
    *count = 0;
    for (const char *at = text; *at;) {
        const size_t blank = strspn(at, " \t\r,");
        char *end;
        if (blank > 0) {
            at += blank;
        } else if (*at == '\n') {
            line++;
            at++;
        } else if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (*count == NUMBERS_MOST) {
            return error_at(load->error, STATUS_INPUT, path, line,
                            "more than %d numbers", NUMBERS_MOST);
        } else {
            numbers[*count] = strtod(at, &end);
            if (end == at || !isfinite(numbers[*count]) ||
                !strchr(" \t\r,\n#", *end))
                return error_at(load->error, STATUS_INPUT, path, line,
                                "%.*s is not a number; numbers with blanks or "
                                "commas between them are expected",
                                (int)strcspn(at, " \t\r,\n"), at);
            ++*count;
            at = end;
        }
    }
    if (*count == 0)
        return error_at(load->error, STATUS_INPUT, path, 0, "has no numbers");
    return STATUS_OK;
}

static enum status read_file(struct load *load, struct wave_settings *wave)
{
    char path[PATH_MAX], *text = NULL;
    size_t length = 0, count = 0;
    struct error why;
    double *numbers = memory_new(NUMBERS_MOST, sizeof *numbers);
    enum status status = numbers ? STATUS_OK : error_memory(load->error);
    if (!status)
        status = load_beside(load, "wave.signal_file", wave->signal_file, path);
    if (!status && inputs_read(path, BYTES_MOST, &text, &length, &why))
        status = load_fault_path(load, "wave.signal_file", "%s", why.message);
    if (!status && (length > BYTES_MOST || strlen(text) != length))
        status = load_fault_path(load, "wave.signal_file",
                                 "%s: not a text of up to %d bytes", path,
                                 BYTES_MOST);
    if (!status)
        status = scan(load, path, text, numbers, &count);
    if (!status)
        status = load_numbers(load, numbers, count, &wave->signal);
    memory_release(text);
    memory_release(numbers);
    return status;
}

/* The numbers then are settings of the scenario, and the file is none. */
static enum status take_file(struct load *load, struct wave_settings *wave)
{
    enum status status = STATUS_OK;
    if (!load->signal)
        status = read_file(load, wave);
    else if (!(wave->signal = memory_text(load->signal)))
        status = error_memory(load->error);
    if (status)
        return status;
    memory_release(wave->signal_file);
    wave->signal_file = NULL;
    wave->has_signal_file = false;
    wave->has_signal = true;
    return STATUS_OK;
}

/* Keys that other kinds of sources do not use. */
static enum status warn_unused(const struct load *load)
{
    static const char *const both[] = { "wave.signal", "wave.signal_file" };
    static const char *const mode[] = { "wave.mode",    "wave.second_mode",
                                        "wave.section", "wave.toward",
                                        "wave.band",    "wave.frequency" };
    const enum source_kind kind = load->draft->scenario.wave.source;
    const struct wave_settings *wave = &load->draft->scenario.wave;
    const bool of_both[] = { wave->has_signal, wave->has_signal_file };
    const bool of_mode[] = { wave->has_mode,    wave->has_second_mode,
                             wave->has_section, wave->has_toward,
                             wave->has_band,    wave->has_frequency };
    enum status status = STATUS_OK;
    for (int i = 0; i < 6 && kind != SOURCE_MODE && !status; i++)
        if (of_mode[i])
            status = load_warn(load, mode[i],
                               "has no effect with wave.source \"%s\"; delete "
                               "it, or use the source \"mode\"",
                               source_names[kind]);
    for (int i = 0; i < 2 && kind < SOURCE_SIGNAL && !status; i++)
        if (of_both[i])
            status = load_warn(load, both[i],
                               "has no effect with wave.source \"%s\"; delete "
                               "it, or use the source \"signal\" or \"mode\"",
                               source_names[kind]);
    return status;
}

enum status load_settle_source(struct load *load)
{
    struct scenario *scenario = &load->draft->scenario;
    struct wave_settings *wave = &scenario->wave;
    const char *key = "wave.source";
    struct error why;
    enum status status = warn_unused(load);
    if (status)
        return status;
    if (wave->has_signal && wave->has_signal_file)
        return load_fault_path(load, "wave.signal_file",
                               "beside signal; one of both is allowed");
    if (wave->has_signal_file)
        status = take_file(load, wave);
    if (status || wave->source < SOURCE_SIGNAL)
        return status;
    wave->ages = scenario->steps;
    if (scenario->arrival.detector->own_wave)
        return load_fault_path(load, "wave.source",
                               "\"%s\" with arrival.detector \"%s\", which "
                               "needs a wave from one cell; another source or "
                               "detector is allowed",
                               source_names[wave->source],
                               scenario->arrival.detector->name);
    status = wave_source_check(wave, &scenario->terrain.grid, &key, &why);
    if (!status && wave->source == SOURCE_MODE && !load->outline) {
        key = "wave.section";
        status = wave_source_fits(wave, &scenario->terrain, &why);
    }
    return status ? load_fault_path(load, key, "%s", why.message) : STATUS_OK;
}
