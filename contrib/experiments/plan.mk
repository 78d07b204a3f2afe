# SPDX-License-Identifier: GPL-2.0-or-later
# plan.mk - predict_plan on three logs in a real slurmctld

# Variables: DATA=, DAYS=, SEEDS=, PLAN=
## make experiment-plan predict_plan on three logs (2 h; DATA=FOLDER of logs)
.PHONY: experiment-plan
experiment-plan: rehearse $(BUILD)/lib/job_submit_predict.so
	$(if $(DAYS),DAYS=$(DAYS)) $(if $(SEEDS),SEEDS=$(SEEDS)) \
		$(if $(PLAN),PLAN=$(PLAN)) \
		contrib/experiments/plan/plan "$(BUILD)" "$(DATA)"
