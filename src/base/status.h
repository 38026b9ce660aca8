/* SPDX-License-Identifier: MIT */
/* What a fallible call returns, and where it says why. */
#ifndef HAMON_BASE_STATUS_H
#define HAMON_BASE_STATUS_H

/* A status is also the exit code of the program that ends with it. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,   /* failed while running: memory, a missing program */
    STATUS_INPUT = 2,    /* bad usage or bad input: the caller can mend it */
    STATUS_DISK = 3,     /* the disk or device refused, or a capacity is full */
    STATUS_DIVERGED = 4, /* the wave is no longer finite */
};

enum { ERROR_MESSAGE_SIZE = 1024 };

/* Filled by the call that fails, untouched by calls that succeed. The message
 * is one line without its newline: `file:line: what is wrong, what to do`. */
struct error {
    enum status status;
    char message[ERROR_MESSAGE_SIZE];
};

/* Each fills `error` (which may be NULL), shows control characters of the
 * text as \xNN, and returns `status`, so that a caller can write
 * `return error_set(...)`. */
enum status error_set(struct error *error, enum status status,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set, the message headed by `file:line: `, or by `file: ` where
 * line is 0. */
enum status error_at(struct error *error, enum status status, const char *file,
                     int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* As error_set, with `: ` and the system's words for errno at the end.
 * ENOSPC, EFBIG, EIO, EDQUOT and EROFS make STATUS_DISK, and every other errno
 * `status`; but ENOMEM is error_memory. */
enum status error_system(struct error *error, enum status status,
                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The one message for memory that could not be had, headed by the program's
 * name. Takes none itself. */
enum status error_memory(struct error *error);

/* No error is STATUS_OK: where one is asked for, STATUS_FAILED is returned.
 * Said here, where compilers and analysers read it, so that they know that
 * nobody goes on with what a failed call was to fill. */
static inline enum status error_status(enum status status)
{
    if (status == STATUS_OK)
        __builtin_unreachable();
    return status;
}
#define error_set(...) error_status(error_set(__VA_ARGS__))
#define error_at(...) error_status(error_at(__VA_ARGS__))
#define error_system(...) error_status(error_system(__VA_ARGS__))
#define error_memory(error) error_status(error_memory(error))

#endif
