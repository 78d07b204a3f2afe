/* replay.c - what the models would have said of the runs of a dataset
 *
 * usage: replay RUNS.CSV
 *
 * Reads what dataset.py writes, and tells the submissions, starts and ends to
 * predictd's own ensemble in the order in which they happened, from nothing for
 * each kind of background load.  So models can be changed and judged without
 * running the jobs again.  Prints a CSV with a row for each run, in the order
 * of the file: what was chosen at submission and at the start, and what each
 * model said at submission.
 */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/ensemble.h"

enum { ROWS_MAX = 20000, COLUMNS_MAX = 100, LINE_MAX_BYTES = 8192 };

/* The campaign began at 0; models may know that jobs are of this century. */
static const double epoch_s = 1.6e9;

struct row {
	char background[RUN_NAME_SIZE];
	char account[RUN_NAME_SIZE];
	char partition[RUN_NAME_SIZE];
	struct application application;
	struct past_job job;
	struct conditions assumed;
	double known_s;
	struct verdict submitted, started;
};

/* --- Reading ---------------------------------------------------------------- */

enum kind { TEXT, NUMBER, WHOLE, COUNT, TIME, PARAMETERS };

static const struct column {
	const char *name;
	enum kind kind;
	size_t offset;
	size_t size; /* of a text */
} columns[] = {
#define COLUMN(name, kind, member, ...)                               \
	{                                                             \
		name, kind, offsetof(struct row, member), __VA_ARGS__ \
	}
	COLUMN("background", TEXT, background, RUN_NAME_SIZE),
	COLUMN("job_id", WHOLE, job.outcome.job_id, 0),
	COLUMN("application", TEXT, application.name, APPLICATION_NAME_SIZE),
	COLUMN("parameters", PARAMETERS, application.parameters, 0),
	COLUMN("account", TEXT, account, RUN_NAME_SIZE),
	COLUMN("partition", TEXT, partition, RUN_NAME_SIZE),
	COLUMN("user_id", WHOLE, job.subject.user_id, 0),
	COLUMN("nodes", WHOLE, job.subject.nodes, 0),
	COLUMN("tasks", WHOLE, job.subject.tasks, 0),
	COLUMN("cpus", WHOLE, job.subject.cpus, 0),
	COLUMN("memory_mb", NUMBER, job.subject.memory_mb, 0),
	COLUMN("limit_s", NUMBER, job.subject.limit_s, 0),
	COLUMN("submitted_s", TIME, job.subject.submitted_at_s, 0),
	COLUMN("started_s", TIME, job.outcome.started_at_s, 0),
	COLUMN("ended_s", TIME, job.outcome.ended_at_s, 0),
	COLUMN("known_s", TIME, known_s, 0),
#define CONDITIONS(prefix, member)                                             \
	COLUMN(prefix "nodes_known", COUNT, member.nodes_known, 0),            \
		COLUMN(prefix "cpu_load", NUMBER, member.cpu_load, 0),         \
		COLUMN(prefix "cpu_load_max", NUMBER, member.cpu_load_max, 0), \
		COLUMN(prefix "cpu_available", NUMBER, member.cpu_available,   \
		       0),                                                     \
		COLUMN(prefix "cpu_available_min", NUMBER,                     \
		       member.cpu_available_min, 0),                           \
		COLUMN(prefix "bandwidth_bps", NUMBER, member.bandwidth_bps,   \
		       0),                                                     \
		COLUMN(prefix "latency_s", NUMBER, member.latency_s, 0)
	CONDITIONS("at_", assumed),
	CONDITIONS("before_", job.before),
	{ NULL, TEXT, 0, 0 },
};

/* The next field of *rest, without its quotes, which are used for commas
 * alone; NULL: there is none. */
static char *next_field(char **rest)
{
	char *field = *rest;

	if (!field)
		return NULL;

	int quoted = *field == '"';
	char *end = quoted ? strchr(++field, '"') : field + strcspn(field, ",");

	if (!end)
		return NULL;

	char *comma = end + quoted;

	*rest = *comma == ',' ? comma + 1 : NULL;
	*end = '\0';
	return field;
}

/* "n=2000;s=5" */
static int read_parameters(char *text, struct parameters *ret)
{
	struct sp_error err;
	char *save = NULL;

	for (char *one = strtok_r(text, ";", &save); one;
	     one = strtok_r(NULL, ";", &save)) {
		char *value = strchr(one, '=');

		if (!value)
			return -1;
		*value++ = '\0';
		if (parameters_set(ret, one, strtod(value, NULL), &err))
			return -1;
	}
	return 0;
}

static int read_value(const struct column *column, char *text, struct row *ret)
{
	void *member = (char *)ret + column->offset;
	char *end = text;
	double value = *text ? strtod(text, &end) : NAN;

	if (column->kind == PARAMETERS)
		return read_parameters(text, member);
	if (column->kind == TEXT) {
		if (strlen(text) >= column->size)
			return -1;
		strcpy(member, text);
		return 0;
	}
	if (*end)
		return -1;
	if (column->kind == WHOLE || column->kind == COUNT) {
		if (!(value >= 0 && value <= INT32_MAX))
			return -1;
		*(uint32_t *)member = (uint32_t)value;
	} else {
		*(double *)member =
			value + (column->kind == TIME ? epoch_s : 0);
	}
	return 0;
}

static const struct column *find_column(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* The column that each field of the heading names, NULL if we do without it.
 * -1: some are missing. */
static int read_heading(char *line, const struct column *ret[COLUMNS_MAX])
{
	int wanted = 0, found = 0, at = 0;

	for (const struct column *c = columns; c->name; c++)
		wanted++;
	for (char *name; at < COLUMNS_MAX && (name = next_field(&line)); at++) {
		ret[at] = find_column(name);
		found += ret[at] != NULL;
	}
	return found == wanted && !line ? 0 : -1;
}

/* Texts are lent from the row, so it must stay where it is. */
static int read_row(char *line, const struct column *const heading[],
		    struct row *ret)
{
	int at = 0;

	for (char *text; at < COLUMNS_MAX && (text = next_field(&line)); at++)
		if (heading[at] && read_value(heading[at], text, ret))
			return -1;

	struct subject *subject = &ret->job.subject;
	const struct outcome *outcome = &ret->job.outcome;

	subject->cluster = ret->background;
	subject->account = ret->account;
	subject->partition = ret->partition;
	subject->application = &ret->application;
	return outcome->ended_at_s >= outcome->started_at_s ? 0 : -1;
}

/* How many rows, or -1 with what is wrong said. */
static int read_rows(const char *path, struct row *rows)
{
	const struct column *heading[COLUMNS_MAX] = { NULL };
	char line[LINE_MAX_BYTES];
	FILE *file = fopen(path, "re");
	int count = -1;

	if (!file) {
		fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
		return -1;
	}
	while (count < ROWS_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (count < 0 ? read_heading(line, heading)
			      : read_row(line, heading, &rows[count])) {
			fprintf(stderr, "replay: %s:%d: not as expected\n",
				path, count + 2);
			fclose(file);
			return -1;
		}
		count++;
	}
	fclose(file);
	return count;
}

/* --- Replaying ---------------------------------------------------------------- */

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

/* Slurm's starts are whole seconds, and may seem earlier than submissions. */
static size_t make_events(struct row *rows, int count, struct event *ret)
{
	size_t n = 0;

	for (int i = 0; i < count; i++) {
		struct row *row = &rows[i];
		uint64_t ticket = (uint64_t)i + 1;
		double submitted_s = row->job.subject.submitted_at_s;
		double started_s =
			fmax(submitted_s, row->job.outcome.started_at_s);

		ret[n++] =
			(struct event){ submitted_s, SUBMITTED, row, ticket };
		ret[n++] = (struct event){ started_s, STARTED, row, ticket };
		ret[n++] = (struct event){ fmax(started_s, row->known_s), ENDED,
					   row, ticket };
	}
	qsort(ret, n, sizeof(*ret), compare_events);
	return n;
}

static int tell(struct ensemble *ensemble, const struct event *event,
		struct sp_error *err)
{
	struct row *row = event->row;
	const struct past_job *job = &row->job;

	switch (event->what) {
	case SUBMITTED:
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
		return ensemble_end(ensemble, event->ticket, job, err);
	}
}

/* The rows of one campaign, which lie together. */
static int replay_campaign(struct row *rows, int count, struct sp_error *err)
{
	struct ensemble *ensemble = ensemble_create();
	struct event *events = calloc(3 * (size_t)count, sizeof(*events));
	int rc = -1;

	if (!ensemble || !events) {
		sp_error_set(err, "out of memory");
		goto out;
	}

	size_t n = make_events(rows, count, events);

	rc = 0;
	for (size_t i = 0; i < n && !rc; i++)
		rc = tell(ensemble, &events[i], err);
out:
	free(events);
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

/* --- Printing ------------------------------------------------------------------ */

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
	       row->job.subject.submitted_at_s - epoch_s,
	       outcome->ended_at_s - outcome->started_at_s,
	       model_name(&row->submitted));
	print_seconds(row->submitted.median_s);
	printf(",%s", model_name(&row->started));
	print_seconds(row->started.median_s);
	for (int i = 0; models[i]; i++)
		print_seconds(i < row->submitted.candidates_count
				      ? row->submitted.candidates_s[i]
				      : NAN);
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
		print_row(&rows[i]);
}

int main(int argc, char **argv)
{
	struct row *rows = calloc(ROWS_MAX, sizeof(*rows));
	struct sp_error err;
	int status = 1;

	if (argc != 2 || !rows) {
		fprintf(stderr, "usage: replay RUNS.CSV\n");
		free(rows);
		return 2;
	}

	int count = read_rows(argv[1], rows);

	if (count > 0 && replay_all(rows, count, &err))
		fprintf(stderr, "replay: %s\n", err.text);
	else if (count > 0)
		status = 0;
	if (status == 0)
		print_all(rows, count);
	free(rows);
	return status;
}
