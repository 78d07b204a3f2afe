# SPDX-License-Identifier: GPL-2.0-or-later
# valgrind.mk - what slurmctld loads, under valgrind

## make check-valgrind slurmctld with our plugins under valgrind
.PHONY: check-valgrind
check-valgrind: deps-run deps-valgrind
	$(MAKE) all
	tests/valgrind/check-valgrind $(BUILD)
	[ ! -e $(SELECT_PLUGIN) ] || \
		tests/valgrind/check-valgrind-select $(BUILD)
