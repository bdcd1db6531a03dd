#!/usr/bin/env bash
# test_scripts.sh -- the worked examples of the rules, played by `sobremesa
# script`: each script in tests/rules/GAME/ holds, one test for each; and one
# that expects something else does not.

. tests/support/tap.sh

program=${BIN:-build/bin}/sobremesa
[[ -x $program ]] || skip_all "there is no $program"

for script in tests/rules/*/*.ndjson; do
    name=${script#tests/rules/}
    ok "${name%.ndjson}" "$program" script --silent "$script"
done

# spoiled SCRIPT WHAT TO WHY: with its last WHAT changed to TO the script fails,
# and says WHY, and in which line.
spoiled()
{
    local said status line file=$TMPDIR/spoiled.ndjson
    line=$(grep -nF "$2" "$1" | tail -n 1 | cut -d: -f1)
    awk -v at="$line" -v from="$2" -v to="$3" '
        NR == at {
            i = index($0, from)
            $0 = substr($0, 1, i - 1) to substr($0, i + length(from))
        }
        { print }' "$1" >"$file"
    said=$("$program" script --silent "$file" 2>&1)
    status=$?
    is "$status" 1 "a wrong expectation is noticed: $2"
    like "$said" "line $line: .*$4" "and told: $4"
}

rules=tests/rules/hacienda
spoiled $rules/scoring.ndjson '"total": 53' '"total": 54' \
    'expected 54, found 53'
spoiled $rules/market.ndjson '"money": 31' '"money": 30' \
    'expected 30, found 31'
spoiled $rules/market.ndjson '"markets": 1' '"markets": 2' \
    'expected 2, found 1'
spoiled $rules/harvest.ndjson '"rule": "chain_has_chip"' '"rule": "no_chain"' \
    'expected no_chain, found chain_has_chip'
spoiled $rules/setup_2.ndjson '"animals": 15' '"animals": 16' \
    'expected 16, found 15'
spoiled $rules/turns_standard.ndjson '"land": 10' '"hides": 10' \
    'nothing there'

# The scripts are what make_scripts.py writes.
mkdir "$TMPDIR/rules"
cp tests/rules/make_scripts.py "$TMPDIR/rules"
mkdir "$TMPDIR/rules/hacienda"
ok "make_scripts.py runs" /usr/bin/python3 "$TMPDIR/rules/make_scripts.py"
ok "and writes these scripts" diff -r "$TMPDIR/rules/hacienda" $rules

done_testing
