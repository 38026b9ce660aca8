#!/bin/sh
# SPDX-License-Identifier: MIT
# embed.sh HEADER NAME=FILE...: prints C that includes HEADER, which declares
# the arrays, and defines each file as the array of bytes NAME; for a style or
# a script also NAME_hash, which the page's content security policy contains.
set -eu
bytes() { # NAME FILE
    printf 'const unsigned char %s[] = {\n' "$1"
    od -An -v -tx1 "$2" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
    printf '0 };\n'
}
hash() { # NAME FILE
    printf 'const char %s_hash[] = "sha256-%s";\n' "$1" \
        "$(sha256sum <"$2" | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | base64)"
}
echo '/* Made by build-aux/embed.sh. */'
echo "#include \"$1\""
shift
for pair; do
    bytes "${pair%%=*}" "${pair#*=}"
    case $pair in
    *.css | *.js) hash "${pair%%=*}" "${pair#*=}" ;;
    esac
done
