#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh SOURCES BUILD: runs the suite in a build for gcov, and reports
# which part of src/, tools/ and analysis/ it reaches: at least 90 % of lines
# and 80 % of branches, or exit 1. Two parts are not counted, though the suite
# reaches them: the child that parses a recording (inspect.c), because it may
# not write counts; and code that only ranks run, which is in another build. A
# template (.inc) is compiled for each of its cases, up to 168 times: both
# directions of a line's branch count once, if any case took them.
set -u
code=0 sources=$1 build=$2/coverage-build
if ! command -v lcov >/dev/null; then
    echo "coverage: left out: lcov is not installed"
    [ "${HAMON_REFERENCES:-}" != required ]
    exit
fi
sources=$(cd "$sources" && pwd)
mkdir -p "$build" && cd "$build" || exit 1
if [ ! -f Makefile ]; then
    "$sources/configure" --quiet --enable-coverage CC="${CC:-cc}" CFLAGS='-O1 -g' || exit 1
fi
branches='--rc lcov_branch_coverage=1'
lcov -q -z -d . >lcov.log 2>&1 # of an earlier run
# A test that limits the size of files would also limit the files of counts,
# and gcov would report this on the program's stderr, where the test expects
# one line.
GCOV_ERROR_FILE=$PWD/gcov.log
export GCOV_ERROR_FILE
CK_TIMEOUT_MULTIPLIER=10 # counting makes it slower, and the machine may be busy
export CK_TIMEOUT_MULTIPLIER
if ! make -s -j"$(nproc 2>/dev/null || echo 2)" -k check >check.log 2>&1; then
    echo "coverage: tests fail in this build: see $build/check.log"
    grep -aE '^(FAIL|ERROR)' check.log
    code=1
fi
# shellcheck disable=SC2086
lcov -q $branches -c -d . -o all.info >>lcov.log 2>&1 &&
    lcov -q $branches -e all.info "$sources/src/*" "$sources/tools/*" \
        "$sources/analysis/*" -o ours.info >>lcov.log 2>&1 || {
    tail -n 5 lcov.log
    exit 1
}
# The files that miss most branches, then the total.
awk -F: -v top="$sources/" '
    /^SF:/ { file = substr($2, length(top) + 1); template = file ~ /[.]inc$/ }
    /^LF:/ { lines[file] += $2; all_lines += $2 }
    /^LH:/ { lines_hit[file] += $2; all_lines_hit += $2 }
    /^BRDA:/ && template {
        split($2, part, ",") # line, block, branch, times taken
        way = part[1] "," part[3] % 2
        ways[way] = ways[way] || part[4] + 0 > 0
    }
    /^BRF:/ && !template { branches[file] += $2; all_branches += $2 }
    /^BRH:/ && !template { branches_hit[file] += $2; all_branches_hit += $2 }
    /^end_of_record/ {
        for (way in ways) {
            branches[file]++; all_branches++
            branches_hit[file] += ways[way]; all_branches_hit += ways[way]
        }
        split("", ways)
    }
    function share(hit, of) { return of ? 100 * hit / of : 0 }
    END {
        list = "sort -t, -k2,2nr | head -n 20"
        for (file in lines)
            printf "%d lines, %d branches missed in %s\n",
                lines[file] - lines_hit[file],
                branches[file] - branches_hit[file], file | list
        close(list)
        line = share(all_lines_hit, all_lines)
        branch = share(all_branches_hit, all_branches)
        printf "coverage: %.1f %% of %d lines, %.1f %% of %d branches\n",
            line, all_lines, branch, all_branches
        if (line < 90 || branch < 80) {
            print "coverage: 90 % of lines and 80 % of branches are wanted"
            exit 1
        }
    }' ours.info && exit $code
