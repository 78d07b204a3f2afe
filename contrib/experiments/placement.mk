# SPDX-License-Identifier: GPL-2.0-or-later
# placement.mk - jobs on shared nodes, placed by Slurm and by us

# Variables: DATA=, ROUNDS=, QUIET=, JOBS=, SAMPLES=
## make experiment-placement jobs placed by Slurm and by us (40 min; ROUNDS=)
.PHONY: experiment-placement
experiment-placement: deps-run
	$(MAKE) all mpi-programs
	contrib/experiments/placement/placement $(BUILD) \
		$(if $(DATA),--data $(DATA)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) \
		$(if $(QUIET),--quiet $(QUIET)) $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(SAMPLES),--samples $(SAMPLES))
	contrib/experiments/placement/report $(BUILD)/experiment-placement \
		$(BUILD)/experiment-placement

# By default of the rounds kept beside it, into a report that nobody keeps.
PLACEMENT_RUNS = contrib/experiments/placement/result
PLACEMENT_OUT  = $(BUILD)/experiment-placement/report

# Variables: PLACEMENT_RUNS=, PLACEMENT_OUT=
## make experiment-placement-report its tables and figures anew
.PHONY: experiment-placement-report
experiment-placement-report:
	contrib/experiments/placement/report $(PLACEMENT_RUNS) $(PLACEMENT_OUT)
