# SPDX-License-Identifier: MIT
# Figures of the gallery, 8.5 and 17 cm wide: letters, fonts, nothing cut, and
# the same bytes when they are drawn again. Source it after tap.sh and call
# `figures NAME…`; without a name it tests all.

# gnuplot rounds the size of pages to whole points. No page is higher than A4.
size() { # FILE CENTIMETRES
    pdfinfo "$1" | awk -v points="$(echo "$2" | awk '{ print $1 / 2.54 * 72 }')" '
        /^Page size/ { print; exit $3 > points + .01 || $3 <= points - 1 || $5 > 842 }'
}

figures() {
    gallery=$abs_top_srcdir/samples/figures/gallery
    ok "the figures are drawn" sh "$gallery" one "$@"
    # The second time only pictures are made, from the first recordings.
    mkdir two && for file in one/*.h5 one/*/; do [ ! -e "$file" ] || ln -s "../${file%/}" two/ || exit 99; done
    ok "the figures are drawn again" sh "$gallery" two "$@"
    [ $# -gt 0 ] || set -- $(sed -n 's/^\([a-z][^ :]*\): .*/\1/p' "$gallery.txt" | grep -v '^recordings$')
    for name; do
        if [ -e "one/$name.pdf" ]; then pages=$name; else pages="$name-8.5 $name-17"; fi
        for file in $pages; do
            ok "$file: fonts are embedded, letters have 6.2 to 8 points" pdf_letters "one/$file.pdf"
            ok "$file: no words overlap, and no text is cut" pdf_words "one/$file.pdf"
            case $file in *-8.5) centimetres=8.5 ;; *) centimetres=17 ;; esac
            ok "$file: its width is right, and it fits on A4" size "one/$file.pdf" $centimetres
            ok "$file: the same bytes again" cmp "one/$file.pdf" "two/$file.pdf"
        done
        ok "$name: is on the page" grep -q "id=\"$name\"" one/index.html
    done
}
