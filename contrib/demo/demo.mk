# SPDX-License-Identifier: GPL-2.0-or-later
# demo.mk - the main job, shown

## make demo show the whole loop on a little cluster (KEEP=1: leave it)
.PHONY: demo demo-stop
demo: deps-run
	@echo "building what the demo needs"
	@$(MAKE) -j$(shell nproc) demo-programs
	@DEMO_STARTED=$(shell date +%s) contrib/demo/demo $(BUILD) \
		$(if $(KEEP),--keep)

# Not the select plugin, which needs the source of Slurm, nor what is for tests.
.PHONY: demo-programs
demo-programs: $(addprefix $(BUILD)/,sbin/predictd sbin/collectord \
	bin/spredict lib/job_submit_predict.so lib/spank_predict.so \
	lib/in-order lib/libpredict_mpi.so bin/nbody)

## make demo-stop end what `make demo KEEP=1` left running
demo-stop:
	contrib/stack/stack down $(BUILD)/demo
	rm -rf $(BUILD)/demo
