# SPDX-License-Identifier: GPL-2.0-or-later
# links.mk - what probes of links are worth

## make experiment-links probed bandwidth against transfers (SHORT=1, ARGS=)
.PHONY: experiment-links
experiment-links: deps-run
	$(MAKE) all
	contrib/experiments/links/links $(BUILD) $(if $(SHORT),--short) $(ARGS)
