# ep.mk - the ep workload; needs Open MPI, so it is no part of `all`

EP_MPICC ?= mpicc
EP_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: ep
ep: $(BUILD)/bin/ep

$(BUILD)/bin/ep: contrib/ep/ep.c
	@mkdir -p $(@D)
	$(call say,CC)$(EP_MPICC) $(EP_CFLAGS) -o $@ $< -lm
