#!/bin/sh
# SPDX-License-Identifier: MIT
# analyse.sh SOURCES BUILD: runs four static analysers over src/, tools/ and
# analysis/: clang-tidy 14 (with .clang-tidy), gcc -fanalyzer, clang --analyze
# and cppcheck. A finding is printed and makes the exit code 1. FLAGS are
# those of the build; its optimisation affects what gcc finds. Files that need
# mpi.h are left out if it is missing. With ANALYSE=changed all but cppcheck,
# which takes all files at once, read only the files that changed since the
# commit in build-aux/analysed, for which no analyser found anything.
set -u
sources=$1 build=$2 code=0
cd "$sources" || exit 1
jobs=$(nproc 2>/dev/null || echo 2)
FLAGS="$FLAGS -I$sources/src -I$sources/include -I$sources -I$build -DHAMON_ANALYSE"
MPI=$(pkg-config --cflags ompi-c hdf5-openmpi 2>/dev/null)
export FLAGS MPI

# The longest first, because at the end it would run alone.
list=src/wave/step/kernel.c
files=$(find src tools analysis -name '*.c' | sort)
if [ "${ANALYSE:-}" = changed ]; then
    before=$(cat build-aux/analysed)
    if changed=$(git diff --name-only --diff-filter=d "$before" -- src tools analysis); then
        files=$(echo "$changed" | grep '[.]c$')
        case $files in *src/wave/step/kernel.c*) ;; *) list= ;; esac
        echo "analyse: $(echo "$files" | wc -w) files changed since $before"
    fi
fi
for file in $files; do
    case $file:$MPI in src/wave/step/kernel.c:* | *_mpi.c:) continue ;; esac
    list="$list $file"
done

# reader NAME COMMAND PROGRAM…: runs the first of the programs that exists, as
# "$reader" in COMMAND, on each file, as "$file".
reader() {
    name=$1 command=$2 reader= start=$(date +%s)
    shift 2
    for program; do
        [ -n "$reader" ] || reader=$(command -v "$program")
    done
    if [ -z "$reader" ]; then
        echo "analyse: left out: $name is not installed"
        [ "${HAMON_REFERENCES:-}" != required ] || code=1
        return
    fi
    export reader
    # shellcheck disable=SC2016,SC2086
    if [ -z "$list" ] || printf '%s\n' $list | xargs -P "$jobs" -n 1 sh -c '
        file=$1
        case $file in *_mpi.c) FLAGS="$MPI $FLAGS" ;; esac
        '"$command" sh; then
        echo "analyse: $name: 0 findings in $(($(date +%s) - start)) s"
    else
        echo "analyse: $name: findings above"
        code=1
    fi
}

# shellcheck disable=SC2016
{
    reader "clang-tidy" '"$reader" --quiet "$file" -- $FLAGS 2>/dev/null' \
        clang-tidy-14 clang-tidy
    # Two texts that are compiled for 28 cases take it more than ten minutes and
    # 13 GB; the other three analysers read them.
    reader "gcc -fanalyzer" 'case $file in */step/kernel.c | */laplace/loops/*) exit 0 ;; esac
        "$reader" $FLAGS -Werror -fanalyzer -c -o /dev/null "$file"' gcc
    reader "clang --analyze" '"$reader" $FLAGS -Wno-unused-command-line-argument \
        --analyze --analyzer-output text -Xclang -analyzer-werror "$file"' \
        clang-14 clang
}
sh tests/project/cppcheck.sh "$sources" "$build" || code=1
exit $code
