/* SPDX-License-Identifier: MIT */
/* The words by which readers know the rows of a table: "A*", "c = 0.5", not
 * astar and regions.[0].speed. */
#ifndef HAMON_ANALYSIS_COMPARE_LABELS_H
#define HAMON_ANALYSIS_COMPARE_LABELS_H

#include "analysis/compare/table.h"
#include "base/status.h"

#include <stddef.h>

/* --label NAME=TEXT: NAME is a row, "METHOD" or "METHOD, VALUE", and TEXT its
 * label; or a method, or a key of --by, and TEXT the words for it. */
struct labels_given {
    const char *const *items;
    size_t count;
};

/* A label for each row: of its method, if the table has several or no keys,
 * and of the values that differ between rows, with their units. `labels` has
 * room for a label for each row, from need_memory. STATUS_INPUT if a NAME is
 * none of these. */
enum status labels_make(const struct compared *table,
                        const struct labels_given *given, char **labels,
                        struct error *error);

/* The same; a NAME that is none of these is passed over. */
void labels_words(const struct compared *table,
                  const struct labels_given *given, char **labels);

/* Is the text NAME=TEXT of this name? The text for it, or NULL. */
bool labels_names(const char *text, const char *name);
const char *labels_text(const struct labels_given *given, const char *name);

/* The keys of --by, each text of which may have several, separated by commas;
 * they point into `text`. The caller releases both. */
size_t labels_keys(const char *const *items, size_t count, char **text,
                   const char ***names);

/* The words for a method. */
const char *labels_method(const struct labels_given *given, const char *method);

/* --order: moves the rows of these names to the front, in this order; a method
 * moves all its rows. STATUS_INPUT if a name is no row's. */
enum status labels_order(struct compared *table, const char *const *names,
                         size_t count, struct error *error);

#endif
