# SPDX-License-Identifier: MIT
# bash completion for the programs of Hamon; completions/hamon.zsh and hamon.fish
# ask it too. The programs are asked themselves: options come from --help, colour
# maps from --list-colormaps, keys and their values from --keys.

# Words of its arguments that begin like the one being written.
_hamon_offer() {
    mapfile -t COMPREPLY < <(compgen -P "$given" -W "$1" -- "$cur")
}

# The same where several may be given, as in walls,agents.
_hamon_offer_list() {
    local last=${cur##*,}
    given=$given${cur%"$last"} cur=$last
    _hamon_offer "$1"
    compopt -o nospace 2>/dev/null || true
}

# Files that end in .$1, and folders.
_hamon_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
        compgen -P "$given" -f -X "!*.$1" -- "$cur"
        compgen -P "$given" -d -- "$cur"
    )
}

# Any file.
_hamon_any_file() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -P "$given" -f -- "$cur")
}

# The metrics that a sweep's chart can show.
_hamon_sweep_metrics() {
    "$program" --help columns 2>/dev/null |
        awk '/^long.csv/ { off = 1 } /^Their metrics/ { off = 0 }
             /^  [a-z_]+  / && !off && $1 !~ /^(run|state|method)$/ { print $1 }'
}

_hamon_options() {
    "$program" --help 2>/dev/null |
        grep -oE '^(  -[A-Za-z], |      )--[a-z-]+' | grep -oE -- '-[-A-Za-z]+'
}

# The words behind `hamon`.
_hamon_programs() {
    echo help
    hamon 2>/dev/null | awk '/^  [a-z]+ / { print $1 }'
}

_hamon_keys() {
    hamon-record --keys 2>/dev/null |
        awk '/^KEY / { on = 1 } on && /^[a-z][a-z_.]* / && !/^[^ ]* = / { print $1 }'
}

_hamon_colormaps() {
    hamon-slice --list-colormaps 2>/dev/null | awk '{ print $1 }'
}

# The values of key $1 where they are words, as --keys lists them in its third column.
_hamon_values() {
    hamon-record --keys 2>/dev/null | awk -v key="${1//\[[0-9]*\]./}" '
        /^KEY / { from = index($0, "ALLOWED"); wide = index($0, "[UNIT]") - from }
        /^[^ ]/ { on = $1 == key }
        on { values = values substr($0, from, wide) " " }
        END { if (values ~ /^[a-z0-9-]+(, +[a-z0-9-]+)+ *$/) print values }' | tr -d ,
}

# A key, then its "=" without a space, then its value; with $1 one of several.
_hamon_setting() {
    if [[ $cur == *=* ]]; then
        local key=${cur%%=*}
        given=$given$key= cur=${cur#*=}
        "_hamon_offer$1" "$(_hamon_values "$key")"
    else
        _hamon_offer "$(_hamon_keys)"
        compopt -o nospace 2>/dev/null
        COMPREPLY=("${COMPREPLY[@]/%/=}")
    fi
}

# What may stand behind the option $1; false: it takes nothing known.
_hamon_argument() {
    case $1 in
    -f | --field) _hamon_offer "amplitude gradient gradient-direction flux heading error cause arrival speed cost one-way density width height walls" ;;
    -c | --colormap) _hamon_offer "$(_hamon_colormaps)" ;;
    --overlay) _hamon_offer_list "walls agents trails areas paths nodes colors arrows gradient gradient-direction flux streamlines gradient-streamlines one-way front contours values none" ;;
    --example) _hamon_offer "paper best 3d" ;;
    --crop) _hamon_offer "auto none" ;;
    --project) _hamon_offer "max max:x max:y" ;;
    --format)
        case $program in
        *hamon-slice) _hamon_offer "png pdf svg" ;;
        *hamon-figure) _hamon_offer_list "pdf svg png eps tex" ;;
        *) _hamon_offer_list "pdf svg png tex" ;;
        esac ;;
    --table) _hamon_offer "text csv md tex" ;;
    --only) _hamon_offer "trajectories arrivals plans paths captures emissions" ;;
    --chart) _hamon_offer "$(_hamon_sweep_metrics)" ;;
    --caption) _hamon_offer "full short none" ;;
    --language) _hamon_offer "en ja" ;;
    --panels) _hamon_offer_list "maps a b c d e f g h i j map along heatmap cause" ;;
    --width) _hamon_offer "column page" ;;
    --set) _hamon_setting ;;
    --vary) _hamon_setting _list ;;
    --pool) _hamon_offer "$(_hamon_keys)" ;;
    --by)
        case $program in
        *compare) _hamon_offer_list "$(_hamon_keys) file agent" ;;
        *sweep) _hamon_offer_list "$(_hamon_keys)" ;;
        *) _hamon_offer_list "$(_hamon_keys) distance" ;;
        esac
        ;;
    --resume | --minus) _hamon_files h5 ;;
    -o | --output | --font | --map | --problems) _hamon_any_file ;;
    *) return 1 ;;
    esac
}

# _hamon_reply PROGRAM BEFORE CURRENT: COMPREPLY becomes the words that may stand
# for CURRENT behind BEFORE.
_hamon_reply() {
    local program=$1 before=$2 cur=$3 given=
    COMPREPLY=()
    if [[ $cur == --*=* ]]; then
        before=${cur%%=*} given=${cur%%=*}= cur=${cur#*=}
    fi
    _hamon_argument "$before" && return
    case $cur in
    -*) _hamon_offer "$(_hamon_options)" ;;
    *)
        case $program in
        *hamon) _hamon_offer "$(_hamon_programs)" ;;
        *hamon-figure | *hamon-record | *hamon-sweep) _hamon_files cfg ;;
        *) _hamon_files h5 ;;
        esac ;;
    esac
}

# bash ends words at "=": put them together, and take off each reply what stands
# before the last of them.
_hamon() {
    local words=() word glued= current
    for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
        if [[ $glued || $word == = ]] && [ ${#words[@]} -gt 0 ]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        [[ $word == = ]] && glued=yes || glued=
    done
    current=${words[-1]}
    if [[ $1 == *hamon && ${#words[@]} -gt 2 && ${words[1]} != help ]]; then
        set -- "$1-${words[1]}" # hamon slice is hamon-slice
    fi
    _hamon_reply "$1" "${words[-2]-}" "$current"
    if [[ $current == *=* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%=*}="}")
    fi
}

complete -F _hamon hamon hamon-check hamon-compare hamon-export hamon-figure hamon-info \
    hamon-isotropy hamon-modes hamon-movie hamon-pack hamon-record hamon-reflection \
    hamon-report hamon-slice hamon-steering hamon-sweep
