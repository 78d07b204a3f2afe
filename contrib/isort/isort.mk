# isort.mk - the isort workload; needs Open MPI, so it is no part of `all`

ISORT_MPICC ?= mpicc
ISORT_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror

.PHONY: isort
isort: $(BUILD)/bin/isort

$(BUILD)/bin/isort: contrib/isort/isort.c
	@mkdir -p $(@D)
	$(call say,CC)$(ISORT_MPICC) $(ISORT_CFLAGS) -o $@ $< -lm
