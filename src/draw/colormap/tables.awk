# SPDX-License-Identifier: MIT
# Prints the colour maps as C. A file has a line `map NAME KIND WORDS`, and then
# its 256 colours as rrggbb, from the low end to the high end.
BEGIN {
    print "/* Made by src/draw/colormap/tables.awk. */"
    print "#include \"draw/colormap/colormap.h\""
}
/^#/ { next }
/^map / {
    if (maps) print "};"
    print "static const uint8_t " $2 "[COLORMAP_SIZE][3] = {"
    words = $0
    sub(/^map [^ ]+ [^ ]+ /, "", words)
    maps = maps "    &(const struct colormap){ \"" $2 "\", COLORMAP_" toupper($3) ", " $2 ", \"" words "\" },\n"
    next
}
{
    for (i = 1; i <= NF; i++)
        printf "{0x%s,0x%s,0x%s},", substr($i, 1, 2), substr($i, 3, 2), substr($i, 5, 2)
    print ""
}
END { printf "};\nconst struct colormap *const colormaps[] = {\n%s    NULL,\n};\n", maps }
