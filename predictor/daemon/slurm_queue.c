/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_queue.c - keeps the predicted starts of waiting jobs up to date */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/daemon/limit_raise.h"
#include "predictor/daemon/partition_figures.h"
#include "predictor/daemon/replan.h"
#include "predictor/daemon/slurm_queue.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/slurm/queue_entry_record.h"

#define SQUEUE_TIMEOUT_S  60.0
#define SQUEUE_OUTPUT_MAX (320 << 20) /* 200,000 records */

/* A large queue is read less often: slurmctld and this thread shall be busy
 * with it for at most this part of the time. */
#define BUSY_PART 50

#define PATH_SIZE 256

struct slurm_queue {
	char squeue[PATH_SIZE];
	double interval_s;
	struct engine *engine;
	struct overruns *overruns;
	struct replan replan;
	struct slurm_thread *thread;
	bool failed; /* the last round */
};

static int refresh(struct slurm_queue *q, struct sp_error *err)
{
	struct squeue_args args;
	struct queue_state queue = { .count = 0 };
	struct slurm_command *c;
	const char *text;
	size_t size;

	queue_entries_args(q->squeue, &args);
	c = slurm_thread_run(args.argv, SQUEUE_TIMEOUT_S, SQUEUE_OUTPUT_MAX,
			     err);
	if (!c)
		return -1;
	queue.now_s = clock_now_s();
	text = slurm_command_output(c, &size);

	int rc = queue_entries_read(text, size, &queue, err);

	slurm_command_destroy(c);
	/* First, as the queue ages. */
	if (rc == 0) {
		replan_round(&q->replan, q->engine, &queue);
		limit_raise_round(&q->replan, q->engine);
		rc = engine_set_queue(q->engine, &queue, err);
	}
	if (rc == 0) {
		partition_figures_renew(q->engine, &queue);
		overruns_check(q->overruns, q->engine, &queue);
	}
	free(queue.of);
	return rc;
}

static double round_make(void *context)
{
	struct slurm_queue *q = context;
	double began_s = clock_monotonic_s();
	struct sp_error err = { "" };
	bool failed = refresh(q, &err) != 0;

	if (failed && !q->failed && !slurm_thread_ends())
		log_warning("queue of Slurm: %s; when jobs will start is not "
			    "known",
			    err.text);
	q->failed = failed;
	return fmax(q->interval_s, BUSY_PART * (clock_monotonic_s() - began_s));
}

struct slurm_queue *slurm_queue_create(const char *squeue, int interval_s,
				       const struct overruns_config *overruns,
				       struct engine *engine,
				       struct sp_error *err)
{
	struct slurm_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return sp_error_null(err, "out of memory");
	memccpy(q->squeue, squeue, '\0', PATH_SIZE - 1);
	q->interval_s = interval_s;
	q->engine = engine;
	q->overruns = overruns_create(overruns);
	q->replan.scontrol = overruns->scontrol;
	q->replan.squeue = q->squeue;
	if (!q->overruns)
		sp_error_set(err, "out of memory");
	else
		q->thread = slurm_thread_create(round_make, q, err);
	if (!q->thread) {
		overruns_destroy(q->overruns);
		free(q);
		return NULL;
	}
	return q;
}

void slurm_queue_destroy(struct slurm_queue *queue)
{
	if (!queue)
		return;
	slurm_thread_destroy(queue->thread);
	overruns_destroy(queue->overruns);
	free(queue->replan.known);
	free(queue);
}
