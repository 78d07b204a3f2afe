# SPDX-License-Identifier: GPL-2.0-or-later
# unit.mk - Check programs for what can be tested without a cluster
#
# Every tests/unit/**/test_*.c is a program of its own, linked with all of the
# product's code under the address and undefined-behaviour sanitizers.  Those
# named test_*_threads.c are also run under the thread sanitizer.
#
# `make check-unit UNIT_SOURCES=tests/unit/FILE.c` runs one.

UNIT_SOURCES = $(sort $(filter-out $(if $(JWT),,%/test_token.c),\
	$(shell find tests/unit -name 'test_*.c')))
UNIT_TESTS   = $(UNIT_SOURCES:%.c=$(BUILD)/asan/%)
CHECK_LIBS   = $(shell pkg-config --libs check)

## make check-unit run the unit tests (UNIT_SOURCES= these alone)
## make check-tsan run the tests of what threads share under ThreadSanitizer
.PHONY: unit-programs check-unit tsan-programs check-tsan
unit-programs: $(UNIT_TESTS)

check-unit: deps-run unit-programs
	@tests/run -j 2 $(UNIT_TESTS)

$(UNIT_TESTS): $(BUILD)/asan/%: $(BUILD)/asan/%.o $(BUILD)/asan/libtested.a
	$(call say,CC)$(CC) $(CFLAGS) $(ASAN) -o $@ $(filter %.o,$^) \
		$(filter %.a,$^) $(CHECK_LIBS) $(TEST_LIBS) \
		-Wl,-t,-t >$@.link

# The tests themselves are compiled once for each time that they run.
$(BUILD)/asan/tests/%.o: ASAN += -O0

# --- What Slurm loads, with stubs of what it has for plugins ------------------

UNIT_PLUGIN = $(BUILD)/asan/tests/unit/plugin

$(UNIT_PLUGIN)/job_submit/test_job_submit_predict \
$(UNIT_PLUGIN)/job_submit/test_job_submit_failures: \
	$(BUILD)/asan/plugin/job_submit/job_submit_predict.o \
	$(UNIT_PLUGIN)/slurm_stub.o

$(UNIT_PLUGIN)/spank/test_spank_predict: \
	$(BUILD)/asan/plugin/spank/spank_predict.o \
	$(UNIT_PLUGIN)/slurm_stub.o $(UNIT_PLUGIN)/spank_stub.o

# What needs the source of Slurm (select.mk); without it nothing is in the
# objects, and the tests say so.
UNIT_SELECT = $(BUILD)/asan/plugin/select/place.o \
	$(BUILD)/asan/plugin/select/cluster.o \
	$(BUILD)/asan/plugin/select/wanted_size.o \
	$(BUILD)/asan/plugin/select/reserve.o \
	$(BUILD)/asan/plugin/select/select_cons_tres.o
UNIT_SELECT_TESTS = $(addprefix $(UNIT_PLUGIN)/select/,test_place test_cluster \
	test_reserve test_select_cons_tres)

$(UNIT_SELECT): $(BUILD)/asan/%.o: %.c $(BUILD)/slurm/ready
	@mkdir -p $(@D)
	$(call say,CC)if [ -d $(BUILD)/slurm/include ]; then \
		$(CC) $(CPPFLAGS) -isystem $(BUILD)/slurm/include $(CFLAGS) \
			$(ASAN) -MMD -MP -c -o $@ $<; \
	else \
		$(CC) -x c -c -o $@ /dev/null; \
	fi

$(UNIT_PLUGIN)/select/slurmctld_stub.o $(UNIT_SELECT_TESTS:%=%.o): \
	$(BUILD)/slurm/ready
$(UNIT_PLUGIN)/select/slurmctld_stub.o $(UNIT_SELECT_TESTS:%=%.o): \
	private CPPFLAGS += -isystem $(BUILD)/slurm/include
$(UNIT_SELECT_TESTS): $(UNIT_SELECT) $(UNIT_PLUGIN)/select/slurmctld_stub.o \
	$(UNIT_PLUGIN)/slurm_stub.o

# --- Under the thread sanitizer ----------------------------------------------

TSAN         = -fsanitize=thread -fno-omit-frame-pointer -O1 -Wno-error
TSAN_SOURCES = $(filter %_threads.c,$(UNIT_SOURCES))
TSAN_TESTS   = $(TSAN_SOURCES:%.c=$(BUILD)/tsan/%)

tsan-programs: $(TSAN_TESTS)

check-tsan: deps-run tsan-programs
	@tests/run -j 2 $(TSAN_TESTS)

$(BUILD)/tsan/%.o: %.c | $(BUILD)/libraries
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) $(TSAN) -MMD -MP -c -o $@ $<

# Without what none of these tests links: no threads share it.
TSAN_TESTED = $(filter-out $(addprefix predictor/,backtest/% checks/% cli/% \
	daemon/% logs/% plot/% slurm/%) plugin/spank/% \
	collectors/% contrib/%,$(TESTED))

$(BUILD)/tsan/libtested.a: $(patsubst %.c,$(BUILD)/tsan/%.o,$(TSAN_TESTED))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

$(TSAN_TESTS): $(BUILD)/tsan/%: $(BUILD)/tsan/%.o $(BUILD)/tsan/libtested.a
	$(call say,CC)$(CC) $(CFLAGS) $(TSAN) -o $@ $^ $(CHECK_LIBS) \
		$(TEST_LIBS)
