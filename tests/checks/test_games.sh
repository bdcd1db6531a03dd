#!/usr/bin/env bash
# test_games.sh -- a game stays in its folder and its files: nothing else in the
# product knows one by name, but for one line where it is entered.  (Tests may
# name games: they play them, and a new one needs none of theirs.)

. tests/support/tap.sh

# Where a game is entered, and why there is no doing without.
entered()
{
    cat <<'END'
core/games.c            GAME\(%s\)              the list of games, in their order
core/minds.c            MIND\(%s\)              minds are linked, not looked for
core/guides.c           GUIDE\(%s\)             as are guides
clients/term/game_ui.c  GAME\(%s\)              UIs are linked, not looked for
clients/web/games.js    ^[[:space:]]+%s:        a page cannot look into a folder
clients/web/games/art.js  ^[[:space:]]+%s:      a building, of those that are drawn
END
}

# own NAME: its files, as an extended regular expression.
own()
{
    echo "(core/games/$1/|clients/term/$1[_.]|clients/web/games/$1[_.])"
}

# named GAME: FILE:LINE:TEXT of whatever knows it and should not.
named()
{
    local place line
    grep -rniE "\b($1|$(title "$1"))" --include='*.'{c,h,def,js,css,html,sql,sh} \
        --include=Makefile core protocol server clients schema Makefile |
        grep -vE "^$(own "$1")" |
        while IFS= read -r line; do
            while read -r place pattern _; do
                # shellcheck disable=SC2059 # the pattern has a place for it
                [[ ${line%%:*} == "$place" &&
                    ${line#*:*:} =~ $(printf "$pattern" "$1") ]] && continue 2
            done < <(entered)
            echo "$line"
        done
}

# title GAME: as people read it.
title()
{
    grep -hA1 "\.name = \"$1\",$" core/games/"$1"/*.c |
        sed -n 's/.*\.title = "\(.*\)",$/\1/p'
}

for folder in core/games/*/; do
    game=$(basename "$folder")
    is "$(named "$game")" "" "$game is known to its own files only"
    ok "and has a line in core/games.c" grep -q "GAME($game)" core/games.c
done

# What finds nothing anywhere cannot fail: a tree where it would.
cd "$TMPDIR" || exit
mkdir -p core/games/ludo clients/term server protocol schema
printf '    .name = "ludo",\n    .title = "Ludo of old",\n' >core/games/ludo/ludo.c
echo '# nothing' >Makefile
echo 'GAME(ludo)' | tee core/games.c >server/games.c
echo 'ludo_ui' >clients/term/ludo.c
echo '/* Ludo of old is long */' >clients/term/main.c
is "$(named ludo | sort)" "clients/term/main.c:1:/* Ludo of old is long */
server/games.c:1:GAME(ludo)" "its name elsewhere would be found, and its title"

done_testing
