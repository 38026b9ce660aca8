# SPDX-License-Identifier: MIT
# The commands of a page of the documentation, run in order in one folder: source it
# after tap.sh.

samples=$work/samples # what the pages name so
page_shell() { sh -e "$1"; } # a script that names the programs, run in this folder

# page FILE COUNT: runs the commands of FILE, which are indented by four spaces;
# COUNT of them or more. A block ```NAME.cfg is a file that the reader writes first.
# A block ``` without a name is output: its lines are printed by the commands, or are
# in a text file that they make, but for times and free space.
page() {
    file=$1 name=$(echo "${1%.md}" | tr / -)
    mkdir "$name" && cd "$name" || exit 99
    ln -s "$samples" samples
    awk '/^```[a-z-]+\.cfg$/ { name = substr($0, 4); next }
        /^```/ { if (name) close(name); name = ""; next }
        name { print >name }' "$top/$file"
    awk '/^```/ { block = !block } /^    / && !block { sub(/^    /, ""); print }' "$top/$file" >commands
    awk '/^```/ { block = !block; output = block && $0 == "```"; next }
        output { sub(/; [^;]* free on disk$/, ""); sub(/  +[0-9]+$/, ""); print }' \
        "$top/$file" >shown
    ok "$file has commands" test "$(grep -c '^hamon-' commands)" -ge "$2"
    # A command is a line and its continuation lines.
    awk '{ line = line (line ? "\n" : "") $0 }
        /\\$/ { next }
        { name = sprintf("command-%02d.sh", ++count); print line >name; close(name); line = "" }' commands
    for command in command-*.sh; do
        first=$(head -n 1 "$command")
        case $first in
        hamon-movie*) wanted ffmpeg "$name: $first" || continue ;;
        esac
        case $(cat "$command") in
        *--format*pdf* | hamon-isotropy* | hamon-modes* | hamon-reflection* | hamon-steering*)
            wanted gnuplot "$name: $first" || continue ;;
        esac
        ok "$name: $first" run "$command"
    done
    [ ! -s shown ] || ok "$name: the output that it shows is printed" printed
    ok "$name: every file that it lists exists" promised "$top/$file"
    cd ..
}
run() {
    code=0
    page_shell "$1" >said 2>&1 || code=$?
    tee -a output <said
    return $code
}
printed() {
    cat ./*.txt >>output 2>/dev/null
    while read -r line; do
        grep -qF -e "$line" output || { echo "not printed: $line"; return 1; }
    done <shown
}
promised() { # every file behind an →
    sed -n 's/.*→ \([a-z0-9./ -]*\).*/\1/p' "$1" | tr ' ' '\n' | while read -r file; do
        [ -z "$file" ] || [ -s "$file" ] || { echo "$file"; exit 1; }
    done
}
