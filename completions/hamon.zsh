#compdef hamon hamon-check hamon-compare hamon-export hamon-figure hamon-info hamon-isotropy hamon-modes hamon-movie hamon-pack hamon-record hamon-reflection hamon-report hamon-slice hamon-steering hamon-sweep
# SPDX-License-Identifier: MIT
# zsh completion for the programs of Hamon: what the one for bash replies. `make
# install` puts its path here.

local -a replies after
local program=$words[1]
if [[ $program == *hamon && CURRENT -gt 2 && $words[2] != help ]] program+=-$words[2]
replies=("${(@f)$(bash -c '. "$0"; _hamon_reply "$@"; printf "%s\n" "${COMPREPLY[@]}"' \
    '@BASH_COMPLETION@' "$program" "$words[CURRENT-1]" "${(Q)PREFIX}" 2>/dev/null)}")
replies=(${replies:#})
# A key's value follows its "=", and more may follow a word of a list.
[[ $words[CURRENT-1] == --(overlay|panels|set|vary) ]] && after=(-S '')
compadd -U -f $after -- $replies
