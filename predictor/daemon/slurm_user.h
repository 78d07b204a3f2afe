/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_user.h - the user that slurmctld runs as, from slurm.conf */
#ifndef PREDICTOR_DAEMON_SLURM_USER_H
#define PREDICTOR_DAEMON_SLURM_USER_H

#include "predictor/daemon/predictd_config.h"

/* The SlurmUser of slurm.conf (root where it names none), and the file that was
 * read.  Fails if there is no file, or no such user on this host. */
int slurm_user_find(const char *slurm_conf, uid_t *ret_uid,
		    const char **ret_path, struct sp_error *err);

/* Make it an operator unless predict.conf names one, and log who it is.  If it
 * cannot be found only root's requests are served, which is logged, too. */
void slurm_user_grant(struct predictd_config *config);

#endif
