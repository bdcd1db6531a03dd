#!/usr/bin/env bash
# test_chance.sh -- no verdict of `make test` depends on time or luck: nobody reads a
# clock, sleeps or draws without a seed, but in the places that are listed here.

. tests/support/tap.sh

# What is looked for, as Perl's regular expressions, by the endings of files.
patterns()
{
    cat <<'END'
py      \btime\.(time|monotonic|perf_counter|process_time|thread_time)(_ns)?\b
py      \btime\.(localtime|gmtime|ctime|strftime)\b|\bdate(time)?\.(now|utcnow|today)\b
py      \btime\.sleep\b|\basyncio\.sleep\b|\bthreading\.Timer\b|\bcall_later\b|\.wait\(0?\.
py      (?<![\w.-])sleep +[\d.]
py      \brandom\.(?!Random\b)\w+|\brandom\.Random\(\)|/dev/u?random\b
py      \bos\.(urandom|getrandom)\b|\bsecrets\.(token|choice|rand|System)|\buuid\.uuid[14]\b
py      \bfrom (time|random|secrets|uuid) import\b
mjs     \bDate\.now\b|\bnew Date(\(\)|;)|\bperformance\.now\(|\bhrtime\b
mjs     \bsetTimeout\((?!go\))|\bsetInterval\(|\bwaitForTimeout\(|\btimers/promises\b
mjs     \bMath\.random\(|\b(getRandomValues|randomBytes|randomUUID|randomInt|generateKey\w*)\(
[ch]    \b(clock_gettime|gettimeofday|timespec_get|uv_hrtime|uv_now|time)\(|\bclock\(\)
[ch]    \b(sleep|usleep|nanosleep|clock_nanosleep|uv_sleep)\(|\bpoll\(NULL
[ch]    \b(rand|random|[dl]rand48|getrandom|arc4random\w*|uv_random|RAND_bytes)\(|/dev/u?random\b
[ch]    \brandombytes_\w+\(|\bsrand\((?!\d+\))
sh      \b(SECONDS|EPOCHREALTIME|EPOCHSECONDS)\b|\bdate +[-+]|\$\(date\b
sh      (?<![\w-])sleep +[\d.$"i]
sh      \bS?RANDOM\b|/dev/u?random\b|\bshuf\b(?!.*--random-source)|\buuidgen\b
END
}

# Where it is meant: a file, what it may have there, and why.
allowed()
{
    cat <<'END'
tests/support/daemon.py            \btime\.|\.today  until() and the clocks of daemons: the one place in Python
tests/support/tap.sh               SECONDS|sleep     wait_for: the one place in scripts
tests/support/until.h              usleep            UNTIL: the one place in C
tests/web/support.mjs              Date|setTimeout|setInterval  until, and the clocks of daemons and pages
tests/support/standing_clock.h     clock_gettime     a clock that stands
tests/daemon/clocks.c              clock_gettime|nanosleep  clocks that are set
tests/daemon/patience.c            nanosleep         lets an end take longer
tests/daemon/count.c               clock_gettime     a clock of what is executed
tests/io/carry.c                   clock_gettime     a clock that stands
tests/daemon/draws.c               getrandom|randombytes  draws from a seed
tests/support/store_fixture.c      clock_gettime     how long a look waits at most
tests/web/far.mjs                  Date|setTimeout|setInterval  a wire that takes its time, which soak_weight.mjs judges
tests/daemon/test_notices_kills.py asyncio\.sleep|call_later|Timer|\.wait  a slow mail server, and kills at any time
tests/daemon/test_password_flood.py \.wait          a flood that leaves a core to others
tests/io/test_courier.py           \.wait           a receiver that says a byte now and then
tests/term/person.py               sleep             holds a terminal open
tests/term/tmux.sh                 sleep.1000        holds a terminal open
tests/term/test_rules.sh           sleep.1000        holds a terminal open
tests/checks/test_runner.sh        sleep.infinity    a script that hangs
tests/support/mutate.py            .                 no test: `make mutate`
tests/web/screenshots.mjs          .                 no test: `make screenshots`
END
}

# Without what rand() draws where srand() has a number.
but_seeded()
{
    local line
    while IFS= read -r line; do
        [[ $line =~ [^a-z_]rand\( ]] &&
            grep -qE '\bsrand\([0-9]+\)' "${line%%:*}" || echo "$line"
    done
}

# found FILE...: FILE:LINE:TEXT of whatever depends on time or luck, in these and
# below; comments may name it.
found()
{
    local ending pattern comment
    while read -r ending pattern; do
        comment='//|/?\*'
        [[ $ending == py || $ending == sh ]] && comment='#'
        grep -rnP --include="*.$ending" --exclude-dir={attack,bench,lighthouse} \
            --exclude={soak_*,test_chance.sh} "^(?!\s*($comment)).*($pattern)" "$@"
    done < <(patterns) | but_seeded | sort -u
}

left=$(found tests tests/bench/test_*) unused=
while read -r file pattern _; do
    others=$(grep -vE "^$file:[0-9]+:.*($pattern)" <<<"$left")
    [[ $others != "$left" ]] || unused+="$file $pattern"$'\n'
    left=$others
done < <(allowed)
is "$left" '' 'nobody reads a clock, sleeps or draws without a seed who may not'
is "$unused" '' 'and who may does'

# ---- what is planted is found ---------------------------------------------------

# A file's ending, and a line of it.
planted()
{
    cat <<'END'
py   ok(time.monotonic() - began < 0.5, "that was quick")
py   until_ms = int(time.time() * 1000) + 60000
py   today = datetime.date.today()
py   time.sleep(0.2)  # by now it has come
py   await asyncio.sleep(0.2)
py   came.wait(0.2)
py   subprocess.run("sobremesa play & sleep 1", shell=True)
py   move = random.choice(moves)
py   rng = random.Random()
py   key = os.urandom(16)
mjs  ok(Date.now() - began < 500, 'that was quick');
mjs  const now = new Date();
mjs  await new Promise((go) => setTimeout(go, 200));
mjs  await page.waitForTimeout(200);
mjs  const move = moves[Math.floor(Math.random() * moves.length)];
mjs  const key = randomBytes(16);
c    clock_gettime(CLOCK_MONOTONIC, &began);
c    cr_assert_lt(time(NULL) - began, 2);
c    usleep(200000);
c    int move = rand() % count;
c    srand((unsigned)time(NULL));
h    static inline void soon(void) { sleep(1); }
sh   [[ $((SECONDS - began)) -lt 2 ]]
sh   began=$(date +%s)
sh   sleep 0.2
sh   move=$((RANDOM % 9))
sh   key=$(head -c 16 /dev/urandom | base64)
END
}

# What looks like it, and is not.
innocent()
{
    cat <<'END'
py   # time.sleep(0.2) and random.choice() are not for tests
py   rng = random.Random(SEED)
py   noon = datetime.time(12, 30)
py   secrets.append(rng.random())
py   hurried = 300 * run_time.monotonic
mjs  // Date.now() is the server's
mjs  await new Promise((go) => setTimeout(go));
mjs  const stands = 'performance.now = () => 0';
mjs  const day = new Date(2027, 0, 13);
c    /* usleep(200000) would do no good */
c    srand(7); for (int i = 0; i < 6; i++) cells[i] = rand() % 6;
c    until_time(&f); brand(MIND_RANDOM);
sh   # sleep 1
sh   FUZZ_SECONDS=1 run date
END
}

# written NAME: the files of its lines, one for each, below a folder of that NAME.
written()
{
    local ending line number=10
    mkdir "$TMPDIR/$1"
    while read -r ending line; do
        echo "$line" >"$TMPDIR/$1/$number.$ending"
        number=$((number + 1))
    done < <("$1")
}

written planted
written innocent
cd "$TMPDIR" || exit
is "$(found planted | cut -d : -f 3-)" "$(planted | cut -c 6-)" \
    'what is planted is found, each of them'
is "$(found innocent)" '' 'and nothing else'

done_testing
