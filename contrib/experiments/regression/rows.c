/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - the runs of a dataset, as dataset.py writes it */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/experiments/regression/rows.h"

enum { COLUMNS_MAX = 100, LINE_MAX_BYTES = 8192 };

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

/* Return the next field of *rest, without its quotes, which are used for
 * commas alone; NULL: there is none. */
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
	if (column->kind == COUNT && !*text) {
		*(int *)member = -1;
	} else if (column->kind == WHOLE || column->kind == COUNT) {
		if (!(value >= 0 && value <= INT32_MAX))
			return -1;
		*(uint32_t *)member = (uint32_t)value;
	} else {
		*(double *)member =
			value + (column->kind == TIME ? ROWS_EPOCH_S : 0);
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

/* Read the column that each field of the heading names, NULL if we do without
 * it. -1: some are missing. */
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
	subject->qos = subject->features = subject->gres = "";
	subject->traits = "";
	subject->application = &ret->application;
	return outcome->ended_at_s >= outcome->started_at_s ? 0 : -1;
}

int rows_load(const char *path, struct row *rows)
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
