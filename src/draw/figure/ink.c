/* SPDX-License-Identifier: MIT */
/* Letters, lines and rectangles in the figure's ink. */
#include "draw/figure/figure.h"

#include <math.h>

static const uint8_t ink[3] = { 20, 20, 20 };

struct page *figure_surface(struct figure *figure)
{
    return figure->page ? figure->page : figure->over;
}

void figure_fill(struct figure *figure, double left, double top, double width,
                 double height)
{
    page_fill(figure_surface(figure), left, top, width, height, ink);
}

int figure_line(const struct figure *figure)
{
    return (int)fmax(1, round(figure->em / 14));
}

double figure_thickness(const struct figure *figure)
{
    double line = figure_line(figure);
    return figure->page ? fmax(line, figure->em / 15) : line;
}

static void put_text(struct figure *figure, const char *text, double size,
                     const double at[2], double part, bool upward,
                     const uint8_t color[3])
{
    double width = text_width(figure->font, size, text);
    double half = TEXT_CAPITAL * size / 2;
    double from[2] = { at[0] - (upward ? -half : part * width),
                       at[1] + (upward ? part * width : half) };
    struct page *page = figure_surface(figure);
    page_text(page, size, text, from, upward, color);
}

void figure_text(struct figure *figure, const char *text, double size,
                 const double at[2], double part, bool upward)
{
    put_text(figure, text, size, at, part, upward, ink);
}

void figure_cased_text(struct figure *figure, const char *text, double size,
                       const double at[2], double part)
{
    struct page *page = figure_surface(figure);
    double width = text_width(figure->font, size, text);
    page_cased_text(
        page, size, text,
        (double[]){ at[0] - part * width, at[1] + TEXT_CAPITAL * size / 2 },
        ink, .13 * figure->em);
}

void figure_gray_text(struct figure *figure, const char *text, double size,
                      const double at[2], double part)
{
    static const uint8_t gray[3] = { 110, 110, 110 };
    put_text(figure, text, size, at, part, false, gray);
}

void figure_stroke(struct figure *figure, const struct frame *frame,
                   double width)
{
    struct page *page = figure_surface(figure);
    double left = frame->left, top = frame->top;
    double right = left + frame->width, bottom = top + frame->height;
    const double corners[][2] = {
        { left, top }, { right, top }, { right, bottom }, { left, bottom }
    };
    for (int i = 0; i < 4; i++)
        page_line(page, corners[i], corners[(i + 1) % 4], width);
    page_lay(page, ink);
}

void figure_outline(struct figure *figure, const struct frame *frame)
{
    int line = figure_line(figure);
    int left = frame->left - line, top = frame->top - line;
    int width = frame->width + 2 * line, height = frame->height + 2 * line;
    if (figure->page) { /* readers displace images by as much as a pixel */
        figure_stroke(figure, frame, figure_thickness(figure));
        return;
    }
    figure_fill(figure, left, top, width, line);
    figure_fill(figure, left, top + height - line, width, line);
    figure_fill(figure, left, top, line, height);
    figure_fill(figure, left + width - line, top, line, height);
}
