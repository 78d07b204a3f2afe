/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_user.c - the user that slurmctld runs as, from slurm.conf */
#include "predictor/base/log.h"
#include "predictor/daemon/slurm_user.h"
#include "predictor/slurm/slurm_conf_file.h"

/* Find the SlurmUser of slurm.conf (root where it names none), and the file
 * that was read.  Fails if there is no file, or no such user on this host. */
static int slurm_user_find(const char *slurm_conf, uid_t *ret_uid,
			   const char **ret_path, struct sp_error *err)
{
	struct slurm_conf_file *file;
	const char *path = slurm_conf_file_path(slurm_conf), *name;
	int rc;

	if (!path)
		return sp_error_set(err, "there is no slurm.conf");
	file = slurm_conf_file_read(path, err);
	if (!file)
		return -1;
	name = slurm_conf_file_value(file, "SlurmUser");
	rc = predictd_config_user(name && *name ? name : "root", ret_uid, err);
	slurm_conf_file_destroy(file);
	*ret_path = path;
	return rc;
}

void slurm_user_grant(struct predictd_config *config)
{
	const char *path;
	struct sp_error err;
	uid_t uid;

	if (config->slurm_user_given)
		return;
	if (slurm_user_find(config->slurm_conf, &uid, &path, &err) ||
	    predictd_config_slurm_user(config, uid, &err))
		log_warning(
			"SlurmUser is not known (%s): if slurmctld does not "
			"run as root its requests are refused; set "
			"SlurmConf or SlurmUser in predict.conf",
			err.text);
	else
		log_info("slurmctld runs as uid %u (SlurmUser of %s)",
			 (unsigned)uid, path);
}
