#!/usr/bin/env bash
# What a word could be: as the program says it, and as bash offers it.

. tests/support/tap.sh
. deploy/completions/sobremesa.bash

# said WORD...: what the program says the last of them could be.
said()
{
    "${BIN:?}/sobremesa" complete -- "$@" | cut -f1 | paste -sd' '
}

# offered LINE: what bash offers at its end.
offered()
{
    COMP_LINE="${BIN:?}/$1"
    COMP_POINT=${#COMP_LINE}
    COMPREPLY=()
    _sobremesa
    echo "${COMPREPLY[*]}"
}

known=$(sed -n 's/^    {"\([a-z-]*\)", [a-z_]*_command.*/\1/p' clients/term/main.c |
    paste -sd' ')
is "$(offered 'sobremesa ')" "$known" "every command"
is "$(offered 'sobremesa wai')" waiting "one that was begun"
is "$(offered 'sobremesa waiting --f')" --follow "an option"
like "$(offered 'sobremesa waiting --')" '--json' "all of them"
is "$(offered 'sobremesa create had')" hadara "a game"
is "$(offered 'sobremesa create --seats 3 had')" hadara \
    "what belongs to an option is no argument"
is "$(offered 'sobremesa notices add nt')" ntfy "a way to be told"
is "$(offered 'sobremesa waiting ')" "" "nothing where there is nothing to be said"
is "$(offered 'sobremesa lobby --game=gre')" greement \
    "bash replaces what stands behind the sign"
is "$(offered 'sobremesa verify deploy/comp')" deploy/completions "a file"

is "$(said play --offline gr)" greement "an argument behind its option"
is "$(said play '')" "" "which is none without it"
is "$(said board sh)" show "an action"
is "$(said board show cr)" ':files crucible' "what an action takes"
is "$(said board generate --sy)" --symmetry= "its options"
is "$(said create hacienda --options=variant1,v)" \
    '--options=variant1,variant1 --options=variant1,variant2' \
    "options of a game, in a list"
is "$(said create hadara --options va)" "" "not those of another game"
is "$(said notices set wait=60 digest=w)" digest=weekly "again and again"
is "$(said no_command '')" "" "nothing behind what is none"
is "$("${BIN:?}/sobremesa" complete -- waiting --js)" \
    $'--json\twhich tables, too: an object in a line, as status bars take it' \
    "what it means stands behind a tab"

# The scripts of all shells are what is installed.
for shell in bash zsh fish; do
    ok "for $shell" grep -q "completions/sobremesa.$shell" Makefile
done

done_testing
