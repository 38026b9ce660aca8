/* SPDX-License-Identifier: MIT */
#include "analysis/study/program.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"
#include "cli/interrupt.h"
#include "cli/recordings.h"
#include "wave/arrival/detector.h"

#include <stdio.h>
#include <string.h>

struct asked {
    const struct study_program *program;
    const char *output, *format, *width, *panels, *table, *caption, *font;
    bool maps; /* to be drawn */
    struct study_asked groups;
    const char **by; /* its keys, and their text */
    char *by_text;
    int64_t wave;
    bool force, json;
    unsigned formats; /* parsed */
    enum table_format table_format;
    double centimetres;         /* of width */
    struct chart_figure figure; /* its panels that are drawn */
    size_t drawn;               /* groups */
};

/* Printed before the table, which may be long. */
static void warn_left_out(const struct cli *cli, const struct asked *asked,
                          const struct study *study)
{
    const size_t count = study->group_count;
    if (asked->drawn < count)
        cli_say(cli,
                "warning: %zu of %zu groups are not drawn in %s; choose others "
                "by --order, FILE... and fewer values of --vary (BASE.csv and "
                "the table have all)",
                count - asked->drawn, count, asked->program->where);
}

static enum status report_table(const struct cli *cli,
                                const struct asked *asked, struct study *study,
                                struct error *error)
{
    const struct study_program *program = asked->program;
    struct table table;
    bool printed = asked->table || asked->json || !cli->quiet;
    warn_left_out(cli, asked, study);
    study->keyed =
        asked->table_format == TABLE_CSV || asked->table_format == TABLE_JSON;
    program->table(program->report, &table);
    study->keyed = false;
    if (printed)
        table_print(&table, asked->table_format, stdout);
    table_release(&table);
    const char *remark =
        program->remark ? program->remark(program->report) : "";
    if (*remark && printed && asked->table_format == TABLE_TEXT &&
        strncmp(remark, "warning:", 8) != 0)
        printf("%s\n", remark);
    else if (*remark)
        cli_say(cli, "%s", remark);
    if (printed)
        table_hint(asked->table_format);
    return cli_flush(error);
}

/* Panels and maps of the list; all if there is no list. */
static enum status choose_panels(struct asked *asked, struct error *error)
{
    char letters[256] = "";
    size_t used = 0;
    asked->maps = !asked->panels && asked->program->map;
    for (const char *at = asked->panels; at;) {
        size_t length = strcspn(at, ",");
        bool maps =
            asked->program->map && length == 4 && !strncmp(at, "maps", 4);
        asked->maps |= maps;
        if (!maps && used < sizeof letters)
            used +=
                (size_t)snprintf(letters + used, sizeof letters - used,
                                 "%s%.*s", used ? "," : "", (int)length, at);
        at = at[length] ? at + length + 1 : NULL;
    }
    if (asked->maps && asked->panels && used == 0)
        return error_set(error, STATUS_INPUT,
                         "--panels maps: a panel of the chart is required too, "
                         "as in a,maps");
    return asked->panels ? chart_panels_choose(letters, &asked->figure, error)
                         : STATUS_OK;
}

static enum status draw_map(const struct cli *cli, const struct asked *asked,
                            const struct study_map *map, const char *name,
                            const struct study *study, size_t group,
                            struct chart *chart, struct error *error)
{
    const char *label = study->groups[group].label;
    char path[4096], software[128], title[STUDY_LABEL_SIZE + 64];
    snprintf(path, sizeof path, "%s-%s-%zu.png", asked->output, name,
             group + 1);
    snprintf(software, sizeof software, "%s %s, commit %s",
             asked->program->name, hamon_version, hamon_commit);
    int used = snprintf(title, sizeof title, "%s", label);
    if (study->groups[group].count > 1)
        used +=
            snprintf(title + used, sizeof title - (size_t)used,
                     ", first of %zu recordings", study->groups[group].count);
    if (!map->values && !map->colours)
        snprintf(title + used, sizeof title - (size_t)used, ", step %lld",
                 (long long)map->step);
    if (map->colours && !map->oblique &&
        recording_grid(map->recording)->dims == GRID_AXES)
        snprintf(title + used, sizeof title - (size_t)used, ", %c = %lld",
                 "xyz"[map->place.axis], (long long)map -> place.at);
    struct output *output;
    enum status status = chart_add(chart, path, &output, error);
    if (!status)
        status = study_map_write(map, title, asked->centimetres, software,
                                 output, error);
    if (!status && cli->verbose)
        cli_say(cli, "%s: %s", path, label);
    return status;
}

/* Maps are drawn if a PNG is. */
static enum status draw_maps(const struct cli *cli, const struct asked *asked,
                             const struct study *study, struct chart *chart,
                             struct error *error)
{
    const struct study_program *program = asked->program;
    enum status status = STATUS_OK;
    if (!asked->maps || !(asked->formats & 1U << CHART_PNG))
        return STATUS_OK;
    for (size_t g = 0; g < study->group_count && !status; g++) {
        struct study_map map = program->map(program->report, g);
        status = draw_map(cli, asked, &map, "map", study, g, chart, error);
        if (status || !program->second_map)
            continue;
        map = program->second_map(program->report, g);
        if (map.recording)
            status = draw_map(cli, asked, &map, program->second_name, study, g,
                              chart, error);
    }
    return status;
}

/* The table's numbers at the start of the data, for readers who have only these
 * files. */
static void write_table(const struct study_program *program,
                        struct chart *chart)
{
    struct table table;
    program->table(program->report, &table);
    fputs("# The table:\n", chart->data.file);
    table_print(&table, TABLE_COMMENT, chart->data.file);
    table_release(&table);
}

/* Sets show_NAME of each panel to 1 or 0, and the number of those shown; of
 * those that are not chosen by --panels the extra ones are not. */
static void show_panels(const struct asked *asked, struct chart *chart)
{
    struct chart_figure all = { 0 };
    size_t count = 0;
    asked->program->panels(asked->program->report, &all);
    for (size_t i = 0; i < all.count; i++) {
        bool shown = false;
        for (size_t k = 0; k < asked->figure.count; k++)
            shown |=
                strcmp(asked->figure.panels[k].name, all.panels[i].name) == 0;
        shown = shown && (asked->panels || !all.panels[i].extra);
        count += shown;
        char *name = need_format("show_%s", all.panels[i].name);
        chart_option_number(chart, name, shown);
        memory_release(name);
    }
    chart_option_number(chart, "panels", (double)count);
}

static enum status draw(const struct cli *cli, const struct asked *asked,
                        const struct study *study, struct chart *chart,
                        struct error *error)
{
    const struct study_program *program = asked->program;
    const struct chart_figure *own = &asked->figure;
    const struct chart_figure figure = {
        .commands = own->commands ? own->commands : program->commands,
        .title = own->title ? own->title : program->title,
    };
    write_table(program, chart);
    const struct study_drawn groups = { asked->drawn, program->where };
    study_caption(study, &groups,
                  program->note ? program->note(program->report, false) : "",
                  program->note ? program->note(program->report, true) : "",
                  program->name, chart);
    show_panels(asked, chart);
    enum status status = program->data(program->report, chart, error);
    if (!status)
        status = chart_draw(chart, &figure, error);
    if (!status && *chart->told)
        cli_say(cli, "%s: %s", asked->output, chart->told);
    if (!status && *chart->lacking.text)
        cli_say(cli, LACKING_MESSAGE, asked->output, chart->lacking.text,
                lacking_packages(chart->lacking.text));
    return status;
}

/* Values of such a key give equal groups. */
static enum status say_unused(const struct cli *cli, const struct study *study,
                              struct error *error)
{
    const struct detector *detector = NULL;
    const char *key;
    enum status status = study_unused_key(study, &key, &detector, error);
    if (!status && key)
        cli_say(cli,
                "--vary %s: has no effect with arrival.detector \"%s\"; leave "
                "it out, or use another detector",
                key, detector->name);
    return status;
}

/* Everything is opened before anything is computed, and what gnuplot lacks is
 * reported. */
static enum status measure(const struct cli *cli, struct asked *asked,
                           const struct recording_paths *paths,
                           struct study *study, struct chart *chart,
                           struct error *error)
{
    enum status status = table_format_parse(asked->table, asked->json,
                                            &asked->table_format, error);
    if (!status)
        status = chart_formats_parse(asked->format, &asked->formats, error);
    if (!status)
        status = chart_width_parse(asked->width, &asked->centimetres, error);
    if (!status)
        status = chart_open(chart, asked->output, asked->formats, asked->force,
                            error);
    if (!status)
        status = chart_caption_parse(asked->caption, &chart->caption, error);
    if (!status && asked->font)
        status = chart_font_check(asked->font, error);
    chart->font = asked->font;
    chart->debug = cli->debug;
    chart->width = asked->centimetres;
    if (!status)
        status = study_open(cli, study, paths->items, paths->count,
                            &asked->groups, error);
    if (!status)
        status = chart_gnuplot_check(chart, error);
    if (!status)
        status = say_unused(cli, study, error);
    if (!status && asked->program->field)
        status = study_require(study, asked->program->field, (int)asked->wave,
                               error);
    if (!status)
        status = asked->program->make(asked->program->report, study,
                                      (int)asked->wave, error);
    if (!status)
        asked->program->panels(asked->program->report, &asked->figure);
    if (!status)
        status = choose_panels(asked, error);
    asked->drawn = study->group_count;
    if (!status && asked->program->drawn)
        asked->drawn =
            asked->program->drawn(asked->program->report, &asked->figure);
    return status;
}

/* The program's own word of --by, or NULL. */
static const char *own_word(const struct study_program *program,
                            const char *text)
{
    for (size_t i = 0; program->by_words && program->by_words[i]; i++)
        if (strcmp(program->by_words[i], text) == 0)
            return program->by_words[i];
    return NULL;
}

/* Splits --by into its keys and the program's own word; false: two of these. */
static bool split_by(struct asked *asked)
{
    const struct study_program *program = asked->program;
    struct cli_list *by = &asked->groups.by;
    const size_t count =
        labels_keys(by->items, by->count, &asked->by_text, &asked->by);
    *by = (struct cli_list){ .items = asked->by };
    for (size_t i = 0; i < count; i++) {
        const char *own = own_word(program, asked->by[i]);
        if (!own)
            asked->by[by->count++] = asked->by[i];
        else if (*program->by_chosen && *program->by_chosen != own)
            return false;
        else
            *program->by_chosen = own;
    }
    return true;
}

static int run(struct cli *cli, void *context)
{
    struct asked *asked = context;
    struct study study = { 0 };
    struct chart chart = { 0 };
    struct error error;
    if (cli->operand_count == 0)
        return cli_usage(cli, "a recording is required");
    if (asked->program->one_recording && cli->operand_count > 1)
        return cli_usage(cli, "one recording is required, not %d",
                         cli->operand_count);
    if (!split_by(asked))
        return cli_usage(cli, "--by takes one of %s and %s",
                         asked->program->by_words[0],
                         asked->program->by_words[1]);
    char *made = NULL;
    if (!asked->output)
        asked->output = made = cli_output_of(
            cli->operands[0], asked->program->name + strlen("hamon"));
    struct recording_paths paths;
    enum status status = recording_paths_make(
        &paths, cli->operands, (size_t)cli->operand_count, &error);
    if (!status && asked->program->one_recording && paths.count > 1)
        status = error_set(&error, STATUS_INPUT,
                           "%s: one recording is required, not %zu",
                           cli->operands[0], paths.count);
    if (!status)
        status = measure(cli, asked, &paths, &study, &chart, &error);
    if (!status)
        status = report_table(cli, asked, &study, &error);
    if (!status)
        status = draw_maps(cli, asked, &study, &chart, &error);
    if (!status)
        status = draw(cli, asked, &study, &chart, &error);
    asked->program->release(asked->program->report);
    chart_release(&chart);
    study_release(&study);
    recording_paths_release(&paths);
    memory_release(asked->by);
    memory_release(asked->by_text);
    memory_release(made);
    return status ? cli_fail(&error) : STATUS_OK;
}

int study_program_main(const struct study_program *program, int argc,
                       char **argv)
{
    static const struct cli_option none[] = { { 0 } };
    struct asked asked = { .program = program,
                           .format = "pdf,svg,png,tex",
                           .width = "column",
                           .caption = "short",
                           .groups.names = program->names };
    const struct cli_option several[] = {
        { CLI_LIST, 0, "vary", "KEY=V1,V2",
          program->vary_help
              ? program->vary_help
              : "evaluate each recording with several arrival settings, as\n"
                "in arrival.threshold=1e-2,1e-4; repeatable: all combinations",
          &asked.groups.vary, 0, 0 },
        { CLI_LIST, 0, "pool", "KEY",
          "put recordings that differ only in this setting into one\n"
          "group, as in map.file; repeatable",
          &asked.groups.pool, 0, 0 },
        { CLI_LIST, 0, "by", "KEY",
          program->by_help
              ? program->by_help
              : "a group for each value of this setting, and of no other;\n"
                "repeatable, or KEY,KEY (of each that differs)",
          &asked.groups.by, 0, 0 },
        { CLI_LIST, 0, "order", "NAME",
          "a group, or a value of a setting, that comes first in table\n"
          "and chart; repeatable",
          &asked.groups.order, 0, 0 },
        { CLI_LIST, 0, "label", "NAME=TEXT",
          "words of the chart for a group, a method or a setting of\n"
          "the table; repeatable",
          &asked.groups.labels, 0, 0 },
        { 0 },
    };
    const struct cli_option *groups = program->one_recording ? none : several;
    const struct cli_option *own = program->own ? program->own : none;
    const struct cli_option options[] = {
        { CLI_FILE, 'o', "output", "BASE",
          "name of the output: the numbers BASE.csv, the script\n"
          "BASE.gp that draws them again, and the charts BASE.pdf ...\n"
          "(by default named after the first recording and the\n"
          "program, as in corridor-modes)",
          &asked.output, 0, 0 },
        { CLI_TEXT, 0, "format", "LIST",
          "formats of the charts, of pdf,svg,png,tex (all); none:\n"
          "only BASE.csv and BASE.gp",
          &asked.format, 0, 0 },
        { CLI_TEXT, 0, "width", "WIDTH",
          "width of the charts: column (8.5 cm, panels below each\n"
          "other), page (17 cm, two side by side) or centimetres\n"
          "(column)",
          &asked.width, 0, 0 },
        { CLI_TEXT, 0, "panels", "LIST",
          program->map
              ? "draw only these panels of the chart, as in a,e, with new\n"
                "letters; maps adds the maps, as in a,e,maps (all; more than\n"
                "five in a column may be higher than a page)"
              : "draw only these panels of the chart, as in a,e, with new\n"
                "letters (all; more than five in a column may be higher\n"
                "than a page)",
          &asked.panels, 0, 0 },
        { CLI_TEXT, 0, "caption", "HOW",
          "text below the chart: short (what is necessary to read it),\n"
          "full (also the recordings and programs it was made from)\n"
          "or none; the metadata of the files always have all of it\n"
          "(short)",
          &asked.caption, 0, 0 },
        { CLI_TEXT, 0, "font", "NAME",
          "font of the charts, as fc-list prints it; not for tex\n"
          "(Sans)",
          &asked.font, 0, 0 },
        { .kind = CLI_TABLE, .value = &cli_language },
        { .kind = CLI_TABLE, .value = &groups },
        { .kind = CLI_TABLE, .value = &own },
        { CLI_INT, 'w', "wave", "N", "measure wave N (0)", &asked.wave, 0,
          1e9 },
        { CLI_TEXT, 0, "table", "FORMAT",
          program->table_help
              ? program->table_help
              : "format of the table on standard output: text, csv, md or\n"
                "tex; with this option it is printed even with -q",
          &asked.table, 0, 0 },
        { CLI_FLAG, 0, "json", NULL, "print the table as JSON, even with -q",
          &asked.json, 0, 0 },
        { CLI_FLAG, 0, "force", NULL, "replace existing files", &asked.force, 0,
          0 },
        { 0 },
    };
    struct cli cli = {
        .program = program->name,
        .synopsis = program->one_recording ? "[OPTION]... FILE"
                                           : "[OPTION]... FILE|DIR...",
        .purpose = program->purpose,
        .notes = program->notes,
        .columns = program->columns,
        .recordings = true,
        .options = options,
    };
    interrupt_remove();
    return cli_main(&cli, argc, argv, run, &asked);
}
