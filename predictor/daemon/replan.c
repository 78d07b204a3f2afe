/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replan.c - the place of waiting jobs in the queue, by what they ask now
 *
 * A round reads the policy (scontrol show config) and the site factors (sprio,
 * which leaves out jobs that are held or depend on others: theirs are
 * remembered), decides for each waiting job, and runs scontrol for those that
 * are off.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/tokens.h"
#include "predictor/base/log.h"
#include "predictor/daemon/replan.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/queue_starts.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_config.h"

#define ROUND_MAX    100 /* changes */
#define FAILURES_MAX 3   /* of these, before the round ends */
#define COMMAND_S    10.0
#define OUTPUT_MAX   (16 << 20)
#define STEP_PART    100 /* of the range of keys */
#define PATH_SIZE    256

/* --- One job -------------------------------------------------------------- */

/* Return since when it waits. */
static double begin_s(const struct replan_rules *rules,
		      const struct queue_entry *job, double now_s)
{
	if (isnan(job->begin_s) || job->priority == 0 || job->depends)
		return now_s;
	if (isnan(job->accrued_s))
		return rules->accrue_limits ? fmax(now_s, job->begin_s)
					    : job->begin_s;
	return fmax(job->begin_s, job->accrued_s);
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

struct replan_change replan_job(const struct replan_rules *rules,
				const struct queue_entry *job,
				const struct prediction_answer *answer,
				double now_s, struct replan_known *known)
{
	const struct policy *policy = &rules->policy;
	int64_t range = plan_range_s(policy);
	struct replan_change change = { .nice = -1 };
	struct plan_mark mark;

	if (policy_plan(policy, job->partitions, NULL) != PLAN_ON)
		return (struct replan_change){ 0, -1,
					       is_planned(known->factor) ? 2
									 : 0 };

	bool marked = plan_mark_read(policy, job->nice, &mark);

	if (marked) {
		known->resized |= mark.resized;
		if (mark.nice >= 0)
			known->nice = mark.nice;
		change.nice = known->nice;
		change.urgency = 2;
	} else {
		known->nice = job->nice > 0 ? job->nice : 0;
	}
	change.factor =
		factor_of(rules, job, known->resized ? NULL : answer, now_s);
	if (known->factor > 0 && !is_planned(known->factor))
		change.factor = known->factor; /* an operator's */
	if (known->factor < 0)
		known->factor = change.factor; /* the plugin's, just now */
	if (!marked && llabs(change.factor - known->factor) > range / STEP_PART)
		change.urgency = 1;
	return change;
}

/* --- All jobs ------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
	const struct replan_known *x = a, *y = b;

	return x->job_id < y->job_id ? -1 : x->job_id > y->job_id;
}

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
		else
			fresh[i].factor = -1;
		fresh[i].job_id = id;
		fresh[i].entry = &queue->of[i];
		fresh[i].change.urgency = 0;
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

static void factors_read(const struct replan *r, const char *text)
{
	uint32_t id;
	int64_t factor;
	int length;

	while (sscanf(text, "%" SCNu32 " %" SCNd64 "%n", &id, &factor,
		      &length) == 2) {
		struct replan_known *known = known_find(r, id);

		if (known)
			known->factor = factor;
		text += length;
	}
}

/* Return whether jobs are to be ordered. */
static bool rules_parse(const char *text, struct replan_rules *ret)
{
	const char *line = scontrol_config_value(text, "SlurmctldParameters");
	char *tokens = line ? strndup(line, strcspn(line, "\n")) : NULL;
	bool orders = tokens && strstr(tokens, "predict_plan");
	struct slurm_config config;

	slurm_config_parse(text, &config);
	ret->accrue_limits = config.accrue_limits;
	ret->user_top = config.user_top;
	tokens_parse(tokens, &ret->policy, NULL, NULL);
	free(tokens);
	return orders;
}

static struct slurm_command *run(const char *const argv[], struct sp_error *err)
{
	return slurm_thread_run(argv, COMMAND_S, OUTPUT_MAX, err);
}

/* Return whether jobs are to be ordered; -1: a command failed. */
static int state_read(struct replan *r, const struct queue_state *queue,
		      struct replan_rules *ret, struct sp_error *err)
{
	char sprio[PATH_SIZE];
	const char *slash = strrchr(r->squeue, '/');
	const char *const config[] = { r->scontrol, "show", "config", NULL };
	const char *const factors[] = { sprio, "-h", "-o", "%i %S", NULL };
	struct slurm_command *c = run(config, err);
	bool orders = c && rules_parse(slurm_command_output(c, NULL), ret);

	slurm_command_destroy(c);
	if (!c || !orders || known_renew(r, queue, err))
		return !c || orders ? -1 : 0;
	snprintf(sprio, sizeof(sprio), "%.*ssprio",
		 slash ? (int)(slash + 1 - r->squeue) : 0, r->squeue);
	c = run(factors, err);
	/* It fails where it finds no job. */
	if (c)
		factors_read(r, slurm_command_output(c, NULL));
	slurm_command_destroy(c);
	return 1;
}

/* A job is left as it is, unless it is marked, while its prediction is not at
 * hand. */
static void job_decide(const struct replan_rules *rules, struct engine *engine,
		       double now_s, struct replan_known *known)
{
	const struct queue_entry *job = known->entry;
	struct prediction p = { .basis = BASIS_NOTHING };
	struct plan_mark mark;

	if (job->running ||
	    (rules->policy.plan_key == PLAN_KEY_P50 && job->prediction_id[0] &&
	     !engine_queue_prediction(engine, NULL, job, &p) &&
	     !plan_mark_read(&rules->policy, job->nice, &mark)))
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

static int change_make(const struct replan *r, struct replan_known *known,
		       struct sp_error *err)
{
	const struct replan_change *change = &known->change;
	char id[32], factor[40], nice[32];
	const char *const argv[] = { r->scontrol,
				     "update",
				     id,
				     factor,
				     change->nice >= 0 ? nice : NULL,
				     NULL };

	snprintf(id, sizeof(id), "JobId=%" PRIu32, known->job_id);
	snprintf(factor, sizeof(factor), "SiteFactor=%" PRId64, change->factor);
	snprintf(nice, sizeof(nice), "Nice=%" PRId64, change->nice);

	struct slurm_command *command = run(argv, err);

	slurm_command_destroy(command);
	if (!command)
		return -1;
	known->factor = change->factor;
	return 0;
}

bool replan_round(struct replan *r, struct engine *engine,
		  const struct queue_state *queue)
{
	struct replan_rules rules;
	struct sp_error err = { "" };
	bool unmarked = false;
	int failures = 0, changes = 0;
	int orders = state_read(r, queue, &rules, &err);
	size_t count = orders > 0 ? r->count : 0;

	for (size_t i = 0; i < count; i++)
		job_decide(&rules, engine, queue->now_s, &r->known[i]);
	for (size_t i = 0; i < 2 * count && changes < ROUND_MAX; i++) {
		struct replan_known *known = &r->known[i % count];

		if (known->change.urgency != (i < count ? 2 : 1) ||
		    failures == FAILURES_MAX)
			continue;
		changes++;
		if (change_make(r, known, &err))
			failures++;
		else
			unmarked |= known->change.nice >= 0;
	}

	bool failed = orders < 0 || failures == FAILURES_MAX;

	if (failed && !r->failed && !slurm_thread_ends())
		log_warning("order of the queue: %s; jobs keep their places "
			    "(predictd must run as the SlurmUser)",
			    err.text);
	r->failed = failed;
	return unmarked;
}
