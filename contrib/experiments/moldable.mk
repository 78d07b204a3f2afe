# SPDX-License-Identifier: GPL-2.0-or-later
# moldable.mk - jobs with a range of nodes, stock Slurm against
# predict_nodes=act

## make experiment-moldable 40 jobs -N 1-8, stock against predict_nodes=act (10 min; JOBS=)
.PHONY: experiment-moldable
experiment-moldable: deps-run
	$(MAKE) all
	contrib/experiments/moldable/moldable $(BUILD) $(JOBS)
