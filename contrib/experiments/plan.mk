# SPDX-License-Identifier: GPL-2.0-or-later
# plan.mk - predict_plan on three logs in a real slurmctld, and simulated

$(BUILD)/bin/plan-predict: $(BUILD)/obj/tests/experiments/plan_predict.o \
		$(BUILD)/obj/plugin/site/policy.o \
		$(sort $(REHEARSE_OBJECTS) $(REHEARSE_ENSEMBLE))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas \
		-larchive -lm -lpthread

$(BUILD)/bin/plan-windows: $(BUILD)/obj/tests/experiments/plan_windows.o \
		$(call OBJECTS,$(BUILD)/obj,predictor/base predictor/stats \
		predictor/scheduler)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas \
		-lm -lpthread

bench-programs: $(BUILD)/bin/plan-predict $(BUILD)/bin/plan-windows

# Variables: DATA=, DAYS=, SEEDS=, WINDOWS="LOG:DAY ..."
## make experiment-plan predict_plan on three logs (1 h; DATA=FOLDER of logs)
.PHONY: experiment-plan
experiment-plan: rehearse $(BUILD)/lib/job_submit_predict.so \
		$(BUILD)/bin/plan-predict
	$(if $(DAYS),DAYS=$(DAYS)) $(if $(SEEDS),SEEDS=$(SEEDS)) \
		$(if $(WINDOWS),WINDOWS="$(WINDOWS)") \
		contrib/experiments/plan/plan "$(BUILD)" "$(DATA)"

## make experiment-plan-simulated the same, simulated on five logs (15 minutes)
.PHONY: experiment-plan-simulated
experiment-plan-simulated: $(BUILD)/bin/plan-predict $(BUILD)/bin/plan-windows
	contrib/experiments/plan/plan-simulated "$(BUILD)" "$(DATA)" $(SEEDS)
