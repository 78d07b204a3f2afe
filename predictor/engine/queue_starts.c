/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_starts.c - when the jobs in Slurm's queue will start
 *
 * Each time the queue is read, its jobs are sorted into pools, each pool is
 * simulated, and a new list of predicted starts replaces the old one, from
 * which each job inherits its first prediction.  A job that has started is
 * judged by that.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/engine/engine_state.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/scheduler/queue_pools.h"
#include "predictor/scheduler/start_record.h"

#define DRAWS    200
#define BUDGET_S 1.0

#define POOL_WAITING_MAX 2000 /* jobs further behind are not simulated */

/* At most, whatever the site's rules are: bf_max_job_test is 100 to 500, by
 * release; more cost time and change little. */
#define RESERVATIONS_MOST 50

#define FRESH_S 600.0 /* what is older is not shown */

struct told_start {
	uint32_t job_id, user_id;
	struct start_time told; /* since the epoch; NAN: not known */
	struct start_reason why;
	bool waiting;
	/* The first time that it was simulated. */
	double first_at_s;                   /* NAN: never */
	struct start_time first, first_told; /* seconds after that */
};

struct simulated_job {
	struct start_time time;
	struct start_reason why;
};

struct pool_queue {
	struct start_rules rules;
	size_t count, waiting; /* of jobs[] */
	size_t pending;        /* with those that are blocked or far behind */
	struct start_job *jobs;
	size_t *entries; /* of the queue */
	/* For new jobs; NULL: not known.  At a turn before the last one, a job
	 * needs a higher priority than this. */
	struct start_gaps *gaps;
	uint64_t priority[START_TURNS];
};

struct queue_starts {
	struct ordered_lock lock; /* of all below */
	char cluster[RUN_NAME_SIZE];
	double now_s; /* of the queue; NAN: none yet */
	struct queue_pools pools;
	struct pool_queue queues[QUEUE_POOLS_MAX];
	size_t told_count;
	struct told_start *told; /* by job id */
	struct queue_list *list;
	struct start_record record;
};

struct queue_starts *queue_starts_create(void)
{
	struct queue_starts *starts = calloc(1, sizeof(*starts));

	if (starts) {
		ordered_lock_init(&starts->lock, LOCK_STARTS);
		starts->now_s = NAN;
		start_record_init(&starts->record, NULL);
	}
	return starts;
}

static void queues_clear(struct pool_queue queues[QUEUE_POOLS_MAX])
{
	for (int i = 0; i < QUEUE_POOLS_MAX; i++) {
		free(queues[i].jobs);
		free(queues[i].entries);
		free(queues[i].gaps);
	}
}

void queue_starts_destroy(struct queue_starts *starts)
{
	if (!starts)
		return;
	queues_clear(starts->queues);
	free(starts->told);
	queue_list_put(starts->list);
	ordered_lock_destroy(&starts->lock);
	free(starts);
}

/* --- What is left of each job --------------------------------------------- */

static void left_set(const struct prediction *p, double elapsed_s,
		     struct start_job *job)
{
	job->left_s[0] = NAN;
	for (int i = 0; p && i < START_LEVELS; i++)
		job->left_s[i] = engine_remaining_s(p, elapsed_s,
						    (i + 0.5) / START_LEVELS);
}

bool engine_queue_prediction(struct engine *engine, const char *cluster,
			     const struct queue_entry *entry,
			     struct prediction *ret)
{
	struct queue_list *list = cluster ? NULL : engine_queue(engine);
	char own[RUN_NAME_SIZE] = "";
	struct run run;

	if (list)
		strcpy(own, list->cluster);
	queue_list_put(list);
	cluster = cluster ? cluster : own;
	if (entry->running && entry->job_id &&
	    engine_job(engine, cluster, entry->job_id, &run) == 0 &&
	    isnan(run.ended_at_s) &&
	    (engine_prediction_of_run(engine, &run, STAGE_START, ret) == 0 ||
	     engine_prediction_of_run(engine, &run, STAGE_SUBMISSION, ret) ==
		     0))
		return true;
	if (entry->prediction_id[0] == '\0')
		return false;
	return (entry->running &&
		engine_prediction(engine, entry->prediction_id, STAGE_START,
				  ret) == 0) ||
	       engine_prediction_waiting(engine, entry->prediction_id, ret) ==
		       0;
}

static uint32_t cpus_of(const struct queue_partition *partition, uint32_t nodes,
			uint32_t cpus, bool whole_nodes)
{
	uint64_t whole = (uint64_t)nodes * partition->node_cpus;

	return whole_nodes && whole > cpus && whole < UINT32_MAX
		       ? (uint32_t)whole
		       : cpus;
}

/* Keep the first resource of "gpu:a100:8,shard:4", without its count. */
static void gres_set(const char *gres, struct start_job *job)
{
	size_t length = strcspn(gres, ",");

	while (length && gres[length] != ':')
		length--;
	if (length < START_GRES_SIZE)
		memcpy(job->gres, gres, length);
}

static struct start_job job_make(struct engine *engine, const char *cluster,
				 const struct queue_state *queue,
				 const struct queue_entry *entry,
				 const struct queue_partition *partition)
{
	struct prediction p;
	bool found = engine_queue_prediction(engine, cluster, entry, &p);
	double elapsed_s = entry->running ? entry->elapsed_s : 0;
	struct start_job job = {
		.cpus = cpus_of(partition, entry->nodes, entry->cpus,
				entry->whole_nodes),
		.running = entry->running,
		.begin_s = entry->begin_s > queue->now_s
				   ? entry->begin_s - queue->now_s
				   : 0,
		.limit_s = entry->limit_s - elapsed_s,
	};

	left_set(found && p.basis == BASIS_HISTORY ? &p : NULL, elapsed_s,
		 &job);
	if (found)
		gres_set(p.gres, &job);
	return job;
}

/* --- Pools ---------------------------------------------------------------- */

static int pool_add(struct engine *engine, const char *cluster,
		    const struct queue_state *queue, size_t i,
		    struct queue_pools *pools, struct pool_queue *queues,
		    struct sp_error *err)
{
	const struct queue_entry *entry = &queue->of[i];
	struct queue_partition *partition =
		queue_pools_partition(pools, entry->partition);
	struct pool_queue *pool = partition ? &queues[partition->pool] : NULL;

	if (pool && !entry->running) {
		pool->pending++;
		if (entry->job_id > partition->newest_id) {
			partition->newest_id = entry->job_id;
			partition->newest_priority = entry->priority;
		}
	}
	if (!pool || entry->blocked ||
	    (!entry->running && pool->waiting == POOL_WAITING_MAX))
		return 0;
	if (!pool->jobs) {
		pool->jobs = calloc(queue->count + 1, sizeof(*pool->jobs));
		pool->entries =
			calloc(queue->count + 1, sizeof(*pool->entries));
		if (!pool->jobs || !pool->entries)
			return sp_error_set(err, "out of memory");
	}
	pool->jobs[pool->count] =
		job_make(engine, cluster, queue, entry, partition);
	pool->entries[pool->count++] = i;
	pool->waiting += !entry->running;
	return 0;
}

/* Slurm counts them for each partition: sum up those where a job waits. */
static uint32_t reservations_of(const struct queue_pools *pools, int pool)
{
	uint64_t all = 0;

	for (int i = 0; i < pools->partitions_count; i++)
		if (pools->partitions[i].pool == pool &&
		    pools->partitions[i].newest_id)
			all += pools->reservations;
	return all && all < RESERVATIONS_MOST ? (uint32_t)all
					      : RESERVATIONS_MOST;
}

static int pool_simulate(const struct queue_state *queue,
			 struct pool_queue *pool,
			 struct simulated_job *simulated, struct sp_error *err)
{
	struct start_time *times = calloc(pool->count + 1, sizeof(*times));
	struct start_reason *why = calloc(pool->count + 1, sizeof(*why));
	struct start_gaps *gaps = malloc(sizeof(*gaps));
	int draws = pool->waiting ? DRAWS : START_KEPT;
	int rc = times && why && gaps
			 ? start_times(&pool->rules, pool->jobs, pool->count,
				       BUDGET_S, (uint64_t)queue->now_s, &draws,
				       times, gaps, err)
			 : sp_error_set(err, "out of memory");

	pool->gaps = gaps;
	for (int t = 0; rc == 0 && t < START_TURNS; t++)
		if (gaps->behind[t] < pool->count)
			pool->priority[t] =
				queue->of[pool->entries[gaps->behind[t]]]
					.priority;
	if (rc == 0)
		start_reasons_find(pool->jobs, pool->count, why);
	for (size_t i = 0; rc == 0 && i < pool->count; i++)
		simulated[pool->entries[i]] =
			(struct simulated_job){ times[i], why[i] };
	free(times);
	free(why);
	return rc;
}

static int pools_simulate(struct engine *engine, const char *cluster,
			  const struct queue_state *queue,
			  struct queue_pools *pools, struct pool_queue *queues,
			  struct simulated_job *simulated, struct sp_error *err)
{
	for (size_t i = 0; i < queue->count; i++) {
		simulated[i].time = (struct start_time){ NAN, NAN, NAN };
		if (pool_add(engine, cluster, queue, i, pools, queues, err))
			return -1;
	}
	for (int i = 0; i < pools->count; i++) {
		queues[i].rules =
			(struct start_rules){ pools->cpus[i],
					      reservations_of(pools, i) };
		if (pool_simulate(queue, &queues[i], simulated, err))
			return -1;
	}
	return 0;
}

/* --- What is shown ------------------------------------------------------- */

COMPARE_BY(compare_told, struct told_start, job_id)

static struct told_start *told_find(const struct queue_starts *starts,
				    uint32_t job_id)
{
	const struct told_start key = { .job_id = job_id };

	return starts->told_count
		       ? bsearch(&key, starts->told, starts->told_count,
				 sizeof(*starts->told), compare_told)
		       : NULL;
}

/* Judge the prediction of a job that has started since the queue was
 * read last. */
static void start_judge(struct queue_starts *starts,
			const struct told_start *told, double started_at_s)
{
	double actual_s = started_at_s - told->first_at_s;

	if (isnan(told->first_at_s) || !(actual_s >= 0))
		return;
	start_record_add(&starts->record, &told->first, &told->first_told,
			 actual_s);
}

static struct told_start told_make(struct queue_starts *starts,
				   const struct queue_state *queue,
				   const struct queue_entry *entry,
				   const struct simulated_job *job)
{
	const struct start_time *simulated = &job->time;
	const struct told_start *before = told_find(starts, entry->job_id);
	struct told_start told = {
		.job_id = entry->job_id,
		.user_id = entry->user_id,
		.waiting = !entry->running,
		.why = job->why,
		.told = { NAN, NAN, NAN },
		.first_at_s = before ? before->first_at_s : NAN,
		.first = before ? before->first : *simulated,
		.first_told = before ? before->first_told : *simulated,
	};

	if (entry->running) {
		if (before && before->waiting)
			start_judge(starts, before,
				    queue->now_s - entry->elapsed_s);
		return told;
	}
	if (isnan(simulated->median_s))
		return told;

	struct start_time next = start_record_apply(&starts->record, simulated);

	if (isnan(told.first_at_s)) {
		told.first_at_s = queue->now_s;
		told.first = *simulated;
		told.first_told = next;
	}
	told.why.first_end_s += queue->now_s;
	told.told = (struct start_time){ queue->now_s + next.low_s,
					 queue->now_s + next.median_s,
					 queue->now_s + next.high_s };
	return told;
}

/* The caller holds starts->lock. */
static void told_replace(struct queue_starts *starts, const char *cluster,
			 const struct queue_state *queue,
			 const struct simulated_job *simulated,
			 struct told_start *room, struct queue_list *list)
{
	for (size_t i = 0; i < queue->count; i++) {
		room[i] =
			told_make(starts, queue, &queue->of[i], &simulated[i]);
		list->rows[i].start = room[i].told;
	}
	if (queue->count)
		qsort(room, queue->count, sizeof(*room), compare_told);
	free(starts->told);
	queue_list_put(starts->list);
	starts->list = list;
	starts->told = room;
	starts->told_count = queue->count;
	memccpy(starts->cluster, cluster, '\0', sizeof(starts->cluster) - 1);
	starts->now_s = queue->now_s;
}

int engine_set_queue(struct engine *engine, const struct queue_state *queue,
		     struct sp_error *err)
{
	struct queue_starts *starts = engine->starts;
	struct node_facts *facts = engine_node_facts(engine, "");
	size_t count = queue->count + 1;
	struct simulated_job *simulated = calloc(count, sizeof(*simulated));
	struct told_start *room = calloc(count, sizeof(*room));
	struct pool_queue *queues = calloc(QUEUE_POOLS_MAX, sizeof(*queues));
	struct queue_pools *pools = calloc(1, sizeof(*pools));
	const char *cluster = facts ? facts->cluster : "";
	struct queue_list *list = queue_list_create(queue, cluster);
	int rc = -1;

	if (!simulated || !room || !queues || !pools || !list) {
		sp_error_set(err, "out of memory");
		goto out;
	}
	if (facts)
		queue_pools_find(facts, pools);
	rc = pools_simulate(engine, cluster, queue, pools, queues, simulated,
			    err);
	if (rc)
		goto out;
	ordered_lock_take(&starts->lock);
	told_replace(starts, cluster, queue, simulated, room, list);
	room = NULL;
	list = NULL;
	queues_clear(starts->queues);
	memcpy(starts->queues, queues, sizeof(starts->queues));
	memset(queues, 0, sizeof(starts->queues));
	starts->pools = *pools;
	ordered_lock_give(&starts->lock);
out:
	if (queues)
		queues_clear(queues);
	free(queues);
	free(pools);
	free(simulated);
	free(room);
	queue_list_put(list);
	node_facts_put(facts);
	return rc;
}

/* --- Questions ------------------------------------------------------------ */

static bool is_known(const struct queue_starts *starts, const char *cluster,
		     double now_s)
{
	return now_s - starts->now_s < FRESH_S &&
	       (cluster[0] == '\0' || strcmp(cluster, starts->cluster) == 0);
}

int engine_job_start(struct engine *engine, const char *cluster,
		     uint32_t job_id, double now_s, struct start_time *ret,
		     struct start_reason *ret_why, uint32_t *ret_user_id)
{
	struct queue_starts *starts = engine->starts;
	const struct told_start *told = NULL;
	int rc = -1;

	ORDERED_LOCK_HOLD(&starts->lock);

	if (is_known(starts, cluster, now_s))
		told = told_find(starts, job_id);
	if (told && !isnan(told->told.median_s)) {
		ret->low_s = fmax(now_s, told->told.low_s);
		ret->median_s = fmax(now_s, told->told.median_s);
		ret->high_s = fmax(now_s, told->told.high_s);
		*ret_why = told->why;
		*ret_user_id = told->user_id;
		rc = 0;
	}
	return rc;
}

static int pool_copy(const struct queue_starts *starts,
		     const struct pool_queue *pool, size_t which,
		     struct sooner_pool *ret, struct sp_error *err)
{
	size_t size = pool->count * sizeof(*pool->jobs);

	*ret = (struct sooner_pool){ .rules = pool->rules,
				     .count = pool->count,
				     .which = which,
				     .jobs = malloc(size),
				     .now_s = starts->now_s };
	if (!ret->jobs)
		return sp_error_set(err, "out of memory");
	memcpy(ret->jobs, pool->jobs, size);
	return 0;
}

int engine_job_pool(struct engine *engine, uint32_t job_id,
		    struct sooner_pool *ret, struct queue_entry *ret_entry,
		    struct sp_error *err)
{
	const struct queue_starts *starts = engine->starts;

	ORDERED_LOCK_HOLD(&engine->starts->lock);

	for (int i = 0; i < starts->pools.count; i++) {
		const struct pool_queue *pool = &starts->queues[i];

		for (size_t k = 0; k < pool->count; k++) {
			const struct queue_entry *entry =
				&starts->list->rows[pool->entries[k]].entry;

			if (entry->running || entry->job_id != job_id)
				continue;
			*ret_entry = *entry;
			return pool_copy(starts, pool, k, ret, err);
		}
	}
	return 1;
}

struct queue_list *engine_queue(struct engine *engine)
{
	ORDERED_LOCK_HOLD(&engine->starts->lock);

	return queue_list_get(engine->starts->list);
}

/* Return the first turn at which all that wait have a lower priority than the
 * job, or the last turn. */
static int turn_of(const struct pool_queue *pool, uint64_t priority)
{
	int turn = 0;

	while (turn < START_TURNS - 1 && priority <= pool->priority[turn])
		turn++;
	return turn;
}

int engine_new_job_start(struct engine *engine, const struct prediction *p,
			 bool whole_nodes, double fresh_s, double now_s,
			 struct start_time ret[START_TURNS],
			 double ret_above[START_TURNS])
{
	struct queue_starts *starts = engine->starts;

	ORDERED_LOCK_HOLD(&starts->lock);

	const struct queue_partition *partition =
		queue_pools_partition(&starts->pools, p->partition);
	const struct pool_queue *pool =
		partition ? &starts->queues[partition->pool] : NULL;
	double limit_s = isnan(p->limit_s) ? HUGE_VAL : p->limit_s;
	double after_s = fmax(0, now_s - starts->now_s);

	if (!pool || !pool->gaps || pool->waiting == POOL_WAITING_MAX ||
	    !is_known(starts, p->cluster, now_s) || after_s > fresh_s)
		return -1;
	for (int t = 0; t < START_TURNS; t++) {
		if (start_gaps_find(
			    pool->gaps, t, after_s,
			    cpus_of(partition, p->nodes, p->cpus, whole_nodes),
			    limit_s, &ret[t]))
			return -1;
		ret[t].low_s -= after_s;
		ret[t].median_s -= after_s;
		ret[t].high_s -= after_s;
		/* The record is of jobs that had to wait. */
		if (ret[t].high_s > 0)
			ret[t] = start_record_apply(&starts->record, &ret[t]);
		ret_above[t] = (double)pool->priority[t];
	}
	return turn_of(pool, partition->newest_priority);
}

int engine_queue_waiting(struct engine *engine, const char *partition)
{
	struct queue_starts *starts = engine->starts;
	const struct queue_partition *found;
	int waiting = -1;

	ORDERED_LOCK_HOLD(&starts->lock);

	found = queue_pools_partition(&starts->pools, partition);
	if (found)
		waiting = (int)starts->queues[found->pool].pending;
	return waiting;
}

void engine_starts_judged(struct engine *engine, uint64_t *ret_judged,
			  uint64_t *ret_within)
{
	struct queue_starts *starts = engine->starts;

	ORDERED_LOCK_HOLD(&starts->lock);

	*ret_judged = starts->record.judged;
	*ret_within = starts->record.within;
}
