# SPDX-License-Identifier: MIT
# A page of section 1 from the --help of a program:
#
#     PROGRAM --help | awk -v name=PROGRAM -v version=1.0.0 -v date=2026-11-22 \
#         -v others='hamon-info hamon-slice' -f escape.awk -f program.awk
#
# --help consists of: Usage lines, a description, Options, paragraphs (indented
# lines are examples), Exit status.

function indent(text) {
    match(text, /^ */)
    return RLENGTH
}

# "  -o, --output FILE   meaning": the position of the meaning, or 0.
function meaning_at(line) {
    if (!match(line, /^ +-[^ ]*(, --[^ ]+)?( [^ ]+)*  +/))
        return 0
    return RLENGTH + 1
}

function take_option(line,    at) {
    if (line ~ /^  (    )?-/) {
        options++
        at = meaning_at(line)
        spec[options] = trim(at ? substr(line, 1, at - 1) : line)
        meaning[options] = at ? trim(substr(line, at)) : ""
    } else
        meaning[options] = meaning[options] (meaning[options] ? " " : "") trim(line)
}

function summary_of(text) {
    sub(/\.( .*)?$/, "", text)
    return tolower(substr(text, 1, 1)) substr(text, 2)
}

{ sub(/[ \t]+$/, "") }
/^Usage: / { part = "usage" }
/^Options:/ { part = "options"; next }
/^Examples:/ { part = "notes"; next }
/^Exit status:/ { part = "exit"; sub(/^Exit status: */, "") }
part == "usage" && !/^(Usage:| )/ { part = "purpose" }
part == "usage" { sub(/^(Usage:)? */, ""); usage[++usages] = $0; next }
part == "purpose" && /^$/ { next }
part == "purpose" { purpose = purpose (purpose ? " " : "") $0; next }
part == "options" && /^$/ { part = "notes"; next }
part == "options" { take_option($0); next }
part == "exit" { exit_status = exit_status (exit_status ? " " : "") $0; next }
part == "notes" && /^  / { example[++examples] = substr($0, 3); next }
part == "notes" && /^$/ { notes++; next }
part == "notes" { note[notes] = note[notes] (note[notes] ? " " : "") $0 }

END {
    if (!usages || !purpose || !options || !exit_status) {
        print name ": --help is not as man/program.awk knows it" >"/dev/stderr"
        exit 1
    }
    header(name, 1, summary_of(purpose))
    print ".SH SYNOPSIS\n.nf"
    for (i = 1; i <= usages; i++)
        print "\\fB" name "\\fR" escape(substr(usage[i], length(name) + 1))
    print ".fi\n.SH DESCRIPTION"
    fill(purpose)
    print ".SH OPTIONS"
    for (i = 1; i <= options; i++) {
        print ".TP"
        print "\\fB" escape(spec[i]) "\\fR"
        fill(meaning[i])
    }
    for (i = 0; i <= notes; i++) {
        if (note[i] == "")
            continue
        print told++ ? ".PP" : ".SH NOTES"
        fill(note[i])
    }
    if (examples) {
        print ".SH EXAMPLES\n.nf"
        for (i = 1; i <= examples; i++)
            say(example[i])
        print ".fi"
    }
    print ".SH EXIT STATUS"
    fill(exit_status)
    print ".SH SEE ALSO"
    count = split(others, other, " ")
    for (i = 1; i <= count; i++)
        if (other[i] != name)
            print ".BR " escape(other[i]) " (1),"
    print ".BR hamon\\-recording (5),\n.BR hamon\\-scenario (5)"
}
