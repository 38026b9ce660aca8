/* SPDX-License-Identifier: MIT */
/* From the figure's file to a composition, by a table of keys. */
#include "tools/figure/composition.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"
#include "scenario/load.h"
#include "scenario/parse.h"

#include <locale.h>
#include <string.h>

#define FIGURE(member)                                                         \
    .offset = offsetof(struct composition, member),                            \
    .size = sizeof(((struct composition *)0)->member)
#define PANEL(member)                                                          \
    .offset = offsetof(struct panel, member),                                  \
    .size = sizeof(((struct panel *)0)->member)

enum { LONGEST_COMMAND = 4000, COLUMNS_LIMIT = 8 };

static const char *const share_names[] = { "none", "range", NULL };

/* clang-format off */
static const struct key figure_keys[] = {
    { "width", KEY_REAL, FIGURE(width), .otherwise = "17", .low = 6,
      .high = 60, .unit = "cm" },
    /* otherwise default_columns() */
    { "columns", KEY_WHOLE, FIGURE(columns), .low = 1, .high = COLUMNS_LIMIT },
    { "caption", KEY_TEXT, FIGURE(caption), .otherwise = "\"\"",
      .high = LONGEST_COMMAND },
    { "share", KEY_CHOICE, FIGURE(share), .otherwise = "\"none\"",
      .names = share_names },
    { "panels", KEY_GROUPS, FIGURE(panels), .required = true },
    { "panels.command", KEY_TEXT, PANEL(command), .required = true,
      .high = LONGEST_COMMAND },
    { "panels.title", KEY_TEXT, PANEL(title), .otherwise = "\"\"",
      .high = LONGEST_TITLE },
    { "panels.columns", KEY_WHOLE, PANEL(columns), .otherwise = "1", .low = 1,
      .high = COLUMNS_LIMIT },
    /* otherwise the figure's, of hamon-slice's panels */
    { "panels.share", KEY_CHOICE, PANEL(share), .names = share_names },
    { 0 },
};
/* clang-format on */

/* The programs that draw panels. */
static const struct {
    const char *name;
    bool slice;
} programs[] = {
    { "hamon-slice", true },     { "hamon-isotropy", false },
    { "hamon-modes", false },    { "hamon-reflection", false },
    { "hamon-steering", false },
};

/* The gap between two columns, centimetres. */
static const double gap = 0.4;

double panel_width(const struct composition *figure, const struct panel *panel)
{
    double columns = (double)figure->columns, span = (double)panel->columns;
    return (figure->width + gap) * span / columns - gap;
}

/* Two if panels fit, as in a paper's wide figure, else one. */
static int64_t default_columns(double width)
{
    return width + gap < 2 * (PANEL_LEAST + gap) ? 1 : 2;
}

/* Reads the keys of `group`, except lists, from its setting into the struct
 * `base`. */
static enum status read_keys(const struct load *load, const struct key *group,
                             const struct setting *setting, void *base)
{
    enum status status = STATUS_OK;
    for (const struct key *key = key_next(group, figure_keys); key && !status;
         key = key_next(group, key + 1)) {
        const struct setting *own = setting_find(setting, key_leaf(key));
        char *at = (char *)base + key->offset;
        if (!own && key->required)
            status = load_fault(load, setting, key_leaf(key), "is missing");
        else if (own && key->type != KEY_GROUPS)
            status = load_value(load, key, own, at);
        else if (!own && key->otherwise)
            status = value_take(key, key->otherwise, at, load->error);
    }
    return status;
}

/* Puts file, line and key before a message. */
static enum status fault_here(const struct load *load,
                              const struct setting *setting,
                              const struct error *why)
{
    return why->status == STATUS_INPUT
               ? load_fault(load, setting, NULL, "%s", why->message)
               : error_set(load->error, why->status, "%s", why->message);
}

static enum status find_program(const struct load *load,
                                const struct setting *command,
                                struct panel *panel)
{
    const char *name = panel->word_count ? panel->words[0] : "";
    char all[200] = "";
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        size_t used = strlen(all);
        panel->slice = programs[i].slice;
        if (strcmp(programs[i].name, name) == 0)
            return STATUS_OK;
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "",
                 programs[i].name);
    }
    return load_fault(
        load, command, NULL,
        "'%s' is not a program that draws panels; the programs are: %s", name,
        all);
}

static enum status read_panel(const struct load *load,
                              const struct composition *figure,
                              const struct setting *setting,
                              struct panel *panel)
{
    if (setting->value.type != VALUE_GROUP)
        return load_fault(load, setting, NULL,
                          "not a group; { command = \"...\"; } is allowed");
    enum status status =
        read_keys(load, key_find(figure_keys, NULL, "panels", strlen("panels")),
                  setting, panel);
    if (status)
        return status;
    struct error why;
    const struct setting *command = setting_find(setting, "command");
    panel->line = command->line;
    if (words_split(panel->command, &panel->words, &panel->word_count, &why))
        return fault_here(load, command, &why);
    if (panel->columns > figure->columns)
        return load_fault(load, setting_find(setting, "columns"), NULL,
                          "wider than the page: it has %d column%s",
                          (int)figure->columns, figure->columns > 1 ? "s" : "");
    double width = panel_width(figure, panel);
    if (width < PANEL_LEAST)
        return load_fault(load, setting, NULL,
                          "%.2f cm wide, and a panel requires %d cm or more: "
                          "lower the page's columns, or give the panel more",
                          width, PANEL_LEAST);
    status = find_program(load, command, panel);
    const struct setting *share = setting_find(setting, "share");
    if (!share && panel->slice)
        panel->share = figure->share;
    if (!status && panel->share == SHARE_RANGE && !panel->slice)
        status = load_fault(load, share, NULL,
                            "only panels of hamon-slice can share a range of "
                            "colours, not those of %s",
                            panel->words[0]);
    return status;
}

/* Panels fill a row from left to right, and then the next row. */
static void arrange(struct composition *figure)
{
    int64_t used = 0, row = 0;
    for (size_t k = 0; k < figure->count; k++) {
        struct panel *panel = &figure->panels[k];
        if (used + panel->columns > figure->columns) {
            row++;
            used = 0;
        }
        panel->first = used;
        panel->row = row;
        used += panel->columns;
    }
}

static enum status read_panels(const struct load *load,
                               const struct setting *list,
                               struct composition *figure)
{
    const int count =
        list->value.type == VALUE_LIST ? (int)list->value.whole : 0;
    if (count < 1 || count > PANELS_LIMIT)
        return load_fault(load, list, NULL,
                          "1 to %d groups in ( ) are allowed: { command = "
                          "\"...\"; }",
                          PANELS_LIMIT);
    figure->panels = need_memory((size_t)count + 2, sizeof *figure->panels);
    enum status status = STATUS_OK;
    for (const struct setting *item = list->first; item && !status;
         item = item->next)
        status =
            read_panel(load, figure, item, &figure->panels[figure->count++]);
    figure->drawn = figure->count;
    arrange(figure);
    return status;
}

static enum status read_tree(const struct load *load,
                             struct composition *figure)
{
    const struct setting *root = load->root;
    struct error why;
    enum status status = read_keys(load, NULL, root, figure);
    if (!status && !figure->columns)
        figure->columns = default_columns(figure->width);
    if (!status && tex_check_caption(figure->caption, &why))
        status = fault_here(load, setting_find(root, "caption"), &why);
    return status ? status
                  : read_panels(load, setting_find(root, "panels"), figure);
}

/* Numbers are read with a point, in any locale. */
static enum status read_text(const char *text, size_t length,
                             struct composition *figure, struct error *error)
{
    struct setting root = { 0 };
    struct load load = { .path = figure->path, .root = &root, .error = error };
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    enum status status =
        parse_text(text, length, figure->path, figure_keys, &root, error);
    if (!status)
        status = read_tree(&load, figure);
    setting_clear(&root);
    uselocale(before);
    freelocale(plain);
    return status;
}

enum status composition_read(const char *path, struct composition *figure,
                             struct error *error)
{
    const char *slash = strrchr(path, '/');
    *figure =
        (struct composition){ .path = path, .name = slash ? slash + 1 : path };
    figure->folder = slash ? need_format("%.*s", (int)(slash - path + 1), path)
                           : need_text(".");
    char *text;
    size_t length;
    enum status status =
        inputs_read(path, SCENARIO_BYTES_LIMIT, &text, &length, error);
    if (status)
        return status;
    status = read_text(text, length, figure, error);
    memory_release(text);
    return status;
}

void composition_release(struct composition *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        memory_release(figure->panels[i].command);
        memory_release(figure->panels[i].title);
        words_release(figure->panels[i].words);
    }
    for (size_t i = 0; i < figure->source_count; i++)
        memory_release(figure->sources[i].name);
    memory_release(figure->panels);
    memory_release(figure->sources);
    memory_release(figure->folder);
    memory_release(figure->caption);
    memory_release(figure->recordings_note);
    memory_release(figure->panels_note);
}
