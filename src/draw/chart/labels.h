/* SPDX-License-Identifier: MIT */
/* The words by which readers know the rows of a table: "A*", "c = 0.5", not
 * astar and regions.[0].speed. */
#ifndef HAMON_DRAW_CHART_LABELS_H
#define HAMON_DRAW_CHART_LABELS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* --label NAME=TEXT: NAME is a row, "METHOD" or "METHOD, VALUE", and TEXT its
 * label; or a method, or a key of --by, and TEXT the words for it. */
struct labels_given {
    const char *const *items;
    size_t count;
};

/* The rows of a table: by method, "" if there are none, and by the values of
 * keys, which `group` has as one text. */
struct labels_row {
    const char *method, *group;
    const char *const *values; /* (key_count) */
};

struct labels_rows {
    struct labels_row *row;
    size_t count;
    const char *const *keys;
    size_t key_count;
};

/* A label for each row: of its method, if the rows have several or no keys,
 * and of the values that differ between rows, with their units. `labels` has
 * room for a label for each row, from need_memory. STATUS_INPUT if a NAME is
 * none of these. */
enum status labels_make(const struct labels_rows *rows,
                        const struct labels_given *given, char **labels,
                        struct error *error);

/* The same; a NAME that is none of these is passed over. */
void labels_words(const struct labels_rows *rows,
                  const struct labels_given *given, char **labels);

/* Is the text NAME=TEXT of one of these names? */
bool labels_known(const struct labels_rows *rows, const char *text);

/* Is the text NAME=TEXT of this name? The text for it, or NULL. */
bool labels_names(const char *text, const char *name);
const char *labels_text(const struct labels_given *given, const char *name);

/* The keys of --by, each text of which may have several, separated by commas;
 * they point into `text`. The caller releases both. */
size_t labels_keys(const char *const *items, size_t count, char **text,
                   const char ***names);

/* The words for a method. */
const char *labels_method(const struct labels_given *given, const char *method);

/* The words for a key and its unit, for an axis: "agents 0 speed
 * (cells/step)". From need_memory. */
char *labels_axis(const char *key);

/* The words for a value of a key, without those for the key, of a number as it
 * is read: "rooms" of maps/rooms.map. From need_memory. */
char *labels_value(const char *key, const char *value);

/* --order: the rows of these names are first, in this order; a method has all
 * its rows. `places` gets the number of the row for each place. STATUS_INPUT if
 * a name is no row's. */
enum status labels_order(const struct labels_rows *rows,
                         const char *const *names, size_t count, size_t *places,
                         struct error *error);

#endif
