/* SPDX-License-Identifier: GPL-2.0-or-later */
/* joblog.c - logs of finished jobs, run after run
 *
 * Reads line after line from the stream and passes each to the format, which
 * returns a run when one is complete.  A format that finds that a line begins
 * a new record gets the same line again after the run it returns.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/logs/joblog.h"

static const struct joblog_format *const formats[] = {
	&joblog_sacct,
	&joblog_swf,
	NULL,
};

const struct joblog_format *joblog_format_find(const char *name)
{
	for (int i = 0; formats[i]; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

struct joblog {
	const struct joblog_format *format;
	struct log_stream *stream;
	void *state;
	struct joblog_counts counts;

	char *line; /* lent from the stream; NULL: the end */
	bool ended;
	bool consumed;        /* the format is done with the line */
	uint64_t record_line; /* number of the first line of the record */
	bool continued;       /* the record goes on in the next line */
};

struct joblog *joblog_create(const struct joblog_format *format,
			     const struct joblog_config *config,
			     struct log_stream *stream, struct sp_error *err)
{
	struct joblog *log = calloc(1, sizeof(*log));

	if (!log) {
		log_stream_close(stream);
		return sp_error_null(err, "out of memory");
	}
	log->stream = stream;
	log->format = format;
	log->consumed = true;
	log->state = format->create(config);
	if (!log->state) {
		joblog_destroy(log);
		return sp_error_null(err, "out of memory");
	}
	return log;
}

void joblog_destroy(struct joblog *log)
{
	if (!log)
		return;
	if (log->state)
		log->format->destroy(log->state);
	log_stream_close(log->stream);
	free(log);
}

static void bad_line_count(struct joblog *log, const struct sp_error *why)
{
	struct joblog_counts *counts = &log->counts;

	counts->bad++;
	if (counts->bad_kept == JOBLOG_BAD_KEPT_MAX)
		return;
	counts->bad_lines[counts->bad_kept++] = (struct joblog_bad){
		.line = log->record_line,
		.why = *why,
	};
}

/* Read the next line that is usable; log->line is NULL at the end. */
static int line_read(struct joblog *log, struct sp_error *err)
{
	for (;;) {
		size_t length;
		int rc = log_stream_line(log->stream, &log->line, &length, err);
		struct sp_error why;

		if (rc < 0)
			return -1;
		if (rc == LOG_STREAM_END) {
			log->line = NULL;
			return 0;
		}
		log->counts.lines++;
		if (!log->continued)
			log->record_line = log->counts.lines;
		if (rc == LOG_STREAM_TOO_LONG)
			sp_error_set(&why, "above %d bytes",
				     LOG_STREAM_LINE_MAX);
		else if (strlen(log->line) != length)
			sp_error_set(&why, "a NUL byte");
		else
			return 0;
		bad_line_count(log, &why);
	}
}

int joblog_next(struct joblog *log, struct run *ret, struct sp_error *err)
{
	for (;;) {
		struct sp_error why;

		if (log->consumed && !log->ended && line_read(log, err))
			return -1;
		log->ended = !log->line;
		log->consumed = true;

		enum joblog_rc rc = log->format->read_line(
			log->state, log->line, &log->consumed, ret, &why);

		if (rc == JOBLOG_STOP)
			return sp_error_set(
				err, "%s:%llu: %.200s",
				log_stream_name(log->stream),
				(unsigned long long)log->record_line, why.text);
		if (rc == JOBLOG_BAD)
			bad_line_count(log, &why);
		log->continued = rc == JOBLOG_MORE;
		if (!log->consumed)
			log->record_line = log->counts.lines;
		if (rc == JOBLOG_NO_RUN)
			log->counts.no_runs++;
		if (rc == JOBLOG_RUN) {
			log->counts.runs++;
			return 1;
		}
		if (log->ended && rc == JOBLOG_NOTHING)
			return 0;
	}
}

const struct joblog_counts *joblog_counts(const struct joblog *log)
{
	return &log->counts;
}

const struct joblog_machine *joblog_machine(const struct joblog *log)
{
	static const struct joblog_machine nothing;

	return log->format->machine ? log->format->machine(log->state)
				    : &nothing;
}

const struct log_stream *joblog_stream(const struct joblog *log)
{
	return log->stream;
}

int joblog_read(const char *path, const struct joblog_format *format,
		const struct joblog_config *config, struct past_jobs *ret,
		struct joblog_counts *ret_counts,
		struct joblog_machine *ret_machine, struct sp_error *err)
{
	struct log_stream *stream = log_stream_open(path, err);
	struct joblog *log =
		stream ? joblog_create(format, config, stream, err) : NULL;
	struct run run;
	int rc;

	if (!log)
		return -1;
	past_jobs_init(ret);
	while ((rc = joblog_next(log, &run, err)) > 0) {
		struct past_job job;

		past_job_of_run(&run, &job);
		rc = past_jobs_add(ret, &job, err);
		if (rc)
			break;
	}
	if (rc)
		past_jobs_clear(ret);
	if (ret_counts)
		*ret_counts = *joblog_counts(log);
	if (ret_machine)
		*ret_machine = *joblog_machine(log);
	joblog_destroy(log);
	return rc;
}

/* Slurm's longest time limits are of this order. */
#define RUN_MAX_S (400 * 86400.0)

int joblog_check_span(uint32_t job_id, double seconds, struct sp_error *err)
{
	if (!(seconds > RUN_MAX_S))
		return 0;
	return sp_error_set(err,
			    "job %u: ran for %.1f years: a clock was wrong",
			    job_id, seconds / (365.25 * 86400));
}
