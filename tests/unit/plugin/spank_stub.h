/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spank_stub.h - what Slurm has for a SPANK plugin, in a unit test
 *
 * A job, the environment of a task, and the job's control environment; each
 * function fails where Slurm's does.
 */
#pragma once

#include <slurm/spank.h>
#include <stdbool.h>
#include <stdint.h>

#define SPANK_STUB_VARIABLES_MAX 16
#define SPANK_STUB_OPTIONS_MAX   8

struct spank_stub {
	spank_context_t context;
	spank_err_t fails; /* what spank_get_item() and the registration of
			      options return; ESPANK_SUCCESS: they work */
	uint32_t job_id, step_id;
	uid_t user_id;
	int exit_status;

	struct spank_option *options[SPANK_STUB_OPTIONS_MAX];
	int options_count;
};

extern struct spank_stub spank_stub;

/* Values by name; NULL: not set.  `spank_stub_control` is of the job's control
 * environment, the other one of the task's. */
const char *spank_stub_task(const char *name);
const char *spank_stub_control(const char *name);
