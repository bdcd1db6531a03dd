#!/usr/bin/env bash
# test_files.sh -- what deploy/ ships is true of the programs, and good by the
# judgement of the tools it is for.

. tests/support/tap.sh

# ---- configuration: every key, in the sample and in the manual ----------------

# The rows of config.def, one in a line, and the one that the games bring.
rows=$(
    sed -n '/^[A-Z]*_KEY(/{:more;/)$/!{N;s/\n */ /;bmore;};p;}' \
        server/config.def
    echo 'TEXT_KEY("games.hadara_tables", folder, 512, TEXT, "", RELOAD)'
)
keys=$(cut -d'"' -f2 <<<"$rows")
ok 'the keys of config.def are found' test "$(wc -l <<<"$keys")" -ge 20
while read -r key; do
    if "$BIN/sobremesad" --set "$key=x" --check-config 2>&1 |
        grep -q 'there is no setting'; then
        unknown+="$key "
    fi
done <<<"$keys"
is "${unknown:-}" '' 'and the daemon has them all'

# in_sections PATTERN: section.key of each line that matches, with the section's
# header before it.
sample=$(awk '/^\[/ { gsub(/[][]/, ""); section = $1; next }
    /^;[a-z_]+ =/ { sub(/^;/, ""); print section "." $1 }' \
    deploy/sobremesa.conf.sample)
is "$(sort <<<"$sample")" "$(sort <<<"$keys")" 'the sample has every key'
manual=$(awk '/^# SECTION/ { gsub(/[][]/, ""); section = $3; next }
    /^\*[a-z_]+\* =/ { gsub(/\*/, ""); print section "." $1 }' \
    deploy/man/sobremesa.conf.5.scd)
is "$(sort <<<"$manual")" "$(sort <<<"$keys")" 'the manual has every key'

# What waits for a restart says so.
start=$(sed -n 's/^[A-Z_]*("\([a-z_.]*\)".* START)$/\1/p' <<<"$rows")
marked=$(awk '/^\[/ { gsub(/[][]/, ""); section = $1; next }
    /^# \(start\)/ { start = 1 }
    /^;[a-z_]+ =/ { sub(/^;/, ""); if (start) print section "." $1; start = 0 }' \
    deploy/sobremesa.conf.sample)
is "$(sort <<<"$marked")" "$(sort <<<"$start")" \
    'what waits for a restart is marked in the sample'

# What both call the default is: it comes out of the same sentence.
defaults()
{
    sed -n "s/^;\{0,1\}\**\([a-z_]*\)\** = *\(.*\)/\1=\2/p" "$1" |
        grep -v '^socket='
}
is "$(defaults deploy/sobremesa.conf.sample)" \
    "$(defaults deploy/man/sobremesa.conf.5.scd)" \
    'sample and manual say the same defaults'
while IFS='=' read -r key value; do
    line=$(grep "\.$key\", " <<<"$rows")
    [[ $line == *"\"${value% }\", "[A-Z]* ]] ||
        wrong+="$key = $value"$'\n'
done < <(defaults deploy/sobremesa.conf.sample)
is "${wrong:-}" '' 'and the daemon uses them'

sed 's/^;//' deploy/sobremesa.conf.sample >"$TMPDIR/all.conf"
ok 'the sample with all keys in force is good' \
    "$BIN/sobremesad" -c "$TMPDIR/all.conf" --check-config
sed 's/^;level = info/level = loud/' deploy/sobremesa.conf.sample \
    >"$TMPDIR/bad.conf"
"$BIN/sobremesad" -c "$TMPDIR/bad.conf" --check-config 2>"$TMPDIR/said"
is "$?" 1 'and it is looked at'

# ---- the units -------------------------------------------------------------

mkdir "$TMPDIR/build"
services=(sobremesad.service sobremesa-backup.service)
make -s BUILD="$TMPDIR/build" PREFIX=/usr DEPS=no \
    "${services[@]/#/$TMPDIR/build/}" "$TMPDIR/build/sobremesa-backup.timer" \
    >/dev/null
for service in "${services[@]}"; do
    exposure=$(systemd-analyze security --offline=true \
        "$TMPDIR/build/$service" |
        sed -n 's/.*exposure level for [^:]*: \([0-9.]*\).*/\1/p')
    like "$exposure" '^(0\.[0-9]|1\.[0-5])$' \
        "$service is hardened: $exposure is at most 1.5"
done
said=$(systemd-analyze verify "$TMPDIR"/build/*.{service,timer} 2>&1 |
    grep -v "Command 'man \|is not executable: No such file")
is "$said" '' 'and systemd has nothing to say about them'

# ---- manual pages ------------------------------------------------------------

for page in deploy/man/*.scd; do
    # mandoc wants to find the section behind the last dot of the whole path.
    made=$TMPDIR/$(basename "$page" .scd)
    ok "${page##*/} is scdoc" sh -c "scdoc <'$page' >'$made'"
    # scdoc puts paragraphs where mandoc would not: no harm.
    is "$(mandoc -T lint -W warning "$made" |
        grep -v 'skipping paragraph macro')" '' "${page##*/} is clean"
done
for program in sobremesa:1 sobremesactl:8 sobremesad:8 sobremesa-bot:8 \
    sobremesa.conf:5; do
    ok "there is a page for $program" \
        test -f "deploy/man/${program/:/.}.scd"
done

# options PROGRAM...: the long options that --help tells of.
options()
{
    "$@" --help | grep -oE -- '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u
}
for name in sobremesad:8 sobremesactl:8; do
    page=$(sed 's/\\//g' "deploy/man/${name/:/.}.scd")
    missing=
    for option in $(options "$BIN/${name%:*}"); do
        [[ $option =~ ^--(help|usage|version)$ ]] && continue
        [[ $page == *"*$option*"* ]] || missing+="$option "
    done
    is "$missing" '' "the page of ${name%:*} has every option"
done

# commands PROGRAM: those that --help lists, of one word or two.
commands()
{
    "$BIN/$1" --help | sed -nE \
        's/^  (([a-z]+ )?[a-z-]+) {2,}.*/\1/p; t; s/^  ([a-z]+) [a-z].*/\1/p' |
        sort -u
}
for name in sobremesa:1 sobremesactl:8; do
    page=$(<"deploy/man/${name/:/.}.scd")
    listed=$(commands "${name%:*}")
    missing=
    while read -r command; do
        [[ $page == *"*$command*"* ]] || missing+="$command, "
    done <<<"$listed"
    ok "${name%:*} has commands" test "$(wc -l <<<"$listed")" -ge 10
    is "$missing" '' "the page of ${name%:*} has every command"
done

# ---- packages: what make needs, Debian's build needs as well ------------------

needs=$(sed -n '/^NEEDS_all =/,/[^\\]$/p' Makefile |
    sed 's/^NEEDS_all =//; s/\\//' | tr ' ' '\n' | grep .)
ok 'what make needs is found' test "$(wc -l <<<"$needs")" -ge 12
missing=
for package in $needs scdoc; do
    case $package in
    gcc | libc6-dev | make) continue ;; # of every build
    esac
    grep -qx " $package," deploy/debian/control || missing+="$package "
done
is "$missing" '' "Debian's build has it, too"

# ---- install and uninstall -----------------------------------------------------

# make looks at what is built first, and writes there.
if ! [[ -w $BUILD && -w $BUILD/names ]]; then
    tap_result 0 "make install # SKIP $BUILD is of another user"
    done_testing
fi
top=$TMPDIR/top
install=(make -s DESTDIR="$top" PREFIX=/usr BUILD="$BUILD" DEPS=no)
ok 'make install' "${install[@]}" install
for file in usr/bin/sobremesa usr/bin/sobremesad usr/bin/sobremesactl \
    usr/bin/sobremesa-bot \
    usr/share/bash-completion/completions/sobremesa \
    usr/share/zsh/vendor-completions/_sobremesa \
    usr/share/fish/vendor_completions.d/sobremesa.fish \
    usr/share/man/man1/sobremesa.1 usr/share/man/man5/sobremesa.conf.5 \
    usr/share/man/man8/sobremesad.8 usr/share/man/man8/sobremesactl.8 \
    usr/lib/systemd/system/sobremesad.service \
    usr/lib/sysusers.d/sobremesad.conf etc/sobremesa.conf \
    usr/share/doc/sobremesa/examples/nginx.conf; do
    ok "it brings $file" test -f "$top/$file"
done
like "$(<"$top/usr/lib/systemd/system/sobremesad.service")" \
    'ExecStart=/usr/bin/sobremesad -c /etc/sobremesa.conf' \
    'the unit starts what was installed'
ok 'the configuration is good' \
    "$top/usr/bin/sobremesad" -c "$top/etc/sobremesa.conf" --check-config
like "$(<"$top/etc/sobremesa.conf")" '
data = /var/lib/sobremesa
' 'and names the place of the data'
echo '# mine' >>"$top/etc/sobremesa.conf"
ok 'make install again' "${install[@]}" install
is "$(tail -n 1 "$top/etc/sobremesa.conf")" '# mine' \
    "the operator's configuration stays"
ok 'make uninstall' "${install[@]}" uninstall
is "$(cd "$top" && find . -type f)" ./etc/sobremesa.conf \
    'leaves only the configuration'

done_testing
