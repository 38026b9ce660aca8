/* SPDX-License-Identifier: MIT */
#include "scenario/parse.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 256, SHOWN = 40, LONGEST_NUMBER = 60 };

/* ---- the tokens of a text, one by one, with their lines ---- */

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_VALUE, /* a scalar; a text with its quotes */
    TOKEN_MARK,  /* one of = : ; , { } ( ) [ ] */
    TOKEN_FAULT  /* see fault */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t length;
    int line;
    struct value value;
    const char *fault; /* what is wrong with it, and what is allowed */
};

struct scanner {
    const char *at, *end;
    int line; /* 1 at the start */
};

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

/* Skips a comment including its end; false if it has none. */
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
    token.kind = TOKEN_VALUE;
    token.value.type = VALUE_TEXT;
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

/* Digits, at least one: the first character after them, or NULL. */
static const char *digits(const char *at)
{
    const char *end = at;
    while (is_digit(*end))
        end++;
    return end > at ? end : NULL;
}

/* Is it [+-] digits [. digits] [e [+-] digits], a digit before or after the
 * point, and with a point or an exponent? libconfig takes a single point for
 * 0. */
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
    token.kind = TOKEN_VALUE;
    token.value = (struct value){ .type = VALUE_REAL, .real = value };
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
        return fault_of(token, "not a number; a text, such as a row of a map, "
                               "needs quotes");
    if (errno == ERANGE)
        return fault_of(token,
                        "a whole number that does not fit 64 bits; up to "
                        "9223372036854775807L is allowed");
    if (!wide && (value > INT32_MAX || value < INT32_MIN))
        return fault_of(token, "a whole number that does not fit 32 bits; "
                               "write it with an L after it");
    token.kind = TOKEN_VALUE;
    token.value = (struct value){ .type = VALUE_WHOLE, .whole = value };
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
    bool truth = is_word(&token, "true");
    token.kind = truth || is_word(&token, "false") ? TOKEN_VALUE : TOKEN_NAME;
    token.value = (struct value){ .type = VALUE_SWITCH, .whole = truth };
    return token;
}

static struct token scanner_next(struct scanner *scanner)
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
    if (c == '@' && scanner->end - scanner->at >= 8 &&
        memcmp(scanner->at, "@include", 8) == 0)
        return fault_of(token,
                        "@include is not allowed: a scenario is one file");
    if (c == '@')
        return fault_of(token, "the opening quote of a text, such as a row of "
                               "a map, is missing here");
    if (!among(c, "=:;,{}()[]"))
        return fault_of(token, "a character that has no meaning here; comments "
                               "start with # or //");
    scanner->at++;
    token.kind = TOKEN_MARK;
    return token;
}

/* ---- the grammar ---- */

struct parser {
    struct scanner scanner;
    struct token token; /* the one not yet taken */
    const char *head;   /* the file, or the override */
    const struct key *table;
    bool has_lines;
    char path[PATH_SIZE];
    int depth, settings;
    struct error *error;
};

static enum status fault(const struct parser *parser, int line,
                         const char *what)
{
    return error_at(parser->error, STATUS_INPUT, parser->head,
                    parser->has_lines ? line : 0, "%s%s%s", parser->path,
                    *parser->path ? ": " : "", what);
}

/* An error that shows the word concerned. */
static enum status fault_token(const struct parser *parser, const char *what)
{
    const struct token *token = &parser->token;
    char text[256];
    if (token->kind == TOKEN_END)
        snprintf(text, sizeof text, "the text ends: %s", what);
    else
        snprintf(text, sizeof text, "%.*s%s: %s",
                 (int)(token->length < SHOWN ? token->length : SHOWN),
                 token->at, token->length > SHOWN ? "..." : "", what);
    return fault(parser, token->line, text);
}

static enum status take(struct parser *parser)
{
    parser->token = scanner_next(&parser->scanner);
    if (parser->token.kind == TOKEN_FAULT)
        return fault_token(parser, parser->token.fault);
    return STATUS_OK;
}

static bool at_value(const struct parser *parser, enum value_type type)
{
    return parser->token.kind == TOKEN_VALUE &&
           parser->token.value.type == type;
}

static bool at_mark(const struct parser *parser, const char *marks)
{
    return parser->token.kind == TOKEN_MARK && strchr(marks, *parser->token.at);
}

/* Appends to the path; its result is the argument of leave. */
static size_t enter(struct parser *parser, const char *name)
{
    size_t length = strlen(parser->path);
    snprintf(parser->path + length, PATH_SIZE - length, "%s%s",
             length ? "." : "", name);
    return length;
}

static void leave(struct parser *parser, size_t length)
{
    parser->path[length] = '\0';
}

static enum status fault_unwanted(const struct parser *parser,
                                  const struct key *key)
{
    char wanted[200], text[256];
    key_describe(key, wanted, sizeof wanted);
    snprintf(text, sizeof text, "a group here; %s is allowed", wanted);
    return fault(parser, parser->token.line, text);
}

static enum status fault_unknown(struct parser *parser, const struct key *group,
                                 const char *name)
{
    const struct key *nearest = key_nearest(parser->table, group, name);
    char text[200];
    snprintf(text, sizeof text, "unknown key; the nearest known one is %s%s",
             nearest->path,
             parser->table == keys ? " (hamon-record --keys lists all)" : "");
    enter(parser, name);
    return fault(parser, parser->token.line, text);
}

/* A setting of this type in `parent`, from a word in `line`; NULL and *status
 * if there is none. */
static struct setting *add(struct parser *parser, struct setting *parent,
                           const char *name, enum value_type type, int line,
                           enum status *status)
{
    if (++parser->settings > SCENARIO_SETTINGS_LIMIT) {
        *status =
            fault(parser, line,
                  "a scenario of more than 250000 settings and values: use "
                  "map.file for more cells, and count for more agents");
        return NULL;
    }
    struct setting *made = setting_add(parent, name, type, line);
    *status = made ? STATUS_OK : error_memory(parser->error);
    return made;
}

/* Writes the text that quotes enclose, without escapes; returns the bytes
 * written. */
static size_t unescape(const struct token *token, char *text)
{
    static const char escapes[] = "n\nr\rt\tf\f";
    const char *end = token->at + token->length - 1;
    char *to = text;
    for (const char *at = token->at + 1; at < end; at++) {
        if (*at != '\\') {
            *to++ = *at;
        } else if (among(*++at, "xX")) {
            const char digits[] = { at[1], at[2], '\0' };
            *to++ = (char)strtol(digits, NULL, 16);
            at += 2;
        } else {
            const char *escape = strchr(escapes, *at);
            *to++ = escape ? escape[1] : *at;
        }
    }
    return (size_t)(to - text);
}

/* Adjacent texts are joined. */
static enum status take_text(struct parser *parser, struct setting *setting)
{
    size_t used = 0;
    enum status status = STATUS_OK;
    while (!status && at_value(parser, VALUE_TEXT)) {
        size_t size = used + parser->token.length;
        char *grown = memory_grow(setting->text, used, size, 1);
        if (!grown)
            return error_memory(parser->error);
        setting->value.text = setting->text = grown;
        used += unescape(&parser->token, grown + used);
        grown[used] = '\0';
        status = take(parser);
    }
    return status;
}

/* A number, truth or text. */
static enum status take_scalar(struct parser *parser, struct setting *parent,
                               const char *name, int line)
{
    const struct value value = parser->token.value;
    enum status status;
    struct setting *setting =
        add(parser, parent, name, value.type, line, &status);
    if (!setting)
        return status;
    if (value.type == VALUE_TEXT)
        return take_text(parser, setting);
    setting->value = value;
    return take(parser);
}

/* After a value of an array or list: a comma and another value, or `end`. */
static enum status take_comma(struct parser *parser, const char *end,
                              const char *missing)
{
    if (at_mark(parser, end))
        return STATUS_OK;
    if (!at_mark(parser, ","))
        return fault_token(parser, missing);
    enum status status = take(parser);
    if (!status && at_mark(parser, end))
        return fault_token(parser, "no value after the last comma");
    return status;
}

static bool is_number(const struct value *value)
{
    return value->type == VALUE_REAL || value->type == VALUE_WHOLE;
}

/* [ scalars of one type ]; whole and real numbers are of one type. */
static enum status take_array(struct parser *parser, struct setting *array)
{
    enum status status = take(parser);
    struct value first = parser->token.value;
    while (!status && !at_mark(parser, "]")) {
        const struct value *next = &parser->token.value;
        if (parser->token.kind != TOKEN_VALUE)
            return fault_token(parser,
                               "in an array [ ... ] only numbers, texts in "
                               "quotes, true and false are allowed");
        if (next->type != first.type && !(is_number(next) && is_number(&first)))
            return fault_token(parser,
                               "an array [ ... ] of mixed types; write all in "
                               "the same form (1.0, 2.5) or a list ( ... )");
        status = take_scalar(parser, array, NULL, parser->token.line);
        if (!status)
            status =
                take_comma(parser, "]", "a , or the closing ] is missing here");
    }
    return status ? status : take(parser);
}

static enum status take_value(struct parser *parser, const struct key *key,
                              struct setting *parent, const char *name,
                              int line);

/* ( values ) */
static enum status take_list(struct parser *parser, const struct key *key,
                             struct setting *list)
{
    enum status status = take(parser);
    for (size_t i = 0; !status && !at_mark(parser, ")"); i++) {
        char index[32];
        snprintf(index, sizeof index, "[%zu]", i);
        size_t outer = enter(parser, index);
        status = take_value(parser, key, list, NULL, parser->token.line);
        leave(parser, outer);
        if (!status)
            status =
                take_comma(parser, ")", "a , or the closing ) is missing here");
    }
    return status ? status : take(parser);
}

/* name = value, and its separator. */
static enum status take_setting(struct parser *parser, const struct key *group,
                                struct setting *parent)
{
    char name[64];
    struct token token = parser->token;
    if (token.kind != TOKEN_NAME && !at_value(parser, VALUE_SWITCH))
        return fault_token(parser, "the name of a key is expected here");
    snprintf(name, sizeof name, "%.*s",
             (int)(token.length < sizeof name ? token.length : sizeof name - 1),
             token.at);
    const struct key *key =
        key_find(parser->table, group, token.at, token.length);
    if (!key)
        return fault_unknown(parser, group, name);
    size_t outer = enter(parser, name);
    const struct setting *first = setting_find(parent, name);
    if (first) {
        char text[96];
        snprintf(text, sizeof text,
                 "given twice; the first is in line %d, one is allowed",
                 first->line);
        return fault(parser, token.line, text);
    }
    enum status status = take(parser);
    if (!status && !at_mark(parser, "=:"))
        return fault_token(parser, "a = is expected after the key's name");
    if (!status)
        status = take(parser);
    if (!status)
        status = take_value(parser, key, parent, key_leaf(key), token.line);
    leave(parser, outer);
    if (!status && at_mark(parser, ";,"))
        status = take(parser);
    return status;
}

static enum status take_settings(struct parser *parser, const struct key *group,
                                 struct setting *setting)
{
    enum status status = STATUS_OK;
    while (!status && parser->token.kind != TOKEN_END && !at_mark(parser, "}"))
        status = take_setting(parser, group, setting);
    return status;
}

/* { settings } */
static enum status take_group(struct parser *parser, const struct key *key,
                              struct setting *group)
{
    int line = parser->token.line;
    enum status status = take(parser);
    if (!status)
        status = take_settings(parser, key, group);
    if (status)
        return status;
    if (parser->token.kind == TOKEN_END)
        return fault(parser, line, "a { without its closing }");
    return take(parser);
}

static enum status take_nested(struct parser *parser, const struct key *key,
                               struct setting *parent, const char *name,
                               int line)
{
    const enum key_type group = name ? KEY_GROUP : KEY_GROUPS;
    const bool list = at_mark(parser, "(");
    if (parser->depth >= SCENARIO_DEPTH_LIMIT)
        return fault(parser, parser->token.line,
                     "nested too deep; 8 levels of brackets are allowed");
    if (!list && key->type != group)
        return fault_unwanted(parser, key);
    enum status status;
    struct setting *setting = add(
        parser, parent, name, list ? VALUE_LIST : VALUE_GROUP, line, &status);
    parser->depth++;
    if (setting)
        status = list ? take_list(parser, key, setting)
                      : take_group(parser, key, setting);
    parser->depth--;
    return status;
}

/* The value of the key `name` of a group, or with NULL an item of a list. */
static enum status take_value(struct parser *parser, const struct key *key,
                              struct setting *parent, const char *name,
                              int line)
{
    if (at_mark(parser, "({"))
        return take_nested(parser, key, parent, name, line);
    if (at_mark(parser, "[")) {
        enum status status;
        struct setting *array =
            add(parser, parent, name, VALUE_LIST, line, &status);
        return array ? take_array(parser, array) : status;
    }
    if (parser->token.kind == TOKEN_NAME)
        return fault_token(parser, "a text needs quotes");
    if (parser->token.kind == TOKEN_MARK || parser->token.kind == TOKEN_END)
        return fault_token(parser, "a value is missing here");
    return take_scalar(parser, parent, name, line);
}

/* A text ends at a NUL: anything after it would be ignored silently. */
static enum status check_bytes(const struct parser *parser, const char *text,
                               size_t length)
{
    if (length > SCENARIO_BYTES_LIMIT)
        return fault(parser, 1, "too long; 16 MiB are allowed");
    const char *nul = memchr(text, '\0', length);
    if (!nul)
        return STATUS_OK;
    int line = 1;
    for (const char *at = text; at < nul; at++)
        line += *at == '\n';
    return fault(parser, line, "a NUL byte; only text is allowed");
}

enum status parse_text(const char *text, size_t length, const char *file,
                       const struct key *table, struct setting *root,
                       struct error *error)
{
    const char *start = text + utf8_mark(text, length);
    struct parser parser = { .scanner = { start, text + length, 1 },
                             .head = file,
                             .table = table,
                             .has_lines = true,
                             .error = error };
    enum status status = check_bytes(&parser, text, length);
    if (!status)
        status = take(&parser);
    if (!status)
        status = take_settings(&parser, NULL, root);
    if (!status && parser.token.kind != TOKEN_END)
        status = fault_token(&parser, "a closing bracket without its opening");
    return status;
}

enum status parse_value(const char *value, const struct key *key,
                        const char *head, struct setting *parent,
                        const char *name, struct error *error)
{
    struct parser parser = { .scanner = { value, value + strlen(value), 1 },
                             .head = head,
                             .table = keys,
                             .error = error };
    enum status status = check_bytes(&parser, value, strlen(value));
    if (!status)
        status = take(&parser);
    if (!status)
        status = take_value(&parser, key, parent, name, 0);
    if (status || parser.token.kind == TOKEN_END)
        return status;
    char allowed[256], text[320];
    key_describe(key, allowed, sizeof allowed);
    snprintf(text, sizeof text, "nothing is allowed after the value; %s is",
             allowed);
    return fault_token(&parser, text);
}
