/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void keep(int number)
{
    came = number;
}

void interrupt_watch(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = keep }, before;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

enum status interrupt_check(struct error *error)
{
    return came
               ? error_set(error, STATUS_FAILED, "interrupted: nothing is left")
               : STATUS_OK;
}

int interrupt_end(int code)
{
    int number = came;
    if (!number)
        return code;
    signal(number, SIG_DFL);
    raise(number);
    return code;
}
