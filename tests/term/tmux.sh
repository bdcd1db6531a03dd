# shellcheck shell=bash
# tmux.sh -- a terminal for tests of the full screen: tmux is sent keys and
# asked what stands there.  Each `open` has a tmux server of its own.  Source
# it after sobremesa.sh.

socket=sobremesa-test-$$-0
opened=0
tm() { tmux -u -L "$socket" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null' EXIT

# open WIDTH HEIGHT ARGUMENT...: plays in a terminal of that size.  The line
# under the program's end tells its exit status.
open()
{
    local width=$1 height=$2 command
    shift 2
    tm kill-server 2>/dev/null
    opened=$((opened + 1))
    socket=sobremesa-test-$$-$opened # a dying server takes its time
    draw
    command=$(printf ' %q' "${drawing[@]:?}" "${sobremesa:?}" play --offline "$@")
    tm new-session -d -x "$width" -y "$height" \
        "${environment:-env} TERM=${term:-tmux-256color} $command; echo END \$?; sleep 1000"
}
screen() { tm capture-pane -p; }
colours() { tm capture-pane -p -e; }
patience=${PATIENCE:-300} # seconds: only what will never come takes so long
# awaited LOOK PATTERN WHAT [WITHOUT]: waits until what LOOK prints has PATTERN,
# and not WITHOUT.  What never comes ends the test: each line after it would be
# waited for as long.
awaited()
{
    local stands end=$((SECONDS + patience))
    while stands=$("$1"); ! [[ $stands =~ $2 ]] ||
        [[ -n ${4-} && $stands =~ ${4-} ]]; do
        if ((SECONDS >= end)); then
            tap_result 1 "$3"
            diag "never came: $2${4+, without $4}; what stands there:"
            diag "$stands"
            done_testing
        fi
        sleep 0.02
    done
    tap_result 0 "$3"
}
# shows PATTERN WHAT [WITHOUT]: it stands on the screen.
shows() { awaited screen "$@"; }
# coloured PATTERN WHAT: with what sets its colours.
coloured() { awaited colours "$@"; }
keys() { tm send-keys "$@"; }
# press KEY PATTERN WHAT [WITHOUT]
press()
{
    keys "$1"
    shows "${@:2}"
}
