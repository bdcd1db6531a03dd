#!/usr/bin/env bash
# test_runner.sh -- a green run means something: whatever is wrong with a test
# fails the whole run.

. tests/support/tap.sh

runs()
{
    (unset ASAN && tests/support/prove.sh "$@")
}

fails()
{
    ! runs "$@"
}

script()
{
    cat >"$TMPDIR/$1"
    echo "$TMPDIR/$1"
}

T=$BUILD/test/checks
A=$BUILD/asan/test/checks

# Without this one the others would show nothing.
ok "a script that is all right passes" runs "$(script right.sh <<'SH'
. tests/support/tap.sh
ok "true is" true
done_testing
SH
)"

ok "a failed assertion fails" fails "$T/fail_assert"
ok "an assertion of the core fails" fails "$T/fail_crash"
ok "leaving a test early fails" fails "$T/fail_exit"
for what in assert crash exit address leak undefined; do
    ok "under asan: $what fails" fails "$A/fail_$what"
done
ok "no such test fails" fails "$T/no_such_test"

ok "a script's failed ok fails" fails "$(script ok.sh <<'SH'
. tests/support/tap.sh
ok "false is" false
done_testing
SH
)"
ok "a script that ends early fails" fails "$(script early.sh <<'SH'
. tests/support/tap.sh
ok "true is" true
exit 0
SH
)"
ok "a script with a wrong plan fails" fails "$(script plan.sh <<'SH'
echo 1..2
echo ok 1
SH
)"
ok "a script that ends badly fails" fails "$(script exit.sh <<'SH'
echo 1..1
echo ok 1
exit 1
SH
)"
TEST_TIMEOUT=1 ok "a script that hangs fails" fails "$(script hang.sh <<'SH'
echo 1..1
echo ok 1
sleep infinity
SH
)"
ok "a Python script's failed is_ fails" fails "$(script is.py <<'PY'
from tap import done_testing, is_
is_(1, 2, "one is two")
done_testing()
PY
)"
ok "what a sanitizer finds in a program fails, though nobody looks" \
    fails "$(script quiet.sh <<SH
. tests/support/tap.sh
"$A/fail_address" >/dev/null 2>&1
ok "true is" true
done_testing
SH
)"

told=$(runs "$T/fail_assert" 2>/dev/null)
ok "why is said again" grep -q '(1 + 1) == (3)' <<<"$told"
is "$(tail -n 1 <<<"$told")" 'Result: FAIL' "and the counts are the end"

done_testing
