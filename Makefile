# SPDX-License-Identifier: GPL-2.0-or-later
# Makefile - builds, tests, shows and installs slurm-predict
#
# `make help` lists what can be made.  Everything that is built or started
# stays under $(BUILD).

BUILD  = build
CC     = gcc
CLANG  = clang
PREFIX = /usr/local
DESTDIR =

SYSCONFDIR = /etc/slurm-predict
SBINDIR    = $(PREFIX)/sbin
BINDIR     = $(PREFIX)/bin
LIBDIR     = $(PREFIX)/lib/slurm-predict
LIBEXECDIR = $(PREFIX)/libexec/slurm-predict
SHAREDIR   = $(PREFIX)/share/slurm-predict
MANDIR     = $(PREFIX)/share/man
DOCDIR     = $(PREFIX)/share/doc/slurm-predict
UNITDIR    = $(PREFIX)/lib/systemd/system
COMPLETIONDIR = $(PREFIX)/share/bash-completion/completions

VERSION = 0.2.0

CPPFLAGS = -D_GNU_SOURCE -I. -I$(BUILD)/generated -DSP_VERSION='"$(VERSION)"' \
	-DSP_SYSCONFDIR='"$(SYSCONFDIR)"' -DSP_SQLDIR='"$(SHAREDIR)/sql"' \
	-DSP_LIBDIR='"$(LIBDIR)"' -DSP_LIBEXECDIR='"$(LIBEXECDIR)"' \
	$(if $(JWT),-DSP_JWT) \
	$(shell pkg-config --cflags libpq 2>/dev/null)
# `make WERROR=-Werror` stops at the first warning, as continuous
# integration does.
WERROR   =
WARNINGS = -Wall -Wextra -Wshadow $(WERROR)
CFLAGS   = -std=gnu11 -O2 -g $(WARNINGS) -fPIC -fvisibility=hidden
LDFLAGS  = -Wl,--as-needed
# Sanitizers make gcc see dangers that are none; `make` and `make lint` have
# the last word on warnings.
ASAN     = -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer -O1 -Wno-error

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# One line per step; `make V=1` shows the commands.
say = $(if $(V),,@printf '  %-3s %s\n' $(1) $@;)

# --- What each product is made of: folders, a main() and libraries ----------

SOURCES = $(foreach folder,$(1),$(wildcard $(folder)/*.c))

MAINS = predictor/daemon/predictd.c predictor/cli/spredict.c \
	predictor/cli/spredict_tools.c predictor/checks/guard/guard.c \
	collectors/daemon/collectord.c

MODELS = farm models models/mixture models/lee_schopf models/sharing models/farm
SCRIPT = features/script features/script/shell features/script/command
PREDICTD_FOLDERS = $(addprefix predictor/,base stats features $(SCRIPT) \
	forecast $(MODELS) conditions snapshot placement ensemble \
	scheduler engine engine/nodes slurm store trace replay whatif wire \
	wire/trace wire/block checks http http/gate http/routes daemon)
# Of the plugins', how a site wants the queue ordered.
PREDICTD_OBJECTS = $(call OBJECTS,$(BUILD)/obj,$(PREDICTD_FOLDERS)) \
	$(addprefix $(BUILD)/obj/,$(addprefix plugin/site/,plan.o policy.o \
	tokens.o) predictor/client/address.o)
PREDICTD_LIBS    = -lpq -ljson-c -lmicrohttpd -lmunge $(JWT) -lgsl -lgslcblas \
	-lz -lm -lpthread -ldl
# Of these each program takes what its table of subcommands needs.
CLI_FOLDERS      = $(addprefix predictor/,cli cli/commands cli/import plot)
CLIENT_FOLDERS   = $(addprefix predictor/,base features $(SCRIPT) slurm wire \
	checks client) collectors/probes
CLIENT_LIBS      = -ljson-c -lcurl -lmunge -lm -lpthread -ldl
TOOLS            = whatif critical procedures import export backtest
TOOLS_FOLDERS    = $(CLIENT_FOLDERS) $(addprefix predictor/,stats forecast \
	$(MODELS) ensemble trace replay whatif logs scheduler backtest \
	wire/trace)
TOOLS_LIBS       = $(CLIENT_LIBS) -lgsl -lgslcblas -larchive
LIBEXEC          = $(BUILD)/libexec/slurm-predict
WEB              = $(addprefix predictor/web/,index.html style.css predict.js \
	icon.svg)
COLLECTORD_FOLDERS = $(addprefix predictor/,base features $(SCRIPT) \
	forecast slurm wire wire/block client) \
	$(addprefix collectors/,sensors runs probes profilers daemon)
COLLECTORD_LIBS  = -ljson-c -lcurl -lmunge -lpcap -lz -lm -lpthread -ldl
# No library that an update might take away.
GUARD_FOLDERS    = $(addprefix predictor/,base features slurm \
	checks/guard)
GUARD_LIBS       = -lm -lpthread -ldl
JOB_SUBMIT_FOLDERS = plugin/site plugin/job_submit \
	$(addprefix predictor/,base features snapshot placement wire client)
JOB_SUBMIT_LIBS  = -ljson-c -lcurl -lmunge -lm -lpthread
# What needs the source of Slurm is plugin/select/select.mk's.
SELECT_FOLDERS = plugin/site plugin/select \
	$(addprefix predictor/,base features snapshot placement client)
SELECT_LIBS    = -lcurl -lmunge -lm -lpthread
SELECT_INSIDE  = $(addprefix plugin/select/,select_cons_tres.c place.c \
	cluster.c reserve.c wanted_size.c)
SELECT_PLUGIN  = $(BUILD)/lib/select/select_cons_tres.so
SPANK_FOLDERS    = plugin/spank $(addprefix predictor/,base features $(SCRIPT))
SPANK_LIBS       = -lm -lpthread

PROGRAMS = $(BUILD)/sbin/predictd $(BUILD)/sbin/collectord \
	$(BUILD)/bin/spredict $(BUILD)/sbin/slurm-predict-guard \
	$(addprefix $(LIBEXEC)/spredict-,$(TOOLS) web mcp)
PLUGINS  = $(BUILD)/lib/job_submit_predict.so $(BUILD)/lib/spank_predict.so \
	$(BUILD)/lib/in-order $(MPI_LIBRARY)

# Stands between programs and MPI; for the MPI whose mpicc is there, if any.
# MPICH's programs need another one.
MPI_LIBRARY = $(if $(OPENMPI_MPICC),$(BUILD)/lib/libpredict_mpi.so) \
	$(if $(MPICH_MPICC),$(BUILD)/lib/libpredict_mpich.so)
# RHEL and its relatives have them in no PATH before `module load`.
OPENMPI_MPICC := $(or $(shell command -v mpicc), \
	$(wildcard /usr/lib64/openmpi/bin/mpicc))
MPICH_MPICC := $(or $(shell command -v mpicc.mpich), \
	$(wildcard /usr/lib64/mpich/bin/mpicc))
MPI_SOURCES = $(wildcard collectors/profilers/mpi/*.c \
	collectors/profilers/mpi/*/*.c)

# Objects of $(1)=flavour folder, $(2)=folders; the library of everything that
# tests and fuzzers link holds all but the main()s and what needs Slurm itself.
OBJECTS = $(patsubst %.c,$(1)/%.o,$(call SOURCES,$(2)))
NEEDS_SLURM = plugin/job_submit/job_submit_predict.c \
	plugin/spank/spank_predict.c $(SELECT_INSIDE)
TESTED_FOLDERS = $(sort $(PREDICTD_FOLDERS) $(TOOLS_FOLDERS) $(CLI_FOLDERS) \
	$(GUARD_FOLDERS) $(COLLECTORD_FOLDERS) $(JOB_SUBMIT_FOLDERS) \
	$(SPANK_FOLDERS) $(SELECT_FOLDERS))
TESTED = $(filter-out $(MAINS) $(NEEDS_SLURM), \
		$(call SOURCES,$(TESTED_FOLDERS))) \
	$(addprefix collectors/profilers/mpi/,count/request_table.c symbols.c \
		$(addprefix trace/,samples.c trace_file.c \
		trace_name.c)) \
	$(addprefix contrib/farm/,farm_message.c farm_estimate.c) \
	tests/bench/nws.c \
	$(addprefix predictor/backtest/rehearse/,dependency.c job_order.c \
		log_index.c replayed_dependency.c rehearse_jobs.c \
		rehearse_predict.c)
TEST_LIBS = -lpq -ljson-c -lmicrohttpd -lcurl -lmunge $(JWT) -lpcap -lgsl \
	-lgslcblas -lz -larchive -lm -lpthread -ldl

# The oldest of each that has all we use, by pkg-config's names.
NEEDS = glibc-2.28 slurm-22.05 libcurl-7.61 json-c-0.13 libpq-10 \
	libmicrohttpd-0.9.52 munge-0.5.11 gsl-2.3 libpcap-1.9 zlib-1.2.7 \
	libarchive-3.3

# Tokens need it, the rest does not; below 3, which has other functions.  `make
# JWT=` leaves it out.
LIBJWT = libjwt-1.8:3
JWT := $(shell contrib/need-libraries $(LIBJWT) 2>/dev/null && echo -ljwt)

# Whether that has changed since the last time.
$(BUILD)/jwt: FORCE
	@mkdir -p $(@D)
	@echo '$(JWT)' | cmp -s - $@ || echo '$(JWT)' >$@
$(patsubst %,$(BUILD)/%/predictor/http/gate/token.o,obj asan tsan): $(BUILD)/jwt

# Checked once, before anything is compiled.
$(BUILD)/libraries: Makefile contrib/need-libraries
	@mkdir -p $(@D)
	@CC='$(CC)' CPPFLAGS="$$NEEDS_CPPFLAGS" \
		contrib/need-libraries $(NEEDS)
	@touch $@

$(BUILD)/libraries: export NEEDS_CPPFLAGS = $(CPPFLAGS)

## make all build the daemons, the client and the plugins (V=1: verbose)
.PHONY: all
all: $(PROGRAMS) $(PLUGINS) $(SELECT_PLUGIN)
	@PATH="$$PATH$(addprefix :,$(dir $(OPENMPI_MPICC)))" \
		contrib/build-table $(BUILD) $(LIBJWT) $(JWT)

$(BUILD)/sbin/predictd: $(PREDICTD_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

CLI_ARCHIVE = $(BUILD)/obj/libcli.a
$(CLI_ARCHIVE): $(filter-out $(MAINS:%.c=$(BUILD)/obj/%.o), \
		$(call OBJECTS,$(BUILD)/obj,$(CLI_FOLDERS)))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

$(BUILD)/bin/spredict: $(BUILD)/obj/predictor/cli/spredict.o $(CLI_ARCHIVE) \
		$(call OBJECTS,$(BUILD)/obj,$(CLIENT_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(CLIENT_LIBS)

$(LIBEXEC)/spredict-tools: $(BUILD)/obj/predictor/cli/spredict_tools.o \
		$(CLI_ARCHIVE) $(call OBJECTS,$(BUILD)/obj,$(TOOLS_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(TOOLS_LIBS)

# spredict NAME runs spredict-NAME, as git does.
$(TOOLS:%=$(LIBEXEC)/spredict-%): $(LIBEXEC)/spredict-tools
	@ln -sf spredict-tools $@

$(LIBEXEC)/spredict-web: predictor/web/spredict-web
$(LIBEXEC)/spredict-mcp: predictor/web/spredict-mcp
$(LIBEXEC)/spredict-web $(LIBEXEC)/spredict-mcp:
	@mkdir -p $(@D)
	@sed 's/@VERSION@/$(VERSION)/' $< >$@ && chmod 755 $@

$(BUILD)/sbin/collectord: $(call OBJECTS,$(BUILD)/obj,$(COLLECTORD_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(COLLECTORD_LIBS)

$(BUILD)/sbin/slurm-predict-guard: $(call OBJECTS,$(BUILD)/obj,$(GUARD_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GUARD_LIBS)

# Slurm's own symbols are found when slurmctld or slurmstepd loads a plugin.
$(BUILD)/lib/job_submit_predict.so: \
		$(call OBJECTS,$(BUILD)/obj,$(JOB_SUBMIT_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-z,lazy -shared -o $@ $^ \
		$(JOB_SUBMIT_LIBS)

$(BUILD)/lib/spank_predict.so: $(call OBJECTS,$(BUILD)/obj,$(SPANK_FOLDERS))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ $(SPANK_LIBS)

$(BUILD)/lib/in-order: plugin/spank/in-order
	@mkdir -p $(@D)
	$(call say,CP)cp $< $@

# Not linked with MPI: it is loaded into what is no MPI program, too.
MPI_OBJECTS = $(MPI_SOURCES:%.c=$(BUILD)/$(1)/%.o) \
	$(patsubst %,$(BUILD)/obj/predictor/%.o,trace/trace_format \
	trace/procedure_path trace/procedure_work base/error)
$(BUILD)/lib/libpredict_mpi.so: $(call MPI_OBJECTS,openmpi)
$(BUILD)/lib/libpredict_mpich.so: $(call MPI_OBJECTS,mpich)
$(BUILD)/lib/libpredict_mpi.so $(BUILD)/lib/libpredict_mpich.so:
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) -shared -Wl,-z,lazy -o $@ $^ \
		-lpthread -ldl -lm

# What the library includes differs from one MPI to the other.
compile_mpi = $(CC) $(CPPFLAGS) $(filter -I%,$(shell $(1) -show)) $(CFLAGS) \
	$(2) -MMD -MP -c -o $@ $<

$(BUILD)/openmpi/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(call compile_mpi,$(OPENMPI_MPICC))

# Its MPI_STATUSES_IGNORE is no array, as gcc says.
$(BUILD)/mpich/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(call compile_mpi,$(MPICH_MPICC),-Wno-stringop-overflow)

# Loops over columns of numbers, which gcc makes vectors of at -O3 only.
$(patsubst %,$(BUILD)/obj/predictor/%.o,stats/least_squares \
	models/lee_schopf/lee_schopf_fit models/lee_schopf/lee_schopf_points \
	models/correction models/filter \
	models/mixture/mixture_tables): CFLAGS += -O3

$(BUILD)/obj/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/asan/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(ASAN) -MMD -MP -c -o $@ $<

$(BUILD)/asan/libtested.a: $(patsubst %.c,$(BUILD)/asan/%.o,$(TESTED))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

# The assembler reads it, which no .d file says.
$(patsubst %,$(BUILD)/%/predictor/http/web_files.o,obj asan tsan): $(WEB) \
	predictor/http/routes/openapi.json
$(patsubst %,$(BUILD)/%/predictor/models/mixture/mixture_shipped.o,obj asan \
	tsan fuzz): predictor/models/mixture/start.tables

# The SQL of the store, as C.
STATEMENTS = $(BUILD)/generated/predictor/store/statements.inc
$(STATEMENTS): predictor/store/statements.awk \
		$(wildcard predictor/store/statements/*.sql)
	@mkdir -p $(@D)
	$(call say,AWK)awk -f $^ >$@
$(patsubst %,$(BUILD)/%/predictor/store/statements.o,obj asan tsan): \
	$(STATEMENTS)

# Systems of Debian that tests make have such files, too.
-include $(shell find $(BUILD) \( -name chroots -o -name root \) -prune -o \
	-name '*.d' -type f -print \
	2>/dev/null)

# --- Workloads and the rest, each described beside what it builds ------------

-include $(wildcard plugin/*/*.mk) predictor/backtest/rehearse/rehearse.mk \
	$(wildcard contrib/*/*.mk) \
	$(wildcard tests/*/*.mk)

.PHONY: workloads
workloads: nbody pipeline heat sweep clients

# --- Packages ----------------------------------------------------------------

PACKAGES = gcc make pkg-config libslurm-dev libcurl4-openssl-dev libjson-c-dev \
	libpq-dev libmicrohttpd-dev libmunge-dev libjwt-dev libgsl-dev \
	libpcap-dev zlib1g-dev libarchive-dev check
# A site's own mpicc comes first.
MPI_PACKAGES = $(if $(shell command -v mpicc),,libopenmpi-dev openmpi-bin)
RUN_PACKAGES = slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge \
	slurmdbd slurm-wlm-mysql-plugin mariadb-server-core \
	mariadb-client-core postgresql postgresql-client g++ openmpi-bin \
	libopenmpi-dev gfortran iproute2 util-linux procps curl jq python3 \
	xz-utils bzip2 zstd
LINT_PACKAGES = clang clang-format clang-tidy cppcheck libclang-rt-dev \
	shellcheck mandoc python3
VALGRIND_PACKAGES = valgrind
FRESH_PACKAGES = debootstrap git

## make deps install the Debian packages that building needs
.PHONY: deps deps-run deps-lint deps-valgrind deps-fresh
deps: ; @contrib/install-packages $(PACKAGES) $(MPI_PACKAGES)
deps-run: ; @contrib/install-packages $(PACKAGES) $(RUN_PACKAGES)
deps-lint: ; @contrib/install-packages $(PACKAGES) $(LINT_PACKAGES)
deps-valgrind: ; @contrib/install-packages $(VALGRIND_PACKAGES)
deps-fresh: ; @contrib/install-packages $(FRESH_PACKAGES)

# --- Install ------------------------------------------------------------------

# That of rehearse comes with it (rehearse.mk).
MANUALS = $(wildcard predictor/*/*.[1578] predictor/checks/guard/*.8 \
	collectors/*/*.[1578] plugin/*/*.[1578] sql/*.[1578])

# What is added to slurmctld's unit.
DROPIN = $(UNITDIR)/slurmctld.service.d/slurm-predict.conf

# Rehearsals and farms, where what they need is there; see their .mk.
EXTRAS = $(if $(SLURM_PLUGINS),rehearse) $(if $(OPENMPI_MPICC),farm)

# Pages and samples name the folders of this installation.
install_text = sed 's|/usr/local/lib/slurm-predict|$(LIBDIR)|g; \
	s|/usr/local/sbin/predictd|$(SBINDIR)/predictd|g; \
	s|/usr/local/share/slurm-predict|$(SHAREDIR)|g; \
	s|/etc/slurm-predict|$(SYSCONFDIR)|g' $(1) | \
	install -m 644 /dev/stdin $(DESTDIR)$(2)

## make install install under PREFIX=/usr/local (DESTDIR= for packagers)
## make uninstall remove that again; PURGE=1: configuration, logs and spool, too
.PHONY: install uninstall extras install-extras
extras: $(EXTRAS)
install-extras: $(EXTRAS:%=install-%)
install: all install-extras
	install -d $(addprefix $(DESTDIR),$(SBINDIR) $(BINDIR) \
		$(LIBDIR)/select $(LIBEXECDIR) $(DOCDIR)/predictor \
		$(DOCDIR)/contrib $(SHAREDIR)/sql/steps \
		$(addprefix $(SHAREDIR)/,etc web) \
		$(dir $(DROPIN)) $(SYSCONFDIR) \
		$(addprefix $(MANDIR)/man,1 5 7 8))
	install -m 755 $(addprefix $(BUILD)/sbin/,predictd collectord \
		slurm-predict-guard) $(DESTDIR)$(SBINDIR)
	install -m 755 $(BUILD)/bin/spredict $(DESTDIR)$(BINDIR)
	install -m 755 $(LIBEXEC)/spredict-tools $(DESTDIR)$(LIBEXECDIR)
	for tool in $(TOOLS); do \
		ln -sf spredict-tools $(DESTDIR)$(LIBEXECDIR)/spredict-$$tool; \
	done
	install -m 755 $(PLUGINS) $(DESTDIR)$(LIBDIR)
	[ ! -e $(SELECT_PLUGIN) ] || \
		install -m 755 $(SELECT_PLUGIN) $(DESTDIR)$(LIBDIR)/select
	install -m 644 sql/*.sql $(DESTDIR)$(SHAREDIR)/sql
	install -m 644 sql/steps/*.sql $(DESTDIR)$(SHAREDIR)/sql/steps
	install -m 644 predictor/http/routes/openapi.json $(DESTDIR)$(SHAREDIR)
	install -m 644 $(WEB) $(DESTDIR)$(SHAREDIR)/web
	install -m 755 $(LIBEXEC)/spredict-web $(LIBEXEC)/spredict-mcp \
		$(DESTDIR)$(LIBEXECDIR)
	install -m 644 contrib/site/SKILL.md $(DESTDIR)$(SHAREDIR)
	install -D -m 644 predictor/cli/spredict.completion \
		$(DESTDIR)$(COMPLETIONDIR)/spredict
	install -D -m 644 -t $(DESTDIR)$(PYTHONDIR) \
		contrib/site/slurm_predict.py
	$(call install_text,contrib/site/mailprog,$(LIBEXECDIR)/mailprog)
	chmod 755 $(DESTDIR)$(LIBEXECDIR)/mailprog
	for unit in etc/*.service; do \
		sed 's|@SBINDIR@|$(SBINDIR)|' $$unit \
			>$(DESTDIR)$(UNITDIR)/$${unit##*/} || exit; \
	done
	sed 's|@SBINDIR@|$(SBINDIR)|' etc/slurmctld-guard.conf \
		>$(DESTDIR)$(DROPIN)
	for sample in etc/*.sample; do \
		$(call install_text,$$sample,$(SHAREDIR)/$$sample) || exit; \
	done
	for page in $(MANUALS); do \
		to=$(MANDIR)/man$${page##*.}/$${page##*/}; \
		$(call install_text,$$page,$$to) \
			|| exit; \
	done
	for page in README.md NEWS predictor/README.md; do \
		$(call install_text,$$page,$(DOCDIR)/$$page) || exit; \
	done
	cp -r contrib/site $(DESTDIR)$(DOCDIR)/contrib
	rm $(DESTDIR)$(DOCDIR)/contrib/site/mailprog

# Configuration and history stay, unless asked for: they are the site's.
PURGE =
uninstall:
	$(if $(PURGE),contrib/purge $(SYSCONFDIR) $(DESTDIR))
	rm -f $(addprefix $(DESTDIR)$(SBINDIR)/,predictd collectord \
		slurm-predict-guard) \
		$(DESTDIR)$(BINDIR)/spredict \
		$(DESTDIR)$(COMPLETIONDIR)/spredict $(DESTDIR)$(DROPIN) \
		$(DESTDIR)$(PYTHONDIR)/slurm_predict.py \
		$(addprefix $(DESTDIR)$(UNITDIR)/, \
		$(notdir $(wildcard etc/*.service)))
	for page in $(MANUALS); do \
		rm -f $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}; \
	done
	rm -rf $(addprefix $(DESTDIR),$(SHAREDIR) $(LIBEXECDIR) $(DOCDIR))
	rm -f $(addprefix $(DESTDIR),$(REHEARSE_INSTALLED) $(FARM_INSTALLED))
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(PLUGINS)) \
		select/$(notdir $(SELECT_PLUGIN)))
	-rmdir --ignore-fail-on-non-empty $(DESTDIR)$(dir $(DROPIN)) \
		$(DESTDIR)$(LIBDIR)/select $(DESTDIR)$(LIBDIR)

# --- Releases -----------------------------------------------------------------

DIST = slurm-predict-$(VERSION)

## make dist the release as slurm-predict-VERSION.tar.gz, of the last commit
## make distcheck build from that tarball, install from it, and remove it
.PHONY: dist distcheck
dist:
	@grep -m1 '^[0-9]' NEWS | grep -q '^$(VERSION) (' || \
		{ echo "NEWS does not begin with $(VERSION)" >&2; exit 1; }
	@mkdir -p $(BUILD)
	contrib/tarball $(DIST) >$(BUILD)/$(DIST).tar.gz

# Built without what takes the compiler's time: what counts is whether all of it
# is there.
DISTCHECK_CFLAGS = $(filter-out -O2 -g,$(CFLAGS))
distcheck: dist
	rm -rf $(BUILD)/distcheck
	mkdir -p $(BUILD)/distcheck
	tar -xzf $(BUILD)/$(DIST).tar.gz -C $(BUILD)/distcheck
	$(MAKE) -j2 -C $(BUILD)/distcheck/$(DIST) BUILD=build \
		CFLAGS='$(DISTCHECK_CFLAGS)' DESTDIR=../installed install
	$(BUILD)/distcheck/installed$(BINDIR)/spredict --version | \
		grep -qx 'slurm-predict $(VERSION)'
	$(MAKE) -C $(BUILD)/distcheck/$(DIST) BUILD=build DESTDIR=../installed \
		PURGE=1 uninstall
	! find $(BUILD)/distcheck/installed ! -type d | grep .
	rm -rf $(BUILD)/distcheck
	@echo ok distcheck

# --- Tests and benchmarks -----------------------------------------------------

# `make check-system TESTS='run mpi_library'` runs these only.
TESTS        = *
SYSTEM_TESTS = $(wildcard $(TESTS:%=tests/system/test_%.sh))
BENCHES      = $(filter-out %/bench_demo.sh,$(wildcard tests/bench/bench_*.sh))

# Tests that judge times or measure load say so in a line of their head; the
# others sleep most of the time, and run three at a time.  Those that take long
# say so, too: `make check` leaves them out.
marked_tests = $(shell grep -l '^\# Runs $(1): ' $(SYSTEM_TESTS) /dev/null)
ALONE_TESTS  = $(call marked_tests,alone)
LONG_TESTS   = $(call marked_tests,long)
AT_ONCE      = 3
SHORT_TESTS  = $(filter-out $(LONG_TESTS),$(SYSTEM_TESTS))

# The longest are started first: none is left at the end with idle CPUs beside.
LONGEST_TESTS = $(wildcard $(patsubst %,tests/system/test_%.sh,links \
	rank_order profiles mpi_order traced_job import select overrun \
	start_times exit_status mpi_trace mpi_library))
longest_first = $(filter $(LONGEST_TESTS),$(1)) \
	$(filter-out $(LONGEST_TESTS),$(1))

# Scripts are told where the build is; tests/run takes them as one word each.
WITH_BUILD = $(foreach script,$(1),"$(script) $(BUILD)")
together   = $(call WITH_BUILD,$(call longest_first,\
	$(filter-out $(ALONE_TESTS),$(1))))
alone      = $(call WITH_BUILD,$(filter $(ALONE_TESTS),$(1)))

# Beside others a submission may wait longer for predictd than a site's.
check check-quick check-all check-long check-system: export \
	STACK_TIMEOUT_MS = 200
check check-quick check-all check-long check-system check-unit: export \
	POSTGRES_TEMPLATE = \
	$(abspath $(BUILD))/postgres-template

# What only computes runs niced, in the time that the system tests sleep;
# BESIDE="'/usr/bin/make lint'" does so, too.
BESIDE =
ALL_BESIDE = $(BESIDE) "tests/lint/check-docs $(BUILD)" \
	"tests/fuzz/run-short $(BUILD)" $(UNIT_TESTS) $(TSAN_TESTS)

# What the tests on a real cluster need, in one place.
.PHONY: system-ready
system-ready: all workloads system-programs

## make check install what is missing and run all tests but those of check-long
## make check-long run the system tests that take long, which CI runs as well
## make check-quick unit tests that edits can change, one job, some of lint
## make bench measure; prints a line `bar NAME VALUE` per figure
.PHONY: check check-quick check-all check-long check-system bench
.PHONY: check-run check-quick-run check-build
check check-quick check-all check-long: deps-run deps-lint
check check-quick:
	@tests/timed $(subst -,_,$@) $(MAKE) $@-run

# Both at once, for .ci/run.
check-all:
	@tests/timed check_all $(MAKE) SHORT_TESTS='$$(SYSTEM_TESTS)' check-run

check-run:
	$(MAKE) -j2 system-ready
	tests/run -t 900 -j $(AT_ONCE) $(call together,$(SHORT_TESTS)) \
		--build "$(shell command -v $(MAKE)) -j2 check-build" \
		--beside $(ALL_BESIDE) --alone $(call alone,$(SHORT_TESTS))

# What takes seconds of lint, and the test that submits a job of each kind.
QUICK_LINT = format arrows circles basenames readers banned words columns \
	leftovers license manuals
QUICK_TEST = tests/system/test_submission.sh
QUICK_UNIT = $(eval QUICK_UNIT := $(shell \
	tests/unit/affected $(BUILD) $(UNIT_TESTS)))$(QUICK_UNIT)

check-quick-run:
	$(MAKE) -j2 all $(QUICK_UNIT)
	BUILD='$(BUILD)' tests/run -t 900 -j 3 "$(QUICK_TEST) $(BUILD)" \
		"tests/lint/lint $(QUICK_LINT)" $(QUICK_UNIT)

check-build: unit-programs tsan-programs fuzz-programs
	@echo ok check_build

check-long:
	$(MAKE) -j2 system-ready
	$(if $(LONG_TESTS),@tests/timed check_long \
		tests/run -t 900 -j $(AT_ONCE) $(call together,$(LONG_TESTS)) \
		--alone $(call alone,$(LONG_TESTS)))

check-system: deps-run
	$(MAKE) -j2 system-ready
	tests/run -t 900 -j $(AT_ONCE) $(call together,$(SYSTEM_TESTS)) \
		--alone $(call alone,$(SYSTEM_TESTS))

bench: deps-run
	$(MAKE) system-ready bench-programs
	tests/run -t 900 $(call WITH_BUILD,$(BENCHES))

# --- Housekeeping -------------------------------------------------------------

## make clean remove everything that was built
## make help this list
.PHONY: clean
clean:
	rm -rf $(BUILD)

# What a stranger wants comes first.
FIRST = demo check check-quick deps all install uninstall deb rpm

.PHONY: help
help:
	@awk -v first='$(FIRST)' -f contrib/make-help.awk \
		$(filter Makefile %.mk,$(MAKEFILE_LIST))
