# SPDX-License-Identifier: MIT
# Prints the words that C and .gp files mark for the catalogues, one a line, as
# a .po file has them: _("..."), N_("..."), words_if(drawn, "..."), _('...').
function utf8(hex,    n, i) {
    for (i = 1; i <= 4; i++) n = 16 * n + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return n < 2048 ? sprintf("%c%c", 192 + int(n / 64), 128 + n % 64) \
        : sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
}
{ all = all " " $0 }
END {
    start = "(^|[^A-Za-z0-9])(_|N_|words_if)\\((drawn, *)? *"
    while (match(all, start "[\"']")) {
        quote = substr(all, RSTART + RLENGTH - 1, 1)
        all = substr(all, RSTART + RLENGTH)
        words = ""
        do {
            if (!match(all, quote == "\"" ? "^([^\"\\\\]|\\\\.)*\"" : "^[^']*'")) exit 1
            words = words substr(all, 1, RLENGTH - 1)
            all = substr(all, RLENGTH + 1)
        } while (match(all, "^ *" quote) && (all = substr(all, RLENGTH + 1)) != "")
        while (match(words, /\\u[0-9a-f][0-9a-f][0-9a-f][0-9a-f]/))
            words = substr(words, 1, RSTART - 1) utf8(substr(words, RSTART + 2, 4)) substr(words, RSTART + 6)
        print words
    }
}
