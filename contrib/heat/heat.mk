# heat.mk - the heat workload; needs Open MPI, so it is no part of `all`

HEAT_MPICC ?= mpicc
HEAT_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: heat
heat: $(BUILD)/bin/heat

$(BUILD)/bin/heat: contrib/heat/heat.c
	@mkdir -p $(@D)
	$(call say,CC)$(HEAT_MPICC) $(HEAT_CFLAGS) -o $@ $< -lm
