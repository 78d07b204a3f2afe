# SPDX-License-Identifier: GPL-2.0-or-later
# profiles.mk - what profiles cost, and how right they are

# Variables: ROUNDS=, ONLY=
## make experiment-profiles eight MPI programs with and without (ROUNDS=)
.PHONY: experiment-profiles
experiment-profiles: deps-run
	$(MAKE) all mpi-programs
	contrib/experiments/profiles/profiles $(BUILD) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(ONLY),--only $(ONLY))
