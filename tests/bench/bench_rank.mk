# bench_rank.mk - ranking node sets on a cluster of 10,000 nodes

BENCH_RANK_OBJECTS = $(addprefix $(BUILD)/obj/,tests/bench/bench_rank.o \
	$(addsuffix .o,$(basename $(wildcard predictor/placement/rank*.c \
	predictor/placement/snapshot*.c) predictor/placement/placement_model.c \
	predictor/base/error.c predictor/base/clock.c)))

$(BUILD)/bin/bench-rank: $(BENCH_RANK_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

## make bench-rank cost of ranking node sets (NODES=10000)
.PHONY: bench-programs bench-rank
bench-programs: $(BUILD)/bin/bench-rank

bench-rank: deps $(BUILD)/bin/bench-rank
	$(BUILD)/bin/bench-rank $(NODES)
