/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.c - the protocol of a probe between two collectords
 *
 * probe_call() is the side that probes: credentials both ways, pings, the load
 * of both interfaces, a transfer in each direction.  probe_answer() is the
 * other side: it serves one request a line until "bye".  All waits end at the
 * reader's deadline.  No locks: each connection belongs to one thread.
 */
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/probe.h"
#include "collectors/probes/busy_streams.h"
#include "predictor/base/clock.h"

#define PINGS   8 /* of which the fastest counts: others were delayed */
#define BPS_MAX 1e15

/* One side of the connection. */
struct probe_session {
	struct line_reader *reader;
	const struct probe_end *end;
	char interface[COUNTERS_NAME_SIZE]; /* empty: not known */
};

static int line_send(struct probe_session *t, struct sp_error *err,
		     const char *text)
{
	return line_print(t->reader->fd, t->reader->deadline_s, err, "%s\n",
			  text);
}

static void session_open(struct probe_session *t, struct line_reader *reader,
			 const struct probe_end *end)
{
	int one = 1;

	*t = (struct probe_session){ .reader = reader, .end = end };
	setsockopt(reader->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	/* If this fails, only the load is unknown. */
	counters_interface_of(reader->fd, t->interface, NULL);
}

static struct probe_load load_read(const struct probe_session *t)
{
	struct probe_load load = {
		.traffic = counters_traffic(&t->end->before, &t->end->now,
					    t->interface),
	};

	busy_streams_count(t->reader->fd, &load.streams_in, &load.streams_out);
	return load;
}

/* Return what the interface has carried since `from`. */
static struct traffic traffic_since(const struct probe_session *t,
				    const struct counters *from)
{
	struct counters now;

	if (counters_read("", &now, NULL))
		return (struct traffic){ NAN, NAN };
	return counters_traffic(from, &now, t->interface);
}

/* Unknown numbers are sent as "nan". */
static bool rate_is_valid(double value)
{
	return isnan(value) || (value >= 0 && value <= BPS_MAX);
}

/* --- Authentication ------------------------------------------------------- */

static int credential_send(struct probe_session *t, const char *role,
			   const char *to, uint64_t slot, const char *challenge,
			   const char *own, struct sp_error *err)
{
	struct claim claim = { .slot = slot };
	char *credential;
	int rc;

	snprintf(claim.role, sizeof(claim.role), "%s", role);
	snprintf(claim.from, sizeof(claim.from), "%s", t->end->node);
	snprintf(claim.to, sizeof(claim.to), "%s", to);
	snprintf(claim.challenge, sizeof(claim.challenge), "%s", challenge);
	snprintf(claim.own, sizeof(claim.own), "%s", own);
	credential = credential_make(t->end->munge_socket, &claim, err);
	if (!credential)
		return -1;
	rc = line_send(t, err, credential);
	free(credential);
	return rc;
}

/* Role, receiver and nonce are those of this probe. */
static int claim_check(const struct claim *claim, const char *role,
		       const char *to, const char *challenge,
		       struct sp_error *err)
{
	if (strcmp(claim->role, role) != 0 || strcmp(claim->to, to) != 0 ||
	    strcmp(claim->challenge, challenge) != 0)
		return sp_error_set(err,
				    "the credential of %s is for another "
				    "probe",
				    claim->from);
	return 0;
}

static int session_authenticate(struct probe_session *t, const char *to,
				uint64_t slot, struct sp_error *err)
{
	char own[NONCE_SIZE], nonce[NONCE_SIZE];
	const char *line = line_read(t->reader, err);
	struct claim claim;

	if (!line || nonce_make(own, err))
		return -1;
	if (sscanf(line, PROBE_GREETING "%32[0-9a-f]", nonce) != 1 ||
	    strlen(nonce) != NONCE_SIZE - 1)
		return sp_error_set(err, "unknown greeting");
	if (credential_send(t, "call", to, slot, nonce, own, err))
		return -1;
	line = line_read(t->reader, err);
	if (!line)
		return -1;
	if (!strncmp(line, "no ", 3))
		return sp_error_set(err, "refused: %.150s", line + 3);
	if (credential_read(t->end->munge_socket, line, geteuid(), &claim,
			    err) ||
	    claim_check(&claim, "answer", t->end->node, own, err))
		return -1;
	if (strcmp(claim.from, to) != 0 || claim.slot != slot)
		return sp_error_set(err, "%s replied instead", claim.from);
	return 0;
}

/* --- The caller's side ---------------------------------------------------- */

static int latency_measure(struct probe_session *t, double *ret_s,
			   struct sp_error *err)
{
	double least_s = HUGE_VAL;

	for (int i = 0; i < PINGS; i++) {
		double began_s = clock_monotonic_s();
		const char *line;

		if (line_send(t, err, "ping") ||
		    !(line = line_read(t->reader, err)))
			return -1;
		if (strcmp(line, "ping") != 0)
			return sp_error_set(err, "no reply to a ping");
		least_s = fmin(least_s, clock_monotonic_s() - began_s);
	}
	*ret_s = least_s;
	return 0;
}

static int load_exchange(struct probe_session *t, struct probe_result *r,
			 struct sp_error *err)
{
	struct probe_load *there = &r->there;
	const char *line;

	r->here = load_read(t);
	if (line_send(t, err, "load") || !(line = line_read(t->reader, err)))
		return -1;
	if (sscanf(line, "load %lf %lf %lf %lf", &there->traffic.received_bps,
		   &there->traffic.sent_bps, &there->streams_in,
		   &there->streams_out) != 4 ||
	    !rate_is_valid(there->traffic.received_bps) ||
	    !rate_is_valid(there->traffic.sent_bps) ||
	    !rate_is_valid(there->streams_in) ||
	    !rate_is_valid(there->streams_out))
		return sp_error_set(err, "bad load");
	return 0;
}

static int transfer_out(struct probe_session *t,
			const struct transfer_limits *limits,
			struct probe_result *r, struct sp_error *err)
{
	struct counters began;
	const char *line;

	if (counters_read("", &began, err) || line_send(t, err, "take") ||
	    transfer_send(t->reader->fd, limits, t->reader->deadline_s, &r->out,
			  err) ||
	    !(line = line_read(t->reader, err)))
		return -1;
	r->out_sent_bps = traffic_since(t, &began).sent_bps;
	if (sscanf(line, "took %lf", &r->out_received_bps) != 1 ||
	    !rate_is_valid(r->out_received_bps))
		return sp_error_set(err, "bad rate of what it received");
	return 0;
}

static int transfer_back(struct probe_session *t,
			 const struct transfer_limits *limits,
			 struct probe_result *r, struct sp_error *err)
{
	struct counters began;
	double bytes, seconds;
	uint64_t taken;
	const char *line;

	if (counters_read("", &began, err) ||
	    line_print(t->reader->fd, t->reader->deadline_s, err,
		       "give %.0f %.6f\n", (double)limits->bytes,
		       limits->time_s) ||
	    transfer_receive(t->reader, &taken, err) ||
	    !(line = line_read(t->reader, err)))
		return -1;
	r->back_received_bps = traffic_since(t, &began).received_bps;
	if (sscanf(line, "gave %lf %lf %lf %lf", &r->back.rate_bps, &bytes,
		   &seconds, &r->back_sent_bps) != 4 ||
	    !rate_is_valid(r->back.rate_bps) ||
	    !rate_is_valid(r->back_sent_bps) ||
	    !(seconds >= 0 && seconds < 1e3))
		return sp_error_set(err, "bad rate of what it sent");
	r->back.bytes = taken;
	r->back.time_s = seconds;
	return 0;
}

static void congestion_read(int fd, char ret[PROBE_CONGESTION_SIZE])
{
	socklen_t size = PROBE_CONGESTION_SIZE - 1;

	memset(ret, 0, PROBE_CONGESTION_SIZE);
	if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, ret, &size))
		ret[0] = '\0';
}

int probe_call(int fd, const struct probe_end *end, const char *to,
	       uint64_t slot, const struct transfer_limits limits[2],
	       double deadline_s, struct probe_result *ret,
	       struct sp_error *err)
{
	struct probe_result r = { .latency_s = NAN };
	struct line_reader reader;
	struct probe_session t;

	line_open(&reader, fd, deadline_s);
	session_open(&t, &reader, end);
	congestion_read(fd, r.congestion);
	if (session_authenticate(&t, to, slot, err) ||
	    latency_measure(&t, &r.latency_s, err) ||
	    load_exchange(&t, &r, err))
		return -1;
	if (limits) {
		if (transfer_out(&t, &limits[0], &r, err) ||
		    transfer_back(&t, &limits[1], &r, err))
			return -1;
		r.has_transfers = true;
	}
	line_send(&t, NULL, "bye");
	*ret = r;
	return 0;
}

/* --- The called side ----------------------------------------------- */

int probe_greet(int fd, char ret_nonce[NONCE_SIZE], struct sp_error *err)
{
	/* A new connection has room for a line: this does not wait. */
	return nonce_make(ret_nonce, err) ||
			       line_print(fd, clock_monotonic_s() + 0.1, err,
					  PROBE_GREETING "%s\n", ret_nonce)
		       ? -1
		       : 0;
}

static int serve_load(struct probe_session *t, struct sp_error *err)
{
	struct probe_load load = load_read(t);

	return line_print(t->reader->fd, t->reader->deadline_s, err,
			  "load %.0f %.0f %.0f %.0f\n",
			  load.traffic.received_bps, load.traffic.sent_bps,
			  load.streams_in, load.streams_out);
}

static int serve_take(struct probe_session *t, struct sp_error *err)
{
	struct counters began;
	uint64_t bytes;

	if (counters_read("", &began, err) ||
	    transfer_receive(t->reader, &bytes, err))
		return -1;
	return line_print(t->reader->fd, t->reader->deadline_s, err,
			  "took %.0f\n", traffic_since(t, &began).received_bps);
}

static int serve_give(struct probe_session *t, double bytes, double seconds,
		      struct sp_error *err)
{
	struct transfer_limits limits = { .time_s = seconds };
	struct transfer sent;
	struct counters began;

	if (!(bytes >= 0 && bytes <= TRANSFER_BYTES_MAX) ||
	    !(seconds >= 0 && seconds <= TRANSFER_TIME_MAX))
		return sp_error_set(err, "too large a transfer");
	limits.bytes = (uint64_t)bytes;
	if (counters_read("", &began, err) ||
	    transfer_send(t->reader->fd, &limits, t->reader->deadline_s, &sent,
			  err))
		return -1;
	return line_print(t->reader->fd, t->reader->deadline_s, err,
			  "gave %.0f %.0f %.6f %.0f\n", sent.rate_bps,
			  (double)sent.bytes, sent.time_s,
			  traffic_since(t, &began).sent_bps);
}

static int serve_requests(struct probe_session *t, struct sp_error *err)
{
	for (;;) {
		const char *line = line_read(t->reader, err);
		double bytes, seconds;
		int rc;

		if (!line)
			return -1;
		if (!strcmp(line, "bye"))
			return 0;
		if (!strcmp(line, "ping"))
			rc = line_send(t, err, "ping");
		else if (!strcmp(line, "load"))
			rc = serve_load(t, err);
		else if (!strcmp(line, "take"))
			rc = serve_take(t, err);
		else if (sscanf(line, "give %lf %lf", &bytes, &seconds) == 2)
			rc = serve_give(t, bytes, seconds, err);
		else
			rc = sp_error_set(err, "not understood: %.40s", line);
		if (rc)
			return -1;
	}
}

int probe_answer(struct line_reader *reader, const struct probe_end *end,
		 const char *nonce, const char *credential,
		 probe_allow_fn *allow, void *context, struct sp_error *err)
{
	struct claim claim;
	struct probe_session t;
	int rc;

	session_open(&t, reader, end);
	rc = credential_read(end->munge_socket, credential, geteuid(), &claim,
			     err);
	if (!rc)
		rc = claim_check(&claim, "call", end->node, nonce, err);
	if (!rc && !allow(context, &claim))
		rc = sp_error_set(err, "%s has no turn in slot %llu",
				  claim.from, (unsigned long long)claim.slot);
	if (rc) {
		line_print(reader->fd, reader->deadline_s, NULL, "no %s\n",
			   err->text);
		return -1;
	}
	if (credential_send(&t, "answer", claim.from, claim.slot, claim.own,
			    nonce, err))
		return -1;
	return serve_requests(&t, err);
}
