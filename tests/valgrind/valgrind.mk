# valgrind.mk - what slurmctld loads, under valgrind

## make check-valgrind 500 submissions and 20 reconfigures under valgrind
.PHONY: check-valgrind
check-valgrind: deps-run deps-valgrind
	$(MAKE) all
	tests/valgrind/check-valgrind $(BUILD)
