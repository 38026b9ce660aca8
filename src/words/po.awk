# SPDX-License-Identifier: MIT
# Prints a catalogue of gettext (LANGUAGE.po) as the C array words_LANGUAGE. Its
# first entry, without English, is the catalogue's own head.
function flush() {
    if (id != "" && id != "\"\"") printf "    { %s,\n      %s },\n", id, str
    id = str = ""
}
BEGIN {
    print "/* Made by src/words/po.awk. */\n#include \"words/words.h\"\n\n#include <stddef.h>\n"
    printf "const struct words_entry words_%s[] = {\n", language
}
/^msgid "/ { flush(); own = "id"; id = substr($0, 7); next }
/^msgstr "/ { own = "str"; str = substr($0, 8); next }
/^"/ { if (own == "id") id = (id == "\"\"" ? "" : id " ") $0; else str = (str == "\"\"" ? "" : str " ") $0 }
END { flush(); print "    { NULL, NULL },\n};" }
