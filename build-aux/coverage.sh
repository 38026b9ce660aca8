#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh SOURCES BUILD: the suite in a build for gcov, and what of src/,
# tools/ and analysis/ it reaches: at least 90 % of lines and 80 % of branches,
# or exit 1.
set -u
sources=$1 build=$2/coverage-build
if ! command -v lcov >/dev/null; then
    echo "coverage: left out: lcov is not installed"
    [ "${HAMON_JUDGES:-}" != required ]
    exit
fi
mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f Makefile ]; then
    "$sources/configure" --quiet --enable-coverage CC="${CC:-cc}" CFLAGS='-O1 -g' || exit 1
fi
make -s -j"$(nproc 2>/dev/null || echo 2)" -k check >check.log 2>&1 ||
    echo "coverage: some tests fail in this build: see $build/check.log"
branches='--rc lcov_branch_coverage=1'
# shellcheck disable=SC2086
lcov -q $branches -c -d . -o all.info >lcov.log 2>&1 &&
    lcov -q $branches -e all.info '*/src/*' '*/tools/*' '*/analysis/*' \
        -o ours.info >>lcov.log 2>&1 &&
    lcov $branches --summary ours.info >summary 2>&1 || {
    tail -n 5 lcov.log
    exit 1
}
grep -E 'lines|functions|branches' summary
awk '/lines\.\.\./ { lines = $2 + 0 } /branches\.\.\./ { branches = $2 + 0 }
     END { if (lines < 90 || branches < 80) {
               print "coverage: 90 % of lines and 80 % of branches are wanted"
               exit 1 } }' summary
