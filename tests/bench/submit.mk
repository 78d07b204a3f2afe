# submit.mk - the client that submits jobs and times them

$(BUILD)/bin/submit-jobs: tests/bench/submit_jobs.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< -lslurm

SYSTEM_TEST_PROGRAMS += $(BUILD)/bin/submit-jobs
