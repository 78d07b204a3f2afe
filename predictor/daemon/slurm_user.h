/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_user.h - the user that slurmctld runs as, from slurm.conf */
#pragma once

#include "predictor/daemon/predictd_config.h"

/* Make it an operator unless predict.conf names one, and log who it is.  If it
 * cannot be found only root's requests are served, which is logged, too. */
void slurm_user_grant(struct predictd_config *config);
