/* SPDX-License-Identifier: MIT */
/* The settings that a recording was made with, by the table of
 * settings/keys.h. */
#ifndef HAMON_VIEW_SETTINGS_H
#define HAMON_VIEW_SETTINGS_H

#include "base/status.h"
#include "settings/keys.h"

struct recording;

/* Reads the key, which is inside a group, into the struct of that group; a key
 * that the recording lacks remains unchanged. STATUS_INPUT if the value is not
 * allowed. */
enum status view_setting_read(const struct recording *recording,
                              const struct key *key, void *group,
                              struct error *error);

/* Reads a whole group ("wave": struct wave_settings). A key that the recording
 * lacks gets its default; if it is a `brief` one, STATUS_INPUT. */
enum status view_settings_read(const struct recording *recording,
                               const char *group, void *settings,
                               struct error *error);

/* The settings of recording `which` that are not the same in all of them, in
 * the order of the table, without title, preset and record: "walls free, delta
 * 0.5"; after the third how many more there are. "": they have none such. */
void view_settings_apart(const struct recording *const *recordings,
                         size_t count, size_t which, char *text, size_t size);

/* The map's open sides, 1 << direction; 0 if the recording does not say. */
enum status view_open_sides(const struct recording *recording, unsigned *sides,
                            struct error *error);

#endif
