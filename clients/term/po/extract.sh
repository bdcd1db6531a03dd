#!/bin/sh
# extract.sh -- all that the terminal client says, as a template of catalogues, on
# stdout: what stands in _(), N_() and P_(), and what a server's
# refusals say.  From the root of the tree.
set -eu

pot=$(mktemp)
trap 'rm -f "$pot"' EXIT
common="--from-code=UTF-8 --language=C --no-location --keyword"
# shellcheck disable=SC2046,SC2086 # words, and names without spaces
xgettext $common --keyword=_ --keyword=N_ --keyword=P_:1,2 \
    --package-name=sobremesa -o "$pot" \
    $(find clients/common clients/term -name '*.[ch]' | sort)
sed -i 's/charset=CHARSET/charset=UTF-8/' "$pot"
# shellcheck disable=SC2086
xgettext $common --keyword=ERROR:4 --keyword=say --join-existing -o "$pot" \
    protocol/errors.def protocol/refusal.c
sed '/^"POT-Creation-Date:/d' "$pot"
