/* SPDX-License-Identifier: MIT */
/* For tests of failing allocations. */
#ifndef HAMON_TESTS_BASE_LIMITED_MEMORY_H
#define HAMON_TESTS_BASE_LIMITED_MEMORY_H

#include "tests/suite.h"

#include <stdbool.h>
#include <sys/resource.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* From here this process (a test has its own) gets at most `bytes` of address
 * space; false if the sanitizers need all of it. */
static inline bool limit_memory(rlim_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
    return false;
#else
    struct rlimit limit = { bytes, bytes };
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    return true;
#endif
}

#endif
