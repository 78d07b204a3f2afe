/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_predict.c - what predictd would have said when a job was submitted */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/rehearse/rehearse_predict.h"
#include "predictor/ensemble/evidence_level.h"
#include "predictor/ensemble/past_events.h"
#include "predictor/logs/joblog.h"

struct watch {
	const struct ensemble *ensemble;
	const struct past_jobs *log;
	struct rehearse_job **by_id; /* those to be predicted */
	size_t count;
};

static int id_compare(uint32_t id, double submitted_at_s,
		      const struct rehearse_job *j)
{
	if (id != j->log_id)
		return id < j->log_id ? -1 : 1;
	return (submitted_at_s > j->logged_at_s) -
	       (submitted_at_s < j->logged_at_s);
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

static void job_submitted(void *context, size_t job,
			  const struct verdict *verdict)
{
	struct watch *watch = context;
	const struct past_job *past = &watch->log->of[job];
	struct rehearse_job **found =
		bsearch(past, watch->by_id, watch->count,
			sizeof(struct rehearse_job *), compare_past);
	struct prediction evidence;

	if (!found)
		return;
	evidence_find(ensemble_history(watch->ensemble), &past->subject,
		      verdict, &evidence);
	if (evidence.evidence_level >= EVIDENCE_USER &&
	    evidence.evidence_runs >= REHEARSE_RUNS_MIN &&
	    !verdict->similar.extrapolated)
		(*found)->predicted_s = verdict->median_s;
}

int rehearse_predict(const char *format, const char *path,
		     struct rehearse_jobs *jobs, struct sp_error *err)
{
	const struct joblog_format *const *f = joblog_formats;
	const struct joblog_config config = { 0 };
	struct past_jobs log = { 0 };
	struct watch watch = { .log = &log, .count = jobs->count };
	const struct replay_visitor visitor = { .context = &watch,
						.submitted = job_submitted };
	struct ensemble *ensemble = NULL;
	int rc = -1;

	while (*f && strcmp((*f)->name, format) != 0)
		f++;
	if (!*f)
		return sp_error_set(err, "%s: no such format of logs", format);
	if (joblog_read(path, *f, &config, &log, NULL, NULL, err))
		return -1;
	watch.ensemble = ensemble = ensemble_create();
	watch.by_id = calloc(jobs->count + 1, sizeof *watch.by_id);
	if (!ensemble || !watch.by_id) {
		sp_error_set(err, "out of memory");
		goto out;
	}
	for (size_t i = 0; i < jobs->count; i++)
		watch.by_id[i] = &jobs->of[i];
	qsort(watch.by_id, jobs->count, sizeof *watch.by_id, compare);
	rc = replay(ensemble, log.of, log.count, 0, &visitor, err);
out:
	free(watch.by_id);
	ensemble_destroy(ensemble);
	past_jobs_clear(&log);
	return rc;
}
