/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct.c - what `sacct --parsable2` prints
 *
 * The first line names the fields, in any order; unknown ones are skipped.
 * Required are an id (JobIDRaw or JobID), Submit, Start, End and State; the
 * other ones of sacct_fields are used where they are there.
 *
 * Lines of steps are no runs, but have the number of tasks where the job's own
 * line lacks it, and what was used: a job is held until the next one.  A text
 * with '|' or a newline in it makes a line of too many fields, or several of
 * too few: lines are joined, up to one that begins as records do, and fields
 * too, where the values then fit.  A user can thus forge records; not so where
 * the delimiter is a secret, as in our own calls of sacct.  Fields may be in
 * double quotes (quoted_fields.h).  Times without a zone are local (TZ).  A
 * user of whom the log has only the name gets the uid that the system knows, or
 * one above 2^31 made from the name.  A task of an array without JobIDRaw gets
 * a job id above 2^31 likewise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/features/script/identify.h"
#include "predictor/logs/joblog.h"
#include "predictor/logs/quoted_fields.h"
#include "predictor/logs/submit_order.h"
#include "predictor/logs/users.h"
#include "predictor/slurm/sacct_use.h"

/* A record may go on over several lines. */
#define RECORD_SIZE       LOG_STREAM_LINE_MAX
#define RECORD_SIZE_FIRST 1024
#define RECORD_LINES_MAX  1000

/* The header is among the first lines, or the file is something else. */
#define HEADER_LINES_MAX 20

struct sacct {
	char cluster[RUN_NAME_SIZE];
	struct users *users;
	char *names; /* the header's line; NULL: not read yet */
	struct sacct_header header;

	int unread; /* lines before the header, and why they are none */
	struct sp_error why;
	bool exact; /* the delimiter is in no text, and the last field has no
		       newline: fields are counted */
	char delimiter[SACCT_DELIMITER_SIZE]; /* empty: found in the header */
	char quoted; /* the delimiter of a file with quotes, else 0 */
	bool again;  /* the line was not consumed, but has no quotes any more */

	char *record; /* the lines read of it so far */
	size_t size, capacity;
	int lines; /* of the record; 0: it has none yet */
	int separators;

	bool held;
	struct run run;
	bool has_steps; /* the lines that follow may be its steps */
	bool in_part;   /* it was resized: of its use the begin is missing */

	/* The last job that was resized, which is one run. */
	struct slurm_job_id resized;
	double resized_at_s;  /* its first start */
	double resized_ran_s; /* in its records so far */
};

/* --- From a record to a run ----------------------------------------------- */

static void application_find(const struct sacct_record *r, struct run *run)
{
	struct submission job;

	if (r->script) {
		submission_init(&job);
		job.name = run->job_name;
		job.script = r->script;
		application_identify(&job, &run->application);
	} else if (r->submit_line) {
		application_from_submit_line(r->submit_line, run->job_name,
					     &run->application);
	} else {
		application_from_name(run->job_name, &run->application);
	}
}

/* Tasks of arrays have job ids of their own, in JobIDRaw. */
static void job_number(const struct sacct_record *r, struct run *run)
{
	const struct slurm_job_id *id = r->id.job ? &r->id : &r->raw_id;
	char text[32];

	if (id->array) {
		run->array_job_id = id->job;
		run->array_task_id = id->task;
	}
	if (id->heterogeneous) {
		run->het_job_id = id->job;
		run->het_offset = id->component;
	}
	run->job_id = r->raw_id.array ? 0 : r->raw_id.job;
	if (run->job_id)
		return;
	if (id->array) {
		snprintf(text, sizeof(text), "%u_%u", id->job, id->task);
		run->job_id = users_made_number(text);
	} else {
		run->job_id = id->job + id->component;
	}
}

static double memory_mb(const struct sacct_record *r)
{
	char per = r->memory.per;

	return r->memory.mb * (per == 'c'   ? r->run.cpus
			       : per == 'n' ? r->run.nodes
					    : 1);
}

/* Return whether it ran at all: jobs that were cancelled while they waited
 * have a start, too, in some releases. */
static bool record_has_run(const struct sacct_record *r)
{
	const struct run *run = &r->run;

	if (r->phase != SLURM_ENDED || r->id.waiting ||
	    !(run->started_at_s > 0) || !(run->ended_at_s > 0))
		return false;
	return run->state != RUN_CANCELLED ||
	       run->ended_at_s > run->started_at_s;
}

/* Jobs may be held for years. */
#define WAIT_MAX_S (10 * 365.25 * 86400)

/* Make the run time what sacct says: for the rest of the time from start to end
 * the job was suspended, or the clock was put back. */
static int times_correct(const struct sacct_record *r, double before_s,
			 struct run *run, struct sp_error *err)
{
	double spent_s = run->ended_at_s - run->started_at_s;
	double ran_s = isnan(r->elapsed_s) ? spent_s - r->suspended_s
					   : r->elapsed_s + before_s;

	if (spent_s < 0 && !isnan(r->elapsed_s))
		run->ended_at_s = run->started_at_s + ran_s;
	else if (spent_s < 0)
		return sp_error_set(err, "job %u: ends before it starts",
				    run->job_id);
	else if (ran_s >= 0 && ran_s < spent_s)
		run->suspended_s = spent_s - ran_s;
	/* Seconds that wrapped around 32 bits are years, too. */
	return joblog_check_span(run->job_id, fmax(spent_s, ran_s), err);
}

/* A record of a resized job: its run goes on in a later one. */
static void note_resized(struct sacct *s, const struct sacct_record *r)
{
	bool known = s->resized.job && s->resized.job == r->raw_id.job;

	if (!r->raw_id.job || !(r->run.started_at_s > 0))
		return;
	if (!known) {
		s->resized_at_s = r->run.started_at_s;
		s->resized_ran_s = 0;
	}
	s->resized = r->raw_id;
	s->resized_ran_s += isnan(r->elapsed_s)
				    ? r->run.ended_at_s - r->run.started_at_s
				    : r->elapsed_s;
}

/* Complete r->run, which began in a record before if it was resized. */
static int run_complete(struct sacct *s, struct sacct_record *r, bool resized,
			struct sp_error *err)
{
	struct run *run = &r->run;

	job_number(r, run);
	if (resized)
		run->started_at_s = s->resized_at_s;
	if (times_correct(r, resized ? s->resized_ran_s : 0, run, err))
		return -1;
	/* Not known, or from a clock that was wrong. */
	if (!(run->submitted_at_s > run->started_at_s - WAIT_MAX_S) ||
	    run->submitted_at_s > run->started_at_s)
		run->submitted_at_s = run->started_at_s;
	if (!r->user_known)
		run->user_id = *run->user ? users_number(s->users, run->user)
					  : UINT32_MAX;
	if (*s->cluster)
		memcpy(run->cluster, s->cluster, sizeof(run->cluster));
	if (run->nodes == 0)
		run->nodes = 1;
	if (run->cpus == 0)
		run->cpus = run->nodes;
	run->memory_mb = memory_mb(r);
	conditions_init(&run->before);
	application_find(r, run);
	submit_order_read(r->submit_line, run);
	return 0;
}

/* --- Lines ---------------------------------------------------------------- */

/* Return the job that was held for its steps. */
static void held_run_return(struct sacct *s, struct run *ret)
{
	*ret = s->run;
	if (ret->tasks == 0)
		ret->tasks = ret->cpus;
	if (s->in_part)
		ret->cpu_s = ret->peak_memory_mb = ret->energy_j =
			ret->gpus_busy = 0;
	s->held = false;
}

static enum joblog_rc record_use(struct sacct *s, struct sacct_record *r,
				 struct run *ret_run, struct sp_error *err)
{
	if (r->raw_id.step || r->id.step) {
		uint32_t job = r->raw_id.job ? r->raw_id.job : r->id.job;

		if (s->has_steps && s->run.job_id == job)
			sacct_use_add(&s->run, &r->run);
		return JOBLOG_NOTHING;
	}
	s->has_steps = false;
	if (r->resized) {
		note_resized(s, r);
		return JOBLOG_NOTHING;
	}
	if (!record_has_run(r))
		return JOBLOG_NO_RUN;

	bool held = s->held;
	bool resized = s->resized.job && s->resized.job == r->raw_id.job &&
		       s->resized_at_s < r->run.started_at_s;

	if (run_complete(s, r, resized, err))
		return JOBLOG_BAD;

	if (held)
		held_run_return(s, ret_run);
	s->run = r->run;
	s->run.cpu_s = 0; /* that of its steps, if they are there */
	s->held = s->has_steps = true;
	s->in_part = resized;
	return held ? JOBLOG_RUN : JOBLOG_NOTHING;
}

/* Return whether a copy of the line reads as a header, or as a
 * whole record. */
static bool line_reads(const struct sacct *s, const char *line, bool as_header)
{
	struct sacct_header header;
	struct sacct_record record;
	char *copy = strdup(line);
	bool reads = false;

	if (copy && as_header)
		reads = !sacct_header_read(copy, s->header.delimiter, &header,
					   NULL);
	else if (copy)
		reads = !sacct_record_read(&s->header, copy, &record, NULL);
	free(copy);
	return reads;
}

/* Outputs may have been put together, with other fields in each. */
static bool line_is_header(const struct sacct *s, const char *line)
{
	return !strcmp(line, s->names) ||
	       (!s->exact && strcasestr(line, "JobID") &&
		line_reads(s, line, true));
}

/* Return whether the record before has ended: a text at its end may go on in
 * this line.  One without all fields yet ends only before an id at the begin of
 * the line, since anything may stand in the rest of it. */
static bool line_begins_record(const struct sacct *s, const char *line)
{
	bool complete = s->separators >= s->header.count - 1;
	bool by_id = !strncasecmp(s->names, "JobID", 5);

	return !s->exact && (complete || by_id) &&
	       (sacct_line_begins_record(&s->header, line) ||
		(complete && line_reads(s, line, false)));
}

/* Room for `size` bytes of the record and a terminator. */
static int record_reserve(struct sacct *s, size_t size, struct sp_error *err)
{
	size_t grown = s->capacity ? s->capacity : RECORD_SIZE_FIRST;

	if (size > RECORD_SIZE || (s->lines == RECORD_LINES_MAX && !s->exact))
		return sp_error_set(err, "above %d bytes or %d lines",
				    RECORD_SIZE, RECORD_LINES_MAX);
	if (size < s->capacity)
		return 0;
	while (grown <= size)
		grown *= 2;

	char *record = realloc(s->record, grown);

	if (!record)
		return sp_error_set(err, "out of memory");
	s->record = record;
	s->capacity = grown;
	return 0;
}

/* Append a line to its record. */
static int record_append(struct sacct *s, const char *line,
			 struct sp_error *err)
{
	size_t length = strlen(line);

	if (s->lines == 0) {
		s->size = 0;
		s->separators = 0;
	}
	if (record_reserve(s, s->size + 1 + length, err)) {
		s->lines = 0;
		return -1;
	}
	if (s->lines > 0)
		s->record[s->size++] = '\n';
	memcpy(s->record + s->size, line, length + 1);
	s->size += length;
	s->lines++;
	for (; (line = strstr(line, s->header.delimiter));
	     line += strlen(s->header.delimiter))
		s->separators++;
	return 0;
}

/* The record is complete. */
static enum joblog_rc record_finish(struct sacct *s, struct run *ret_run,
				    struct sp_error *err)
{
	struct sacct_record record;

	s->lines = 0;
	if (sacct_record_read(&s->header, s->record, &record, err))
		return JOBLOG_BAD;
	return record_use(s, &record, ret_run, err);
}

static enum joblog_rc line_use(struct sacct *s, const char *line,
			       struct run *ret_run, struct sp_error *err)
{
	if (record_append(s, line, err))
		return JOBLOG_BAD;
	/* A text at the end may go on in the next line: only the next record
	 * ends it. */
	if (s->separators < s->header.count - 1 ||
	    (!s->exact && s->header.free[s->header.count - 1]))
		return JOBLOG_MORE;
	return record_finish(s, ret_run, err);
}

static int header_use(struct sacct *s, char *line, struct sp_error *err)
{
	char *names = strdup(line);

	if (!names)
		return sp_error_set(err, "out of memory");
	if (sacct_header_read(line, *s->delimiter ? s->delimiter : NULL,
			      &s->header, err)) {
		free(names);
		return -1;
	}
	free(s->names);
	s->names = names;
	s->exact =
		s->header.delimiter[1] && !s->header.free[s->header.count - 1];
	return 0;
}

/* Lines before the header may be messages of a shell or of sacct. */
static enum joblog_rc header_search(struct sacct *s, char *line,
				    struct sp_error *err)
{
	bool has_names = strcasestr(line, "JobID") != NULL;
	struct sp_error why;

	if (!*line || !header_use(s, line, &why))
		return JOBLOG_NOTHING;
	if (s->unread++ == 0 || has_names)
		s->why = why;
	if (s->unread < HEADER_LINES_MAX && !has_names)
		return JOBLOG_NOTHING;
	*err = s->why;
	return JOBLOG_STOP;
}

static enum joblog_rc log_finish(struct sacct *s, struct run *ret_run,
				 struct sp_error *err)
{
	if (!s->names && s->unread > 0) {
		*err = s->why;
		return JOBLOG_STOP;
	}
	if (s->lines > 0) {
		enum joblog_rc rc = record_finish(s, ret_run, err);

		if (rc != JOBLOG_NOTHING)
			return rc;
	}
	if (!s->held)
		return JOBLOG_NOTHING;
	held_run_return(s, ret_run);
	return JOBLOG_RUN;
}

/* Spreadsheets and data frames put quotes around fields: all, or those with a
 * comma. */
static void line_unquote(struct sacct *s, char *line)
{
	if (!s->names && !*s->delimiter) {
		s->quoted = quoted_fields_delimiter(line);
		if (s->quoted)
			strcpy(s->delimiter, QUOTED_FIELDS_SEPARATOR);
	}
	if (s->quoted)
		quoted_fields_read(line, s->quoted, *QUOTED_FIELDS_SEPARATOR);
	else if (s->names && !strcmp(s->header.delimiter, ","))
		quoted_fields_read(line, ',', ',');
}

static enum joblog_rc sacct_read_line(void *format, char *line,
				      bool *ret_consumed, struct run *ret_run,
				      struct sp_error *err)
{
	struct sacct *s = format;

	if (!line)
		return log_finish(s, ret_run, err);
	if (!s->again)
		line_unquote(s, line);
	s->again = false;
	if (!s->names)
		return header_search(s, line, err);

	bool is_header = line_is_header(s, line);

	if (s->lines > 0 && (is_header || line_begins_record(s, line))) {
		*ret_consumed = false;
		s->again = true;
		return record_finish(s, ret_run, err);
	}
	if (is_header && strcmp(line, s->names) != 0)
		return header_use(s, line, err) ? JOBLOG_BAD : JOBLOG_NOTHING;
	if (s->lines == 0 && (!*line || is_header))
		return JOBLOG_NOTHING;
	return line_use(s, line, ret_run, err);
}

/* --- The format ----------------------------------------------------------- */

static void sacct_destroy(void *format)
{
	struct sacct *s = format;

	users_destroy(s->users);
	free(s->record);
	free(s->names);
	free(s);
}

static void *sacct_create(const struct joblog_config *config)
{
	struct sacct *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->users = users_create(config->look_up_users);
	if (!s->users) {
		sacct_destroy(s);
		return NULL;
	}
	if (config->delimiter)
		snprintf(s->delimiter, sizeof(s->delimiter), "%s",
			 config->delimiter);
	if (config->cluster)
		memccpy(s->cluster, config->cluster, '\0',
			sizeof(s->cluster) - 1);
	return s;
}

const struct joblog_format joblog_sacct = {
	.name = "sacct",
	.help = "what sacct --parsable2 prints",
	.create = sacct_create,
	.destroy = sacct_destroy,
	.read_line = sacct_read_line,
};
