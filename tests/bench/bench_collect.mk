# SPDX-License-Identifier: GPL-2.0-or-later
# bench_collect.mk - measurements of large clusters, and what collecting costs
#
# `make bench-collect COLLECT_NODES=N` takes N nodes instead of 10,000.

BENCH_COLLECT_OBJECTS = $(BUILD)/obj/tests/bench/bench_collect.o \
	$(call OBJECTS,$(BUILD)/obj,predictor/base predictor/features \
	predictor/wire predictor/client predictor/stats)

$(BUILD)/bin/bench-collect: $(BENCH_COLLECT_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -lcurl \
		-lmunge -lgsl -lgslcblas -lm -lpthread

## make bench-collect series of 10,000 nodes in predictd; collectord at any size
.PHONY: bench-collect bench-programs
bench-collect: deps-run all $(BUILD)/bin/bench-collect
	@tests/bench/bench_collect.sh "$(BUILD)" $(COLLECT_NODES)
	@tests/bench/bench_collect_nodes.sh "$(BUILD)"

bench-programs: $(BUILD)/bin/bench-collect
