#!/usr/bin/env bash
# `sobremesa rules`: raw pages for a pipe, set in its width for a terminal.

. tests/support/tap.sh
. tests/term/sobremesa.sh

for game in hacienda hadara greement tictactoe; do
    run rules "$game"
    wants 0 "rules $game"
    is "$out" "$(cat "core/games/$game/rules/summary.en.md" - \
        "core/games/$game/rules/detailed.en.md" <<<'')" \
        "rules $game: both pages, as they are"
done
run rules hadara --summary
is "$out" "$(cat core/games/hadara/rules/summary.en.md)" 'rules --summary'
run rules hadara --detailed
is "$out" "$(cat core/games/hadara/rules/detailed.en.md)" 'rules --detailed'
run rules hacienda --summary --lang fr
wants 0 'rules --lang fr'
is "$out" "$(cat core/games/hacienda/rules/summary.fr.md)" 'rules --lang fr'
run rules hacienda --detailed -l fr
is "$status" 0 'no such page in that language: status 0'
is "$out" "$(cat core/games/hacienda/rules/detailed.en.md)" '... in English'
like "$err" 'the detailed page is in en only' '... which is said'
run rules chess
wants 1 'rules: no such game'
like "$err" 'hacienda, .*tictactoe' 'rules: which there are'
usage 'rules without a game' rules
usage 'rules of two games' rules hacienda hadara

# ---- on a terminal -----------------------------------------------------------

if ! command -v tmux >/dev/null; then
    done_testing
    exit
fi
. tests/term/tmux.sh

# page WIDTH ARGUMENT...
page()
{
    local width=$1
    shift
    tm kill-server 2>/dev/null
    opened=$((opened + 1))
    socket=sobremesa-test-$$-$opened
    tm new-session -d -x "$width" -y 300 \
        "env TERM=${term:-tmux-256color} $sobremesa rules $*; echo END \$?; sleep 1000"
    shows 'END 0' "rules $*, $width columns"
}
widest() { screen | awk '{ if (length > n) n = length } END { print n + 0 }'; }

page 80 hadara --detailed
ok 'no line is wider than the terminal' test "$(widest)" -le 80
is "$(screen | grep -c '[`|]\|\*\*\|^#')" 0 'no marks are left'
like "$(screen)" $'Hadara in full\n==============\n' 'the title'
like "$(screen)" $'level  military  plunder  integrate  points\n1      3 ' \
    'tables stand in columns'
like "$(screen)" 'bonus_tile  +I  +when' 'tables: words'
coloured $'\e\[1mfeed_with_coins' 'words of moves stand out'
for width in 40 47 61 100 160; do
    page "$width" greement
    ok "at most $width columns" test "$(widest)" -le "$((width < 100 ? width : 100))"
    like "$(screen)" 'cattle  *land_price *\+ *seed_price' 'cells are wrapped, not cut'
done
page 72 hacienda --summary -l fr
like "$(screen)" 'récolter, une fois' 'French, with its accents'
term=dumb page 80 tictactoe --summary
like "$(screen)" 'Tic-tac-toe in short' 'a terminal that can do nothing'
done_testing
