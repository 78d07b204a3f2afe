# SPDX-License-Identifier: GPL-2.0-or-later
# web.mk - the page in a real browser

WEB_PACKAGES = chromium chromium-driver curl jq ruby

PACED_OBJECTS = $(call OBJECTS,$(BUILD)/obj,tests/web \
	$(addprefix predictor/,base features wire client))

$(BUILD)/bin/paced-predictions: $(PACED_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -lcurl \
		-lmunge -lm -lpthread

.PHONY: bench-programs
bench-programs: $(BUILD)/bin/paced-predictions

## make check-web test the page in a browser (installs Debian's chromium)
.PHONY: check-web
check-web: all
	@contrib/install-packages $(PACKAGES) $(RUN_PACKAGES) $(WEB_PACKAGES)
	$(MAKE) $(BUILD)/bin/paced-predictions
	tests/web/check-web $(BUILD)
