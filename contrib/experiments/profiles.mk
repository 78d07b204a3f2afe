# profiles.mk - what profiles cost, and how right they are

PROFILED_PROGRAMS = nbody heat cg isort pipeline ep

## make experiment-profiles six MPI programs with and without a profile (ROUNDS=, ONLY=)
.PHONY: experiment-profiles
experiment-profiles: deps-run
	$(MAKE) all $(PROFILED_PROGRAMS)
	contrib/experiments/profiles/profiles $(BUILD) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(ONLY),--only $(ONLY))
