# SPDX-License-Identifier: GPL-2.0-or-later
# upgrade.mk - slurmctld after an update of Slurm, or with parts of ours missing
#
# Plugins for the next and the last micro release and for another release are
# built with slurm_version.h changed: all else in the headers is this machine's,
# as it is between micro releases.  One more needs a library that is not there.

UPGRADE_RELEASES = next last other
UPGRADE_next  = + 1
UPGRADE_last  = - 1
UPGRADE_other = + 0x100
UPGRADE_LIBS  = $(foreach release,$(UPGRADE_RELEASES) lost, \
	$(BUILD)/upgrade/$(release)/job_submit_predict.so) \
	$(foreach release,$(UPGRADE_RELEASES), \
	$(BUILD)/upgrade/$(release)/spank_predict.so \
	$(BUILD)/upgrade/$(release)/select_cons_tres.so)

UPGRADE_HEADERS = $(addsuffix /include/slurm/slurm_version.h, \
	$(UPGRADE_RELEASES:%=$(BUILD)/upgrade/%))

## make check-upgrade slurmctld with plugins of other releases, or broken ones
.PHONY: check-upgrade
check-upgrade: deps-run
	$(MAKE) all $(UPGRADE_LIBS)
	tests/upgrade/check-upgrade $(BUILD)

$(UPGRADE_HEADERS): $(BUILD)/upgrade/%/include/slurm/slurm_version.h: \
		tests/upgrade/upgrade.mk
	@mkdir -p $(@D)
	@number=$$(echo '#include <slurm/slurm_version.h>' | \
		$(CC) $(CPPFLAGS) -dM -E - | \
		awk '$$2 == "SLURM_VERSION_NUMBER" { print $$3 }'); \
	printf '%s\n' \
	'#define SLURM_VERSION_NUM(a, b, c) (((a) << 16) + ((b) << 8) + (c))' \
		"#define SLURM_VERSION_NUMBER ($$number $(UPGRADE_$*))" >$@

# One main source for another release, beside the objects of this one.
upgrade_main = $(CC) $(CPPFLAGS) -I$(BUILD)/upgrade/$*/include $(1) $(CFLAGS) \
	-Wl,-z,lazy -shared -o $@

$(UPGRADE_RELEASES:%=$(BUILD)/upgrade/%/job_submit_predict.so): \
$(BUILD)/upgrade/%/job_submit_predict.so: \
		$(BUILD)/upgrade/%/include/slurm/slurm_version.h \
		plugin/job_submit/job_submit_predict.c \
		$(BUILD)/lib/job_submit_predict.so
	$(call say,LD)$(upgrade_main) plugin/job_submit/job_submit_predict.c \
		$(filter-out %/job_submit_predict.o, \
		$(call OBJECTS,$(BUILD)/obj,$(JOB_SUBMIT_FOLDERS))) \
		$(JOB_SUBMIT_LIBS)

$(UPGRADE_RELEASES:%=$(BUILD)/upgrade/%/spank_predict.so): \
$(BUILD)/upgrade/%/spank_predict.so: \
		$(BUILD)/upgrade/%/include/slurm/slurm_version.h \
		plugin/spank/spank_predict.c $(BUILD)/lib/spank_predict.so
	$(call say,LD)$(upgrade_main) plugin/spank/spank_predict.c \
		$(filter-out %/spank_predict.o, \
		$(call OBJECTS,$(BUILD)/obj,$(SPANK_FOLDERS))) $(SPANK_LIBS)

$(UPGRADE_RELEASES:%=$(BUILD)/upgrade/%/select_cons_tres.so): \
$(BUILD)/upgrade/%/select_cons_tres.so: \
		$(BUILD)/upgrade/%/include/slurm/slurm_version.h \
		plugin/select/select_cons_tres.c $(SELECT_PLUGIN)
	$(call say,LD)[ ! -e $(SELECT_PLUGIN) ] || $(call upgrade_main, \
		-isystem $(BUILD)/slurm/include) \
		plugin/select/select_cons_tres.c \
		$(filter-out %/select_cons_tres.o,$(SELECT_OBJECTS)) \
		$(BUILD)/obj/libselect.a $(SELECT_LIBS)

# Needs a library that was there when it was linked.
$(BUILD)/upgrade/lost/job_submit_predict.so: $(BUILD)/lib/job_submit_predict.so
	@mkdir -p $(@D)
	@echo 'int predict_lost;' | $(CC) -xc - -shared -fPIC \
		-o $(@D)/libpredict_lost.so
	$(call say,LD)$(CC) $(CFLAGS) -shared -o $@ \
		$(call OBJECTS,$(BUILD)/obj,$(JOB_SUBMIT_FOLDERS)) \
		$(JOB_SUBMIT_LIBS) -Wl,--no-as-needed -L$(@D) -lpredict_lost
	@rm $(@D)/libpredict_lost.so
