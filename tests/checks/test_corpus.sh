#!/usr/bin/env bash
# test_corpus.sh -- every method there is stands in the corpus that
# tests/fuzz/fuzz_message.c starts from, so that a new one is fuzzed, too.

. tests/support/tap.sh

mapfile -t methods < <(grep -oE '"name": "[a-z_]+\.[a-z._]+"' \
    protocol/openrpc.json | cut -d'"' -f4 | sort -u)

ok "methods are found in protocol/openrpc.json" [ ${#methods[@]} -gt 40 ]
for method in "${methods[@]}"; do
    ok "$method has a place in the corpus" \
        grep -rqF " $method " tests/fuzz/corpus/message
done

done_testing
