#!/usr/bin/env bash
# test_readmes.sh -- what the READMEs name is there: the files they link to and
# those that they call by a name with a folder or a known ending.

. tests/support/tap.sh

# The tree may be somebody else's.
git() { command git -c safe.directory='*' "$@"; }
git rev-parse --git-dir >/dev/null 2>&1 || skip_all 'this is no clone'

# Prints "README NAME" for each file that a README names and that is in no
# place where a reader would look: beside it, from the top, or the end of a
# path in the tree.  NAME in capitals stands for any.
missing()
{
    git ls-files --cached --others --exclude-standard | perl -e '
        my %there;
        while (<STDIN>) {
            chomp;
            for (my $path = $_; $path ne ""; $path =~ s/[^\/]*$//) {
                $path =~ s/\/$//;
                $there{$path} = 1;
                my $end = $path;
                $there{$end} = 1 while $end =~ s/^[^\/]*\///;
            }
        }
        my $endings = qr/\.(?:c|h|md|sh|py|m?js|sql|def|json|sample|service
                           |timer|conf|cfg|haz|csv|txt|scd)/x;
        for my $readme (@ARGV) {
            (my $beside = $readme) =~ s/[^\/]*$//;
            open my $file, "<", $readme or die "$readme: $!";
            local $/;
            my $text = <$file>;
            my @names = grep { !/^[a-z]+:/ } $text =~ /\]\(([^)#]+)/g;
            $_ = $beside . $_ for @names;
            for my $code ($text =~ /`([^`\n]+)`/g) {
                push @names, grep { !m{^[/.]|^build/|NAME|DIR} }
                    $code =~ m#(?<![\w*/<}~-])([\w./-]*$endings)(?![\w/*])#g;
            }
            for my $name (@names) {
                1 while $name =~ s{[^/.]+/\.\./}{};
                $name =~ s{/$}{};
                print "$readme $name\n" unless $there{$name};
            }
        }' "$@" || echo "perl: $?"
}

mapfile -t readmes < <(git ls-files '*README.md')
is "$(missing "${readmes[@]}")" '' 'every file that a README names is there'

cat >"$TMPDIR/README.md" <<'MD'
See [this](nowhere.md), `core/rules.h`, `rules.h`, `core/nothing.h`, `games/NAME.c`.
MD
is "$(missing "$TMPDIR/README.md")" "$TMPDIR/README.md $TMPDIR/nowhere.md
$TMPDIR/README.md core/nothing.h" 'and what is not would be told'

done_testing
