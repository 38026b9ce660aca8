/* SPDX-License-Identifier: MIT */
/* The figure's PDF in pixels and as EPS, by programs of poppler. */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/process.h"
#include "base/system.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static enum status fault(const char *program, int said, int ended,
                         struct error *error)
{
    char text[400] = "";
    if (said >= 0)
        process_last_line(said, text, sizeof text);
    return error_set(error, STATUS_FAILED, "%s failed: %s", program,
                     *text                ? text
                     : WIFSIGNALED(ended) ? strsignal(WTERMSIG(ended))
                                          : "it printed no message");
}

/* `makes`: the format, for a message. */
static enum status run_poppler(const char *const *words, const char *makes,
                               struct error *error)
{
    int ended = 0, said = system_nameless_file();
    const struct process program = { .words = words, .said = said };
    errno = process_run(&program, &ended);
    enum status status = STATUS_OK;
    if (errno == ENOENT)
        status = error_set(error, STATUS_FAILED,
                           "%s, which makes the %s, is not installed; install "
                           "poppler-utils",
                           words[0], makes);
    else if (errno)
        status = error_system(error, STATUS_FAILED, "%s", words[0]);
    else if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        status = fault(words[0], said, ended, error);
    if (said >= 0)
        close(said);
    return status;
}

/* ---- PNG ---- */

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

/* pdftoppm smooths the cells of an image that is enlarged less than four times.
 * So many times finer, at most four times, are all of them enlarged as much. */
static int finer(const struct composition *figure, int dots)
{
    double cell = 0;
    for (size_t k = 0; k < figure->count; k++) {
        const double own = figure->panels[k].measured.cell;
        cell = own > 0 && (cell <= 0 || own < cell) ? own : cell;
    }
    const double pixels = cell * dots / 72;
    return pixels > 0 ? (int)fmin(fmax(ceil(4.01 / pixels), 1), 4) : 1;
}

/* Each pixel is the mean of side x side pixels; those beyond the edges are
 * the last ones. */
static enum status shrink(struct image *image, int side, struct error *error)
{
    struct image small = { 0 };
    const int width = image->width, height = image->height;
    enum status status = image_init(&small, (width + side / 2) / side,
                                    (height + side / 2) / side, error);
    if (status)
        return status;
    for (int y = 0; y < small.height; y++)
        for (int x = 0; x < small.width; x++) {
            int sum[3] = { 0 };
            for (int k = 0; k < side * side; k++) {
                const int column = x * side + k % side;
                const int row = y * side + k / side;
                const uint8_t *pixel =
                    image_at(image, column < width ? column : width - 1,
                             row < height ? row : height - 1);
                for (int c = 0; c < 3; c++)
                    sum[c] += pixel[c];
            }
            for (int c = 0; c < 3; c++)
                image_at(&small, x, y)[c] =
                    (uint8_t)((sum[c] + side * side / 2) / (side * side));
        }
    image_release(image);
    *image = small;
    return STATUS_OK;
}

static enum status write_png(const struct composition *figure,
                             const struct image *image, int dots,
                             const char *path, struct error *error)
{
    struct image_note notes[NOTES];
    figure_notes(figure, notes);
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_system(error, STATUS_DISK, "%s", path);
    enum status status =
        image_print_png(image, dots, notes, NOTES, file, error);
    return fclose(file) != 0 && !status
               ? error_system(error, STATUS_DISK, "%s", path)
               : status;
}

enum status png_compose(const struct composition *figure, int dots,
                        struct error *error)
{
    static const char *const names[4] = { "figure.pdf", "figure", "figure.ppm",
                                          "figure.png" };
    const int side = finer(figure, dots);
    struct image image = { 0 };
    char *path[4], resolution[16];
    for (size_t i = 0; i < 4; i++)
        path[i] = work_path(figure, names[i]);
    snprintf(resolution, sizeof resolution, "%d", side * dots);
    const char *const words[] = { "pdftoppm",    "-r",    resolution,
                                  "-singlefile", path[0], path[1],
                                  NULL };
    enum status status = run_poppler(words, "PNG", error);
    if (!status)
        status = read_pixels(path[2], &image, error);
    if (!status && side > 1)
        status = shrink(&image, side, error);
    if (!status)
        status = write_png(figure, &image, dots, path[3], error);
    image_release(&image);
    for (size_t i = 0; i < 4; i++)
        memory_release(path[i]);
    return status;
}

/* ---- EPS ---- */

/* Comments of at most 255 characters a line, as DSC requires. */
static void put_comment(const char *name, const char *text, FILE *to)
{
    enum { LINE = 200 };
    for (size_t left = strlen(text); left;) {
        size_t length = left < LINE ? left : LINE;
        fprintf(to, "%% %s: %.*s\n", name, (int)length, text);
        text += length;
        left -= length;
    }
}

/* The page's own size instead of the drawing's, our notes instead of the
 * date. */
static enum status copy_eps(const struct composition *figure, FILE *from,
                            FILE *to, struct error *error)
{
    struct image_note notes[NOTES];
    char *line = NULL;
    size_t room = 0;
    bool head = true;
    const double width = points(figure->width);
    figure_notes(figure, notes);
    for (ssize_t length; (length = getline(&line, &room, from)) > 0;) {
        if (head && strncmp(line, "%%CreationDate", 14) == 0)
            continue;
        if (head && strncmp(line, "%%BoundingBox", 13) == 0)
            length = snprintf(line, room,
                              "%%%%BoundingBox: 0 0 %.0f %.0f\n"
                              "%%%%HiResBoundingBox: 0 0 %.3f %.3f\n",
                              ceil(width), ceil(figure->height), width,
                              figure->height);
        head = head && strncmp(line, "%%EndComments", 13) != 0;
        fwrite(line, 1, (size_t)length, to);
        for (size_t i = 0; i < NOTES && length > 12 &&
                           strncmp(line, "%%EndComments", 13) == 0;
             i++)
            put_comment(notes[i].key, notes[i].text, to);
    }
    const bool good = !ferror(from) && !ferror(to) && !head;
    free(line);
    return good ? STATUS_OK
                : error_set(error, STATUS_FAILED,
                            "pdftocairo's file is no EPS, or not whole");
}

static enum status copy_eps_file(const struct composition *figure,
                                 const char *made, const char *whole,
                                 struct error *error)
{
    FILE *from = fopen(made, "rb");
    if (!from)
        return error_system(error, STATUS_DISK, "%s", made);
    FILE *to = fopen(whole, "wb");
    if (!to) {
        const int code = errno;
        fclose(from);
        errno = code;
        return error_system(error, STATUS_DISK, "%s", whole);
    }
    enum status status = copy_eps(figure, from, to, error);
    fclose(from);
    if (fclose(to) != 0 && !status)
        status = error_system(error, STATUS_DISK, "%s", whole);
    return status;
}

/* pdftocairo 22.12 clips a page that is wider than high as if it was turned. */
enum status eps_compose(const struct composition *figure, struct error *error)
{
    char *pdf = work_path(figure, "figure.pdf");
    char *high = work_path(figure, "high.pdf");
    char *made = work_path(figure, "made.eps");
    char *whole = work_path(figure, "figure.eps");
    const char *const words[] = { "pdftocairo", "-eps", high, made, NULL };
    enum status status = pdf_heighten(
        pdf, high, fmax(figure->height, points(figure->width) + 1), error);
    if (!status)
        status = run_poppler(words, "EPS", error);
    if (!status)
        status = copy_eps_file(figure, made, whole, error);
    memory_release(pdf);
    memory_release(high);
    memory_release(made);
    memory_release(whole);
    return status;
}
