# SPDX-License-Identifier: GPL-2.0-or-later
# experiments.mk - experiments on the little cluster

REPLAY_OBJECTS = $(BUILD)/obj/tests/experiments/replay.o \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/, \
	base stats features $(SCRIPT) forecast $(MODELS) \
	conditions snapshot placement ensemble scheduler engine \
	engine/nodes))

$(BUILD)/bin/replay: $(REPLAY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

$(BUILD)/bin/sense: $(BUILD)/obj/tests/experiments/sense.o \
		$(call OBJECTS,$(BUILD)/obj,collectors/sensors predictor/base \
		predictor/features)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

.PHONY: experiment-programs system-programs
experiment-programs: nbody heat $(addprefix $(BUILD)/bin/,replay sense)
system-programs: $(addprefix $(BUILD)/bin/,replay sense)

## make experiment-regression predict 320 MPI runs under load (DATA= loads)
.PHONY: experiment-regression
experiment-regression: deps-run
	$(MAKE) all experiment-programs
	contrib/experiments/regression/regression $(BUILD) \
		$(if $(DATA),--data $(DATA)) $(if $(RUNS),--runs $(RUNS))
	contrib/experiments/regression/report $(BUILD) $(BUILD)/experiment \
		$(BUILD)/experiment

# By default the dataset beside it, and a report that nobody keeps.
DATASET = contrib/experiments/regression/result
OUT     = $(BUILD)/experiment/report

## make experiment-report its tables and figures anew (DATASET= folder, OUT=)
.PHONY: experiment-report
experiment-report: deps
	$(MAKE) $(BUILD)/bin/replay
	contrib/experiments/regression/report $(BUILD) $(DATASET) $(OUT)

## make experiment-sensors the CPU sensor against new processes (SHORT=1)
.PHONY: experiment-sensors
experiment-sensors: deps-run
	$(MAKE) $(BUILD)/bin/sense
	contrib/experiments/sensors/sensors $(BUILD) $(if $(SHORT),--short)
