# SPDX-License-Identifier: GPL-2.0-or-later
# releases.mk - the plugins and the releases of Slurm

## make check-headers compile the plugins for each release (DATA= headers)
.PHONY: check-headers
check-headers: deps-lint $(BUILD)/slurm/ready
	COMPILERS='$(lastword $(CC)) $(CLANG)' CPPFLAGS="$$HEADERS_CPPFLAGS" \
		CFLAGS='$(CFLAGS)' tests/releases/check-headers $(BUILD) $(DATA)

check-headers: export HEADERS_CPPFLAGS = $(CPPFLAGS)
