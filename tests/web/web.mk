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
## make check-web-short the same with fewer jobs, as CI does
.PHONY: check-web check-web-short deps-web
deps-web: ; @contrib/install-packages $(WEB_PACKAGES)
check-web: deps-run deps-web all
	$(MAKE) $(BUILD)/bin/paced-predictions
	tests/web/check-web $(BUILD)
check-web-short: deps-run deps-web all
	tests/web/check-web $(BUILD) --short
