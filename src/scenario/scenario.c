/* SPDX-License-Identifier: MIT */
#include "scenario/scenario.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "scenario/examples.h"
#include "scenario/load.h"
#include "scenario/parse.h"

#include <errno.h>
#include <locale.h>
#include <string.h>

/* Text to tree, overrides applied. */
static enum status read_tree(struct load *load, const char *text, size_t length,
                             const struct scenario_source *source)
{
    enum status status =
        parse_text(text, length, load->path, keys, load->root, load->error);
    for (size_t i = 0; i < source->override_count && !status; i++)
        status = load_override(load, source->overrides[i]);
    return status;
}

static enum status read_key(const struct load *load, const char *name)
{
    return load_key(load, key_of(name), load->root, load->draft);
}

/* From tree to draft. The preset determines the defaults, and the map
 * determines the valid positions, so these come before the other keys. */
static enum status read_draft(struct load *load)
{
    enum status status = read_key(load, "preset");
    if (!status)
        status = read_key(load, "map");
    if (!status)
        status = load_map(load);
    for (const struct key *key = key_next(NULL, keys); key && !status;
         key = key_next(NULL, key + 1))
        if (strcmp(key->path, "map") != 0)
            status = read_key(load, key->path);
    load->draft->scenario.cell_metres = load->draft->scale.cell;
    load->draft->scenario.step_seconds = load->draft->scale.step;
    return status;
}

static enum status settle(struct load *load)
{
    enum status status = load_settle_preset(load);
    if (!status)
        status = load_settle_changes(load);
    if (!status)
        status = load_settle_wave(load);
    if (!status)
        status = load_settle_pursuit(load);
    if (!status)
        status = load_settle_record(load);
    if (!status)
        status = load_warn_lifetime(load);
    struct scenario *scenario = &load->draft->scenario;
    if (!status)
        status =
            draft_print(load->draft, false, &scenario->resolved, load->error);
    if (!status)
        status =
            draft_print(load->draft, true, &scenario->parameters, load->error);
    return status;
}

/* Numbers are read and printed with a point in every locale of the user. */
static enum status load_text(struct load *load, const char *text, size_t length,
                             const struct scenario_source *source)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return error_memory(load->error);
    locale_t before = uselocale(plain);
    enum status status = read_tree(load, text, length, source);
    if (!status)
        status = read_draft(load);
    if (!status)
        status = settle(load);
    setting_clear(load->root);
    uselocale(before);
    freelocale(plain);
    return status;
}

/* Joins them, one on each line. NULL if there is no memory. */
static char *join(const char *const *overrides, size_t count)
{
    size_t length = 1;
    for (size_t i = 0; i < count; i++)
        length += strlen(overrides[i]) + 1;
    char *lines = memory_new(length, 1), *at = lines;
    for (size_t i = 0; lines && i < count; i++) {
        size_t bytes = strlen(overrides[i]);
        memcpy(at, overrides[i], bytes);
        at[bytes] = '\n';
        at += bytes + 1;
    }
    return lines;
}

static enum status parse(const struct scenario_source *source, const char *text,
                         size_t length, struct scenario **scenario,
                         struct error *error)
{
    struct setting root = { 0 };
    struct load load = { .path = source->path,
                         .root = &root,
                         .map = source->map,
                         .outline = source->outline,
                         .signal = source->signal,
                         .error = error };
    load.draft = memory_new(1, sizeof *load.draft);
    if (!load.draft)
        return error_memory(error);
    struct scenario *made = &load.draft->scenario;
    made->path = memory_text(source->path);
    made->text = memory_text(text);
    made->set = join(source->overrides, source->override_count);
    enum status status =
        made->path && made->text && made->set ? STATUS_OK : error_memory(error);
    if (!status)
        status = load_text(&load, text, length, source);
    if (status)
        scenario_release(made);
    else
        *scenario = made;
    return status;
}

enum status scenario_read(const struct scenario_source *source,
                          struct scenario **scenario, struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (source->text)
        return parse(source, source->text, strlen(source->text), scenario,
                     error);
    enum status status =
        inputs_read(source->path, SCENARIO_BYTES_LIMIT, &text, &length, error);
    if (status)
        return status;
    status = parse(source, text, length, scenario, error);
    memory_release(text);
    return status;
}

enum status scenario_load(const char *path, const char *const *overrides,
                          size_t override_count, struct scenario **scenario,
                          struct error *error)
{
    return scenario_parse_on(NULL, path, overrides, override_count, NULL,
                             scenario, error);
}

enum status scenario_parse(const char *text, const char *path,
                           const char *const *overrides, size_t override_count,
                           struct scenario **scenario, struct error *error)
{
    return scenario_parse_on(text, path, overrides, override_count, NULL,
                             scenario, error);
}

enum status scenario_parse_on(const char *text, const char *path,
                              const char *const *overrides,
                              size_t override_count, const struct terrain *map,
                              struct scenario **scenario, struct error *error)
{
    const struct scenario_source source = {
        .path = path,
        .text = text,
        .overrides = overrides,
        .override_count = override_count,
        .map = map,
    };
    return scenario_read(&source, scenario, error);
}

void scenario_release(struct scenario *scenario)
{
    if (!scenario)
        return;
    keys_release(NULL, (struct draft *)scenario);
    memory_release(scenario->path);
    memory_release(scenario->text);
    memory_release(scenario->set);
    memory_release(scenario->legend.entries);
    terrain_release(&scenario->terrain);
    memory_release(scenario->events);
    memory_release(scenario->resolved);
    memory_release(scenario->parameters);
    for (size_t i = 0; i < scenario->warning_count; i++)
        memory_release(scenario->warnings[i]);
    memory_release(scenario->warnings);
    memory_release(scenario);
}

struct map_outline scenario_outline(const struct scenario *scenario)
{
    struct map_outline outline = { .grid = scenario->terrain.grid };
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        outline.has[i] = terrain_array_at(&scenario->terrain, i) != NULL;
    return outline;
}

void scenario_forget_map(struct scenario *scenario)
{
    struct grid grid = scenario->terrain.grid;
    terrain_release(&scenario->terrain);
    scenario->terrain.grid = grid;
}

const char *scenario_warning(const struct scenario *scenario, size_t i)
{
    return i < scenario->warning_count ? scenario->warnings[i] : NULL;
}

const char *scenario_example(const char *name)
{
    static const struct {
        const char *name;
        const unsigned char *text;
    } examples[] = {
        { "paper", example_paper },
        { "best", example_best },
        { "3d", example_3d },
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (strcmp(examples[i].name, name) == 0)
            return (const char *)examples[i].text;
    return NULL;
}
