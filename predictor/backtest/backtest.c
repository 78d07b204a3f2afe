/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest.c - predictions for the jobs of a log, as they would have been made
 *
 * Replays the log's events in order of time through an ensemble of its own and
 * keeps, for each job, what each model and the ensemble predicted.  Measures
 * are taken from that afterwards, over all jobs or a group of them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/backtest/backtest.h"
#include "predictor/base/clock.h"
#include "predictor/ensemble/past_events.h"

#define SKIP           1000 /* jobs, as usual on these logs */
#define SKIP_PART      10   /* but at most one in this many */
#define PROGRESS_EVERY 1000

struct replay_watch {
	struct backtest *backtest;
	const struct backtest_options *options;
	size_t ended;
};

double backtest_runtime_s(const struct past_job *job)
{
	return fmax(1, job->outcome.ended_at_s - job->outcome.started_at_s);
}

const char *backtest_row_name(size_t row)
{
	return row == BACKTEST_CHOSEN ? "predicted" : models[row - 1]->name;
}

size_t backtest_skip(size_t count)
{
	return count / SKIP_PART < SKIP ? count / SKIP_PART : SKIP;
}

/* --- What is seen of the replay ---------------------------------------- */

static void count_knots(struct backtest *b, size_t job,
			const struct verdict *verdict)
{
	struct measures_sample sample =
		backtest_sample(b, BACKTEST_CHOSEN, job);

	if (isnan(verdict->knots_s[0]))
		return;
	b->knots_count++;
	for (int i = 0; i < PREDICTION_KNOTS; i++) {
		sample.high_s = verdict->knots_s[i];
		b->within[i] += measures_covers(&sample);
	}
}

static void job_submitted(void *context, size_t job,
			  const struct verdict *verdict)
{
	struct replay_watch *watch = context;
	struct backtest *b = watch->backtest;

	b->predicted_s[BACKTEST_CHOSEN][job] = (float)verdict->median_s;
	for (int i = 0; i < verdict->candidates_count; i++)
		b->predicted_s[1 + i][job] = (float)verdict->candidates_s[i];
	b->high_s[job] =
		(float)verdict_quantile(verdict->knots_s, MEASURES_HIGH);
	b->limit_chance[job] = (float)verdict->limit_chance;
	b->measured[job] = watch->ended >= watch->options->skip;
	if (b->measured[job])
		count_knots(b, job, verdict);
}

static void job_started(void *context, size_t job,
			const struct verdict *verdict)
{
	struct replay_watch *watch = context;
	struct backtest *b = watch->backtest;

	b->again_s[job] = (float)verdict->median_s;
	if (backtest_runtime_s(&b->jobs[job]) > BACKTEST_IN_RUN_S)
		b->left_s[job] = (float)verdict_remaining(
			verdict->knots_s, verdict->levels, BACKTEST_IN_RUN_S,
			.5);
}

static void job_ended(void *context, size_t job)
{
	struct replay_watch *watch = context;
	const struct backtest_options *options = watch->options;

	(void)job;
	watch->ended++;
	if (options->show_progress && watch->ended % PROGRESS_EVERY == 0)
		options->show_progress(options->context, watch->ended,
				       watch->backtest->count);
}

/* --- Its beginning and end --------------------------------------------- */

static float *unknown_numbers(size_t count)
{
	float *numbers = malloc((count + 1) * sizeof(*numbers));

	for (size_t i = 0; numbers && i < count; i++)
		numbers[i] = NAN;
	return numbers;
}

static int backtest_create(struct backtest *b)
{
	b->measured = calloc(b->count + 1, sizeof(*b->measured));
	b->high_s = unknown_numbers(b->count);
	b->limit_chance = unknown_numbers(b->count);
	b->again_s = unknown_numbers(b->count);
	b->left_s = unknown_numbers(b->count);
	b->predicted_s = calloc(b->rows, sizeof(*b->predicted_s));
	if (!b->measured || !b->high_s || !b->limit_chance || !b->again_s ||
	    !b->left_s || !b->predicted_s)
		return -1;
	for (size_t row = 0; row < b->rows; row++) {
		b->predicted_s[row] = unknown_numbers(b->count);
		if (!b->predicted_s[row])
			return -1;
	}
	return 0;
}

void backtest_clear(struct backtest *b)
{
	for (size_t row = 0; b->predicted_s && row < b->rows; row++)
		free(b->predicted_s[row]);
	free(b->predicted_s);
	free(b->measured);
	free(b->high_s);
	free(b->limit_chance);
	free(b->again_s);
	free(b->left_s);
	free(b->learned);
	memset(b, 0, sizeof(*b));
}

static int replay_watched(struct backtest *b,
			  const struct backtest_options *options,
			  struct sp_error *err)
{
	struct replay_watch watch = { .backtest = b, .options = options };
	const struct replay_visitor visitor = {
		.context = &watch,
		.submitted = job_submitted,
		.started = options->in_run ? job_started : NULL,
		.ended = job_ended,
	};
	struct ensemble *ensemble = ensemble_create();

	if (!ensemble)
		return sp_error_set(err, "out of memory");

	double before_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID);
	size_t size;
	int rc = options->start
			 ? ensemble_set_start(ensemble, options->start,
					      strlen(options->start), err)
			 : 0;

	if (!rc)
		rc = replay(ensemble, b->jobs, b->count, 0, &visitor, err);
	b->cpu_s = clock_read_s(CLOCK_THREAD_CPUTIME_ID) - before_s;
	b->learned = ensemble_print_learned(ensemble, &size);
	ensemble_destroy(ensemble);
	if (!rc && options->show_progress)
		options->show_progress(options->context, b->count, b->count);
	return rc;
}

int backtest_run(const struct past_job *jobs, size_t count,
		 const struct backtest_options *options, struct backtest *ret,
		 struct sp_error *err)
{
	struct backtest b = { .jobs = jobs, .count = count, .rows = 1 };
	int rc;

	while (models[b.rows - 1])
		b.rows++;
	if (backtest_create(&b))
		rc = sp_error_set(err, "out of memory");
	else
		rc = replay_watched(&b, options, err);
	if (rc)
		backtest_clear(&b);
	else
		*ret = b;
	return rc;
}

/* --- What it measured -------------------------------------------------- */

struct measures_sample backtest_sample(const struct backtest *b, size_t row,
				       size_t job)
{
	return (struct measures_sample){
		.runtime_s = backtest_runtime_s(&b->jobs[job]),
		.limit_s = b->jobs[job].subject.limit_s,
		.predicted_s = (double)b->predicted_s[row][job],
		.high_s = row == BACKTEST_CHOSEN ? (double)b->high_s[job] : NAN,
	};
}

int backtest_measure(const struct backtest *b, size_t row,
		     const size_t *positions, size_t count,
		     struct measures *ret, struct sp_error *err)
{
	size_t most = positions ? count : b->count;
	struct measures_sample *samples = calloc(most + 1, sizeof(*samples));
	double *room = calloc(most + 1, sizeof(*room));
	size_t samples_count = 0;
	int rc = 0;

	for (size_t i = 0; samples && i < most; i++) {
		size_t job = positions ? positions[i] : i;

		if (b->measured[job])
			samples[samples_count++] = backtest_sample(b, row, job);
	}
	if (samples && room)
		measures_of(samples, samples_count, room, ret);
	else
		rc = sp_error_set(err, "out of memory");
	free(samples);
	free(room);
	return rc;
}
