# SPDX-License-Identifier: GPL-2.0-or-later
# bench_replay.mk - traced runs under other placements

BENCH_REPLAY_OBJECTS = $(patsubst %,$(BUILD)/obj/tests/bench/%.o, \
	bench_replay bench_replay_programs bench_programs) \
	$(call OBJECTS,$(BUILD)/obj,predictor/base predictor/farm \
	predictor/trace predictor/replay)

$(BUILD)/bin/bench-replay: $(BENCH_REPLAY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

## make bench-replay traced runs under other placements
.PHONY: bench-programs bench-replay
bench-programs: $(BUILD)/bin/bench-replay

bench-replay: $(BUILD)/bin/bench-replay
	$(BUILD)/bin/bench-replay
