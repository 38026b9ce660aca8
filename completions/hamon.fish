# SPDX-License-Identifier: MIT
# fish completion for the programs of Hamon: what the one for bash replies. `make
# install` puts its path here.
function __hamon
    set -l words (commandline -opc)
    bash -c '. "$0"; _hamon_reply "$@"; printf "%s\n" "${COMPREPLY[@]}"' \
        '@BASH_COMPLETION@' $words[1] $words[-1] (commandline -ct) 2>/dev/null
end

for program in check compare export figure info isotropy modes movie pack record reflection report slice steering sweep
    complete -c hamon-$program -f -a '(__hamon)'
end
