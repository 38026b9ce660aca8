# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2154 # here, out and runs are the caller's
# For the `reproduce` scripts: recordings and the pictures of a paper's figures,
# each with a line of $out/figures.tsv for the page (reproduce-index): the
# figure's number, what the paper shows in it, the pictures, the commands that
# made them. The caller sets here (its scenarios), out and runs (a folder for
# recordings), and has the programs in its PATH.

# typed WORD…: as one types them.
typed() {
    for word; do
        case $word in
        *[!A-Za-z0-9_.,:=%/+@^-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
}

# record NAME SCENARIO [OPTION…]: $runs/NAME.h5
record() {
    record_name=$1 record_scenario=$2
    shift 2
    hamon-record -q --force -o "$runs/$record_name.h5" "$@" \
        "$here/$record_scenario.cfg" || return
    printf 'hamon-record -o %s.h5%s %s.cfg' "$record_name" "$(typed "$@")" \
        "$record_scenario" >"$runs/$record_name.command"
}

# figure NUMBER WORDS: begins a figure; what `draw` draws belongs to it.
figure() {
    figure_number=$1 figure_words=$2
}

# draw RECORDING PICTURE [OPTION…]: $out/PICTURE of $runs/RECORDING.h5
draw() {
    draw_from=$1 draw_to=$2
    shift 2
    hamon-slice -q --force "$@" -o "$out/$draw_to" "$runs/$draw_from.h5" || return
    printf '%s\t%s\t%s\t%s; hamon-slice%s -o %s %s.h5\n' "$figure_number" \
        "$figure_words" "$draw_to" "$(cat "$runs/$draw_from.command")" \
        "$(typed "$@")" "$draw_to" "$draw_from" >>"$out/figures.tsv"
}

# last_step RECORDING: of its rows.
last_step() {
    hamon-info "$runs/$1.h5" | sed -n 's/.*steps 0 to \([0-9]*\) of.*/\1/p'
}

# captured RECORDING: at which step the last of its agents was.
captured() {
    hamon-info "$runs/$1.h5" | sed -n 's/.*captured at step \([0-9]*\).*/\1/p' |
        sort -n | tail -n 1
}

# young STEP: of three waves of lifetime 300 one that has been under way for
# some time, 40 to 139 steps: its front is seen, and few echoes.
young() {
    echo $((($1 - 40) / 100 % 3))
}
