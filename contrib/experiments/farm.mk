# SPDX-License-Identifier: GPL-2.0-or-later
# farm.mk - farms on shared nodes, and the model's curves, measured

EXPERIMENT_FARM = contrib/experiments/farm
comma := ,

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

# What is run of it: policies,curves,told,seen; ROUNDS= of the first two.
# `make experiment-farm ONLY=policies,told` has the bars on policies and on what
# users are told, in about 18 minutes.
ONLY_FARM = $(subst $(comma), ,$(or $(ONLY),policies curves told seen))
FARM_ROUNDS = $(foreach part,policies curves,--$(part) \
	$(if $(filter $(part),$(ONLY_FARM)),$(or $(ROUNDS),$(FARM_$(part))),0))
FARM_policies = 5
FARM_curves = 2

## make experiment-farm farms beside others, over nodes, told (ONLY=, ROUNDS=)
.PHONY: experiment-farm
experiment-farm: deps-run
	$(MAKE) all farm $(BUILD)/bin/farm_lab $(BUILD)/bin/farm_predict \
		mpi-programs
	rm -f $(addprefix $(BUILD)/experiment-farm/,runs.jsonl told.jsonl \
		seen.jsonl)
	$(if $(filter policies curves,$(ONLY_FARM)),$(EXPERIMENT_FARM)/farms \
		$(BUILD) $(FARM_ROUNDS))
	$(if $(filter told,$(ONLY_FARM)),$(EXPERIMENT_FARM)/told $(BUILD))
	$(if $(filter seen,$(ONLY_FARM)),$(EXPERIMENT_FARM)/seen $(BUILD))
	$(EXPERIMENT_FARM)/report $(BUILD) $(BUILD)/experiment-farm \
		$(BUILD)/experiment-farm

# By default of the runs kept beside it.
FARM_RUNS = $(EXPERIMENT_FARM)/result

## make experiment-farm-report its tables and figures anew (FARM_RUNS=)
.PHONY: experiment-farm-report
experiment-farm-report:
	$(MAKE) $(BUILD)/bin/farm_predict
	$(EXPERIMENT_FARM)/report $(BUILD) $(FARM_RUNS) $(BUILD)/experiment-farm
