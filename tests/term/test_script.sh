#!/usr/bin/env bash
# `sobremesa script`: plays, undoes, expects and refuses; and says in which
# line something does not hold.

. tests/support/tap.sh
. tests/term/sobremesa.sh

# json EXPRESSION: of d, the document at the end of $out.
json()
{
    python3 -c '
import json, sys
d = json.loads(sys.stdin.read().splitlines()[-1])
print(eval(sys.argv[1]))' "$1" <<<"$out"
}

# holds WHAT / fails WHAT PATTERN: the script on stdin.
holds()
{
    run script -
    wants 0 "$1"
}
fails()
{
    run script -
    wants 1 "$1"
    like "$err" "$2" "$1: the line and the reason"
}

# ---- what is printed ---------------------------------------------------------

holds 'a game of tic-tac-toe' <<'END'
# comments and blank lines are passed over

{"game": "tictactoe", "seats": 2}
{"seat": 0, "move": {"verb": "place", "cell": "a1"}}
{"seat": 1, "move": {"verb": "place", "cell": "b1"}}
{"kind": "undo", "seat": 1}
{"seat": 1, "move": {"verb": "place", "cell": "c3"}}
  {"seat": 0, "move": {"verb": "place", "cell": "a2"}}
{"seat": 1, "move": {"verb": "place", "cell": "b2"}}
{"seat": 0, "move": {"verb": "place", "cell": "a3"}}
END
is "$(wc -l <<<"$out")" 8 'a line for each ply, one for the undo, one document'
is "$(head -n 1 <<<"$out")" '{"ply":1,"seat":0,"move":{"verb":"place","cell":"a1"},"events":[{"kind":"placed","seat":0,"cell":"a1"}]}' 'the line of a ply'
is "$(json 'd["over"], d["places"], d["score"][0]')" \
    "(True, [1, 2], {'total': 1, 'parts': {'line': 1}})" 'the result'
is "$(json 'd["state"]["game_state"]["cells"]')" \
    '[0, None, None, 0, 1, None, 0, None, 1]' 'the state'
is "$(json 'len(d["views"]), d["views"][1]["viewer"], d["watcher"]["viewer"]')" \
    "(2, 1, 'watcher')" 'the views'

# ---- chance -------------------------------------------------------------------

header='{"game": "hacienda", "seats": 3, "seed": 7, "options": {"variant1": true}}'
run script - <<<"$header"
wants 0 'nature is drawn'
like "$out" '"seen_by":\[0\]' 'who may see an event'
is "$(json 'd["state"]["game_state"]["round"], d["state"]["ply"]')" '(1, 45)' \
    'nature is drawn until a player must act'
is "$(json '[v["game_state"]["players"][0]["hidden"]["forest"] is None
    for v in d["views"] + [d["watcher"]]]')" '[False, True, True, True]' \
    'others see no hand'
# What was drawn, given as plies and without a seed, is the same table.
hash=$(json 'd["hash"]')
{ echo '{"game": "hacienda", "seats": 3, "options": {"variant1": true}}'
  sed '$d' <<<"$out"; } >"$TMPDIR/replay"
run script "$TMPDIR/replay"
wants 0 'a log replays without its seed'
is "$(json 'd["hash"]')" "$hash" 'a log replays without its seed: the same'
# The output of a game of this program is a script.
like "$(head -n 2 "$TMPDIR/replay" | tail -n 1)" '"seat":"nature"' \
    'plies of nature'
run script -q - <<<"$(head -n 5 "$TMPDIR/replay")"
wants 0 'nature may be left unfinished'
is "$(json 'd["state"]["acting"]')" "['nature']" 'nature may be left unfinished: is waited for'
is "$(wc -l <<<"$out")" 1 '--quiet: no line per ply'
run script --silent - <<<"$header"
wants 0 '--silent'
is "$out" '' '--silent: nothing'

# ---- a record -----------------------------------------------------------------

holds 'the lines of a record' <<'END'
{"format":"sobremesa-record/1","table":"T1","game":"tictactoe","revision":1,"options":{},"board":null,"seats":2,"commitment":"00","seed":"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f","created":1,"players":["a","b"]}
{"ply":1,"kind":"join","seat":1,"at":5,"chain":"aa"}
{"ply":2,"kind":"start","at":6,"chain":"ab"}
{"ply":3,"kind":"move","seat":0,"decision":2,"move":{"verb":"place","cell":"b2"},"at":7,"chain":"ac"}
{"ply":4,"kind":"undo","seat":0,"at":8,"chain":"ad"}
{"ply":5,"kind":"move","seat":0,"decision":4,"move":{"verb":"place","cell":"c2"},"at":9,"chain":"ae"}
{"ply":6,"kind":"move","seat":1,"decision":5,"move":{"verb":"place","cell":"a1"},"at":9,"chain":"af"}
{"ply":7,"kind":"rewind","to":5,"at":9,"chain":"b0"}
{"expect":{"ply":1,"game_state":{"cells":[null,null,null,null,null,0,null,null,null]}}}
{"result":{"reason":"abandoned"},"chain":"b1"}
END
like "$out" '"ply":5,"seat":0' "plies keep the record's numbers"

fails 'a ply numbered like an earlier one' 'line 3: /ply: expected a number from 6 on' <<'END'
{"game":"tictactoe"}
{"ply":5,"seat":0,"move":{"verb":"place","cell":"c2"}}
{"ply":1,"seat":1,"move":{"verb":"place","cell":"a1"}}
END

# ---- expectations -----------------------------------------------------------

t='{"game": "tictactoe"}
{"seat": 0, "move": {"verb": "place", "cell": "b2"}}'
expect() { printf '%s\n%s\n' "$t" "$1"; }
for good in \
    '{"expect": {"acting": [1], "ply": 1, "over": false, "places": null}}' \
    '{"expect": {"game_state": {"cells": {"4": 0, "0": null}}}}' \
    '{"expect": {"score": {"0": {"line": 0, "total": 0}}}}' \
    '{"expect": {"score": [{"parts": {"line": 0}}, {}]}}' \
    '{"expect": {"views": {"1": {"viewer": 1}}, "watcher": {"ply": 1}}}' \
    '{"expect": {"legal": {"seat": 1, "count": 8}}}' \
    '{"expect": {"legal": {"seat": 0, "count": 0, "moves": []}}}' \
    '{"expect": {"legal": {"seat": 1, "includes": [{"verb": "place", "cell": "a1"}], "excludes": [{"cell": "b2", "verb": "place"}]}}}' \
    '{"refuse": {"seat": 1, "move": {"verb": "place", "cell": "b2"}, "rule": "cell_taken"}}' \
    '{"refuse": {"seat": 0, "move": {"verb": "place", "cell": "a1"}, "rule": "not_your_turn"}}' \
    '{"refuse": {"seat": 1, "move": {"verb": "place", "cell": "z1"}, "rule": "bad_argument"}}' \
    '{"refuse": {"seat": 1, "move": {"verb": "pass"}, "rule": "unknown_verb"}}' \
    '{"refuse_undo": {"seat": 1, "why": "others_moved"}}'; do
    run script -s - <<<"$(expect "$good")"
    wants 0 "holds: $good"
done
while IFS='|' read -r bad pattern; do
    run script -s - <<<"$(expect "$bad")"
    wants 1 "does not hold: $bad"
    like "$err" "line 3: $pattern" "does not hold: $bad: where and why"
done <<'END'
{"expect": {"ply": 2}}|/ply: expected 2, found 1
{"expect": {"game_state": {"cells": {"4": 1}}}}|/game_state/cells/4: expected 1, found 0
{"expect": {"game_state": {"cells": {"9": null}}}}|/game_state/cells/9: expected null, found nothing
{"expect": {"game_state": {"cells": [0]}}}|/game_state/cells: expected
{"expect": {"weather": "fine"}}|/weather: .* found nothing there
{"expect": {"score": {"0": {"line": 1}}}}|/score/0/line: expected 1, found 0
{"expect": {"legal": {"seat": 1, "count": 7}}}|/legal/count: expected 7, found 8
{"expect": {"legal": {"seat": 1, "verb": "fly"}}}|/legal/verb
{"expect": {"legal": {"seat": 1, "includes": [{"verb": "place", "cell": "b2"}]}}}|.* is not legal
{"expect": 5}|/expect
{"refuse": {"seat": 1, "move": {"verb": "place", "cell": "a1"}}}|/refuse: the move is legal
{"refuse": {"seat": 1, "move": {"verb": "place", "cell": "b2"}, "rule": "game_over"}}|/refuse/rule: expected game_over, found cell_taken
{"refuse": {"seat": 3, "move": {"verb": "place", "cell": "b2"}}}|/seat: expected
{"refuse_undo": {"seat": 0}}|.*is allowed
END

# ---- what is wrong with a script -----------------------------------------------

fails 'an illegal ply' 'line 3: cell_taken' <<END
$t
{"seat": 1, "move": {"verb": "place", "cell": "b2"}}
END
like "$out" '"cell":"b2"' 'an illegal ply: what came before is printed'
fails 'a bad argument' 'line 3: bad_argument: /move/cell: .*a1, b1' <<END
$t
{"seat": 1, "move": {"verb": "place", "cell": "q7"}}
END
fails 'no such verb' 'line 3: unknown_verb: /move/verb: .*place' <<END
$t
{"seat": 1, "move": {"verb": "castle"}}
END
fails 'an undo that is not allowed' 'line 4: undo_not_allowed \(others_moved' <<END
$t
{"seat": 1, "move": {"verb": "place", "cell": "a1"}}
{"kind": "undo", "seat": 0}
END
fails 'nature without a seed' 'line 2: not_your_turn' <<'END'
{"game": "hacienda"}
{"seat": 0, "move": {"verb": "end_turn"}}
END
while IFS='|' read -r bad pattern; do
    run script - <<<"$bad"
    wants 1 "header: $bad"
    like "$err" "line 1: .*$pattern" "header: $bad: why"
done <<'END'
{"seats": 2}|header
{"game": "chess"}|chess
{"game": 5}|header
{"game": "tictactoe", "seats": 3}|/seats: expected
{"game": "tictactoe", "seats": "2"}|/seats
{"game": "tictactoe", "revision": 9}|/revision
{"game": "tictactoe", "seed": -1}|/seed
{"game": "tictactoe", "options": {"x": 1}}|/options/x
{"game": "tictactoe", "board": "x"}|/board: .*without
{"game": "hacienda", "board": "moon"}|/board: .*symmetric
{"game": "hacienda", "board": {"haz": "x"}}|set up
{"game": "hacienda", "options": {"variant1": 1}}|/options/variant1: expected true or false
{"game": "hacienda", "options": {"variant1": true, "crucible": true}}|set up
{"game": "tictactoe"|no JSON
["game"]|an object
END
for board in '"crucible"' '{"builtin": "crucible"}' \
    '{"generate": {"columns": 9, "rows": 17, "seed": 3}}' '{"generate": {}}'; do
    run script -q - <<<'{"game": "hacienda", "seed": 1, "board": '"$board"'}'
    wants 0 "board: $board"
done
run script -q - <<<"$("$sobremesa" board convert symmetric | python3 -c '
import json, sys
print(json.dumps({"game": "hacienda", "seed": 1,
                  "board": {"haz": sys.stdin.read()}}))')"
wants 0 'board: as text'
run script - </dev/null
wants 1 'an empty script'
refused 'no such file' 'No such file' script /nowhere
usage 'no file' script
usage 'two files' script a b
fails 'neither fish nor flesh' 'line 3: expected a move' <<END
$t
{"hello": 1}
END

done_testing
