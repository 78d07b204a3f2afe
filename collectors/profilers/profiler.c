/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiler.c - profile of one job on this node
 *
 * A loop until the collector writes the time of the job's end to control_fd:
 * samples of the tasks' CPU use every 20 ms, packets when packet_sampler.c
 * says, and at growing intervals the process list, owners of connections and
 * competitors.  Each part has a budget relative to the tasks' CPU time, and
 * becomes rare beyond it.  In the end the results become one struct
 * profile_share.  A process of its own, one thread.
 *
 * [2] is the paper of profile.h.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collectors/profilers/capture.h"
#include "collectors/profilers/environment.h"
#include "collectors/profilers/packet_sampler.h"
#include "collectors/profilers/mpi_report.h"
#include "collectors/profilers/profiler.h"
#include "collectors/profilers/competitors.h"
#include "collectors/profilers/sockets.h"
#include "collectors/profilers/streams.h"
#include "collectors/profilers/syscalls.h"
#include "collectors/profilers/tasks.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"

#define SAMPLE_S   0.020 /* as in [2] */
#define SLEEP_S    0.100 /* while there is no task */
#define WAIT_MIN_S 0.001

/* Our budget: a share of the tasks' CPU time, and a constant.  Beyond it tasks
 * are sampled every REST_S: sums stay right, but fewer phases are seen. */
#define COST_SHARE   0.002
#define COST_BEGIN_S 0.006
#define REST_S       0.5

/* The process list is read often while tasks start, and seldom later. */
#define FIND_MIN_S  0.1
#define FIND_MAX_S  20.0
#define FIND_GROWTH 2.0
#define FIND_REST   200 /* pause after a search, in multiples of its cost */

/* Between two searches for owners of connections, longer after each failure. */
#define OWNERS_MIN_S 0.1
#define OWNERS_MAX_S 10.0

/* Rate of calls of a library that spins, relative to a loop of nothing else. */
#define SPIN_OF_LIBRARY 0.7

/* ssh, Slurm's own and ours. */
static const uint16_t excluded_ports[] = { 22,   6817, 6818, 6819,
					   6820, 7380, 7381, 0 };

/* A search that becomes rare. */
struct search_timer {
	double at_s, step_s;
};

struct profiler {
	const struct profiler_job *job;
	struct tasks *tasks;
	struct competitors *competitors;
	struct streams *streams;
	struct capture *capture; /* NULL: packets are not watched */
	struct packet_sampler sampler;
	uint8_t own_address[PACKET_ADDRESS_SIZE];
	bool peers_known; /* or could not be found */
	int peer_count;
	char peers[PROFILE_PEERS_MAX][HOSTLIST_NAME_SIZE];
	uint8_t addresses[PROFILE_PEERS_MAX][PACKET_ADDRESS_SIZE];
	struct search_timer find, owners;
	double find_not_before_s, sample_at_s;
};

/* --- Start and end ------------------------------------------------------- */

/* On failure there are phases only. */
static void capture_start(struct profiler *p)
{
	struct sp_error err;

	if (!p->job->packets)
		return;
	p->streams = streams_create();
	if (!p->streams)
		sp_error_set(&err, "out of memory");
	else if (!capture_resolve(p->job->node, p->own_address, &err))
		p->capture = capture_open(p->own_address, excluded_ports, &err);
	p->sampler = (struct packet_sampler){ .capture = p->capture,
					      .streams = p->streams };
	if (!p->capture)
		log_error("job %u: messages are not watched: %s",
			  p->job->job_id, err.text);
}

static int profiler_begin(struct profiler *p, const struct profiler_job *job)
{
	struct sp_error err;

	*p = (struct profiler){ .job = job,
				.find = { 0, FIND_MIN_S },
				.owners = { 0, OWNERS_MIN_S } };
	if (syscalls_prepare(&err))
		log_info("job %u: %s; spinning is estimated from system time",
			 job->job_id, err.text);
	/* First, so that no packet is missed. */
	capture_start(p);
	p->tasks = tasks_create(job->job_id,
				SPIN_OF_LIBRARY * syscalls_spin_rate());
	p->competitors = competitors_create(job->job_id);
	return p->tasks && p->competitors ? 0 : -1;
}

static void profiler_end(struct profiler *p)
{
	competitors_destroy(p->competitors);
	tasks_destroy(p->tasks);
	capture_close(p->capture);
	streams_destroy(p->streams);
}

/* --- The other nodes ----------------------------------------------------- */

static int peers_set(struct profiler *p, const char *list, struct sp_error *err)
{
	struct hostlist nodes;
	int count = 0, rc = 0;

	if (hostlist_expand(list, &nodes, err))
		return -1;
	if (nodes.count > PROFILE_NODES_MAX)
		rc = sp_error_set(err, "more than %d nodes", PROFILE_NODES_MAX);
	for (size_t i = 0; i < nodes.count && rc == 0; i++) {
		if (!strcmp(nodes.names[i], p->job->node))
			continue;
		rc = capture_resolve(nodes.names[i], p->addresses[count], err);
		strcpy(p->peers[count], nodes.names[i]);
		count++;
	}
	hostlist_clear(&nodes);
	if (rc == 0 && count)
		rc = capture_restrict(
			p->capture,
			(const uint8_t(*)[PACKET_ADDRESS_SIZE])p->addresses,
			count, err);
	if (rc == 0)
		p->peer_count = count;
	return rc;
}

/* The environment of a prolog may have the nodes of a step only; that of the
 * tasks has all nodes of the job. */
static void peers_find(struct profiler *p)
{
	char list[RUN_NODES_SIZE];
	struct sp_error err;
	pid_t pid;

	if (tasks_pids(p->tasks, &pid, 1) != 1)
		return;
	if (environment_get(pid, "SLURM_JOB_NODELIST", list, sizeof(list)) &&
	    environment_get(pid, "SLURM_NODELIST", list, sizeof(list)))
		strcpy(list, p->job->nodes);
	p->peers_known = true;
	if (!peers_set(p, list, &err))
		return;
	log_error("job %u: messages are not watched: %s", p->job->job_id,
		  err.text);
	capture_close(p->capture);
	p->capture = NULL;
}

/* --- The loop ------------------------------------------------------------ */

static double own_cpu_s(void)
{
	struct rusage used;

	if (getrusage(RUSAGE_SELF, &used))
		return 0;
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void timer_restart(struct search_timer *timer, double now_s,
			  double max_s)
{
	timer->at_s = now_s + timer->step_s;
	timer->step_s = fmin(timer->step_s * FIND_GROWTH, max_s);
}

static void search_tasks(struct profiler *p, double now_s)
{
	int before = tasks_alive(p->tasks);
	double begin_s = own_cpu_s();
	struct sp_error err;

	if (tasks_find(p->tasks, now_s, &err))
		log_debug("job %u: %s", p->job->job_id, err.text);
	/* Others may follow soon. */
	if (tasks_alive(p->tasks) > before)
		p->find.step_s = FIND_MIN_S;
	timer_restart(&p->find, now_s,
		      tasks_alive(p->tasks) ? FIND_MAX_S : FIND_MIN_S);
	p->find_not_before_s = now_s + FIND_REST * (own_cpu_s() - begin_s);
	if (p->capture && !p->peers_known)
		peers_find(p);
}

static void search_owners(struct profiler *p, double now_s)
{
	pid_t pids[TASKS_MAX];
	int count = tasks_pids(p->tasks, pids, TASKS_MAX);

	struct sp_error err;

	if (count &&
	    sockets_find(pids, count, p->own_address, p->streams, &err))
		log_debug("job %u: %s", p->job->job_id, err.text);
	if (!streams_unowned(p->streams))
		p->owners.step_s = OWNERS_MIN_S;
	timer_restart(&p->owners, now_s, OWNERS_MAX_S);
}

/* Return the time until the next sample of the tasks. */
static double sample_interval_s(const struct profiler *p)
{
	double cost_s = own_cpu_s() - p->sampler.own_s -
			competitors_cost_s(p->competitors);

	if (!tasks_alive(p->tasks))
		return SLEEP_S;
	return cost_s < COST_BEGIN_S + COST_SHARE * tasks_used_s(p->tasks)
		       ? SAMPLE_S
		       : REST_S;
}

static void profiler_sample(struct profiler *p, double now_s)
{
	int alive = tasks_alive(p->tasks);

	tasks_sample(p->tasks, now_s);
	/* After the end of a task others may follow. */
	if (tasks_alive(p->tasks) < alive)
		p->find = (struct search_timer){ 0, FIND_MIN_S };
	if (fmax(p->find.at_s, p->find_not_before_s) <= now_s)
		search_tasks(p, now_s);
	p->sample_at_s = now_s + sample_interval_s(p);
}

/* Do what is due.  Returns the time until more is. */
static double profiler_step(struct profiler *p, double now_s)
{
	struct sp_error err;
	double next_s;

	if (p->sample_at_s <= now_s)
		profiler_sample(p, now_s);
	if (competitors_run(p->competitors, now_s, tasks_alive(p->tasks),
			    tasks_used_s(p->tasks), &err))
		log_debug("job %u: %s", p->job->job_id, err.text);
	next_s = fmin(p->sample_at_s, competitors_due_s(p->competitors));
	if (p->capture) {
		packet_sampler_run(&p->sampler, now_s, tasks_used_s(p->tasks));
		if (p->owners.at_s <= now_s && streams_unowned(p->streams))
			search_owners(p, now_s);
		next_s = fmin(next_s, p->sampler.at_s);
	}
	return fmax(next_s - now_s, WAIT_MIN_S);
}

/* 1: the job has ended; -1: the collector has; 0: neither. */
static int end_wait(int control_fd, double wait_s, double *ret_ended_at_s)
{
	struct pollfd fd = { .fd = control_fd, .events = POLLIN };
	struct timespec timeout = { .tv_nsec = (long)(wait_s * 1e9) };
	ssize_t size;

	if (ppoll(&fd, 1, &timeout, NULL) <= 0)
		return 0;
	size = read(control_fd, ret_ended_at_s, sizeof(*ret_ended_at_s));
	if (size < 0 && errno == EINTR)
		return 0;
	return size == sizeof(*ret_ended_at_s) ? 1 : -1;
}

static int profiler_loop(struct profiler *p, int control_fd,
			 double *ret_ended_at_s)
{
	for (;;) {
		double wait_s = profiler_step(p, clock_monotonic_s());
		int rc = end_wait(control_fd, wait_s, ret_ended_at_s);

		if (rc)
			return rc;
	}
}

/* --- Results ------------------------------------------------------------- */

static void report_messages(struct profiler *p, struct profile_share *share)
{
	uint64_t dropped = capture_dropped(p->capture);

	packet_sampler_finish(&p->sampler);
	share->peer_count = p->peer_count;
	for (int i = 0; i < p->peer_count; i++) {
		struct tally tally;

		streams_sum(p->streams, p->addresses[i], tasks_has, p->tasks,
			    &tally);
		strcpy(share->peer[i].node, p->peers[i]);
		share->peer[i].messages = tally.messages;
		share->peer[i].bytes = tally.bytes;
		share->peer[i].long_messages = tally.long_messages;
	}
	share->missed_bytes =
		(double)streams_missed(p->streams, tasks_has, p->tasks);
	if (dropped)
		log_info("job %u: %llu packets were not captured, %.0f bytes",
			 p->job->job_id, (unsigned long long)dropped,
			 share->missed_bytes);
}

/* With the node that most messages went to, as from workers to
 * their master's. */
static void report_rounds(const struct profiler *p, struct profile_share *share)
{
	struct rounds rounds;
	uint32_t connections;
	int most = 0;

	for (int i = 1; i < share->peer_count; i++)
		if (share->peer[i].messages > share->peer[most].messages)
			most = i;
	if (share->peer_count < 1)
		return;
	streams_rounds(p->streams, p->addresses[most], tasks_has, p->tasks,
		       &rounds, &connections);
	if (!connections)
		return;
	share->rank_count = 1;
	share->rank[0] = (struct profile_rank){ .ranks = connections,
						.peer = PROFILE_PEER_ROUNDS,
						.tasks = rounds.count,
						.tasks_s = rounds.sum_s,
						.tasks_s2 = rounds.sum_s2 };
}

static void report_mpi(const struct profiler *p, struct profile_share *share)
{
	struct mpi_report *report = malloc(sizeof(*report));
	struct sp_error err;

	if (report && mpi_report_read(p->job->mpi_folder, report, &err) == 0)
		mpi_report_apply(report, share);
	else
		log_info("job %u: no report of the MPI library: %s",
			 p->job->job_id, report ? err.text : "out of memory");
	free(report);
}

/* Where tasks are processes, phases are means over as many workers as there
 * were at a time.  False: they are not. */
static bool sum_births(struct profiler *p, struct profile_node *phases,
		       struct profile_rank *ret)
{
	if (!phases->tasks || !tasks_births(p->tasks, clock_monotonic_s(), ret))
		return false;

	double each = ret->tasks / ret->ranks;

	phases->tasks = ret->ranks;
	phases->busy_s *= each;
	phases->ready_s *= each;
	phases->idle_s *= each;
	phases->spinning_s *= each;
	return true;
}

/* contrib/experiments/profiles reads this line. */
static void log_cost(const struct profiler *p,
		     const struct profile_share *share)
{
	log_info("job %u: profile of %u tasks, %.3f s busy, %.3f s spinning, "
		 "%.2f of the CPU left by others; made with %.3f s of CPU "
		 "time, %.3f s for %.0f packets",
		 p->job->job_id, share->phases.tasks, share->phases.busy_s,
		 share->phases.spinning_s, share->phases.cpu_left, own_cpu_s(),
		 p->sampler.own_s, p->sampler.packets);
}

static int profiler_report(struct profiler *p, struct profile_share *share)
{
	struct sp_error err;

	profile_share_init(share);
	strcpy(share->cluster, p->job->cluster);
	strcpy(share->node, p->job->node);
	share->job_id = p->job->job_id;
	share->started_at_s = p->job->started_at_s;
	tasks_sum(p->tasks, &share->phases);

	bool births = sum_births(p, &share->phases, &share->rank[0]);

	if (competitors_sample(p->competitors, clock_monotonic_s(),
			       (int)share->phases.tasks, &err))
		log_debug("job %u: %s", p->job->job_id, err.text);
	share->phases.cpu_left = competitors_cpu_left(p->competitors);
	if (p->capture && p->peers_known)
		report_messages(p, share);
	if (p->job->mpi_folder[0])
		report_mpi(p, share);
	if (births && share->source != PROFILE_MPI)
		share->rank_count = 1;
	else if (share->source != PROFILE_MPI)
		report_rounds(p, share);
	if (!share->phases.tasks) {
		log_info("job %u: ended before a task was seen: no profile",
			 p->job->job_id);
		return -1;
	}
	log_cost(p, share);
	return 0;
}

int profiler_run(const struct profiler_job *job, int control_fd,
		 struct profile_share *ret)
{
	struct profiler profiler;
	double ended_at_s = NAN;
	int rc = profiler_begin(&profiler, job);

	if (rc == 0 && profiler_loop(&profiler, control_fd, &ended_at_s) < 0)
		rc = -1;
	if (rc == 0)
		rc = profiler_report(&profiler, ret);
	if (rc == 0)
		ret->ended_at_s = fmax(ended_at_s, job->started_at_s);
	profiler_end(&profiler);
	return rc;
}
