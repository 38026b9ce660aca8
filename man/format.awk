# SPDX-License-Identifier: MIT
# hamon-recording(5) from docs/reference/format.md: headings, paragraphs, lists, tables
# (of each row the first cell, then the others) and code.

# `code` in Markdown becomes bold; \| in a table becomes |.
function words(text,    out, part, count, i) {
    gsub(/\\\|/, "|", text)
    count = split(text, part, "`")
    for (i = 1; i <= count; i++)
        out = out (i % 2 ? escape(part[i]) : "\\fB" escape(part[i]) "\\fR")
    return guard(out)
}

function row(line,    cell, count, i, rest) {
    gsub(/\\\|/, "\001", line)
    sub(/^\| */, "", line)
    sub(/ *\|$/, "", line)
    count = split(line, cell, / *\| */)
    for (i = 1; i <= count; i++)
        gsub(/\001/, "|", cell[i])
    for (i = 2; i <= count; i++)
        if (cell[i] != "")
            rest = rest (rest != "" ? "; " : "") cell[i]
    print ".TP"
    print words(cell[1])
    print_filled(words(rest))
}

# The paragraph so far.
function flush() {
    if (text != "")
        print_filled(words(text))
    text = ""
}

BEGIN { header("hamon-recording", 5, "the format of a recording") }
/^(#|```|\||$)/ || (/^    / && !set_in && text == "") { flush() }
/^# / { print ".SH DESCRIPTION"; fresh = 1; next }
/^```/ {
    code = !code
    print code ? ".PP\n.in +4n\n.nf" : ".fi\n.in"
    next
}
code { say($0 == "" ? "\\&" : $0); next }
/^    / && !set_in && text == "" { print ".PP\n.in +4n\n.nf"; set_in = 1 }
set_in && /^    / { say(substr($0, 5)); next }
set_in { print ".fi\n.in"; set_in = 0 }
/^## \// { print ".SH " words(substr($0, 4)); fresh = 1; next }
/^## / { print ".SH " toupper(words(substr($0, 4))); fresh = 1; next }
/^\|[-:| ]+\|$/ { body = 1; next }
/^\|/ { if (body) row($0); fresh = 0; next }
/^$/ { body = 0; gap = 1; next }
/^- / { flush(); print ".IP \\(bu 2"; text = substr($0, 3); gap = fresh = 0; next }
{
    if (gap && !fresh) {
        flush()
        print ".PP"
    }
    gap = fresh = 0
    text = text (text != "" ? " " : "") trim($0)
}
END {
    flush()
    print ".SH SEE ALSO\n.BR hamon\\-record (1),\n.BR hamon\\-info (1)," 
    print ".BR hamon\\-scenario (5)"
}
