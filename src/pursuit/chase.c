/* SPDX-License-Identifier: MIT */
#include "pursuit/chase.h"

#include "base/memory.h"

enum status pursuit_chase_new(const struct chase_kind *kind,
                              const struct chase_view *view, void **chase,
                              struct error *error)
{
    struct chase_view own = *view;
    own.kind = kind;
    own.methods = agent_methods;
    own.count = 0;
    for (size_t i = 0; i < own.agents->count; i++)
        own.count += chase_steers(&own, i);
    *chase = NULL;
    if (kind->needed ? !kind->needed(&own) : !own.count)
        return STATUS_OK;
    struct chase_view *made = memory_new(1, kind->size);
    if (!made)
        return error_memory(error);
    *made = own;
    enum status status = kind->init ? kind->init(made, error) : STATUS_OK;
    if (status)
        pursuit_chase_release(made);
    else
        *chase = made;
    return status;
}

void pursuit_chase_release(void *chase)
{
    const struct chase_view *view = chase;
    if (view && view->kind->release)
        view->kind->release(chase);
    memory_release(chase);
}
