/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_predict.c - what predictd would have said when a job was submitted
 *
 * Plan: the log goes through the ensemble.  At a submission the plugin's own
 * rule (policy_no_order) decides about what predictd would have answered; at an
 * end the user's track record with the application learns whether the quantile
 * held, as in predictd.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/policy.h"
#include "predictor/base/compare.h"
#include "predictor/ensemble/evidence_level.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/ensemble/track_record.h"
#include "predictor/logs/joblog.h"
#include "predictor/backtest/rehearse/rehearse_predict.h"

struct watch {
	struct policy policy; /* the plugin's defaults */
	const struct ensemble *ensemble;
	const struct past_jobs *log;
	struct rehearse_job **by_id; /* those to be predicted */
	size_t count;
	struct track_record *track_record;
	float *quantile_s; /* of each past job, NAN: not of its history */
};

static int id_compare(uint32_t id, double submitted_at_s,
		      const struct rehearse_job *j)
{
	return COMPARE(id, j->log_id)
		       ?: COMPARE(submitted_at_s, j->logged_at_s);
}

static int compare(const void *a, const void *b)
{
	const struct rehearse_job *x = *(struct rehearse_job *const *)a;

	return id_compare(x->log_id, x->logged_at_s,
			  *(struct rehearse_job *const *)b);
}

static int compare_past(const void *key, const void *element)
{
	const struct past_job *past = key;

	return id_compare(past->outcome.job_id, past->subject.submitted_at_s,
			  *(struct rehearse_job *const *)element);
}

/* Whose prediction it is. */
static void prediction_of(const struct past_job *past, struct prediction *ret)
{
	const struct subject *s = &past->subject;

	memset(ret, 0, sizeof(*ret));
	snprintf(ret->cluster, sizeof(ret->cluster), "%s", s->cluster);
	snprintf(ret->application.name, sizeof(ret->application.name), "%s",
		 s->application->name);
	ret->user_id = s->user_id;
	ret->nodes = s->nodes;
}

static void job_submitted(void *context, size_t job,
			  const struct verdict *verdict)
{
	struct watch *watch = context;
	const struct past_job *past = &watch->log->of[job];
	struct rehearse_job **found =
		bsearch(past, watch->by_id, watch->count,
			sizeof(struct rehearse_job *), compare_past);
	double quantile_s =
		verdict_quantile(verdict->knots_s, watch->policy.quantile);
	struct prediction p;

	watch->quantile_s[job] =
		verdict->basis == BASIS_HISTORY ? (float)quantile_s : NAN;
	if (!found)
		return;
	prediction_of(past, &p);
	evidence_find(ensemble_history(watch->ensemble), &past->subject,
		      verdict, &p);
	track_record_read(watch->track_record, &p, &p.judged, &p.held);

	const struct prediction_answer answer = {
		.basis = verdict->basis,
		.evidence_level = p.evidence_level,
		.evidence_runs = p.evidence_runs,
		.judged = p.judged,
		.held = p.held,
		.extrapolated = verdict->outside.extrapolated,
		.median_s = verdict->median_s,
		.quantile = watch->policy.quantile,
	};

	if (!policy_no_order(&watch->policy, &answer))
		(*found)->predicted_s = verdict->median_s;
}

static void job_ended(void *context, size_t job)
{
	struct watch *watch = context;
	const struct past_job *past = &watch->log->of[job];
	const struct outcome *outcome = &past->outcome;
	struct prediction p;

	prediction_of(past, &p);
	p.basis = BASIS_HISTORY;
	p.quantile_s = (double)watch->quantile_s[job];
	track_record_judge(watch->track_record, &p, outcome->end,
			   outcome->ended_at_s - outcome->started_at_s,
			   past->subject.nodes);
}

int rehearse_predict(const char *format, const char *path,
		     struct rehearse_jobs *jobs, struct sp_error *err)
{
	const struct joblog_format *f = joblog_format_find(format);
	const struct joblog_config config = { 0 };
	struct past_jobs log = { 0 };
	struct watch watch = { .log = &log, .count = jobs->count };
	const struct replay_visitor visitor = { .context = &watch,
						.submitted = job_submitted,
						.ended = job_ended };
	struct ensemble *ensemble = NULL;
	int rc = -1;

	if (!f)
		return sp_error_set(err, "%s: no such format of logs", format);
	if (joblog_read(path, f, &config, &log, NULL, NULL, err))
		return -1;
	policy_init(&watch.policy);
	watch.ensemble = ensemble = ensemble_create();
	watch.track_record = track_record_create();
	watch.by_id = calloc(jobs->count + 1, sizeof *watch.by_id);
	watch.quantile_s = calloc(log.count + 1, sizeof *watch.quantile_s);
	if (!ensemble || !watch.track_record || !watch.by_id ||
	    !watch.quantile_s) {
		sp_error_set(err, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < jobs->count; i++)
		watch.by_id[i] = &jobs->of[i];
	qsort(watch.by_id, jobs->count, sizeof *watch.by_id, compare);
	rc = replay(ensemble, log.of, log.count, 0, &visitor, err);
out:
	free(watch.by_id);
	free(watch.quantile_s);
	track_record_destroy(watch.track_record);
	ensemble_destroy(ensemble);
	past_jobs_clear(&log);
	return rc;
}
