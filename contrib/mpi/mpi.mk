# SPDX-License-Identifier: GPL-2.0-or-later
# mpi.mk - MPI programs to run, profile and predict; they need Open MPI, so they
# are no part of `all`.  The demo shows nbody; the others are of tests and
# experiments only.

MPI_PROGRAMS = nbody heat cg isort pipeline ep sweep tiles clients
MPI_FORTRAN_PROGRAMS = heat-fortran cg-fortran
MPICC ?= $(or $(OPENMPI_MPICC),mpicc)
MPIFORT ?= mpifort
MPI_CFLAGS ?= -std=gnu11 -O2 -Wall -Wextra -Wshadow $(WERROR)
MPI_FFLAGS ?= -std=f2018 -O2 -Wall -Wextra $(WERROR)

.PHONY: mpi-programs $(MPI_PROGRAMS) $(MPI_FORTRAN_PROGRAMS)
mpi-programs: $(MPI_PROGRAMS) $(MPI_FORTRAN_PROGRAMS)
$(MPI_PROGRAMS) $(MPI_FORTRAN_PROGRAMS): %: $(BUILD)/bin/%

$(MPI_PROGRAMS:%=$(BUILD)/bin/%): $(BUILD)/bin/%: tests/workloads/%.c \
		tests/workloads/farm_tasks.h tests/workloads/options.h
	@mkdir -p $(@D)
	$(call say,CC)$(MPICC) $(MPI_CFLAGS) -I. -o $@ \
		$(filter %.c,$^) -lm

# Its functions can be traced.
$(BUILD)/bin/clients: MPI_CFLAGS += -finstrument-functions -rdynamic

# Each has its own folder for the module file, which make -j would else share.
$(MPI_FORTRAN_PROGRAMS:%=$(BUILD)/bin/%): $(BUILD)/bin/%-fortran: \
		tests/workloads/options.f90 tests/workloads/%.f90
	@mkdir -p $(@D) $(BUILD)/fortran/$*
	$(call say,FC)$(MPIFORT) $(MPI_FFLAGS) -J$(BUILD)/fortran/$* -o $@ $^
