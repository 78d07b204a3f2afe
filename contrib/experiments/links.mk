# SPDX-License-Identifier: GPL-2.0-or-later
# links.mk - what probes of links are worth

$(BUILD)/bin/stream: contrib/experiments/links/stream.c
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $<

## make experiment-links probed bandwidth against transfers (SHORT=1, ARGS=)
.PHONY: experiment-links
experiment-links: deps-run
	$(MAKE) all $(BUILD)/bin/stream
	contrib/experiments/links/links $(BUILD) $(if $(SHORT),--short) $(ARGS)
