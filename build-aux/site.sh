#!/bin/sh
# SPDX-License-Identifier: MIT
# The documents as a site of HTML, for make html:
#
#     site.sh SOURCE FOLDER
#
# README.md becomes FOLDER/index.html, each other page X.md becomes X.html in the
# folder where it is. Headings get anchors as on GitHub; links to pages lead to HTML.
# search.html finds words in all pages (search.js), by pages.js, which has the text of
# each section: it needs no server.
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

# up: from the page to the top folder; sections: the file that its sections are added
# to, or empty; the HTML of its text is on standard input.
program='
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
function section() {
    if (sections_file && words)
        printf "[\"%s%s\",\"%s\",\"%s\",\"%s\"],\n", html, id ? "#" id : "", plain(title), plain(heading),
            plain(words) >>sections_file
    words = ""
}
function plain(html) { # as a string of JavaScript
    html = text(html)
    gsub(/\\/, "\\\\\\\\", html)
    gsub(/&quot;|"/, "\\\\\"", html)
    gsub(/&lt;/, "<", html)
    gsub(/&gt;/, ">", html)
    gsub(/&amp;/, "\\&", html)
    gsub(/[ \t\n]+/, " ", html)
    return html
}
/^<h[1-6]>/ {
    section()
    heading = text($0)
    id = anchor(substr($0, 5, length($0) - 9))
    if (/^<h1>/ && title == "") title = text($0)
    if (/^<h2>/) {
        ids_of[++sections] = id
        names[sections] = text($0)
    }
    $0 = substr($0, 1, 3) " id=\"" id "\"" substr($0, 4)
}
/<img src="/ && sections > shown { # of each section the first
    match($0, /<img src="[^"]*"/)
    pictures[sections] = substr($0, RSTART, RLENGTH) " alt=\"\">"
    shown = sections
    count++
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
!/^<h[1-6]/ { words = words " " $0 }
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
    section()
    # If each section has a picture, the contents have them too.
    for (i = 1; sections > 3 && i <= sections; i++)
        contents = contents "<li><a href=\"#" ids_of[i] "\">" (count == sections ? pictures[i] : "") names[i] "</a></li>\n"
    if (contents)
        contents = "<nav" (count == sections ? " class=\"thumbs\"" : "") " aria-label=\"" on_this_page \
            "\">\n<ul>\n" contents "</ul>\n</nav>\n"
    printf "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n", lang
    printf "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    printf "<title>%s%s</title>\n", title, title ~ /^Hamon/ ? "" : " – Hamon"
    printf "<link rel=\"stylesheet\" href=\"%spage.css\">\n</head>\n<body class=\"document\">\n", up
    printf "<header><a href=\"%s%s\">Hamon</a>\n<a href=\"%s%s\">%s</a>\n<form role=\"search\" action=\"%ssearch.html\">",
        up, lang == "ja" ? "README.ja.html" : "index.html", up, lang == "ja" ? "docs/ja/gallery.html" : "docs/gallery.html",
        gallery, up
    printf "<input type=\"hidden\" name=\"lang\" value=\"%s\">", lang
    printf "<input type=\"search\" name=\"q\" required aria-label=\"%s\"><button>%s</button></form>\n</header>\n<main>\n",
        search, search
    printf "%s%s%s", substr(body, 1, contents_at), contents, substr(body, contents_at + 1)
    printf "</main>\n</body>\n</html>\n"
}'

# page HTML [SECTIONS]: writes this file of the site.
page() {
    case $1 in
    *.ja.html | docs/ja/*) lang=ja on_this_page=このページ gallery=ギャラリー search=検索 ;;
    *) lang=en on_this_page="On this page" gallery=Gallery search=Search ;;
    esac
    mkdir -p "$new/$(dirname "$1")"
    LC_ALL=C awk -v html="$1" -v up="$(echo "$1" | sed 's|[^/]*$||; s|[^/]*/|../|g')" -v lang="$lang" \
        -v on_this_page="$on_this_page" -v gallery="$gallery" -v search="$search" -v sections_file="${2-}" \
        "$program" >"$new/$1"
}

# The pages: those of the top folder, of docs/ and of samples/.
echo 'const pages = [' >"$new/pages.js"
(cd -P "$source" && ls -- *.md && find docs samples -name '*.md') | LC_ALL=C sort | while read -r name; do
    html=${name%.md}.html
    [ "$html" != README.html ] || html=index.html
    cmark-gfm -e table "$source/$name" >"$new/text" && page "$html" "$new/pages.js" <"$new/text" || exit
done
echo '];' >>"$new/pages.js"
{
    echo '<h1>Search</h1>'
    echo '<p id="count" role="status"></p><ol id="found"></ol><script src="pages.js"></script><script>'
    cat "$source/build-aux/search.js"
    echo '</script>'
} | page search.html
rm "$new/text"
rm -rf "$out"
mv "$new" "$out"
