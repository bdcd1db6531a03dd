#compdef sobremesa
# Zsh completion for sobremesa, which is asked itself: `sobremesa complete`.

local line candidate files
local -a open closed

for line in ${(f)"$(${words[1]} complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)"}; do
    candidate=${line%%$'\t'*}
    if [[ $line == :files ]]; then
        files=1
    elif [[ $candidate == *= ]]; then
        open+=("${candidate//:/\\:}:${line#*$'\t'}")
    else
        closed+=("${candidate//:/\\:}:${line#*$'\t'}")
    fi
done
_describe -V sobremesa closed -- open -S '' && return
[[ -n $files ]] && _files
