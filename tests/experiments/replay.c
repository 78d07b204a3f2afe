/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.c - what the models would have said of the runs of a dataset
 *
 * usage: replay <RUNS
 *
 * Reads runs as dataset.py lists them, and reports the submissions, starts and
 * ends to predictd's own ensemble in the order in which they happened, from
 * nothing for each kind of background load.  So models can be changed and
 * judged without running the jobs again.  The ensemble leaves out models that
 * it has little hope for; so that the table of errors is complete, a panel of
 * all models is asked beside it, on the same history.  Prints a CSV with a row
 * for each run that was predicted, in the order of the file: what was chosen at
 * submission and at the start, and what each model said at submission.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/ensemble/ensemble.h"
#include "predictor/ensemble/queries.h"

enum { ROWS_MAX = 20000 };

/* Times in files begin at 0; models may know that jobs are of this century. */
#define EPOCH_S 1.6e9

struct row {
	char background[RUN_NAME_SIZE];
	char account[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	struct application application;
	struct past_job job;       /* lends the texts above */
	struct conditions assumed; /* nodes_known -1: it was not predicted */
	double known_s;            /* when its end was known */

	/* What was said, and each model's median, NAN: nothing. */
	struct verdict submitted, started;
	double models_s[MODELS_MAX];
};

/* --- Reading -------------------------------------------------------------- */

/* Each parameter is NAME=VALUE; up to the end of the line. */
static int read_parameters(struct parameters *ret)
{
	struct sp_error err;
	char name[64];
	double value;

	while (scanf("%*[ ]%63[^= \n]=%lf", name, &value) == 2)
		if (parameters_set(ret, name, value, &err))
			return -1;
	return getchar() == '\n' ? 0 : -1;
}

static int read_conditions(struct conditions *ret)
{
	return scanf("%d %lf %lf %lf %lf %lf %lf", &ret->nodes_known,
		     &ret->cpu_load, &ret->cpu_load_max, &ret->cpu_available,
		     &ret->cpu_available_min, &ret->bandwidth_bps,
		     &ret->latency_s) == 7
		       ? 0
		       : -1;
}

/* Texts are lent from the row, so it must stay where it is.  Return 1 at the
 * end of the file. */
static int read_row(struct row *ret)
{
	struct subject *subject = &ret->job.subject;
	struct outcome *outcome = &ret->job.outcome;
	int got = scanf(
		"%63s %u %95s %63s %63s %u %u %u %u %lf %lf %lf %lf %lf %lf",
		ret->background, &outcome->job_id, ret->application.name,
		ret->account, ret->partition, &subject->user_id,
		&subject->nodes, &subject->tasks, &subject->cpus,
		&subject->memory_mb, &subject->limit_s,
		&subject->submitted_at_s, &outcome->started_at_s,
		&outcome->ended_at_s, &ret->known_s);

	if (got == EOF)
		return 1;
	if (got != 15 || read_conditions(&ret->assumed) ||
	    read_conditions(&ret->job.before) ||
	    read_parameters(&ret->application.parameters) ||
	    !(outcome->ended_at_s >= outcome->started_at_s))
		return -1;
	subject->submitted_at_s += EPOCH_S;
	outcome->started_at_s += EPOCH_S;
	outcome->ended_at_s += EPOCH_S;
	ret->known_s += EPOCH_S;
	subject->cluster = ret->background;
	subject->partition = ret->partition;
	subject->account = strcmp(ret->account, "-") == 0 ? "" : ret->account;
	subject->qos = subject->features = subject->gres = subject->traits = "";
	subject->application = &ret->application;
	return 0;
}

/* Return the number of rows; -1: a line is none, which was said. */
static int read_rows(struct row *rows)
{
	int count = 0, rc = 0;

	while (count < ROWS_MAX && !(rc = read_row(&rows[count])))
		count++;
	if (rc >= 0)
		return count;
	fprintf(stderr, "replay: line %d: not as expected\n", count + 1);
	return -1;
}

/* --- The panel of all models ---------------------------------------------- */

struct panel {
	void *models[MODELS_MAX];
	struct model_result answer;
};

static void panel_destroy(struct panel *panel)
{
	if (!panel)
		return;
	for (int i = 0; models[i]; i++)
		models[i]->destroy(panel->models[i]);
	free(panel);
}

static struct panel *panel_create(void)
{
	struct panel *panel = calloc(1, sizeof(*panel));

	if (!panel)
		return NULL;
	for (int i = 0; models[i]; i++) {
		panel->models[i] = models[i]->create();
		if (panel->models[i])
			continue;
		panel_destroy(panel);
		return NULL;
	}
	return panel;
}

static void panel_ask(struct panel *panel, const struct history *history,
		      uint64_t ticket, double now_s, struct row *row)
{
	struct query query;

	query_make(history, &row->job.subject, &row->assumed, now_s, ticket,
		   &query);
	for (int i = 0; models[i]; i++) {
		int rc = models[i]->predict(panel->models[i], history, &query,
					    &panel->answer, NULL);

		row->models_s[i] = rc ? NAN : panel->answer.median_s;
	}
}

static void panel_learn(struct panel *panel, const struct history *history,
			uint64_t ticket, const struct past_job *job)
{
	struct query query;

	query_make(history, &job->subject, &job->before,
		   job->subject.submitted_at_s, ticket, &query);
	for (int i = 0; models[i]; i++)
		if (models[i]->learn)
			models[i]->learn(panel->models[i], history, &query,
					 &job->outcome);
}

/* --- Replaying ------------------------------------------------------------ */

enum what { ENDED, STARTED, SUBMITTED };

struct event {
	double time_s;
	enum what what;
	struct row *row;
	uint64_t ticket;
};

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a;
	const struct event *y = b;

	if (x->time_s != y->time_s)
		return x->time_s < y->time_s ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return (x->ticket > y->ticket) - (x->ticket < y->ticket);
}

static bool was_predicted(const struct row *row)
{
	return row->assumed.nodes_known >= 0;
}

/* Slurm's starts are whole seconds, and may seem earlier than submissions. */
static size_t make_events(struct row *rows, int count, struct event *ret)
{
	size_t n = 0;

	for (int i = 0; i < count; i++) {
		struct row *row = &rows[i];
		uint64_t ticket = was_predicted(row) ? (uint64_t)i + 1 : 0;
		double submitted_s = row->job.subject.submitted_at_s;
		double started_s =
			fmax(submitted_s, row->job.outcome.started_at_s);
		double known_s = fmax(started_s, row->known_s);

		if (ticket) {
			ret[n++] = (struct event){ submitted_s, SUBMITTED, row,
						   ticket };
			ret[n++] = (struct event){ started_s, STARTED, row,
						   ticket };
		}
		ret[n++] = (struct event){ known_s, ENDED, row, ticket };
	}
	qsort(ret, n, sizeof(*ret), compare_events);
	return n;
}

static int event_replay(struct ensemble *ensemble, struct panel *panel,
			const struct event *event, struct sp_error *err)
{
	const struct history *history = ensemble_history(ensemble);
	struct row *row = event->row;
	const struct past_job *job = &row->job;

	switch (event->what) {
	case SUBMITTED:
		panel_ask(panel, history, event->ticket, event->time_s, row);
		ensemble_predict(ensemble, &job->subject, &row->assumed,
				 event->time_s, event->ticket, &row->submitted);
		return 0;
	case STARTED:
		ensemble_predict(ensemble, &job->subject, &job->before,
				 event->time_s, event->ticket, &row->started);
		ensemble_start(ensemble, event->ticket,
			       job->outcome.started_at_s);
		return 0;
	default:
		if (ensemble_end(ensemble, event->ticket, job, err))
			return -1;
		panel_learn(panel, ensemble_history(ensemble), event->ticket,
			    job);
		return 0;
	}
}

/* The rows of one campaign, which lie together. */
static int replay_campaign(struct row *rows, int count, struct sp_error *err)
{
	struct ensemble *ensemble = ensemble_create();
	struct panel *panel = panel_create();
	struct event *events = calloc(3 * (size_t)count, sizeof(*events));
	int rc = -1;

	if (!ensemble || !panel || !events) {
		sp_error_set(err, "out of memory");
		goto out;
	}

	size_t n = make_events(rows, count, events);

	rc = 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = event_replay(ensemble, panel, &events[i], err);
out:
	free(events);
	panel_destroy(panel);
	ensemble_destroy(ensemble);
	return rc;
}

static int replay_all(struct row *rows, int count, struct sp_error *err)
{
	int begin = 0;

	for (int i = 1; i <= count; i++) {
		if (i < count &&
		    strcmp(rows[i].background, rows[begin].background) == 0)
			continue;
		if (replay_campaign(rows + begin, i - begin, err))
			return -1;
		begin = i;
	}
	return 0;
}

/* --- Printing ------------------------------------------------------------- */

/* Empty: not known. */
static void print_seconds(double seconds)
{
	putchar(',');
	if (isfinite(seconds))
		printf("%.5g", seconds);
}

static const char *model_name(const struct verdict *verdict)
{
	return verdict->model >= 0 ? models[verdict->model]->name : "";
}

static void print_row(const struct row *row)
{
	const struct outcome *outcome = &row->job.outcome;

	printf("%s,%u,%s,%u,%.3f,%.3f,%s", row->background, outcome->job_id,
	       row->application.name, row->job.subject.nodes,
	       row->job.subject.submitted_at_s - EPOCH_S,
	       outcome->ended_at_s - outcome->started_at_s,
	       model_name(&row->submitted));
	print_seconds(row->submitted.median_s);
	printf(",%s", model_name(&row->started));
	print_seconds(row->started.median_s);
	for (int i = 0; models[i]; i++)
		print_seconds(row->models_s[i]);
	putchar('\n');
}

static void print_all(const struct row *rows, int count)
{
	printf("background,job_id,application,nodes,submitted_s,runtime_s,"
	       "model,predicted_s,start_model,start_predicted_s");
	for (int i = 0; models[i]; i++)
		printf(",model:%s", models[i]->name);
	putchar('\n');
	for (int i = 0; i < count; i++)
		if (was_predicted(&rows[i]))
			print_row(&rows[i]);
}

int main(void)
{
	struct row *rows = calloc(ROWS_MAX, sizeof(*rows));
	struct sp_error err;
	int count = rows ? read_rows(rows) : -1;
	int status = 1;

	if (count == 0)
		fprintf(stderr, "replay: no runs\n");
	else if (count > 0 && replay_all(rows, count, &err))
		fprintf(stderr, "replay: %s\n", err.text);
	else if (count > 0)
		status = 0;
	if (status == 0)
		print_all(rows, count);
	free(rows);
	return status;
}
