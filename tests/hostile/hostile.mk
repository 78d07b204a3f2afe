# SPDX-License-Identifier: GPL-2.0-or-later
# hostile.mk - attacks on predictd, beside the clients that must not notice

HOSTILE_OBJECTS = $(call OBJECTS,$(BUILD)/obj,tests/hostile \
	$(addprefix predictor/,base features wire client))

$(BUILD)/bin/hostile: $(HOSTILE_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -lcurl \
		-lmunge -lm -lpthread

.PHONY: system-programs
system-programs: $(BUILD)/bin/hostile

## make check-hostile predictd while users and strangers attack it
.PHONY: check-hostile
check-hostile: deps-run
	$(MAKE) all $(BUILD)/bin/hostile
	tests/hostile/check-hostile $(BUILD)
