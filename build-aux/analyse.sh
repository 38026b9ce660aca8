#!/bin/sh
# SPDX-License-Identifier: MIT
# analyse.sh SOURCES BUILD: clang-tidy 14 over src/, tools/ and analysis/, but
# for what wants mpi.h, as .clang-tidy asks. Findings are printed and make the
# exit code 1.
set -u
build=$2
cd "$1" || exit 1
tidy=$(command -v clang-tidy-14 || command -v clang-tidy)
if [ -z "$tidy" ]; then
    echo "analyse: left out: clang-tidy is not installed"
    [ "${HAMON_JUDGES:-}" != required ]
    exit
fi
flags="-std=c17 -D_GNU_SOURCE -Isrc -Itools -Ianalysis -I$build
    $(pkg-config --cflags hdf5 libpng freetype2 libconfig)"
export tidy flags
# shellcheck disable=SC2016
if find src tools analysis -name '*.c' | xargs grep -L ranks_mpi.h | xargs -P "$(nproc 2>/dev/null || echo 2)" \
    -n 12 sh -c '"$tidy" --quiet "$@" -- $flags 2>/dev/null' sh; then
    echo "analyse: clang-tidy: 0 findings"
else
    echo "analyse: clang-tidy: findings above"
    exit 1
fi
