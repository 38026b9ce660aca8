# SPDX-License-Identifier: MIT
# hamon-scenario(5) from hamon-record --keys: a table whose first line names its
# columns; lines that describe a group are above the rows of the group.

function flush_key() {
    if (key == "")
        return
    print ".TP"
    print "\\fB" escape(key) "\\fR"
    fill(words "." (otherwise == "" || otherwise == "-" ? "" : " Default: " \
        otherwise ".") (allowed == "" ? "" : " Allowed: " allowed "."))
    key = words = otherwise = allowed = ""
}

function add(text, more) {
    return text (text != "" && more != "" ? " " : "") more
}

BEGIN {
    header("hamon-scenario", 5, "what hamon-record runs")
    print ".SH DESCRIPTION"
    say("A scenario is a text file in the syntax of libconfig: groups in braces,")
    say("arrays in brackets, lists in parentheses. An unknown key is an error.")
}
/^KEY / {
    second = index($0, "DEFAULT")
    third = index($0, "ALLOWED")
    fourth = index($0, "[UNIT]")
    print ".PP"
    fill(told)
    print ".SH KEYS"
    next
}
!second { if ($0 != "") told = add(told, $0); next }
/^$/ { flush_key(); next }
/^[a-z_.]+ = / {
    flush_key()
    match($0, /[)}];/)
    split_at = RSTART + 1
    print ".SS " escape(substr($0, 1, split_at - 1))
    fill(trim(substr($0, split_at + 1)) ".")
    next
}
{
    if (/^[a-z]/) {
        flush_key()
        key = trim(substr($0, 1, second - 1))
    }
    otherwise = add(otherwise, trim(substr($0, second, third - second)))
    allowed = add(allowed, trim(substr($0, third, fourth - third)))
    words = add(words, trim(substr($0, fourth)))
}
END {
    flush_key()
    print ".SH EXAMPLES"
    say("hamon-record --example paper writes a commented scenario to begin with;")
    say("best and 3d write others.")
    print ".SH SEE ALSO\n.BR hamon\\-record (1),\n.BR hamon\\-recording (5)"
}
