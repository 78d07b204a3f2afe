# SPDX-License-Identifier: GPL-2.0-or-later
# bench_rank.mk - ranking node sets on a cluster of 10,000 nodes

BENCH_RANK_OBJECTS = $(BUILD)/obj/tests/bench/bench_rank.o \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base features \
	snapshot placement))

$(BUILD)/bin/bench-rank: $(BENCH_RANK_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

## make bench-rank cost of ranking node sets (NODES=10000)
.PHONY: bench-programs bench-rank
bench-programs: $(BUILD)/bin/bench-rank

bench-rank: deps $(BUILD)/bin/bench-rank
	$(BUILD)/bin/bench-rank $(NODES)
