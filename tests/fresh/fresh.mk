# SPDX-License-Identifier: GPL-2.0-or-later
# fresh.mk - the proof on a machine that has nothing

## make check-fresh make demo, bench-demo and check in a fresh Debian 12 chroot (TARGETS=: these instead)
.PHONY: check-fresh
check-fresh: deps-fresh
	tests/fresh/check-fresh $(BUILD) $(TARGETS)

## make check-install README's installation steps in a fresh Debian 12 chroot
.PHONY: check-install
check-install: deps-fresh
	tests/fresh/check-install $(BUILD)

## make check-packages Debian packages in a fresh chroot: install, upgrade, purge (RELEASE=trixie: on Debian 13)
.PHONY: check-packages
check-packages: deps-fresh
	$(if $(RELEASE),DEBIAN=$(RELEASE)) tests/fresh/check-packages $(BUILD)

## make check-slurm demo and system tests on another Slurm (RELEASE=trixie or forky, DATA= headers, TARGETS=, TESTS=, KEEP=1)
.PHONY: check-slurm
check-slurm: deps-fresh
	DATA=$(DATA) TESTS='$(filter-out *,$(TESTS))' tests/fresh/check-slurm $(BUILD) $(if $(RELEASE),$(RELEASE),trixie) $(TARGETS)
