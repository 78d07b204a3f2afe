/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rehearse_driver.c - replays a log into a slurmctld whose clock jumps
 *
 * usage: rehearse-driver --clock=FILE --pid=PID --swf=LOG --out=FILE ...
 *
 * Plan: the loop does what is due now (ends of jobs, submissions), waits until
 * slurmctld is idle, sees what it started, and jumps to the next event.
 * While jobs wait, Slurm's own timers matter for WINDOW_S after a change; there
 * the jumps are STEP_S long, the first ones ENDING_S.  Nothing else is done to
 * slurmctld: every job is submitted and ended by the RPCs that salloc uses.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "predictor/base/clock.h"
#include "predictor/base/small_file.h"
#include "predictor/backtest/rehearse/driver_options.h"
#include "predictor/backtest/rehearse/jump_clock.h"
#include "predictor/backtest/rehearse/rehearse_jobs.h"
#include "predictor/backtest/rehearse/replayed_jobs.h"
#include "predictor/backtest/rehearse/slurm_requests.h"

#define STEP_S   5.0
#define WINDOW_S 65.0  /* sched_interval's default is 60, bf_interval's 30 */
#define ENDING_S 1.0   /* the step while a job is completing */
#define TURN_S   3.0   /* after a change, too: the main scheduler's turn */
#define WARM_S   120.0 /* a new slurmctld waits with its first schedule */

#define STARTS_EVERY_S 600.0

#define STUCK_TURNS 20000 /* turns of the loop without any change */

#define EARLY_S 1.5 /* Slurm's times have whole seconds */

struct driver {
	const struct driver_options *options;
	struct jump_clock clock;
	struct replayed_jobs replayed;
	double real_start_s;
	uint64_t turns;
	FILE *starts;
	double starts_due_s;
};

/* Which jobs wait, and when Slurm expects them to start, now and then. */
static void starts_write(struct driver *d, double now)
{
	if (!d->starts || now < d->starts_due_s)
		return;
	d->starts_due_s = now + STARTS_EVERY_S;
	for (size_t k = d->replayed.oldest; k < d->replayed.order.submitted;
	     k++) {
		size_t i = d->replayed.order.of[k];

		if (d->replayed.of[i].phase == PHASE_PENDING)
			fprintf(d->starts, "%.0f %zu %.0f\n", now, i,
				d->replayed.of[i].expected_s);
	}
}

/* --- The loop ------------------------------------------------------------- */

/* Return the reservation's begin or end, which is no event of a job's. */
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
	double passed_s = clock_monotonic_s() - d->real_start_s;
	double virtual_s = jump_clock_now_s(&d->clock);

	if (!last && (d->turns % 256 || !isatty(STDERR_FILENO)))
		return;
	fprintf(stderr,
		"%s%5.1f days, %zu of %zu jobs done, %zu wait; %.0f s "
		"(x%.0f)%s",
		isatty(STDERR_FILENO) ? "\r" : "", virtual_s / 86400,
		d->replayed.done, d->replayed.jobs.count, d->replayed.pending,
		passed_s, virtual_s / passed_s, last ? "\n" : " ");
}

static int replay(struct driver *d, struct sp_error *err)
{
	struct replayed_jobs *r = &d->replayed;
	double active_s = 0; /* Slurm's timers matter until then */
	double next_edge_s = edge_s(d, 0);
	uint64_t changed_turn = 0;

	while (r->done < r->jobs.count) {
		int did = replayed_jobs_do(r, jump_clock_now_s(&d->clock), err);

		if (did < 0 || jump_clock_idle(&d->clock, err))
			return -1;

		int seen = replayed_jobs_see(r, err);

		if (seen < 0)
			return -1;

		double now = jump_clock_now_s(&d->clock), next, to;
		bool edge = now >= next_edge_s;

		next_edge_s = edge_s(d, now);
		next = fmin(replayed_jobs_next_s(r), next_edge_s);
		starts_write(d, now);
		if (did || seen || edge) {
			active_s = now + WINDOW_S;
			changed_turn = d->turns;
		}
		if (d->turns++ - changed_turn > STUCK_TURNS)
			return sp_error_set(err, "%zu jobs wait for ever",
					    r->pending);
		if (r->ending ||
		    (r->pending && now < active_s - WINDOW_S + TURN_S))
			to = now + ENDING_S;
		else if (r->pending && (now < active_s || isinf(next)))
			to = now + STEP_S;
		else
			to = next;
		jump_clock_to(&d->clock, fmin(to, next));
		progress_show(d, false);
	}
	progress_show(d, true);
	return 0;
}

/* What must not happen to any job, whatever the policy; and what did not go as
 * in the log. */
static void harm_print(const struct driver *d)
{
	const struct driver_options *o = d->options;
	const struct replayed_jobs *r = &d->replayed;
	size_t early = 0, overrun = 0, het = 0, het_cut = 0;
	size_t requeued = 0, suspended = 0, tasks = 0, log_het = 0;

	for (size_t i = 0; i < r->jobs.count; i++) {
		const struct rehearse_job *j = &r->jobs.of[i];
		size_t group = r->jobs.of[group_first(&r->jobs, i)].group_size;

		if (j->components == 0)
			continue;

		bool is_het = j->components > 1 ||
			      (j->group == GROUP_HET && group > 1);
		bool short_lived =
			j->end_s - j->start_s < j->runtime_s - EARLY_S;

		early += short_lived;
		het += is_het;
		het_cut += is_het && (short_lived || r->of[i].cut);
		log_het += j->group == GROUP_HET && group > 1;
		tasks += j->group == GROUP_ARRAY && group > 1;
		requeued += r->of[i].requeues > 0;
		suspended += r->of[i].suspended;
		overrun += o->reserved_s > 0 &&
			   j->end_s > o->reserved_from_s + EARLY_S &&
			   j->start_s < o->reserved_from_s + o->reserved_s;
	}
	printf("bad_lines %" PRIu64 "\nno_runs %" PRIu64 "\n"
	       "twice %zu\nwide %zu\nno_limit %zu\ninstant %zu\n",
	       r->jobs.bad_lines, r->jobs.no_runs, r->jobs.twice, r->jobs.wide,
	       r->jobs.no_limit, r->jobs.instant);
	printf("several_qos %d\nseveral_accounts %d\naccounts %d\n",
	       r->jobs.several_qos, r->jobs.several_accounts, o->accounts);
	printf("early_kills %zu\nreservation_overrun %zu\nhet %zu\n"
	       "het_cut %zu\nrefused %zu\ntasks %zu\nlog_het %zu\n"
	       "dependent %zu\ndependencies_left_out %zu\n"
	       "thinking %zu\nrequeued %zu\nsuspended %zu\n",
	       early, overrun, het, het_cut, r->refused, tasks, log_het,
	       r->dependent, r->left_out, r->thinking, requeued, suspended);
}

static int driver_run(const struct driver_options *o, struct sp_error *err)
{
	struct driver d = { .options = o };
	struct replayed_jobs *r = &d.replayed;
	int rc = -1;

	if (replayed_jobs_create(o, r, err))
		return -1;
	if (o->starts && !(d.starts = fopen(o->starts, "w"))) {
		sp_error_set(err, "%s: %s", o->starts, strerror(errno));
		goto out;
	}
	if (jump_clock_open(&d.clock, o->clock, (int)o->pid, err))
		goto out;
	slurm_init(NULL);
	d.clock.epoch_s = floor(jump_clock_now_s(&d.clock)) + WARM_S -
			  job_order_next_s(&r->order);
	r->epoch_s = d.clock.epoch_s;
	d.real_start_s = clock_monotonic_s();
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
		rc = rehearse_jobs_save(o->out, &r->jobs, err);
	if (rc == 0) {
		harm_print(&d);
		printf("speed %.0f\n",
		       jump_clock_now_s(&d.clock) /
			       (clock_monotonic_s() - d.real_start_s));
	}
out:
	if (d.starts)
		rc = small_file_finish(d.starts, o->starts, rc, err);
	replayed_jobs_destroy(r);
	return rc;
}

/* Add the log's users to a file, or print the CPUs of its machine. */
static int log_tell(const struct driver_options *o, struct sp_error *err)
{
	struct rehearse_jobs jobs;
	int rc = 0;

	if (rehearse_jobs_read(o->log.format, o->log.path, &o->log.window,
			       &jobs, err))
		return -1;
	if (o->users)
		rc = slurm_requests_users(o->users, &jobs, err);
	else if (jobs.cpus == 0)
		rc = sp_error_set(err, "%s: no number of CPUs", o->log.path);
	else
		printf("%u\n", jobs.cpus);
	rehearse_jobs_clear(&jobs);
	return rc;
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
		 : options.machine || options.users
			 ? log_tell(&options, &err)
			 : driver_run(&options, &err);

	if (rc) {
		fprintf(stderr, "rehearse-driver: %s\n", err.text);
		return 1;
	}
	return 0;
}
