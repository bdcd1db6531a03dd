#!/usr/bin/env bash
# test_sources.sh -- make notices a source that came or went, in libraries and
# in what is generated, and otherwise makes nothing anew.  It is shown a copy of
# the tree with a build directory of its own.

. tests/support/tap.sh

tree=$TMPDIR/tree
mkdir "$tree"
cp -r Makefile clients core deploy protocol schema server tests "$tree"
cd "$tree" || exit
unset MAKEFLAGS MAKELEVEL MFLAGS
export BUILD=build DEPS=no
library=build/release/common.a
generated=build/gen/schema.c

made()
{
    make MODE=release $library $generated >"$TMPDIR/said" 2>&1 ||
        cat "$TMPDIR/said"
}
has()
{
    nm $library 2>/dev/null | grep -c ' T came$'
    grep -c came $generated
}
stamps()
{
    stat -c '%n %y' $library $generated build/release/clients/common/*.o
}

is "$(made)" "" "it is made"
before=$(stamps)
is "$(made; stamps)" "$before" "and not again without a reason"

echo 'int came(void); int came(void) { return 0; }' >clients/common/came.c
last=$(printf '%s\n' schema/0*.sql | tail -n 1)
number=${last#schema/}
new=schema/$(printf '%04d' $((10#${number%%_*} + 1)))_came.sql
# As a pull may leave it: older than what was made.
echo 'CREATE TABLE came (x);' >"$new"
touch -d '2 days ago' clients/common/came.c "$new"
is "$(made; has)" $'1\n2' "a source that came is in it"

rm clients/common/came.c "$new"
is "$(made; has)" $'0\n0' "one that went is not"
before=$(stamps)
is "$(made; stamps)" "$before" "and then it is done"

done_testing
