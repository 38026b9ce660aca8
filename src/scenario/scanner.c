/* SPDX-License-Identifier: MIT */
#include "scenario/scanner.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 60 };

static bool among(char c, const char *set)
{
    return c && strchr(set, c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static struct token fault_of(struct token token, const char *fault)
{
    token.kind = TOKEN_FAULT;
    token.fault = fault;
    return token;
}

static char peek(const struct scanner *scanner, size_t ahead)
{
    return (size_t)(scanner->end - scanner->at) > ahead ? scanner->at[ahead]
                                                        : '\0';
}

/* Skips up to and with the comment's end; false where it has none. */
static bool skip_comment(struct scanner *scanner)
{
    for (scanner->at += 2; scanner->at < scanner->end; scanner->at++) {
        if (peek(scanner, 0) == '*' && peek(scanner, 1) == '/') {
            scanner->at += 2;
            return true;
        }
        scanner->line += *scanner->at == '\n';
    }
    return false;
}

/* Blanks and comments; false at a comment without an end. */
static bool skip_space(struct scanner *scanner)
{
    for (;;) {
        char c = peek(scanner, 0);
        if (c == '#' || (c == '/' && peek(scanner, 1) == '/')) {
            while (scanner->at < scanner->end && *scanner->at != '\n')
                scanner->at++;
        } else if (c == '/' && peek(scanner, 1) == '*') {
            if (!skip_comment(scanner))
                return false;
        } else if (among(c, " \t\n\r\f")) {
            scanner->line += c == '\n';
            scanner->at++;
        } else {
            return true;
        }
    }
}

/* The length of the escape that starts at the backslash; 0 for none. */
static size_t escape_length(const struct scanner *scanner)
{
    char c = peek(scanner, 1);
    if (among(c, "nrtf\\\""))
        return 2;
    if (!among(c, "xX") || !is_hex(peek(scanner, 2)) ||
        !is_hex(peek(scanner, 3)))
        return 0;
    return peek(scanner, 2) == '0' && peek(scanner, 3) == '0' ? 0 : 4;
}

static struct token scan_text(struct scanner *scanner, struct token token)
{
    token.kind = TOKEN_TEXT;
    for (scanner->at++; scanner->at < scanner->end; scanner->at++) {
        if (*scanner->at == '"') {
            scanner->at++;
            token.length = (size_t)(scanner->at - token.at);
            return token;
        }
        scanner->line += *scanner->at == '\n';
        if (*scanner->at == '\\') {
            size_t length = escape_length(scanner);
            if (length == 0) {
                token.line = scanner->line;
                return fault_of(token,
                                "an unknown escape in a text; \\n \\r \\t \\f "
                                "\\\\ \\\" and \\x01 to \\xff are allowed");
            }
            scanner->at += length - 1;
        }
    }
    return fault_of(token, "a text without its closing quote");
}

/* Digits, and at least one: the first character behind them, or NULL. */
static const char *digits(const char *at)
{
    const char *end = at;
    while (is_digit(*end))
        end++;
    return end > at ? end : NULL;
}

/* Is it [+-] digits [. digits] [e [+-] digits], a digit before or behind the
 * point, and with a point or an exponent? libconfig takes a lone point for 0.
 */
static bool is_real(const char *at)
{
    at += among(*at, "+-");
    const char *whole = digits(at);
    bool marked = false;
    at = whole ? whole : at;
    if (*at == '.') {
        const char *part = digits(++at);
        if (!whole && !part)
            return false;
        at = part ? part : at;
        marked = true;
    } else if (!whole) {
        return false;
    }
    if (among(*at, "eE")) {
        at++;
        at += among(*at, "+-");
        at = digits(at);
        marked = true;
    }
    return marked && at && !*at;
}

static struct token read_real(const char *text, struct token token)
{
    double value = strtod(text, NULL);
    if (!isfinite(value))
        return fault_of(token, "a number too large for a double; up to "
                               "1.7976931348623157e308 is allowed");
    if (fpclassify(value) == FP_SUBNORMAL ||
        (value == 0 && text[strcspn(text, "123456789eE")] >= '1' &&
         text[strcspn(text, "123456789eE")] <= '9'))
        return fault_of(token, "a number too small for a double; 0, or from "
                               "2.2250738585072014e-308 on is allowed");
    token.kind = TOKEN_REAL;
    return token;
}

static struct token read_whole(char *text, struct token token)
{
    size_t length = strlen(text);
    bool wide = false;
    for (int i = 0; i < 2 && length > 1 && text[length - 1] == 'L'; i++) {
        text[--length] = '\0';
        wide = true;
    }
    bool hex = text[0] == '0' && among(text[1], "xX");
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, hex ? 16 : 10);
    if (*end || end == text || (hex && end == text + 1))
        return fault_of(token, "not a number; texts need quotes");
    if (errno == ERANGE)
        return fault_of(token,
                        "a whole number that does not fit 64 bits; up to "
                        "9223372036854775807L is allowed");
    if (!wide && (value > INT32_MAX || value < INT32_MIN))
        return fault_of(token, "a whole number that does not fit 32 bits; "
                               "write it with an L behind it");
    token.kind = wide ? TOKEN_INT64 : TOKEN_INT;
    return token;
}

static struct token scan_number(struct scanner *scanner, struct token token)
{
    while (is_letter(peek(scanner, 0)) || is_digit(peek(scanner, 0)) ||
           among(peek(scanner, 0), "+-._"))
        scanner->at++;
    token.length = (size_t)(scanner->at - token.at);
    if (token.length > LONGEST_NUMBER)
        return fault_of(token, "a number of more than 60 characters");
    char text[LONGEST_NUMBER + 1];
    memcpy(text, token.at, token.length);
    text[token.length] = '\0';
    return is_real(text) ? read_real(text, token) : read_whole(text, token);
}

static bool is_word(const struct token *token, const char *word)
{
    return token->length == strlen(word) &&
           strncasecmp(token->at, word, token->length) == 0;
}

static struct token scan_name(struct scanner *scanner, struct token token)
{
    while (is_letter(peek(scanner, 0)) || is_digit(peek(scanner, 0)) ||
           among(peek(scanner, 0), "-_"))
        scanner->at++;
    token.length = (size_t)(scanner->at - token.at);
    bool truth = is_word(&token, "true") || is_word(&token, "false");
    token.kind = truth ? TOKEN_BOOL : TOKEN_NAME;
    return token;
}

struct token scanner_next(struct scanner *scanner)
{
    int line = scanner->line;
    const char *from = scanner->at;
    if (!skip_space(scanner))
        return (struct token){ .kind = TOKEN_FAULT,
                               .at = from,
                               .line = line,
                               .fault = "a comment from here on without its "
                                        "closing */" };
    struct token token = { .at = scanner->at, .line = scanner->line };
    char c = peek(scanner, 0);
    if (scanner->at >= scanner->end)
        return token;
    token.length = 1;
    if (c == '"')
        return scan_text(scanner, token);
    if (is_digit(c) || among(c, "+-."))
        return scan_number(scanner, token);
    if (is_letter(c))
        return scan_name(scanner, token);
    if (c == '@')
        return fault_of(token, "@include is not allowed: a scenario is one "
                               "file");
    if (!among(c, "=:;,{}()[]"))
        return fault_of(token, "a character that has no meaning here; comments "
                               "start with # or //");
    scanner->at++;
    token.kind = TOKEN_MARK;
    return token;
}
