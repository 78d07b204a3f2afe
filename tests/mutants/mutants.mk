# SPDX-License-Identifier: GPL-2.0-or-later
# mutants.mk - whether the unit tests notice lines that are wrong

SEED  = 1
COUNT = 200
ONLY  =
AGAIN =

# Variables: SEED=, COUNT=, ONLY=, AGAIN=1 or rest
## make mutants change lines, one at a time: do unit tests notice?
.PHONY: mutants
mutants: deps-run
	@SEED='$(SEED)' COUNT='$(COUNT)' ONLY='$(ONLY)' AGAIN='$(AGAIN)' \
		tests/mutants/mutants $(BUILD)
