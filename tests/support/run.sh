#!/usr/bin/env bash
# run.sh -- runs one test, of whatever kind, so that it speaks TAP.
#
# usage: tests/support/run.sh TEST
#
# prove calls it, and so may you.  TEST is a Criterion program, a fuzzer or a
# script, best by its name below build/: the directory tells the mode.  A test
# runs at the root of the tree, in a clean room (a HOME and a TMPDIR of its own,
# removed afterwards, and a fixed locale), and finds in its environment what is
# named below.  Who may mount (root) has the room in memory, where nobody waits
# for a disk to sync; ROOM=disk leaves it there.
#
#     BUILD  what make has built: $BUILD/wasm/core.wasm
#     BIN    the programs of the test's mode: $BIN/sobremesa
#     ASAN   set under the sanitizers, where all takes its time: do less
#
# What it says on stderr is shown if it fails, and kept in the directory WHY if
# that is set.  It fails if a test in it does,
# if it ends otherwise than with 0, if it takes longer than TEST_TIMEOUT
# seconds (a fuzzer: ten minutes longer than it was to run), and if a sanitizer
# finds anything in it or in any program that it starts, even where nobody looks
# at that program's end.  (Of a leak Criterion would say nothing: it is found
# after the test has passed.)

set -u

test=$(realpath -s "$1") || exit
cd "$(dirname "$0")/../.." || exit

BUILD=$(realpath -s "${BUILD:-build}")
top=$BUILD
[[ $test == */test/* && $test == "$BUILD"/* ]] && top=${test%/test/*}
export BUILD BIN=$top/bin
[[ ${top##*/} == asan ]] && export ASAN=1

# Whether the room may be in memory.  What is about kills, load and packages
# keeps the disk, and with it the moments at which it is waited for.
in_memory()
{
    case $test in
    */daemon/test_durable.py | */daemon/test_*_kills.py) return 1 ;;
    */test/attack/* | */test/bench/* | */test/deploy/*) return 1 ;;
    esac
    [[ ${ROOM:-} != disk ]] && unshare --mount true 2>/dev/null
}
if [[ -z ${OWN_MOUNTS:-} ]] && in_memory; then
    OWN_MOUNTS=1 exec unshare --mount -- "$BASH" tests/support/run.sh "${test#"$PWD"/}"
fi

room=$(mktemp -d "${TMPDIR:-/tmp}/test.XXXXXX") || exit
leave()
{
    [[ -z $own_mounts ]] || umount --lazy "$room"
    rm -rf "$room"
}
own_mounts=${OWN_MOUNTS:-}
unset OWN_MOUNTS
trap leave EXIT
if [[ -n $own_mounts ]]; then
    mount -t tmpfs room "$room" || exit
fi
chmod 711 "$room" # for a PostgreSQL server, which root has to run as nobody
mkdir "$room/home" "$room/tmp" "$room/reports"
export HOME=$room/home TMPDIR=$room/tmp LC_ALL=C.UTF-8
export PYTHONPATH=$PWD/tests/support PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1:print_legend=0
ASAN_OPTIONS+=:log_path=$room/reports/sanitizer
export UBSAN_OPTIONS=print_stacktrace=1

within=(timeout --kill-after=10 "${TEST_TIMEOUT:-7200}")

# Criterion's reasons go to stderr as well, and as YAML they are more than prove
# can read.
run_criterion()
{
    "${within[@]}" "$test" --tap="$room/tap" --short-filename >&2
    local status=$?
    [[ -s $room/tap ]] && grep -v '^ ' "$room/tap"
    return $status
}

# How long the fuzzer $1 runs.
fuzz_seconds()
{
    local wanted=" ${FUZZ_TIMES:-} "
    if [[ -n ${FUZZ_SECONDS:-} ]]; then
        echo "$FUZZ_SECONDS"
    elif [[ $wanted =~ \ $1=([0-9]+)\  ]]; then
        echo "${BASH_REMATCH[1]}"
    else
        echo 10
    fi
}

# New inputs go to build/, beside the corpus that is committed.
run_fuzzer()
{
    local name=${test##*/fuzz_} seconds
    seconds=$(fuzz_seconds "$name")
    local within=(timeout --kill-after=10 $((seconds + 600)))
    local seeds=tests/fuzz/corpus/$name grown=$top/corpus/$name
    mkdir -p "$grown"
    [[ -d $seeds ]] || seeds=
    echo 1..1
    if "${within[@]}" "$test" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -print_funcs=0 \
        -artifact_prefix="$top/crash-$name-" \
        "$grown" ${seeds:+"$seeds"} 2>"$room/fuzz"; then
        echo "ok 1 - $name: $(grep -c . <(find "$grown" -type f)) inputs," \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$room/fuzz")" \
            "runs in $seconds s, which reach" \
            "$(grep -o 'cov: [0-9]*' "$room/fuzz" | tail -n 1 | cut -c6-)" \
            "branches"
    else
        grep -v '^#' "$room/fuzz" >&2
        echo "not ok 1 - $name"
        return 1
    fi
}

run_test()
{
    case $test in
    */stress_*) "${within[@]}" "$test" ;;
    */fuzz_*) run_fuzzer ;;
    */replay_*) "${within[@]}" "$test" "tests/fuzz/corpus/${test##*/replay_}" ;;
    *.sh) "${within[@]}" bash "$test" ;;
    *.py) "${within[@]}" /usr/bin/python3 "$test" ;;
    *.mjs) "${within[@]}" node "$test" ;;
    *) run_criterion ;;
    esac
}

run_test 2>"$room/stderr"
status=$?

if compgen -G "$room/reports/*" >/dev/null; then
    cat "$room"/reports/* >>"$room/stderr"
    [[ $status -eq 0 ]] && status=1
fi
if [[ $status -ne 0 ]]; then
    [[ $status -eq 124 ]] && echo "took too long" >>"$room/stderr"
    {
        echo "$1:"
        tail -n 100 "$room/stderr" | cut -c1-400
    } | sed 's/^/# /' | tee ${WHY:+"$WHY/${1//\//-}"} >&2
fi
exit $status
