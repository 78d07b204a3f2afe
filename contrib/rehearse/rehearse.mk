# SPDX-License-Identifier: GPL-2.0-or-later
# rehearse.mk - a log replayed in a real slurmctld under a virtual clock
#
# Needs libslurmfull, which is where Slurm's plugins are.

REHEARSE = $(BUILD)/lib/rehearse
REHEARSE_OBJECTS = $(addprefix $(BUILD)/obj/contrib/rehearse/,rehearse_jobs.o \
		log_options.o) \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base features \
	features/script slurm logs))
REHEARSE_ENSEMBLE = $(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,stats \
	forecast $(MODELS) ensemble))
SLURM_PLUGINS ?= $(firstword $(dir $(wildcard \
	/usr/lib/*/slurm-wlm/libslurmfull.so /usr/lib*/slurm/libslurmfull.so \
	/usr/local/lib/slurm/libslurmfull.so)))

## make rehearse build/lib/rehearse: replays a log in a real slurmctld
.PHONY: rehearse
rehearse: $(REHEARSE)/virtual_clock.so $(REHEARSE)/rehearse-driver \
	$(REHEARSE)/rehearse-report $(REHEARSE)/rehearse-starts

$(REHEARSE)/virtual_clock.so: $(BUILD)/obj/contrib/rehearse/virtual_clock.o
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -ldl -lpthread

$(REHEARSE)/rehearse-driver: \
		$(addprefix $(BUILD)/obj/contrib/rehearse/,rehearse_driver.o \
		dependency.o driver_options.o job_order.o jump_clock.o \
		log_index.o rehearse_predict.o replayed_dependency.o \
		replayed_jobs.o slurm_requests.o) $(BUILD)/obj/plugin/site/policy.o \
		$(REHEARSE_OBJECTS) $(REHEARSE_ENSEMBLE)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -L$(SLURM_PLUGINS) \
		-Wl,-rpath,$(SLURM_PLUGINS:/=) -lslurmfull \
		-lgsl -lgslcblas -lz -llzma -lm -lpthread

$(REHEARSE)/rehearse-report: $(addprefix $(BUILD)/obj/contrib/rehearse/, \
		rehearse_report.o rehearse_figures.o rehearse_plot.o) \
		$(REHEARSE_OBJECTS) $(call OBJECTS,$(BUILD)/obj,predictor/scheduler)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lz -llzma -lm -lpthread

$(REHEARSE)/rehearse-starts: $(BUILD)/obj/contrib/rehearse/rehearse_starts.o \
		$(sort $(REHEARSE_OBJECTS) $(call OBJECTS,$(BUILD)/obj,$(addprefix \
		predictor/,stats forecast $(MODELS) ensemble scheduler)))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas -lz -llzma \
		-lm -lpthread

## make bench-rehearse four weeks in a real slurmctld (DATA=FOLDER of logs)
.PHONY: bench-rehearse bench-programs
bench-rehearse: rehearse
	@tests/bench/bench_rehearse.sh "$(BUILD)" "$(DATA)"

bench-programs: rehearse

## make check-plan a day in a real slurmctld with predict_plan, a reservation and het jobs
.PHONY: check-plan system-programs
check-plan: rehearse $(BUILD)/lib/job_submit_predict.so
	tests/system/test_rehearse.sh "$(BUILD)"

system-programs: rehearse
