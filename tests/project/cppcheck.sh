#!/bin/sh
# SPDX-License-Identifier: MIT
# cppcheck.sh SOURCES BUILD: cppcheck 2.10 over src/, tools/ and analysis/.
# Findings are printed and make the exit code 1. A false finding is suppressed
# at its line, with the reason: /* cppcheck-suppress ID ; REASON */
set -u
build=$2
cd "$1" || exit 1
if ! command -v cppcheck >/dev/null; then
    echo "analyse: left out: cppcheck is not installed"
    [ "${HAMON_REFERENCES:-}" != required ]
    exit
fi
# Without -D it tries the branches of each #if (12 choices a file); one process,
# because several do not check across files.
if cppcheck --quiet --std=c11 --error-exitcode=1 \
    --enable=warning,performance,portability --inline-suppr \
    --template='{file}:{line}: {severity}: {message} [{id}]' \
    -Isrc -I. -I"$build" src tools analysis 2>&1; then
    echo "analyse: cppcheck: 0 findings"
else
    echo "analyse: cppcheck: findings above"
    exit 1
fi
