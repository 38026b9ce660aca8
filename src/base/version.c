/* SPDX-License-Identifier: MIT */
#include "base/version.h"

#include "commit.h" /* made by the build: HAMON_COMMIT, HAMON_FLAGS */
#include "config.h"

const char hamon_version[] = PACKAGE_VERSION;
const char hamon_commit[] = HAMON_COMMIT;
#if defined(__clang__)
const char hamon_compiler[] = "clang " __clang_version__;
#else
const char hamon_compiler[] = "gcc " __VERSION__;
#endif
const char hamon_flags[] = HAMON_FLAGS;
