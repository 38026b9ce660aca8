/* SPDX-License-Identifier: MIT */
#include "steering_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

static void take_path(struct steering_sum *sum,
                      const struct steering_path *path)
{
    sum->paths += path->there;
    if (!path->arrived)
        return;
    if (!sum->arrived++) {
        sum->fermat_low = path->fermat;
        sum->fermat_high = path->fermat;
    }
    sum->fermat += path->fermat;
    sum->fermat_low = fmin(sum->fermat_low, path->fermat);
    sum->fermat_high = fmax(sum->fermat_high, path->fermat);
    sum->hausdorff += path->hausdorff;
    sum->hausdorff_high = fmax(sum->hausdorff_high, path->hausdorff);
    sum->ratio += path->ratio;
}

static void take_means(struct steering_sum *sum)
{
    double n = (double)sum->arrived;
    if (sum->arrived == 0)
        sum->fermat_low = sum->fermat_high = sum->hausdorff_high = NAN;
    sum->fermat /= n; /* NAN of none */
    sum->hausdorff /= n;
    sum->ratio /= n;
}

static enum status measure(struct steering_report *report, size_t i, int wave,
                           struct error *error)
{
    struct steering_reading *made = &report->readings[i];
    const struct reading *reading = &report->study->readings[i];
    enum status status =
        interface_is_strip(reading->recording, &made->strip, error);
    report->strips = report->readings[0].strip;
    if (!status && made->strip != report->strips)
        return error_set(error, STATUS_INPUT,
                         "%s: is %s strip one cell wide, and %s is %s; they "
                         "are drawn apart",
                         recording_path(reading->recording),
                         made->strip ? "a" : "no",
                         recording_path(report->study->readings[0].recording),
                         made->strip ? "none" : "one");
    if (!status && made->strip)
        return interface_measure(reading->recording, wave, &made->interface,
                                 error);
    if (!status)
        status = steering_measure(&made->steering, report->study, reading, wave,
                                  error);
    for (size_t s = 0; s < made->steering.start_count && !status; s++)
        for (int kind = 0; kind < STEERING_KINDS; kind++)
            take_path(&report->sums[reading->group][kind],
                      &made->steering.starts[s].path[kind]);
    return status;
}

enum status steering_report_make(struct steering_report *report,
                                 const struct study *study, int wave,
                                 struct error *error)
{
    *report = (struct steering_report){ .study = study };
    report->readings =
        memory_new(study->reading_count, sizeof *report->readings);
    report->sums = memory_new(study->group_count, sizeof *report->sums);
    enum status status =
        report->readings && report->sums ? STATUS_OK : error_memory(error);
    for (size_t i = 0; i < study->reading_count && !status; i++)
        status = measure(report, i, wave, error);
    for (size_t g = 0; g < study->group_count && !status; g++)
        for (int kind = 0; kind < STEERING_KINDS; kind++)
            take_means(&report->sums[g][kind]);
    return status;
}

void steering_report_release(struct steering_report *report)
{
    for (size_t i = 0; report->readings && i < report->study->reading_count;
         i++)
        steering_release(&report->readings[i].steering);
    memory_release(report->readings);
    memory_release(report->sums);
    *report = (struct steering_report){ 0 };
}

static const struct table_column path_columns[] = {
    { "starts", 0 },
    { "arrived", 0 },
    { "time over the least, mean", 4 },
    { "worst", 4 },
    { "Hausdorff distance, mean (cells)", 2 },
    { "worst (cells)", 2 },
    { "length over the shortest, mean", 4 },
};
enum { PATH_COLUMNS = sizeof path_columns / sizeof *path_columns };

static enum status add_paths(const struct steering_report *report,
                             struct table *table, struct error *error)
{
    const struct study *study = report->study;
    enum status status = STATUS_OK;
    table_init(table, "paths", path_columns, PATH_COLUMNS);
    for (size_t i = 0; i < study->group_count * STEERING_KINDS && !status;
         i++) {
        size_t g = i / STEERING_KINDS, kind = i % STEERING_KINDS;
        const struct steering_sum *sum = &report->sums[g][kind];
        char label[STUDY_LABEL_SIZE + 32];
        if (sum->paths == 0)
            continue;
        snprintf(label, sizeof label, "%s: %s", study->groups[g].label,
                 steering_kind_names[kind]);
        const double numbers[PATH_COLUMNS] = {
            (double)sum->paths, (double)sum->arrived, sum->fermat,
            sum->fermat_high,   sum->hausdorff,       sum->hausdorff_high,
            sum->ratio,
        };
        status = table_add(table, label, numbers, error);
    }
    return status;
}

static const struct table_column interface_columns[] = {
    { "c2/c1", 4 },        { "sigma (cells)", 1 }, { "R", 5 },
    { "R by the law", 5 }, { "R off (%)", 3 },     { "T", 5 },
    { "T by the law", 5 }, { "T off (%)", 3 },
};
enum {
    INTERFACE_COLUMNS = sizeof interface_columns / sizeof *interface_columns
};

static enum status add_interfaces(const struct steering_report *report,
                                  struct table *table, struct error *error)
{
    const struct study *study = report->study;
    enum status status = STATUS_OK;
    table_init(table, "interface", interface_columns, INTERFACE_COLUMNS);
    for (size_t i = 0; i < study->reading_count && !status; i++) {
        const struct interface *found = &report->readings[i].interface;
        if (!report->readings[i].strip)
            continue;
        const double numbers[INTERFACE_COLUMNS] = {
            found->c2 / found->c1,
            found->sigma,
            found->reflected,
            found->reflected_law,
            100 * fabs(found->reflected / found->reflected_law - 1),
            found->transmitted,
            found->transmitted_law,
            100 * fabs(found->transmitted / found->transmitted_law - 1),
        };
        status = table_add(table, study->groups[study->readings[i].group].label,
                           numbers, error);
    }
    return status;
}

enum status steering_report_table(const struct steering_report *report,
                                  struct table *table, struct error *error)
{
    return report->strips ? add_interfaces(report, table, error)
                          : add_paths(report, table, error);
}
