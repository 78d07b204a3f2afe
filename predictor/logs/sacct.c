/* sacct.c - what `sacct --parsable2` prints
 *
 * The first line names the fields, in any order; those that are not known are
 * passed over.  Needed are an id (JobIDRaw or JobID), Submit, Start, End and
 * State; wanted are the rest of sacct_fields.
 *
 * Lines of steps are no runs, but tell the number of tasks where the job's own
 * line does not.  A text with '|' or a newline in it makes a line of more
 * fields, or several of fewer: both are put together again as far as the
 * values then fit their fields.
 *
 * Times without a zone are local, as sacct prints them (TZ says which).  A
 * user of whom the log has but the name gets the number that the system knows,
 * or one above 2^31 made from the name.  A task of an array without JobIDRaw
 * gets a job id above 2^31 likewise.
 *
 * A job is held back until the next one comes: its steps stand between.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "predictor/features/script/identify.h"
#include "predictor/logs/joblog.h"
#include "predictor/logs/users.h"
#include "predictor/slurm/sacct_record.h"

/* Of a record that goes on over several lines. */
#define RECORD_SIZE       STREAM_LINE_MAX
#define RECORD_SIZE_FIRST 1024
#define RECORD_LINES_MAX  1000

struct sacct {
	char cluster[RUN_NAME_SIZE];
	struct users *users;
	char *names; /* the header's line; NULL: not read yet */
	struct sacct_header header;

	bool by_id; /* records begin with an id */

	char *record; /* as far as it has come */
	size_t size, capacity;
	int lines; /* 0: there is none */
	int separators;

	bool held;
	struct run run;
};

/* --- From a record to a run ---------------------------------------------------- */

static void identify(const struct sacct_record *r, struct run *run)
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

/* Tasks of arrays have job ids of their own, which JobIDRaw tells. */
static void number_job(const struct sacct_record *r, struct run *run)
{
	const struct slurm_job_id *id = r->id.job ? &r->id : &r->raw_id;
	char text[32];

	if (id->array) {
		run->array_job_id = id->job;
		run->array_task_id = id->task;
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
	switch (r->memory.per) {
	case 'c':
		return r->memory.mb * r->run.cpus;
	case 'n':
		return r->memory.mb * r->run.nodes;
	default:
		return r->memory.mb;
	}
}

/* Whether it ran at all: jobs that were cancelled while they waited have a
 * start, too, in some releases. */
static bool has_run(const struct sacct_record *r)
{
	const struct run *run = &r->run;

	if (r->phase != SLURM_ENDED || r->id.waiting ||
	    !(run->started_at_s > 0) || !(run->ended_at_s > 0))
		return false;
	return run->state != RUN_CANCELLED ||
	       run->ended_at_s > run->started_at_s;
}

/* Complete r->run. */
static int make_run(struct sacct *s, struct sacct_record *r,
		    struct sp_error *err)
{
	struct run *run = &r->run;

	number_job(r, run);
	if (!(run->submitted_at_s > 0))
		return sp_error_set(err, "job %u: no time of submission",
				    run->job_id);
	if (run->ended_at_s < run->started_at_s)
		return sp_error_set(err, "job %u: ends before it starts",
				    run->job_id);
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
	identify(r, run);
	return 0;
}

/* --- Line after line -------------------------------------------------------------- */

/* Hand out the job that is held back. */
static void give_held(struct sacct *s, struct run *ret)
{
	*ret = s->run;
	if (ret->tasks == 0)
		ret->tasks = ret->cpus;
	s->held = false;
}

static enum joblog_rc take_record(struct sacct *s, struct sacct_record *r,
				  struct run *ret_run, struct sp_error *err)
{
	if (r->raw_id.step || r->id.step) {
		uint32_t job = r->raw_id.job ? r->raw_id.job : r->id.job;

		if (s->held && s->run.job_id == job &&
		    r->run.tasks > s->run.tasks)
			s->run.tasks = r->run.tasks;
		return JOBLOG_NOTHING;
	}
	if (!has_run(r))
		return JOBLOG_NO_RUN;
	if (make_run(s, r, err))
		return JOBLOG_BAD;

	bool held = s->held;

	if (held)
		give_held(s, ret_run);
	s->run = r->run;
	s->held = true;
	return held ? JOBLOG_RUN : JOBLOG_NOTHING;
}

/* Whether a record begins here, where records begin with an id; or the header
 * of another output, of several that were put together. */
static bool begins_record(const struct sacct *s, const char *line)
{
	size_t digits = strspn(line, "0123456789");
	size_t id = strspn(line, "0123456789_+[]-,%");

	return s->by_id &&
	       ((digits > 0 && (line[id] == '|' || line[id] == '.')) ||
		!strcmp(line, s->names));
}

/* Room for `size` bytes of the record and a terminator. */
static int reserve(struct sacct *s, size_t size, struct sp_error *err)
{
	size_t grown = s->capacity ? s->capacity : RECORD_SIZE_FIRST;

	if (size > RECORD_SIZE || s->lines == RECORD_LINES_MAX)
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

/* Put `line` behind what there is of its record. */
static int add_line(struct sacct *s, const char *line, struct sp_error *err)
{
	size_t length = strlen(line);

	if (s->lines == 0) {
		s->size = 0;
		s->separators = 0;
	}
	if (reserve(s, s->size + 1 + length, err)) {
		s->lines = 0;
		return -1;
	}
	if (s->lines > 0)
		s->record[s->size++] = '\n';
	memcpy(s->record + s->size, line, length + 1);
	s->size += length;
	s->lines++;
	for (; (line = strchr(line, '|')); line++)
		s->separators++;
	return 0;
}

/* Nothing follows what there is of a record. */
static enum joblog_rc end_record(struct sacct *s, struct run *ret_run,
				 struct sp_error *err)
{
	struct sacct_record record;

	s->lines = 0;
	if (sacct_record_read(&s->header, s->record, &record, err))
		return JOBLOG_BAD;
	return take_record(s, &record, ret_run, err);
}

static enum joblog_rc take_line(struct sacct *s, const char *line,
				struct run *ret_run, struct sp_error *err)
{
	if (add_line(s, line, err))
		return JOBLOG_BAD;
	/* A text at the end may go on in the next line, and only an id tells
	 * that it does not. */
	if (s->separators < s->header.count - 1 ||
	    (s->by_id && s->header.free[s->header.count - 1]))
		return JOBLOG_MORE;
	return end_record(s, ret_run, err);
}

static enum joblog_rc take_header(struct sacct *s, char *line,
				  struct sp_error *err)
{
	char *names = strdup(line);

	if (!names)
		return (enum joblog_rc)sp_error_set(err, "out of memory");
	if (sacct_header_read(line, &s->header, err)) {
		free(names);
		return JOBLOG_BAD;
	}
	s->names = names;
	s->by_id = !strncasecmp(names, "JobID", 5);
	return JOBLOG_NOTHING;
}

static enum joblog_rc take_end(struct sacct *s, struct run *ret_run,
			       struct sp_error *err)
{
	if (s->lines > 0) {
		enum joblog_rc rc = end_record(s, ret_run, err);

		if (rc != JOBLOG_NOTHING)
			return rc;
	}
	if (!s->held)
		return JOBLOG_NOTHING;
	give_held(s, ret_run);
	return JOBLOG_RUN;
}

static enum joblog_rc sacct_take(void *format, char *line, bool *ret_taken,
				 struct run *ret_run, struct sp_error *err)
{
	struct sacct *s = format;

	if (!line)
		return take_end(s, ret_run, err);
	if (!s->names)
		return *line ? take_header(s, line, err) : JOBLOG_NOTHING;
	if (s->lines > 0 && begins_record(s, line)) {
		*ret_taken = false;
		return end_record(s, ret_run, err);
	}
	if (s->lines == 0 && (!*line || !strcmp(line, s->names)))
		return JOBLOG_NOTHING;
	return take_line(s, line, ret_run, err);
}

/* --- The format --------------------------------------------------------------------- */

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
	s->users = users_create(config->ask_system);
	if (!s->users) {
		sacct_destroy(s);
		return NULL;
	}
	if (config->cluster)
		memccpy(s->cluster, config->cluster, '\0',
			sizeof(s->cluster) - 1);
	return s;
}

static const struct joblog_machine *sacct_machine(const void *format)
{
	static const struct joblog_machine nothing;

	(void)format;
	return &nothing;
}

const struct joblog_format joblog_sacct = {
	.name = "sacct",
	.help = "what sacct --parsable2 prints",
	.create = sacct_create,
	.destroy = sacct_destroy,
	.take = sacct_take,
	.machine = sacct_machine,
};
