# Makefile -- builds, tests and installs Sobremesa.  `make help` says what it
# can do.
#
# One makefile for the whole tree, to be read from top to bottom: settings,
# packages, sources, rules, tests, care, install.  What it makes is in build/:
#
#     bin/ test/ bench/         programs, test programs, benchmarks
#     release/ asan/ fuzz/ ...  objects, one directory per MODE so that flags
#                               never mix; asan/ and cover/ have a bin/ and a
#                               test/ of their own
#     gen/                      generated C

# ---- Settings, to be overridden on the command line or in the environment ---

BUILD ?= build
MODE ?= release
PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
DATADIR ?= /var/lib/sobremesa
RUNDIR ?= /run/sobremesa
UNITDIR ?= $(PREFIX)/lib/systemd/system
CFLAGS ?= -O2 -g
CLANG ?= clang-14
WASM_LD ?= wasm-ld-14
WASM_OPT ?= wasm-opt
CLANG_FORMAT ?= clang-format-14
CLANG_TIDY ?= clang-tidy-14
# How long each fuzzer runs, 10 s if it does not stand here: longer where what it
# reaches still grows.  FUZZ_SECONDS is for all of them instead.
FUZZ_TIMES ?= message=80 record=40
FUZZ_SECONDS ?=
JOBS ?= $(shell nproc)
# V=1 shows whole commands, CI=true makes warnings errors.  Packages that are
# missing are installed by the targets that README.md promises it of, named by
# the others; DEPS=install and DEPS=no have it one way or leave it to you.
DEPS ?= $(if $(filter run test deps,$(MAKECMDGOALS)),install)

STD = -std=c11
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
       -Wmissing-prototypes -Wvla $(if $(filter true,$(CI)),-Werror)

# release is what people get; asan and cover are for its tests; fuzz and pure
# hold what their targets below are about.  wasm/ is made in every mode: the
# daemon carries it for the browser.
FLAGS_release = $(CPPFLAGS) $(CFLAGS) -D_FORTIFY_SOURCE=2 \
                -fstack-protector-strong -fstack-clash-protection -fPIE
LINK_release = $(CFLAGS) -pie -Wl,-z,relro -Wl,-z,now $(LDFLAGS)
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all
FLAGS_asan = -O1 -g -fno-omit-frame-pointer $(SANITIZE)
LINK_asan = $(SANITIZE)
# What is done is counted: see tests/daemon/count.c.
FLAGS_count = -O1 -g -fsanitize-coverage=trace-pc
LINK_count = -rdynamic
FLAGS_tsan = -O1 -g -fsanitize=thread
LINK_tsan = -fsanitize=thread
FLAGS_cover = -O0 -g --coverage
LINK_cover = --coverage
FLAGS_fuzz = $(FLAGS_asan) -fsanitize=fuzzer-no-link
LINK_fuzz = $(SANITIZE) -fsanitize=fuzzer
FLAGS_pure = -O2 -ffreestanding -fno-pic -mgeneral-regs-only
FLAGS_wasm = -Oz -mllvm -inline-threshold=-50 -ffreestanding --target=wasm32 \
             $(addprefix -m,$(WASM_FEATURES))
WASM_FEATURES = bulk-memory sign-ext nontrapping-fptoint
WARN_clang = -Wno-sign-conversion # where gcc has no complaint: int = enum
ifeq ($(MODE),fuzz)
CC = $(CLANG)
WARN += $(WARN_clang)
endif

O = $(BUILD)/$(MODE)
TOP = $(if $(filter release,$(MODE)),$(BUILD),$(O))
BIN = $(TOP)/bin

MAKEFLAGS += -r --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif
Q = $(if $(V),,@)
say = $(if $(V),@:,@printf '  %-5s %s\n')
.SUFFIXES:
.SECONDARY:
.DELETE_ON_ERROR:
.DEFAULT_GOAL = all

# ---- Packages: what Debian has to bring for each target ---------------------

NEEDS_all = gcc libc6-dev make pkg-config libjansson-dev libncurses-dev \
            libuv1-dev libsqlite3-dev libpq-dev libsodium-dev zlib1g-dev \
            libinih-dev libjemalloc-dev libssl-dev libcurl4-openssl-dev \
            clang-14 lld-14 binaryen esbuild gettext zopfli
NEEDS_run = $(NEEDS_all) tzdata
NEEDS_man = scdoc
NEEDS_install = $(NEEDS_all) $(NEEDS_man)
NEEDS_deb = $(NEEDS_install) build-essential debhelper
NEEDS_attack = $(NEEDS_check)
NEEDS_soak = $(NEEDS_check) $(NEEDS_fuzz) $(NEEDS_web) $(NEEDS_deb) lintian mandoc \
             mmdebstrap systemd-container webkit2gtk-driver xvfb
NEEDS_silence = $(NEEDS_check)
NEEDS_arena = $(NEEDS_all)
NEEDS_twins = $(NEEDS_check)
NEEDS_bench = $(NEEDS_all) libcriterion-dev python3 \
              $(if $(BEFORE),git,nodejs npm)
NEEDS_check = $(NEEDS_all) libcriterion-dev libsodium-dev perl python3 \
              haproxy openssl python3-aiosmtpd python3-autobahn python3-mpmath \
              postgresql-15 python3-jsonschema tzdata python3-websockets strace \
              systemd tmux
NEEDS_tests = $(NEEDS_check)
NEEDS_quick = $(NEEDS_check)
NEEDS_mutate = $(NEEDS_check) git
NEEDS_asan = $(NEEDS_check)
NEEDS_tsan = $(NEEDS_all) perl
NEEDS_golden = $(NEEDS_check)
NEEDS_cover = $(NEEDS_check) gcovr
NEEDS_fuzz = $(NEEDS_all) clang-14 libclang-rt-14-dev perl
NEEDS_pure = gcc make perl
NEEDS_wasm = $(NEEDS_all) nodejs npm
NEEDS_web = $(NEEDS_all) chromium chromium-headless-shell firefox-esr nginx-light \
            nodejs npm
NEEDS_lighthouse = $(NEEDS_all) chromium nodejs npm
NEEDS_screenshots = $(NEEDS_web)
NEEDS_fmt = clang-format-14
NEEDS_fmt-check = $(NEEDS_fmt) perl
NEEDS_lint = $(NEEDS_all) clang-tidy-14 cppcheck perl shellcheck
NEEDS_test = $(NEEDS_check) $(NEEDS_wasm) $(NEEDS_lint) $(NEEDS_web) $(NEEDS_fmt) \
             $(NEEDS_man) curl git iproute2 mandoc nginx-light procps
NEEDS_deps = $(NEEDS_test) $(NEEDS_soak) $(NEEDS_cover)

# This happens while make reads the file, so before everything else.
ifeq ($(MAKELEVEL)$(findstring n,$(firstword -$(MAKEFLAGS))),0)
NEEDS := $(sort $(foreach goal,$(or $(MAKECMDGOALS),all),$(NEEDS_$(goal))))
ifneq ($(NEEDS),)
$(shell DEPS=$(DEPS) deploy/deps.sh $(NEEDS))
ifneq ($(.SHELLSTATUS),0)
$(error $(or $(MAKECMDGOALS),all) cannot go on without these packages)
endif
endif
endif

# ---- Sources: found, not listed ---------------------------------------------

CORE = $(wildcard core/*.c core/games/*/*.c)
PROTOCOL = $(wildcard protocol/*.c)
HUB = $(wildcard server/hub/*.c)
STORE = $(wildcard server/io/store*.c)
# What needs no loop, so that tests can link it.
APART = $(wildcard server/io/courier*.c) \
        $(addprefix server/io/,fair.c guard.c hasher.c log.c log_writer.c metrics_text.c \
            mime.c network.c regular.c sender.c thread.c webpush.c zone.c zones.c)
IO = $(filter-out $(STORE) $(APART),$(wildcard server/io/*.c))
SERVER = $(wildcard server/*.c)
TERM = $(wildcard clients/term/*.c)
CTL = $(wildcard clients/ctl/*.c)
BOT = $(wildcard clients/bot/*.c)
COMMON = $(wildcard clients/common/*.c)
SUPPORT = $(wildcard tests/support/*.c tests/support/*/*.c)

TESTS_C = $(wildcard tests/*/test_*.c tests/*/*/test_*.c)
TESTS_SCRIPT = $(filter-out tests/checks/% tests/deploy/% tests/attack/%, \
                   $(wildcard tests/*/test_*.sh tests/*/test_*.py))
TESTS_NODE = $(filter-out tests/web/%,$(wildcard tests/*/test_*.mjs))
TESTS_WEB = $(wildcard tests/web/test_*.mjs)
CHECKS = $(wildcard tests/checks/test_*.sh tests/deploy/test_*)
FAILS = $(wildcard tests/checks/fail_*.c)
COUNTS = $(wildcard tests/*/count_*.py)
SOAKS = $(wildcard tests/*/soak_*)
ATTACKS = $(wildcard tests/attack/attack_*.py) $(COUNTS)
FUZZ = $(wildcard tests/fuzz/fuzz_*.c)
BENCH = $(wildcard tests/bench/bench_*.c)
LOAD = $(wildcard tests/bench/load*.c)

SOURCES := $(shell find core protocol server clients tests -name '*.[ch]' \
    2>/dev/null | sort)

# What lint looks at: all that goes into a program.
PRODUCT = $(CORE) $(PROTOCOL) $(COMMON) $(TERM) $(CTL) $(BOT) $(HUB) $(STORE) $(APART) $(IO) \
          $(SERVER)

GEN = $(GAME_DATA) $(BUILD)/gen/schema.c $(BUILD)/gen/schema_postgresql.c \
      $(BUILD)/gen/rules_pages.c $(BUILD)/gen/po.c $(BUILD)/gen/web.c

# What goes into libraries, programs and generated files.
PARTS = $(PRODUCT) $(SUPPORT) $(LOAD) $(GAME_PARTS) $(WEB) \
        $(wildcard schema/*.sql schema/*/*.sql core/games/*/rules/*.md \
            clients/term/po/*.po)

objects = $(patsubst %.c,$(O)/%.o,$(1))
PROGRAMS = $(BIN)/sobremesa $(BIN)/sobremesad $(BIN)/sobremesactl \
           $(BIN)/sobremesa-bot

# Only the core's sources are kept from knowing the system and the libraries.
pkg = $(shell pkg-config $(1))
LIBRARIES = jansson ncursesw zlib sqlite3 libuv
DAEMON_LIBRARIES = jansson zlib sqlite3 libpq libuv libsodium libcurl libcrypto
TLS_LIBRARIES = libssl libcrypto
OUTSIDE = -D_GNU_SOURCE -I. -isystem $(LLHTTP) \
          $(call pkg,--cflags $(LIBRARIES) $(DAEMON_LIBRARIES) \
              $(TLS_LIBRARIES))
LIBS = $(call pkg,--libs $(LIBRARIES)) -linih -lm
# Of what people connect to only the terminal client speaks TLS: the daemon
# leaves that to a proxy.
TERM_LIBS = $(LIBS) $(call pkg,--libs $(TLS_LIBRARIES))
# The sanitizers bring a malloc() of their own.
MALLOC_release = -Wl,--no-as-needed -ljemalloc
DAEMON_LIBS = $(call pkg,--libs $(DAEMON_LIBRARIES)) -linih \
              $(MALLOC_$(MODE)) -pthread
TEST_LIBS = $(call pkg,--libs criterion libpq libsodium libcurl libcrypto) \
            -pthread -lm

# ---- Rules ------------------------------------------------------------------

## all: every program there is; what `make` alone does
all: $(PROGRAMS)

FLAGS = $(STD) $(WARN) $(FLAGS_$(MODE))
compile = $(CC) $(FLAGS) $(FOR_TESTS) $(OUTSIDE) -MMD -MP -c -o $@ $<
link = $(CC) $(LINK_$(MODE)) -o $@ $(filter %.o,$^) \
       -Wl,--start-group $(filter %.a,$^) -Wl,--end-group

$(O)/%.o: %.c $(O)/flags
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(compile)
$(O)/gen/%.o: $(BUILD)/gen/%.c $(O)/flags
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(compile)
# Test files are large and run for a moment, so what makes them quick to compile and
# link saves most; FOR_TESTS= is for whoever wants to see their variables in gdb.
$(call objects,$(TESTS_C)): private FOR_TESTS ?= -O0 -g1 -U_FORTIFY_SOURCE \
                                                 -fno-sanitize=undefined
$(O)/core/%.o: OUTSIDE =
$(O)/gen/%.o: OUTSIDE = -Icore -I.

# Flags other than last time's make everything anew.
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(FLAGS)' | cmp -s - $@ || echo '$(CC) $(FLAGS)' >$@

# The names of what there is: no time stamp tells that a source came or went,
# which makes anew whatever is made of several.
NAMES = $(BUILD)/names
$(NAMES): FORCE
	@mkdir -p $(@D)
	@echo '$(PARTS)' | cmp -s - $@ || echo '$(PARTS)' >$@
$(GEN) $(PROGRAMS): $(NAMES)
made_of = $(filter-out $(NAMES),$^)

# Data that a game has in files, as C, for a core that opens none: its game.mk
# adds to GAME_DATA what is generated, and to GAME_PARTS the names it is made of.
include $(wildcard core/games/*/game.mk)

$(BUILD)/gen/schema.c: schema/embed.sh $(sort $(wildcard schema/*.sql))
$(BUILD)/gen/schema_postgresql.c: schema/embed.sh \
                                  $(sort $(wildcard schema/postgresql/*.sql))
$(BUILD)/gen/schema.c $(BUILD)/gen/schema_postgresql.c:
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh schema/embed.sh $(basename $(@F)) $(filter %.sql,$(made_of)) >$@

# The core for browsers and node: base.c is all the host it has.
WASM = $(BUILD)/wasm
WASM_FLAGS = $(STD) $(filter-out -Werror,$(WARN)) $(WARN_clang) $(FLAGS_wasm) \
             $(filter -Werror,$(WARN)) -I. -Icore
$(WASM)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(WASM_FLAGS)' | cmp -s - $@ || echo '$(WASM_FLAGS)' >$@
$(WASM)/%.o: %.c $(WASM)/flags
	$(say) WASM $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(WASM_FLAGS) -MMD -MP -c -o $@ $<
$(WASM)/gen/%.o: $(BUILD)/gen/%.c $(WASM)/flags
	$(say) WASM $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(WASM_FLAGS) -MMD -MP -c -o $@ $<
WASM_O = $(CORE:%.c=$(WASM)/%.o) $(WASM)/clients/web/wasm/base.o \
         $(GAME_DATA:$(BUILD)/%.c=$(WASM)/%.o)
# What a table needs, and what looks at logs besides.
GLUE_O = $(WASM)/clients/web/wasm/light.o
LOGS_O = $(WASM)/clients/web/wasm/glue.o $(WASM)/clients/web/wasm/time.o
$(GLUE_O): clients/web/wasm/glue.c $(WASM)/flags
	$(say) WASM $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(WASM_FLAGS) -DWITHOUT_LOGS -MMD -MP -c -o $@ $<
# And one that looks ahead and leads, with minds and guides besides.
AHEAD_O = $(LOGS_O) $(WASM)/clients/web/wasm/ahead.o \
          $(WASM)/clients/web/wasm/guide.o
$(WASM)/web.wasm: $(WASM_O) $(GLUE_O)
$(WASM)/logs.wasm: $(WASM_O) $(LOGS_O)
$(WASM)/ahead.wasm: $(WASM_O) $(AHEAD_O)
WASMS = $(addprefix $(WASM)/,web.wasm logs.wasm ahead.wasm)
$(WASM)/core.wasm: $(WASM_O) $(WASM)/tests/core/wasm_glue.o
$(WASM)/%.wasm: $(NAMES)
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(WASM_LD) --no-entry --strip-all --gc-sections --stack-first \
	    -z stack-size=1048576 -o $@.tmp $(made_of)
	$(Q)$(WASM_OPT) $(WASM_SMALL) $(WASM_PROMISES) -o $@ $@.tmp && rm $@.tmp
# Flat and woven anew, it comes out a little smaller.
WASM_SMALL = -Oz --flatten --rereloop -Oz -Oz
# What the linker put first is the stack's far end: nothing has an address there.
WASM_PROMISES = --low-memory-unused --enable-bulk-memory --enable-sign-ext \
                --enable-nontrapping-float-to-int

# The browser client, all in one: what is not for browsers stays out.  The
# numbers of a game are told by the same files that the core is made of.
WEB = $(filter-out %/types.js,$(sort $(wildcard $(addprefix clients/web/, \
          *.html *.css *.js *.svg *.png *.webmanifest games/*.js games/*.css)) \
          core/games/*/data/*/*.csv))
$(BUILD)/gen/web.c: clients/web/embed.sh $(WEB) $(WASMS)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $(made_of) >$@
$(O)/gen/web.o: OUTSIDE = -I.

# The rules for people, which lie beside their games.
$(BUILD)/gen/rules_pages.c: protocol/pages.sh \
                            $(sort $(wildcard core/games/*/rules/*.md))
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $(made_of) >$@

# What the terminal client says in other languages than English.
PO = $(sort $(wildcard clients/term/po/*.po))
$(BUILD)/gen/po.c: clients/term/po/embed.sh $(PO)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $(made_of) >$@
$(O)/gen/po.o: OUTSIDE = -I.

# What comes from elsewhere is tried three times, and named if it does not come.
FETCH = deploy/fetch.sh
# llhttp is generated C that nobody has written or will read: its own flags.
LLHTTP = $(BUILD)/llhttp
$(LLHTTP)/llhttp.h: protocol/llhttp.sh
	$(say) GET $@
	$(Q)$(FETCH) "llhttp's source" protocol/llhttp.sh $(@D)
$(LLHTTP)/%.c: $(LLHTTP)/llhttp.h ;
$(O)/llhttp/%.o: $(LLHTTP)/%.c $(O)/flags
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(FLAGS_$(MODE)) -w -DLLHTTP_STRICT_MODE=1 -c -o $@ $<
$(O)/protocol/http.o: | $(LLHTTP)/llhttp.h
LLHTTP_O = $(patsubst %,$(O)/llhttp/%.o,llhttp api http)

# What a new game takes: the same programs with one game more, of which nothing
# in the product knows but the line that is added to core/games.c here.
TOY = $(TOP)/toy
TOY_GAMES = $(BUILD)/gen/toy_games.c
$(TOY_GAMES): core/games.c
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sed '/^#define GAMES/a\    GAME(haggle) \\' $< >$@
TOY_WASM = $(WASMS:$(WASM)/%=$(WASM)/toy/wasm/%)
$(TOY_WASM): $(filter-out %/core/games.o,$(WASM_O)) $(WASM)/gen/toy_games.o \
             $(WASM)/tests/support/games/haggle.o
$(WASM)/toy/wasm/web.wasm: $(GLUE_O)
$(WASM)/toy/wasm/logs.wasm: $(LOGS_O)
$(WASM)/toy/wasm/ahead.wasm: $(AHEAD_O)
TOY_WEB = $(BUILD)/gen/toy_web.c
$(TOY_WEB): clients/web/embed.sh $(WEB) $(TOY_WASM)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)sh $^ >$@
TOY_O = $(O)/gen/toy_games.o $(O)/tests/support/games/haggle.o

# As libraries, so that each program links what it uses and no more.  The
# tests may use all of the terminal client but its main().
CORE_O = $(call objects,$(CORE)) $(GAME_DATA:$(BUILD)/%.c=$(O)/%.o)
$(O)/core.a: $(CORE_O)
$(O)/protocol.a: $(call objects,$(PROTOCOL)) $(O)/gen/rules_pages.o $(LLHTTP_O)
$(O)/common.a: $(call objects,$(COMMON))
$(O)/term.a: $(call objects,$(filter-out %/main.c,$(TERM))) $(O)/gen/po.o
$(O)/hub.a: $(call objects,$(HUB))
$(O)/store.a: $(call objects,$(STORE)) $(O)/gen/schema.o \
              $(O)/gen/schema_postgresql.o
$(O)/apart.a: $(call objects,$(APART))
$(O)/support.a: $(call objects,$(SUPPORT))
$(O)/%.a: $(NAMES)
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $(made_of)

$(BIN)/sobremesa: $(call objects,$(TERM)) $(O)/gen/po.o $(O)/common.a \
                  $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(TERM_LIBS)

$(BIN)/sobremesad: $(call objects,$(SERVER) $(IO)) $(O)/gen/web.o $(O)/hub.a \
                   $(O)/store.a $(O)/apart.a $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(DAEMON_LIBS)

$(BIN)/sobremesactl: $(call objects,$(CTL)) $(O)/common.a $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(LIBS)

# It thinks, and has nothing that could connect to anything.
BOT_LIBS = $(call pkg,--libs jansson zlib)
$(BIN)/sobremesa-bot: $(call objects,$(BOT)) $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(BOT_LIBS)

$(TOY)/sobremesa: $(TOY_O) $(call objects,$(TERM)) $(O)/gen/po.o \
                  $(O)/common.a $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(TERM_LIBS)
$(TOY)/sobremesad: $(TOY_O) $(call objects,$(SERVER) $(IO)) \
                   $(O)/gen/toy_web.o $(O)/hub.a $(O)/store.a $(O)/apart.a \
                   $(O)/protocol.a $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(DAEMON_LIBS)
TOY_PROGRAMS = $(TOY)/sobremesa $(TOY)/sobremesad

## run: the daemon, on ./sobremesa-data; OPTIONS="..." are given to it
run: all
	$(Q)exec deploy/run.sh $(BIN) $(OPTIONS)

# ---- Tests: all of them speak TAP; prove runs and counts them ---------------
#
# tests/DIR/test_NAME.c becomes the Criterion program build/test/DIR/test_NAME.
# A script gets a link in that place, and so knows which programs to try: those
# of the same mode.  What does not depend on the mode runs once: tests/checks/,
# which judge the tree, and tests for node.  tests/support/run.sh runs one of
# any kind.

in_mode = $(TESTS_C:tests/%.c=$(1)/test/%) \
          $(TESTS_SCRIPT:tests/%=$(1)/test/%)
TESTS = $(call in_mode,$(TOP))
ASAN_TESTS = $(call in_mode,$(BUILD)/asan)
# `make test` runs each test where it shows most, `make check` and `make asan` run all.
# C programs run under the sanitizers; long plays of the pure core, in which those
# find nothing that shorter ones do not, run as people build them; what plays less
# under the sanitizers runs both ways.  Scripts try the programs that people get, and
# the sanitized ones with hostile input, full disks, deaths and many at once.
ONLY_PLAIN = core/test_conformance_% core/test_mind_secrets core/test_mind_same \
             golden/% hub/test_limits sim/test_leaks sim/test_secrets sim/test_year
ALSO_PLAIN = core/test_board core/test_hadara_games io/test_store_copy \
             io/test_store_crash io/test_store_faults io/test_store_versions \
             sim/test_clocks sim/test_hub sim/test_nodes sim/test_orders
ALSO_SANITIZED = $(patsubst %,daemon/test_%.py,accounts attacks bots charged durable \
                     echo games heads life orders_kills outages pages patience \
                     paused postgresql proxied tables transports) \
                 ctl/test_archive.py ctl/test_damage.py ctl/test_hostile.py \
                 ctl/test_restore.py io/test_courier.py term/test_hostile.py \
                 term/test_orders.py term/test_plain.sh term/test_screen.sh \
                 term/test_script.sh term/test_votes.py term/test_wss.py
PROGRAM_TESTS = $(TESTS_C:tests/%.c=%)
PLAIN = $(filter $(ONLY_PLAIN) $(ALSO_PLAIN),$(PROGRAM_TESTS)) \
        $(TESTS_SCRIPT:tests/%=%)
SANITIZED = $(filter-out $(ONLY_PLAIN),$(PROGRAM_TESTS)) $(ALSO_SANITIZED)
PLAIN_TESTS = $(PLAIN:%=$(TOP)/test/%)
SANITIZED_TESTS = $(SANITIZED:%=$(BUILD)/asan/test/%)
NODE_TESTS = $(TESTS_NODE:tests/%=$(TOP)/test/%)
WEB_TESTS = $(TESTS_WEB:tests/%=$(TOP)/test/%)
CHECK_TESTS = $(CHECKS:tests/%=$(TOP)/test/%)
SOAK_TESTS = $(patsubst tests/%,$(TOP)/test/%,$(SOAKS:%.c=%))
ATTACK_TESTS = $(ATTACKS:tests/%=$(TOP)/test/%)
FUZZERS = $(FUZZ:tests/%.c=$(BUILD)/fuzz/test/%)
REPLAYS = $(FUZZ:tests/fuzz/fuzz_%.c=$(BUILD)/asan/test/fuzz/replay_%)
BENCHES = $(BENCH:tests/%.c=$(TOP)/%)
LOADS = $(TOP)/bench/load $(TOP)/bench/floor_echo $(TOP)/bench/floor_bare \
        $(TOP)/bench/slow_fsync.so
STRESSES = $(patsubst tests/%.c,$(BUILD)/tsan/test/%, \
               $(wildcard tests/*/stress_*.c))

# panic.o by itself and first: where a bug leads is the tests' affair, even if
# a client has its own idea.
TESTED = $(O)/tests/support/panic.o $(O)/tests/support/without_git.o \
         $(O)/support.a $(O)/term.a $(O)/common.a \
         $(O)/hub.a $(O)/store.a $(O)/apart.a $(O)/protocol.a $(O)/core.a
# Each test is a process of its own: no library is loaded that it does not use.
$(TOP)/test/%: $(O)/tests/%.o $(TESTED)
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) -fuse-ld=gold -Wl,--as-needed $(TERM_LIBS) $(TEST_LIBS)
$(TOP)/test/ctl/test_rotate: $(O)/clients/ctl/rotate.o
$(TOP)/bench/%: $(O)/tests/bench/%.o $(TESTED)
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(LIBS) $(call pkg,--libs libuv libpq) -pthread
$(TOP)/bench/load: $(call objects,$(LOAD)) $(NAMES)
$(TOP)/bench/slow_fsync.so: tests/bench/slow_fsync.c
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(WARN) -D_GNU_SOURCE -O2 -shared -fPIC -o $@ $< -ldl
$(TOP)/test/fuzz/%: TEST_LIBS =
# The same without libFuzzer: what is in the corpus, and seeded variants of it.
$(TOP)/test/fuzz/replay_%: $(O)/tests/fuzz/fuzz_%.o $(O)/tests/fuzz/replay.o $(TESTED)
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(TERM_LIBS)
$(TOP)/test/io/stress_%: TEST_LIBS = $(call pkg,--libs libpq)

# Preloaded by tests: what a daemon draws, what time it is, how large a terminal is.
PRELOADS = $(patsubst %,$(TOP)/test/%.so,daemon/clocks daemon/disk daemon/draws \
               daemon/hang daemon/patience daemon/renames daemon/slow term/resize)
$(PRELOADS): $(TOP)/test/%.so: tests/%.c
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(STD) $(WARN) -D_GNU_SOURCE -I. -O2 -shared -fPIC -o $@ $< -ldl

SCRIPTS = $(filter %.sh %.py,$(TESTS)) $(NODE_TESTS) $(WEB_TESTS) \
          $(CHECK_TESTS) $(sort $(ATTACK_TESTS) $(COUNTS:tests/%=$(TOP)/test/%)) \
          $(filter %.sh %.py %.mjs,$(SOAK_TESTS))
$(SCRIPTS): $(TOP)/test/%: tests/% | $(PRELOADS)
	@mkdir -p $(@D)
	@ln -sfn $(abspath $<) $@

# Prints what protocol/ has that is generated.
PRINT = $(TOP)/test/protocol/print
$(TOP)/test/protocol/test_schema.py: $(PRINT)
# Rates games that it reads.
RATER = $(TOP)/test/core/rating
$(TOP)/test/core/test_rating.py: $(RATER)
# The courier by itself, for tests/io/test_courier.py.
CARRY = $(TOP)/test/io/carry
$(TOP)/test/io/test_courier.py: $(CARRY)
# Prints the record of a long game.
LONG = $(TOP)/test/daemon/long
# Tells whole games, for what the browser client says of them.
TALES = $(TOP)/test/web/tales

# A server with other rules, for tests/daemon/test_replays.py.
PLANTED = $(TOP)/test/daemon/planted
$(PLANTED): $(call objects,server/replays.c server/digest.c)

# A server where there is a great deal to do, for tests/daemon/test_turns.py.
WIDE = $(TOP)/test/daemon/wide
$(WIDE): $(O)/tests/daemon/wide.o $(call objects,$(SERVER) $(IO)) \
         $(O)/gen/web.o $(O)/hub.a $(O)/store.a $(O)/apart.a $(O)/protocol.a \
         $(O)/core.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D)
	$(Q)$(link) $(DAEMON_LIBS)

# Programs that count what they do, for tests that want to know how much it is at
# once.  The same tests are run on the usual programs by `make attack`, which
# judges milliseconds.
COUNT_TESTS = $(COUNTS:tests/%=$(BUILD)/count/test/%)
counts: $(GEN) $(LLHTTP)/llhttp.h $(LONG)
	$(Q)$(MAKE) MODE=count $(BUILD)/count/bin/sobremesad \
	    $(BUILD)/count/bin/sobremesa-bot $(BUILD)/count/test/daemon/wide \
	    $(COUNT_TESTS)
ifeq ($(MODE),count)
$(BIN)/sobremesad $(BIN)/sobremesa-bot $(WIDE): $(O)/tests/daemon/count.o
endif
# Everything that the tests of a mode use, and all of those.
used: $(PROGRAMS) $(TOY_PROGRAMS) $(LOADS) $(PRINT) $(TALES) $(PLANTED) $(WIDE) $(LONG) \
      $(PRELOADS) $(CARRY) $(RATER) $(FAILS:tests/%.c=$(TOP)/test/%)
tests: used $(TESTS)
tests-asan: $(GEN) $(TOY_GAMES) $(TOY_WEB) $(LLHTTP)/llhttp.h
	$(Q)$(MAKE) MODE=asan tests
sanitized: $(GEN) $(TOY_GAMES) $(TOY_WEB) $(LLHTTP)/llhttp.h
	$(Q)$(MAKE) MODE=asan used $(SANITIZED_TESTS) $(REPLAYS)
# What comes from elsewhere comes before the tests, which need no network then; what
# npm has fetched once it does not fetch again.
export npm_config_cache ?= $(abspath $(BUILD)/npm/cache)
# Node programs of others that tests in a folder use, as its package.json says.
$(BUILD)/npm/%/installed: tests/%/package.json tests/%/package-lock.json
	$(say) NPM $@
	$(Q)mkdir -p $(@D)
	$(Q)cp $^ tests/$*/.npmrc $(@D)
	$(Q)$(FETCH) "npm's packages for tests/$*" \
	    npm --prefix $(@D) ci --ignore-scripts --no-progress --prefer-offline
	@touch $@
$(TOP)/test/daemon/test_npm_ws.mjs: $(BUILD)/npm/daemon/installed

# Programs of Debian's that a test runs and that nobody wants installed for it:
# they would start services.  If they cannot be had that test alone fails.
DEBS = cd $(@D) && { apt-get -qq download prometheus fail2ban || \
           { [ "$$(id -u)" = 0 ] && apt-get -qq update; false; }; }
$(BUILD)/debs/installed:
	$(say) DEBS $@
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)if $(FETCH) "Debian's prometheus and fail2ban" sh -c '$(DEBS)'; then \
	    cd $(@D) && for deb in *.deb; do dpkg-deb -x $$deb . || exit; done; \
	    rm -f -- *.deb; touch installed; fi
$(TOP)/test/deploy/test_monitoring.py: $(BUILD)/debs/installed
# And a fresh Debian, which only root can make, for what is installed in one.
FRESH = $(BUILD)/debian/root.tar
$(FRESH): tests/support/debian.sh deploy/debian/control | $(PROGRAMS)
	$(say) DEBS $@
	$(Q)mkdir -p $(@D)
	$(Q)[ "$$(id -u)" != 0 ] || \
	    BIN=$(BIN) $(FETCH) 'a fresh Debian' tests/support/debian.sh $@ || :
$(TOP)/test/deploy/soak_package.sh: $(FRESH) $(LLHTTP)/llhttp.h

fuzzers: $(GEN) $(LLHTTP)/llhttp.h
	$(Q)$(MAKE) MODE=fuzz $(FUZZERS)
stresses: $(GEN)
	$(Q)$(MAKE) MODE=tsan $(STRESSES)
module: $(WASM)/core.wasm $(WASM)/logs.wasm
object: $(GEN)
	$(Q)$(MAKE) MODE=pure $(BUILD)/pure/core.o

export BUILD CC CLANG_FORMAT CLANG_TIDY FUZZ_SECONDS FUZZ_TIMES JOBS PRODUCT SOURCES
# Twice as many tests as processors: those with a daemon or a browser wait for
# disks and answers most of their time.
PROVE = tests/support/prove.sh -j$(shell expr 2 \* $(JOBS)) $(if $(V),-v)

# These take longest and so begin first: else all would wait for one of them in
# the end.  A name is a test's in every mode.
LONGEST = fuzz/replay_message sim/test_hub sim/test_secrets sim/test_leaks core/test_board \
          daemon/test_transports.py daemon/test_durable.py \
          daemon/test_games.py protocol/test_schema.py daemon/count_turns.py \
          fuzz/replay_record daemon/test_life.py bench/test_load.py \
          web/test_access.mjs daemon/test_memory.py io/test_store_crash \
          io/test_store_faults io/test_store_copy web/test_guide.mjs \
          web/test_panels.mjs web/test_firefox.mjs web/test_app.mjs \
          web/test_heard.mjs web/test_weight.mjs web/test_lobby.mjs \
          term/test_programs.py term/test_guide.py term/test_wss.py \
          io/test_courier.py core/test_conformance_words \
          core/test_mind_secrets core/test_conformance_moves core/test_wasm.mjs
longest_first = $(foreach name,$(LONGEST),$(filter %/$(name),$(1))) \
                $(filter-out $(addprefix %/,$(LONGEST)),$(1))
# Scripts, which wait for others most of their time, in turns with programs,
# which compute: else the processors would be idle first and wanted by all then.
is_script = %.sh %.py %.mjs
in_turns = $(subst |, ,$(join $(addsuffix |,$(filter $(is_script),$(1))), \
                           $(filter-out $(is_script),$(1))))

## test: everything that CI runs; ends with the counts
# What plays at random plays a sample: the whole is `make quick RUNS=100`.
test: used $(PLAIN_TESTS) sanitized counts module object $(NODE_TESTS) $(CHECK_TESTS) \
      $(WEB_TESTS) $(BUILD)/npm/web/installed $(BUILD)/debs/installed
	$(Q)$(MAKE) -k LINT_DEPTH=none lint fmt-check
	$(Q)RUNS=$${RUNS:-30} $(PROVE) $(call in_turns,$(call longest_first, \
	    $(WEB_TESTS) $(CHECK_TESTS) $(SANITIZED_TESTS) $(REPLAYS) $(PLAIN_TESTS) \
	    $(COUNT_TESTS) $(NODE_TESTS)))

# What needs neither a daemon nor a client.
QUICK_TESTS = $(foreach dir,core protocol hub io sim, \
                  $(patsubst tests/%.c,$(TOP)/test/%, \
                      $(filter tests/$(dir)/%,$(TESTS_C))))

## quick: the tests of core, protocol, hub and store, playing a tenth as much
quick: $(QUICK_TESTS)
	$(Q)RUNS=$${RUNS:-10} $(PROVE) $(call longest_first,$^)

## mutate: makes the program wrong 300 times; does quick notice?
mutate: $(LLHTTP)/llhttp.h
	$(Q)/usr/bin/python3 tests/support/mutate.py $(MUTATE) \
	    $(QUICK_TESTS:$(TOP)/%=build/%)

## check: the tests as people build it: no sanitizers, fuzzing and what follows
check: tests
	$(Q)$(PROVE) $(call longest_first,$(TESTS))

## asan: the same tests under the address and undefined behaviour sanitizers
asan: tests-asan
	$(Q)$(PROVE) $(call longest_first,$(ASAN_TESTS))

## tsan: programs that use threads, under the thread sanitizer
tsan: stresses
	$(Q)$(PROVE) $(STRESSES)

## fuzz: every fuzzer for a while, or FUZZ_SECONDS, from its corpus on
fuzz: fuzzers
	$(Q)$(PROVE) $(FUZZERS)

## golden: writes the files in tests/golden/ anew; read their diff
golden: $(filter $(TOP)/test/golden/%,$(TESTS)) $(PROGRAMS)
	$(Q)GOLDEN=write $(PROVE) $(filter-out $(PROGRAMS),$^)

## protocol-docs: the generated parts of protocol/ anew; read their diff
protocol-docs: $(TOP)/test/protocol/test_schema.py $(PRINT) $(PROGRAMS)
	$(Q)GOLDEN=write $(PROVE) $<

## cover: which lines the tests reach
cover: $(GEN) $(LLHTTP)/llhttp.h
	@find $(BUILD) -name '*.gcda' -delete
	$(Q)$(MAKE) MODE=cover check
	$(Q)gcovr --root . --filter core/ --filter protocol/ --filter clients/ \
	    $(BUILD)/cover

## web: the browser client, in Debian's Chromium and Firefox
web: $(WEB_TESTS) $(PROGRAMS) $(TOY_PROGRAMS) $(TALES) $(BUILD)/npm/web/installed
	$(Q)$(PROVE) $(WEB_TESTS)

## screenshots: every page of the browser client, into build/screenshots/
screenshots: $(PROGRAMS) $(PRELOADS) $(BUILD)/npm/web/installed
	$(Q)node tests/web/screenshots.mjs $(BUILD)/screenshots

## lighthouse: it judges lobby and long tables, or PAGES="phone lobby"; 95 is due
lighthouse: $(PROGRAMS) $(PRELOADS) $(BUILD)/npm/web/installed $(BUILD)/npm/lighthouse/installed
	$(Q)BIN=$(BIN) node tests/lighthouse/lighthouse.mjs $(PAGES)

## correspondence: a long game by people who are told of each turn by mail
correspondence: $(PROGRAMS) $(PRELOADS) $(BUILD)/npm/web/installed
	$(Q)WHOLE=1 node tests/web/test_correspondence.mjs

## deadlines: 25 years of 40 people each, a million deadlines; half an hour
deadlines: $(TOP)/test/sim/test_year $(TOP)/test/sim/test_clocks \
           $(TOP)/test/core/test_timing
	$(Q)seq 1 25 | xargs -P $(JOBS) -I{} \
	    env YEAR=40 SEED={} $(TOP)/test/sim/test_year
	$(Q)RUNS=1000 $(TOP)/test/sim/test_clocks
	$(Q)RUNS=1000 $(TOP)/test/core/test_timing

## attack: strangers who want everybody to wait, and how long somebody waits
attack: tests $(ATTACK_TESTS)
	$(Q)ATTACK=all $(PROVE) -j1 -v $(ATTACK_TESTS)

## soak: what needs luck or time: long plays, kills by the hundred, fuzzers, packages
soak: tests fuzzers stresses $(SOAK_TESTS) $(BUILD)/npm/web/installed
	$(Q)RUNS=$${RUNS:-100} KILLS=$${KILLS:-200} $(PROVE) $(SOAK_TESTS) \
	    $(STRESSES) $(filter $(TOP)/test/sim/%,$(TESTS)) $(FUZZERS) \
	    $(filter %_kills.py,$(TESTS))

## silence: what players wait while ten thousand notices meet who never answers
silence: $(PROGRAMS) $(PRELOADS)
	$(Q)BIN=$(BIN) PYTHONPATH=tests/support /usr/bin/python3 \
	    tests/attack/silence.py

## waiting: what 100 000 tables with a pace take of a start, and of memory
waiting: $(PROGRAMS) $(PRELOADS)
	$(Q)BIN=$(BIN) /usr/bin/python3 tests/bench/waiting.py

## arena: whether bots beat each other as clients/bot/README.md says; hours
arena: $(PROGRAMS)
	$(Q)BIN=$(BIN) tests/bench/arena.sh

## twins: bots know nothing that they may not: a hundred thousand positions
twins: $(TOP)/test/core/test_mind_secrets
	$(Q)TWINS=whole TEST_TIMEOUT=7200 tests/support/run.sh $<

## bench: the benchmarks, beside other servers; BEFORE=COMMIT: beside that one
NPM = $(BUILD)/bench/npm
bench: $(LOADS) $(PROGRAMS)
ifdef BEFORE
# The other commit's sources, built as these are; they stay for the next time.
OTHER := $(BUILD)/before/$(or $(shell git rev-parse --verify --quiet \
                              '$(BEFORE)^{commit}'),$(error no such commit))
$(OTHER)/Makefile: | $(LLHTTP)/llhttp.h
	$(say) GET $(@D)
	$(Q)mkdir -p $(@D)/build
	$(Q)git archive $(notdir $(@D)) | tar -x -C $(@D)
	$(Q)if cmp -s protocol/llhttp.sh $(@D)/protocol/llhttp.sh; \
	    then cp -r $(LLHTTP) $(@D)/build; fi
# On its own, so that it names the packages that it needs and that are missing.
bench: $(OTHER)/Makefile
	$(Q)env -u MAKELEVEL -u MAKEFLAGS DEPS=$(DEPS) $(MAKE) -C $(OTHER) -j$(JOBS) \
	    BUILD=build MODE=release all
	$(Q)BIN=$(BIN) TOOLS=$(TOP)/bench /usr/bin/python3 \
	    tests/bench/compare.py $(OTHER)/build/bin/sobremesad
else ifdef NOTICES
	$(Q)BIN=$(BIN) TOOLS=$(TOP)/bench /usr/bin/python3 \
	    tests/bench/compare.py notices
else ifdef CLOCKS
	$(Q)BIN=$(BIN) TOOLS=$(TOP)/bench /usr/bin/python3 \
	    tests/bench/compare.py clocks
else ifdef BOTS
	$(Q)BIN=$(BIN) TOOLS=$(TOP)/bench /usr/bin/python3 \
	    tests/bench/compare.py bots
else
bench: $(BENCHES) $(NPM)/installed
	$(Q)for bench in $(BENCHES); do $$bench || exit; done
	$(Q)BIN=$(BIN) TOOLS=$(TOP)/bench /usr/bin/python3 tests/bench/bench.py
endif

# What npm does not give is named as missing in the output.
$(NPM)/installed: $(wildcard tests/bench/package*.json tests/bench/peers/*)
	$(say) NPM $@
	$(Q)mkdir -p $(@D)/peers
	$(Q)cp tests/bench/package.json tests/bench/package-lock.json \
	    tests/bench/.npmrc $(@D)
	$(Q)cp tests/bench/peers/*.mjs $(@D)/peers
	$(Q)if cd $(@D) && npm ci --ignore-scripts --no-progress >npm.log 2>&1; \
	    then touch installed; else grep -im 3 'npm err' npm.log || :; fi

# ---- Care: what has to be true of the sources -------------------------------

# The core as one object for a machine without a C library or floating point.
$(BUILD)/pure/core.o: $(CORE_O) $(NAMES)
	$(say) LD $@
	$(Q)$(LD) -r -o $@ $(made_of)

## pure: the core wants nothing of a C library and keeps nothing
pure: object $(TOP)/test/checks/test_pure.sh
	$(Q)$(PROVE) $(TOP)/test/checks/test_pure.sh

## wasm: the core as WebAssembly, and the tests for node
WASM_TESTS = $(filter $(TOP)/test/core/%,$(NODE_TESTS))
wasm: module $(WASM_TESTS)
	$(Q)$(PROVE) $(WASM_TESTS)

## lint: who includes whom, cppcheck, clang-tidy, shellcheck
# Each file by itself, and again only if it or what it includes has changed: -k
# says what there is to say of all.  Headers are seen through what includes them,
# and tests, which are half Criterion's macros, have only the compiler to please.
# `make test` leaves out clang's analyzer (none), which takes ten minutes; shallow
# lies between.
LINT_DEPTH ?= deep
LINT = $(BUILD)/lint/$(LINT_DEPTH)
LINT_FLAGS = $(STD) -D_GNU_SOURCE -I. -isystem $(LLHTTP) \
             $(call pkg,--cflags libpq)
ANALYSE_none = --checks=-clang-analyzer-*
ANALYSE_shallow = $(addprefix --extra-arg=,-Xclang -analyzer-config -Xclang mode=shallow)
TIDY = $(CLANG_TIDY) --quiet --warnings-as-errors='*' $(ANALYSE_$(LINT_DEPTH))
# Two of its warnings do not see what a loop or an ASSERT has made sure of.
CPPCHECK = cppcheck --quiet $(STD:-%=--%) --enable=warning,portability \
           --suppress=uninitvar --suppress=arrayIndexOutOfBoundsCond \
           --inline-suppr --error-exitcode=1
LINTED = $(PRODUCT:%.c=$(LINT)/%.ok)
SHELLS := $(sort $(shell find . \( -path ./.git -o -path './$(BUILD)' -o \
    -path ./build -o -name node_modules \) -prune -o -name '*.sh' -printf '%P\n') \
    $(wildcard .ci/run))
lint: $(LINTED) $(LINT)/shell.ok $(TOP)/test/checks/test_includes.sh
	$(Q)$(PROVE) $(TOP)/test/checks/test_includes.sh
$(LINT)/flags: FORCE
	@mkdir -p $(@D)
	@echo "$(CPPCHECK) $(TIDY) $(LINT_FLAGS)" | cmp -s - $@ || \
	    echo "$(CPPCHECK) $(TIDY) $(LINT_FLAGS)" >$@
$(LINTED): $(LINT)/%.ok: %.c .clang-tidy $(LINT)/flags | $(LLHTTP)/llhttp.h
	$(say) LINT $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CPPCHECK) $<
	$(Q)$(TIDY) $< -- $(LINT_FLAGS) 2>$@.said || { cat $@.said; false; }
	$(Q)$(CC) $(LINT_FLAGS) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	@rm -f $@.said && touch $@
$(LINT)/shell.ok: $(SHELLS)
	$(say) LINT shell
	$(Q)mkdir -p $(@D)
	$(Q)shellcheck --external-sources $(SHELLS)
	@touch $@

## fmt: clang-format on all C; fmt-check only says what it would change
fmt:
	$(Q)$(CLANG_FORMAT) -i $(SOURCES)
fmt-check: $(LINT)/format.ok
	@:
$(LINT)/format.ok: .clang-format $(SOURCES)
	$(say) FMT $@
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' $(if $(filter .clang-format,$?),$(SOURCES),$?) | \
	    xargs -P $(JOBS) -n 16 $(CLANG_FORMAT) --dry-run --Werror \
	        --ferror-limit=1 || { echo "\`make fmt' would change these"; false; }
	@touch $@

# ---- Install ----------------------------------------------------------------

VERSION = $(shell sed -n 's/^.define SOBREMESA_VERSION "\(.*\)"/\1/p' \
              protocol/version.h)
MAN = $(patsubst deploy/man/%.scd,$(BUILD)/man/%,$(wildcard deploy/man/*.scd))
SERVICES = sobremesad.service sobremesa-backup.service sobremesa-backup.timer
UNITS = $(SERVICES:%=$(BUILD)/%) $(BUILD)/sobremesa.conf
# Every README, and what they show: whoever has the package follows their links.
DOCS = $(sort $(shell find . -name README.md ! -path './$(BUILD)/*' \
           ! -path '*/node_modules/*' ! -path './debian/*' -printf '%P\n')) \
       protocol/schema.json protocol/openrpc.json protocol/llhttp.sh \
       $(wildcard core/games/*/law.md clients/web/pictures/*.png)
EXAMPLES = deploy/sobremesa.conf.sample \
           $(wildcard deploy/proxy/* deploy/fail2ban/* deploy/monitoring/* \
               deploy/sobremesad.service.d/*)

places = sed -e 's,@bindir@,$(PREFIX)/bin,' -e 's,@sysconfdir@,$(SYSCONFDIR),' \
             -e 's,@rundir@,$(RUNDIR),' -e 's,@datadir@,$(DATADIR),'
$(BUILD)/man/%: deploy/man/%.scd
	$(say) MAN $@
	$(Q)mkdir -p $(@D)
	$(Q)scdoc <$< >$@
$(SERVICES:%=$(BUILD)/%): $(BUILD)/%: deploy/% FORCE
	$(Q)$(places) $< >$@
# As the sample, but for a machine: with places that the unit makes.
$(BUILD)/sobremesa.conf: deploy/sobremesa.conf.sample FORCE
	$(Q)sed -e 's,^;data = .*,data = $(DATADIR),' \
	    -e 's,^;socket = .*,socket = $(RUNDIR)/admin.sock,' $< >$@

## po: new sentences of the terminal client into its catalogues, to be filled in
po:
	$(Q)mkdir -p $(BUILD)
	$(Q)sh clients/term/po/extract.sh >$(BUILD)/sobremesa.pot
	$(Q)for po in $(PO); do msgmerge --quiet --update --backup=none \
	    --no-fuzzy-matching --no-location $$po $(BUILD)/sobremesa.pot; done

## man: the manual pages, into build/man/
man: $(MAN)

# where:mode for each that is installed; what is there of the operator's stays.
INSTALL = install -D -m 644
PLACE = $(DESTDIR)$(PREFIX)
# Where Debian's zsh looks for functions of packages, and of others.
ZSH = $(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)

## install: all of it, below $(DESTDIR)$(PREFIX); an /etc/sobremesa.conf stays
install: all man $(UNITS)
	install -d $(PLACE)/bin
	install $(PROGRAMS) $(PLACE)/bin
	$(Q)for page in $(MAN); do \
	    $(INSTALL) $$page $(PLACE)/share/man/man$${page##*.}/$${page##*/} || \
	    exit; done
	$(Q)for unit in $(SERVICES); do \
	    $(INSTALL) $(BUILD)/$$unit $(DESTDIR)$(UNITDIR)/$$unit || exit; done
	$(INSTALL) deploy/sobremesad.sysusers \
	    $(PLACE)/lib/sysusers.d/sobremesad.conf
	[ -e $(DESTDIR)$(SYSCONFDIR)/sobremesa.conf ] || \
	    $(INSTALL) $(BUILD)/sobremesa.conf $(DESTDIR)$(SYSCONFDIR)/sobremesa.conf
	$(Q)for file in $(DOCS); do \
	    $(INSTALL) $$file $(PLACE)/share/doc/sobremesa/$$file || exit; done
	$(INSTALL) LICENSE $(PLACE)/share/doc/sobremesa/LICENSE
	$(INSTALL) deploy/completions/sobremesa.bash \
	    $(PLACE)/share/bash-completion/completions/sobremesa
	$(INSTALL) deploy/completions/sobremesa.zsh \
	    $(PLACE)/share/zsh/$(ZSH)/_sobremesa
	$(INSTALL) deploy/completions/sobremesa.fish \
	    $(PLACE)/share/fish/vendor_completions.d/sobremesa.fish
	install -d $(PLACE)/share/doc/sobremesa/examples
	install -m 644 $(EXAMPLES) $(PLACE)/share/doc/sobremesa/examples

## uninstall: takes it away again, but for /etc/sobremesa.conf and the games
uninstall:
	rm -f $(PROGRAMS:$(BIN)/%=$(PLACE)/bin/%)
	rm -f $(foreach page,$(notdir $(MAN)), \
	    $(PLACE)/share/man/man$(patsubst .%,%,$(suffix $(page)))/$(page))
	rm -f $(SERVICES:%=$(DESTDIR)$(UNITDIR)/%)
	rm -f $(PLACE)/lib/sysusers.d/sobremesad.conf
	rm -rf $(PLACE)/share/doc/sobremesa
	rm -f $(PLACE)/share/bash-completion/completions/sobremesa
	rm -f $(PLACE)/share/zsh/$(ZSH)/_sobremesa
	rm -f $(PLACE)/share/fish/vendor_completions.d/sobremesa.fish

## deb: Debian packages of the daemon and of the client, into build/deb/
DEB = $(BUILD)/deb/sobremesa-$(VERSION)
deb: $(LLHTTP)/llhttp.h
	$(Q)rm -rf $(BUILD)/deb && mkdir -p $(DEB)/build
	$(Q)cp -r Makefile LICENSE README.md server core protocol schema clients \
	    deploy $(DEB)
	$(Q)cp --parents tests/README.md tests/bench/README.md $(DEB)
	$(Q)cp -r $(LLHTTP) $(DEB)/build/llhttp
	$(Q)cp -r deploy/debian $(DEB)/debian
	$(Q)cp deploy/sobremesad.sysusers $(DEB)/debian
	$(Q)deploy/changelog.sh $(VERSION) >$(DEB)/debian/changelog
	$(Q)cd $(DEB) && env -u BUILD -u MAKEFLAGS -u MAKELEVEL \
	    dpkg-buildpackage -b -us -uc
	@ls $(BUILD)/deb/*.deb

## deps: what all of the above need from elsewhere; then they build offline
deps: $(LLHTTP)/llhttp.h $(BUILD)/npm/web/installed $(BUILD)/npm/daemon/installed
	@:

## clean: removes what was built, but not what was fetched for it
FETCHED = $(LLHTTP) $(BUILD)/npm $(NPM)
clean:
	$(Q)mkdir -p $(BUILD)
	$(Q)find $(BUILD) ! -type d $(FETCHED:%=! -path '%/*') -delete
	$(Q)find $(BUILD) -mindepth 1 -type d -empty -delete

## distclean: removes build/, and so all of it
distclean:
	rm -rf $(BUILD)

## help: this list
help:
	@sed -n 's/^## //p' Makefile | awk -F': ' '{printf "%-13s %s\n", $$1, $$2}'

.PHONY: all run tests quick mutate tests-asan used sanitized fuzzers stresses module object test check \
        asan tsan fuzz golden protocol-docs web screenshots lighthouse correspondence deadlines waiting attack soak counts \
        silence arena twins cover bench pure wasm lint fmt fmt-check man po install uninstall deb deps \
        clean distclean help \
        FORCE

-include $(shell find $(BUILD) \( -path '*/deb' -o -path '*/before' \) -prune \
    -o -name '*.d' -type f -print 2>/dev/null)
