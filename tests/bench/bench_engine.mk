# SPDX-License-Identifier: GPL-2.0-or-later
# bench_engine.mk - the engine with a million runs in memory
#
# `make bench-engine RUNS=100000` is faster and says less.

BENCH_ENGINE_OBJECTS = $(BUILD)/obj/tests/bench/bench_engine.o \
	$(BUILD)/obj/tests/bench/engine_workload.o \
	$(BUILD)/obj/tests/bench/engine_client.o \
	$(filter-out $(BUILD)/obj/predictor/daemon/predictd.o, \
	$(PREDICTD_OBJECTS))

$(BUILD)/bin/bench-engine: $(BENCH_ENGINE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

## make bench-engine speed and memory with 1 million runs (RUNS=)
.PHONY: bench-programs bench-engine
bench-programs: $(BUILD)/bin/bench-engine

bench-engine: deps-run
	$(MAKE) all $(BUILD)/bin/bench-engine $(BUILD)/bin/bench-store
	tests/bench/bench_engine.sh $(BUILD) $(RUNS)
