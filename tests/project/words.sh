#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints where the texts of a tree have words of words.list, and what to write:
#     GROUP<tab>FILE:LINE<tab>WORD<tab>INSTEAD
# Groups are docs, help, messages, comments (of scripts too) and names (of tests).
#     tests/project/words.sh TREE [BUILD]     help only if there is a build
folder=$(cd "$(dirname "$0")" && pwd)
tree=$1 build=$2
cd "$tree" || exit 2

texts() { # GROUP FILES… from standard input
    xargs awk -v group="$1" -f "$folder/words.awk"
}
named() { # FOLDERS… -- NAMES…: the files with these names
    find "$@" ! -path '*/build/*' -type f | LC_ALL=C sort
}
help() { # what programs print, as if they were files
    out=$(mktemp -d) && cd "$out" || return
    for program in "$build"/tools/hamon-* "$build"/analysis/hamon-*; do
        name=${program##*/}
        case $name in *.*) continue ;; esac
        "$program" --help >"$name--help"
        "$program" --help columns | cmp -s - "$name--help" ||
            "$program" --help columns >"$name--help-columns"
    done
    "$build/tools/hamon-record" --keys >hamon-record--keys
    for example in paper best 3d; do
        "$build/tools/hamon-record" --example $example >hamon-record--example-$example
    done
    cp "$build"/man/*.[15] . 2>/dev/null
    ls | texts help
    cd "$tree" && rm -r "$out"
}
{
    {
        find . -maxdepth 1 -name '*.md'
        named docs samples \( -name '*.md' -o -name '*.cfg' -o -name '*.txt' \)
    } | sed 's/^\.\///' | texts docs
    [ -z "$build" ] || help
    named src include tools analysis bench fuzz samples tests \( -name '*.[ch]' -o -name '*.inc' \) | texts ''
    named tests \( -name '*.test' -o -name '*.sh' -o -name run-all \) | texts ''
    named python completions man samples bench build-aux tests fuzz \( -name '*.py' -o -name '*.awk' \
        -o -name '*.bash' -o -name '*.fish' -o -name '*.zsh' -o -name '*.gp' \) | texts comments
    named tools \( -name '*.html' -o -name '*.js' \) | texts messages
} | awk -F '\t' '
    FNR == NR {
        if (/^#/ || !/\t/)
            next
        if (sub(/^! /, ""))
            allowed[++allowances] = $1
        else {
            pattern[++patterns] = "(^|[^a-z_-])" $1 "([^a-z_-]|$)"
            instead[patterns] = $2
            any = any (any ? "|" : "") "(" $1 ")"
        }
        next
    }
    {
        text = tolower($3)
        if (text !~ any)
            next
        for (i = 1; i <= allowances; i++)
            gsub(allowed[i], " ", text)
        for (i = 1; i <= patterns; i++) {
            rest = text
            while (match(rest, pattern[i])) {
                word = substr(rest, RSTART, RLENGTH)
                gsub(/^[^a-z]+|[^a-z]+$/, "", word)
                print $1 "\t" $2 "\t" word "\t" instead[i]
                rest = substr(rest, RSTART + RLENGTH - 1)
                if (RLENGTH < 3)
                    break
            }
        }
    }' "$folder/words.list" -
