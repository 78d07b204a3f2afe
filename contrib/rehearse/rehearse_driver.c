/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_driver.c - replays a log into a slurmctld whose clock jumps
 *
 * usage: rehearse-driver --clock=FILE --pid=PID --swf=LOG --out=FILE ...
 *
 * Plan: the loop does what is due now (ends of jobs, submissions), waits until
 * slurmctld is idle, sees what it started, and jumps to the next event.
 * While jobs wait, Slurm's own timers matter for WINDOW_S after a change; there
 * the jumps are STEP_S long.  Nothing else is done to slurmctld: every job is
 * submitted and ended by the RPCs that salloc uses.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "contrib/rehearse/driver_options.h"
#include "contrib/rehearse/jump_clock.h"
#include "contrib/rehearse/rehearse_jobs.h"
#include "contrib/rehearse/rehearse_predict.h"
#include "contrib/rehearse/slurm_requests.h"

#define MINUTE_S 60.0
#define STEP_S   5.0
#define WINDOW_S 65.0  /* sched_interval's default is 60, bf_interval's 30 */
#define ENDING_S 1.0   /* the step while a job is completing */
#define WARM_S   120.0 /* a new slurmctld waits with its first schedule */

#define STARTS_EVERY_S 600.0

#define STUCK_TURNS   20000 /* turns of the loop without any change */
#define PRIORITY_BASE 2000000000.0

#define HET_COMPONENTS 2
#define EARLY_S        1.5 /* Slurm's times have whole seconds */

enum phase {
	PHASE_FUTURE,
	PHASE_PENDING,
	PHASE_RUNNING,
	PHASE_ENDING,
	PHASE_DONE
};

struct replayed {
	enum phase phase;
	uint32_t slurm_id;
	double expected_s; /* start, as squeue --start tells it; NAN: it does not */
	uint32_t ended, seen_ended; /* components: how many, and which */
	bool cut;                   /* its limit became shorter */
};

struct driver {
	const struct driver_options *options;
	struct jump_clock clock;
	struct rehearse_jobs jobs;
	struct replayed *replayed;
	size_t submitted; /* jobs[0 .. submitted) */
	size_t oldest;    /* all before it are done */
	size_t pending, running, ending, done;
	size_t refused;   /* of those done */
	uint32_t next_id; /* at least */
	double real_start_s;
	time_t updated;
	uint64_t turns;
	FILE *starts;
	double starts_due_s;
};

static double real_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + t.tv_nsec * 1e-9;
}

/* --- Jobs ------------------------------------------------------------------- */

/* The aged order: K seconds of length count as one second of waiting.  It is a
 * priority that never changes, as all of them age alike. */
static double priority_of(const struct driver *d, const struct rehearse_job *j)
{
	const struct driver_options *o = d->options;
	double length_s = o->order == ORDER_RUNTIME ? j->runtime_s : j->limit_s;

	if (o->order == ORDER_PREDICTED) /* NAN: the limit */
		length_s = fmin(length_s, j->predicted_s);
	length_s = fmin(length_s, o->cap_s);
	if (o->order != ORDER_LIMIT) /* as in plugin/site/plan.h */
		length_s = o->cap_s * log1p(length_s / MINUTE_S) /
			   log1p(o->cap_s / MINUTE_S);
	return PRIORITY_BASE - (j->submit_s + o->K * length_s);
}

/* A job that Slurm refuses is done at once, and no job of the results. */
static int job_submit(struct driver *d, size_t i, struct sp_error *err)
{
	const struct driver_options *o = d->options;
	struct rehearse_job *j = &d->jobs.of[i];
	struct replayed *r = &d->replayed[i];
	const struct slurm_request request = {
		.priority = o->order == ORDER_SUBMIT
				    ? 0
				    : (uint32_t)priority_of(d, j),
		.partitions = o->partitions,
	};

	if (o->het && i % o->het == 0 && j->cpus > 1)
		j->components = HET_COMPONENTS;

	int rc = slurm_requests_submit(j, &request, &r->slurm_id, err);

	if (rc < 0 || (rc > 0 && !o->partitions))
		return -1;
	if (rc > 0) {
		r->slurm_id = d->next_id;
		j->components = 0;
		r->phase = PHASE_DONE;
		d->refused++;
		d->done++;
		return 0;
	}
	if (r->slurm_id < d->next_id)
		return sp_error_set(err, "slurmctld counts backwards");
	d->next_id = r->slurm_id + j->components; /* for job_find() */
	r->phase = PHASE_PENDING;
	d->pending++;
	return 0;
}

/* The job with this id, which may be a component's; `submitted`: none. */
static size_t job_find(const struct driver *d, uint32_t id)
{
	size_t low = d->oldest, high = d->submitted;

	while (low < high) {
		size_t i = low + (high - low) / 2;

		if (id < d->replayed[i].slurm_id)
			high = i;
		else if (id >=
			 d->replayed[i].slurm_id + d->jobs.of[i].components)
			low = i + 1;
		else
			return i;
	}
	return d->submitted;
}

static double due_s(const struct rehearse_job *j)
{
	return j->start_s + j->runtime_s;
}

/* End and submit what is due.  Returns how many, or -1. */
static int due_do(struct driver *d, struct sp_error *err)
{
	double now = jump_clock_now_s(&d->clock);
	int did = 0;

	for (size_t i = d->oldest; i < d->submitted; i++) {
		struct replayed *r = &d->replayed[i];

		if (r->phase != PHASE_RUNNING || due_s(&d->jobs.of[i]) > now)
			continue;
		if (slurm_requests_complete(r->slurm_id, err))
			return -1;
		r->phase = PHASE_ENDING;
		d->running--;
		d->ending++;
		did++;
	}
	while (d->submitted < d->jobs.count &&
	       d->jobs.of[d->submitted].submit_s <= now) {
		if (job_submit(d, d->submitted, err))
			return -1;
		d->submitted++;
		did++;
	}
	return did;
}

/* A component, or a job's only one, has ended. */
static void part_ended(struct driver *d, size_t i,
		       const slurm_job_info_t *record)
{
	struct replayed *r = &d->replayed[i];
	struct rehearse_job *j = &d->jobs.of[i];
	double end_s = (double)record->end_time - d->clock.epoch_s;

	if (r->ended++ == 0) {
		j->end_s = end_s;
		j->completed = true;
	}
	j->end_s = fmin(j->end_s, end_s);
	j->completed &= (record->job_state & JOB_STATE_BASE) == JOB_COMPLETE;
	if (r->ended < j->components)
		return;
	if (r->phase == PHASE_RUNNING)
		d->running--;
	else
		d->ending--;
	r->phase = PHASE_DONE;
	d->done++;
}

/* Returns whether something changed. */
static bool job_see(struct driver *d, const slurm_job_info_t *record)
{
	size_t i = job_find(d, JOB_ID_OF(record));
	uint32_t state = record->job_state & JOB_STATE_BASE;

	if (i == d->submitted || d->replayed[i].phase == PHASE_DONE)
		return false;

	struct replayed *r = &d->replayed[i];
	struct rehearse_job *j = &d->jobs.of[i];
	uint32_t part = JOB_ID_OF(record) - r->slurm_id;
	bool changed = false;

	r->cut |= record->time_limit < (uint32_t)(j->limit_s / MINUTE_S);
	if (state == JOB_PENDING && part == 0)
		r->expected_s =
			record->start_time
				? (double)record->start_time - d->clock.epoch_s
				: NAN;
	if (r->phase == PHASE_PENDING && state >= JOB_RUNNING) {
		j->start_s = (double)record->start_time - d->clock.epoch_s;
		r->phase = PHASE_RUNNING;
		d->pending--;
		d->running++;
		changed = true;
	}
	if (state > JOB_SUSPENDED && !(r->seen_ended & 1U << part)) {
		r->seen_ended |= 1U << part;
		part_ended(d, i, record);
		changed = true;
	}
	return changed;
}

/* 1: something started or ended; 0: nothing; -1: failed. */
static int jobs_see(struct driver *d, struct sp_error *err)
{
	job_info_msg_t *list = NULL;
	int changed = 0;

	if (slurm_load_jobs(d->updated, &list, SHOW_ALL)) {
		if (errno == SLURM_NO_CHANGE_IN_DATA)
			return 0;
		return sp_error_set(err, "slurmctld: %s",
				    slurm_strerror(errno));
	}
	/* Its times have seconds only: what else changes in this one counts. */
	d->updated = list->last_update - 1;
	for (uint32_t i = 0; i < list->record_count; i++)
		changed |= job_see(d, &list->job_array[i]);
	slurm_free_job_info_msg(list);
	while (d->oldest < d->submitted &&
	       d->replayed[d->oldest].phase == PHASE_DONE)
		d->oldest++;
	return changed;
}

/* Which jobs wait, and when Slurm expects them to start, now and then. */
static void starts_write(struct driver *d, double now)
{
	if (!d->starts || now < d->starts_due_s)
		return;
	d->starts_due_s = now + STARTS_EVERY_S;
	for (size_t i = d->oldest; i < d->submitted; i++)
		if (d->replayed[i].phase == PHASE_PENDING)
			fprintf(d->starts, "%.0f %zu %.0f\n", now, i,
				d->replayed[i].expected_s);
}

static int starts_close(struct driver *d, struct sp_error *err)
{
	if (!d->starts)
		return 0;

	bool failed = ferror(d->starts);

	return fclose(d->starts) || failed
		       ? sp_error_set(err, "%s: not written",
				      d->options->starts)
		       : 0;
}

/* --- The loop ----------------------------------------------------------------- */

static double next_event_s(const struct driver *d)
{
	double next = d->submitted < d->jobs.count
			      ? d->jobs.of[d->submitted].submit_s
			      : HUGE_VAL;

	for (size_t i = d->oldest; i < d->submitted; i++)
		if (d->replayed[i].phase == PHASE_RUNNING)
			next = fmin(next, due_s(&d->jobs.of[i]));
	return next;
}

/* The reservation's begin or end, which is no event of a job's. */
static double edge_s(const struct driver *d, double now)
{
	const struct driver_options *o = d->options;
	double until_s = o->reserved_from_s + o->reserved_s;

	if (!(o->reserved_s > 0) || now >= until_s)
		return HUGE_VAL;
	return now < o->reserved_from_s ? o->reserved_from_s : until_s;
}

static void progress_show(const struct driver *d, bool last)
{
	double passed_s = real_s() - d->real_start_s;
	double virtual_s = jump_clock_now_s(&d->clock);

	if (!last && (d->turns % 256 || !isatty(STDERR_FILENO)))
		return;
	fprintf(stderr,
		"%s%5.1f days, %zu of %zu jobs done, %zu wait; %.0f s "
		"(x%.0f)%s",
		isatty(STDERR_FILENO) ? "\r" : "", virtual_s / 86400, d->done,
		d->jobs.count, d->pending, passed_s, virtual_s / passed_s,
		last ? "\n" : " ");
}

static int replay(struct driver *d, struct sp_error *err)
{
	double active_s = 0; /* Slurm's timers matter until then */
	double next_edge_s = edge_s(d, 0);
	uint64_t changed_turn = 0;

	while (d->done < d->jobs.count) {
		int did = due_do(d, err);

		if (did < 0 || jump_clock_idle(&d->clock, err))
			return -1;

		int seen = jobs_see(d, err);

		if (seen < 0)
			return -1;

		double now = jump_clock_now_s(&d->clock), next, to;
		bool edge = now >= next_edge_s;

		next_edge_s = edge_s(d, now);
		next = fmin(next_event_s(d), next_edge_s);
		starts_write(d, now);
		if (did || seen || edge) {
			active_s = now + WINDOW_S;
			changed_turn = d->turns;
		}
		if (d->turns++ - changed_turn > STUCK_TURNS)
			return sp_error_set(err, "%zu jobs wait for ever",
					    d->pending);
		if (d->ending)
			to = now + ENDING_S;
		else if (d->pending && (now < active_s || isinf(next)))
			to = now + STEP_S;
		else
			to = next;
		jump_clock_to(&d->clock, fmin(to, next));
		progress_show(d, false);
	}
	progress_show(d, true);
	return 0;
}

/* What must not happen to any job, whatever the policy. */
static void harm_print(const struct driver *d)
{
	const struct driver_options *o = d->options;
	size_t early = 0, overrun = 0, het = 0, het_cut = 0;

	for (size_t i = 0; i < d->jobs.count; i++) {
		const struct rehearse_job *j = &d->jobs.of[i];

		if (j->components == 0)
			continue;

		bool short_lived =
			j->end_s - j->start_s < j->runtime_s - EARLY_S;

		early += short_lived;
		het += j->components > 1;
		het_cut += j->components > 1 &&
			   (short_lived || d->replayed[i].cut);
		overrun += o->reserved_s > 0 &&
			   j->end_s > o->reserved_from_s + EARLY_S &&
			   j->start_s < o->reserved_from_s + o->reserved_s;
	}
	printf("early_kills %zu\nreservation_overrun %zu\nhet %zu\n"
	       "het_cut %zu\nrefused %zu\n",
	       early, overrun, het, het_cut, d->refused);
}

static int driver_run(const struct driver_options *o, struct sp_error *err)
{
	struct driver d = { .options = o };
	int rc = -1;

	if (rehearse_jobs_read(o->log.format, o->log.path, &o->log.window,
			       &d.jobs, err))
		return -1;
	if (o->cpus)
		d.jobs.cpus = o->cpus;
	if (o->order == ORDER_PREDICTED &&
	    rehearse_predict(o->log.format, o->log.path, &d.jobs, err))
		goto out;
	d.replayed = calloc(d.jobs.count, sizeof *d.replayed);
	if (o->starts && !(d.starts = fopen(o->starts, "w"))) {
		sp_error_set(err, "%s: %s", o->starts, strerror(errno));
		goto out;
	}
	if (!d.replayed || jump_clock_open(&d.clock, o->clock, o->pid, err))
		goto out;
	slurm_init(NULL);
	d.clock.epoch_s = floor(jump_clock_now_s(&d.clock)) + WARM_S -
			  d.jobs.of[0].submit_s;
	d.real_start_s = real_s();
	if (o->reserved_s > 0 &&
	    slurm_requests_reserve(
		    (time_t)(d.clock.epoch_s + o->reserved_from_s),
		    o->reserved_s, err))
		goto out;
	rc = replay(&d, err);
	if (d.clock.unsettled)
		fprintf(stderr, "not idle in time: %llu of %llu turns\n",
			(unsigned long long)d.clock.unsettled,
			(unsigned long long)d.turns);
	if (rc == 0)
		rc = rehearse_jobs_save(o->out, &d.jobs, err);
	if (rc == 0)
		rc = starts_close(&d, err);
	if (rc == 0) {
		harm_print(&d);
		printf("speed %.0f\n", jump_clock_now_s(&d.clock) /
					       (real_s() - d.real_start_s));
	}
out:
	free(d.replayed);
	rehearse_jobs_clear(&d.jobs);
	return rc;
}

static int machine_print(const struct driver_options *o, struct sp_error *err)
{
	struct rehearse_jobs jobs;

	if (rehearse_jobs_read(o->log.format, o->log.path, &o->log.window,
			       &jobs, err))
		return -1;

	uint32_t cpus = jobs.cpus;

	rehearse_jobs_clear(&jobs);
	if (cpus == 0)
		return sp_error_set(err, "%s: no number of CPUs", o->log.path);
	printf("%u\n", cpus);
	return 0;
}

int main(int argc, char **argv)
{
	struct driver_options options;
	struct sp_error err = { "" };

	if (!driver_options_read(argc, argv, &options)) {
		fprintf(stderr, "usage: rehearse-driver --clock=FILE --pid=PID "
				"--swf=LOG|--sacct=LOG --out=FILE [...]; "
				"rehearse starts it\n");
		return 2;
	}

	int rc = options.new_clock ? jump_clock_make(options.new_clock, &err)
		 : options.machine ? machine_print(&options, &err)
				   : driver_run(&options, &err);

	if (rc) {
		fprintf(stderr, "rehearse-driver: %s\n", err.text);
		return 1;
	}
	return 0;
}
