# SPDX-License-Identifier: GPL-2.0-or-later
# select.mk - the plugin that needs the source of Slurm
#
# slurm-headers gets the headers of the Slurm that is installed here, or takes
# those of the source tree SLURM_SRC.  Without them everything else is built,
# and the table at the end of `make` says why.

SLURM_SRC =
SELECT_OBJECTS = $(SELECT_INSIDE:%.c=$(BUILD)/slurm/obj/%.o)

# Whether SLURM_SRC is another one than last time.
$(BUILD)/slurm/wanted: FORCE
	@mkdir -p $(@D)
	@echo '$(SLURM_SRC)' | cmp -s - $@ || echo '$(SLURM_SRC)' >$@

.PHONY: FORCE
FORCE:

# The package's list of files is as old as its installation, its files are not.
$(BUILD)/slurm/ready: plugin/select/slurm-headers $(BUILD)/slurm/wanted \
		$(wildcard /var/lib/dpkg/info/slurmctld.list)
	@mkdir -p $(@D)
	@plugin/select/slurm-headers $(@D) $(SLURM_SRC) >$@ 2>&1 || \
		rm -rf $(@D)/include
	@[ ! -e $(@D)/include/untried ] || \
		COMPILERS='$(lastword $(CC))' CPPFLAGS="$$HEADERS_CPPFLAGS" \
		CFLAGS='$(CFLAGS)' tests/releases/check-headers $(BUILD) \
		>$(@D)/untried.log 2>&1 || { \
		echo "Slurm $$(cat $(@D)/include/untried) is newer than what" \
			"is known, and differs: see $(@D)/untried.log" >$@; \
		rm -rf $(@D)/include; }

$(BUILD)/slurm/ready: export HEADERS_CPPFLAGS = $(CPPFLAGS)

$(SELECT_OBJECTS): $(BUILD)/slurm/obj/%.o: %.c $(BUILD)/slurm/ready
	@mkdir -p $(@D)
	$(call say,CC)if [ -d $(BUILD)/slurm/include ]; then \
		$(CC) $(CPPFLAGS) -isystem $(BUILD)/slurm/include $(CFLAGS) \
			-MMD -MP -c -o $@ $<; \
	else \
		: >$@; \
	fi

# Of the rest only what it uses.
$(BUILD)/obj/libselect.a: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out \
		$(MAINS) $(NEEDS_SLURM),$(call SOURCES,$(SELECT_FOLDERS))))
	@rm -f $@
	$(call say,AR)ar rcs $@ $^

$(SELECT_PLUGIN): $(SELECT_OBJECTS) $(BUILD)/obj/libselect.a
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,LD)if [ -d $(BUILD)/slurm/include ]; then \
		$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-z,lazy -shared -o $@ $^ \
			$(SELECT_LIBS); \
	fi
