# SPDX-License-Identifier: GPL-2.0-or-later
# apps.mk - real programs, as users run them, predicted by the whole loop

APPS_PACKAGES = gromacs gromacs-data lammps

## make deps-apps install the Debian packages of the programs
.PHONY: deps-apps
deps-apps: deps-run
	@contrib/install-packages $(APPS_PACKAGES)

# Variables: HISTORY=, TESTS= (numbers of jobs), SEED=
## make experiment-apps predictions of GROMACS, LAMMPS and others (13 min)
.PHONY: experiment-apps
experiment-apps: deps-apps
	$(MAKE) all $(MPI_FORTRAN_PROGRAMS)
	contrib/experiments/apps/apps $(BUILD) \
		$(if $(HISTORY),--history $(HISTORY)) \
		$(if $(TESTS),--tests $(TESTS)) $(if $(SEED),--seed $(SEED))
	$(MAKE) experiment-apps-report APPS_RUNS=$(BUILD)/experiment-apps

# By default of the runs kept beside it.
APPS_RUNS = contrib/experiments/apps/result

## make experiment-apps-report its tables anew (APPS_RUNS=)
.PHONY: experiment-apps-report
experiment-apps-report:
	contrib/experiments/apps/report $(APPS_RUNS)
