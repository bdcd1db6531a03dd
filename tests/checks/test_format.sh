#!/usr/bin/env bash
# test_format.sh -- all C is laid out as clang-format would; `make fmt` does it.

. tests/support/tap.sh

read -ra files <<<"$SOURCES"
other=$(for file in "${files[@]}"; do
    "${CLANG_FORMAT:-clang-format-14}" "$file" | cmp -s - "$file" ||
        echo "$file"
done)
is "$other" "" "\`make fmt\` would change nothing"

done_testing
