#!/usr/bin/env bash
# A game without a server in a file: it goes on as if it had never been left.

. tests/support/tap.sh
. tests/term/sobremesa.sh

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
turns() { for ((i = 0; i < $1; i++)); do echo end_turn; done; }

# ---- chance, bots and what was taken back count on -----------------------------

for level in random greedy; do
    game=(hacienda --seed 9 --bots 1 --level "$level" --names Ana)
    run play --offline "${game[@]}" --record "$room/whole" < <(turns 6; echo quit)
    wants 0 "$level: a game is kept"
    run play --offline "${game[@]}" --record "$room/half" < <(turns 3; echo quit)
    wants 0 "$level: half of it"
    run play --resume "$room/half" < <(turns 3; echo quit)
    wants 0 "$level: and the rest"
    is "$(cmp "$room/whole" "$room/half" 2>&1)" '' \
        "$level: the same game came of it, draw by draw"
    is "$(wc -l <"$room/whole" | tr -d ' ')" "$(grep -c . "$room/half")" \
        "$level: all of it is there"
    rm "$room/whole" "$room/half"
done

# ---- it is a script, and what else a table is made of is in it ------------------

board=core/games/hacienda/boards/crucible.haz
run play --offline hacienda --seats 3 --board "$board" --options variant1=1 \
    --seed 4 --record "$room/own" <<<quit
wants 0 'a game on a board from a file'
run script -q "$room/own" </dev/null
wants 0 'its file is a script'
like "$out" '"variant1": ?true' 'with its options'
run play --resume "$room/own" <<<quit
wants 0 'and is gone on with'
like "$out" '3 players \(Player 0, Player 1, Player 2\), seed 4' 'by the same'

# ---- what goes wrong ------------------------------------------------------------

run play --offline hacienda --record "$room/own" </dev/null
wants 1 'a file that is there'
like "$err" 'there already' 'is not written over'
run play --resume "$room/own" --seats 2 </dev/null
wants 64 'a game is gone on with as it was'
run play --offline tictactoe --seed 18446744073709551615 \
    --record "$room/none" </dev/null
wants 64 'a seed that cannot be kept'
run play --resume "$room/none" </dev/null
wants 1 'of no file'
sed 's/"move":{[^}]*}/"move":{"verb":"fly"}/' "$room/own" >"$room/wrong"
printf '%s\n' '{"seat":0,"move":{"verb":"fly"}}' >>"$room/wrong"
run play --resume "$room/wrong" </dev/null
wants 1 'a file with a move that is none'
like "$err" 'line [0-9]+' 'the line is named'
printf '{"game":"tictactoe","seed":1}\n' >"$room/script"
run play --resume "$room/script" </dev/null
wants 1 'a script that does not say who plays'
run play --offline tictactoe --record "$room/none/such" <<<quit
wants 1 'where nothing can be written'
like "$err" 'cannot be written' 'that is said'

done_testing
