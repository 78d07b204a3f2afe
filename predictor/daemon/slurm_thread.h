/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_thread.h - a thread that makes rounds, mostly of Slurm's commands
 *
 * Its end does not wait for a command that hangs.
 */
#pragma once

#include <stdbool.h>

#include "predictor/base/error.h"
#include "predictor/slurm/slurm_command.h"

struct slurm_thread;

/* Call round(context) at once, and again after as many seconds as
 * it returns. */
struct slurm_thread *slurm_thread_create(double (*round)(void *context),
					 void *context, struct sp_error *err);

/* End it, at once even if a command runs.  NULL is allowed. */
void slurm_thread_destroy(struct slurm_thread *thread);

/* Return whether the thread that makes this round is to end. */
bool slurm_thread_ends(void);

/* For the round: the command after its end, to be destroyed by the caller; NULL
 * with *err: it failed, or the thread is to end. */
struct slurm_command *slurm_thread_run(const char *const argv[],
				       double timeout_s, size_t output_max,
				       struct sp_error *err);
