/* joblog.h - logs of jobs that have ended, run after run
 *
 * A format is one file and one row of the table.  What a line has that makes
 * no sense is counted, and the first of such lines are named; reading goes on.
 * Lines of jobs that never ran, or still run, are passed over.
 */
#ifndef PREDICTOR_LOGS_JOBLOG_H
#define PREDICTOR_LOGS_JOBLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predictor/base/error.h"
#include "predictor/features/past_jobs.h"
#include "predictor/features/run.h"
#include "predictor/logs/log_stream.h"

#define JOBLOG_NAMED_MAX 10 /* bad lines that are named */

/* What the log says of its machine, as far as it does. */
struct joblog_machine {
	double epoch_s;      /* what its times count from; 0: they are absolute,
				or nobody knows */
	uint32_t processors; /* 0: not told */
	uint32_t nodes;      /* 0: not told */
	char computer[128];  /* empty: not told */
};

struct joblog_config {
	const char *cluster; /* that the runs are of; NULL or empty: what the
				log says */
	bool ask_system;     /* for the numbers of users that have only names in
			    the log */
};

/* What came of a line. */
enum joblog_rc {
	JOBLOG_BAD = -1, /* *err says why */
	JOBLOG_NOTHING,  /* it holds no run, nor should it */
	JOBLOG_NO_RUN,   /* a job that never ran, or has not ended */
	JOBLOG_RUN,      /* *ret_run is set */
	JOBLOG_MORE,     /* it is the beginning of something */
};

struct joblog_format {
	const char *name; /* as in "spredict import NAME" */
	const char *help; /* one line */

	void *(*create)(const struct joblog_config *config); /* NULL: out of
								memory */
	void (*destroy)(void *format);

	/* Take the next line, which may be changed, or NULL: the end, to be
	 * called until it gives JOBLOG_NOTHING.  With *ret_taken false the
	 * call was about earlier lines, and is to be made again.  *ret_run may
	 * be overwritten in any case. */
	enum joblog_rc (*take)(void *format, char *line, bool *ret_taken,
			       struct run *ret_run, struct sp_error *err);

	const struct joblog_machine *(*machine)(const void *format);
};

extern const struct joblog_format joblog_swf, joblog_sacct;

/* All of them; ends with NULL. */
extern const struct joblog_format *const joblog_formats[];

struct joblog_bad {
	uint64_t line;
	struct sp_error why;
};

struct joblog_counts {
	uint64_t lines;
	uint64_t runs;
	uint64_t no_runs; /* jobs that never ran, or have not ended */
	uint64_t bad;
	size_t named;
	struct joblog_bad bad_lines[JOBLOG_NAMED_MAX]; /* the first `named` */
};

struct joblog;

/* Read from `stream`, which is taken even if this fails. */
struct joblog *joblog_create(const struct joblog_format *format,
			     const struct joblog_config *config,
			     struct stream *stream, struct sp_error *err);
void joblog_destroy(struct joblog *log); /* NULL is allowed */

/* The next run; application, texts and times are set, `before` is not known.
 * 1; 0: the end; -1: the file cannot be read any further. */
int joblog_next(struct joblog *log, struct run *ret, struct sp_error *err);

/* As of now. */
const struct joblog_counts *joblog_counts(const struct joblog *log);
const struct joblog_machine *joblog_machine(const struct joblog *log);
const struct stream *joblog_stream(const struct joblog *log);

/* A whole file ("-": the standard input) at once.  ret_counts and ret_machine
 * may be NULL.  The caller clears *ret with past_jobs_clear(). */
int joblog_read(const char *path, const struct joblog_format *format,
		const struct joblog_config *config, struct past_jobs *ret,
		struct joblog_counts *ret_counts,
		struct joblog_machine *ret_machine, struct sp_error *err);

#endif
