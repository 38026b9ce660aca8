/* SPDX-License-Identifier: MIT */
/* Charts: whole or not written at all, with the same bytes at any time, and no
 * text of a user is executed. */
#include "draw/chart/chart.h"

#include "base/csv.h"
#include "base/memory.h"
#include "config.h"
#include "tests/suite.h"

#include <dirent.h>
#include <math.h>
#include <png.h>
#ifdef HAMON_QPDF
#include <qpdf/qpdf-c.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new folder, the current folder of each test. */
static char folder[] = "/tmp/hamon-chart.XXXXXX";
static char before[4096];

static void enter_folder(void)
{
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    char command[64];
    ck_assert_int_eq(chdir(before), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

/* Two panels: all of head.gp is used. */
static const unsigned char layout[] =
    "\n\n# ---- size ----\npanels = 2; height = 9\n"
    "stats data index 'runs' using (wide(strcol('name'), 6.5)) nooutput\n"
    "room = STATS_max\n"
    "\n\n# ---- panels ----\n"
    "left = 1.6; right = width - 0.3; top = 0.7; bottom = 3.6\n"
    "says = 'a line'; x_says = 'step'; y_says = label; eval panel\n"
    "low = -2000; high = 2000; eval axis('x')\n"
    "low = -0.5; high = 1; eval axis('y')\n"
    "plot data index 'runs' using 'x':'y' with linespoints ls 1\n"
    "top = 5.4; bottom = 8; eval panel\n"
    "low = 1e-5; high = 3e2; eval log_axis('x')\n"
    "low = 50; high = 3000; eval log_axis('y')\n"
    "plot data index 'more' using 'x':'y' with linespoints \\\n"
    "    ls style_of(method, 6), data index 'runs' \\\n"
    "    using (10):(300):(datum(strcol('name'))) with labels font note\n";
static const struct chart_figure figure = {
    .commands = layout,
    .title = "two panels",
    .count = 3,
    .panels = { { .name = "polar" }, { .name = "shape" }, { .name = "line" } },
};

enum { ALL = (1 << CHART_FORMATS) - 1 };

/* The width of the charts drawn. */
static double width = CHART_COLUMN;
static enum chart_caption caption = CHART_FULL;
static const char *font;

/* A long text is the caption alone. */
static enum status draw(const char *base, unsigned formats, bool force,
                        const char *text, const struct chart_figure *what,
                        struct error *error)
{
    const char *name = strlen(text) < 60 ? text : "name";
    struct chart chart;
    enum status status = chart_open(&chart, base, formats, force, error);
    if (!status) {
        chart.width = width;
        chart.caption = caption;
        chart.font = font;
        chart_option(&chart, "label", name);
        chart_option(&chart, "method", "lee");
        chart_option_number(&chart, "none", NAN);
        chart_say(&chart, CHART_CAPTION, "%s", text);
        chart_say(&chart, CHART_SOURCE, "made & drawn by a test, \xce\xb4");
        chart_table(&chart, "runs", "of the test", "x,y,name");
        for (int i = 0; i < 3; i++) {
            chart_number(&chart, 1000. * (i - 1), ',');
            chart_number(&chart, i == 1 ? (double)NAN : i / 2., ',');
            chart_word(&chart, i ? name : "wave", '\n');
        }
        chart_table(&chart, "more", "of the test", "x,y");
        for (int i = 0; i < 3; i++)
            CHART_ROW(&chart, pow(10, 2 * i - 3), 100 * (i + 1));
        status = chart_draw(&chart, what, error);
    }
    chart_release(&chart);
    return status;
}

static char *text_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is not there", path);
    char *text = memory_new(1 << 22, 1);
    size_t count = fread(text, 1, (1 << 22) - 1, file);
    fclose(file);
    if (size)
        *size = count;
    return text;
}

/* Does the file contain the text? */
static bool has(const char *path, const char *text)
{
    size_t size;
    char *bytes = text_of(path, &size);
    bool found = memmem(bytes, size, text, strlen(text)) != NULL;
    memory_release(bytes);
    return found;
}

static int files_here(void)
{
    DIR *here = opendir(".");
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(here));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(here);
    return count;
}

static const double widths[] = { CHART_COLUMN, CHART_PAGE, 6, 29.7 };
enum { WIDTHS = sizeof widths / sizeof *widths };

START_TEST(all_formats_are_drawn_at_every_width)
    {
        struct error error = { 0 };
        width = widths[_i];
        caption = CHART_NONE;
        ck_assert_msg(draw("a", ALL, false, "45 % & x_1", &figure, &error) ==
                          STATUS_OK,
                      "%s", error.message);
        ck_assert_int_eq(files_here(), 2 + CHART_FORMATS);
        for (int i = 0; i < CHART_FORMATS; i++) {
            char path[16];
            snprintf(path, sizeof path, "a.%s", chart_format_names[i]);
            ck_assert_int_eq(
                chart_picture_check(path, (enum chart_format)i, NULL, &error),
                STATUS_OK);
        }
        ck_assert(has("a.csv", "\n\n\n# runs: of the test\nx,y,name\n"
                               "-1000,0,wave\n0,NaN,45 % & x_1\n"));
        ck_assert_int_eq(system("gnuplot -c a.gp svg c.svg a.csv 17 && "
                                "grep -q 'viewBox=\"0 0 642 340' c.svg"),
                         0);
    }
END_TEST

/* As wide as the file states: 300 pixels an inch. */
START_TEST(a_png_contains_its_size)
    {
        width = CHART_COLUMN;
        ck_assert_int_eq(draw("a", 1 << CHART_PNG, false, "x", &figure, NULL),
                         STATUS_OK);
        FILE *file = fopen("a.png", "rb");
        png_structp png =
            png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
        png_infop info = png_create_info_struct(png);
        png_init_io(png, file);
        png_read_info(png, info);
        double metres = png_get_image_width(png, info) /
                        (double)png_get_x_pixels_per_meter(png, info);
        ck_assert_double_eq_tol(100 * metres, CHART_COLUMN, 0.01);
        ck_assert_uint_eq(png_get_y_pixels_per_meter(png, info),
                          png_get_x_pixels_per_meter(png, info));
        png_read_update_info(png, info);
        for (png_uint_32 y = 0; y < png_get_image_height(png, info); y++)
            png_read_row(png, NULL, NULL);
        png_read_end(png, NULL); /* whole, every chunk's checksum right */
        png_destroy_read_struct(&png, &info, NULL);
        fclose(file);
    }
END_TEST

START_TEST(the_script_takes_another_width)
    {
        ck_assert_int_eq(draw("a", 0, false, "x", &figure, NULL), STATUS_OK);
        ck_assert_int_eq(system("gnuplot -c a.gp svg b.svg a.csv 17 && "
                                "grep -q 'viewBox=\"0 0 642 ' b.svg"),
                         0);
        ck_assert_int_eq(chart_picture_check("b.svg", CHART_SVG, NULL, NULL),
                         STATUS_OK);
    }
END_TEST

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

/* The drawing of gnuplot, after the title and the description. */
static const char *drawing_of(const char *svg)
{
    const char *drawing = strstr(svg, "<g id=\"gnuplot_canvas\"");
    ck_assert_ptr_nonnull(drawing);
    return drawing;
}

/* What a reader of PDF shows of the file, by poppler; and no date. Without qpdf
 * a PDF has no words. */
static void check_pdf(const char *path, const char *title, const char *subject)
{
    char line[512], wanted[512];
    snprintf(line, sizeof line, "pdfinfo -enc UTF-8 %s >pdf.txt", path);
    ck_assert_int_eq(system(line), 0);
    char *text = text_of("pdf.txt", NULL);
    snprintf(wanted, sizeof wanted,
             "Title:           %s\nSubject:         %s\n", title, subject);
#ifdef HAMON_QPDF
    ck_assert_msg(strstr(text, wanted) != NULL, "%s", text);
#endif
    ck_assert_ptr_null(strstr(text, "Date:"));
    memory_release(text);
    unlink("pdf.txt");
}

#ifdef HAMON_QPDF

/* Writes the file again with a date and with all objects in compressed streams,
 * as cairo from 1.17.6 on writes it. */
static void compress_pdf(const char *path)
{
    char *bytes = text_of(path, NULL);
    struct stat size;
    ck_assert_int_eq(stat(path, &size), 0);
    qpdf_data pdf = qpdf_init();
    ck_assert_int_eq(qpdf_read_memory(pdf, path, bytes,
                                      (unsigned long long)size.st_size, NULL),
                     QPDF_SUCCESS);
    qpdf_set_info_key(pdf, "/Title", NULL);
    qpdf_set_info_key(pdf, "/Subject", NULL);
    qpdf_set_info_key(pdf, "/CreationDate", "D:20261127235959Z");
    qpdf_init_write(pdf, path);
    qpdf_set_object_stream_mode(pdf, qpdf_o_generate);
    ck_assert_int_eq(qpdf_write(pdf), QPDF_SUCCESS);
    qpdf_cleanup(&pdf);
    memory_release(bytes);
}

START_TEST(a_pdf_of_compressed_objects_contains_its_words_and_no_date)
    {
        static char title[] = "a title \xce\xb4", subject[] = "a subject";
        const struct chart_words words = { title, subject, CHART_COLUMN };
        struct error error = { 0 };
        ck_assert_int_eq(draw("a", 1 << CHART_PDF, false, "x", &figure, NULL),
                         STATUS_OK);
        compress_pdf("a.pdf");
        ck_assert(!has("a.pdf", "trailer"));
        ck_assert_int_eq(system("pdfinfo a.pdf | grep -q CreationDate"), 0);
        ck_assert_msg(chart_picture_check("a.pdf", CHART_PDF, &words, &error) ==
                          STATUS_OK,
                      "%s", error.message);
        check_pdf("a.pdf", title, subject);
    }
END_TEST

#endif

START_TEST(a_caption_is_drawn_as_requested_and_always_in_the_metadata)
    {
        caption = (enum chart_caption)_i;
        ck_assert_int_eq(draw("a", ALL, false, "a <note>", &figure, NULL),
                         STATUS_OK);
        char *svg = text_of("a.svg", NULL);
        const char *drawing = drawing_of(svg);
        /* in each panel as its axis and as names, and in the caption */
        ck_assert_uint_eq(count_of(drawing, "a &lt;note"),
                          _i < CHART_NONE ? 5 : 4);
        ck_assert_uint_eq(count_of(drawing, "made &amp; drawn"),
                          _i == CHART_FULL ? 1 : 0);
        ck_assert_ptr_nonnull(
            strstr(svg, "<desc>a &lt;note&gt;; made &amp; drawn by a test, "
                        "\xce\xb4</desc>"));
        ck_assert_ptr_nonnull(strstr(svg, "<title>two panels<"));
        ck_assert_ptr_nonnull(strstr(svg, " width=\"85mm\" height=\""));
        memory_release(svg);
        ck_assert(has("a.png", "a <note>; made & drawn by a test, \xce\xb4"));
        ck_assert(has("a.tex", "\n%% a <note>; made & drawn by a test, "));
        check_pdf("a.pdf", "two panels",
                  "a <note>; made & drawn by a test, \xce\xb4");
        ck_assert_int_eq(system("python3 -c 'import xml.dom.minidom as m; "
                                "m.parse(\"a.svg\")'"),
                         0);
    }
END_TEST

START_TEST(a_font_is_a_name_and_nothing_else)
    {
        struct error error;
        ck_assert_int_eq(chart_font_check("DejaVu Serif", NULL), STATUS_OK);
        ck_assert_int_eq(chart_font_check("Serif", NULL), STATUS_OK);
        static const char *const bad[] = {
            "", "a'b", "a\"b", "a,9", "a\nb", "{", "`x`", "No Such Font"
        };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_int_eq(chart_font_check(bad[i], &error), STATUS_INPUT);
        font = "DejaVu Serif";
        ck_assert_int_eq(draw("a", 1 << CHART_SVG | 1 << CHART_PDF, false, "x",
                              &figure, NULL),
                         STATUS_OK);
        font = NULL;
        ck_assert(has("a.svg", "font-family=\"DejaVu Serif\""));
        ck_assert(!has("a.svg", "font-family=\"Sans\""));
        ck_assert(has("a.gp", "\nfont = 'DejaVu Serif'\n"));
        ck_assert(has("a.pdf", "DejaVuSerif"));
    }
END_TEST

/* The smallest number after `name` in the text. */
static double least_of(const char *text, const char *name)
{
    double least = INFINITY;
    for (const char *at = text; (at = strstr(at, name));)
        least = fmin(least, strtod(at += strlen(name), NULL));
    return least;
}

START_TEST(letters_are_as_large_in_a_column_as_on_a_page)
    {
        double size[2], wide[2];
        for (int i = 0; i < 2; i++) {
            width = widths[i];
            ck_assert_int_eq(
                draw("a", 1 << CHART_SVG, true, "x", &figure, NULL), STATUS_OK);
            char *svg = text_of("a.svg", NULL);
            size[i] = least_of(svg, "font-size=\"");
            wide[i] = least_of(svg, "viewBox=\"0 0 ");
            memory_release(svg);
        }
        /* Pixels of 1/96 inch; 6.2 points of 1/72 are 8.27 of them. */
        ck_assert_double_eq_tol(size[0], 8.27, .05);
        ck_assert_double_eq_tol(size[1], 8.27, .05);
        ck_assert_double_eq_tol(wide[0], 8.5 / 2.54 * 96, 1);
        ck_assert_double_eq_tol(wide[1], 17 / 2.54 * 96, 1);
    }
END_TEST

/* The text between > and < is one line. */
static size_t longest_line(const char *svg)
{
    size_t longest = 0;
    for (const char *at = drawing_of(svg); (at = strchr(at, '>')); at++) {
        size_t length = strcspn(at, "<");
        longest = length - 1 > longest ? length - 1 : longest;
    }
    return longest;
}

START_TEST(a_text_longer_than_the_page_is_broken_into_lines)
    {
        char text[300];
        for (size_t i = 0; i < sizeof text - 1; i++)
            text[i] = i % 9 == 8 ? ' ' : 'a';
        text[sizeof text - 1] = '\0';
        for (int unbroken = 0; unbroken < 2; unbroken++) {
            for (int i = 0; unbroken && i < 299; i++)
                text[i] = 'n';
            ck_assert_int_eq(
                draw("a", 1 << CHART_SVG, true, text, &figure, NULL),
                STATUS_OK);
            char *svg = text_of("a.svg", NULL);
            /* No letter is narrower than half its height. */
            double most = 8.5 / 2.54 * 72 / (6.2 * .5);
            ck_assert_uint_ge(longest_line(svg), 20);
            ck_assert_uint_le(longest_line(svg), (size_t)most);
            memory_release(svg);
        }
    }
END_TEST

START_TEST(the_script_runs_by_itself_and_draws_the_same)
    {
        ck_assert_int_eq(draw("a", 1 << CHART_SVG, false, "x", &figure, NULL),
                         STATUS_OK);
        char *first = text_of("a.svg", NULL);
        ck_assert_int_eq(system("gnuplot -c a.gp svg b.svg && gnuplot a.gp"),
                         0);
        char *second = text_of("b.svg", NULL);
        ck_assert_str_eq(drawing_of(first), drawing_of(second));
        ck_assert_int_eq(chart_picture_check("a.pdf", CHART_PDF, NULL, NULL),
                         STATUS_OK);
        memory_release(first);
        memory_release(second);
    }
END_TEST

START_TEST(the_same_chart_has_the_same_bytes_on_another_day)
    {
        width = widths[_i];
        ck_assert_int_eq(draw("a", ALL, false, "x", &figure, NULL), STATUS_OK);
        sleep(1); /* gnuplot's dates count seconds */
        ck_assert_int_eq(setenv("TZ", "Asia/Tokyo", 1), 0);
        ck_assert_int_eq(setenv("LC_ALL", "C.UTF-8", 1), 0);
        ck_assert_int_eq(draw("b", ALL, false, "x", &figure, NULL), STATUS_OK);
        for (int i = 0; i < CHART_FORMATS; i++) {
            char command[64];
            snprintf(command, sizeof command, "cmp a.%1$s b.%1$s",
                     chart_format_names[i]);
            ck_assert_msg(system(command) == 0, "%s", command);
        }
    }
END_TEST

static const char *const hostile[] = {
    "`touch hack`",
    "$(touch hack)",
    "'; system('touch hack'); '",
    "\"; system(\"touch hack\"); \"",
    "a\"\nsystem \"touch hack\"\n",
    "x\n\n\n# line: y\n0 1 2",
    "@a ARG1 \\immediate\\write18{touch hack} \\input{/etc/passwd}",
    "{/Times=99 big}_x^2 % # & ~ <b>&amp;</b>",
    "\x01\x1b[31m \xff\xfe \xc0\x80 \xed\xa0\x80 \xc2\x9b caf\xc3\xa9 \xce\xb4",
    "| touch hack",
    "< touch hack",
    "",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

/* A user's text occurs only in the lines of options. */
static void check_texts(const char *script)
{
    for (const char *at = script; (at = strstr(at, "hack")); at++) {
        const char *line = at;
        while (line[-1] != '\n')
            line--;
        ck_assert(strncmp(line, "label = '", 9) == 0 ||
                  strncmp(line, "caption = '", 11) == 0);
        ck_assert(strchr(line + 11, '\'')[1] == '\n');
    }
}

START_TEST(a_hostile_text_executes_nothing)
    {
        struct error error = { 0 };
        ck_assert_msg(draw("a", ALL, false, hostile[_i], &figure, &error) ==
                          STATUS_OK,
                      "%s", error.message);
        ck_assert_int_eq(access("hack", F_OK), -1);
        ck_assert_int_eq(files_here(), 2 + CHART_FORMATS);
        char *script = text_of("a.gp", NULL), *tex = text_of("a.tex", NULL);
        check_texts(script);
        ck_assert_ptr_null(strstr(tex, "\\immediate"));
        ck_assert_ptr_null(strstr(tex, "\\input"));
        memory_release(script);
        memory_release(tex);
        /* The picture is well-formed XML, whatever the text. */
        ck_assert_int_eq(system("python3 -c 'import sys, xml.dom.minidom as m; "
                                "m.parse(\"a.svg\")'"),
                         0);
    }
END_TEST

/* Numbers as a reader expects them, and letters of the sizes that head.gp
 * states, in pixels of 1/96 inch. */
START_TEST(numbers_have_a_minus_commas_and_powers_of_ten)
    {
        static const char *const shown[] = {
            ">\u22121,000<",
            ">2,000<",
            ">\u22120.5<",
            ">0<",
            ">0.5<",
            ">1<",
            ">10\u207b\u00b3<",
            ">10\u207b\u00b9<",
            ">100<",
            ">300<",
            ">1,000<",
            ">3,000<",
            ">wave<",
            ">dstar-lite<",
            "font-weight=\"bold\" font-size=\"10.67\"",
            "font-size=\"9.33\"",
            "font-size=\"8.67\"",
            "font-size=\"8.27\"",
        };
        width = CHART_COLUMN;
        ck_assert_int_eq(
            draw("a", 1 << CHART_SVG, false, "dstar-lite", &figure, NULL),
            STATUS_OK);
        for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
            ck_assert_msg(has("a.svg", shown[i]), "%s", shown[i]);
        ck_assert(has("a.svg", ">a<"));
        ck_assert(has("a.svg", ">b<"));
        ck_assert_int_ne(system("grep 'translate(-\\|translate([0-9.]*,-' "
                                "a.svg"),
                         0); /* none outside */
    }
END_TEST

static const char *const hostile_names[] = {
    "`touch hack`",  "$(touch hack)", "a'b",    "a\"b",        "a\nb",
    "| touch hack",  "<touch hack",   "-",      "-e exit",     "~root",
    "x y %d %s \\n", "a;b",           "p{q}^_", "caf\xc3\xa9",
};
enum { HOSTILE_NAMES = sizeof hostile_names / sizeof *hostile_names };

START_TEST(a_hostile_name_executes_nothing)
    {
        struct error error = { 0 };
        ck_assert_msg(draw(hostile_names[_i], 1 << CHART_SVG, false, "x",
                           &figure, &error) == STATUS_OK,
                      "%s", error.message);
        ck_assert_int_eq(access("hack", F_OK), -1);
        ck_assert_int_eq(files_here(), 3);
    }
END_TEST

START_TEST(without_gnuplot_no_file_is_left)
    {
        struct error error = { 0 };
        ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
        ck_assert_int_eq(draw("a", ALL, false, "x", &figure, &error),
                         STATUS_FAILED);
        ck_assert_ptr_nonnull(strstr(error.message, "gnuplot"));
        ck_assert_int_eq(setenv("PATH", "/usr/bin:/bin", 1), 0);
        ck_assert_int_eq(files_here(), 0);
        ck_assert_int_eq(draw("a", 0, false, "x", &figure, NULL), STATUS_OK);
        ck_assert_int_eq(files_here(), 2);
    }
END_TEST

/* A replacement of gnuplot, first in PATH. */
static void put_gnuplot(const char *commands)
{
    mkdir("bin", 0777);
    FILE *file = fopen("bin/gnuplot", "w");
    fprintf(file, "#!/bin/sh\n%s\n", commands);
    fclose(file);
    ck_assert_int_eq(chmod("bin/gnuplot", 0755), 0);
    char path[128];
    snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder);
    ck_assert_int_eq(setenv("PATH", path, 1), 0);
}

/* Failures of gnuplot, and the expected messages. */
static const struct {
    const char *commands, *said;
    enum chart_format format;
} bad_gnuplots[] = {
    { "echo 'line 7: out of ink' >&2; exit 1", "out of ink", CHART_PDF },
    { "exit 3", "no message", CHART_PDF },
    { "kill -9 $$", "Killed", CHART_PDF },
    { "exit 0", "not whole", CHART_PDF },
    { "exit 0", "not whole", CHART_SVG },
    { "exit 0", "not whole", CHART_PNG },
    { "exit 0", "not whole", CHART_TEX },
    { "printf '%%PDF-1.5\\nstream\\nxx\\nendstream\\n%%%%EOF' >\"$5\"",
      "not whole", CHART_PDF },
    { "echo '<?xml?><svg></svg>' >\"$5\"", "blank", CHART_SVG },
    { "printf '\\\\begin{tikzpicture}\\n\\\\end{tikzpicture}\\n' >\"$5\"",
      "blank", CHART_TEX },
    { "printf '\\\\begin{tikzpicture}\\n' >\"$5\"", "not whole", CHART_TEX },
};
enum { BAD_GNUPLOTS = sizeof bad_gnuplots / sizeof *bad_gnuplots };

START_TEST(a_failing_gnuplot_is_reported_and_leaves_no_file)
    {
        struct error error = { 0 };
        put_gnuplot(bad_gnuplots[_i].commands);
        ck_assert_int_eq(draw("a", 1U << bad_gnuplots[_i].format, false, "x",
                              &figure, &error),
                         STATUS_FAILED);
        ck_assert_msg(strstr(error.message, bad_gnuplots[_i].said) != NULL,
                      "%s", error.message);
        ck_assert_int_eq(files_here(), 1); /* bin */
    }
END_TEST

/* Gnuplots that cannot draw, and the expected messages. */
static const struct {
    const char *commands, *said;
} unable_gnuplots[] = {
    { "echo ' dumb svg pngcairo tikz ' >&2", "no terminal pdfcairo" },
    { "echo ' dumb pdfcairo svg pngcairo ' >&2", "no terminal tikz" },
    { "echo ' pdfcairo pngcairo tikz svga ' >&2", "no terminal svg" },
    { "exit 0", "no terminal pdfcairo" },
    { "echo no licence >&2; exit 1", "gnuplot failed: no licence" },
};
enum { UNABLE_GNUPLOTS = sizeof unable_gnuplots / sizeof *unable_gnuplots };

START_TEST(what_gnuplot_lacks_is_named_before_it_draws)
    {
        struct error error = { 0 };
        struct chart chart;
        ck_assert_int_eq(chart_open(&chart, "a", ALL, false, NULL), STATUS_OK);
        ck_assert_int_eq(chart_gnuplot_check(&chart, NULL), STATUS_OK);
        put_gnuplot(unable_gnuplots[_i].commands);
        ck_assert_int_eq(chart_gnuplot_check(&chart, &error), STATUS_FAILED);
        ck_assert_msg(strstr(error.message, unable_gnuplots[_i].said) != NULL,
                      "%s", error.message);
        chart_release(&chart);
        ck_assert_int_eq(chart_open(&chart, "a", 0, false, NULL), STATUS_OK);
        ck_assert_int_eq(chart_gnuplot_check(&chart, NULL), STATUS_OK);
        chart_release(&chart);
        ck_assert_int_eq(files_here(), 1); /* bin */
    }
END_TEST

START_TEST(a_page_without_anything_is_blank)
    {
        static const unsigned char nothing[] =
            "\n\n# ---- size ----\npanels = 1\n\n\n# ---- panels ----\n"
            "unset border; unset tics; plot [0:1] [0:1] NaN\n";
        static const struct chart_figure empty = { .commands = nothing,
                                                   .title = "nothing" };
        caption = CHART_NONE;
        for (int i = 0; i < CHART_FORMATS; i++) {
            struct error error = { 0 };
            ck_assert_int_eq(draw("a", 1U << i, true, "x", &empty, &error),
                             STATUS_FAILED);
            ck_assert_msg(strstr(error.message, "blank") != NULL, "%s: %s",
                          chart_format_names[i], error.message);
        }
        ck_assert_int_eq(files_here(), 0);
    }
END_TEST

START_TEST(half_a_picture_is_not_accepted)
    {
        ck_assert_int_eq(draw("a", ALL, false, "x", &figure, NULL), STATUS_OK);
        for (int i = 0; i < CHART_FORMATS; i++) {
            char path[16];
            struct stat size;
            struct error error;
            snprintf(path, sizeof path, "a.%s", chart_format_names[i]);
            ck_assert_int_eq(stat(path, &size), 0);
            ck_assert_int_eq(truncate(path, size.st_size * 2 / 3), 0);
            ck_assert_int_eq(
                chart_picture_check(path, (enum chart_format)i, NULL, &error),
                STATUS_FAILED);
            ck_assert_msg(strstr(error.message, "not whole") != NULL, "%s",
                          error.message);
        }
    }
END_TEST

START_TEST(existing_files_are_replaced_only_with_force)
    {
        struct error error = { 0 };
        fclose(fopen("a.svg", "w"));
        ck_assert_int_eq(draw("a", 1 << CHART_SVG, false, "x", &figure, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "a.svg"));
        ck_assert_int_eq(files_here(), 1);
        ck_assert_int_eq(draw("a", 1 << CHART_SVG, true, "x", &figure, NULL),
                         STATUS_OK);
        ck_assert_int_eq(files_here(), 3);
    }
END_TEST

START_TEST(an_impossible_file_name_is_rejected)
    {
        struct error error = { 0 };
        ck_assert_int_eq(draw("", ALL, false, "x", &figure, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(draw("a/", ALL, false, "x", &figure, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(draw("no/a", ALL, false, "x", &figure, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(files_here(), 0);
    }
END_TEST

START_TEST(a_cell_of_csv_is_quoted_and_no_formula)
    {
        static const char *const cases[][2] = {
            { "plain", "plain" },
            { "", "" },
            { "a,b", "\"a,b\"" },
            { "a\"b", "\"a\"\"b\"" },
            { "a\nb", "\"a\nb\"" },
            { "-0.5", "-0.5" },
            { "+1e-3", "+1e-3" },
            { "-", "-" },
            { "=1+1", "'=1+1" },
            { "@SUM(a)", "'@SUM(a)" },
            { "-a", "'-a" },
            { "+1+1", "'+1+1" },
            { "=a,\"b\"", "\"'=a,\"\"b\"\"\"" },
            { "\t=1", "'\t=1" },
            { "a=b", "a=b" },
            { "-inf", "-inf" },
            { "a\tb\r\n", "\"a\tb\r\n\"" },
            { "a\x1b[31m\x07", "a\\x1b[31m\\x07" },
            { "\xe6\xb3\xa2", "\xe6\xb3\xa2" },
            { "\xe6\xb3", "\\xe6\\xb3" },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char *cell = NULL;
            size_t bytes;
            FILE *file = open_memstream(&cell, &bytes);
            csv_text(file, cases[i][0]);
            fclose(file);
            ck_assert_str_eq(cell, cases[i][1]);
            free(cell);
        }
    }
END_TEST

START_TEST(a_width_is_a_name_or_centimetres)
    {
        double got = 0;
        struct error error;
        ck_assert_int_eq(chart_width_parse("column", &got, NULL), STATUS_OK);
        ck_assert_double_eq(got, 8.5);
        ck_assert_int_eq(chart_width_parse("page", &got, NULL), STATUS_OK);
        ck_assert_double_eq(got, 17);
        ck_assert_int_eq(chart_width_parse("12.25", &got, NULL), STATUS_OK);
        ck_assert_double_eq(got, 12.25);
        static const char *const bad[] = { "",    "col",   "5.9", "60.1",
                                           "-8",  "8.5 ",  "8cm", "nan",
                                           "inf", "page ", "1e99" };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            ck_assert_int_eq(chart_width_parse(bad[i], &got, &error),
                             STATUS_INPUT);
            ck_assert_ptr_nonnull(strstr(error.message, "column (8.5 cm)"));
        }
    }
END_TEST

START_TEST(panels_are_chosen_by_letters_and_names)
    {
        struct chart_figure chosen = figure;
        struct error error;
        ck_assert_int_eq(chart_panels_choose("c,polar,c", &chosen, NULL),
                         STATUS_OK);
        ck_assert_uint_eq(chosen.count, 2);
        ck_assert_str_eq(chosen.panels[0].name, "polar");
        ck_assert_str_eq(chosen.panels[1].name, "line");
        static const char *const bad[] = { "",    "d",   "a,d", "a,", ",a",
                                           "a b", "abc", "A",   "1",  "pol" };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            struct chart_figure whole = figure;
            ck_assert_int_eq(chart_panels_choose(bad[i], &whole, &error),
                             STATUS_INPUT);
            ck_assert_uint_eq(whole.count, 3);
            ck_assert_ptr_nonnull(
                strstr(error.message, "a (polar), b (shape), c (line)"));
        }
    }
END_TEST

START_TEST(formats_are_read_from_a_list)
    {
        unsigned formats;
        struct error error;
        ck_assert_int_eq(chart_formats_parse("svg,pdf", &formats, NULL),
                         STATUS_OK);
        ck_assert_uint_eq(formats, 1U << CHART_SVG | 1U << CHART_PDF);
        ck_assert_int_eq(chart_formats_parse("tex", &formats, NULL), STATUS_OK);
        ck_assert_uint_eq(formats, 1U << CHART_TEX);
        static const char *const bad[] = { "",     "pd",      "pdf,",
                                           ",pdf", "pdf svg", "pdff" };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_int_eq(chart_formats_parse(bad[i], &formats, &error),
                             STATUS_INPUT);
    }
END_TEST

static Suite *chart_suite(void)
{
    Suite *suite = suite_create("chart");
    TCase *drawn = tcase_create("drawn");
    tcase_add_checked_fixture(drawn, enter_folder, leave_folder);
    tcase_add_loop_test(drawn, all_formats_are_drawn_at_every_width, 0, WIDTHS);
    tcase_add_test(drawn, a_png_contains_its_size);
    tcase_add_loop_test(
        drawn, a_caption_is_drawn_as_requested_and_always_in_the_metadata, 0,
        CHART_NONE + 1);
#ifdef HAMON_QPDF
    tcase_add_test(drawn,
                   a_pdf_of_compressed_objects_contains_its_words_and_no_date);
#endif
    tcase_add_test(drawn, a_font_is_a_name_and_nothing_else);
    tcase_add_test(drawn, the_script_takes_another_width);
    tcase_add_test(drawn, letters_are_as_large_in_a_column_as_on_a_page);
    tcase_add_test(drawn, a_text_longer_than_the_page_is_broken_into_lines);
    tcase_add_test(drawn, the_script_runs_by_itself_and_draws_the_same);
    tcase_add_loop_test(drawn, the_same_chart_has_the_same_bytes_on_another_day,
                        0, 2);
    tcase_add_loop_test(drawn, a_hostile_text_executes_nothing, 0, HOSTILE);
    tcase_add_test(drawn, numbers_have_a_minus_commas_and_powers_of_ten);
    tcase_add_loop_test(drawn, a_hostile_name_executes_nothing, 0,
                        HOSTILE_NAMES);
    tcase_add_loop_test(drawn, what_gnuplot_lacks_is_named_before_it_draws, 0,
                        UNABLE_GNUPLOTS);
    tcase_add_test(drawn, a_page_without_anything_is_blank);
    tcase_add_test(drawn, half_a_picture_is_not_accepted);
    tcase_add_test(drawn, existing_files_are_replaced_only_with_force);
    suite_add_tcase(suite, drawn);
    TCase *not_drawn = tcase_create("not drawn");
    tcase_add_checked_fixture(not_drawn, enter_folder, leave_folder);
    tcase_add_test(not_drawn, without_gnuplot_no_file_is_left);
    tcase_add_loop_test(not_drawn,
                        a_failing_gnuplot_is_reported_and_leaves_no_file, 0,
                        BAD_GNUPLOTS);
    tcase_add_test(not_drawn, an_impossible_file_name_is_rejected);
    tcase_add_test(not_drawn, a_width_is_a_name_or_centimetres);
    tcase_add_test(not_drawn, panels_are_chosen_by_letters_and_names);
    tcase_add_test(not_drawn, formats_are_read_from_a_list);
    tcase_add_test(not_drawn, a_cell_of_csv_is_quoted_and_no_formula);
    suite_add_tcase(suite, not_drawn);
    return suite;
}

int main(void)
{
    return suite_main(chart_suite());
}
