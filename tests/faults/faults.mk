# SPDX-License-Identifier: GPL-2.0-or-later
# faults.mk - daemons and plugins with sanitizers, inside a real Slurm
#
# All is built once more below $(FAULTS), with the address and
# undefined-behaviour sanitizers, but for what jobs load or run.

FAULTS        = $(BUILD)/faults
FAULTS_CFLAGS = -std=gnu11 -g $(WARNINGS) -fPIC -fvisibility=hidden $(ASAN)
FAULTS_OPTIONS = $(FAULTS)/sanitizer_options.o $(FAULTS)/sanitizer_options.so
# System tests of submission, select and SPANK, and what fails beside them.
FAULTS_SYSTEM = submission act forged plan select collect
FAULTS_TESTS  = $(patsubst %,tests/system/test_%.sh,$(FAULTS_SYSTEM)) \
	$(wildcard tests/faults/fault_*.sh)

$(FAULTS)/sanitizer_options.o: tests/faults/sanitizer_options.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CFLAGS) -c -o $@ $< \
		-DREPORTS='"$(abspath $(FAULTS))/reports/report"'

$(FAULTS)/sanitizer_options.so: $(FAULTS)/sanitizer_options.o
	$(call say,LD)$(CC) $(CFLAGS) -shared -o $@ $<

## make check-faults our parts with sanitizers in a real Slurm; failovers
.PHONY: check-faults
check-faults: deps-run
	@contrib/install-packages patchelf
	$(MAKE) -j2 system-ready $(FAULTS_OPTIONS)
	@mkdir -p $(FAULTS)/slurm
	@ln -sfn $(abspath $(BUILD))/slurm/include $(FAULTS)/slurm/include
	@cmp -s $(BUILD)/slurm/ready $(FAULTS)/slurm/ready || \
		cp $(BUILD)/slurm/ready $(FAULTS)/slurm/ready
	$(MAKE) -j2 BUILD=$(FAULTS) CFLAGS='$(FAULTS_CFLAGS)' MPI_LIBRARY= \
		LDFLAGS='$(LDFLAGS) $(abspath $(FAULTS))/sanitizer_options.o' \
		all
	tests/faults/check-faults $(BUILD) $(FAULTS_TESTS)
