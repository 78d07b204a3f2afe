# SPDX-License-Identifier: GPL-2.0-or-later
# moldable.mk - jobs with a range of nodes, stock Slurm against
# predict_nodes=act

# Variables: JOBS=
## make experiment-moldable 40 jobs -N 1-8 with predict_nodes=act (10 min)
.PHONY: experiment-moldable
experiment-moldable: deps-run
	$(MAKE) all
	contrib/experiments/moldable/moldable $(BUILD) $(JOBS)
