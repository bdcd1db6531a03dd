#!/usr/bin/env bash
# Every command of the terminal client with good and bad arguments: what it
# prints, where, and its exit status.

. tests/support/tap.sh
. tests/term/sobremesa.sh

# ---- the program -------------------------------------------------------------

run --version
wants 0 version
like "$out" '^sobremesa [0-9]' 'version: says it'
for command in '' register login guest logout whoami ratings results email factor hours \
    notices lobby waiting create join play \
    watch replay bot arena games board 'board check' 'board show' \
    'board generate' 'board convert' script; do
    # shellcheck disable=SC2086 # two words
    run $command --help
    wants 0 "help of '$command'"
    like "$out" "Usage: sobremesa ${command}" "help of '$command': usage"
done
usage 'no command'
usage 'no such command' dance
usage 'no such option' --dance
like "$err" '^sobremesa: there is no option --dance' 'and it is named'
usage 'a wrong option' lobby --gmae hacienda
like "$err" '--gmae; did you mean --game' 'it is named, with the one meant'
usage 'an option of commands before any' --server /nowhere lobby
like "$err" '--server stands behind the command' 'it is said where it stands'
usage 'a wrong letter' lobby -x
like "$err" 'no option -x' 'it is named'
usage 'an option without its value' lobby --game
like "$err" 'missing behind --game' 'what is missing is named'
usage 'a value where there is none' lobby --json=1
like "$err" '--json takes no value' 'and it is said'
run games --js tictactoe
wants 0 'the beginning of an option'
like "$out" '^\{' 'is that option'
run create hacienda --options -x --server /nowhere
like "$err" "no option '-x'" 'a value may look like an option'
run verify -- -x
like "$err" '-x: No such file' 'behind -- nothing is an option'
usage 'board without an action' board
usage 'no such action' board dance
usage 'waiting for what' waiting godot

# ---- games ----------------------------------------------------------------

run games
wants 0 games
like "$out" hacienda 'games: lists hacienda'
like "$out" tictactoe 'games: lists tictactoe'
run games hacienda
wants 0 'games hacienda'
for word in play_land buy_water market_paid variant1 crucible symmetric \
    not_adjacent haciendas turn_up; do
    like "$out" "$word" "games hacienda: tells of $word"
done
run games tictactoe --json
wants 0 'games --json'
is "$(python3 -c '
import json, sys
g = json.load(sys.stdin)
print(g["name"], g["verbs"][0]["name"], g["verbs"][0]["arguments"][0]["words"],
      g["boards"])' <<<"$out")" \
    "tictactoe place ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'] []" \
    'games --json: verbs and words'
run games --json
ok 'games --json: all of them are a list' python3 -c '
import json, sys
assert [g["name"] for g in json.loads(sys.argv[1])] >= ["hacienda"]' "$out"
refused 'games: no such game' 'hacienda, .*tictactoe' games chess
usage 'games: two at a time' games hacienda tictactoe

# ---- boards ----------------------------------------------------------------

dir=$(mktemp -d)
for board in symmetric asymmetric five_lagoons crucible; do
    run board show "$board"
    wants 0 "show $board"
    like "$out" "$(printf 'market, ')" "show $board: counts"
    run board convert "$board"
    wants 0 "convert $board"
    printf '%s\n' "$out" >"$dir/$board.haz"
    run board check "$dir/$board.haz"
    wants 0 "check $board"
    is "$out" '' "check $board: silent"
    run board convert "$dir/$board.haz"
    is "$out" "$(cat "$dir/$board.haz")" "convert $board: a second time the same"
done
run board show five_lagoons --json
is "$(python3 -c '
import json, sys
b = json.load(sys.stdin)
print(b["counts"]["water"], sum(b["counts"].values()) - len(b["hexes"])
      - b["counts"]["void"])' <<<"$out")" '5 0' 'show --json: counts and hexes'
run board show - <"$dir/crucible.haz"
wants 0 'show from standard input'
# The line ends of Unix are no reason to refuse a board.
tr -d '\r' <"$dir/symmetric.haz" >"$dir/lf.haz"
run board convert "$dir/lf.haz"
is "$out" "$(cat "$dir/symmetric.haz")" 'convert: LF becomes CRLF'

refused 'check: no such file' 'No such file' board check "$dir/none.haz"
refused 'check: a directory' directory board check "$dir"
refused 'show: no such name' 'built-in boards are symmetric' board show moon
sed '12s/=.*/=99/' "$dir/symmetric.haz" >"$dir/bad.haz"
refused 'check: a bad code' 'line 12: .*\(' board check "$dir/bad.haz"
head -n 40 "$dir/symmetric.haz" >"$dir/short.haz"
refused 'check: cells missing' 'line' board check "$dir/short.haz"
head -c 100000 /dev/zero >"$dir/long.haz"
refused 'check: too long' 'longer than' board check "$dir/long.haz"
: >"$dir/empty.haz"
refused 'check: empty' 'line' board check "$dir/empty.haz"
usage 'check: no file' board check
usage 'check: two files' board check a b

run board generate --seed 5
first=$out
wants 0 generate
run board generate --seed 5
is "$out" "$first" 'generate: the same seed, the same board'
run board generate --seed 6
ok 'generate: another seed, another board' test "$out" != "$first"
run board generate --seed 5 --columns 11 --rows 21 --symmetry half_turn \
    --markets 6 --waters 2 --name Small --author Me
printf '%s\n' "$out" >"$dir/made.haz"
run board show "$dir/made.haz" --json
is "$(python3 -c '
import json, sys
b = json.load(sys.stdin)
print(b["columns"], b["rows"], b["counts"]["market"], b["counts"]["water"],
      b["name"], b["author"])' <<<"$out")" '11 21 6 2 Small Me' \
    'generate: as it was asked for'
run board generate
is "$status" 0 'generate without a seed'
like "$err" '^seed [0-9]+$' 'generate without a seed: tells it'
refused 'generate: too large' '\(' board generate --seed 1 --columns 1000
refused 'generate: too many markets' '\(' board generate --seed 1 --columns 5 \
    --rows 5 --markets 200
usage 'generate: no number' board generate --markets many
usage 'generate: a sign' board generate --seed -1
usage 'generate: no such symmetry' board generate --symmetry mirror
usage 'generate: a stray word' board generate now
usage 'generate: over a hundred percent' board generate --land 101

# ---- play: what is wrong before it begins ------------------------------------

refused 'play: no such game' 'hacienda' play --offline chess
usage 'play: no game' play --offline
usage 'play: not offline' play hacienda
usage 'play: two games' play --offline hacienda tictactoe
refused 'play: too many seats' '2 to 5 players' play --offline hacienda \
    --seats 6
refused 'play: no seats' '2 to 5 players' play --offline hacienda --seats 0
usage 'play: seats without a number' play --offline hacienda --seats two
usage 'play: a bot beyond the seats' play --offline hacienda --seats 2 --bots 2
usage 'play: bots without numbers' play --offline hacienda --bots x
usage 'play: no such level' play --offline hacienda --bots 1 --level godlike
like "$err" 'random, greedy or search' 'and it says which there are'

# ---- bots that play each other -------------------------------------------------

refused 'arena: more than can play' 'for 2 to 2 players' \
    arena tictactoe --players search,greedy,random --games 3
usage 'arena: no such player' arena tictactoe --players search,godlike
usage 'arena: nobody' arena tictactoe --players ''
usage 'arena: no such number' arena tictactoe --players search:0,greedy
run arena tictactoe --players search,random --games 40 --seed 3 --threads 1
wants 0 'arena'
like "$out" 'tictactoe, 2 players, seed 3: 40 games in 20 rounds' \
    'arena: what was played'
like "$out" 'search +[0-9]+ +[0-9]+ +(9[0-9]|100)' 'arena: who won, and how often'
# What OUT says but for the time it took, at the end of each line.
timeless()
{
    sed 's/ [ .0-9]*$//' <<EOF
$out
EOF
}
arena=$(timeless)
run arena tictactoe --players search,random --games 40 --seed 3 --threads 4
is "$(timeless)" "$arena" \
    'arena: the same however many processors there are'
run arena tictactoe --players greedy,greedy --games 400 --seed 3 --least 60
wants 1 'arena: who plays alike does not win more'
like "$err" 'greedy does not have 60 % of the wins' 'arena: and it says so'
run arena tictactoe --players search,random --games 400 --seed 3 --least 80
like "$out" 'search has 80 % of the wins or more' 'arena: and who does'
refused 'arena: two games tell nothing' 'do not tell whether' \
    arena tictactoe --games 2 --least 80
usage 'play: a seed without a number' play --offline hacienda --seed x
usage 'play: a seed too large' play --offline hacienda \
    --seed 99999999999999999999
refused 'play: no such option' 'no option' play --offline hacienda \
    --options speed=1
refused 'play: a bad value' 'true or false' play --offline hacienda \
    --options variant1=2
refused 'play: an option twice' twice play --offline hacienda \
    --options variant1=1,variant1=0
refused 'play: no such board' 'built-in' play --offline hacienda --board moon
refused 'play: a bad board' 'line 12' play --offline hacienda \
    --board "$dir/bad.haz"
refused 'play: a board where there is none' 'without a board' \
    play --offline tictactoe --board symmetric
refused 'play: crucible elsewhere' crucible play --offline hacienda \
    --options crucible=1 --board symmetric --seats 2
refused 'play: crucible for three' crucible play --offline hacienda \
    --options crucible --seats 3
usage 'play: a name that moves the cursor' play --offline hacienda \
    --names $'\e[2J'

# ---- output that goes nowhere -----------------------------------------------

"$sobremesa" board show symmetric >/dev/full 2>"$dir/err"
is $? 1 'a full disk: exit status 1'
like "$(cat "$dir/err")" 'cannot write' 'a full disk: says so'

rm -rf "$dir"
done_testing
