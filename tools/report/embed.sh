#!/bin/sh
# SPDX-License-Identifier: MIT
# embed.sh FOLDER: prints C that holds the files of a report's page as arrays
# of bytes, and the hashes by which the page's own policy knows them.
set -eu
bytes() { # NAME FILE
    printf 'const unsigned char %s[] = {\n' "$1"
    od -An -v -tx1 "$2" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'
    printf '0 };\n'
}
hash() { # NAME FILE
    printf 'const char %s[] = "sha256-%s";\n' "$1" \
        "$(sha256sum <"$2" | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | base64)"
}
echo '/* Made by tools/report/embed.sh. */'
echo '#include "report_parts.h"'
bytes report_page "$1/page.html"
bytes report_css "$1/report.css"
bytes report_js "$1/report.js"
hash report_css_hash "$1/report.css"
hash report_js_hash "$1/report.js"
