#!/usr/bin/env bash
# test_names.sh -- one word for a thing: what was once called otherwise is not
# called so again.  The words that are meant are in the glossaries of
# core/README.md and server/README.md.

. tests/support/tap.sh

# Identifiers that are gone, as extended regular expressions, and behind eight
# blanks what is written instead.
removed()
{
    cat <<'END'
parcels?|struct post|desk_letter        message
struct unit|unit_(init|add|done|id|result)|UNIT_(STORED|CONFLICT|FAILED)        transaction
struct owed|owed_[a-z]+        pending
errands?|errand_[a-z]+|[a-z]+_errand        job
chores|chores_[a-z]+        maintenance
struct heads?|heads?_(make|find|touch|dirty|flush)        view_header, cached_table
OP_STILL|OP_TOKEN_STILL        OP_REQUIRE_...
struct knock|knock_[a-z]+        join_password
struct street        source_queue
own_tables|hub_own_tables        dataset
rules_sound|unsound        valid
mildest|rules_mildest        default_move
rules_told        rules_redact_move
struct way|hadara_ways?        controller, hadara_text
struct (paper|face)|paper_[a-z]+        layout, game_ui
struct desk|desk_[a-z]+        test_client
struct twins|twins_[a-z]+        noninterference
strn?casecmp|tolower|toupper|isupper        ascii_compare, ascii_lower: those are Turkish in Turkey
END
}

# found PATTERN [DIR...]: where it stands in C.
found()
{
    local pattern=$1
    shift
    [[ $# -gt 0 ]] || set -- core protocol server clients tests
    grep -rnwE "$pattern" --include='*.[ch]' "$@"
}

while IFS= read -r line; do
    is "$(found "${line%%        *}")" '' "it is called ${line##*        }"
done < <(removed)

# Nobody knows who reads this: people are they.
is "$(found '[Hh]e|[Hh]im|[Hh]is|[Hh]imself')" '' 'people are they'

echo 'struct parcel *p; /* his */' >"$TMPDIR/planted.c"
ok 'a word that came back would be found' found 'parcels?' "$TMPDIR"
ok 'and a he' found '[Hh]is' "$TMPDIR"

done_testing
