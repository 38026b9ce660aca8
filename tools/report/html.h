/* SPDX-License-Identifier: MIT */
/* HTML from the parts of a template. The content of a slot is text, and is
 * escaped; only output of this program's own functions is not escaped. */
#ifndef HAMON_TOOLS_REPORT_HTML_H
#define HAMON_TOOLS_REPORT_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A slot {{name}}: a text, or the output of `write`; empty if both are NULL.
 * {{_("words")}} is a text of the catalogue. */
struct html_slot {
    const char *name, *text;
    void (*write)(FILE *out, const void *of);
    const void *of;
};

/* Writes the part between `<!-- part NAME -->` and the next with its slots, an
 * array that ends with { 0 }. A slot that is not given is empty. */
void html_part(FILE *out, const char *page, const char *part,
               const struct html_slot *slots);

/* The text with the special characters of HTML escaped, for elements and quoted
 * attributes; invalid UTF-8 and control characters become U+FFFD. */
void html_text(FILE *out, const char *text);

/* A path as the address of a link: bytes other than letters, digits and -._~/
 * as %XX. */
void html_address(const char *path, char *address, size_t size);

/* Base64 of the bytes, from need_memory. */
char *html_base64(const uint8_t *bytes, size_t count);

#endif
