# SPDX-License-Identifier: GPL-2.0-or-later
# fresh.mk - the proof on a machine that has nothing

# Variables: TARGETS= (instead of demo, bench-demo and check)
## make check-fresh demo, bench-demo, check in a new chroot (TARGETS=)
.PHONY: check-fresh
check-fresh: deps-fresh
	tests/fresh/check-fresh $(BUILD) $(TARGETS)

## make check-install README's installation steps in a fresh Debian 12 chroot
.PHONY: check-install
check-install: deps-fresh
	tests/fresh/check-install $(BUILD)

## make check-packages Debian packages in a new chroot (RELEASE=trixie)
.PHONY: check-packages
check-packages: deps-fresh
	$(if $(RELEASE),DEBIAN=$(RELEASE)) tests/fresh/check-packages $(BUILD)

# Variables: RELEASE=, DATA= (headers), TARGETS=, TESTS=, KEEP=1
## make check-slurm demo and tests on another Slurm (RELEASE=trixie or forky)
.PHONY: check-slurm
check-slurm: deps-fresh
	DATA=$(DATA) TESTS='$(filter-out *,$(TESTS))' tests/fresh/check-slurm \
		$(BUILD) $(if $(RELEASE),$(RELEASE),trixie) $(TARGETS)
