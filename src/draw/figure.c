/* SPDX-License-Identifier: MIT */
#include "draw/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

int figure_line(const struct figure *figure)
{
    return (int)fmax(1, round(figure->em / 14));
}

void figure_text(struct figure *figure, const char *text, double size,
                 const double at[2], double part, bool upward)
{
    double width = text_width(figure->font, size, text);
    double half = TEXT_CAPITAL * size / 2;
    double from[2] = { at[0] - (upward ? -half : part * width),
                       at[1] + (upward ? part * width : half) };
    text_draw(figure->font, size, text, &figure->mask, from, upward);
    mask_lay(&figure->mask, &figure->image, ink);
}

void figure_outline(struct figure *figure, const struct frame *frame)
{
    struct image *image = &figure->image;
    int line = figure_line(figure);
    int left = frame->left - line, top = frame->top - line;
    int width = frame->width + 2 * line, height = frame->height + 2 * line;
    image_fill(image, left, top, width, line, ink);
    image_fill(image, left, top + height - line, width, line, ink);
    image_fill(image, left, top, line, height, ink);
    image_fill(image, left + width - line, top, line, height, ink);
}

double figure_widest(struct figure *figure, const struct ticks *ticks,
                     double size)
{
    double widest = 0;
    for (int i = 0; i < ticks->count; i++)
        widest =
            fmax(widest, text_width(figure->font, size, ticks->tick[i].label));
    return widest;
}

bool figure_is_bare(const struct figure_options *options)
{
    return !options->bar && !options->axes && !options->scale_bar &&
           !options->legend && !options->title &&
           options->columns * options->rows == 1;
}

/* Of a step, by the scenario; 0: it does not tell. */
static double seconds_of(const struct figure *figure)
{
    return recording_setting_real(figure->picture->view->recording,
                                  "scale.step", 0);
}

/* Is there a %t that no % stands before? */
static bool tells_time(const char *title)
{
    while ((title = strchr(title, '%')) && title[1] != 't')
        title += title[1] == '%' ? 2 : 1;
    return title != NULL;
}

static enum status check(const struct figure *figure, struct error *error)
{
    const struct figure_options *options = &figure->options;
    if (options->columns < 1 || options->rows < 1 ||
        options->columns > FIGURE_PANELS || options->rows > FIGURE_PANELS ||
        options->columns * options->rows > FIGURE_PANELS)
        return error_set(error, STATUS_INPUT,
                         "a montage of %d x %d: 1 to %d panels are wanted, a "
                         "letter for each",
                         options->columns, options->rows, FIGURE_PANELS);
    if (options->bar && figure->picture->options.per_frame &&
        options->columns * options->rows > 1)
        return error_set(error, STATUS_INPUT,
                         "one colour bar cannot serve panels that have a "
                         "range each; leave out the bar or --per-frame");
    if (options->title && tells_time(options->title) &&
        !(seconds_of(figure) > 0))
        return error_set(error, STATUS_INPUT,
                         "--title: %%t is the time by scale.step, which the "
                         "scenario does not tell; %%d is the step");
    if (options->axes && figure->picture->options.oblique)
        return error_set(error, STATUS_INPUT,
                         "an oblique view has no axes; its layers are "
                         "labelled");
    return STATUS_OK;
}

enum status figure_init(struct figure *figure, struct picture *picture,
                        const struct figure_options *options,
                        struct error *error)
{
    *figure = (struct figure){ .options = *options,
                               .picture = picture,
                               .em = picture->options.em };
    enum status status = check(figure, error);
    if (status || (figure_is_bare(options) && !picture->options.oblique))
        return status;
    status = font_open(options->font, &figure->font, error);
    if (!status)
        status = figure_lay_out(figure, error);
    if (!status)
        status = mask_init(&figure->mask, figure->image.width,
                           figure->image.height, error);
    return status;
}

void figure_release(struct figure *figure)
{
    font_release(figure->font);
    image_release(&figure->image);
    mask_release(&figure->mask);
}

const struct image *figure_page(const struct figure *figure)
{
    return figure->font ? &figure->image : &figure->picture->image;
}

/* `text` with each %d being the step, each %t its time, each %% a %. */
static void put_step(const char *text, int64_t step, double seconds, char *out,
                     size_t size)
{
    size_t used = 0;
    for (*out = '\0'; *text && used + 1 < size;) {
        bool number = strncmp(text, "%d", 2) == 0;
        if (number || strncmp(text, "%t", 2) == 0) {
            used += (size_t)(number ? snprintf(out + used, size - used, "%lld",
                                               (long long)step)
                                    : snprintf(out + used, size - used, "%.10g",
                                               (double)step * seconds));
            text += 2;
        } else {
            text += strncmp(text, "%%", 2) == 0;
            out[used++] = *text++;
            out[used] = '\0';
        }
    }
}

static void draw_title(struct figure *figure, int64_t step)
{
    char text[1024];
    put_step(figure->options.title, step, seconds_of(figure), text,
             sizeof text);
    double size = 1.15 * figure->em;
    text_fit(figure->font, size, figure->image.width - figure->em, text);
    double middle = figure->panels.left + figure->panels.width / 2.;
    double half = text_width(figure->font, size, text) / 2;
    middle = fmin(fmax(middle, half + figure->em / 2),
                  figure->image.width - half - figure->em / 2);
    figure_text(figure, text, size, (double[]){ middle, figure->title_base },
                .5, false);
}

/* "(a)  step 120" over a panel. */
static void draw_caption(struct figure *figure, const struct frame *panel,
                         int number, int64_t step)
{
    char text[64];
    int used = snprintf(text, sizeof text, "(%c)", 'a' + number);
    if (figure->picture->view->field->by_row)
        snprintf(text + used, sizeof text - (size_t)used, "  step %lld",
                 (long long)step);
    double size = figure->em;
    text_fit(figure->font, size, panel->width, text);
    figure_text(figure, text, size,
                (double[]){ panel->left,
                            panel->top - figure_line(figure) - .75 * size },
                0, false);
}

static void copy_panel(struct figure *figure, const struct frame *panel)
{
    const struct image *from = &figure->picture->image;
    for (int y = 0; y < from->height; y++)
        memcpy(image_at(&figure->image, panel->left, panel->top + y),
               image_at(from, 0, y), 3 * (size_t)from->width);
}

static enum status paint_panel(struct figure *figure, int number, int64_t row,
                               int count, struct error *error)
{
    const struct figure_options *options = &figure->options;
    int column = number % options->columns, line = number / options->columns;
    struct frame panel = figure->panel;
    panel.left += column * figure->pitch[0];
    panel.top += line * figure->pitch[1];
    enum status status = picture_paint(figure->picture, row, error);
    if (status)
        return status;
    copy_panel(figure, &panel);
    if (figure->picture->options.oblique)
        figure_draw_layers(figure, &panel);
    else
        figure_outline(figure, &panel);
    if (options->axes)
        figure_draw_axes(figure, &panel, column == 0,
                         number + options->columns >= count);
    if (options->columns * options->rows > 1)
        draw_caption(figure, &panel, number,
                     recording_steps(figure->picture->view->recording)[row]);
    return STATUS_OK;
}

enum status figure_paint(struct figure *figure, const int64_t *rows,
                         size_t count, struct error *error)
{
    struct picture *picture = figure->picture;
    if (!figure->font)
        return picture_paint(picture, rows[0], error);
    const struct figure_options *options = &figure->options;
    image_fill(&figure->image, 0, 0, figure->image.width, figure->image.height,
               white);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = paint_panel(figure, (int)i, rows[i], (int)count, error);
    if (status)
        return status;
    if (options->title)
        draw_title(figure, recording_steps(picture->view->recording)[rows[0]]);
    if (options->axes)
        figure_name_axes(figure);
    if (options->bar)
        figure_draw_bar(figure);
    if (options->scale_bar)
        figure_draw_scale_bar(figure);
    if (options->legend)
        figure_draw_legend(figure);
    return STATUS_OK;
}
