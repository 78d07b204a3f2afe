# SPDX-License-Identifier: GPL-2.0-or-later
# web.mk - the page in a real browser

WEB_PACKAGES = chromium chromium-driver curl jq

## make check-web test the page in a browser (installs Debian's chromium)
.PHONY: check-web
check-web: all
	@contrib/install-packages $(PACKAGES) $(RUN_PACKAGES) $(WEB_PACKAGES)
	tests/web/check-web $(BUILD)
