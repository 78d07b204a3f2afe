# SPDX-License-Identifier: GPL-2.0-or-later
# honesty.mk - whether what people are told is true
#
# A part is tests/bench/bench_honesty_NAME.c or .bash; bench_honesty.sh has how
# it is run.  `make bench-honesty PARTS=range` runs one.

HONESTY_PROGRAMS = $(patsubst tests/bench/bench_honesty_%.c, \
	$(BUILD)/bin/bench-honesty-%,$(wildcard tests/bench/bench_honesty_*.c))
HONESTY_OBJECTS = $(BUILD)/obj/tests/bench/honesty_client.o \
	$(call OBJECTS,$(BUILD)/obj,predictor/base predictor/features \
	predictor/wire predictor/client predictor/stats)

# What sbatch prints.
$(BUILD)/bin/bench-honesty-evidence: $(BUILD)/obj/plugin/job_submit/message.o \
	$(call OBJECTS,$(BUILD)/obj,predictor/placement predictor/snapshot)

$(HONESTY_PROGRAMS): $(BUILD)/bin/bench-honesty-%: \
		$(BUILD)/obj/tests/bench/bench_honesty_%.o $(HONESTY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -lcurl \
		-lmunge -lgsl -lgslcblas -lm -lpthread

## make bench-honesty whether what people are told is true (PARTS=)
.PHONY: bench-honesty bench-programs
bench-honesty: deps-run all workloads $(HONESTY_PROGRAMS)
	@tests/bench/bench_honesty.sh "$(BUILD)" $(PARTS)

bench-programs: $(HONESTY_PROGRAMS)
