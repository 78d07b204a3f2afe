# nbody.mk - the N-body workload; needs Open MPI, so it is no part of `all`

NBODY_MPICC ?= mpicc
NBODY_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: nbody
nbody: $(BUILD)/bin/nbody

$(BUILD)/bin/nbody: contrib/nbody/nbody.c
	@mkdir -p $(@D)
	$(call say,CC)$(NBODY_MPICC) $(NBODY_CFLAGS) -o $@ $< -lm
