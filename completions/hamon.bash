# SPDX-License-Identifier: MIT
# bash completion for the programs of Hamon. They are asked themselves: options
# come from --help, colour maps from --list-colormaps, keys from --keys.

# Words of its arguments that begin like the one being written.
_hamon_offer() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# Files that end in .$1, and folders.
_hamon_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
        compgen -f -X "!*.$1" -- "$cur"
        compgen -d -- "$cur"
    )
}

# Any file.
_hamon_any_file() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

_hamon_options() {
    "$program" --help 2>/dev/null |
        grep -oE '^(  -[A-Za-z], |      )--[a-z-]+' | grep -oE -- '-[-A-Za-z]+'
}

_hamon_keys() {
    hamon-record --keys 2>/dev/null |
        awk '/^KEY / { on = 1 } on && /^[a-z][a-z_.]* / && !/^[^ ]* = / { print $1 }'
}

_hamon_colormaps() {
    hamon-slice --list-colormaps 2>/dev/null | awk '{ print $1 }'
}

# A key, and then its "=" without a space.
_hamon_setting() {
    _hamon_offer "$(_hamon_keys)"
    compopt -o nospace 2>/dev/null
    COMPREPLY=("${COMPREPLY[@]/%/=}")
}

# What may stand behind the option $1; false: it takes nothing known.
_hamon_argument() {
    case $1 in
    -f | --field) _hamon_offer "amplitude gradient gradient-direction flux heading error cause arrival speed width height walls" ;;
    -c | --colormap) _hamon_offer "$(_hamon_colormaps)" ;;
    --overlay) _hamon_offer "walls agents trails paths nodes colors arrows gradient gradient-direction flux front none" ;;
    --example) _hamon_offer "paper best 3d" ;;
    --project) _hamon_offer "max max:x max:y" ;;
    --format)
        case $program in
        *hamon-compare) _hamon_offer "text csv md tex" ;;
        *) _hamon_offer "pdf svg png tex" ;;
        esac ;;
    --panels) _hamon_offer "a b c d e f g h i j" ;;
    --width) _hamon_offer "column page" ;;
    --set | --vary) _hamon_setting ;;
    --pool) _hamon_offer "$(_hamon_keys)" ;;
    --by) _hamon_offer "$(_hamon_keys) file agent" ;;
    --resume | --minus) _hamon_files h5 ;;
    -o | --output | --font | --map | --problems) _hamon_any_file ;;
    *) return 1 ;;
    esac
}

_hamon() {
    local program=$1 cur=$2 before=$3
    COMPREPLY=()
    _hamon_argument "$before" && return
    case $cur in
    -*) _hamon_offer "$(_hamon_options)" ;;
    *)
        case $program in
        *hamon-figure | *hamon-record | *hamon-sweep) _hamon_files cfg ;;
        *) _hamon_files h5 ;;
        esac ;;
    esac
}

complete -F _hamon hamon-check hamon-compare hamon-export hamon-figure hamon-info \
    hamon-isotropy hamon-modes hamon-movie hamon-pack hamon-record hamon-reflection \
    hamon-report hamon-slice hamon-steering hamon-sweep
