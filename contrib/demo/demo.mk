# SPDX-License-Identifier: GPL-2.0-or-later
# demo.mk - the main job, shown

## make demo show the whole loop on a little cluster (KEEP=1: leave it)
.PHONY: demo demo-stop
demo: deps-run
	$(MAKE) all workloads
	contrib/demo/demo $(BUILD) $(if $(KEEP),--keep)

## make demo-stop end what `make demo KEEP=1` left running
demo-stop:
	contrib/stack/stack down $(BUILD)/demo
	rm -rf $(BUILD)/demo
