# SPDX-License-Identifier: GPL-2.0-or-later
# bench_features.mk - time to read a job script, and what it is worth

BENCH_FEATURES_OBJECTS = $(BUILD)/obj/tests/bench/bench_features.o \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base features \
	$(SCRIPT)))

$(BUILD)/bin/bench-features: $(BENCH_FEATURES_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

$(BUILD)/bin/bench-features-gain: \
		$(BUILD)/obj/tests/bench/bench_features_gain.o \
		$(BENCH_LOG_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(BENCH_LOG_LIBS)

## make bench-features time to read a script of 64 KiB, and what it is worth
.PHONY: bench-programs bench-features
bench-programs: $(BUILD)/bin/bench-features $(BUILD)/bin/bench-features-gain

bench-features: deps $(BUILD)/bin/bench-features \
		$(BUILD)/bin/bench-features-gain
	$(BUILD)/bin/bench-features tests/corpus/scripts/*.sh
	$(BUILD)/bin/bench-features-gain
