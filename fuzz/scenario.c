/* SPDX-License-Identifier: MIT */
/* Scenarios. A scenario that is read is printed, and the printed text must be
 * readable and print the same again. */
#include "target.h"

#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_again(const struct scenario *scenario)
{
    struct scenario *again;
    struct error error = { 0 };
    if (scenario_parse(scenario->resolved, "again.cfg", NULL, 0, &again,
                       &error)) {
        fprintf(stderr, "what is printed is not read: %s\n%s\n", error.message,
                scenario->resolved);
        abort();
    }
    if (strcmp(again->resolved, scenario->resolved) != 0) {
        fprintf(stderr, "what is read is printed otherwise:\n%s\n%s\n",
                scenario->resolved, again->resolved);
        abort();
    }
    scenario_release(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    struct scenario *scenario;
    struct error error = { 0 };
    enum status status =
        scenario_parse(text, "a.cfg", NULL, 0, &scenario, &error);
    /* An error in the map's file begins with the absolute path of that file. */
    hold_to_word(status, &error, error.message[0] == '/' ? "/" : "a.cfg");
    if (status == STATUS_OK) {
        read_again(scenario);
        scenario_release(scenario);
    }
    free(text);
    return 0;
}
