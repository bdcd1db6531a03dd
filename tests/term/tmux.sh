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
# stands LOOK PATTERN WITHOUT: what LOOK prints, which is $standing, has PATTERN, and
# not WITHOUT.
stands()
{
    standing=$("$1")
    [[ $standing =~ $2 && ! ( -n $3 && $standing =~ $3 ) ]]
}
# awaited LOOK PATTERN WHAT [WITHOUT]: waits until what LOOK prints has PATTERN,
# and not WITHOUT.  What never comes ends the test: each line after it would be
# waited for as long.
awaited()
{
    wait_for stands "$1" "$2" "${4-}"
    tap_result $? "$3" && return
    diag "never came: $2${4+, without $4}; what stands there:"
    diag "$standing"
    done_testing
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
