# SPDX-License-Identifier: GPL-2.0-or-later
# coverage.mk - which lines the unit and system tests reach
#
# All is built once more below $(BUILD)/coverage, for gcov, and without
# sanitizers.  What daemons count they write when they end, so clusters are
# taken down gently.  `make coverage SYSTEM_TESTS=` runs the unit tests alone.

COVERAGE        = $(BUILD)/coverage
COVERAGE_CFLAGS = -std=gnu11 -O1 -g $(WARNINGS) -fPIC -fvisibility=hidden \
	--coverage -fprofile-update=atomic -DLOCKS_ARE_CHECKED

## make coverage lines that tests reach (SYSTEM_TESTS=: unit tests)
.PHONY: coverage coverage-run
coverage: deps-run $(BUILD)/slurm/ready
	@mkdir -p $(COVERAGE)/slurm
	@ln -sfn $(abspath $(BUILD))/slurm/include $(COVERAGE)/slurm/include
	@cp $(BUILD)/slurm/ready $(COVERAGE)/slurm/ready
	@find $(COVERAGE) -name '*.gcda' -delete
	$(MAKE) BUILD=$(COVERAGE) CFLAGS='$(COVERAGE_CFLAGS)' ASAN= coverage-run
	tests/coverage/report $(COVERAGE)

# A test that fails has reached its lines, too.
coverage-run: system-ready unit-programs
	-CLUSTER_GENTLE=1 tests/run -t 900 -j 2 $(UNIT_TESTS) \
		$(if $(SYSTEM_TESTS),--alone $(call WITH_BUILD,$(SYSTEM_TESTS)))
