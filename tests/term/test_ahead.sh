#!/usr/bin/env bash
# Looking ahead in the terminal: what is tried is a tree of its own, kept as
# text; nothing of it gets to the table.

. tests/support/tap.sh
. tests/term/sobremesa.sh

play() { run play --offline "$@"; }

# ---- a game without a server ------------------------------------------------

play tictactoe --seed 1 --names Ana,Ben <<'END'
place b2
analyse
place a1
place c1
note a fork
back
back
place c3
tree
other
place c1
place a3
drop
tree
machine
go 99
quit
place c1
quit
END
wants 0 'analysis of a game that goes on'
like "$out" 'This is analysis, not the table' 'analysis: it says what it is'
like "$out" ' 1 Ben: place cell=a1' 'analysis: a move is in the tree'
like "$out" '>      3 Ben: place cell=c3' 'analysis: another beside it'
like "$out" '"a fork"' 'analysis: with what one thinks'
like "$out" 'There is nothing there' 'analysis: what is not there'
like "$out" 'Back at the table.
Ben takes c1' 'analysis: at the table nothing was played'
is "$(grep -c 'takes a3' <<<"$out")" 2 'analysis: the machine sees what it must'

# The same seat sees the same, and chance answers.
play hadara --seed 1 --plain <<'END'
analyse
machine
machine
machine
draw
tree
guess
tree
quit
quit
END
wants 0 'analysis with chance'
like "$out" 'what you cannot see is guessed' 'hidden things are said to be guessed'
like "$out" 'chance: draw' 'chance draws again beside its first draw'

# What chance does can be chosen, among what it might: each is another line, and the
# same one again is no new one.
play hadara --seed 1 --plain <<'END'
chance
analyse
chance
machine
machine
machine
chance
chance 2
tree
chance
chance 2
chance 0
chance 99
chance x
tree
quit
quit
END
wants 0 'analysis with chosen chance'
like "$out" 'There is nothing to choose for chance there' 'there is nothing to choose before a move'
second=$(grep -m1 -E '^  +2 draw ' <<<"$out" | sed 's/^ *2 //')
like "$second" '^draw [a-z_]+=' 'what chance might do is told'
like "$out" "> +2 $second" 'the second one was chosen, and is marked'
is "$(grep -c "chance: $second" <<<"$out")" 2 'and stands in the tree, once each time it is shown'
is "$(grep -c 'There is nothing there' <<<"$out")" 3 'other numbers are none'

# ---- a record -----------------------------------------------------------------

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
record=tests/golden/clocks.record
run replay "$record" --plain --study "$room/study" <<'END'
analyse
machine
note said
back
note of the position
END
wants 0 'analysis of a record'
like "$(cat "$room/study")" '^from [0-9]+ all [0-9]+
"of the position
1 [0-9] [a-z_]+.*
"said$' 'it is kept as text'
run replay "$record" --plain --study "$room/study" <<'END'
next 3
analyse
machine
quit
quit
END
wants 0 'and from another position'
is "$(grep -c '^from' "$room/study")" 2 'both are kept'
run replay "$record" --plain --study "$room/study" <<'END'
analyse
tree
END
wants 0 'looked at again'
like "$out" '"of the position"' 'what was kept is there again'
like "$out" '"said"' 'and all of it'
run replay "$record" --plain <<'END'
analyse
machine
quit
quit
END
wants 1 'of a file it is not kept unasked'
like "$err" 'say --study FILE' 'and that is said'

# A study that is damaged loses what is wrong, with what hangs on it.
{
    sed -n 1,2p "$room/study"
    printf '%s\n' '1 0 fly cell=z9' '2 1 place cell=a1' '9 0 place cell=a1' \
        '1 x place cell=a1' '1 0' 'from' 'from 1 2 3 4' '"lost' \
        "$(sed -n 3,4p "$room/study")"
    seq 1 5000 | sed 's/$/ 0 place cell=a1/' # deeper than there is room
} >"$room/damaged"
run replay "$record" --plain --study "$room/damaged" <<'END'
analyse
tree
END
wants 0 'a damaged study is read'
like "$out" '"of the position"' 'what is right in it is kept'

done_testing
