/* SPDX-License-Identifier: MIT */
/* The folder of a figure's intermediate files. */
#include "tools/figure/composition.h"

#include "base/disk.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/system.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status work_make(struct composition *figure, struct error *error)
{
    char *name =
        need_format("%s/hamon-figure.XXXXXX", system_temporary_folder());
    /* Commands run in another folder: they need its absolute path. */
    char *whole = mkdtemp(name) ? realpath(name, NULL) : NULL;
    enum status status = whole ? STATUS_OK : disk_refused_temporary(error);
    if (whole)
        figure->work = need_text(whole);
    free(whole);
    memory_release(name);
    return status;
}

void work_remove(struct composition *figure)
{
    DIR *directory = figure->work ? opendir(figure->work) : NULL;
    if (directory) {
        for (const struct dirent *entry; (entry = readdir(directory));)
            if (strcmp(entry->d_name, ".") != 0 &&
                strcmp(entry->d_name, "..") != 0)
                unlinkat(dirfd(directory), entry->d_name, 0);
        closedir(directory);
        rmdir(figure->work);
    }
    memory_release(figure->work);
    figure->work = NULL;
}

char *work_path(const struct composition *figure, const char *name)
{
    return need_format("%s/%s", figure->work, name);
}

char *panel_path(const struct composition *figure, size_t number,
                 const char *format)
{
    return need_format("%s/%zu.%s", figure->work, number, format);
}
