# shellcheck shell=bash
# sobremesa.sh -- what the terminal client's tests share; source it after
# tap.sh.

sobremesa=${BIN:?}/sobremesa

# What a client draws follows from SEED, and from how many there were before:
# sets $drawing, which is for env.
drawn=0
draw()
{
    drawn=$((drawn + 1))
    drawing=(LD_PRELOAD="$(realpath "$BIN/..")/test/daemon/draws.so"
        DRAWS="${SEED:-1}-$drawn"
        ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0")
}

# run ARGUMENT...: runs the client; its $out, $err and $status.  Its standard
# input is that of run.
run()
{
    local dir
    dir=$(mktemp -d "${TMPDIR:-/tmp}/run.XXXXXX")
    draw
    env "${drawing[@]}" "$sobremesa" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    out=$(cat "$dir/out")
    err=$(cat "$dir/err")
    rm -rf "$dir"
}

# wants STATUS WHAT: how it ended; a complaint if and only if it did not do
# what it was asked to.
wants()
{
    is "$status" "$1" "$2: exit status $1"
    if [[ $1 -eq 0 ]]; then
        is "$err" "" "$2: nothing on stderr"
    else
        like "$err" . "$2: says why on stderr"
    fi
}

# usage WHAT ARGUMENT...: wrong usage, with nothing on stdout.
usage()
{
    local what=$1
    shift
    run "$@" </dev/null
    wants 64 "$what"
    is "$out" "" "$what: nothing on stdout"
}

# refused WHAT PATTERN ARGUMENT...: ends with 1 and says PATTERN.
refused()
{
    local what=$1 pattern=$2
    shift 2
    run "$@" </dev/null
    wants 1 "$what"
    like "$err" "$pattern" "$what: the reason"
}
