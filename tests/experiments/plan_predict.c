/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_predict.c - what predictd would have said of each job of a log
 *
 * usage: plan-predict [--limits] LOG.swf >JOBS
 *
 * With --limits nothing is predicted.
 *
 * As rehearse_predict.c, with more than the median.  The first line is
 * "cpus N"; then one line a job, in the order of submission:
 *
 *	submit_s runtime_s limit_s cpus user ordered median_s p30_s p70_s
 *	early_p harmonic_s
 *
 * ordered: 1 if the plugin's rules would let the median order the queue.
 * early_p: the probability of an end within a minute.  harmonic_s: the length
 * whose slowdown is the mean of the distribution's, of lengths of at least
 * 10 s.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/policy.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"
#include "predictor/ensemble/evidence_level.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/ensemble/track_record.h"
#include "predictor/logs/joblog.h"

struct said {
	float quantile_s, median_s, p30_s, p70_s, early, harmonic_s;
	bool ordered;
};

struct watch {
	struct policy policy;
	const struct ensemble *ensemble;
	const struct past_jobs *log;
	struct track_record *record;
	struct said *said; /* of each past job */
};

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

static float harmonic_s(const struct verdict *verdict)
{
	double sum = 0;
	int n = 0;

	for (double p = .005; p < 1; p += .01, n++)
		sum += 1 / fmax(10, verdict_quantile(verdict->knots_s, p));
	return (float)(n / sum);
}

static void job_submitted(void *context, size_t job,
			  const struct verdict *verdict)
{
	struct watch *w = context;
	const struct past_job *past = &w->log->of[job];
	const double *knots_s = verdict->knots_s;
	struct said *said = &w->said[job];
	struct prediction p;

	*said = (struct said){
		.quantile_s = verdict->basis == BASIS_HISTORY
				      ? (float)verdict_quantile(
						knots_s, w->policy.quantile)
				      : NAN,
		.median_s = (float)verdict->median_s,
		.p30_s = (float)verdict_quantile(knots_s, .3),
		.p70_s = (float)verdict_quantile(knots_s, .7),
	};
	prediction_of(past, &p);
	evidence_find(ensemble_history(w->ensemble), &past->subject, verdict,
		      &p);
	track_record_read(w->record, &p, &p.judged, &p.held);

	const struct prediction_answer answer = {
		.basis = verdict->basis,
		.evidence_level = p.evidence_level,
		.evidence_runs = p.evidence_runs,
		.judged = p.judged,
		.held = p.held,
		.extrapolated = verdict->outside.extrapolated,
		.median_s = verdict->median_s,
		.quantile = w->policy.quantile,
	};

	said->ordered = !policy_no_order(&w->policy, &answer);
	if (said->ordered) {
		said->early = (float)verdict_probability(knots_s, 60);
		said->harmonic_s = harmonic_s(verdict);
	}
}

static void job_ended(void *context, size_t job)
{
	struct watch *w = context;
	const struct past_job *past = &w->log->of[job];
	const struct outcome *o = &past->outcome;
	struct prediction p;

	prediction_of(past, &p);
	p.basis = BASIS_HISTORY;
	p.quantile_s = (double)w->said[job].quantile_s;
	track_record_judge(w->record, &p, o->end,
			   o->ended_at_s - o->started_at_s,
			   past->subject.nodes);
}

static const struct past_jobs *sorted; /* for compare() */

static int compare(const void *a, const void *b)
{
	const struct past_job *x = &sorted->of[*(const size_t *)a];
	const struct past_job *y = &sorted->of[*(const size_t *)b];

	if (x->outcome.job_id != y->outcome.job_id)
		return x->outcome.job_id < y->outcome.job_id ? -1 : 1;
	return (x->subject.submitted_at_s > y->subject.submitted_at_s) -
	       (x->subject.submitted_at_s < y->subject.submitted_at_s);
}

/* Return the past job that is this one, else the count. */
static size_t past_find(const struct past_jobs *log, const size_t *by_id,
			const struct rehearse_job *j)
{
	size_t low = 0, high = log->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct past_job *x = &log->of[by_id[middle]];
		double submit_s = x->subject.submitted_at_s;

		if (x->outcome.job_id == j->log_id &&
		    submit_s == j->logged_at_s)
			return by_id[middle];
		if (x->outcome.job_id < j->log_id ||
		    (x->outcome.job_id == j->log_id &&
		     submit_s < j->logged_at_s))
			low = middle + 1;
		else
			high = middle;
	}
	return log->count;
}

int main(int argc, char **argv)
{
	const struct rehearse_window window = { .length_s = HUGE_VAL };
	const struct joblog_config config = { 0 };
	struct rehearse_jobs jobs;
	struct past_jobs log = { 0 };
	struct watch w = { .log = &log };
	const struct replay_visitor visitor = { .context = &w,
						.submitted = job_submitted,
						.ended = job_ended };
	struct sp_error err = { "" };

	bool predicts = argc < 2 || strcmp(argv[1], "--limits") != 0;
	const char *path = argv[argc - 1];

	if (argc != 3 - predicts) {
		fprintf(stderr, "usage: plan-predict [--limits] LOG.swf\n");
		return 2;
	}

	struct ensemble *ensemble = ensemble_create();

	policy_init(&w.policy);
	w.ensemble = ensemble;
	w.record = track_record_create();
	if (rehearse_jobs_read("swf", path, &window, &jobs, &err) ||
	    joblog_read(path, joblog_format_find("swf"), &config, &log, NULL,
			NULL, &err))
		goto failed;
	w.said = calloc(log.count + 1, sizeof(*w.said));
	if (predicts && replay(ensemble, log.of, log.count, 0, &visitor, &err))
		goto failed;

	size_t *by_id = calloc(log.count + 1, sizeof(*by_id));

	for (size_t i = 0; i < log.count; i++)
		by_id[i] = i;
	sorted = &log;
	qsort(by_id, log.count, sizeof(*by_id), compare);
	printf("cpus %u\n", jobs.cpus);
	for (size_t i = 0; i < jobs.count; i++) {
		const struct rehearse_job *j = &jobs.of[i];
		size_t found = past_find(&log, by_id, j);
		struct said s = { .ordered = false };

		if (found < log.count)
			s = w.said[found];
		printf("%.0f %.0f %.0f %u %u %d %.1f %.1f %.1f %.4f %.1f\n",
		       j->submit_s, j->runtime_s, j->limit_s, j->cpus, j->user,
		       s.ordered, (double)s.median_s, (double)s.p30_s,
		       (double)s.p70_s, (double)s.early, (double)s.harmonic_s);
	}
	return 0;
failed:
	fprintf(stderr, "plan-predict: %s\n", err.text);
	return 1;
}
