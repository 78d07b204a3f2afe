# SPDX-License-Identifier: GPL-2.0-or-later
# bench_demo.mk - the demo's errors and times

## make bench-demo errors of the demo beside compilers, and its times (ROUNDS="quiet after start stop")
.PHONY: bench-demo
bench-demo: deps-run
	$(MAKE) -j$(shell nproc) demo-programs
	tests/bench/bench_demo.sh $(BUILD) $(ROUNDS)
