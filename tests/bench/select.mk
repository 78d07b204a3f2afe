# SPDX-License-Identifier: GPL-2.0-or-later
# select.mk - what the select plugin costs the scheduler

## make bench-select 10,000 nodes and 2,000 queued jobs (ROUNDS= NODES= JOBS=)
.PHONY: bench-select
bench-select: deps-run
	$(MAKE) all $(BUILD)/bin/submit-jobs
	tests/bench/bench_select.sh $(BUILD) $(or $(ROUNDS),3) \
		$(or $(NODES),10000) $(or $(JOBS),2000)
