/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overruns.c - warns users whose jobs will probably reach their time limits
 *
 * The list of jobs that were reported or extended has only those that
 * still run.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/duration.h"
#include "predictor/base/log.h"
#include "predictor/daemon/overruns.h"
#include "predictor/daemon/slurm_thread.h"
#include "predictor/engine/overrun.h"
#include "predictor/engine/queue_starts.h"

#define PROBABLY      0.5
#define ROUND_MAX     20 /* commands of a round */
#define COMMAND_S     10.0
#define COMMAND_BYTES 65536

/* A limit is extended when so much of it is left. */
#define LEFT_PART  0.1
#define LEFT_MIN_S 300.0

struct overrun {
	uint32_t job_id;
	bool told, extended;
};

struct overruns {
	struct overruns_config config;
	size_t count;
	struct overrun *of; /* by job id */
};

struct overruns *overruns_create(const struct overruns_config *config)
{
	struct overruns *o = calloc(1, sizeof(*o));

	if (o)
		o->config = *config;
	return o;
}

void overruns_destroy(struct overruns *overruns)
{
	if (!overruns)
		return;
	free(overruns->of);
	free(overruns);
}

static bool command_run(const char *const argv[], uint32_t job_id)
{
	struct sp_error err = { "" };
	struct slurm_command *c =
		slurm_thread_run(argv, COMMAND_S, COMMAND_BYTES, &err);

	if (!c)
		log_warning("job %" PRIu32 ": %s: %s", job_id, argv[0],
			    err.text);
	slurm_command_destroy(c);
	return c != NULL;
}

/* A report that failed is not repeated: the job may have gone. */
static void job_tell(const struct overruns *o, const struct queue_entry *job,
		     double probability)
{
	char id[16], user[16], elapsed[DURATION_TEXT_SIZE],
		limit[DURATION_TEXT_SIZE], percent[8], text[256];
	const char *const notify[] = { o->config.scontrol, "notify", id, text,
				       NULL };
	const char *const command[] = {
		o->config.command, id, user, elapsed, limit, percent, NULL
	};

	snprintf(id, sizeof(id), "%" PRIu32, job->job_id);
	snprintf(user, sizeof(user), "%" PRIu32, job->user_id);
	snprintf(percent, sizeof(percent), "%.0f", 100 * probability);
	duration_format(job->elapsed_s, elapsed);
	duration_format(job->limit_s, limit);
	snprintf(text, sizeof(text),
		 "slurm-predict: this job has run for %s, and will probably "
		 "(%s %%) not end before its time limit of %s",
		 elapsed, percent, limit);
	command_run(strcmp(o->config.command, "notify") == 0 ? notify : command,
		    job->job_id);
}

/* A longer limit could run into one, which Slurm does not check. */
static bool has_no_reservations(const struct overruns *o)
{
	const char *const argv[] = { o->config.scontrol, "--oneliner", "show",
				     "reservation", NULL };
	struct sp_error err;
	struct slurm_command *c =
		slurm_thread_run(argv, COMMAND_S, COMMAND_BYTES, &err);
	bool none =
		c && !strstr(slurm_command_output(c, NULL), "ReservationName=");

	slurm_command_destroy(c);
	return none;
}

static void job_extend(const struct overruns *o, const struct queue_entry *job)
{
	char id[32], more[32];
	const char *const argv[] = { o->config.scontrol, "update", id, more,
				     NULL };
	int minutes =
		(int)ceil(job->limit_s * o->config.extend_percent / 100 / 60);

	snprintf(id, sizeof(id), "JobId=%" PRIu32, job->job_id);
	snprintf(more, sizeof(more), "TimeLimit=+%d", minutes);
	if (command_run(argv, job->job_id))
		log_info("job %" PRIu32 ": time limit extended by %d minutes, "
			 "as no job waits",
			 job->job_id, minutes);
}

static bool is_to_be_extended(const struct overruns *o, struct engine *engine,
			      const struct queue_entry *job)
{
	double left_s = job->limit_s - job->elapsed_s;

	return o->config.extend_percent > 0 && left_s > 0 &&
	       left_s < fmax(LEFT_MIN_S, LEFT_PART * job->limit_s) &&
	       engine_queue_waiting(engine, job->partition) == 0;
}

/* Returns how many commands were run. */
static int job_check(const struct overruns *o, struct engine *engine,
		     const struct queue_entry *job, struct overrun *known)
{
	bool may_tell = o->config.command[0] && !known->told;
	struct prediction p;
	int commands = 0;

	if (!may_tell && (known->extended || !o->config.extend_percent))
		return 0;
	if (!engine_queue_prediction(engine, NULL, job, &p))
		return 0;

	double probability =
		engine_overrun_probability(&p, job->elapsed_s, job->limit_s);

	if (!(probability >= PROBABLY))
		return 0;
	if (may_tell) {
		job_tell(o, job, probability);
		known->told = true;
		commands++;
	}
	if (!known->extended && is_to_be_extended(o, engine, job) &&
	    has_no_reservations(o)) {
		job_extend(o, job);
		known->extended = true;
		commands++;
	}
	return commands;
}

COMPARE_BY(compare_overruns, struct overrun, job_id)

static struct overrun overrun_find(const struct overruns *o, uint32_t job_id)
{
	const struct overrun key = { .job_id = job_id };
	const struct overrun *found =
		o->count ? bsearch(&key, o->of, o->count, sizeof(*o->of),
				   compare_overruns)
			 : NULL;

	return found ? *found : key;
}

void overruns_check(struct overruns *o, struct engine *engine,
		    const struct queue_state *queue)
{
	struct overrun *of = calloc(queue->count + 1, sizeof(*of));
	int commands = 0;
	size_t count = 0;

	if (!of || (!o->config.command[0] && !o->config.extend_percent)) {
		free(of);
		return;
	}
	for (size_t i = 0; i < queue->count; i++) {
		const struct queue_entry *job = &queue->of[i];
		struct overrun known = overrun_find(o, job->job_id);

		if (!job->running)
			continue;
		if (commands < ROUND_MAX && !slurm_thread_ends())
			commands += job_check(o, engine, job, &known);
		if (known.told || known.extended)
			of[count++] = known;
	}
	if (count)
		qsort(of, count, sizeof(*of), compare_overruns);
	free(o->of);
	o->of = of;
	o->count = count;
}
