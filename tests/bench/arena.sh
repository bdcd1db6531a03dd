#!/usr/bin/env bash
# arena.sh -- whether each level beats the one below it as it should: `make
# arena`.  GAMES=40 plays so many of each at most; the rest of the environment is
# sobremesa arena's.

set -u
: "${BIN:=build/bin}" "${SEED:=1}"
failed=0

# match GAME PLAYERS LEAST GAMES [OPTION...]: ends as soon as it is clear.
match()
{
    local game=$1 players=$2 least=$3 games=$4
    shift 4
    nice -n 19 "$BIN/sobremesa" arena "$game" --players "$players" \
        --least "$least" --games "${GAMES:-$games}" --seed "$SEED" "$@" ||
        failed=1
    echo
}

# points GAME LEAST GAMES: greedy against itself is no straw man.
points()
{
    local told
    told=$(nice -n 19 "$BIN/sobremesa" arena "$1" --players greedy,greedy \
        --games "${GAMES:-$3}" --seed "$SEED") || failed=1
    echo "$told"
    awk -v least="$2" '$1 == "greedy" { sum += $(NF - 2); n++ }
        END { mean = sum / n
              printf "greedy makes %.1f points; %d are wanted: %s\n\n", mean,
                     least, mean < least ? "missed" : "held"
              exit mean < least }' <<<"$told" || failed=1
}

match tictactoe search,random 90 400
match hacienda greedy,random 98 400
match hadara greedy,random 97 400
match greement greedy,random 95 400
points hacienda 130 100
points hadara 135 100
match hacienda search,greedy 85 400
match hadara search,greedy 85 400
match greement search,greedy 60 400
match hacienda search:500,search:125 55 400
match hadara search:4000,search:1000 55 400
match greement search:600,search:150 52 400
exit "$failed"
