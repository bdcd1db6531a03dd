#!/usr/bin/env bash
# Play in lines: through pipes, with people and bots, whole games.

. tests/support/tap.sh
. tests/term/sobremesa.sh

play() { run play --offline "$@"; }
# count PATTERN: the lines of $out that match.
count() { grep -c -- "$1" <<<"$out"; }

# ---- tic-tac-toe by two people --------------------------------------------

play tictactoe --seed 1 --names Ana,Ben <<'END'
place a1
place cell=b1
place a2
board
place b2
place a3
END
wants 0 'a game of two'
like "$out" 'Ana takes a1\.' 'a game of two: events are sentences'
like "$out" '1 X O \.' 'a game of two: the board'
like "$out" 'Ana has three in a line' 'a game of two: the line'
like "$out" 'Ana has won' 'a game of two: the winner'
like "$out" 'Ben +0 +0 +2\.' 'a game of two: the places'
like "$out" 'seed 1\.' 'a game of two: the seed'

play tictactoe <<'END'
place a1
undo
legal
undo
quit
END
wants 0 undo
like "$out" 'takes back' 'undo: done'
is "$(count '^  place cell=')" 9 'undo: all cells are free again'
like "$out" 'nothing to take back' 'undo: nothing more'
like "$out" 'seed [0-9]+\.' 'a drawn seed is told'

play tictactoe <<'END'
place a1
place a1
place z9
place
place a2 a3
jump
seat 7
log x
legal jump
help
quit
END
wants 0 'mistakes do not end a game'
like "$out" 'cell_taken' 'a refusal with its word'
is "$(count 'It is said so: place cell=')" 3 'a bad move: how it is said'
like "$out" "There is no move 'jump'" 'an unknown move'
like "$out" 'Put your mark' 'help explains the moves'
like "$out" 'no bot' 'a seat that is not'
like "$out" 'log: expected' 'a log that is not'

# Who looks to the end never loses; two of them draw.
for seed in 1 2 3; do
    play tictactoe --bots all --level search --seed "$seed" </dev/null
    like "$out" 'The game is over: a draw' "two that cannot lose: $seed"
done
for level in random greedy search; do
    play hadara --bots 1 --level "$level" --seed 4 <<<'quit'
    wants 0 "a bot that is $level"
done

play tictactoe --bots 1 --level random --seed 2 <<'END'
place b2
undo
try a1
try place a1
state
score
who
moves

log 1
END
wants 1 'the input ends too early'
like "$err" 'input ended before the game' 'the input ends too early: says so'
like "$out" 'Bot 1 takes' 'a bot answers'
like "$out" 'Others have moved' 'a bot has moved: no undo'
like "$out" 'Nothing is done yet' 'try does not play'
like "$out" 'cells: ' 'state'
like "$out" 'line  total' score
run play --offline tictactoe </dev/null
is "$status" 1 'no input at all: exit status 1'

# ---- games of bots ----------------------------------------------------------

for game in tictactoe hacienda; do
    play "$game" --bots all --seed 11 </dev/null
    wants 0 "bots: $game"
    like "$out" 'The game is over' "bots: $game ends"
    like "$out" 'total  place' "bots: $game has a result"
    first=$out
    play "$game" --bots 0,1 --seed 11 </dev/null
    is "$out" "$first" "bots: $game is the same again with the same seed"
done
for seats in 3 4 5; do
    play hacienda --bots all --seats $seats --seed $seats </dev/null
    wants 0 "bots: hacienda with $seats"
done
for options in variant1=1 variant2=on variant1=true,variant2=1 crucible=1; do
    play hacienda --bots all --options $options --seed 3 </dev/null
    wants 0 "bots: hacienda with $options"
done
play hacienda --bots all --board crucible --seed 3 </dev/null
is "$out" "$(play hacienda --bots all --options crucible --seed 3 </dev/null
             echo "$out")" 'board and option crucible imply each other'

# A board from a file, with a terminal's locale and without.
dir=$(mktemp -d)
"$sobremesa" board generate --seed 4 --columns 9 --rows 17 >"$dir/small.haz"
play hacienda --board "$dir/small.haz" --bots all --seed 1 </dev/null
wants 0 'bots: on a generated board'
LC_ALL=C play hacienda --board "$dir/small.haz" --bots 1 --seed 1 <<<board
ok 'ASCII where the locale knows no more' \
    bash -c '! LC_ALL=C grep -q "[^ -~]" <<<"$1"' - "$out"
rm -rf "$dir"

# ---- hacienda by one person ---------------------------------------------------

play hacienda --seed 1 --seats 2 --bots 1 --names Ana <<'END'
hand
board
legal
legal play_land
legal play_land forest
play_land forest c7
play_land forest c4
undo
try buy_water single e1
play_land card=forest hex=C4
buy_land_supply
undo
score
log 3
end_turn
who
quit
END
wants 0 'hacienda by one'
like "$out" 'Ana draws meadow' 'own cards are seen'
like "$out" 'Bot 1 draws a card \(land\)\. \(8 times\)' 'others are not'
like "$out" 'Hand of Ana, land: mountain, forest' hand
like "$out" 'may still be face down: mountain 13' 'what may come'
like "$out" '\$\$\$' board
like "$out" 'play_land: 60 ways' 'legal: many are counted'
is "$(count '^  play_land card=forest')" 24 'legal: narrowed by a word'
like "$out" 'wrong_space' 'a refusal'
like "$out" 'Ana takes back' 'a card can be taken back'
like "$out" 'Ana plays forest on C4' 'small letters name a hex'
like "$out" 'Points of Ana: 0, now 2' 'try tells the points'
like "$out" 'cannot be taken back' 'a purchase cannot'

# A whole game of one who only draws and passes, against bots.
yes $'buy_land_supply\nend_turn' 2>/dev/null | head -n 5000 >"$TMPDIR/moves"
play hacienda --seats 3 --bots 0,2 --seed 8 <"$TMPDIR/moves"
wants 0 'hacienda to its end'
like "$out" 'The game is over' 'hacienda to its end: the result'

# Lines longer than any move, bytes that are no text.
{ head -c 100000 /dev/zero | tr '\0' 'a'; echo; printf '\xff\xfe\n'
  echo 'place b2'; } >"$TMPDIR/noise"
play tictactoe --bots 1 <"$TMPDIR/noise"
is "$status" 1 'noise: ends with the input'
like "$out" 'Player 0 takes b2' 'noise: the move after it counts'

done_testing
