/* SPDX-License-Identifier: MIT */
/* The chart of a sweep: one column of its tables over the values of one
 * parameter as dots with their intervals (dots.gp), or over two as cells with
 * numbers (cells.gp). What is drawn is decided here, where in the .gp files. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/version.h"
#include "draw/chart/chart.h"
#include "draw/chart/labels.h"
#include "pursuit/settings.h"
#include "tools/sweep/chart.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More panels would be too small; more series in one cannot be distinguished.
 */
enum { PANELS_MOST = 6, SERIES_MOST = 6 };

/* A parameter: an axis of the sweep's grid, with those zipped to it; or the
 * methods. */
struct dimension {
    size_t axis, count; /* axis_count of the grid: the methods */
    const char *key;    /* of the axis; NULL: the methods */
    char *label;
    const char **values; /* borrowed from the table */
    char **words;        /* for them */
    bool numeric, geometric;
};

struct chart_view {
    const struct sweep_table *table;
    struct labels_given given;
    size_t figure; /* the number of the column */
    size_t rate;   /* that of the share that captured */
    bool times, rates;
    struct dimension *dimensions; /* without the seed: x, y, those of panels */
    size_t dimension_count, methods; /* the number of the methods' dimension */
    size_t panels;
    double low, high; /* of what is drawn */
    double limit;     /* of all groups; NAN: they differ */
};

/* ---- which column ---- */

static size_t figure_named(const struct sweep_table *table, const char *name)
{
    size_t number = 0;
    while (number < table->figure_count &&
           strcmp(sweep_figure(table, number).name, name) != 0)
        number++;
    return number;
}

enum status sweep_chart_check(const struct sweep_chart *given,
                              struct error *error)
{
    struct sweep_table table = { 0 };
    table.metric_count = sweep_metrics(table.metrics);
    table.figure_count = table.metric_count + SWEEP_MORE;
    if (!given->column ||
        figure_named(&table, given->column) < table.figure_count)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "--chart '%.60s': no such column; --help columns prints "
                     "them, of which the metrics can be drawn",
                     given->column);
}

static const struct summary *summary_in(const struct sweep_table *table,
                                        size_t group, size_t figure)
{
    return &table->summaries[group * table->figure_count + figure];
}

static bool has_values(const struct sweep_table *table, size_t figure)
{
    for (size_t g = 0; g < table->group_count; g++)
        if (summary_in(table, g, figure)->n)
            return true;
    return false;
}

/* The times, or of runs without agents what else was measured. */
static size_t choose_figure(const struct sweep_table *table, const char *name)
{
    static const char *const others[] = { "capture_time", "reach", "steps" };
    if (name)
        return figure_named(table, name);
    for (size_t i = 0; i + 1 < sizeof others / sizeof *others; i++)
        if (has_values(table, figure_named(table, others[i])))
            return figure_named(table, others[i]);
    return figure_named(table, "steps");
}

/* ---- the parameters ---- */

/* The value of an axis in a run, as its column of the table has it. */
static const char *word_of(const struct sweep_table *table, size_t run,
                           size_t axis)
{
    for (size_t c = 0; c < table->column_count; c++)
        if (strcmp(table->columns[c].key, table->sweep->grid.axes[axis].key) ==
            0)
            return table->columns[c].texts[run];
    return sweep_value(&table->sweep->grid, run, axis);
}

static bool is_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && isfinite(*number);
}

/* Are there numbers only, and is each of three or more about the same multiple
 * of the one before? */
static void find_kind(struct dimension *dimension)
{
    const size_t count = dimension->count;
    double *numbers = need_memory(count + 1, sizeof *numbers);
    bool numeric = true;
    for (size_t i = 0; i < count && numeric; i++)
        numeric = is_number(dimension->values[i], &numbers[i]);
    bool geometric = numeric && count > 2, even = true;
    for (size_t i = 0; i < count && geometric; i++)
        geometric = numbers[i] > 0;
    for (size_t i = 1; i < count && geometric; i++) {
        double ratio = numbers[i] / numbers[i - 1];
        double first = numbers[1] / numbers[0], step = numbers[1] - numbers[0];
        even = even &&
               fabs(numbers[i] - numbers[i - 1] - step) < 1e-6 * fabs(step);
        geometric = fabs(log(ratio)) > .25 && fabs(log(ratio / first)) < .5;
    }
    dimension->numeric = numeric;
    dimension->geometric = geometric && !even;
    memory_release(numbers);
}

static void add_dimension(struct chart_view *view, size_t axis)
{
    const struct sweep_table *table = view->table;
    const struct sweep_grid *grid = &table->sweep->grid;
    struct dimension *dimension = &view->dimensions[view->dimension_count++];
    const char *key = grid->axes[axis].key;
    const char *label = labels_text(&view->given, key);
    *dimension = (struct dimension){ .axis = axis,
                                     .count = grid->axes[axis].count,
                                     .key = key,
                                     .label = label ? need_text(label)
                                                    : labels_axis(key) };
    dimension->values =
        need_memory(dimension->count, sizeof *dimension->values);
    dimension->words = need_memory(dimension->count, sizeof *dimension->words);
    for (size_t run = grid->runs; run-- > 0;)
        dimension->values[sweep_value_number(grid, run, axis)] =
            word_of(table, run, axis);
    for (size_t i = 0; i < dimension->count; i++) {
        const char *value = dimension->values[i];
        const char *words = labels_text(&view->given, value);
        dimension->words[i] =
            words ? need_text(words) : labels_value(key, value);
    }
    find_kind(dimension);
}

static bool has_value(const struct dimension *dimension, const char *value)
{
    for (size_t i = 0; i < dimension->count; i++)
        if (strcmp(dimension->values[i], value) == 0)
            return true;
    return false;
}

static void add_method(const struct chart_view *view,
                       struct dimension *dimension, const char *method)
{
    if (has_value(dimension, method))
        return;
    dimension->words[dimension->count] =
        need_text(labels_method(&view->given, method));
    dimension->values[dimension->count++] = method;
}

/* The methods of --order, then those in the order of their styles, which is
 * that of agent_methods; others, and teams, after them. */
static void add_methods(struct chart_view *view)
{
    const struct sweep_table *table = view->table;
    view->methods = view->dimension_count++;
    struct dimension *dimension = &view->dimensions[view->methods];
    *dimension =
        (struct dimension){ .axis = table->sweep->grid.axis_count,
                            .label = need_text(_(sweep_method_name(table))) };
    const struct cli_list *order = &table->sweep->order;
    const size_t most = table->method_count + 1;
    dimension->values = need_memory(most, sizeof *dimension->values);
    dimension->words = need_memory(most, sizeof *dimension->words);
    for (size_t i = 0; i < table->method_count; i++)
        for (size_t k = 0; k < order->count; k++)
            if (strcmp(table->methods[i], order->items[k]) == 0)
                add_method(view, dimension, table->methods[i]);
    for (const struct method *const *known = agent_methods; *known; known++)
        for (size_t i = 0; i < table->method_count; i++)
            if (strcmp(table->methods[i], (*known)->name) == 0)
                add_method(view, dimension, table->methods[i]);
    for (size_t i = 0; i < table->method_count; i++)
        add_method(view, dimension, table->methods[i]);
    if (!dimension->count)
        add_method(view, dimension, "");
}

/* Adds the axis, unless one zipped with it has been added. */
static void add_axis(struct chart_view *view, size_t axis)
{
    size_t first, end;
    sweep_zipped(&view->table->sweep->grid, axis, &first, &end);
    for (size_t d = 0; d < view->dimension_count; d++)
        if (view->dimensions[d].axis >= first && view->dimensions[d].axis < end)
            return;
    add_dimension(view, axis);
}

/* The methods are series of a single parameter, or if there are too many its
 * second one; they are the only parameter if there is no other. */
static void find_dimensions(struct chart_view *view)
{
    const struct sweep_table *table = view->table;
    const struct sweep_grid *grid = &table->sweep->grid;
    view->dimensions =
        need_memory(grid->axis_count + 1, sizeof *view->dimensions);
    for (size_t i = 0; i < table->sweep->by.count; i++)
        add_axis(view, sweep_axis_of(grid, table->sweep->by.items[i]));
    for (size_t axis = 0; axis < grid->axis_count; axis++)
        if (!sweep_pooled(table, axis))
            add_axis(view, axis);
    add_methods(view);
}

/* The number of a group's value of a dimension. */
static size_t number_in(const struct chart_view *view, size_t group,
                        const struct dimension *dimension)
{
    const struct sweep_table *table = view->table;
    const struct sweep_row *row = table->members[table->group_first[group]];
    if (dimension->axis < table->sweep->grid.axis_count)
        return sweep_value_number(&table->sweep->grid, row->run,
                                  dimension->axis);
    size_t i = 0;
    while (i + 1 < dimension->count &&
           strcmp(dimension->values[i], row->method) != 0)
        i++;
    return i;
}

/* ---- what is drawn ---- */

/* Are there cells, of two parameters? */
static bool has_cells(const struct chart_view *view)
{
    return view->dimension_count > 2 ||
           (view->dimension_count == 2 &&
            view->dimensions[view->methods].count > SERIES_MOST);
}

/* The number of a group's panel: its values of the dimensions after the second,
 * the methods fastest. */
static size_t panel_of(const struct chart_view *view, size_t group)
{
    size_t panel = 0;
    for (size_t d = 2; d < view->dimension_count; d++)
        panel = panel * view->dimensions[d].count +
                number_in(view, group, &view->dimensions[d]);
    return panel;
}

static void include(struct chart_view *view, double number)
{
    if (!isfinite(number))
        return;
    view->low = fmin(view->low, number);
    view->high = fmax(view->high, number);
}

/* The k-th value of a group of less than INTERVAL_VALUES; *open: it is only
 * known to be beyond. */
static double value_in(const struct chart_view *view, size_t group, size_t k,
                       bool *open)
{
    const struct sweep_table *table = view->table;
    const struct sweep_times *times = &table->times[group];
    *open = false;
    if (view->times) {
        *open = !times->few[k].captured;
        return times->few[k].time;
    }
    return table->values[sweep_member(table, group, k) * table->metric_count +
                         view->figure];
}

/* How many values of a group are drawn one by one. */
static size_t points_in(const struct chart_view *view, size_t group)
{
    const struct sweep_table *table = view->table;
    size_t count =
        view->times ? table->times[group].n
                    : table->group_first[group + 1] - table->group_first[group];
    return view->rates || count >= INTERVAL_VALUES ? 0 : count;
}

/* Is the median of the times beyond the limit? */
static bool is_beyond(const struct chart_view *view, size_t group)
{
    return view->times && view->table->times[group].n > 0 &&
           isnan(summary_in(view->table, group, view->figure)->median);
}

static void find_range(struct chart_view *view)
{
    const struct sweep_table *table = view->table;
    view->low = INFINITY;
    view->high = -INFINITY;
    view->limit = NAN;
    for (size_t g = 0; g < table->group_count; g++) {
        const struct summary *s = summary_in(table, g, view->figure);
        bool open;
        include(view, s->median);
        if (!has_cells(view)) {
            include(view, s->interval.low);
            include(view, s->interval.high);
            for (size_t k = points_in(view, g); k-- > 0;)
                include(view, value_in(view, g, k, &open));
        }
        if (is_beyond(view, g) && !has_cells(view))
            include(view, table->times[g].limit);
        if (view->times && table->times[g].n)
            view->limit = g == 0 || table->times[g].limit == view->limit
                              ? table->times[g].limit
                              : NAN;
    }
    if (view->low > view->high) /* every median is beyond the limit */
        view->low = view->high = isfinite(view->limit) ? view->limit : 1;
}

/* ---- the table ---- */

static void put_header(const struct chart_view *view, struct chart *chart)
{
    const struct sweep_table *table = view->table;
    const struct sweep_figure figure = sweep_figure(table, view->figure);
    char *columns = need_text("column,row,panel,series");
    for (size_t c = 0; c < table->column_count; c++) {
        if (sweep_pooled(table, table->columns[c].axis))
            continue;
        char *more = need_format("%s,%s", columns, table->columns[c].name);
        memory_release(columns);
        columns = more;
    }
    char *all = need_format(
        "%s,%s,metric,unit,n,estimate,low_95,high_95,limit,least_of_all,"
        "captured,captured_of,capture_rate,capture_low_95,capture_high_95",
        columns, sweep_method_name(table));
    char *what = need_format("%s of %s; limit: the %s is beyond it (censored)",
                             figure.statistic, figure.name, figure.statistic);
    chart_table(chart, "estimates", what, all);
    memory_release(what);
    memory_release(all);
    memory_release(columns);
}

static void put_texts(const struct chart_view *view, size_t group,
                      struct chart *chart)
{
    const struct sweep_table *table = view->table;
    const struct sweep_row *row = table->members[table->group_first[group]];
    for (size_t c = 0; c < table->column_count; c++)
        if (!sweep_pooled(table, table->columns[c].axis))
            chart_word(chart, table->columns[c].texts[row->run], ',');
    chart_word(chart, row->method, ',');
}

static double first_of(const struct chart_view *view, size_t group)
{
    const struct dimension *x = &view->dimensions[0];
    size_t number = number_in(view, group, x);
    return !has_cells(view) && x->numeric ? strtod(x->values[number], NULL)
                                          : (double)number;
}

static void put_group(const struct chart_view *view, size_t group, bool least,
                      struct chart *chart)
{
    const struct sweep_table *table = view->table;
    const struct sweep_figure figure = sweep_figure(table, view->figure);
    const struct summary *s = summary_in(table, group, view->figure);
    const struct summary *rate = summary_in(table, group, view->rate);
    const struct sweep_times *times = &table->times[group];
    size_t row = view->dimension_count > 1
                     ? number_in(view, group, &view->dimensions[1])
                     : 0;
    CHART_CELLS(
        chart, first_of(view, group), (double)row,
        (double)panel_of(view, group),
        (double)number_in(view, group, &view->dimensions[view->methods]));
    put_texts(view, group, chart);
    chart_word(chart, figure.name, ',');
    chart_word(chart, figure.unit, ',');
    CHART_ROW(chart, (double)s->n, s->median, s->interval.low, s->interval.high,
              is_beyond(view, group) ? times->limit : (double)NAN, least,
              (double)times->captured, (double)times->n, rate->median,
              rate->interval.low, rate->interval.high);
}

/* The group with the smallest estimate of its panel is framed, if it is the
 * only one. */
static bool is_least(const struct chart_view *view, size_t group)
{
    const struct sweep_table *table = view->table;
    double its = summary_in(table, group, view->figure)->median;
    bool least = view->times && isfinite(its);
    for (size_t g = 0; g < table->group_count && least; g++) {
        double other = summary_in(table, g, view->figure)->median;
        if (panel_of(view, g) == panel_of(view, group))
            least = g == group || !(other <= its);
    }
    return least;
}

/* One series after the other, as lines between dots require. */
static void put_groups(const struct chart_view *view, struct chart *chart)
{
    const struct dimension *series = &view->dimensions[view->methods];
    for (size_t i = 0; i < series->count; i++)
        for (size_t g = 0; g < view->table->group_count; g++)
            if (number_in(view, g, series) == i)
                put_group(view, g, is_least(view, g), chart);
}

static void put_points(const struct chart_view *view, struct chart *chart)
{
    const struct sweep_table *table = view->table;
    chart_table(chart, "points",
                "all values where there are fewer than 5; censored: 1, a "
                "chase that ended without a capture",
                "column,series,value,censored");
    for (size_t g = 0; g < table->group_count; g++)
        for (size_t k = 0; k < points_in(view, g); k++) {
            bool open;
            double value = value_in(view, g, k, &open);
            CHART_ROW(
                chart, first_of(view, g),
                (double)number_in(view, g, &view->dimensions[view->methods]),
                value, open);
        }
}

/* ---- words ---- */

/* "30", "3 to 30": the least and the largest number of values of a group. */
static void range_of(const struct chart_view *view, bool trials, char *text,
                     size_t size)
{
    const struct sweep_table *table = view->table;
    size_t least = SIZE_MAX, most = 0;
    for (size_t g = 0; g < table->group_count; g++) {
        size_t n = summary_in(table, g, trials ? view->rate : view->figure)->n;
        if (!n)
            continue;
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    snprintf(text, size, least < most ? _("%zu to %zu") : "%zu", least, most);
}

/* What the values are of. */
enum kind { AGENTS, CHASES, RUNS };

static enum kind kind_of(const struct chart_view *view, bool trials)
{
    const struct sweep_table *table = view->table;
    const char *figure =
        sweep_figure(table, trials ? view->rate : view->figure).name;
    if (strcmp(figure, "chase_rate") == 0)
        return CHASES;
    if (!view->times && !view->rates && !trials)
        return RUNS;
    for (size_t g = 0; g < table->group_count; g++)
        if (table->times[g].chases)
            return CHASES;
    return AGENTS;
}

/* "30 agents", "1 to 3 runs each", "1 chase". From need_memory. */
static char *counted(const struct chart_view *view, bool trials)
{
    char n[48];
    range_of(view, trials, n, sizeof n);
    const bool one = strcmp(n, "1") == 0, each = view->table->group_count > 1;
    switch (kind_of(view, trials)) {
    case AGENTS:
        return need_format(
            each ? (one ? _("%s agent each") : _("%s agents each"))
                 : (one ? _("%s agent") : _("%s agents")),
            n);
    case CHASES:
        return need_format(
            each ? (one ? _("%s chase each") : _("%s chases each"))
                 : (one ? _("%s chase") : _("%s chases")),
            n);
    default:
        return need_format(each ? (one ? _("%s run each") : _("%s runs each"))
                                : (one ? _("%s run") : _("%s runs")),
                           n);
    }
}

/* The line above a panel. From need_memory. */
static char *line_of(const struct chart_view *view, bool trials)
{
    const struct sweep_table *table = view->table;
    size_t few = 0;
    const size_t figure = trials ? view->rate : view->figure;
    const bool rates = trials || view->rates;
    const size_t enough = rates ? INTERVAL_TRIALS : INTERVAL_VALUES;
    for (size_t g = 0; g < table->group_count; g++)
        few += summary_in(table, g, figure)->n < enough;
    const char *what = _(sweep_figure(table, figure).statistic);
    char *of = counted(view, trials);
    char *line = has_cells(view) ? need_format(_("%s, %s"), what, of)
                 : rates && few  ? need_format(_("of %s"), of)
                 : rates ? need_format(_("95 %% interval (Wilson), %s"), of)
                 : few == table->group_count
                     ? need_format(_("all values, %s"), of)
                     : need_format(_("%s and 95 %% interval, %s"), what, of);
    memory_release(of);
    return line;
}

/* The values of a dimension for gnuplot: "a|b|". It reads a number only if
 * there is a point in it. From need_memory. */
static char *list_of(const char *const *words, size_t count, bool numeric)
{
    char *list = need_text("");
    for (size_t i = 0; i < count; i++) {
        char *more = numeric
                         ? need_format("%s%.9e|", list, strtod(words[i], NULL))
                         : need_format("%s%s|", list, words[i]);
        for (char *at = more + strlen(list); at[1]; at++)
            if (*at == '|')
                *at = '/';
        memory_release(list);
        list = more;
    }
    return list;
}

static void put_list(struct chart *chart, const char *name,
                     const char *const *words, size_t count, bool numeric)
{
    char *list = list_of(words, count, numeric);
    chart_option(chart, name, list);
    memory_release(list);
}

/* The panels as rows of a table: of a method, and of values of the parameters
 * after the second. */
struct panel_rows {
    struct labels_rows rows;
    const char **keys, **values; /* (keys), (panel, keys) */
    char **groups;               /* "0.1, free" */
};

static void panel_rows_make(const struct chart_view *view,
                            struct panel_rows *panels)
{
    const size_t most = view->dimension_count, count = view->panels;
    size_t each = 0;
    panels->keys = need_memory(most, sizeof *panels->keys);
    panels->values = need_memory(count, most * sizeof *panels->values);
    panels->groups = need_memory(count, sizeof *panels->groups);
    for (size_t d = 2; d < most; d++)
        if (view->dimensions[d].key && view->dimensions[d].count > 1)
            panels->keys[each++] = view->dimensions[d].key;
    panels->rows =
        (struct labels_rows){ need_memory(count, sizeof *panels->rows.row),
                              count, panels->keys, each };
    for (size_t panel = 0; panel < count; panel++) {
        const char **values = panels->values + panel * each, *method = "";
        size_t rest = panel, k = each;
        for (size_t d = most; d-- > 2;) {
            const struct dimension *dimension = &view->dimensions[d];
            const char *value = dimension->values[rest % dimension->count];
            rest /= dimension->count;
            if (!dimension->key)
                method = value;
            else if (dimension->count > 1)
                values[--k] = value;
        }
        char *group = need_text("");
        for (k = 0; k < each; k++) {
            char *more = need_format("%s%s%s", group, k ? ", " : "", values[k]);
            memory_release(group);
            group = more;
        }
        panels->groups[panel] = group;
        panels->rows.row[panel] = (struct labels_row){ method, group, values };
    }
}

static void panel_rows_release(struct panel_rows *panels)
{
    for (size_t i = 0; i < panels->rows.count; i++)
        memory_release(panels->groups[i]);
    memory_release(panels->rows.row);
    memory_release(panels->groups);
    memory_release(panels->values);
    memory_release(panels->keys);
}

static void put_panels(const struct chart_view *view, struct chart *chart)
{
    struct panel_rows panels;
    panel_rows_make(view, &panels);
    char **words = need_memory(view->panels, sizeof *words);
    labels_words(&panels.rows, &view->given, words);
    chart_option_number(chart, "panels", (double)view->panels);
    put_list(chart, "panel_names", (const char *const *)words, view->panels,
             false);
    for (size_t i = 0; i < view->panels; i++)
        memory_release(words[i]);
    memory_release(words);
    panel_rows_release(&panels);
}

static void put_dimension(struct chart *chart, const char *axis,
                          const struct dimension *dimension)
{
    char name[24];
    snprintf(name, sizeof name, "%s_label", axis);
    chart_option(chart, name, dimension->label);
    snprintf(name, sizeof name, "%s_words", axis);
    put_list(chart, name,
             dimension->numeric ? dimension->values
                                : (const char *const *)dimension->words,
             dimension->count, dimension->numeric);
    snprintf(name, sizeof name, "%s_count", axis);
    chart_option_number(chart, name, (double)dimension->count);
    snprintf(name, sizeof name, "%s_numeric", axis);
    chart_option_number(chart, name, dimension->numeric);
    snprintf(name, sizeof name, "%s_log", axis);
    chart_option_number(chart, name, dimension->geometric);
}

static void put_options(const struct chart_view *view, struct chart *chart)
{
    const struct sweep_table *table = view->table;
    const struct sweep_figure figure = sweep_figure(table, view->figure);
    const bool both = view->times && !has_cells(view);
    chart_option(chart, "label", _(figure.label));
    char *line = line_of(view, false);
    chart_option(chart, "line", line);
    chart_say(chart, CHART_CAPTION, "%s%s%s", _(figure.label), _(": "), line);
    memory_release(line);
    chart_say(chart, CHART_SOURCE,
              _("from table.csv and the recordings of this folder, hamon %s"),
              hamon_version);
    chart_option_number(chart, "percent", view->rates);
    chart_option_number(chart, "times", view->times);
    chart_option_number(chart, "low_value", view->low);
    chart_option_number(chart, "high_value", view->high);
    chart_option_number(chart, "limit", view->limit);
    put_dimension(chart, "x", &view->dimensions[0]);
    if (has_cells(view)) {
        put_dimension(chart, "y", &view->dimensions[1]);
        put_panels(view, chart);
        return;
    }
    const struct dimension *series = &view->dimensions[view->methods];
    bool beyond = false, points = false;
    for (size_t g = 0; g < table->group_count; g++) {
        beyond |= is_beyond(view, g) && !points_in(view, g);
        points |= points_in(view, g) > 0;
    }
    chart_option_number(chart, "beyond_any", beyond);
    chart_option_number(chart, "points_any", points);
    chart_option_number(chart, "both", both);
    line = line_of(view, true);
    chart_option(chart, "rate_line", line);
    memory_release(line);
    chart_option(chart, "rate_label", _(sweep_figure(table, view->rate).label));
    chart_option_number(chart, "series", (double)series->count);
    chart_option_number(chart, "dodged", view->methods > 0);
    put_list(chart, "series_methods", series->values, series->count, false);
    put_list(chart, "series_names", (const char *const *)series->words,
             series->count, false);
}

/* Is each NAME of --label a method, a key, a value that is a word, or a panel?
 */
static enum status check_labels(const struct chart_view *view,
                                struct error *error)
{
    enum status status = STATUS_OK;
    struct panel_rows panels;
    panel_rows_make(view, &panels);
    for (size_t i = 0; i < view->given.count && !status; i++) {
        const char *item = view->given.items[i];
        bool known = labels_known(&panels.rows, item);
        for (size_t d = 0; d < view->dimension_count; d++) {
            const struct dimension *dimension = &view->dimensions[d];
            known |= dimension->key && labels_names(item, dimension->key);
            for (size_t k = 0; k < dimension->count && !dimension->numeric; k++)
                known |= labels_names(item, dimension->values[k]);
        }
        if (!known)
            status = error_set(error, STATUS_INPUT,
                               "--label '%.200s': NAME=TEXT is required, with "
                               "a method, a key, a value that is a word, or "
                               "METHOD, VALUE of a panel as NAME",
                               item);
    }
    panel_rows_release(&panels);
    return status;
}

/* ---- the chart ---- */

static void view_release(struct chart_view *view)
{
    for (size_t d = 0; d < view->dimension_count; d++) {
        struct dimension *dimension = &view->dimensions[d];
        for (size_t i = 0; i < dimension->count; i++)
            memory_release(dimension->words[i]);
        memory_release(dimension->label);
        memory_release(dimension->values);
        memory_release(dimension->words);
    }
    memory_release(view->dimensions);
}

static void count_panels(struct chart_view *view)
{
    view->panels = 1;
    for (size_t d = 2; d < view->dimension_count; d++)
        view->panels *= view->dimensions[d].count;
    if (view->panels <= PANELS_MOST)
        return;
    cli_say(view->table->sweep->cli,
            "%s: the chart shows the first %d of %zu panels; chart.csv has all",
            view->table->sweep->folder, PANELS_MOST, view->panels);
    view->panels = PANELS_MOST;
}

static void view_init(struct chart_view *view, const struct sweep_table *table,
                      const char *column)
{
    const struct cli_list *labels = &table->sweep->labels;
    *view = (struct chart_view){ .table = table,
                                 .given = { labels->items, labels->count },
                                 .figure = choose_figure(table, column) };
    const struct sweep_figure figure = sweep_figure(table, view->figure);
    view->times = strcmp(figure.name, "capture_time") == 0;
    view->rates = strcmp(figure.statistic, "rate") == 0;
    view->rate = figure_named(table, "capture_rate");
    for (size_t g = 0; g < table->group_count; g++)
        if (table->times[g].chases)
            view->rate = figure_named(table, "chase_rate");
    find_dimensions(view);
    count_panels(view);
    find_range(view);
}

static double width_of(const struct chart_view *view)
{
    const bool cells = has_cells(view);
    return view->dimensions[0].count > (cells ? 6 : 12) ||
                   (cells && view->panels > 1)
               ? CHART_PAGE
               : CHART_COLUMN;
}

static enum status put_chart(const struct chart_view *view,
                             const struct sweep_chart *given,
                             struct error *error)
{
    const struct sweep_table *table = view->table;
    const bool cells = has_cells(view);
    char *base = sweep_path(table->sweep->folder, "chart");
    char *title = need_format(_("%s against %s"),
                              _(sweep_figure(table, view->figure).label),
                              view->dimensions[0].label);
    struct chart chart;
    const struct chart_figure figure = { .commands = cells ? cells_gp : dots_gp,
                                         .title = title };
    enum status status = chart_open(&chart, base, given->formats, true, error);
    chart.width = given->width > 0 ? given->width : width_of(view);
    chart.debug = table->sweep->cli->debug;
    if (!status) {
        put_header(view, &chart);
        put_groups(view, &chart);
        if (!cells)
            put_points(view, &chart);
        put_options(view, &chart);
        status = chart_draw(&chart, &figure, error);
    }
    chart_release(&chart);
    memory_release(title);
    memory_release(base);
    return status;
}

enum status sweep_draw_chart(const struct sweep_table *table,
                             const struct sweep_chart *given, bool *drawn,
                             struct error *error)
{
    struct chart_view view;
    enum status status = STATUS_OK;
    *drawn = false;
    if (!table->group_count)
        return STATUS_OK;
    view_init(&view, table, given->column);
    status = check_labels(&view, error);
    if (!status && has_values(table, view.figure)) {
        *drawn = true;
        status = put_chart(&view, given, error);
    }
    view_release(&view);
    return status;
}
