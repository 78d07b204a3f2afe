# SPDX-License-Identifier: GPL-2.0-or-later
# farm.mk - farms on shared nodes, and the model's curves, measured

EXPERIMENT_FARM = contrib/experiments/farm

$(BUILD)/bin/farm_lab: tests/experiments/farm_lab.c \
		$(BUILD)/lib/libpredict_farm.so
	@mkdir -p $(@D)
	$(call say,LD)$(MPICC) -D_GNU_SOURCE -I. -std=gnu11 -O2 -Wall -Wextra \
		-Wshadow -o $@ $< -L$(BUILD)/lib -lpredict_farm \
		-Wl,-rpath,'$$ORIGIN/../lib' -lm

$(BUILD)/bin/farm_predict: tests/experiments/farm_predict.c \
		$(filter-out predictor/farm/recognise%, \
			$(wildcard predictor/farm/*.[ch]))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter %.c,$^) -lm

## make experiment-farm farms beside competitors and over nodes (12 min)
.PHONY: experiment-farm
experiment-farm: deps-run
	$(MAKE) all farm $(BUILD)/bin/farm_lab $(BUILD)/bin/farm_predict \
		mpi-programs
	$(EXPERIMENT_FARM)/farms $(BUILD)
	$(EXPERIMENT_FARM)/seen $(BUILD)
	$(EXPERIMENT_FARM)/report $(BUILD) $(BUILD)/experiment-farm \
		$(BUILD)/experiment-farm

# By default of the runs kept beside it.
FARM_RUNS = $(EXPERIMENT_FARM)/result

## make experiment-farm-report its tables and figures anew (FARM_RUNS=)
.PHONY: experiment-farm-report
experiment-farm-report:
	$(MAKE) $(BUILD)/bin/farm_predict
	$(EXPERIMENT_FARM)/report $(BUILD) $(FARM_RUNS) $(BUILD)/experiment-farm
