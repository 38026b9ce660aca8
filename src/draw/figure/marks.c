/* SPDX-License-Identifier: MIT */
#include "draw/figure/marks.h"

#include "words/words.h"

#include <math.h>

static const uint8_t ink[3] = { 34, 34, 34 }, white[3] = { 255, 255, 255 },
                     yellow[3] = { 255, 212, 0 };

const char *const mark_names[MARK_COUNT] = {
    N_("target"),
    N_("start"),
    N_("waiting"),
    N_("walking"),
    N_("captured"),
    N_("stuck"),
    N_("walking at the end"),
};

/* A point of paper, in ems. */
#define POINT (1 / 7.5)

/* Radii in ems, without the edge. */
static const double radii[MARK_COUNT] = {
    4.5 * POINT, 2 * POINT,   2.5 * POINT, 2.5 * POINT,
    2.3 * POINT, 2.4 * POINT, 3 * POINT,
};

static double edge_of(double em)
{
    return fmax(.6 * POINT * em, 1);
}

double mark_reach(enum mark mark, double em)
{
    double edge = edge_of(em);
    double nose = mark == MARK_WALKING ? 2.1 * POINT : 0; /* and casing */
    if (mark == MARK_TARGET)
        edge *= 2;
    double arms = mark == MARK_STUCK       ? 1.45 /* to its corners */
                  : mark == MARK_UNDER_WAY ? 1.1
                                           : 1;
    return (arms * radii[mark] + nose) * em + edge;
}

double mark_start_reach(double em)
{
    return 4.4 * POINT * em + edge_of(em); /* two digits within the edge */
}

static const uint8_t palette[MARK_COLORS][3] = {
    { 3, 46, 216 }, { 205, 148, 13 },  { 118, 14, 123 }, { 14, 177, 113 },
    { 138, 40, 4 }, { 106, 132, 235 }, { 34, 34, 34 },   { 107, 169, 189 },
};

const uint8_t *mark_color(int number)
{
    return palette[number % MARK_COLORS];
}

/* A disc of a colour with an edge of another one. */
static void lay_disc(struct page *page, const double at[2], double radius,
                     double edge, const uint8_t *inside, const uint8_t *outside)
{
    page_disc(page, at, radius + edge);
    page_lay(page, outside);
    page_disc(page, at, radius);
    page_lay(page, inside);
}

static void gather_star(struct page *page, const double at[2], double radius)
{
    const double turn = acos(-1) / 5;
    double corners[10][2], inner[5][2];
    for (int i = 0; i < 10; i++) {
        double reach = i % 2 ? .45 * radius : radius;
        corners[i][0] = at[0] + reach * sin(i * turn);
        corners[i][1] = at[1] - reach * cos(i * turn);
    }
    for (int i = 0; i < 5; i++) {
        inner[i][0] = corners[2 * i + 1][0];
        inner[i][1] = corners[2 * i + 1][1];
    }
    for (int i = 0; i < 5; i++) {
        page_triangle(page, corners[2 * i], corners[2 * i + 1],
                      corners[(2 * i + 9) % 10]);
        page_triangle(page, at, inner[i], inner[(i + 1) % 5]);
    }
}

static void lay_star(struct page *page, const double at[2], double radius,
                     double edge)
{
    gather_star(page, at, radius + 2 * edge);
    page_lay(page, white);
    gather_star(page, at, radius);
    page_lay(page, ink);
}

static void gather_cross(struct page *page, const double at[2], double radius,
                         double width)
{
    double reach = .8 * radius;
    for (int side = -1; side <= 1; side += 2)
        page_line(page, (double[]){ at[0] - reach, at[1] - side * reach },
                  (double[]){ at[0] + reach, at[1] + side * reach }, width);
}

static void lay_cross(struct page *page, const double at[2], double radius,
                      double edge)
{
    double width = .62 * radius;
    gather_cross(page, at, radius, width + 2 * edge);
    page_lay(page, white);
    gather_cross(page, at, radius, width);
    page_lay(page, ink);
}

static void gather_point(struct page *page, const double at[2], double radius,
                         const double unit[2])
{
    double tip[2], wings[2][2];
    for (int i = 0; i < 2; i++) {
        double across = i ? unit[0] : -unit[1];
        tip[i] = at[i] + radius * unit[i];
        wings[0][i] = at[i] - radius * (.6 * unit[i] + .85 * across);
        wings[1][i] = at[i] - radius * (.6 * unit[i] - .85 * across);
    }
    page_triangle(page, tip, wings[1], wings[0]);
}

static void lay_point(struct page *page, const double at[2], double radius,
                      double edge, const double unit[2])
{
    gather_point(page, at, radius + 1.6 * edge, unit);
    page_lay(page, ink);
    gather_point(page, at, radius - .4 * edge, unit);
    page_lay(page, white);
}

static void lay_nose(struct page *page, const double at[2], double em,
                     const double unit[2])
{
    double tip[2];
    for (int i = 0; i < 2; i++)
        tip[i] = at[i] + (radii[MARK_WALKING] + 1.5 * POINT) * em * unit[i];
    page_line(page, at, tip, 2.4 * POINT * em);
    page_lay(page, white);
    page_line(page, at, tip, 1.2 * POINT * em);
    page_lay(page, ink);
}

void mark_draw(struct page *page, enum mark mark, double em, const double at[2],
               const double *along)
{
    double radius = radii[mark] * em, edge = edge_of(em);
    double unit[2] = { 1, 0 };
    bool heads = false;
    if (along) {
        const double length = hypot(along[0], along[1]);
        heads = length > 1e-6 && isfinite(length);
        for (int i = 0; i < 2 && heads; i++)
            unit[i] = along[i] / length;
    }
    if (mark == MARK_TARGET)
        lay_star(page, at, radius, edge);
    else if (mark == MARK_STUCK)
        lay_cross(page, at, radius, edge);
    else if (mark == MARK_UNDER_WAY)
        lay_point(page, at, radius, edge, unit);
    else if (mark == MARK_CAPTURED)
        lay_disc(page, at, radius, edge, ink, white);
    else {
        if (mark == MARK_WALKING && heads)
            lay_nose(page, at, em, unit);
        lay_disc(page, at, radius, edge, mark == MARK_WALKING ? yellow : white,
                 ink);
    }
}

void mark_draw_start(struct page *page, double em, const double at[2],
                     const uint8_t color[3])
{
    lay_disc(page, at, mark_start_reach(em) - edge_of(em), edge_of(em), white,
             color);
}
