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
    command=$(printf ' %q' "${sobremesa:?}" play --offline "$@")
    tm new-session -d -x "$width" -y "$height" \
        "${environment:-env} TERM=${term:-tmux-256color} $command; echo END \$?; sleep 1000"
}
screen() { tm capture-pane -p; }
colours() { tm capture-pane -p -e; }
# shows PATTERN WHAT: waits until it stands on the screen.
shows()
{
    local i stands
    for ((i = 0; i < 200; i++)); do
        stands=$(screen)
        [[ $stands =~ $1 ]] && break
        sleep 0.05
    done
    like "$stands" "$1" "$2"
}
keys() { tm send-keys "$@"; }
# press KEY PATTERN WHAT
press()
{
    keys "$1"
    shows "$2" "$3"
}
