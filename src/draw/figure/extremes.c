/* SPDX-License-Identifier: MIT */
#include "draw/figure/extremes.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/team.h"

#include <stdatomic.h>

/* The result of one thread, and the first row that it could not read. */
struct finding {
    struct view *view;
    struct extremes extremes;
    struct quantile *sizes; /* NULL: none */
    enum status status;
    size_t failed;
    struct error error;
};

struct search {
    const int64_t *rows;
    size_t count;
    atomic_size_t next;
    struct finding *findings; /* (threads) */
};

static void search_share(void *context, int thread, int threads)
{
    struct search *search = context;
    struct finding *finding = &search->findings[thread];
    const struct view *view = finding->view;
    size_t i;
    (void)threads;
    while (!finding->status && (i = search->next++) < search->count) {
        finding->failed = i;
        finding->status =
            view_read(finding->view, search->rows[i], &finding->error);
        if (finding->status)
            return;
        extremes_add(&finding->extremes, view->values, view->wall,
                     view_cells(view));
        if (finding->sizes)
            quantile_add(finding->sizes, view->values, view->wall,
                         view_cells(view));
    }
}

/* The first error in the rows' order, from any thread. */
static enum status gather(const struct finding *findings, int threads,
                          struct extremes *extremes, struct quantile *sizes,
                          struct error *error)
{
    const struct finding *first = NULL;
    for (int i = 0; i < threads; i++) {
        const struct finding *finding = &findings[i];
        if (finding->status && (!first || finding->failed < first->failed))
            first = finding;
        const double ends[] = { finding->extremes.low, finding->extremes.high };
        if (finding->extremes.any)
            extremes_add(extremes, ends, NULL, 2);
        if (sizes && i > 0)
            quantile_join(sizes, finding->sizes);
    }
    if (first && error)
        *error = first->error;
    return first ? first->status : STATUS_OK;
}

enum status extremes_of_rows(struct view *view, const int64_t *rows,
                             size_t count, int threads,
                             struct extremes *extremes, struct quantile *sizes,
                             struct error *error)
{
    struct search search = { .rows = rows, .count = count };
    struct team *team = NULL;
    if ((size_t)threads > count)
        threads = (int)count;
    threads = threads < 1 ? 1 : threads;
    search.findings = need_memory((size_t)threads, sizeof *search.findings);
    search.findings[0].view = view;
    search.findings[0].sizes = sizes;
    enum status status = STATUS_OK;
    for (int i = 1; i < threads && !status; i++) {
        if (sizes)
            search.findings[i].sizes = need_memory(1, sizeof *sizes);
        status = view_twin(view, &search.findings[i].view, error);
    }
    if (!status && threads > 1)
        status = team_new(threads, false, &team, error);
    if (!status) {
        team_run(team, search_share, &search);
        status = gather(search.findings, threads, extremes, sizes, error);
    }
    team_release(team);
    for (int i = 1; i < threads; i++) {
        view_release(search.findings[i].view);
        memory_release(search.findings[i].sizes);
    }
    memory_release(search.findings);
    return status;
}
