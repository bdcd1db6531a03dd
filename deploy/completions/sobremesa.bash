# Bash completion for sobremesa, which is asked itself: `sobremesa complete`.

_sobremesa()
{
    # Bash takes words apart at = and :, the program does not.
    local line=${COMP_LINE:0:COMP_POINT} words candidate begun
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    begun=${words[-1]}
    begun=${begun%"${begun##*[=:]}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        if [[ $candidate == :files ]]; then
            compopt -o filenames 2>/dev/null
            mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
                compgen -f -- "${words[-1]#"$begun"}")
        else
            COMPREPLY+=("${candidate#"$begun"}")
        fi
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    # Something follows what ends so.
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] &&
        compopt -o nospace 2>/dev/null
    return 0
}
complete -F _sobremesa sobremesa
