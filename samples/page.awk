# SPDX-License-Identifier: MIT
# Markdown of the tables that `reproduce` scripts write, as HTML: headings (two
# levels lower), tables, lists, paragraphs.

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function close_all() {
    if (open != "")
        print "</" open ">"
    open = ""
}

function begin(tag) {
    if (open == tag)
        return
    close_all()
    print "<" tag ">"
    open = tag
}

function row(line, tag,    cell, count, i) {
    sub(/^\| */, "", line)
    sub(/ *\| *$/, "", line)
    count = split(line, cell, / *\| */)
    printf "<tr>"
    for (i = 1; i <= count; i++)
        printf "<%s>%s</%s>", tag, cell[i], tag
    print "</tr>"
}

{ $0 = escape($0) }
/^#+ / {
    close_all()
    marks = index($0, " ") - 1
    printf "<h%d>%s</h%d>\n", marks + 2, substr($0, marks + 2), marks + 2
    next
}
/^\|[-:| ]+\|$/ { next }
/^\|/ {
    head = open != "table"
    begin("table")
    row($0, head ? "th" : "td")
    next
}
/^- / { begin("ul"); print "<li>" substr($0, 3) "</li>"; next }
/^$/ { close_all(); next }
{ if (open != "ul") begin("p"); print }
END { close_all() }
