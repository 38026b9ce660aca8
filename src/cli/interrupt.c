/* SPDX-License-Identifier: MIT */
#include "cli/interrupt.h"

#include "base/disk.h"
#include "cli/temporary.h"

#include <stdbool.h>
#include <stddef.h>

static volatile sig_atomic_t came;
static bool watching;

static void keep(int number)
{
    came = number;
}

static void remove_and_die(int number)
{
    disk_discard_all();
    interrupt_die(number);
}

void interrupt_signals(sigset_t *set)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction before;
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaddset(set, numbers[i]);
}

static void handle(int number, void (*handler)(int number))
{
    struct sigaction action = { .sa_handler = handler };
    interrupt_signals(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void handle_all(void (*handler)(int number))
{
    sigset_t set;
    interrupt_signals(&set);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&set, number) == 1)
            handle(number, handler);
}

void interrupt_watch(void)
{
    watching = true;
    handle_all(keep);
}

void interrupt_remove(void)
{
    handle_all(remove_and_die);
}

void interrupt_guard(void)
{
    struct sigaction before;
    if (!watching)
        interrupt_remove();
    if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        handle(SIGPIPE, remove_and_die);
}

int interrupt_number(void)
{
    return came;
}

enum status interrupt_check(struct error *error)
{
    return came ? error_set(error, STATUS_FAILED,
                            "interrupted: no output was kept")
                : STATUS_OK;
}

void interrupt_die(int number)
{
    sigset_t set;
    temporary_remove();
    sigemptyset(&set);
    sigaddset(&set, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int interrupt_end(int code)
{
    if (came && code)
        interrupt_die(came);
    return code;
}
