#!/usr/bin/env bash
# Which language the terminal client speaks, and what is in none.

. tests/support/tap.sh
. tests/term/sobremesa.sh

XDG_CONFIG_HOME=$(mktemp -d)
export XDG_CONFIG_HOME
trap 'rm -rf "$XDG_CONFIG_HOME"' EXIT
config=$XDG_CONFIG_HOME/sobremesa
mkdir "$config"
unset LC_ALL LC_MESSAGES LANG LANGUAGE

run games
like "$out" 'Hacienda' 'without a word: English'
like "$out" 'players' 'without a word: English'
for locale in fr_FR.UTF-8 fr fr_CA; do
    LANG=$locale run games
    like "$out" 'joueurs' "LANG=$locale"
done
LANG=fr_FR.UTF-8 LC_ALL=C.UTF-8 run games
like "$out" 'players' 'LC_ALL comes before LANG'
LANG=de_DE.UTF-8 run games
like "$out" 'players' 'a language there is not: English'
echo 'language = fr' >"$config/config"
run games
like "$out" 'joueurs' 'the configuration'
run games --language en
like "$out" 'players' '--language comes first'
run --language en games
like "$out" 'players' 'also before the command'
run games --language=de
wants 64 'a language there is not'
like "$err" 'de' 'it is named'
run loby
wants 64 'a wrong command'
like "$err" 'lobby' 'it is told, with the one that was meant'
like "$err" 'vouliez' 'in French'
run lobby --gmae
like "$err" 'option --gmae.*vouliez.*--game' 'a wrong option'
run join
like "$err" 'sobremesa join --help.* dit ce' 'where there is help'
run play --help
like "$out" 'Usage : sobremesa play .*ou : .*--offline JEU' 'usage, and words of it'
like "$out" '--seats=N .*--as=NOM' 'also behind options'
# No command says anything of its options in English: these lines would be the
# same in both languages.
for command in '' register login guest logout whoami email factor hours \
    notices lobby tables waiting create join play watch replay record bot \
    arena games rules board 'board generate' script verify; do
    # shellcheck disable=SC2086 # two words
    run $command --help
    french=$out
    # shellcheck disable=SC2086
    run $command --help --language en
    is "$(comm -12 <(sort -u <<<"$french") <(sort -u <<<"$out") |
        grep -E '[a-z]{3,} [a-z]{2,} [a-z]{2,}')" '' "help of '$command'"
done
run play --offline tictactoe --bots all --seed 1
like "$out" 'a gagné|égalité' 'a game'
run games hacienda --json
french=$out
run games hacienda --json --language en
is "$french" "$out" 'what programs read is the same'
run complete -- play --off
like "$out" '^--offline' 'words of commands are'
echo 'language = xx' >"$config/config"
run games
like "$err$out" 'xx|players' 'a wrong one in the configuration is no end'
done_testing
