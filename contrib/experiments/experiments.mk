# SPDX-License-Identifier: GPL-2.0-or-later
# experiments.mk - experiments on the little cluster

$(BUILD)/bin/wander: contrib/experiments/regression/wander.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< -lm

REPLAY_OBJECTS = $(addprefix $(BUILD)/obj/contrib/experiments/regression/, \
	replay.o rows.o) $(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/, \
	base stats features $(SCRIPT) forecast $(MODELS) \
	conditions snapshot placement ensemble curve scheduler engine \
	engine/nodes))

$(BUILD)/bin/replay: $(REPLAY_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(PREDICTD_LIBS)

$(BUILD)/bin/busy: contrib/experiments/sensors/busy.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

$(BUILD)/bin/sense: $(call OBJECTS,$(BUILD)/obj,contrib/experiments/sensors \
		collectors/sensors predictor/base predictor/features)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ \
		$(filter-out %/busy.o,$^) -lm -lpthread

.PHONY: experiment-programs system-programs
experiment-programs: nbody heat $(addprefix $(BUILD)/bin/,wander replay busy \
		sense)
system-programs: $(addprefix $(BUILD)/bin/,replay busy sense)

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
	$(MAKE) $(BUILD)/bin/busy $(BUILD)/bin/sense
	contrib/experiments/sensors/sensors $(BUILD) $(if $(SHORT),--short)
