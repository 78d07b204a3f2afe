# SPDX-License-Identifier: GPL-2.0-or-later
# bench_demo.mk - the demo's errors and times

# Variables: ROUNDS="quiet after start stop"
## make bench-demo errors of the demo beside compilers; times (ROUNDS=)
.PHONY: bench-demo
bench-demo: deps-run
	$(MAKE) -j$(shell nproc) demo-programs
	tests/bench/bench_demo.sh $(BUILD) $(ROUNDS)
