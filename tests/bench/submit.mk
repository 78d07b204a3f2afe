# SPDX-License-Identifier: GPL-2.0-or-later
# submit.mk - the client that submits jobs and times them

$(BUILD)/bin/submit-jobs: tests/bench/submit_jobs.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< -lslurm

.PHONY: bench-programs system-programs
bench-programs system-programs: $(BUILD)/bin/submit-jobs
