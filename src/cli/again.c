/* SPDX-License-Identifier: MIT */
#include "cli/again.h"

#include "base/team.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "run/again.h"
#include "view/replay.h"

/* One run is made at a time. */
static struct progress progress;
static const struct cli *caller;

static enum status show(void *unused, const char *path, int64_t step,
                        int64_t last, struct error *error)
{
    const struct cli *cli = caller;
    if (step == 0) {
        cli_say(cli,
                "%s: this was not recorded; its %lld steps are computed again",
                path, (long long)last);
        progress_start(&progress, cli->quiet, "steps", last);
    }
    progress_update(&progress, step, 0);
    enum status status = interrupt_check(error);
    if (status || step == last)
        progress_end(&progress);
    return status;
}

enum status again_open(const struct cli *cli, const char *path,
                       struct recording **recording, struct error *error)
{
    const struct again_options options = { team_processors(), show, NULL };
    caller = cli;
    enum status status = replay_open(path, recording, error);
    if (status)
        return status;
    status = again_offer(*recording, &options, error);
    if (status) {
        recording_close(*recording);
        *recording = NULL;
    }
    return status;
}
