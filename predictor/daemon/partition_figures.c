/* SPDX-License-Identifier: GPL-2.0-or-later */
/* partition_figures.c - what is expected of the queue of each partition, for
 * monitoring */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/daemon/partition_figures.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/scheduler/partition_sums.h"
#include "predictor/stats/quantile.h"

struct sums {
	struct few_users all, waiting, running;
	double late, work_cpu_s;
	size_t count;
	double *waits; /* [count] */
};

static void job_add(struct engine *engine, const struct queue_state *queue,
		    const struct queue_entry *job, struct sums *sums)
{
	struct start_time start;
	struct start_reason why;
	struct prediction p;
	uint32_t user_id;
	bool waits = !job->running &&
		     engine_job_start(engine, "", job->job_id, queue->now_s,
				      &start, &why, &user_id) == 0;
	bool predicted = (job->running || waits) &&
			 engine_queue_prediction(engine, NULL, job, &p) &&
			 p.basis == BASIS_HISTORY;

	few_users_add(&sums->all, job->user_id);
	if (job->running)
		few_users_add(&sums->running, job->user_id);
	if (job->running && predicted)
		sums->late += job->elapsed_s > p.quantile_s;
	if (!waits)
		return;
	few_users_add(&sums->waiting, job->user_id);
	sums->waits[sums->count++] = start.median_s - queue->now_s;
	if (predicted)
		sums->work_cpu_s += job->cpus * p.median_s;
	else if (isfinite(job->limit_s))
		sums->work_cpu_s += job->cpus * job->limit_s;
}

static void row_fill(struct engine *engine, const struct sums *sums,
		     double now_s, struct partition_row *row)
{
	struct prediction one = {
		.nodes = 1, .cpus = 1, .limit_s = 3600, .basis = BASIS_LIMIT
	};
	struct start_time start = { NAN, NAN, NAN }, starts[START_TURNS];
	double above[START_TURNS];
	bool few = sums->waiting.count < FEW_USERS;
	int turn = -1;

	strcpy(one.partition, row->partition);
	if (sums->all.count == FEW_USERS)
		turn = engine_new_job_start(engine, &one, false, HUGE_VAL,
					    now_s, starts, above);
	if (turn >= 0)
		start = starts[turn];
	row->of[PARTITION_NEW_MEDIAN] = start.median_s;
	row->of[PARTITION_NEW_P90] = start.high_s;
	row->of[PARTITION_LATE] =
		sums->running.count == FEW_USERS ? sums->late : NAN;
	row->of[PARTITION_WAITING] = few ? NAN : (double)sums->count;
	row->of[PARTITION_WORK] = few ? NAN : sums->work_cpu_s;
	row->of[PARTITION_WAIT_MEDIAN] =
		few ? NAN : quantile_sample(sums->waits, sums->count, 0.5);
	row->of[PARTITION_WAIT_P90] =
		few ? NAN : quantile_sample(sums->waits, sums->count, 0.9);
}

void partition_figures_renew(struct engine *engine,
			     const struct queue_state *queue)
{
	struct partition_list *list = calloc(1, sizeof(*list));
	double *waits = calloc(queue->count + 1, sizeof(*waits));
	char cluster[RUN_NAME_SIZE];

	if (!list || !waits)
		goto out;
	engine_own_cluster(engine, cluster);
	list->made_at_s = queue->now_s;
	for (size_t i = 0; i < queue->count; i++)
		partition_list_get(list, cluster, queue->of[i].partition);
	for (size_t k = 0; k < list->count; k++) {
		struct sums sums = { .waits = waits };

		for (size_t i = 0; i < queue->count; i++)
			if (!strcmp(queue->of[i].partition,
				    list->rows[k].partition))
				job_add(engine, queue, &queue->of[i], &sums);
		row_fill(engine, &sums, queue->now_s, &list->rows[k]);
	}
	engine_set_partitions(engine, list);
out:
	free(list);
	free(waits);
}
