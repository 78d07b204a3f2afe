/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guard.c - slurm-predict-guard: keep slurmctld startable, whatever has become
 * of our plugins
 *
 * slurmctld and all of Slurm's commands refuse to start when a directory in
 * PluginDir is missing, slurmctld also when a plugin in JobSubmitPlugins cannot
 * be loaded.  A drop-in of slurmctld.service runs this program before each
 * start.  Where our part of slurm.conf would be fatal it comments the line out,
 * puts one without us behind it, and says so aloud.  Nobody puts the line
 * back: an admin does, when `spredict doctor` is content.
 *
 * Links nothing but the C library, as a missing library is one of the cases.
 *
 * usage: slurm-predict-guard [--removed] [SLURM_CONF]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "predictor/checks/guard/disable.h"
#include "predictor/slurm/slurm_conf_file.h"

static void report(const char *text)
{
	fprintf(stderr, "slurm-predict: %s\n", text);
	syslog(LOG_DAEMON | LOG_ERR, "slurm-predict: %s", text);
}

int main(int argc, char **argv)
{
	bool removed = argc > 1 && !strcmp(argv[1], "--removed");
	int first = 1 + removed;
	const char *path =
		slurm_conf_file_path(argc > first ? argv[first] : NULL);
	struct sp_error err;

	/* slurmctld itself says what is wrong with its file. */
	if (path &&
	    disable_what_is_fatal(path, SP_LIBDIR, removed, report, &err) < 0)
		report(err.text);
	return EXIT_SUCCESS;
}
