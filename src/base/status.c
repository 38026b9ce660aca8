/* SPDX-License-Identifier: MIT */
#include "base/status.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The functions that the header's macros call. */
#undef error_set
#undef error_at
#undef error_system
#undef error_memory

/* Appends `text` to the message. Control characters are escaped: a name from a
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

/* Formats the message, with `file:line: ` or `file: ` before it unless `file`
 * is NULL. An error is never STATUS_OK, as the header promises. */
__attribute__((format(printf, 5, 0))) static enum status
fill(struct error *error, enum status status, const char *file, int line,
     const char *format, va_list arguments)
{
    char text[ERROR_MESSAGE_SIZE], place[32] = ": ";
    status = status == STATUS_OK ? STATUS_FAILED : status;
    if (!error)
        return status;
    vsnprintf(text, sizeof text, format, arguments);
    error->status = status;
    error->message[0] = '\0';
    if (file) {
        append_escaped(error, file);
        if (line > 0)
            snprintf(place, sizeof place, ":%d: ", line);
        append_escaped(error, place);
    }
    append_escaped(error, text);
    return status;
}

enum status error_set(struct error *error, enum status status,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = fill(error, status, NULL, 0, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_at(struct error *error, enum status status, const char *file,
                     int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = fill(error, status, file, line, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_system(struct error *error, enum status status,
                         const char *format, ...)
{
    int code = errno;
    va_list arguments;
    if (code == ENOSPC || code == EFBIG || code == EIO || code == EDQUOT ||
        code == EROFS)
        status = STATUS_DISK;
    else if (code == ENOMEM)
        return error_memory(error);
    va_start(arguments, format);
    status = fill(error, status, NULL, 0, format, arguments);
    va_end(arguments);
    if (error) {
        append_escaped(error, ": ");
        append_escaped(error, strerror(code));
    }
    return status;
}

enum status error_memory(struct error *error)
{
    const size_t limit = memory_limit_met();
    if (limit)
        return error_set(error, STATUS_FAILED,
                         "%s: more memory is needed than --memory %g allows: "
                         "raise it, or use a smaller map or fewer waves",
                         program_invocation_short_name, 1e-9 * (double)limit);
    return error_set(error, STATUS_FAILED,
                     "%s: out of memory: use a smaller map, fewer waves or "
                     "more memory",
                     program_invocation_short_name);
}
