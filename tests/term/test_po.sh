#!/usr/bin/env bash
# The catalogues of the terminal client have all that it says, and nothing else.

. tests/support/tap.sh

pot=$(mktemp)
trap 'rm -f "$pot" "$pot".*' EXIT
sh clients/term/po/extract.sh >"$pot"

# The sentences of CATALOGUE that have a plural, both of each in a line: msgcmp and
# msgcomm know sentences by the singular alone.
plurals()
{
    msgattrib --no-obsolete --no-wrap "$1" |
        awk '/^msgid /{one = $0} /^msgid_plural /{print one " " $0}' | sort
}

sed '/^msgid_plural "%lld days"/s/days/nights/' "$pot" >"$pot.changed"
is "$(diff <(plurals "$pot") <(plurals "$pot.changed") | grep -c '^>')" 1 \
    'a plural that was changed is noticed'
for po in clients/term/po/*.po; do
    is "$(msgfmt --check -o /dev/null "$po" 2>&1)" '' "$po: well made"
    is "$(msgcmp "$po" "$pot" 2>&1 | head -20)" '' "$po: nothing is missing"
    is "$(plurals "$po")" "$(plurals "$pot")" "$po: as many are as many"
    is "$(msgattrib --fuzzy "$po"; msgattrib --only-obsolete "$po")" '' \
        "$po: nothing is doubtful or left over"
    # Of both, what is in one alone.
    msgcomm --unique --omit-header "$po" "$pot" -o "$pot.unique" 2>/dev/null
    is "$(grep -c '^msgid ' "$pot.unique" 2>/dev/null || :)" '' \
        "$po: nothing that the program does not say"
done
done_testing
