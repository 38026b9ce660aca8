# SPDX-License-Identifier: MIT
# The texts of files in which readers meet words: lines
#     GROUP<tab>FILE:LINE<tab>TEXT
# of C sources each comment (comments), string (messages) and, in tests, name
# (names); of shell tests the names and comments; of other scripts comments and
# strings; of other files each line as `group` (docs, help). A comment or string
# of several lines of C is one text.
#
#     awk -v group=docs -f words.awk FILE…
function out(of, line, text) {
    if (of == "names")
        gsub(/\$[A-Za-z_]+/, "", text)
    gsub(/[ \t]+/, " ", text)
    if (text ~ /[A-Za-z]/)
        print of "\t" FILENAME ":" line "\t" text
}
function end_string() {
    if (open_string) {
        gsub(/\\n/, " ", string)
        out("messages", string_line, string)
    }
    open_string = 0
    string = ""
}
function c_line(line,    at, token, rest) {
    if (line ~ /^[ \t]*#[ \t]*include/)
        return
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            rest = at ? substr(line, 1, at - 1) : line
            sub(/^[ \t]*\*?[ \t]*/, "", rest)
            comment = comment " " rest
            if (!at)
                return
            in_comment = 0
            out("comments", comment_line, comment)
            line = substr(line, at + 2)
            continue
        }
        if (!match(line, /\/\*|"([^"\\]|\\.)*"|'([^'\\]|\\.)+'|START_TEST\([a-z_0-9]*\)|[^ \t\/"'S]+|[^ \t]/))
            return
        token = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (token == "/*") {
            in_comment = 1
            comment = ""
            comment_line = FNR
        } else if (token ~ /^"/) {
            if (!open_string)
                string_line = FNR
            open_string = 1
            string = string substr(token, 2, length(token) - 2)
        } else {
            if (token !~ /^PRI/)
                end_string()
            if (token ~ /^START_TEST/) {
                gsub(/START_TEST\(|\)/, "", token)
                gsub(/_/, " ", token)
                out("names", FNR, token)
            }
        }
    }
}
FNR == 1 {
    end_string()
    in_comment = 0
    inside = 0
    kind = ""
    if (FILENAME ~ /\.(c|h|inc)$/)
        kind = "c"
    else if (FILENAME ~ /\.(test|sh)$|run-all$/)
        kind = "shell"
    else if (FILENAME ~ /\.(py|awk|bash|fish|zsh|gp)$/)
        kind = "script"
}
kind == "c" { c_line($0); next }
# Comments behind #, and texts of Python between triple quotes; strings with
# more than a word are messages.
kind == "script" {
    line = $0
    quotes = gsub(/"""/, "", line)
    if (inside || quotes) {
        out("comments", FNR, line)
        if (quotes % 2)
            inside = !inside
        next
    }
    if (match(line, /(^|[ \t])#[ !].*/)) {
        out("comments", FNR, substr(line, RSTART))
        line = substr(line, 1, RSTART - 1)
    }
    while (match(line, /"([^"\\]|\\.)*"/)) {
        string = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (string ~ / /)
            out("messages", FNR, string)
    }
    string = ""
    next
}
kind == "shell" {
    if ($0 ~ /^[ \t]*# /)
        out("comments", FNR, $0)
    else if (match($0, /(^|[ \t;&|])(ok|is|skip) "[^"]*"/))
        out("names", FNR, substr($0, RSTART, RLENGTH))
    next
}
{ out(group, FNR, $0) }
END { end_string() }
