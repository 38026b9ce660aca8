#!/bin/sh
# SPDX-License-Identifier: MIT
# The documents as a site of HTML, for make html:
#
#     site.sh SOURCE FOLDER
#
# README.md becomes FOLDER/index.html, each other page X.md becomes X.html in the
# folder where it is. Headings get anchors as on GitHub; links to pages lead to HTML.
set -eu

command -v cmark-gfm >/dev/null || {
    echo "make html requires cmark-gfm: install it (Debian: cmark-gfm)" >&2
    exit 1
}
source=$1
out=$2
new=$out.part
rm -rf "$new"
mkdir -p "$new/docs/images"
for picture in "$source"/docs/images/*; do
    cat "$picture" >"$new/docs/images/${picture##*/}"
done
cat "$source/samples/page.css" >"$new/page.css"

# up: from the page to the top folder; the HTML of its text is on standard input.
page='
function text(html) { gsub(/<[^>]*>/, "", html); return html }
function anchor(html,    id) {
    id = tolower(text(html))
    gsub(/&[a-z]*;|[^a-z0-9_ \200-\377-]/, "", id)
    gsub(/ /, "-", id)
    if (id in ids)
        return id "-" ids[id]++
    ids[id] = 1
    return id
}
function replace(line, from, to,    at, done) {
    while (at = index(line, from)) {
        done = done substr(line, 1, at - 1) to
        line = substr(line, at + length(from))
    }
    return done line
}
/^<h[1-6]>/ {
    id = anchor(substr($0, 5, length($0) - 9))
    if (/^<h1>/ && title == "") title = text($0)
    if (/^<h2>/) {
        sections++
        contents = contents "<li><a href=\"#" id "\">" text($0) "</a></li>\n"
    }
    $0 = substr($0, 1, 3) " id=\"" id "\"" substr($0, 4)
}
/href="[^":]*\.md["#]/ {
    $0 = replace($0, "href=\"" up "README.md", "href=\"" up "index.html")
    # Only links within the site have no colon.
    rest = $0
    $0 = ""
    while (match(rest, /href="[^":]*\.md["#]/)) {
        $0 = $0 substr(rest, 1, RSTART + RLENGTH - 5) ".html" substr(rest, RSTART + RLENGTH - 1, 1)
        rest = substr(rest, RSTART + RLENGTH)
    }
    $0 = $0 rest
}
{
    # What may be wider than the page is scrolled, by the keyboard too.
    sub(/^<pre>/, "<pre tabindex=\"0\">")
    sub(/^<table>/, "<div class=\"table\" tabindex=\"0\">\n&")
    gsub(/<th[^>]*><\/th>/, "<td></td>") # an empty cell is no heading
    sub(/<\/table>/, "&\n</div>")
    body = body $0 "\n"
    # The contents of a long page stand behind its first heading.
    if (/^<h1/ && !contents_at) contents_at = length(body)
}
END {
    if (sections > 3)
        contents = "<nav aria-label=\"" on_this_page "\">\n<ul>\n" contents "</ul>\n</nav>\n"
    else contents = ""
    printf "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n", lang
    printf "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    printf "<title>%s%s</title>\n", title, title ~ /^Hamon/ ? "" : " – Hamon"
    printf "<link rel=\"stylesheet\" href=\"%spage.css\">\n</head>\n<body class=\"document\">\n", up
    printf "<header><a href=\"%sindex.html\">Hamon</a></header>\n<main>\n", up
    printf "%s%s%s", substr(body, 1, contents_at), contents, substr(body, contents_at + 1)
    printf "</main>\n</body>\n</html>\n"
}'

# The pages: those of the top folder, of docs/ and of samples/.
(cd -P "$source" && ls -- *.md && find docs samples -name '*.md') | while read -r name; do
    html=${name%.md}.html
    [ "$html" != README.html ] || html=index.html
    up=$(echo "$html" | sed 's|[^/]*$||; s|[^/]*/|../|g')
    case $name in
    *.ja.md | docs/ja/*) lang=ja on_this_page=このページ ;;
    *) lang=en on_this_page="On this page" ;;
    esac
    mkdir -p "$new/$(dirname "$html")"
    cmark-gfm -e table "$source/$name" >"$new/text" &&
        LC_ALL=C awk -v up="$up" -v lang="$lang" -v on_this_page="$on_this_page" "$page" \
            "$new/text" >"$new/$html" || exit
done
rm "$new/text"
rm -rf "$out"
mv "$new" "$out"
