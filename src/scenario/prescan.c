/* SPDX-License-Identifier: MIT */
#include "scenario/prescan.h"

#include "scenario/scanner.h"

#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 256, KEYS_LIMIT = 128, SHOWN = 40 };

struct prescan {
    struct scanner scanner;
    struct token token; /* the one not yet taken */
    const char *head;   /* the file, or the override */
    bool has_lines;
    char path[PATH_SIZE];
    int depth;
    struct error *error;
};

static enum status fault(const struct prescan *scan, int line, const char *what)
{
    return error_at(scan->error, STATUS_INPUT, scan->head,
                    scan->has_lines ? line : 0, "%s%s%s", scan->path,
                    *scan->path ? ": " : "", what);
}

/* A fault that shows the word it is about. */
static enum status fault_token(const struct prescan *scan, const char *what)
{
    const struct token *token = &scan->token;
    char text[256];
    if (token->kind == TOKEN_END)
        snprintf(text, sizeof text, "the text ends: %s", what);
    else
        snprintf(text, sizeof text, "%.*s%s: %s",
                 (int)(token->length < SHOWN ? token->length : SHOWN),
                 token->at, token->length > SHOWN ? "..." : "", what);
    return fault(scan, token->line, text);
}

static enum status take(struct prescan *scan)
{
    scan->token = scanner_next(&scan->scanner);
    if (scan->token.kind == TOKEN_FAULT)
        return fault_token(scan, scan->token.fault);
    return STATUS_OK;
}

static bool at_mark(const struct prescan *scan, const char *marks)
{
    return scan->token.kind == TOKEN_MARK && strchr(marks, *scan->token.at);
}

/* Adds to the path; what it returns goes to leave. */
static size_t enter(struct prescan *scan, const char *name)
{
    size_t length = strlen(scan->path);
    snprintf(scan->path + length, PATH_SIZE - length, "%s%s", length ? "." : "",
             name);
    return length;
}

static void leave(struct prescan *scan, size_t length)
{
    scan->path[length] = '\0';
}

static enum status fault_unwanted(const struct prescan *scan,
                                  const struct key *key)
{
    char wanted[200], text[256];
    key_describe(key, wanted, sizeof wanted);
    snprintf(text, sizeof text, "a group here; %s is allowed", wanted);
    return fault(scan, scan->token.line, text);
}

static enum status fault_unknown(struct prescan *scan, const struct key *group,
                                 const char *name)
{
    const struct key *nearest = key_nearest(group, name);
    char text[200];
    snprintf(text, sizeof text,
             "unknown key; the nearest known one is %s (hamon-record --keys "
             "lists all)",
             nearest->path);
    enter(scan, name);
    return fault(scan, scan->token.line, text);
}

/* [ scalars of one type ] */
static enum status check_array(struct prescan *scan)
{
    enum token_kind kind = TOKEN_END;
    enum status status = take(scan);
    while (!status && !at_mark(scan, "]")) {
        enum token_kind next = scan->token.kind;
        if (next == TOKEN_MARK || next == TOKEN_NAME || next == TOKEN_END)
            return fault_token(scan, "in an array [ ... ] only numbers, texts "
                                     "in quotes, true and false are allowed");
        if (kind != TOKEN_END && next != kind)
            return fault_token(scan, "an array [ ... ] of mixed types; write "
                                     "all alike (1.0, 2.5) or a list ( ... )");
        kind = next;
        do
            status = take(scan);
        while (!status && kind == TOKEN_TEXT && scan->token.kind == kind);
        if (status)
            return status;
        if (at_mark(scan, "]"))
            break;
        if (!at_mark(scan, ","))
            return fault_token(scan, "a , or the closing ] is missing here");
        status = take(scan);
        if (!status && at_mark(scan, "]"))
            return fault_token(scan, "no value behind the last comma");
    }
    return status ? status : take(scan);
}

static enum status check_value(struct prescan *scan, const struct key *key,
                               bool item);

/* ( values ) */
static enum status check_list(struct prescan *scan, const struct key *key)
{
    enum status status = take(scan);
    for (size_t i = 0; !status && !at_mark(scan, ")"); i++) {
        char index[32];
        snprintf(index, sizeof index, "[%zu]", i);
        size_t outer = enter(scan, index);
        status = check_value(scan, key, true);
        leave(scan, outer);
        if (status || at_mark(scan, ")"))
            break;
        if (!at_mark(scan, ","))
            return fault_token(scan, "a , or the closing ) is missing here");
        status = take(scan);
        if (!status && at_mark(scan, ")"))
            return fault_token(scan, "no value behind the last comma");
    }
    return status ? status : take(scan);
}

/* name = value, and its separator; `seen` holds the line of each key. */
static enum status check_setting(struct prescan *scan, const struct key *group,
                                 int seen[KEYS_LIMIT])
{
    char name[64];
    struct token token = scan->token;
    if (token.kind != TOKEN_NAME && token.kind != TOKEN_BOOL)
        return fault_token(scan, "the name of a key is expected here");
    snprintf(name, sizeof name, "%.*s",
             (int)(token.length < sizeof name ? token.length : sizeof name - 1),
             token.at);
    const struct key *key = key_find(group, token.at, token.length);
    if (!key)
        return fault_unknown(scan, group, name);
    size_t outer = enter(scan, name);
    if (seen[key - keys]) {
        char text[96];
        snprintf(text, sizeof text,
                 "given twice; the first is in line %d, one is allowed",
                 seen[key - keys]);
        return fault(scan, token.line, text);
    }
    seen[key - keys] = token.line;
    enum status status = take(scan);
    if (!status && !at_mark(scan, "=:"))
        return fault_token(scan, "a = is expected behind the key's name");
    if (!status)
        status = take(scan);
    if (!status)
        status = check_value(scan, key, false);
    leave(scan, outer);
    if (!status && at_mark(scan, ";,"))
        status = take(scan);
    return status;
}

static enum status check_settings(struct prescan *scan, const struct key *group)
{
    int seen[KEYS_LIMIT] = { 0 };
    enum status status = STATUS_OK;
    while (!status && scan->token.kind != TOKEN_END && !at_mark(scan, "}"))
        status = check_setting(scan, group, seen);
    return status;
}

/* { settings } */
static enum status check_group(struct prescan *scan, const struct key *group)
{
    int line = scan->token.line;
    enum status status = take(scan);
    if (!status)
        status = check_settings(scan, group);
    if (status)
        return status;
    if (scan->token.kind == TOKEN_END)
        return fault(scan, line, "a { without its closing }");
    return take(scan);
}

static enum status check_nested(struct prescan *scan, const struct key *key,
                                bool item)
{
    if (scan->depth >= SCENARIO_DEPTH_LIMIT)
        return fault(scan, scan->token.line,
                     "nested too deep; 8 levels of brackets are allowed");
    scan->depth++;
    enum status status;
    if (at_mark(scan, "("))
        status = check_list(scan, key);
    else if (item ? key->type == KEY_GROUPS : key->type == KEY_GROUP)
        status = check_group(scan, key);
    else
        status = fault_unwanted(scan, key);
    scan->depth--;
    return status;
}

static enum status check_value(struct prescan *scan, const struct key *key,
                               bool item)
{
    if (at_mark(scan, "({"))
        return check_nested(scan, key, item);
    if (at_mark(scan, "["))
        return check_array(scan);
    if (scan->token.kind == TOKEN_NAME)
        return fault_token(scan, "a text needs quotes");
    if (scan->token.kind == TOKEN_MARK || scan->token.kind == TOKEN_END)
        return fault_token(scan, "a value is missing here");
    enum token_kind kind = scan->token.kind;
    enum status status;
    do
        status = take(scan);
    while (!status && kind == TOKEN_TEXT && scan->token.kind == kind);
    return status;
}

/* libconfig reads texts as C strings: nothing behind a NUL would be seen. */
static enum status check_bytes(const struct prescan *scan, const char *text,
                               size_t length)
{
    if (length > SCENARIO_BYTES_LIMIT)
        return fault(scan, 1, "too long; 16 MiB are allowed");
    const char *nul = memchr(text, '\0', length);
    if (!nul)
        return STATUS_OK;
    int line = 1;
    for (const char *at = text; at < nul; at++)
        line += *at == '\n';
    return fault(scan, line, "a NUL byte; only text is allowed");
}

enum status prescan_text(const char *text, size_t length, const char *file,
                         struct error *error)
{
    struct prescan scan = { .scanner = { text, text + length, 1 },
                            .head = file,
                            .has_lines = true,
                            .error = error };
    enum status status = check_bytes(&scan, text, length);
    if (!status)
        status = take(&scan);
    if (!status)
        status = check_settings(&scan, NULL);
    if (!status && scan.token.kind != TOKEN_END)
        status = fault_token(&scan, "a closing bracket without its opening");
    return status;
}

static enum status fault_behind(const struct prescan *scan,
                                const struct key *key)
{
    char wanted[256], text[320];
    key_describe(key, wanted, sizeof wanted);
    snprintf(text, sizeof text, "nothing is allowed behind the value; %s is",
             wanted);
    return fault_token(scan, text);
}

enum status prescan_value(const char *value, const struct key *key,
                          const char *path, const char *head,
                          struct error *error)
{
    struct prescan scan = { .scanner = { value, value + strlen(value), 1 },
                            .head = head,
                            .error = error };
    enum status status = check_bytes(&scan, value, strlen(value));
    enter(&scan, path);
    if (!status)
        status = take(&scan);
    if (!status)
        status = check_value(&scan, key, false);
    if (!status && scan.token.kind != TOKEN_END)
        status = fault_behind(&scan, key);
    return status;
}
