# SPDX-License-Identifier: MIT
# Escapes the characters that are special in roff, for the other scripts of this
# folder.

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return guard(text)
}

# A line that roff would read as a request.
function guard(text) {
    return text ~ /^[.']/ ? "\\&" text : text
}

# One line of text, without spaces at both ends.
function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function say(text) {
    print escape(text)
}

# Text ready for roff, in lines of 72 bytes or so.
function print_filled(text,    line) {
    while (length(text) > 72 && match(text, / /)) {
        line = substr(text, 1, 72)
        if (match(line, / [^ ]*$/)) {
            print guard(substr(text, 1, RSTART - 1))
            text = substr(text, RSTART + 1)
        } else {
            match(text, / /)
            print guard(substr(text, 1, RSTART - 1))
            text = substr(text, RSTART + 1)
        }
    }
    print guard(text)
}

function fill(text) {
    print_filled(escape(text))
}

function header(name, section, summary) {
    print ".\\\" SPDX-License-Identifier: MIT"
    print ".\\\" Made by the build from the program's own words: change those."
    printf ".TH %s %s %s \"hamon %s\" Hamon\n", toupper(name), section, date, version
    print ".SH NAME"
    print_filled(escape(name) " \\- " escape(summary))
}
