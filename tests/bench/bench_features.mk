# SPDX-License-Identifier: GPL-2.0-or-later
# bench_features.mk - time to read a job script

BENCH_FEATURES_OBJECTS = $(BUILD)/obj/tests/bench/bench_features.o \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base features \
	features/script))

$(BUILD)/bin/bench-features: $(BENCH_FEATURES_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

## make bench-features time to read a job script of 64 KiB
.PHONY: bench-programs bench-features
bench-programs: $(BUILD)/bin/bench-features

bench-features: deps $(BUILD)/bin/bench-features
	$(BUILD)/bin/bench-features tests/corpus/scripts/*.sh
