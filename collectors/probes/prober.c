/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prober.c - the thread that probes links and serves probes of other nodes
 *
 * The thread alternates between its turns of the schedule, in which it calls
 * the partner, and waiting for callers; it does one probe at a time.  Before a
 * turn it reads the interfaces' counters, so that the load before the probe is
 * known.  prober->lock protects the new schedule and the results, which are
 * exchanged with the main thread; all else belongs to the thread.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "collectors/probes/callers.h"
#include "collectors/probes/estimate.h"
#include "collectors/probes/peers.h"
#include "collectors/probes/probe.h"
#include "collectors/probes/prober.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/base/thread_start.h"

#define CONNECT_S   1.0
#define PROBE_S     8.0  /* at most, and half a slot */
#define BEGIN       0.05 /* of a slot passes first: clocks differ */
#define BEGIN_S     0.25
#define LOAD_S      1.0 /* over which the load before is averaged */
#define RESULTS_MAX 64
#define STACK_SIZE  (256 << 10)
#define NEVER_SLOT  UINT64_MAX

struct prober {
	char munge_socket[256];
	char node[HOSTLIST_NAME_SIZE];
	int port;
	double interval_s;

	pthread_t thread;
	bool running;
	int wake; /* an eventfd, for the thread */
	atomic_bool ending;

	pthread_mutex_t lock; /* for what follows */
	struct schedule *fresh;
	bool has_fresh;
	int results_fd;
	size_t results_count;
	struct link_measurement results[RESULTS_MAX];

	/* The thread's own. */
	struct schedule *schedule;
	size_t self; /* in the schedule; SIZE_MAX: not there */
	uint64_t load_slot, called_slot, served_slot;
	struct counters before, last; /* `last`: of the last measurement */
	struct callers callers;
	struct probe_peers peers;
};

/* --- Results -------------------------------------------------------------- */

static void result_put(struct prober *p, const struct link_measurement *m)
{
	pthread_mutex_lock(&p->lock);
	if (p->results_count < RESULTS_MAX)
		p->results[p->results_count++] = *m;
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->results_fd, 1);
}

int prober_fd(const struct prober *p)
{
	return p->results_fd;
}

size_t prober_take(struct prober *p, struct link_measurement *ret, size_t max)
{
	eventfd_t ignored;
	size_t count;

	eventfd_read(p->results_fd, &ignored);
	pthread_mutex_lock(&p->lock);
	count = p->results_count < max ? p->results_count : max;
	memcpy(ret, p->results, count * sizeof(*ret));
	p->results_count -= count;
	memmove(p->results, p->results + count,
		p->results_count * sizeof(*ret));
	pthread_mutex_unlock(&p->lock);
	return count;
}

/* --- Calling -------------------------------------------------------------- */

static int peer_connect(const struct probe_peer *peer, struct sp_error *err)
{
	int fd = socket(peer->address.ss_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int wrong = 0;
	socklen_t size = sizeof(wrong);

	if (fd < 0)
		return sp_error_set(err, "no socket: %s", strerror(errno));
	if (connect(fd, (const struct sockaddr *)&peer->address,
		    peer->address_size) &&
	    errno != EINPROGRESS) {
		sp_error_set(err, "%s", strerror(errno));
		goto failed;
	}
	if (line_wait(fd, POLLOUT, clock_monotonic_s() + CONNECT_S, err))
		goto failed;
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &wrong, &size);
	if (!wrong)
		return fd;
	sp_error_set(err, "%s", strerror(wrong));
failed:
	close(fd);
	return -1;
}

/* Return the utilisation of the sender's interface since the last measurement.
 * What probes sent is little. */
static double utilisation_find(struct prober *p, const struct probe_end *end,
			       const char *interface, double capacity_bps)
{
	double sent_bps =
		counters_traffic(&p->last, &end->now, interface).sent_bps;
	double infiniband = counters_infiniband(&p->last, &end->now);

	if (!isnan(infiniband))
		return infiniband;
	return isnan(sent_bps) || !(capacity_bps > 0)
		       ? NAN
		       : fmin(1, sent_bps / capacity_bps);
}

static double bandwidth_estimate(struct probe_peer *peer,
				 const struct probe_result *r, bool out)
{
	const struct probe_load *from = out ? &r->here : &r->there;
	const struct probe_load *to = out ? &r->there : &r->here;
	double *capacity = out ? &peer->out_bps : &peer->back_bps;
	struct estimate e = estimate_bandwidth(&(struct estimate_input){
		.probe_bps = out ? r->out.rate_bps : r->back.rate_bps,
		.from = { from->traffic.sent_bps,
			  out ? r->out_sent_bps : r->back_sent_bps,
			  from->streams_out },
		.to = { to->traffic.received_bps,
			out ? r->out_received_bps : r->back_received_bps,
			to->streams_in },
		.capacity_bps = *capacity,
		/* Nodes of a cluster are set up the same way. */
		.newcomer = estimate_newcomer(r->congestion),
	});

	*capacity = e.capacity_bps;
	return e.bandwidth_bps;
}

static void probe_report(struct prober *p, struct probe_peer *peer,
			 const struct probe_end *end, const char *interface,
			 const struct probe_result *r)
{
	struct link_measurement out, back;

	link_measurement_init(&out);
	out.time_s = clock_now_s();
	out.latency_s = r->latency_s;
	back = out;
	snprintf(out.from, sizeof(out.from), "%s", p->node);
	snprintf(out.to, sizeof(out.to), "%s", peer->name);
	snprintf(back.from, sizeof(back.from), "%s", peer->name);
	snprintf(back.to, sizeof(back.to), "%s", p->node);
	if (r->has_transfers) {
		out.bandwidth_bps = bandwidth_estimate(peer, r, true);
		back.bandwidth_bps = bandwidth_estimate(peer, r, false);
		probe_peer_spent(peer, p->interval_s, r->out.time_s,
				 r->back.time_s);
		log_debug("probe of %s: %.3g and %.3g bit/s in %.3f and "
			  "%.3f s, estimated %.3g and %.3g",
			  peer->name, r->out.rate_bps, r->back.rate_bps,
			  r->out.time_s, r->back.time_s, out.bandwidth_bps,
			  back.bandwidth_bps);
	}
	out.utilisation = utilisation_find(p, end, interface, peer->out_bps);
	p->last = end->now;
	result_put(p, &out);
	result_put(p, &back);
}

/* Return the longest time for a whole probe. */
static double timeout_s(const struct prober *p)
{
	return fmin(PROBE_S, p->interval_s / 2);
}

static int peer_probe(struct prober *p, struct probe_peer *peer, uint64_t slot,
		      struct sp_error *err)
{
	struct probe_end end = { .munge_socket = p->munge_socket,
				 .node = p->node,
				 .before = p->before };
	double deadline_s = clock_monotonic_s() + timeout_s(p);
	char interface[COUNTERS_NAME_SIZE] = "";
	struct transfer_limits limits[2];
	struct probe_result result;
	int fd, rc;

	if (probe_peer_resolve(peer, p->port, err) ||
	    counters_read("", &end.now, err))
		return -1;
	fd = peer_connect(peer, err);
	if (fd < 0) {
		peer->address_size = 0;
		return -1;
	}
	counters_interface_of(fd, interface, NULL);

	bool full =
		probe_peer_limits(peer, p->interval_s, &limits[0], &limits[1]);

	rc = probe_call(fd, &end, peer->name, slot, full ? limits : NULL,
			deadline_s, &result, err);
	close(fd);
	if (!rc)
		probe_report(p, peer, &end, interface, &result);
	return rc;
}

static void turn_call(struct prober *p, size_t partner, uint64_t slot)
{
	struct probe_peer *peer = probe_peers_find(
		&p->peers, schedule_name(p->schedule, partner), slot);
	struct sp_error err;

	if (peer_probe(p, peer, slot, &err) == 0) {
		if (peer->failures > 1)
			log_info("%s can be probed again", peer->name);
		peer->failures = 0;
	} else if (++peer->failures == 2) {
		/* A single one may be due to a new schedule. */
		log_warning("%s can't be probed: %s", peer->name, err.text);
	} else {
		log_debug("%s can't be probed: %s", peer->name, err.text);
	}
}

/* --- Called ----------------------------------------------------------- */

static uint64_t slot_at(const struct prober *p, double time_s)
{
	return time_s > 0 ? (uint64_t)(time_s / p->interval_s) : 0;
}

static bool turn_allows(void *context, const struct claim *claim)
{
	struct prober *p = context;
	uint64_t now = slot_at(p, clock_now_s());
	struct schedule_turn turn;

	if (!p->schedule || claim->slot == p->served_slot ||
	    claim->slot + 1 < now || claim->slot > now + 1 ||
	    !schedule_turn(p->schedule, p->self, claim->slot, &turn) ||
	    turn.begins ||
	    strcmp(schedule_name(p->schedule, turn.partner), claim->from) != 0)
		return false;
	p->served_slot = claim->slot;
	return true;
}

static void caller_serve(void *context, struct caller *caller, const char *line)
{
	struct prober *p = context;
	struct probe_end end = { .munge_socket = p->munge_socket,
				 .node = p->node,
				 .before = p->before };
	char credential[LINE_SIZE];
	struct sp_error err;

	strcpy(credential, line); /* lines are shorter */
	caller->reader.deadline_s = clock_monotonic_s() + timeout_s(p);
	if (counters_read("", &end.now, &err) ||
	    probe_answer(&caller->reader, &end, caller->nonce, credential,
			 turn_allows, p, &err))
		log_debug("probe refused: %s", err.text);
}

/* --- The thread ----------------------------------------------------------- */

static void schedule_use(struct prober *p)
{
	pthread_mutex_lock(&p->lock);
	if (p->has_fresh) {
		schedule_destroy(p->schedule);
		p->schedule = p->fresh;
		p->fresh = NULL;
		p->has_fresh = false;
		p->self = p->schedule ? schedule_find(p->schedule, p->node)
				      : SIZE_MAX;
	}
	pthread_mutex_unlock(&p->lock);
}

static bool has_turn(const struct prober *p, uint64_t slot,
		     struct schedule_turn *ret)
{
	return p->schedule && p->self != SIZE_MAX &&
	       schedule_turn(p->schedule, p->self, slot, ret);
}

static double begin_s(const struct prober *p)
{
	return fmin(BEGIN_S, BEGIN * p->interval_s);
}

/* Do what is due; returns the seconds until something is due again. */
static double turn_run(struct prober *p)
{
	double now_s = clock_now_s();
	uint64_t slot = slot_at(p, now_s);
	double into_s = now_s - (double)slot * p->interval_s;
	double load_at_s = p->interval_s - fmin(LOAD_S, p->interval_s / 4);
	struct schedule_turn turn;

	if (slot != p->called_slot && into_s >= begin_s(p)) {
		p->called_slot = slot;
		if (has_turn(p, slot, &turn) && turn.begins) {
			turn_call(p, turn.partner, slot);
			return 0;
		}
	}
	if (slot != p->load_slot && into_s >= load_at_s) {
		p->load_slot = slot;
		if (has_turn(p, slot + 1, &turn))
			counters_read("", &p->before, NULL);
	}
	if (into_s < begin_s(p))
		return begin_s(p) - into_s;
	if (into_s < load_at_s)
		return load_at_s - into_s;
	return p->interval_s + begin_s(p) - into_s;
}

/* Until a caller connects, or `wait_s` have passed. */
static void wait_for_callers(struct prober *p, double wait_s)
{
	struct pollfd fds[1 + 1 + CALLERS_MAX] = {
		{ .fd = p->wake, .events = POLLIN },
	};
	double until_s = callers_wait(&p->callers, fds + 1);
	eventfd_t ignored;

	wait_s = fmax(0, fmin(wait_s, until_s - clock_monotonic_s()));

	struct timespec timeout = clock_timespec(wait_s);

	if (ppoll(fds, sizeof(fds) / sizeof(*fds), &timeout, NULL) < 0)
		return;
	if (fds[0].revents)
		eventfd_read(p->wake, &ignored);
	callers_run(&p->callers, fds + 1, caller_serve, p);
}

static void *prober_main(void *context)
{
	struct prober *p = context;

	counters_read("", &p->last, NULL);
	while (!atomic_load(&p->ending)) {
		schedule_use(p);
		wait_for_callers(p, turn_run(p));
	}
	return NULL;
}

/* --- Setting up ----------------------------------------------------------- */

static int start_thread(struct prober *p, struct sp_error *err)
{
	if (thread_start(&p->thread, STACK_SIZE, prober_main, p, err))
		return -1;
	p->running = true;
	return 0;
}

struct prober *prober_create(const struct prober_config *config,
			     struct sp_error *err)
{
	struct prober *p = calloc(1, sizeof(*p));

	if (!p)
		return sp_error_null(err, "out of memory");
	pthread_mutex_init(&p->lock, NULL);
	callers_init(&p->callers);
	snprintf(p->node, sizeof(p->node), "%s", config->node);
	snprintf(p->munge_socket, sizeof(p->munge_socket), "%s",
		 config->munge_socket);
	p->port = config->port;
	p->interval_s = config->interval_s;
	p->self = SIZE_MAX;
	p->load_slot = p->called_slot = p->served_slot = NEVER_SLOT;
	p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->results_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->wake < 0 || p->results_fd < 0)
		sp_error_set(err, "eventfd: %s", strerror(errno));
	else if (!callers_open(&p->callers, config->listen, config->port,
			       err) &&
		 !start_thread(p, err))
		return p;
	prober_destroy(p);
	return NULL;
}

void prober_destroy(struct prober *p)
{
	if (!p)
		return;
	if (p->running) {
		atomic_store(&p->ending, true);
		eventfd_write(p->wake, 1);
		pthread_join(p->thread, NULL);
	}
	callers_close(&p->callers);
	if (p->wake >= 0)
		close(p->wake);
	if (p->results_fd >= 0)
		close(p->results_fd);
	schedule_destroy(p->schedule);
	schedule_destroy(p->fresh);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

void prober_set_schedule(struct prober *p, struct schedule *schedule)
{
	pthread_mutex_lock(&p->lock);
	schedule_destroy(p->fresh);
	p->fresh = schedule;
	p->has_fresh = true;
	pthread_mutex_unlock(&p->lock);
	eventfd_write(p->wake, 1);
}
