# SPDX-License-Identifier: GPL-2.0-or-later
# sharing.mk - the sharing model against measured runs

# With all of predictd's models, since it calls the row of their table.
SHARING_FOLDERS = $(addprefix predictor/,base stats features forecast $(MODELS))

$(BUILD)/bin/sharing-predict: $(call OBJECTS,$(BUILD)/obj,$(SHARING_FOLDERS)) \
		$(BUILD)/obj/tests/experiments/sharing_predict.o
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas -lm \
		-lpthread

# collectord's probe of the scheduler.
$(BUILD)/bin/sharing-scheduler: \
		$(addprefix $(BUILD)/obj/,collectors/sensors/scheduler_probe.o \
		predictor/base/clock.o predictor/base/error.o \
		predictor/base/thread_start.o \
		tests/experiments/sharing_scheduler.o)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm -lpthread

$(BUILD)/bin/tick: tests/experiments/tick.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

.PHONY: sharing-programs system-programs
system-programs: $(BUILD)/bin/sharing-predict
sharing-programs: mpi-programs $(BUILD)/lib/libpredict_mpi.so \
	$(BUILD)/bin/sharing-predict $(BUILD)/bin/sharing-scheduler \
	$(BUILD)/bin/tick

## make experiment-sharing six MPI programs on shared nodes (an hour; ONLY=)
.PHONY: experiment-sharing
experiment-sharing: deps-run
	$(MAKE) sharing-programs
	contrib/experiments/sharing/sharing $(BUILD) \
		$(if $(ONLY),--only $(ONLY)) \
		$(if $(REPEATS),--repeats $(REPEATS))
	contrib/experiments/sharing/report $(BUILD) \
		$(BUILD)/experiment-sharing $(BUILD)/experiment-sharing

# By default of the runs kept beside it, into a report that nobody keeps.
SHARING_RUNS = contrib/experiments/sharing/result
SHARING_OUT  = $(BUILD)/experiment-sharing/report
SHARING_KEPT = $(sort $(SHARING_RUNS) \
	$(addprefix contrib/experiments/sharing/,result result-slow-host))

# Variables: SHARING_RUNS=, SHARING_OUT=
## make experiment-sharing-report its tables and figure anew
.PHONY: experiment-sharing-report
experiment-sharing-report: deps
	$(MAKE) $(BUILD)/bin/sharing-predict
	contrib/experiments/sharing/report $(BUILD) $(SHARING_RUNS) \
		$(SHARING_OUT)
	contrib/experiments/sharing/production $(BUILD) $(SHARING_KEPT)
