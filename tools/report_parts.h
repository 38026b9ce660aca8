/* SPDX-License-Identifier: MIT */
/* The files of tools/report/, which tools/report/embed.sh makes part of the
 * program; text, NUL behind. */
#ifndef HAMON_TOOLS_REPORT_PARTS_H
#define HAMON_TOOLS_REPORT_PARTS_H

extern const unsigned char report_page[], report_css[], report_js[];

/* "sha256-…": by which alone the page lets a style and a script count. */
extern const char report_css_hash[], report_js_hash[];

#endif
