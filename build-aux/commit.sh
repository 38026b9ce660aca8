#!/bin/sh
# SPDX-License-Identifier: MIT
# The commit of the build: from git in a checkout, from build-aux/commit in a
# release, else "unknown". Rewrites the header only if it changes.
#   commit.sh --name SRCDIR           prints it
#   commit.sh SRCDIR CFLAGS HEADER    writes the header
set -eu

name() {
    if [ -e "$1/.git" ] && commit=$(git -C "$1" rev-parse --short=12 HEAD 2>/dev/null); then
        if [ -n "$(git -C "$1" status --porcelain --untracked-files=no 2>/dev/null)" ]; then
            commit=$commit-dirty
        fi
        echo "$commit"
    elif [ -f "$1/build-aux/commit" ]; then
        cat "$1/build-aux/commit"
    else
        echo unknown
    fi
}

if [ "$1" = --name ]; then
    name "$2"
    exit
fi
quote() { printf '%s' "$1" | sed 's/[\\"]/\\&/g'; }
temporary=$3.tmp$$
{
    echo "#define HAMON_COMMIT \"$(quote "$(name "$1")")\""
    echo "#define HAMON_FLAGS \"$(quote "$2")\""
} > "$temporary"
if cmp -s "$temporary" "$3"; then rm -f "$temporary"; else mv -f "$temporary" "$3"; fi
