/* SPDX-License-Identifier: MIT */
#include "analysis/compare/picture.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum status picture_open(struct picture *picture, const char *base,
                         const char *formats, const char *width,
                         const char *font, bool force, bool debug,
                         struct error *error)
{
    unsigned chosen = 0;
    double centimetres = CHART_COLUMN;
    picture->base = base;
    enum status status = chart_formats_parse(formats, &chosen, error);
    if (!status)
        status = chart_width_parse(width, &centimetres, error);
    if (!status && font)
        status = chart_font_check(font, error);
    if (!status)
        status = chart_open(&picture->chart, base, chosen, force, error);
    picture->chart.width = centimetres;
    picture->chart.font = font;
    picture->chart.debug = debug;
    return status ? status : chart_gnuplot_check(&picture->chart, error);
}

void picture_release(struct picture *picture)
{
    chart_release(&picture->chart);
}

/* ---- files of CSV ---- */

/* The columns of texts before those of each file's own. */
enum { TEXTS_MOST = 64, OWN_MOST = 5, NUMBERS_MOST = 8 };

struct file {
    const char *name;            /* NAME-name.csv */
    const char *texts[OWN_MOST]; /* NULL behind the last */
    struct table_column numbers[NUMBERS_MOST];
    size_t count; /* of numbers */
};

static const struct file captures_file = {
    "captures",
    { NULL },
    { { "time (steps)", .meaning = "a step at which some are captured, or "
                                   "their observation ends" },
      { "at risk", .meaning = "number not captured and observed before it" },
      { "captures", .meaning = "number captured at it" },
      { "censored",
        .meaning = "number whose observation ends at it without a capture" },
      { "captured (%)", .meaning = "share captured up to it (Kaplan-Meier)" },
      { "captured low 95 (%)",
        .meaning = "its lower 95 % limit (log-log); none at 0 and 100" },
      { "captured high 95 (%)", .meaning = "its upper 95 % limit" } },
    7
};

static const struct file agents_file = {
    "agents",
    { "file", "agent", "outcome", NULL },
    { { "time (steps)",
        .meaning = "step of the capture; if censored, the last step" },
      { "time limit (steps)", .meaning = "step limit of the run" },
      { "path (cells)", .meaning = "length of the path" },
      { "shortest path (cells)",
        .meaning = "length of the shortest path from the start to the place "
                   "of the capture" },
      { "path / shortest",
        .meaning = "path divided by the shortest path, of a capture" } },
    5
};

static const struct file pairs_file = {
    "pairs",
    { "reference", "file", "outcome", "reference outcome", "result" },
    { { "time (steps)",
        .meaning = "step of the capture; if censored, the last step" },
      { "reference time (steps)", .meaning = "the same of the reference" },
      { "time / reference",
        .meaning = "time divided by the reference's, if both captured" } },
    3
};

/* A table of such a file: method, the keys, label, and its own texts. */
struct sheet {
    const struct file *file;
    const struct compared *rows;
    char *const *labels;
    const char *names[TEXTS_MOST];
    struct table table;
};

static void sheet_init(struct sheet *sheet)
{
    size_t count = 0;
    sheet->names[count++] = "method";
    for (size_t k = 0;
         k < sheet->rows->key_count && count < TEXTS_MOST - OWN_MOST - 2; k++)
        sheet->names[count++] = sheet->rows->keys[k];
    sheet->names[count++] = "label";
    for (size_t i = 0; i < OWN_MOST && sheet->file->texts[i]; i++)
        sheet->names[count++] = sheet->file->texts[i];
    table_init_texts(&sheet->table, sheet->names, count, sheet->file->numbers,
                     sheet->file->count);
}

static void sheet_add(struct sheet *sheet, size_t row, const char *const *own,
                      const double *numbers)
{
    const struct compared_row *of = &sheet->rows->rows[row];
    const char *texts[TEXTS_MOST];
    size_t count = 0;
    texts[count++] = of->method;
    for (size_t k = 0;
         k < sheet->rows->key_count && count < TEXTS_MOST - OWN_MOST - 2; k++)
        texts[count++] = of->values[k];
    texts[count++] = sheet->labels[row];
    for (size_t i = 0; i < OWN_MOST && sheet->file->texts[i]; i++)
        texts[count++] = own[i];
    table_add_texts(&sheet->table, texts, numbers);
}

static enum status add_file(struct picture *picture, const char *name,
                            FILE **file, struct error *error)
{
    struct output *output;
    char *path = need_format("%s-%s.csv", picture->base, name);
    enum status status = chart_add(&picture->chart, path, &output, error);
    memory_release(path);
    if (!status)
        *file = output->file;
    return status;
}

static enum status sheet_write(struct sheet *sheet, struct picture *picture,
                               struct error *error)
{
    FILE *file = NULL;
    enum status status = add_file(picture, sheet->file->name, &file, error);
    if (!status)
        table_print(&sheet->table, TABLE_CSV, file);
    table_release(&sheet->table);
    return status;
}

static enum status write_compared(struct picture *picture, const char *name,
                                  const struct compared *table,
                                  struct error *error)
{
    FILE *file = NULL;
    enum status status = add_file(picture, name, &file, error);
    if (!status)
        compared_print(table, TABLE_CSV, file);
    return status;
}

void picture_describe(FILE *out)
{
    static const struct file *const files[] = { &captures_file, &agents_file,
                                                &pairs_file };
    static const char *const texts[][2] = {
        { "label", "words for the row in the chart" },
        { "file", "file of the recording" },
        { "outcome", "captured, or censored: not captured up to that time" },
        { "reference", "the method and values with which it is compared" },
        { "reference outcome", "outcome of the reference" },
        { "result", "win, tie or loss; a win is a capture while the other is "
                    "known to be not captured" },
    };
    fputs("\nIn the files of --output, NAME-captures.csv, NAME-agents.csv, "
          "NAME-pairs.csv:\n",
          out);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_describe(texts[i][0], texts[i][1], out);
    for (size_t i = 0; i < 3; i++)
        table_describe_columns(files[i]->numbers, files[i]->count, out);
}

/* ---- the numbers of recordings ---- */

static const char *outcome_of(bool captured)
{
    return captured ? "captured" : "censored";
}

static void take_times(const struct outcomes *outcomes, struct plot *plot,
                       const struct compared_row *row,
                       struct plot_series *series)
{
    const struct measured_agent **agents =
        need_memory(outcomes->count, sizeof *agents);
    struct timed *times = need_memory(outcomes->count, sizeof *times);
    const struct who who = { row->method, row->group, NULL };
    const size_t count = outcomes_select(outcomes, &who, agents);
    series->method = row->method;
    series->count = results_times(agents, count, false, times);
    series->times = need_memory(series->count, sizeof *series->times);
    series->paths = need_memory(count, sizeof *series->paths);
    for (size_t i = 0; i < series->count; i++)
        series->times[i] = times[i].time;
    for (size_t i = 0; i < count; i++) {
        const double ratio = agents[i]->path_length / agents[i]->shortest;
        plot->teams |= agents[i]->run->team;
        if (!isnan(agents[i]->captured) && isfinite(ratio))
            series->paths[series->path_count++] = ratio;
    }
    memory_release(agents);
    memory_release(times);
}

static size_t row_of(const struct compared *rows, const struct who *who)
{
    size_t r = 0;
    while (strcmp(rows->rows[r].method, who->method) != 0 ||
           strcmp(rows->rows[r].group, who->group) != 0)
        r++;
    return r;
}

static void take_pairs(const struct compared *rows,
                       const struct paired_list *list, struct plot *plot)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct paired_times *pair = &list->items[i];
        struct plot_series *series = &plot->series[row_of(rows, &pair->who)];
        if (!series->pairs)
            series->pairs = need_memory(list->count, sizeof *series->pairs);
        series->pairs[series->pair_count++] =
            (struct pair){ pair->one.time, pair->other.time,
                           pair->one.run->number };
    }
}

/* ---- the files ---- */

static enum status write_captures(struct picture *picture,
                                  const struct compared *rows,
                                  char *const *labels, const struct plot *plot,
                                  struct error *error)
{
    static const char *const none[OWN_MOST] = { NULL };
    struct sheet sheet = { &captures_file, rows, labels, { NULL }, { 0 } };
    sheet_init(&sheet);
    for (size_t r = 0; r < plot->count; r++) {
        const struct plot_series *series = &plot->series[r];
        struct survival_point *points =
            need_memory(series->count + 1, sizeof *points);
        const size_t count =
            survival_curve(series->times, series->count, points);
        for (size_t i = 0; i < count; i++) {
            const struct survival_point *point = &points[i];
            const double numbers[] = { point->time,
                                       (double)point->at_risk,
                                       (double)point->captured,
                                       (double)point->censored,
                                       100 * (1 - point->surviving),
                                       100 * (1 - point->high),
                                       100 * (1 - point->low) };
            sheet_add(&sheet, r, none, numbers);
        }
        memory_release(points);
    }
    return sheet_write(&sheet, picture, error);
}

static enum status write_agents(struct picture *picture,
                                const struct outcomes *outcomes,
                                const struct compared *rows,
                                char *const *labels, struct error *error)
{
    struct sheet sheet = { &agents_file, rows, labels, { NULL }, { 0 } };
    sheet_init(&sheet);
    for (size_t i = 0; i < outcomes->count; i++) {
        const struct measured_agent *agent = outcomes->items[i].agent;
        const struct who who = { agent->method, outcomes->items[i].group,
                                 NULL };
        const bool captured = !isnan(agent->captured);
        const char *const own[OWN_MOST] = { outcomes->paths[agent->run->number],
                                            agent->name, outcome_of(captured) };
        const double numbers[] = {
            captured ? agent->captured : (double)agent->run->steps,
            agent->run->limit, agent->path_length,
            captured ? agent->shortest : NAN,
            captured ? agent->path_length / agent->shortest : NAN
        };
        sheet_add(&sheet, row_of(rows, &who), own, numbers);
    }
    return sheet_write(&sheet, picture, error);
}

static enum status write_pairs(struct picture *picture,
                               const struct outcomes *outcomes,
                               const struct compared *rows, char *const *labels,
                               const struct paired_list *list,
                               const char *reference, double limit,
                               struct error *error)
{
    struct sheet sheet = { &pairs_file, rows, labels, { NULL }, { 0 } };
    sheet_init(&sheet);
    for (size_t i = 0; i < list->count; i++) {
        const struct paired_times *pair = &list->items[i];
        const struct survival_time one = pair->one.time,
                                   other = pair->other.time;
        const struct pair alone = { one, other, 0 };
        const struct paired result = paired_make(&alone, 1, limit);
        const char *const own[OWN_MOST] = {
            reference, outcomes->paths[pair->one.run->number],
            outcome_of(one.captured), outcome_of(other.captured),
            result.wins     ? "win"
            : result.losses ? "loss"
                            : "tie"
        };
        const double numbers[] = { one.time, other.time,
                                   one.captured && other.captured
                                       ? one.time / other.time
                                       : NAN };
        sheet_add(&sheet, row_of(rows, &pair->who), own, numbers);
    }
    return sheet_write(&sheet, picture, error);
}

/* ---- all ---- */

/* Of the default reference, lee or the first row, if it has pairs. */
static char *find_pairs(const struct outcomes *outcomes,
                        const struct compared *rows, struct compared *pairs,
                        struct paired_list *list)
{
    struct error error;
    const struct compared_row *first = &rows->rows[0];
    char *reference = need_text("lee");
    for (int attempt = 0; attempt < 2; attempt++) {
        if (!pairs_make(outcomes, reference, pairs, list, &error))
            return reference;
        memory_release(reference);
        compared_release(pairs);
        *pairs = (struct compared){ .keys = rows->keys,
                                    .key_count = rows->key_count };
        list->count = 0;
        reference = rows->key_count
                        ? need_format("%s, %s", first->method, first->group)
                        : need_text(first->method);
    }
    memory_release(reference);
    return NULL;
}

/* The reference's label: of its row, or of its method in all rows. */
static char *label_of(const struct picture *picture,
                      const struct compared *rows, char *const *labels,
                      const char *reference)
{
    for (size_t r = 0; r < rows->count; r++) {
        const struct compared_row *row = &rows->rows[r];
        const size_t length = strlen(row->method);
        size_t same = 0;
        for (size_t k = 0; k < rows->count; k++)
            same += strcmp(rows->rows[k].method, row->method) == 0;
        if (strncmp(reference, row->method, length) != 0)
            continue;
        if (!reference[length])
            return need_text(
                same == 1 ? labels[r]
                          : labels_method(&picture->labels, row->method));
        if (strcmp(reference + length + 2, row->group) == 0)
            return need_text(labels[r]);
    }
    return need_text(reference);
}

static enum status write_files(struct picture *picture,
                               const struct outcomes *outcomes,
                               const struct compared *rows, char *const *labels,
                               const struct compared *pairs,
                               const struct paired_list *list,
                               const struct plot *plot, struct error *error)
{
    enum status status = write_compared(picture, "table", rows, error);
    if (!status)
        status = write_captures(picture, rows, labels, plot, error);
    if (!status)
        status = write_agents(picture, outcomes, rows, labels, error);
    if (status || !plot->reference)
        return status;
    status = write_compared(picture, "ratios", pairs, error);
    return status ? status
                  : write_pairs(picture, outcomes, rows, labels, list,
                                plot->reference, plot->limit, error);
}

enum status picture_draw(struct picture *picture,
                         const struct outcomes *outcomes,
                         const struct compared *rows, struct compared *pairs,
                         struct paired_list *list, const struct cli *cli,
                         struct error *error)
{
    char **labels = need_memory(rows->count, sizeof *labels);
    char *reference = picture->reference
                          ? need_text(picture->reference)
                          : find_pairs(outcomes, rows, pairs, list);
    struct plot plot = { .count = rows->count, .limit = outcomes->limit };
    struct labels_rows of;
    compared_rows(rows, &of);
    enum status status = labels_make(&of, &picture->labels, labels, error);
    memory_release(of.row);
    plot.series = need_memory(rows->count, sizeof *plot.series);
    for (size_t r = 0; r < rows->count && !status; r++) {
        take_times(outcomes, &plot, &rows->rows[r], &plot.series[r]);
        plot.series[r].label = need_text(labels[r]);
    }
    if (!status && reference) {
        plot.reference = label_of(picture, rows, labels, reference);
        take_pairs(rows, list, &plot);
    }
    if (!status)
        status = write_files(picture, outcomes, rows, labels, pairs, list,
                             &plot, error);
    if (!status && plot.count > PLOT_SERIES)
        cli_say(
            cli,
            "warning: the chart shows the first %d of %zu rows, from %s on: "
            "more lines cannot be distinguished; choose by --order, or "
            "give fewer recordings (the files have all)",
            PLOT_SERIES, plot.count, plot.series[0].label);
    if (!status) {
        plot_describe(&plot, &picture->chart);
        chart_say(&picture->chart, CHART_SOURCE,
                  "%zu recordings, the first %s; hamon-compare %s, commit %s",
                  outcomes->run_count, outcomes->paths[0], hamon_version,
                  hamon_commit);
        status = plot_draw(&plot, picture->panels, &picture->chart, error);
    }
    plot_release(&plot);
    memory_release(reference);
    for (size_t r = 0; r < rows->count; r++)
        memory_release(labels[r]);
    memory_release(labels);
    return status;
}
