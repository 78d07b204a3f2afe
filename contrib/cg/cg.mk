# cg.mk - the CG workload; needs Open MPI, so it is no part of `all`

CG_MPICC ?= mpicc
CG_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: cg
cg: $(BUILD)/bin/cg

$(BUILD)/bin/cg: contrib/cg/cg.c
	@mkdir -p $(@D)
	$(call say,CC)$(CG_MPICC) $(CG_CFLAGS) -o $@ $< -lm
