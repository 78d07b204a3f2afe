/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_run.h - run a command line, and keep what it prints */
#pragma once

#include "contrib/farm/command_list.h"

/* What a command printed; files that have no name. */
struct command_output {
	FILE *out, *err;
};

/* Run it by /bin/sh, with nothing on stdin, and without the variables of an MPI
 * launcher, so that it may itself be an MPI program.  After timeout_s seconds
 * (0: never) it gets SIGTERM, with all that it started, and SIGKILL later.
 * PREDICT_FARM_TASK is its number.  Fails with errno when it could not be
 * started.  The caller closes the files. */
int command_run(const char *command, int number, double timeout_s,
		struct command_end *ret_end, struct command_output *ret_output);
