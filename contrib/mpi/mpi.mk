# SPDX-License-Identifier: GPL-2.0-or-later
# mpi.mk - MPI programs to run, profile and predict; they need Open MPI, so they
# are no part of `all`

MPI_PROGRAMS = nbody heat cg isort pipeline ep
MPICC ?= mpicc
MPI_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow $(WERROR)

.PHONY: mpi-programs $(MPI_PROGRAMS)
mpi-programs: $(MPI_PROGRAMS)
$(MPI_PROGRAMS): %: $(BUILD)/bin/%

$(MPI_PROGRAMS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: contrib/mpi/%.c \
		contrib/mpi/options.h
	@mkdir -p $(@D)
	$(call say,CC)$(MPICC) $(MPI_CFLAGS) -I. -o $@ $< -lm
