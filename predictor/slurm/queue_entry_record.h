/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_entry_record.h - the queue as squeue prints it, for simulating it */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/queue_state.h"
#include "predictor/slurm/squeue_record.h"

/* Make the command that prints all running and waiting jobs, tasks of arrays
 * each for itself; `squeue` and the texts are lent to *ret. */
void queue_entries_args(const char *squeue, struct squeue_args *ret);

/* Read what it printed; a record that makes no sense is left out.  The caller
 * frees ret->of, which is in the order in which Slurm considers jobs: by
 * priority, then by job id.  now_s is left as it is. */
int queue_entries_read(const char *text, size_t size, struct queue_state *ret,
		       struct sp_error *err);
