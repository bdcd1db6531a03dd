#!/usr/bin/env bash
# The full screen, driven through a terminal as a person would: tmux sends keys
# and looks at what stands there.

. tests/support/tap.sh
. tests/term/sobremesa.sh

command -v tmux >/dev/null || skip_all 'tmux is not installed'
. tests/term/tmux.sh

# ---- hacienda, 80 by 24 -------------------------------------------------------

open 80 24 hacienda --seed 1 --seats 3 --bots 1,2 --level random --names Ana
shows 'first half +round 1 +Ana ◌◌◌ +20 pesos' 'title'
shows 'O .* · ' 'the whole board fits'
shows '0 Ana' 'the players'
shows 'Hand 1 mountain 0 2 forest 2' 'the hand'
shows 'd land pile 50, 2\$ +b ' 'what can be bought'
shows '3 actions left: 2 forest, 3 meadow.*\? help' 'what can be done, with its keys'
shows 'Possible: ' 'the first hex is one that can be played on'
coloured $'\e\[[0-9;]*48;5;' 'there is colour'
press 4 'You do not hold that card' 'a card one does not have'
press 2 '\(♣♣♣\)' 'targets light up'
press n '\[♣♣♣\]' 'to the next target'
shows 'Enter: play forest' 'what Enter does'
press Enter 'Ana ●◌◌' 'Enter plays'
shows '\[0L ' 'the tile lies there'
shows 'Ana plays forest' 'the log'
press u 'Ana takes back the last move' undo
shows 'Ana ◌◌◌' 'undo: the action is back'
press u 'cannot be taken back' 'no more to undo'
press d 'may be mountain 1' 'a pile tells what may come'
press Enter '18 pesos' 'a card is bought'
press u 'cannot be taken back' 'a purchase is final'
press w 'water \(pond\)' 'water'
press w 'water \(lake of 2\)' 'the next shape'
keys n
press n 'r: 1/' 'a double can be turned'
press r 'r: 2/' 'and is turned'
press Escape 'pampas, empty\. +Possible' 'nothing in hand'
press : 'Move:' 'a move in words'
keys 'play_land forest c4' Enter
shows 'Ana ●●◌' 'a move in words is played'
press s 'If it were scored now' points
press Space 'Hand 1' 'back'
press c 'Markets pay' 'cards and prices'
press Space 'Hand 1' 'back'
press g 'newest first' 'the log as a page'
press q 'Hand 1' 'back'
press '?' 'Take something' help
press q 'Hand 1' 'back'
press z 'Hand 1' 'zoom: small'
press z ' H9 ' 'zoom: large, with names'
press z '\? help' 'zoom: as it fits'
press e 'the end of your turn' 'the end of the turn'
press Enter 'round 2 +Ana ◌◌◌' 'the bots have moved'
press q 'Leave the game' 'q asks'
press n '\? help' 'no: stays'
press q 'Leave the game' 'q asks again'
press y 'END 0' 'y: leaves with 0'
shows 'was left at ply' 'the terminal is given back'

# ---- other sizes, and changing them -----------------------------------------

open 200 60 hacienda --seed 1 --seats 5 --bots 1,2,3,4 --level random --names Ana
shows 'Scored now' 'large: points by category'
shows 'Land pile: ' 'large: what may be in the piles'
shows 'What happened' 'large: the log'
shows 'O13' 'large: hexes have names'
tm resize-window -x 80 -y 24
shows '0 Ana *' 'made smaller' 'Scored now'
shows 'e end turn' 'made smaller: all is there'
tm resize-window -x 50 -y 15
shows 'Hand 1' 'made tiny: still usable'
keys 2
press n '\[♣♣♣\]' 'made tiny: the board follows the cursor'
tm resize-window -x 26 -y 5
shows 'too small' 'too small: says so'
tm resize-window -x 120 -y 40
shows 'Hand 1' 'large again' 'too small'
press q 'Leave' 'leaves'
press y 'END 0' 'leaves'

# ---- without colour, without Unicode ------------------------------------------

open 80 24 hacienda --seed 1 --bots 1 --level random --no-colour --ascii
shows 'first half' 'ASCII: title'
shows '\^\^\^' 'ASCII: mountains'
shows 'Player 0 \.\.\.' 'ASCII: actions'
ok '--no-colour: no colours' bash -c \
    '! grep -q $'"'"'\e\[[0-9;]*[34][0-8][;m]'"'"' <<<"$1"' - "$(colours)"
keys 2
press n '\[YYY\]' 'ASCII: a target'
ok '--ascii: ASCII only' bash -c '! LC_ALL=C grep -q "[^ -~]" <<<"$1"' - \
    "$(screen)"
environment='env NO_COLOR=1' open 80 24 hacienda --seed 1 --bots 1 --level random
shows 'first half' 'NO_COLOR'
ok 'NO_COLOR: no colours' bash -c \
    '! grep -q $'"'"'\e\[[0-9;]*[34][0-8][;m]'"'"' <<<"$1"' - "$(colours)"
term=vt100 open 80 24 hacienda --seed 1 --bots 1 --level random
shows 'first half' 'a terminal without colours'
term=xterm open 80 24 hacienda --seed 1 --bots 1 --level random
shows 'first half' 'a terminal with eight colours'
term=dumb open 80 24 tictactoe --bots 1 --level random
shows 'Waiting for Player 0' 'a dumb terminal: lines'
term=none-such open 80 24 tictactoe --bots 1 --level random
shows 'Waiting for Player 0' 'an unknown terminal: lines'

# ---- several people ------------------------------------------------------------

open 80 24 hacienda --seed 1 --seats 2 --names Ana,Ben
shows 'The keyboard goes to (Ana|Ben)' 'two people: who is first'
press Enter '(Ana|Ben) ◌◌◌' 'two people: the first'
first=$(screen | grep -o -E '(Ana|Ben) ◌' | head -n 1 | cut -c1-3)
other=$([[ $first == Ana ]] && echo Ben || echo Ana)
press e 'the end of your turn' 'two people: ends the turn'
press Enter "The keyboard goes to $other" 'two people: passes the keyboard, and the hand is hidden' Hand
press Enter "$other ◌◌◌" 'two people: the second'

# ---- a game without a screen of its own ------------------------------------------

open 80 24 tictactoe --names Ana,Ben
shows 'Moves \(9\)' 'a list of moves'
shows '> place cell=a1' 'the first is chosen'
press Down '> place cell=b1' 'the next'
press Up '> place cell=a1' 'back'
press Enter 'Ana takes a1' 'played'
shows 'Ben to move' 'the other one'
shows '1 X \. \.' 'the board'
press u 'Ana takes back' 'undo'
for cell in a1 a2 b1 b2 c1; do
    keys : "place $cell" Enter
done
shows 'Ana has won' 'the result as a page'
press Space 'The game is over' 'the last position stays'
press q 'END 0' 'leaves without a question'
shows 'Ana has won' 'the result once more'

# ---- the mouse, sequences of unknown keys, words with Tab ----------------------

# click X Y: pressed and released there, as the terminal would tell.
click()
{
    local at
    at=$(printf '\\x%x\\x%x' $((33 + $1)) $((33 + $2)))
    tm send-keys -l "$(printf '\033[M %b\033[M#%b' "$at" "$at")"
}

open 60 20 hacienda --seed 4 --seats 2 --bots 1 --level random --names Ana
shows '1 moun 2 +2 fore 2 +3 mead 1 +4 rock 1 +5 swam 2 +6 pamp 0' 'small: all cards'
shows '3 actions left.*\? help' 'small: what can be done'
click 26 12
shows 'meadow: +n next place.*\? help' 'a click takes a card'
click 32 4
shows 'D8 pampas, empty' 'one on a hex goes there'
click 32 4
shows 'Not here' 'one more is Enter'
tm send-keys -l $'\e[999~\e[1;77P\eOZ\e]11;rgb:1/2/3\a'
press Escape 'actions left' 'no part of an unknown sequence is a key' 'Not here'
shows 'Ana ◌◌◌' 'and nothing was done'
press : 'Move:' 'a move in words'
keys -l 'pl'
press Tab 'Move: play_land' 'Tab completes what is certain'
keys -l 'm'
press Tab ' mountain meadow *' 'and tells what there is'
keys -l 'e'
press Tab 'Move: play_land meadow' 'of what can be played'
press Tab ' E11 F3 ' 'places, too'
keys -l f3
keys Enter
shows 'Ana ●◌◌' 'and played'
press : 'Move:' 'the next one'
press Up 'Move: play_land meadow f3' 'what was typed before comes again'
press Escape 'Ana ●◌◌' 'or not'
tm resize-window -x 40 -y 15
shows 'too small.*40 x 15.*46 x 12' 'too small a window says so'
press q 'Leave the game' 'and can be left'

open 60 20 greement --seed 4 --seats 3 --bots 1,2 --level random --names Ana
shows 'distance tax +[0-9].*action card +[0-9]' 'small: the values'
shows '>0 0\+0 Ana' 'small: the players'
open 60 20 hadara --seed 4 --seats 2 --bots 1 --level random --names Ana
shows '0 Ana .* 1st +0c' 'small: the players of Hadara'
click 22 5
shows '>2 you at green' 'a click chooses'
click 22 5
shows 'keep one of your two' 'and does it'

# A whole game of Hacienda at the keyboard: only passing ends it.
open 80 24 hacienda --seed 4 --seats 2 --names Ana,Ben
shows 'The keyboard goes to (Ana|Ben)' 'passing: begins'
other=$([[ $(screen) == *'goes to Ana'* ]] && echo Ben || echo Ana)
keys Enter e Enter
shows "The keyboard goes to $other" 'passing: the first'
keys Enter e Enter
shows 'total  place' 'passing: the game ends'
press Space 'over, after' 'passing: the last position'
press q 'END 0' 'passing: leaves'

# A table of points that is wider than the page is sentences.
open 60 20 hacienda --bots 1 --level random --seed 7 --names AnastasiaTheThird
press s 'Third: total [0-9]+ \(markets [0-9]+, land [0-9]+' 'narrow: points'
press Escape 'actions? left' 'narrow: back'

done_testing
