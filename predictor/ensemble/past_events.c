/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_events.c - past jobs once more, in the order in which things happened
 *
 * Each job becomes up to three events, which are sorted by time and kind and
 * replayed in one pass. The first jobs by submission (`warm`) are learned
 * from but not judged. A job whose end is before its start makes no event.
 */
#include <math.h>
#include <stdlib.h>

#include "predictor/base/compare.h"
#include "predictor/ensemble/past_events.h"

/* At one moment, in this order; the `own` ones come after what they follow when
 * a job was submitted, started or ended in the same second. */
enum kind {
	KIND_END,
	KIND_START,
	KIND_END_OWN, /* of one that has just started */
	KIND_SUBMIT,
	KIND_START_OWN, /* of one that has just been submitted */
	KIND_END_OWN_OWN,
};

struct event {
	double time_s;
	uint32_t job; /* position */
	uint32_t kind;
};

static int in_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return COMPARE(x->time_s, y->time_s)
		       ?: COMPARE(x->kind, y->kind)
		       ?: COMPARE(x->job, y->job);
}

/* Logs have jobs that start before they are submitted. */
static struct past_times times_of(const struct past_job *job)
{
	struct past_times t = { job->subject.submitted_at_s,
				job->outcome.started_at_s,
				job->outcome.ended_at_s };

	if (!isfinite(t.submitted_s))
		t.submitted_s = t.started_s;
	if (t.started_s < t.submitted_s)
		t.started_s = t.submitted_s;
	if (t.ended_s < t.started_s)
		t.ended_s = t.started_s;
	return t;
}

static size_t event_add(struct event *events, size_t n, double time_s,
			size_t job, enum kind kind)
{
	if (isfinite(time_s))
		events[n++] = (struct event){ time_s, (uint32_t)job, kind };
	return n;
}

static size_t events_add_job(struct event *events, size_t n,
			     const struct past_job *job, struct past_times t,
			     size_t position, bool warm)
{
	if (job->outcome.ended_at_s < job->outcome.started_at_s)
		return n; /* its clock was wrong */

	bool at_once = t.started_s == t.submitted_s;
	enum kind end = KIND_END;

	if (t.ended_s == t.started_s)
		end = at_once ? KIND_END_OWN_OWN : KIND_END_OWN;
	n = event_add(events, n, t.ended_s, position, end);
	if (warm)
		return n;
	n = event_add(events, n, t.submitted_s, position, KIND_SUBMIT);
	return event_add(events, n, t.started_s, position,
			 at_once ? KIND_START_OWN : KIND_START);
}

/* --- The order of submissions --------------------------------------------- */

struct submission_of {
	double time_s;
	uint32_t job;
};

COMPARE_BY_BOTH(by_submission, struct submission_of, time_s, job)

/* Mark those before position `warm`; -1: out of memory. */
static int mark_warm(const struct past_job *jobs, size_t count, size_t warm,
		     bool *ret_warm)
{
	struct submission_of *order = malloc((count + 1) * sizeof(*order));

	if (!order)
		return -1;
	for (size_t i = 0; i < count; i++)
		order[i] =
			(struct submission_of){ times_of(&jobs[i]).submitted_s,
						(uint32_t)i };
	qsort(order, count, sizeof(*order), by_submission);
	for (size_t i = 0; i < warm && i < count; i++)
		ret_warm[order[i].job] = true;
	free(order);
	return 0;
}

/* --- Replay --------------------------------------------------------------- */

struct replayed {
	struct ensemble *ensemble;
	const struct past_job *jobs;
	const bool *warm;
	const struct replay_visitor *visitor;
	struct verdict verdict;
};

static uint64_t ticket_of(const struct replayed *r, size_t job)
{
	if (r->warm[job])
		return 0;
	return r->visitor->ticket ? r->visitor->ticket(r->visitor->context, job)
				  : job + 1;
}

static void replay_submission(struct replayed *r, size_t job)
{
	const struct past_job *j = &r->jobs[job];
	const struct conditions *assumed =
		r->visitor->assumed_of
			? r->visitor->assumed_of(r->visitor->context, job)
			: &j->before;

	ensemble_predict(r->ensemble, &j->subject, assumed,
			 times_of(j).submitted_s, ticket_of(r, job),
			 &r->verdict);
	if (r->visitor->submitted)
		r->visitor->submitted(r->visitor->context, job, &r->verdict);
}

static void replay_start(struct replayed *r, size_t job)
{
	const struct past_job *j = &r->jobs[job];
	double now_s = r->visitor->known ? j->outcome.started_at_s
					 : times_of(j).started_s;

	if (r->visitor->started) {
		ensemble_predict(r->ensemble, &j->subject, &j->before, now_s,
				 ticket_of(r, job), &r->verdict);
		r->visitor->started(r->visitor->context, job, &r->verdict);
	}
	ensemble_start(r->ensemble, ticket_of(r, job), now_s);
}

static int replay_end(struct replayed *r, size_t job, struct sp_error *err)
{
	if (isnan(r->jobs[job].outcome.ended_at_s)) {
		ensemble_lose(r->ensemble, ticket_of(r, job));
		return 0;
	}
	if (ensemble_end(r->ensemble, ticket_of(r, job), &r->jobs[job], err))
		return -1;
	if (r->visitor->ended)
		r->visitor->ended(r->visitor->context, job);
	return 0;
}

static int event_replay(struct replayed *r, const struct event *event,
			struct sp_error *err)
{
	switch ((enum kind)event->kind) {
	case KIND_SUBMIT:
		replay_submission(r, event->job);
		return 0;
	case KIND_START:
	case KIND_START_OWN:
		replay_start(r, event->job);
		return 0;
	default:
		return replay_end(r, event->job, err);
	}
}

int replay(struct ensemble *ensemble, const struct past_job *jobs, size_t count,
	   size_t warm, const struct replay_visitor *visitor,
	   struct sp_error *err)
{
	static const struct replay_visitor nobody;
	struct event *events = NULL;
	bool *is_warm = calloc(count + 1, sizeof(*is_warm));
	size_t n = 0;
	int rc = -1;

	if (count < UINT32_MAX)
		events = malloc((3 * count + 1) * sizeof(*events));
	if (!events || !is_warm || mark_warm(jobs, count, warm, is_warm)) {
		sp_error_set(err, "out of memory for %zu jobs", count);
		goto out;
	}
	if (!visitor)
		visitor = &nobody;
	for (size_t i = 0; i < count; i++) {
		if (visitor->ticket && !visitor->ticket(visitor->context, i))
			is_warm[i] = true;
		n = events_add_job(events, n, &jobs[i],
				   visitor->known
					   ? visitor->known(visitor->context, i)
					   : times_of(&jobs[i]),
				   i, is_warm[i]);
	}
	qsort(events, n, sizeof(*events), in_time);

	struct replayed r = { .ensemble = ensemble,
			      .jobs = jobs,
			      .warm = is_warm,
			      .visitor = visitor };

	rc = 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = event_replay(&r, &events[i], err);
out:
	free(events);
	free(is_warm);
	return rc;
}
