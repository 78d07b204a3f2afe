/* SPDX-License-Identifier: GPL-2.0-or-later */
/* joblog.h - logs of finished jobs, run after run
 *
 * A format is one file and one row of the table.  Lines that cannot be
 * understood are counted, the first of them kept for a report, and reading
 * goes on.  Lines of jobs that never ran, or still run, are skipped.
 */
#pragma once

#include "predictor/base/error.h"
#include "predictor/features/past_jobs.h"
#include "predictor/features/run.h"
#include "predictor/logs/log_stream.h"

#define JOBLOG_BAD_KEPT_MAX 10 /* bad lines kept for a report */

/* The machine, as far as the log describes it. */
struct joblog_machine {
	double epoch_s;      /* of its times; 0: absolute times, or unknown */
	uint32_t processors; /* 0: unknown */
	uint32_t nodes;      /* 0: unknown */
	char computer[128];  /* empty: unknown */
};

struct joblog_config {
	const char *delimiter; /* of sacct's fields, if it is not "|" */
	const char *cluster;   /* of all runs; NULL or empty: as the log says */
	bool look_up_users;    /* ask the system for the numbers of users of
				whom the log has only names */
};

/* The result of a line. */
enum joblog_rc {
	JOBLOG_STOP = -2, /* the file is something else; *err says why; no
			     more lines are read */
	JOBLOG_BAD,       /* *err says why */
	JOBLOG_NOTHING,   /* no job: a header, a comment, a step */
	JOBLOG_NO_RUN,    /* a job that never ran, or has not ended */
	JOBLOG_RUN,       /* *ret_run is set */
	JOBLOG_MORE,      /* the record goes on in the next line */
};

struct joblog_format {
	const char *name; /* as in "spredict import NAME" */
	const char *help; /* one line */

	void *(*create)(const struct joblog_config *config); /* NULL: out of
								memory */
	void (*destroy)(void *format);

	/* Read the next line, which may be changed, or NULL at the end, until
	 * that returns JOBLOG_NOTHING.  Where *ret_consumed becomes false, the
	 * result is about the lines before, and the caller passes this line
	 * again.  *ret_run may be overwritten in any case. */
	enum joblog_rc (*read_line)(void *format, char *line,
				    bool *ret_consumed, struct run *ret_run,
				    struct sp_error *err);

	/* NULL: such logs do not describe it. */
	const struct joblog_machine *(*machine)(const void *format);
};

extern const struct joblog_format joblog_swf, joblog_sacct;

/* Return the one of that name; NULL: there is none. */
const struct joblog_format *joblog_format_find(const char *name);

struct joblog_bad {
	uint64_t line;
	struct sp_error why;
};

struct joblog_counts {
	uint64_t lines, runs;
	uint64_t no_runs; /* jobs that never ran, or have not ended */
	uint64_t bad;
	size_t bad_kept;
	struct joblog_bad bad_lines[JOBLOG_BAD_KEPT_MAX]; /* the first ones */
};

struct joblog;

/* Read from `stream`, which is closed with the log, even if this fails. */
struct joblog *joblog_create(const struct joblog_format *format,
			     const struct joblog_config *config,
			     struct log_stream *stream, struct sp_error *err);
void joblog_destroy(struct joblog *log); /* NULL is allowed */

/* Find the next run, with application, texts and times; its conditions are
 * unknown. 1; 0: the end; -1: the file cannot be read any further. */
int joblog_next(struct joblog *log, struct run *ret, struct sp_error *err);

/* Up to the last run read. */
const struct joblog_counts *joblog_counts(const struct joblog *log);
const struct joblog_machine *joblog_machine(const struct joblog *log);
const struct log_stream *joblog_stream(const struct joblog *log);

/* Read a whole file ("-": the standard input) at once.  ret_counts and
 * ret_machine may be NULL.  The caller clears *ret with past_jobs_clear(). */
int joblog_read(const char *path, const struct joblog_format *format,
		const struct joblog_config *config, struct past_jobs *ret,
		struct joblog_counts *ret_counts,
		struct joblog_machine *ret_machine, struct sp_error *err);

/* --- For the formats ------------------------------------------------------ */

/* Fails if a job ran for longer than any machine lets it: a clock was wrong. */
int joblog_check_span(uint32_t job_id, double seconds, struct sp_error *err);
