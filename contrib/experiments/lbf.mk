# SPDX-License-Identifier: GPL-2.0-or-later
# lbf.mk - what-if of traced programs against measured runs

## make experiment-lbf traced programs elsewhere (35 min; ONLY=, ROUNDS=, APPS=)
.PHONY: experiment-lbf
experiment-lbf: deps-run
	$(MAKE) sharing-programs all
	$(if $(APPS),contrib/experiments/lbf/build_apps $(APPS) $(BUILD)/apps)
	contrib/experiments/lbf/lbf $(BUILD) $(if $(ONLY),--only $(ONLY)) \
		$(if $(APPS),--apps $(BUILD)/apps) \
		$(if $(ROUNDS),--rounds $(ROUNDS))
	contrib/experiments/lbf/report $(BUILD) $(BUILD)/experiment-lbf
