/* SPDX-License-Identifier: MIT */
/* The nearest known name to one that is not known: what was meant. */
#ifndef HAMON_SCENARIO_NEAREST_H
#define HAMON_SCENARIO_NEAREST_H

/* Insertions, deletions, substitutions and swaps of neighbours (Damerau 1964,
 * optimal string alignment) that turn `a` into `b`, case ignored. What stands
 * behind the first 63 characters of either is not looked at. */
int name_distance(const char *a, const char *b);

/* The name of the list (which ends with NULL and holds one at least) that is
 * nearest to `name`; of equally near ones the first. */
const char *name_nearest(const char *name, const char *const *names);

#endif
