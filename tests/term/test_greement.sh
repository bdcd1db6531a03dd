#!/usr/bin/env bash
# Greement at the terminal: in lines, and on the full screen through tmux.

. tests/support/tap.sh
. tests/term/sobremesa.sh

play() { run play --offline greement "$@"; }

# ---- in lines -----------------------------------------------------------------

play --seed 3 --seats 4 --bots all --level random --options turns=3
wants 0 'bots'
like "$out" 'Bot 0 settles on c8, with a crop\.' 'bots: starting squares'
like "$out" 'G8 is turned up: gold mine' 'bots: a square picked is told'
is "$(grep -c 'is turned up' <<<"$out")" 13 'bots: the others are not, one by one'
like "$out" 'begins turn 3' 'bots: three turns'
like "$out" 'Round 3 is over' 'bots: three rounds'
like "$out" 'The game is over: .* has won' 'bots: the winner'
like "$out" 'money +squares +total +place' 'bots: the points'

play --seats 6 --bots all --level random --seed 9 --options turns=5,loans=on,tax_distance=full
wants 0 'six bots with loans'
like "$out" 'borrows [0-9]+' 'six bots with loans: they borrow'
like "$out" 'now owes' 'six bots with loans: debt doubles'

# Seed 43: Ana begins, e5 and e8 are land, her first card is `steal`, the
# events are the cattle disease and two votes.
options='turns=2,loans=on'
setup=(--seed 43 --names 'Ana,Ben' --options "$options")
play "${setup[@]}" <<'END'
board
pick e5
pick e6
pick e8
who
borrow 21
borrow 20
buy_cattle e5
try buy_land e4
legal pay
pay 1 99
hand
offer sell 1 e5 7 seller
who
seat 1
decline 1
accept 2
seat 0
pay to=1 amount=2
end_turn
end_turn
who
contribute 5
contribute amount=4
done
board
quit
END
wants 0 'lines'
like "$out" 'face down, \. land' 'lines: the signs are explained'
like "$out" ' 5   \?   \?   \?' 'lines: the grid face down'
like "$out" 'next_to_start' 'lines: a pick refused'
like "$out" 'Round 1 of 2\. It is the turn of Ana, who has 4' 'lines: who'
like "$out" 'debt_limit' 'lines: too much'
like "$out" 'Ana borrows 20' 'lines: borrowed'
like "$out" 'amount from 1 to' 'lines: the range of an amount'
like "$out" 'too_expensive' 'lines: too dear'
like "$out" 'Ana: money 16, debt 20, wealth 8, profit of a turn 8' \
    'lines: hand: players'
like "$out" 'For sale within your means, tax included: .*e4 land 2' \
    'lines: hand: prices'
like "$out" 'Action cards to be drawn: steal 1, decide 3' 'lines: hand: cards'
like "$out" 'Offer 1: Ana sells e5 \(cattle\) to Ben for 7; tax 12 by the seller' \
    'lines: an offer'
like "$out" 'Ben declines offer 1' 'lines: declined'
like "$out" 'no_such_offer' 'lines: no such offer'
like "$out" 'Ana gives Ben 2 and pays a tax of 12' 'lines: paid'
like "$out" 'event 1 of 3: ' 'lines: the event in words'
like "$out" 'Values: land price 2' 'lines: the table of values'

# ---- on the full screen -----------------------------------------------------

command -v tmux >/dev/null || {
    diag 'tmux is not installed'
    done_testing
}
. tests/term/tmux.sh

open 80 24 greement "${setup[@]}"
shows 'starting squares +turn: Ana' 'title'
shows '6\(░░░.*\[░░░\]' 'the grid face down'
shows 'land price +2 mine price +6' 'the table of values'
shows '>0 Ana +0 +0 +0 +0' 'the players'
coloured $'\e\[[0-9;]*48;5;' 'there is colour'
press Enter '0""' 'Enter picks'
shows 'Ana settles on f6' 'the log'
keys Down
press Enter 'connected to another' 'a pick refused'
keys Down Down
press Enter 'round 1 of 2 +turn: Ana +Ana has 4' 'the first turn'
shows 'All squares are turned up' 'the reveal is one line'
keys Up
press Up 'Enter: buy: -2 money' 'the price under the cursor'
press Up 'f6 crop of Ana: earns 4, is worth 4' 'what lies there'
press a 'not enough money' 'too dear'
press + 'Borrow how much\? \(1 to 20\)' 'an amount is asked for'
keys 99
press Enter 'A number from 1 to 20' 'and has to be in the range'
keys + 20
press Enter 'Ana has 24' 'borrowed'
shows 'Enter: put cattle: -8 money, \+4 profit' 'what Enter would do'
press Enter '0&&' 'cattle'
press u 'Ana takes back the last move' 'undo'
press a '0&&' 'cattle again, by its key'
press '$' 'How much to Ben, besides a tax of 12\? \(1 to 4\)' 'pay: the tax'
keys Escape
press o 'Sell f6 to Ben for how much' 'an offer: the price'
keys 7
press Enter 'The tax of 12: b the buyer pays, s the seller' 'an offer: the tax'
keys q
press Enter 'That is no answer: q' 'an offer: a side there is not'
keys o 7 Enter s
press Enter 'Offer 1: Ana sells f6 \(cattle\) to Ben for 7; tax 12 by the seller' \
    'the offer stands'
press t 'y accept +x decline' 'the other one may answer'
press y 'The buyer has not enough' 'accepted: refused with the reason'
press x 'Ben declines offer 1' 'declined'
press f 'Action card of Ana: Steal up to two' 'the action card in words'
press e 'round 1 of 2 +turn: Ana' 'nothing to steal: done'
press e 'End your turn\?' 'the end of the turn asks'
press y 'turn: Ben' 'and is done'
keys e
press y 'event 1 of 3' 'events'
shows 'Event: Cattle disease' 'the event in words'
shows 'To avoid it costs 20, paid 0, missing 20: Ana 0, Ben 0' 'what is missing'
press + 'Contribute how much\?' 'a contribution is typed'
keys 1
press Enter 'paid 1, missing 19' 'and counts'
press e '\(done\)' 'one is done'
press e 'event 2 of 3' 'the other, too: it happens'
shows 'F6 becomes crop' 'untreated cattle'
shows 'Votes to avoid it, 2 needed: Ana -, Ben -' 'the votes'
press y 'Ana yes|Ben yes' 'a vote'
press x 'event 3 of 3' 'the last vote'
press c 'Event cards that may still come' 'everything as a page'
press q 'event 3 of 3' 'back'
press '?' 'Enter, space +what the line about' 'help'
press q 'event 3 of 3' 'back'
press z 'event 3 of 3' 'small'
press z 'event 3 of 3' 'large, where it fits'
press z '\? help' 'as it fits'
press q 'Leave the game' 'q asks'
press y 'END 0' 'leaves'

# ---- the disease treated, a value raised ----------------------------------------

open 120 40 greement --seed 74 --names Ana,Ben --options "$options"
shows 'a     b     c' 'large: the grid'
for move in 'pick e5' 'pick e8' 'borrow 20' 'buy_cattle e5' end_turn end_turn; do
    keys : "$move" Enter
done
shows 'Event: Cattle disease' 'the disease'
keys e
press e 'Cattle not paid for \(2 each\): Ana 1' 'who has to choose'
keys Home Right Right Right Right
keys n
press Enter 'Ana pays for the cattle' 'treated'
shows '0&&' 'large: cattle stays'
keys z
shows 'a   b   c' 'large: but small if wanted'
tm resize-window -x 60 -y 20
shows 'Greement(.|[[:space:]])* a   b   c .* land price' 'made small'
tm resize-window -x 200 -y 60
shows 'E5 is turned up' 'made very large'

open 80 24 greement --seed 127 --names Ana,Ben --options "$options" --ascii --no-colour
shows ' \? ' 'ASCII: face down'
for move in 'pick e5' 'pick e8' 'borrow 20' buy_action_card; do
    keys : "$move" Enter
done
shows 'Raise a value' 'a card that raises a value'
shows '1 land price +2' 'values have keys'
press 2 'seed price +4' 'one is raised'
ok '--ascii: ASCII only' bash -c '! LC_ALL=C grep -q "[^ -~]" <<<"$1"' - \
    "$(screen)"
ok '--no-colour: no colours' bash -c \
    '! grep -q $'"'"'\e\[[0-9;]*[34][0-8][;m]'"'"' <<<"$1"' - \
    "$(colours)"

# An amount is asked for even if it can only be 1, and of offers those are named
# that stand, whether or not they can be paid: so none is taken unasked.
open 80 24 greement "${setup[@]}"
for move in 'pick e5' 'pick e8' 'borrow 19'; do
    keys : "$move" Enter
done
press + 'Borrow how much\? \(1 to 1\)' 'an amount of 1 is asked for'
keys 2
press Enter 'A number from 1 to 1' 'and no other is taken'
keys + 1
press Enter 'Ana has 24' 'borrowed'
for move in 'pay 1 1' 'offer sell 1 e5 30 buyer' 'offer sell 1 e5 2 seller' \
    'offer sell 1 e5 1 seller'; do
    keys : "$move" Enter
done
press O 'Withdraw which offer\? \(1, 2, 3\)' 'offers are named'
keys Escape
press t 'y accept +x decline' 'who is asked'
press y 'Accept which offer\? \(1, 2, 3\)' 'which is meant, payable or not'
keys 1
press Enter 'The buyer has not enough' 'that one cannot be paid'
press 0 'It is not your turn' 'why one cannot collect: not for the offers'
press b 'It is not your turn' 'why one cannot buy, rather than pick'
keys x 2
press Enter 'Ben declines offer 2' 'another is declined'
press t 'y accept +x decline' 'Ben again'
press x 'Decline which offer\? \(1, 3\)' 'those that stand are named'
keys 2
press Enter 'One of these: 1, 3' 'and no other is taken'
keys y 3
press Enter 'Ben gets e5 from Ana for 1;' 'one that can be paid'

# Six seats at 80 by 24, a person among bots.
open 80 24 greement --seed 1 --seats 6 --bots 1,2,3,4,5 --level random --names Ana --options turns=1
shows ' 5 Bot 5' 'six players fit'

done_testing
