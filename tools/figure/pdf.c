/* SPDX-License-Identifier: MIT */
/* Pages of PDF on one page: the objects of each panel are copied unchanged (its
 * drawing, images and fonts), and shown as a form (ISO 32000-1, 8.10). */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/need.h"
#include "config.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAMON_QPDF

#include <qpdf/qpdf-c.h>

static enum status fault(qpdf_data pdf, const char *path, struct error *error)
{
    const char *what = qpdf_has_error(pdf)
                           ? qpdf_get_error_full_text(pdf, qpdf_get_error(pdf))
                           : "not a page of PDF";
    return error_set(error, STATUS_FAILED, "%s: %s", path, what);
}

/* The file's first page. *pdf is set after a failure too; release with
 * qpdf_cleanup. */
static enum status open_page(const char *path, qpdf_data *pdf, qpdf_oh *page,
                             struct error *error)
{
    *page = 0;
    *pdf = qpdf_init();
    qpdf_silence_errors(*pdf);
    if (qpdf_read(*pdf, path, NULL) & QPDF_ERRORS ||
        qpdf_push_inherited_attributes_to_page(*pdf) & QPDF_ERRORS)
        return fault(*pdf, path, error);
    *page = qpdf_get_page_n(*pdf, 0);
    return qpdf_has_error(*pdf) ? fault(*pdf, path, error) : STATUS_OK;
}

static double box_side(qpdf_data pdf, qpdf_oh box, int corner)
{
    return qpdf_oh_get_numeric_value(pdf,
                                     qpdf_oh_get_array_item(pdf, box, corner));
}

enum status pdf_size(const char *path, double *width, double *height,
                     struct error *error)
{
    qpdf_data pdf;
    qpdf_oh page;
    enum status status = open_page(path, &pdf, &page, error);
    if (!status) {
        qpdf_oh box = qpdf_oh_get_key(pdf, page, "/MediaBox");
        *width = box_side(pdf, box, 2) - box_side(pdf, box, 0);
        *height = box_side(pdf, box, 3) - box_side(pdf, box, 1);
        if (qpdf_has_error(pdf) || !(*width > 0) || !(*height > 0))
            status = fault(pdf, path, error);
    }
    qpdf_cleanup(&pdf);
    return status;
}

/* A key of the page with all objects that it refers to; null if there is
 * none. */
static qpdf_oh copy_key(qpdf_data to, qpdf_data from, qpdf_oh page,
                        const char *key)
{
    if (!qpdf_oh_has_key(from, page, key))
        return qpdf_oh_new_null(to);
    qpdf_oh value =
        qpdf_make_indirect_object(from, qpdf_oh_get_key(from, page, key));
    return qpdf_oh_copy_foreign_object(to, from, value);
}

/* The page as a form of the document `to`. */
static enum status make_form(qpdf_data to, qpdf_data from, qpdf_oh page,
                             qpdf_oh *form)
{
    static const char *const keys[] = { "/Resources", "/Group" };
    unsigned char *drawing = NULL;
    size_t length;
    *form = 0;
    if (qpdf_oh_get_page_content_data(from, page, &drawing, &length) &
        QPDF_ERRORS)
        return STATUS_FAILED;
    *form = qpdf_oh_new_stream(to);
    qpdf_oh_replace_stream_data(to, *form, drawing, length,
                                qpdf_oh_new_null(to), qpdf_oh_new_null(to));
    free(drawing);
    qpdf_oh head = qpdf_oh_get_dict(to, *form);
    qpdf_oh_replace_key(to, head, "/Type", qpdf_oh_new_name(to, "/XObject"));
    qpdf_oh_replace_key(to, head, "/Subtype", qpdf_oh_new_name(to, "/Form"));
    qpdf_oh_replace_key(to, head, "/BBox",
                        copy_key(to, from, page, "/MediaBox"));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        qpdf_oh_replace_or_remove_key(to, head, keys[i],
                                      copy_key(to, from, page, keys[i]));
    return qpdf_has_error(from) || qpdf_has_error(to) ? STATUS_FAILED
                                                      : STATUS_OK;
}

/* The dictionary at `key`, created if there is none. */
static qpdf_oh dictionary(qpdf_data pdf, qpdf_oh parent, const char *key)
{
    if (!qpdf_oh_has_key(pdf, parent, key))
        qpdf_oh_replace_key(pdf, parent, key, qpdf_oh_new_dictionary(pdf));
    return qpdf_oh_get_key(pdf, parent, key);
}

/* Adds the drawn panel to the page, and to `drawing` a line that shows it. Its
 * document must stay open until the page is written. */
static enum status add_panel(const struct composition *figure, size_t number,
                             qpdf_data pdf, qpdf_oh page, qpdf_data *from,
                             FILE *drawing, struct error *error)
{
    const struct panel_place *place = &figure->panels[number].place;
    char name[32];
    qpdf_oh own, form;
    char *path = panel_path(figure, number, "pdf");
    enum status status = open_page(path, from, &own, error);
    if (!status && make_form(pdf, *from, own, &form))
        status = fault(qpdf_has_error(pdf) ? pdf : *from, path, error);
    memory_release(path);
    if (status)
        return status;
    snprintf(name, sizeof name, "/Panel%zu", number);
    qpdf_oh forms =
        dictionary(pdf, dictionary(pdf, page, "/Resources"), "/XObject");
    qpdf_oh_replace_key(pdf, forms, name, form);
    fprintf(drawing, "q 1 0 0 1 %.3f %.3f cm %s Do Q\n", place->left,
            figure->height - place->top - place->height, name);
    return STATUS_OK;
}

/* The text draws the panels below the present content of the page. */
static void put_below(qpdf_data pdf, qpdf_oh page, const char *drawing)
{
    qpdf_oh null = qpdf_oh_new_null(pdf), stream = qpdf_oh_new_stream(pdf);
    qpdf_oh all = qpdf_oh_new_array(pdf);
    qpdf_oh_replace_stream_data(pdf, stream, (const unsigned char *)drawing,
                                strlen(drawing), null, null);
    qpdf_oh_append_item(pdf, all, stream);
    qpdf_oh_append_item(pdf, all, qpdf_oh_get_key(pdf, page, "/Contents"));
    qpdf_oh_replace_key(pdf, page, "/Contents", all);
}

/* The panels below the letters of the page. */
static enum status add_panels(const struct composition *figure, qpdf_data pdf,
                              qpdf_oh page, qpdf_data *from,
                              struct error *error)
{
    char *drawing = NULL;
    size_t length;
    FILE *file = open_memstream(&drawing, &length);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < figure->drawn && !status; k++)
        status = add_panel(figure, k, pdf, page, &from[k], file, error);
    if (fclose(file) != 0 && !status)
        status = error_memory(error);
    if (!status)
        put_below(pdf, page, drawing);
    free(drawing);
    return status;
}

/* PDF readers show the title and the subject: the subject contains the figure's
 * sources. */
static void put_subject(const struct composition *figure, qpdf_data pdf)
{
    struct image_note notes[NOTES];
    figure_notes(figure, notes);
    char *subject = need_format("%s: %s; %s: %s", notes[2].key, notes[2].text,
                                notes[3].key, notes[3].text);
    qpdf_oh info = dictionary(pdf, qpdf_get_trailer(pdf), "/Info");
    qpdf_oh_replace_key(pdf, info, "/Subject",
                        qpdf_oh_new_unicode_string(pdf, subject));
    memory_release(subject);
    if (!words_english())
        qpdf_oh_replace_key(pdf, qpdf_get_root(pdf), "/Lang",
                            qpdf_oh_new_unicode_string(pdf, words_language()));
}

static enum status write_pdf(qpdf_data pdf, const char *path,
                             struct error *error)
{
    if (qpdf_init_write(pdf, path) & QPDF_ERRORS)
        return fault(pdf, path, error);
    qpdf_set_deterministic_ID(pdf, QPDF_TRUE);
    return qpdf_write(pdf) & QPDF_ERRORS ? fault(pdf, path, error) : STATUS_OK;
}

/* WORK/letters.pdf */
static enum status draw_letters(const struct composition *figure,
                                const char *path, struct error *error)
{
    struct page *page = NULL;
    struct image_note notes[NOTES];
    figure_notes(figure, notes);
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_system(error, STATUS_DISK, "%s", path);
    enum status status = letters_page(figure, &page_pdf, file, &page, error);
    if (!status) /* title and program; put_subject adds the rest */
        status = page_end(page, notes, 2, error);
    page_release(page);
    return fclose(file) != 0 && !status
               ? error_system(error, STATUS_DISK, "%s", path)
               : status;
}

static enum status compose(const struct composition *figure,
                           const char *letters, const char *whole,
                           qpdf_data *from, struct error *error)
{
    qpdf_data pdf = NULL;
    qpdf_oh page;
    enum status status = draw_letters(figure, letters, error);
    if (status)
        return status;
    status = open_page(letters, &pdf, &page, error);
    if (!status)
        status = add_panels(figure, pdf, page, from, error);
    if (!status)
        put_subject(figure, pdf);
    if (!status)
        status = write_pdf(pdf, whole, error);
    qpdf_cleanup(&pdf);
    return status;
}

enum status pdf_compose(const struct composition *figure, struct error *error)
{
    qpdf_data from[PANELS_LIMIT + 2] = { NULL };
    char *letters = work_path(figure, "letters.pdf");
    char *whole = work_path(figure, "figure.pdf");
    enum status status = compose(figure, letters, whole, from, error);
    for (size_t k = 0; k < figure->drawn; k++)
        if (from[k])
            qpdf_cleanup(&from[k]);
    memory_release(letters);
    memory_release(whole);
    return status;
}

enum status pdf_heighten(const char *path, const char *to, double height,
                         struct error *error)
{
    qpdf_data pdf;
    qpdf_oh page;
    char top[32];
    enum status status = open_page(path, &pdf, &page, error);
    snprintf(top, sizeof top, "%.3f", height);
    if (!status) {
        qpdf_oh box = qpdf_oh_get_key(pdf, page, "/MediaBox");
        qpdf_oh_set_array_item(pdf, box, 3,
                               qpdf_oh_new_real_from_string(pdf, top));
        status = write_pdf(pdf, to, error);
    }
    qpdf_cleanup(&pdf);
    return status;
}

enum status pdf_check(struct error *error)
{
    return STATUS_OK;
}

#else

enum status pdf_check(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "built without qpdf: PDF pages cannot be put together; "
                     "install libqpdf-dev and build again, or draw each panel "
                     "by its own command");
}

enum status pdf_size(const char *path, double *width, double *height,
                     struct error *error)
{
    return pdf_check(error);
}

enum status pdf_compose(const struct composition *figure, struct error *error)
{
    return pdf_check(error);
}

enum status pdf_heighten(const char *path, const char *to, double height,
                         struct error *error)
{
    return pdf_check(error);
}

#endif
