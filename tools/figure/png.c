/* SPDX-License-Identifier: MIT */
/* The figure's PDF in pixels, by poppler's pdftoppm. */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static enum status fault(int said, int ended, struct error *error)
{
    char text[400] = "";
    if (said >= 0)
        process_last_line(said, text, sizeof text);
    return error_set(error, STATUS_FAILED, "pdftoppm failed: %s",
                     *text                ? text
                     : WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended))
                                          : "it printed no message");
}

/* Makes WORK/figure.ppm, with 300 pixels an inch, as all our pictures have. */
static enum status run(const char *pdf, const char *base, struct error *error)
{
    const char *const words[] = { "pdftoppm", "-r", "300", "-singlefile",
                                  pdf,        base, NULL };
    int ended = 0, said = system_nameless_file();
    const struct process pdftoppm = { words, NULL, NULL, said };
    errno = process_run(&pdftoppm, &ended);
    enum status status = STATUS_OK;
    if (errno == ENOENT)
        status = error_set(error, STATUS_FAILED,
                           "pdftoppm, which makes the PNG, is not installed; "
                           "install poppler-utils");
    else if (errno)
        status = error_system(error, STATUS_FAILED, "pdftoppm");
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(said, ended, error);
    if (said >= 0)
        close(said);
    return status;
}

static enum status read_pixels(const char *path, struct image *image,
                               struct error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_system(error, STATUS_FAILED, "%s", path);
    int width, height;
    enum status status = STATUS_OK;
    if (fscanf(file, "P6 %d %d 255", &width, &height) != 2 || fgetc(file) < 0)
        status = error_set(error, STATUS_FAILED, "%s: no pixels", path);
    else
        status = image_init(image, width, height, error);
    size_t bytes = status ? 0 : 3 * (size_t)width * (size_t)height;
    if (!status && fread(image->rgb, 1, bytes, file) != bytes)
        status = error_set(error, STATUS_FAILED, "%s: is not whole", path);
    fclose(file);
    return status;
}

static enum status compose(const struct composition *figure, char *path[4],
                           struct error *error)
{
    struct image image = { 0 };
    struct image_note notes[NOTES];
    figure_notes(figure, notes);
    enum status status = run(path[0], path[1], error);
    if (!status)
        status = read_pixels(path[2], &image, error);
    if (!status)
        status = image_write_png(&image, notes, NOTES, path[3], false, error);
    image_release(&image);
    return status;
}

enum status png_compose(const struct composition *figure, struct error *error)
{
    static const char *const names[4] = { "figure.pdf", "figure", "figure.ppm",
                                          "figure.png" };
    char *path[4];
    bool whole = true;
    for (size_t i = 0; i < 4; i++)
        whole = (path[i] = work_path(figure, names[i])) && whole;
    enum status status = compose(figure, path, error);
    for (size_t i = 0; i < 4; i++)
        memory_release(path[i]);
    return status;
}
