/* SPDX-License-Identifier: MIT */
/* The status that a function returns, and the error message. */
#ifndef HAMON_BASE_STATUS_H
#define HAMON_BASE_STATUS_H

/* A status is also the exit code of the program that ends with it. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,   /* failed while running: memory, a missing program */
    STATUS_INPUT = 2,    /* bad usage or bad input: the user can correct it */
    STATUS_DISK = 3,     /* the disk or device failed, or is full */
    STATUS_DIVERGED = 4, /* the wave is no longer finite */
};

enum { ERROR_MESSAGE_SIZE = 1024 };

/* Filled by the call that fails; calls that succeed do not change it. The
 * message is one line without its newline: `file:line: what is wrong, what to
 * do`. */
struct error {
    enum status status;
    char message[ERROR_MESSAGE_SIZE];
};

/* Each fills `error` (which may be NULL), writes control characters of the text
 * as \xNN, and returns `status`, so that a caller can write `return
 * error_set(...)`. */
enum status error_set(struct error *error, enum status status,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set, with `file:line: ` before the message, or `file: ` if line is
 * 0. */
enum status error_at(struct error *error, enum status status, const char *file,
                     int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* As error_set, with `: ` and the system's message for errno at the end.
 * ENOSPC, EFBIG, EIO, EDQUOT and EROFS give STATUS_DISK, ENOMEM gives
 * error_memory, and every other errno gives `status`. */
enum status error_system(struct error *error, enum status status,
                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The message for a failed allocation, with the program's name before it.
 * Allocates no memory. */
enum status error_memory(struct error *error);

/* No error is STATUS_OK: for it, STATUS_FAILED is returned. This stands in the
 * header so that compilers and analysers know that after an error nobody uses
 * what the failed call should have filled. */
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
