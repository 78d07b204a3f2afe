/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replan.c - the place of waiting jobs in the queue, by what they ask now
 *
 * A round reads the policy (scontrol show config) and the site factors (sprio,
 * which leaves out jobs that are held, depend on others or begin later: these
 * stay as they are), decides for each waiting job, and runs scontrol for those
 * that are off, first for those that go back.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/tokens.h"
#include "predictor/base/clock.h"
#include "predictor/base/compare.h"
#include "predictor/base/log.h"
#include "predictor/daemon/replan.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_config.h"

#define ROUND_MAX    100   /* changes */
#define ROUND_S      10.0  /* after the commands that read */
#define FAILURES_MAX 3     /* in a row, while none ever succeeded */
#define RETRY_S      600.0 /* after a failure */
#define STEADY_S     600.0 /* before a job comes forward */
#define COMMAND_S    10.0
#define OUTPUT_MAX   (16 << 20)
#define STEP_PART    100 /* of the range of keys */
#define PATH_SIZE    256

/* --- One job -------------------------------------------------------------- */

/* Return since when it waits. */
static double begin_s(const struct replan_rules *rules,
		      const struct queue_entry *job, double now_s)
{
	if (!isnan(job->accrued_s))
		return fmax(job->begin_s, job->accrued_s);
	return rules->accrue_limits ? fmax(now_s, job->begin_s) : job->begin_s;
}

/* Return the site factor that it should have. */
static int64_t factor_of(const struct replan_rules *rules,
			 const struct queue_entry *job,
			 const struct prediction_answer *answer, double now_s)
{
	const char *why;
	uint32_t limit_min = (uint32_t)fmin(job->limit_s / 60, UINT32_MAX);
	int64_t factor = plan_site_factor(
		&rules->policy, (int64_t)begin_s(rules, job, now_s),
		plan_length_s(&rules->policy, limit_min, answer, &why));

	/* Take back what `scontrol top` gave it. */
	return rules->user_top && job->nice < 0 ? factor + job->nice : factor;
}

static bool is_planned(int64_t factor)
{
	return factor >= PLAN_FACTOR_LEAST && factor <= PLAN_OFFSET;
}

/* Return whether nothing is known, or a change would be in vain: Slurm shows no
 * site factor of a job with a priority of its own. */
static bool is_left(const struct queue_entry *job,
		    const struct replan_known *known, double now_s)
{
	bool cut = strlen(job->partitions) >= sizeof(job->partitions) - 1;
	bool refused = known->tried && known->given && known->factor == 0 &&
		       known->retry_s == 0;

	return !known->factor_known || now_s < known->retry_s || refused ||
	       cut || isnan(job->begin_s);
}

/* A site factor of 0 that is not ours is of before the plan. */
struct replan_change replan_job(const struct replan_rules *rules,
				const struct queue_entry *job,
				const struct prediction_answer *answer,
				double now_s, struct replan_known *known)
{
	int64_t step = plan_range_s(&rules->policy) / STEP_PART;
	bool planned = is_planned(known->factor);
	struct replan_change change = { .move = REPLAN_STAYS };

	if (is_left(job, known, now_s) || (!planned && known->factor)) {
		known->since_s = 0;
		return change;
	}
	if (policy_plan(&rules->policy, job->partitions, NULL) == PLAN_ON)
		change.factor = factor_of(rules, job, answer, now_s);
	if (change.factor <= known->factor + step) {
		known->since_s = 0;
		if (change.factor < known->factor - step)
			change.move = REPLAN_BACK;
		return change;
	}
	if (known->since_s == 0 || change.factor < known->least)
		known->least = change.factor;
	if (known->since_s == 0)
		known->since_s = now_s;
	change.factor = known->least;
	if (now_s - known->since_s >= STEADY_S ||
	    (known->factor == 0 && !known->tried))
		change.move = REPLAN_FORWARD;
	return change;
}

/* --- All jobs ------------------------------------------------------------- */

COMPARE_BY(compare_ids, struct replan_known, job_id)

static struct replan_known *known_find(const struct replan *r, uint32_t job_id)
{
	const struct replan_known key = { .job_id = job_id };

	return r->count ? bsearch(&key, r->known, r->count, sizeof(*r->known),
				  compare_ids)
			: NULL;
}

/* Keep what is known of jobs that are still there, and add new ones.  Tasks of
 * an array that have not started share one id. */
static int known_renew(struct replan *r, const struct queue_state *queue,
		       struct sp_error *err)
{
	struct replan_known *fresh = calloc(queue->count + 1, sizeof(*fresh));
	size_t count = 0;

	if (!fresh)
		return sp_error_set(err, "out of memory");
	for (size_t i = 0; i < queue->count; i++) {
		uint32_t id = queue->of[i].job_id;
		const struct replan_known *old = known_find(r, id);

		if (old)
			fresh[i] = *old;
		fresh[i].job_id = id;
		fresh[i].entry = &queue->of[i];
		fresh[i].factor_known = false;
		fresh[i].change.move = REPLAN_STAYS;
	}
	qsort(fresh, queue->count, sizeof(*fresh), compare_ids);
	for (size_t i = 0; i < queue->count; i++)
		if (i == 0 || fresh[i].job_id != fresh[i - 1].job_id)
			fresh[count++] = fresh[i];
	free(r->known);
	r->known = fresh;
	r->count = count;
	return 0;
}

/* What we gave is there, even where a command failed for other tasks of an
 * array. */
static void factors_read(struct replan *r, const char *text)
{
	uint32_t id;
	int64_t factor;
	int length;

	while (sscanf(text, "%" SCNu32 " %" SCNd64 "%n", &id, &factor,
		      &length) == 2) {
		struct replan_known *known = known_find(r, id);

		text += length;
		if (!known)
			continue;
		known->factor = factor;
		known->factor_known = true;
		if (known->tried && factor == known->given) {
			known->retry_s = 0;
			r->succeeded = true;
		}
	}
}

static void rules_parse(const char *text, struct replan_rules *ret)
{
	const char *line = scontrol_config_value(text, "SlurmctldParameters");
	char *tokens = line ? strndup(line, strcspn(line, "\n")) : NULL;
	struct slurm_config config;

	slurm_config_parse(text, &config);
	ret->accrue_limits = config.accrue_limits;
	ret->user_top = config.user_top;
	tokens_parse(tokens, &ret->policy, NULL, NULL);
	ret->orders = tokens && strstr(tokens, "predict_plan");
	ret->raises = ret->policy.mode == MODE_ACT;
	for (int i = 0; i < ret->policy.partitions_count; i++)
		ret->raises |= ret->policy.partitions[i].mode == MODE_ACT;
	free(tokens);
}

static struct slurm_command *run(const char *const argv[], struct sp_error *err)
{
	return slurm_thread_run(argv, COMMAND_S, OUTPUT_MAX, err);
}

static int state_read(struct replan *r, const struct queue_state *queue,
		      struct replan_rules *ret, struct sp_error *err)
{
	char sprio[PATH_SIZE];
	const char *slash = strrchr(r->squeue, '/');
	const char *const config[] = { r->scontrol, "show", "config", NULL };
	const char *const factors[] = { sprio, "-h", "-o", "%i %S", NULL };
	struct slurm_command *c = run(config, err);

	if (!c)
		return -1;
	rules_parse(slurm_command_output(c, NULL), ret);
	slurm_command_destroy(c);
	if ((ret->orders || ret->raises) && known_renew(r, queue, err))
		return -1;
	if (!ret->orders)
		return 0;
	snprintf(sprio, sizeof(sprio), "%.*ssprio",
		 slash ? (int)(slash + 1 - r->squeue) : 0, r->squeue);
	c = run(factors, err);
	/* It fails where it finds no job. */
	if (c)
		factors_read(r, slurm_command_output(c, NULL));
	slurm_command_destroy(c);
	return 0;
}

/* A job is left as it is while its prediction is not at hand. */
static void job_decide(const struct replan_rules *rules, struct engine *engine,
		       double now_s, struct replan_known *known)
{
	const struct queue_entry *job = known->entry;
	struct prediction p = { .basis = BASIS_NOTHING };

	if (job->running ||
	    (rules->policy.plan_key == PLAN_KEY_P50 && job->prediction_id[0] &&
	     !engine_queue_prediction(engine, NULL, job, &p)))
		return;

	const struct prediction_answer answer = {
		.basis = p.basis,
		.evidence_level = p.evidence_level,
		.evidence_runs = p.evidence_runs,
		.judged = p.judged,
		.held = p.held,
		.extrapolated = p.extrapolated,
		.median_s = p.median_s,
		.quantile = p.quantile,
	};

	known->change = replan_job(rules, job, &answer, now_s, known);
}

int replan_update(const struct replan *r, uint32_t job_id, const char *change,
		  const char *more, struct sp_error *err)
{
	char id[32];
	const char *const argv[] = { r->scontrol, "update", id,
				     change,      more,     NULL };

	snprintf(id, sizeof(id), "JobId=%" PRIu32, job_id);

	struct slurm_command *command = run(argv, err);

	slurm_command_destroy(command);
	return command ? 0 : -1;
}

static int change_make(struct replan *r, struct replan_known *known,
		       double now_s, struct sp_error *err)
{
	char factor[40];

	snprintf(factor, sizeof(factor), "SiteFactor=%" PRId64,
		 known->change.factor);

	int rc = replan_update(r, known->job_id, factor, NULL, err);

	known->tried = true;
	known->given = known->change.factor;
	known->retry_s = rc ? now_s + RETRY_S : 0;
	if (rc)
		return -1;
	r->succeeded = true;
	r->failed = false;
	return 0;
}

/* Return the index of the job at which this round begins. */
static size_t first_find(const struct replan *r)
{
	size_t first = 0;

	while (first < r->count && r->known[first].job_id < r->next_id)
		first++;
	return first;
}

/* Decide in half the time, and change in the rest.  Fails where it seems that
 * no change is allowed. */
static int jobs_replan(struct replan *r, const struct replan_rules *rules,
		       struct engine *engine, double now_s,
		       struct sp_error *err)
{
	double end_s = clock_monotonic_s() + ROUND_S;
	size_t first = first_find(r);
	int changes = 0, failures = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct replan_known *known = &r->known[(first + i) % r->count];

		if (clock_monotonic_s() > end_s - ROUND_S / 2) {
			r->next_id = known->job_id;
			break;
		}
		job_decide(rules, engine, now_s, known);
	}
	for (size_t i = 0; i < 2 * r->count; i++) {
		struct replan_known *known = &r->known[(first + i) % r->count];

		if (known->change.move !=
		    (i < r->count ? REPLAN_BACK : REPLAN_FORWARD))
			continue;
		if (changes++ == ROUND_MAX || clock_monotonic_s() > end_s) {
			r->next_id = known->job_id;
			break;
		}
		failures = change_make(r, known, now_s, err) ? failures + 1 : 0;
		if (failures == FAILURES_MAX && !r->succeeded)
			return -1;
	}
	return 0;
}

void replan_round(struct replan *r, struct engine *engine,
		  const struct queue_state *queue)
{
	struct sp_error err = { "" };

	int rc = state_read(r, queue, &r->rules, &err);

	if (rc)
		r->rules.raises = false;
	if (rc == 0 && r->rules.orders)
		rc = jobs_replan(r, &r->rules, engine, queue->now_s, &err);
	if (rc == 0)
		return;
	if (!r->failed && !slurm_thread_ends())
		log_warning(
			"order of the queue: %s; jobs keep their places "
			"(predictd must run as the SlurmUser or an operator)",
			err.text);
	r->failed = true;
}
