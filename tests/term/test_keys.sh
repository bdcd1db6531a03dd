#!/usr/bin/env bash
# The keys of the games' screens: README's are those of the program's tables,
# and in French they are told in French.

. tests/support/tap.sh
. tests/term/sobremesa.sh

readme=$(cat clients/term/README.md)
has() { [[ $readme == *$'\n\n'"$1"$'\n\n'* ]]; }
for game in tictactoe hacienda hadara greement; do
    run games "$game" --keys
    wants 0 "$game"
    keys=$(sed '/^$/,$d; s/^/  /' <<<"$out")
    ok "$game: README has its keys" has "$keys"
    english=$out
    run games "$game" --keys --language fr
    wants 0 "$game, in French"
    is "$(grep -Fxc -e "$(sed '/^$/d' <<<"$english")" <<<"$out")" 0 \
        "$game, in French: no line is English"
done
done_testing
