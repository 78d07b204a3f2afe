/* import_sacct.c - what sacct says, slice after slice of time
 *
 * slurmdbd answers a question over years badly, if at all, and keeps everybody
 * else waiting meanwhile.  So it is asked for a day at a time, and for less
 * where a day has very many jobs or takes very long.
 *
 * How far this has come is kept in a small file, so that an import that was
 * broken off, or made again later, goes on where it was.
 */
#include <math.h>
#include <stdio.h>

#include "predictor/base/clock.h"
#include "predictor/cli/cmd_import.h"
#include "predictor/cli/import_state.h"
#include "predictor/cli/moment.h"
#include "predictor/slurm/sacct_record.h"
#include "predictor/slurm/slurm_command.h"

#define SLICE_MAX_S 86400.0
#define SLICE_MIN_S 900.0

/* More jobs than that in a slice make the next one shorter; fewer, longer. */
#define SLICE_JOBS_MAX 50000
#define SLICE_JOBS_MIN 5000

/* For the first line of a slice: slurmdbd sends nothing until it has all. */
#define SACCT_TIMEOUT_S 300

/* Where nobody says since when. */
#define SINCE_DEFAULT_S (365 * 86400.0)

/* --- sacct -------------------------------------------------------------------- */

/* Start sacct for the jobs that ended in a slice. */
static struct slurm_command *start_sacct(const struct cli *cli, double from_s,
					 double to_s, struct sp_error *err)
{
	char start[32], end[32], format[512], clusters[RUN_NAME_SIZE + 16];
	const char *const argv[] = { "sacct",
				     "--allusers",
				     "--allocations",
				     "--parsable2",
				     "--noconvert",
				     "--duplicates",
				     "--state=BF,CA,CD,DL,F,NF,OOM,PR,TO",
				     start,
				     end,
				     format,
				     cli->cluster ? clusters : NULL,
				     NULL };

	/* Seconds since the epoch: no hour is ambiguous, or missing, when
	 * clocks change. */
	snprintf(start, sizeof(start), "--starttime=uts%.0f", from_s);
	snprintf(end, sizeof(end), "--endtime=uts%.0f", to_s);
	snprintf(format, sizeof(format), "--format=%s", sacct_fields);
	if (cli->cluster)
		snprintf(clusters, sizeof(clusters), "--clusters=%s",
			 cli->cluster);
	/* The output is read from its descriptor, so it has no limit here. */
	return slurm_command_start(argv, SACCT_TIMEOUT_S, 0, err);
}

/* --- One slice ------------------------------------------------------------------ */

/* 0; 1: sacct took too long, nothing was imported; -1. */
static int import_slice(struct import *im, double from_s, double to_s,
			double share_from, double share_to,
			struct sp_error *err)
{
	const struct joblog_config config = { .cluster = im->cli->cluster,
					      .look_up_users = true };
	char name[64], moment[MOMENT_TEXT_SIZE];
	struct joblog *log = NULL;
	struct slurm_command *sacct = start_sacct(im->cli, from_s, to_s, err);

	if (!sacct)
		return -1;
	if (slurm_command_wait_output(sacct)) {
		slurm_command_destroy(sacct);
		return 1;
	}
	snprintf(name, sizeof(name), "sacct since %s",
		 moment_format(from_s, moment));

	struct log_stream *stream =
		log_stream_open_fd(slurm_command_take_fd(sacct), name, err);

	if (stream)
		log = joblog_create(&joblog_sacct, &config, stream, err);

	int rc =
		log ? import_log(im, log, name, share_from, share_to, err) : -1;

	/* What went wrong here is the better reason. */
	if (rc == 0)
		rc = slurm_command_finish(sacct, err);
	slurm_command_destroy(sacct);
	return rc;
}

/* --- All of them ------------------------------------------------------------------ */

/* The bounds of the whole, as far as they are given. */
static void find_bounds(const struct import *im,
			const struct import_state *state, double *ret_from_s,
			double *ret_to_s)
{
	double now_s = floor(clock_now_s());

	*ret_to_s = fmin(now_s, isnan(im->until_s) ? now_s : im->until_s);
	if (!isnan(im->since_s))
		*ret_from_s = im->since_s;
	else if (state->done_s > 0 && !im->restart)
		*ret_from_s = state->since_s;
	else
		*ret_from_s = *ret_to_s - SINCE_DEFAULT_S;
	/* What lies behind us without a gap is done. */
	if (!im->restart && state->done_s > *ret_from_s &&
	    state->since_s <= *ret_from_s)
		*ret_from_s = state->done_s;
}

static void keep_state(const struct import *im, struct import_state *state,
		       double from_s, double to_s)
{
	struct sp_error why;

	if (!im->sender)
		return;
	if (!(state->since_s <= from_s && state->done_s >= from_s))
		state->since_s = from_s;
	state->done_s = to_s;
	if (import_state_write(im->cluster, state, &why))
		cli_note(im->cli, "how far this came is not kept: %s",
			 why.text);
}

/* How long the next slice shall be. */
static double adapt(double length_s, size_t jobs)
{
	if (jobs > SLICE_JOBS_MAX)
		return fmax(length_s / 2, SLICE_MIN_S);
	if (jobs < SLICE_JOBS_MIN)
		return fmin(length_s * 2, SLICE_MAX_S);
	return length_s;
}

static int import_slices(struct import *im, struct import_state *state,
			 double from_s, double to_s, struct sp_error *err)
{
	double length_s = SLICE_MAX_S;
	double all_s = to_s - from_s, at_s = from_s;

	while (at_s < to_s) {
		double end_s = fmin(at_s + length_s, to_s);
		size_t before = im->runs;
		int rc = import_slice(im, at_s, end_s, (at_s - from_s) / all_s,
				      (end_s - from_s) / all_s, err);

		if (rc > 0 && length_s > SLICE_MIN_S) {
			length_s = fmax(length_s / 2, SLICE_MIN_S);
			continue;
		}
		if (rc > 0)
			return sp_error_set(err, "sacct gave no answer in %d s",
					    SACCT_TIMEOUT_S);
		if (rc || (im->sender && sender_flush(im->sender, err)))
			return -1;
		keep_state(im, state, at_s, end_s);
		at_s = end_s;
		length_s = adapt(length_s, im->runs - before);
	}
	return 0;
}

int import_sacct(struct import *im, struct sp_error *err)
{
	struct import_state state;
	double from_s, to_s;
	char from[MOMENT_TEXT_SIZE], to[MOMENT_TEXT_SIZE];

	if (!*im->cluster)
		im->cluster = "linux"; /* Slurm's own default */
	import_state_read(im->cluster, &state);
	find_bounds(im, &state, &from_s, &to_s);
	cli_note(im->cli, "jobs that ended between %s and %s",
		 moment_format(from_s, from), moment_format(to_s, to));
	/* Slices bound what is asked for: the jobs' own ends need not be. */
	im->since_s = im->until_s = NAN;
	return import_slices(im, &state, from_s, to_s, err);
}
