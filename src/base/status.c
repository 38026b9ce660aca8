/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The functions themselves, behind the header's macros. */
#undef error_set
#undef error_at
#undef error_system
#undef error_memory

/* Copies `text` behind the first `used` bytes of the message; a name from a
 * hostile file must not move the cursor of the reader's terminal. */
static void append_escaped(struct error *error, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = strlen(error->message), hidden, length;
    for (; *at; at += length) {
        hidden = utf8_unshown(at);
        length = hidden ? hidden : utf8_character(at);
        if (used + 4 * length >= sizeof error->message)
            break;
        for (size_t i = 0; i < length; i++)
            used += (size_t)snprintf(error->message + used,
                                     sizeof error->message - used,
                                     hidden ? "\\x%02x" : "%c", at[i]);
    }
}

__attribute__((format(printf, 2, 0))) static void
append_format(struct error *error, const char *format, va_list arguments)
{
    char text[ERROR_MESSAGE_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    append_escaped(error, text);
}

/* An error is never STATUS_OK, as the header promises. */
static enum status failing(enum status status)
{
    return status == STATUS_OK ? STATUS_FAILED : status;
}

static void start(struct error *error, enum status status)
{
    error->status = status;
    error->message[0] = '\0';
}

enum status error_set(struct error *error, enum status status,
                      const char *format, ...)
{
    status = failing(status);
    if (!error)
        return status;
    start(error, status);
    va_list arguments;
    va_start(arguments, format);
    append_format(error, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_at(struct error *error, enum status status, const char *file,
                     int line, const char *format, ...)
{
    status = failing(status);
    if (!error)
        return status;
    start(error, status);
    append_escaped(error, file);
    char place[32] = ": ";
    if (line > 0)
        snprintf(place, sizeof place, ":%d: ", line);
    append_escaped(error, place);
    va_list arguments;
    va_start(arguments, format);
    append_format(error, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_system(struct error *error, enum status status,
                         const char *format, ...)
{
    int code = errno;
    if (code == ENOSPC || code == EFBIG || code == EIO || code == EDQUOT ||
        code == EROFS)
        status = STATUS_DISK;
    else if (code == ENOMEM)
        status = STATUS_FAILED;
    status = failing(status);
    if (!error)
        return status;
    start(error, status);
    va_list arguments;
    va_start(arguments, format);
    append_format(error, format, arguments);
    va_end(arguments);
    append_escaped(error, ": ");
    append_escaped(error, strerror(code));
    return status;
}

enum status error_memory(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "out of memory: use a smaller map, fewer waves or more "
                     "memory");
}
