/* SPDX-License-Identifier: MIT */
/* A look at the text before libconfig reads it, which finds what libconfig
 * lets through (numbers that do not fit, included files, bytes behind a NUL,
 * comments and texts without an end) or refuses without a good word (mixed
 * arrays, double and unknown keys), and bounds what it is given. */
#ifndef HAMON_SCENARIO_PRESCAN_H
#define HAMON_SCENARIO_PRESCAN_H

#include "base/status.h"
#include "scenario/keys.h"

enum { SCENARIO_BYTES_LIMIT = 16 << 20, SCENARIO_DEPTH_LIMIT = 8 };

/* The whole text of a scenario. */
enum status prescan_text(const char *text, size_t length, const char *file,
                         struct error *error);

/* The value of an override; `path` names the key in messages that `head`
 * heads. */
enum status prescan_value(const char *value, const struct key *key,
                          const char *path, const char *head,
                          struct error *error);

#endif
