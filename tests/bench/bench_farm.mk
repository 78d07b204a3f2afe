# SPDX-License-Identifier: GPL-2.0-or-later
# bench_farm.mk - chunks and curves of master/worker programs, and other curves

BENCH_FARM_OBJECTS = $(BUILD)/obj/tests/bench/bench_farm.o \
	$(BUILD)/obj/tests/bench/bench_farm_curves.o \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base stats farm))

$(BUILD)/bin/bench-farm: $(BENCH_FARM_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas -lm \
		-lpthread

## make bench-farm chunks and curves of master/worker programs
.PHONY: bench-programs bench-farm
bench-programs: $(BUILD)/bin/bench-farm

bench-farm: $(BUILD)/bin/bench-farm
	$(BUILD)/bin/bench-farm
