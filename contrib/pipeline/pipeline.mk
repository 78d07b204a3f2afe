# pipeline.mk - the pipeline workload; needs Open MPI, so it is no part of `all`

PIPELINE_MPICC ?= mpicc
PIPELINE_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: pipeline
pipeline: $(BUILD)/bin/pipeline

$(BUILD)/bin/pipeline: contrib/pipeline/pipeline.c
	@mkdir -p $(@D)
	$(call say,CC)$(PIPELINE_MPICC) $(PIPELINE_CFLAGS) -o $@ $< -lm
