/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_sacct.c - import from sacct, one slice of time after the other
 *
 * A query over years takes slurmdbd very long, or fails, and delays all of its
 * other clients.  So a query covers one day, and less where a day has very many
 * jobs or takes very long.
 *
 * The end of the last slice is kept in a small file, so that an import that was
 * interrupted, or is repeated later, continues there.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/error.h"
#include "predictor/cli/import/cmd_import.h"
#include "predictor/cli/timestamp.h"
#include "predictor/slurm/sacct_record.h"
#include "predictor/slurm/slurm_command.h"

#define SLICE_MAX_S 86400.0
#define SLICE_MIN_S 900.0

/* With more jobs in a slice the next one is shorter, with fewer longer. */
#define SLICE_JOBS_MAX 50000
#define SLICE_JOBS_MIN 5000

/* For the first line of a slice: slurmdbd sends nothing until it has all. */
#define SACCT_TIMEOUT_S 300

#define HELP_TIMEOUT_S 10
#define HELP_BYTES_MAX 65536

/* Without --since. */
#define SINCE_DEFAULT_S (365 * 86400.0)

/* --- What has been imported ----------------------------------------------- */

struct import_state {
	double since_s, done_s; /* both 0: none */
};

/* The file, in XDG_STATE_HOME, else ~/.local/state, has the range of time in
 * which all jobs that ended have been imported.  If it is lost, the next import
 * only takes longer. */
#define NAME_FORMAT "import-%s"
#define TEXT_FORMAT "since=%.0f\ndone=%.0f\n"
#define TEXT_MAX    256

/* The folder, created if it is missing and `mode` is not 0; -1: there
 * is none. */
static int open_folder(unsigned mode, struct sp_error *err)
{
	static const char *const below_home[] = { ".local", "state",
						  "slurm-predict", NULL };
	const char *state = getenv("XDG_STATE_HOME");
	const char *top = state && *state ? state : getenv("HOME");
	const char *const *names = below_home + (top == state ? 2 : 0);

	if (!top || !*top)
		return sp_error_set(err, "HOME is not set");

	int fd = durable_folder(AT_FDCWD, top, 0, err);

	for (; fd >= 0 && *names; names++) {
		int next = durable_folder(fd, *names, mode, err);

		close(fd);
		fd = next;
	}
	return fd;
}

/* A file that cannot be read counts as none. */
static void import_state_read(const char *cluster, struct import_state *ret)
{
	char name[96], *text;
	int fd = open_folder(0, NULL);
	size_t size;
	struct import_state state;

	*ret = (struct import_state){ 0, 0 };
	if (fd < 0)
		return;
	snprintf(name, sizeof(name), NAME_FORMAT, cluster);
	if (!durable_read(fd, name, TEXT_MAX, &text, &size, NULL)) {
		if (sscanf(text, "since=%lf done=%lf", &state.since_s,
			   &state.done_s) == 2 &&
		    state.since_s >= 0 && state.since_s < state.done_s)
			*ret = state;
		free(text);
	}
	close(fd);
}

static int import_state_write(const char *cluster,
			      const struct import_state *state,
			      struct sp_error *err)
{
	char name[96], text[TEXT_MAX];
	int fd = open_folder(0700, err);

	if (fd < 0)
		return -1;
	snprintf(name, sizeof(name), NAME_FORMAT, cluster);

	int size = snprintf(text, sizeof(text), TEXT_FORMAT, state->since_s,
			    state->done_s);
	int rc = durable_write(fd, name, text, (size_t)size, err);

	close(fd);
	return rc;
}

/* Users write names and command lines: between fields stands what they cannot
 * have written there. */
static void delimiter_make(char ret[SACCT_DELIMITER_SIZE])
{
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), 0) != sizeof(secret))
		secret = (uint64_t)(clock_now_s() * 1e9);
	snprintf(ret, SACCT_DELIMITER_SIZE, "<%016" PRIx64 ">", secret);
}

/* Of 24.11 and later; sacct refuses fields that it does not know. */
static bool has_licenses(void)
{
	static const char *const argv[] = { "sacct", "--helpformat", NULL };
	struct sp_error why;
	char *text =
		slurm_command_run(argv, HELP_TIMEOUT_S, HELP_BYTES_MAX, &why);
	bool found = text && strstr(text, "Licenses");

	free(text);
	return found;
}

/* Start sacct for the jobs that ended in a slice. */
static struct slurm_command *start_sacct(const struct import *im, double from_s,
					 double to_s, const char *delimiter,
					 struct sp_error *err)
{
	const struct cli *cli = im->cli;
	char start[32], end[32], format[640], clusters[RUN_NAME_SIZE + 16];
	char separated[SACCT_DELIMITER_SIZE + 16];
	const char *const argv[] = { "sacct",
				     "--allusers",
				     "--parsable2",
				     separated,
				     "--noconvert",
				     "--duplicates",
				     "--state=BF,CA,CD,DL,F,NF,OOM,PR,TO",
				     start,
				     end,
				     format,
				     cli->cluster ? clusters : NULL,
				     NULL };

	/* Seconds since the epoch, because local times are ambiguous when
	 * clocks change. */
	snprintf(start, sizeof(start), "--starttime=uts%.0f", from_s);
	/* sacct takes both bounds in. */
	snprintf(end, sizeof(end), "--endtime=uts%.0f", to_s - 1);
	/* Once more a field without newlines at the end. */
	snprintf(format, sizeof(format), "--format=%s%s,ExitCode", sacct_fields,
		 im->has_licenses ? ",Licenses" : "");
	snprintf(separated, sizeof(separated), "--delimiter=%s", delimiter);
	if (cli->cluster)
		snprintf(clusters, sizeof(clusters), "--clusters=%s",
			 cli->cluster);
	/* The output is read from its descriptor, so it has no limit here. */
	return slurm_command_start(argv, SACCT_TIMEOUT_S, 0, err);
}

/* --- One slice ------------------------------------------------------------ */

/* 0; 1: sacct took too long, nothing was imported; -1. */
static int import_slice(struct import *im, double from_s, double to_s,
			double share_from, double share_to,
			struct sp_error *err)
{
	char delimiter[SACCT_DELIMITER_SIZE];
	const struct joblog_config config = { .cluster = im->cli->cluster,
					      .look_up_users = true,
					      .delimiter = delimiter };
	char name[64], start[TIMESTAMP_TEXT_SIZE];
	struct joblog *log = NULL;

	delimiter_make(delimiter);

	struct slurm_command *sacct =
		start_sacct(im, from_s, to_s, delimiter, err);

	if (!sacct)
		return -1;
	if (slurm_command_wait_output(sacct)) {
		slurm_command_destroy(sacct);
		return 1;
	}
	snprintf(name, sizeof(name), "sacct since %s",
		 timestamp_format(from_s, start));

	struct log_stream *stream =
		log_stream_open_fd(slurm_command_take_fd(sacct), name, err);

	if (stream)
		log = joblog_create(&joblog_sacct, &config, stream, err);

	int rc =
		log ? import_log(im, log, name, share_from, share_to, err) : -1;

	/* A failure here explains more than the exit status of sacct. */
	if (rc == 0)
		rc = slurm_command_finish(sacct, err);
	slurm_command_destroy(sacct);
	return rc;
}

/* --- All of them ---------------------------------------------------------- */

/* Find the range of time to import. */
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
	/* What was imported without a gap is skipped. */
	if (!im->restart && state->done_s > *ret_from_s &&
	    state->since_s <= *ret_from_s)
		*ret_from_s = state->done_s;
}

static void write_state(const struct import *im, struct import_state *state,
			double from_s, double to_s)
{
	struct sp_error why;

	if (!im->sender)
		return;
	if (!(state->since_s <= from_s && state->done_s >= from_s))
		state->since_s = from_s;
	state->done_s = to_s;
	if (import_state_write(im->cluster, state, &why))
		cli_note(im->cli, "the state of the import is not kept: %s",
			 why.text);
}

/* Return the length of the next slice. */
static double next_length_s(double length_s, size_t jobs)
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
			return sp_error_set(err,
					    "sacct did not answer within %d s",
					    SACCT_TIMEOUT_S);
		if (rc || (im->sender && import_sender_flush(im->sender, err)))
			return -1;
		write_state(im, state, at_s, end_s);
		at_s = end_s;
		length_s = next_length_s(length_s, im->runs - before);
	}
	return 0;
}

int import_sacct(struct import *im, struct sp_error *err)
{
	struct import_state state;
	double from_s, to_s;
	char from[TIMESTAMP_TEXT_SIZE], to[TIMESTAMP_TEXT_SIZE];

	if (!*im->cluster)
		im->cluster = "linux"; /* Slurm's own default */
	import_state_read(im->cluster, &state);
	find_bounds(im, &state, &from_s, &to_s);
	cli_note(im->cli, "jobs that ended between %s and %s",
		 timestamp_format(from_s, from), timestamp_format(to_s, to));
	/* The queries are bounded, so the jobs need not be filtered. */
	im->since_s = im->until_s = NAN;
	im->has_licenses = has_licenses();
	return import_slices(im, &state, from_s, to_s, err);
}
