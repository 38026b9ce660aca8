/* SPDX-License-Identifier: MIT */
#include "record_run.h"

#include "progress.h"

#include <inttypes.h>
#include <signal.h>

/* INT and TERM ask for an end after the step that is under way. */
static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = on_signal };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* A recording past the limit on file sizes is an error of pwrite. */
    signal(SIGXFSZ, SIG_IGN);
}

/* Dies by the signal, so that the shell or make that started us knows. */
static void die_by(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

int record_agree(struct ranks *ranks, enum status status,
                 const struct error *error)
{
    int count = ranks_count(ranks), self = ranks_self(ranks);
    int64_t teller = count - ranks_most(ranks, status ? count - self : 0);
    if (teller == self)
        cli_fail(error);
    return (int)ranks_most(ranks, status);
}

/* A fault that the other ranks do not know of: they wait for this one. */
static int fail_alone(struct ranks *ranks, const struct error *error)
{
    int code = cli_fail(error);
    ranks_abort(ranks, code);
    return code;
}

/* Steps until the end, a signal or a fault, the bar drawn beside it. */
static enum status go(const struct cli *cli, struct run *run, int64_t steps,
                      struct ranks *ranks, bool *ended, struct error *error)
{
    struct progress progress;
    progress_start(&progress, cli->quiet, "steps", steps);
    *ended = false;
    enum status status = STATUS_OK;
    while (!*ended && !ranks_most(ranks, stop_signal) && !status) {
        status = run_step(run, ended, error);
        progress_update(&progress, run_steps_done(run), run_bytes_written(run));
    }
    progress_end(&progress);
    return status;
}

/* Commits and closes as the run ended; what it has to say goes to stderr. */
static int finish(const struct cli *cli, struct run *run, const char *path,
                  struct ranks *ranks, bool ended, enum status status,
                  const struct error *why)
{
    if (status && status != STATUS_DIVERGED) {
        int code = fail_alone(ranks, why);
        run_abandon(run);
        return code;
    }
    enum run_state state = status  ? RUN_DIVERGED
                           : ended ? RUN_DONE
                                   : RUN_STOPPED;
    int64_t steps = run_steps_done(run), lost = run_lost_arrivals(run);
    char note[ERROR_MESSAGE_SIZE] = "";
    struct error error;
    if (run_close(run, state, note, &error))
        return fail_alone(ranks, &error);
    if (note[0])
        cli_say(cli, "%s: %s", path, note);
    if (lost)
        cli_say(cli,
                "%s: %" PRId64 " arrivals were lost to underflow: raise "
                "wave.amplitude, or set wave.precision = \"double\"",
                path, lost);
    if (status)
        return record_agree(ranks, status, why);
    cli_say(cli, "%s: %s at step %" PRId64 "%s", path, run_state_names[state],
            steps, ended ? "" : "; --resume goes on from there");
    int signal = ended ? 0 : (int)ranks_most(ranks, stop_signal);
    if (signal && !ranks)
        die_by(signal);
    return signal ? 128 + signal : STATUS_OK;
}

/* What it takes, once it is laid out: what is refused is told alone. */
static void tell_size(const struct cli *cli, const struct run_size *size,
                      const char *path)
{
    char bytes[16], room[16];
    bytes_in_words(size->bytes, bytes);
    if (size->disk_free)
        cli_say(cli, "%s: %" PRId64 " rows, %s; %s free on disk", path,
                size->rows, bytes, bytes_in_words(size->disk_free, room));
    else /* a disk that does not tell */
        cli_say(cli, "%s: %" PRId64 " rows, %s", path, size->rows, bytes);
}

int record_run(const struct cli *cli, struct run *run, int64_t steps,
               const char *path, struct ranks *ranks)
{
    struct error error;
    struct run_size size;
    enum status status = run_size(run, &size, &error);
    if (!status) {
        catch_signals();
        status = run_begin(run, &error);
    }
    if (status) {
        int code = run_is_under_way(run) ? fail_alone(ranks, &error)
                                         : record_agree(ranks, status, &error);
        run_abandon(run);
        return code;
    }
    tell_size(cli, &size, path);
    if (run_steps_done(run) > 0)
        cli_say(cli, "%s: goes on from step %" PRId64, path,
                run_steps_done(run));
    bool ended;
    status = go(cli, run, steps, ranks, &ended, &error);
    return finish(cli, run, path, ranks, ended, status, &error);
}
