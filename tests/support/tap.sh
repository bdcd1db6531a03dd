# shellcheck shell=bash
# tap.sh -- for tests that are shell scripts.  Begin with
#
#     . tests/support/tap.sh
#
# say what holds with ok and is, wait with wait_for, and end with done_testing.  A
# script that ends before that counts as failed.

tap_count=0
tap_failed=0

# Shows text from stdin, or its arguments, to whoever looks for a failure.
diag()
{
    if [[ $# -gt 0 ]]; then
        echo "$*"
    else
        cat
    fi | sed 's/^/    /' >&2
}

tap_result()
{
    tap_count=$((tap_count + 1))
    if [[ $1 -eq 0 ]]; then
        echo "ok $tap_count - $2"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $2"
        echo "not ok $tap_count - $2" >&2
    fi
    return "$1"
}

# ok WHAT COMMAND...: the command succeeds.  What it prints is for failures.
ok()
{
    local what=$1 said status
    shift
    said=$("$@" 2>&1)
    status=$?
    tap_result $status "$what" || {
        diag "$* ended with $status"
        diag "$said"
        return 1
    }
}

# is GOT WANTED WHAT: two texts are the same.
is()
{
    [[ $1 == "$2" ]]
    tap_result $? "$3" || {
        if [[ -z $2 ]]; then
            diag "wanted nothing, got:"
            head -n 30 <<<"$1" | cut -c1-300 | diag
        else
            diff <(echo "$2") <(echo "$1") | head -n 30 | cut -c1-300 | diag
        fi
        return 1
    }
}

# like GOT PATTERN WHAT: a text matches an extended regular expression.
like()
{
    [[ $1 =~ $2 ]]
    tap_result $? "$3" || {
        diag "no match for $2 in:"
        tail -n 30 <<<"$1" | cut -c1-300 | diag
        return 1
    }
}

# wait_for COMMAND...: runs it again and again until it succeeds.  After PATIENCE
# seconds, which only what never comes takes, it fails.
wait_for()
{
    local end=$((SECONDS + ${PATIENCE:-300}))
    until "$@"; do
        ((SECONDS < end)) || return
        sleep 0.02
    done
}

# skip_all WHY: none of this can be tried here.
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

done_testing()
{
    echo "1..$tap_count"
    [[ $tap_failed -eq 0 ]]
    exit
}
