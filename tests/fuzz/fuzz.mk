# SPDX-License-Identifier: GPL-2.0-or-later
# fuzz.mk - one fuzzer per parser
#
# Every tests/fuzz/fuzz_NAME.c with its corpus in tests/fuzz/corpus/NAME/ is
# picked up.  With clang's libFuzzer where it is there, else with a mutator of
# our own that knows nothing of coverage.

FUZZERS = $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZER_PROGRAMS = $(FUZZERS:%=$(BUILD)/fuzz/tests/fuzz/%)
FUZZ_RUNS = 20000
# 0: as long as FUZZ_RUNS take.  10^7 take conf 1 minute, most others 3 to 30,
# sacct, topology, squeue and application 30 to 90, http 6 hours: 7 hours of
# two CPUs.  FUZZ_KEEP=FOLDER goes on from what was learned there.
FUZZ_SECONDS = 0

# Asked for once, and only when something is built: "clang" or "gcc".
FUZZ_ENGINE = $(eval FUZZ_ENGINE := $(shell tests/fuzz/engine \
		$(CLANG)))$(FUZZ_ENGINE)
FUZZ_SANITIZERS = -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1 -Wno-error

FUZZ_CC_clang      = $(CLANG)
FUZZ_CC_gcc        = $(CC)
FUZZ_COMPILE_clang = -fsanitize=fuzzer-no-link
FUZZ_LINK_clang    = -fsanitize=fuzzer
FUZZ_LINK_gcc      = tests/fuzz/mutator.c

## make fuzz fuzz every parser (FUZZ_RUNS=20000 FUZZ_ONLY="conf wire")
## make check-fuzz the same, shorter, as in make check
.PHONY: fuzz-programs fuzz check-fuzz
fuzz-programs: $(FUZZER_PROGRAMS)

fuzz: deps deps-lint
	$(MAKE) fuzz-programs
	tests/run -t 172800 \
		"tests/fuzz/run-all $(BUILD) $(FUZZ_RUNS) $(FUZZ_SECONDS)"

check-fuzz: deps deps-lint
	$(MAKE) fuzz-programs
	tests/run "tests/fuzz/run-short $(BUILD)"

$(BUILD)/fuzz/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(FUZZ_CC_$(FUZZ_ENGINE)) $(CPPFLAGS) $(CFLAGS) \
		$(FUZZ_SANITIZERS) $(FUZZ_COMPILE_$(FUZZ_ENGINE)) -MMD -MP -c \
		-o $@ $<

# Without what no fuzzer links.
FUZZ_TESTED = $(filter-out $(addprefix predictor/,backtest/% checks/% cli/% \
	daemon/% plot/% store/%) plugin/job_submit/% \
	plugin/select/% collectors/daemon/% collectors/profilers/mpi/% \
	contrib/%,$(TESTED))

$(BUILD)/fuzz/libtested.a: $(patsubst %.c,$(BUILD)/fuzz/%.o,$(FUZZ_TESTED))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

$(FUZZER_PROGRAMS): %: %.o $(BUILD)/fuzz/libtested.a
	$(call say,CC)$(FUZZ_CC_$(FUZZ_ENGINE)) $(CPPFLAGS) $(CFLAGS) \
		$(FUZZ_SANITIZERS) -o $@ $(FUZZ_LINK_$(FUZZ_ENGINE)) $^ \
		$(TEST_LIBS)
