# SPDX-License-Identifier: GPL-2.0-or-later
# rehearse.mk - a log replayed in a real slurmctld under a virtual clock
#
# Needs libslurmfull, which is where Slurm's plugins are.

REHEARSE = $(BUILD)/lib/rehearse
REHEARSE_FROM = predictor/backtest/rehearse
REHEARSE_OBJECTS = \
	$(addprefix $(BUILD)/obj/$(REHEARSE_FROM)/,rehearse_jobs.o \
		log_options.o) \
	$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,base features \
	$(SCRIPT) slurm logs))
REHEARSE_ENSEMBLE = $(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,stats \
	forecast $(MODELS) ensemble))
SLURM_PLUGINS ?= $(firstword $(dir $(wildcard \
	/usr/lib/*/slurm-wlm/libslurmfull.so /usr/lib/*/slurm/libslurmfull.so \
	/usr/lib*/slurm/libslurmfull.so \
	/usr/local/lib/slurm/libslurmfull.so)))

## make rehearse build/lib/rehearse: replays a log in a real slurmctld
.PHONY: rehearse
rehearse: $(REHEARSE)/virtual_clock.so $(REHEARSE)/rehearse-driver \
	$(REHEARSE)/rehearse-report $(REHEARSE)/rehearse-starts \
	$(LIBEXEC)/spredict-rehearse

$(LIBEXEC)/spredict-rehearse: $(REHEARSE_FROM)/rehearse.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nREHEARSE_PARTS=%s exec %s "$$@"\n' \
		'$(abspath $(REHEARSE))' \
		'$(abspath $(REHEARSE_FROM)/rehearse)' >$@
	@chmod 755 $@

$(REHEARSE)/virtual_clock.so: \
		$(BUILD)/obj/$(REHEARSE_FROM)/virtual_clock.o
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ -ldl -lpthread

$(REHEARSE)/rehearse-driver: \
		$(addprefix $(BUILD)/obj/$(REHEARSE_FROM)/,rehearse_driver.o \
		dependency.o driver_options.o job_order.o jump_clock.o \
		log_index.o rehearse_predict.o replayed_dependency.o \
		replayed_jobs.o slurm_requests.o) \
		$(BUILD)/obj/plugin/site/policy.o $(REHEARSE_OBJECTS) \
		$(REHEARSE_ENSEMBLE)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -L$(SLURM_PLUGINS) \
		-Wl,-rpath,$(SLURM_PLUGINS:/=) -lslurmfull \
		-lgsl -lgslcblas -larchive -lm -lpthread

$(REHEARSE)/rehearse-report: $(REHEARSE_FROM)/rehearse-report \
		$(REHEARSE)/rehearse-results
	$(call say,CP)cp $< $@

$(REHEARSE)/rehearse-results: \
		$(BUILD)/obj/$(REHEARSE_FROM)/rehearse_results.o \
		$(BUILD)/obj/predictor/plot/svg.o \
		$(BUILD)/obj/predictor/stats/quantile.o $(REHEARSE_OBJECTS) \
		$(call OBJECTS,$(BUILD)/obj,predictor/scheduler)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -larchive -lm \
		-lpthread

$(REHEARSE)/rehearse-starts: \
		$(BUILD)/obj/$(REHEARSE_FROM)/rehearse_starts.o \
		$(sort $(REHEARSE_OBJECTS) \
		$(call OBJECTS,$(BUILD)/obj,$(addprefix predictor/,stats \
		forecast $(MODELS) ensemble scheduler)))
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lgsl -lgslcblas \
		-larchive -lm -lpthread

# Where the program and its parts are, which it finds beside itself.
REHEARSE_DIR = $(LIBEXECDIR)/rehearse
REHEARSE_INSTALLED = $(MANDIR)/man1/rehearse.1

.PHONY: install-rehearse
install-rehearse: rehearse
	install -d $(DESTDIR)$(REHEARSE_DIR)
	install -m 755 $(addprefix $(REHEARSE)/,rehearse-driver \
		rehearse-report rehearse-results rehearse-starts) \
		$(REHEARSE_FROM)/site-conf \
		$(DESTDIR)$(REHEARSE_DIR)
	install -m 644 $(REHEARSE)/virtual_clock.so \
		$(addprefix $(REHEARSE_FROM)/,accounting.bash site_conf.awk) \
		$(DESTDIR)$(REHEARSE_DIR)
	sed 's|^installed_plugin=.*|installed_plugin=$(LIBDIR)|' \
		$(REHEARSE_FROM)/rehearse >$(DESTDIR)$(REHEARSE_DIR)/rehearse
	chmod 755 $(DESTDIR)$(REHEARSE_DIR)/rehearse
	ln -sf rehearse/rehearse $(DESTDIR)$(LIBEXECDIR)/spredict-rehearse
	install -D -m 644 -t $(DESTDIR)$(MANDIR)/man1 \
		$(REHEARSE_FROM)/rehearse.1

## make bench-rehearse four weeks in a real slurmctld (DATA=FOLDER of logs)
## make bench-starts predicted starts on logs nobody fitted (DATA=FOLDER)
.PHONY: bench-rehearse bench-starts bench-programs
bench-rehearse: rehearse $(BUILD)/bin/plan-predict $(BUILD)/bin/plan-windows
	@tests/bench/bench_rehearse.sh "$(BUILD)" "$(DATA)"

bench-starts: rehearse
	@tests/bench/bench_starts.sh "$(BUILD)" "$(DATA)"

bench-programs: rehearse

## make check-plan predict_plan in slurmctld: users who change jobs, a day
.PHONY: check-plan system-programs
check-plan: rehearse all
	tests/system/test_plan_gamed.sh "$(BUILD)"
	tests/system/test_rehearse.sh "$(BUILD)"

system-programs: rehearse
