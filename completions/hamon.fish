# SPDX-License-Identifier: MIT
# fish completion for the programs of Hamon: what the one for bash replies. `make
# install` puts its path here.
function __hamon
    set -l words (commandline -opc)
    set -l program $words[1]
    if string match -q '*hamon' $program; and set -q words[2]; and test $words[2] != help
        set program $program-$words[2]
    end
    bash -c '. "$0"; _hamon_reply "$@"; printf "%s\n" "${COMPREPLY[@]}"' \
        '@BASH_COMPLETION@' $program $words[-1] (commandline -ct) 2>/dev/null
end

complete -c hamon -f -a '(__hamon)'
for program in check compare export figure info isotropy modes movie pack record reflection report slice steering sweep
    complete -c hamon-$program -f -a '(__hamon)'
end
