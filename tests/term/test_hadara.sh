#!/usr/bin/env bash
# Hadara in the terminal: whole games of bots, moves in lines, tables of one's
# own, and the full screen as people drive it.

. tests/support/tap.sh
. tests/term/sobremesa.sh

# unlike TEXT PATTERN WHAT
unlike()
{
    ok "$3" bash -c '! [[ $1 =~ $2 ]]' - "$1" "$2"
}

# ---- whole games --------------------------------------------------------------

for options in advanced=0 advanced=1; do
    for seats in 2 3 4 5; do
        run play --offline hadara --seats "$seats" --options "$options" \
            --bots all --level random --seed "$seats"
        wants 0 "bots, $seats seats, $options"
        like "$out" 'The game is over[.:]' "bots, $seats seats, $options: ends"
        unlike "$out" $'\n[A-Z][a-z 0-9]*: [a-z_]+( |\n|$)' \
            "bots, $seats seats, $options: all is told in sentences"
    done
done

# ---- in lines -----------------------------------------------------------------

play() { run play --offline --plain "$@"; }

play hadara --seed 3 --bots 1 --level random --names Ana <<'END'
who
hand
board
choose red-1-02 buy
log 3
try choose red-1-02 buy
hand
quit
END
wants 0 'in lines'
like "$out" 'epoch I, phase A: cards, step 1 of 5. Ana: keep one of your two cards: red-1-06, red-1-02' \
    'in lines: what is to be done'
like "$out" 'buy red-1-06 for 3\$ \[choose discard=red-1-02 keep=buy\]: military 1 to 2, coins 10 to 7, points 0 to 7' \
    'in lines: a preview'
like "$out" 'red: deck 2, here is Ana' 'in lines: the ring'
like "$out" 'food 5 = setup 5' 'in lines: what feeds a track'
like "$out" 'Ana buys a red card \(military 1, 7 points\) for 3\.' 'in lines: a purchase'
like "$out" 'step 2 of 5' 'in lines: the next step'

play hadara --seed 1 --names Ana,Ben --options advanced <<'END'
hand
choose_side a
hand
choose_side b
quit
END
wants 0 'sides'
like "$out" 'side A of setup card [1-5] .*: income 0 to' 'sides: a preview'
like "$out" 'Ben: choose a side' 'sides: the other one'
like "$out" 'Ben plays side B' 'sides: told when all have chosen'

play hadara --seed 1 --names Ana,Ben <<'END'
set_wheel 0
hand
quit
END
wants 0 'the wheel'
like "$out" 'sets the wheel' 'the wheel: set'

# ---- what people should know of the numbers -------------------------------------

run games hadara
wants 0 'games hadara'
like "$out" 'About the numbers' 'games: notes'
like "$out" '[Ee]stimate' 'games: estimates'
like "$out" 'Tables of numbers' 'games: tables'
run games hadara --json
ok 'games --json: notes' python3 -c '
import json, sys
g = json.loads(sys.argv[1])
assert g["notes"] and g["asset_kind"] == "tables", g["notes"]' "$out"

# ---- tables of one's own ----------------------------------------------------------

own=$(mktemp -d "${TMPDIR:-/tmp}/tables.XXXXXX")
cp core/games/hadara/data/1/*.csv "$own"
run play --offline hadara --tables "$own" --bots all --level random --seed 1
wants 0 'tables: a folder'
run play --offline hadara --tables standard --bots all --level random --seed 1
wants 0 'tables: by name'
for f in epoch_cards colonies medals setup_cards statues; do
    echo "[$f]"
    cat "$own/$f.csv"
done >"$own/all"
run play --offline hadara --tables "$own/all" --bots all --level random --seed 1
wants 0 'tables: one file'
sed -i '4s/,[0-9]*/,100/' "$own/medals.csv"
run play --offline hadara --tables "$own" --bots all --level random --seed 1
wants 1 'tables: a number too high'
like "$err" 'medals\.csv, line 4: ' 'tables: which file, which line'
rm "$own/medals.csv"
run play --offline hadara --tables "$own" --bots all --level random --seed 1
wants 1 'tables: a file is missing'
like "$err" 'missing_section' 'tables: says so'
run play --offline hadara --tables "$own/none" --bots all --level random
wants 1 'tables: no such folder'
run play --offline hadara --board "$own" --bots all --level random
wants 1 'a board for Hadara'
like "$err" 'without a board.*--tables' 'a board for Hadara: says what there is'
run play --offline hacienda --tables "$own" --bots all --level random
wants 1 'tables for Hacienda'
rm -r "$own"

# ---- the full screen ----------------------------------------------------------------

if ! command -v tmux >/dev/null; then
    done_testing
    exit
fi
. tests/term/tmux.sh

open 80 24 hadara --seed 1 --seats 3 --bots 1,2 --level random --names Ana
shows 'epoch I, phase A: cards, step 1 of 5 +Ana: keep one' 'title'
shows 'income milit\. cultur +food +coins points if end' 'heads'
shows '>0 Ana .* 2 +2 +1 +5 +9 +0 +\(1\)' 'own numbers'
shows '2 Bot 2 +1st' 'the first player'
shows '>1 buy green-1-07 for 3\$ .* 5→8 +9→6 +0→2 +1→3' 'a preview'
shows 'sell green-1-05' 'all ways'
shows 'green-1-07: costs 3; food 3; 2 points\. Discards green-1-05' 'in words'
shows 'inc 2 = setup 2' 'what feeds the tracks'
shows 'col 3: \+3/-1\$ 2p' 'colonies'
shows 'sta 6: 4p, bonus 2' 'statues'
shows 'tiles i2 m2 c2 f2 +medals none' 'tiles and medals'
shows '\? help' 'the keys'
coloured $'\e\[[0-9;]*48;5;' 'there is colour'
press Down '>2 sell green-1-07' 'the next way'
press v '>4 sell green-1-05' 'the next to sell'
press b '>1 buy green-1-07' 'the next to buy'
press 3 '>3 buy green-1-05' 'by number'
press 9 'only 4 ways' 'no such number'
press 1 '>1 buy' 'the first'
press Enter 'step 2 of 5' 'Enter plays'
shows '1-07 f3 2p' 'the card lies on the board'
shows '1:1-05 ' 'the discarded one on the pile'
press u 'cannot be taken back' 'the last choice cannot be undone'
press Tab 'There is no card here|costs' 'among the cards'
press Escape '>1 ' 'back to the ways'
press o 'Bot 1 setup' 'the board of another'
press Escape 'Ana setup' 'and one'"'"'s own again'
press : 'Move:' 'a move in words'
keys Escape
press c 'Piles, boards and effects' 'all boards'
press q '>1 ' 'back'
press s 'If it were scored now' 'points'
press q '>1 ' 'back'
press '?' 'Choose what to do' 'help'
press q '>1 ' 'back'
for i in 3 4 5; do
    press 2 '>2 ' "step $i: the second way"
    keys Enter
done
keys 2 Enter
shows 'colonies|statues|piles, 1 of 5' 'phase A is over'
keys q y
shows 'END 0' 'leaves with 0'

# A purple effect is told where its card is chosen or looked at.
open 80 24 hadara --seed 5 --seats 2 --names Ana,Ben --options advanced
shows 'The keyboard goes to' 'two people: a page between them'
press Enter 'choose a side' 'sides'
shows 'side A of setup card .* 0→' 'sides: a preview'
press Enter 'The keyboard goes to' 'the choice is hidden, nothing of it is seen' 'side [ab]'
press Enter 'choose a side' 'the other: nothing of the first' 'will play|chooses side'
press Enter 'the wheel' 'all have chosen'
shows 'you at ' 'the wheel'
shows 'starts at' 'the wheel: who starts where'
press Enter 'keep one' 'the cards are drawn'
keys q y

# One has chosen, the other has not: it is shown, and can be changed.
open 80 24 hadara --seed 3 --seats 2 --names Ana,Ben
shows 'The keyboard goes to' 'a choice: begins'
keys Enter
shows 'the wheel' 'a choice: the wheel'
press Enter 'keep one of your two' 'a choice: the first'
press Enter 'The keyboard goes to' 'a choice: made'
press Enter 'keep one of your two' 'a choice: hidden from the second' 'will discard'
shows 'chosen' 'a choice: that there is one is seen'
press t 'The keyboard goes to' 'a choice: the first again'
press Enter 'you may still change it' 'a choice: can be changed'
shows '\*1 ' 'a choice: is marked'
press 2 '>2 ' 'a choice: another way'
press Enter 'The keyboard goes to' 'a choice: changed'
keys Enter
shows 'keep one of your two' 'a choice: the second is still to choose'
keys q y
shows 'END 0' 'a choice: leaves'

# ---- sizes, colours, a whole game --------------------------------------------------

open 200 60 hadara --seed 7 --seats 4 --bots 1,2,3 --level random --names Ana \
    --options advanced
shows 'Scored now' 'large: points by category'
shows 'What happened' 'large: the log'
press Enter 'Bot 3 setup' 'large: the boards of all'
tm resize-window -x 80 -y 24
shows '\? help' 'made smaller' 'Bot 3 setup'
tm resize-window -x 50 -y 15
shows $'inc +mil +cul food(.|\n)*\n>1 ' 'made tiny: still usable'
tm resize-window -x 30 -y 12
shows $'\n  inc mil cul foo(.|\n)* starts at' 'made minute'
tm resize-window -x 30 -y 8
shows $'too small: 30 x\n8, and this takes 30 x 12' 'too low: says so'
tm resize-window -x 26 -y 5
shows $'too small:\n26 x 5' 'too small: says so'
tm resize-window -x 120 -y 40
shows 'Bot 2 setup' 'large again'
keys q y
shows 'END 0' 'leaves'

open 80 24 hadara --seed 1 --bots 1 --level random --no-colour --ascii
shows '5>[0-9]+|[0-9]>[0-9]' 'ASCII: a preview'
ok '--ascii: ASCII only' bash -c '! LC_ALL=C grep -q "[^ -~]" <<<"$1"' - \
    "$(screen)"
ok '--no-colour: no colours' bash -c \
    '! grep -q $'"'"'\e\[[0-9;]*[34][0-8][;m]'"'"' <<<"$1"' - "$(colours)"

open 80 24 hadara --seed 2 --seats 5 --bots 1,2,3,4 --level random --names Ana \
    --options advanced
shows '4 Bot 4' 'five players'
for ((i = 0; i < 150; i++)); do
    keys 2 Enter e Enter 1 Enter
done
shows 'game is over|total' 'a whole game at the keyboard'
keys Escape
press s 'total +place' 'a whole game: the result'
press Escape 'game is over' 'the last position stays'
press q 'END 0' 'leaves without a question'

# Where a column is too narrow for both numbers, it has the one to be.
open 60 20 hadara --bots 1 --seed 3
shows ' 5 +→12 ' 'what a choice makes of the coins stands by itself'
open 60 12 hadara --seats 5 --bots 1,2,3,4 --seed 3
shows 'too small: 60 x 12, and this takes 30 x 13' 'too few lines for five'
tm resize-window -x 60 -y 13
shows 'you at blue' 'as many as it takes'

done_testing
