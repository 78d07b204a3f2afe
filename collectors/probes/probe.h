/* SPDX-License-Identifier: GPL-2.0-or-later */
/* probe.h - the protocol of a probe between two collectords
 *
 * Lines of text over one TCP connection; A calls, B replies:
 *
 *	B: slurm-predict-probe 1 NONCE
 *	A: credential with B's nonce and one of A's
 *	B: credential with A's nonce          or: no REASON
 *	A: ping                               several times, for the latency
 *	B: ping
 *	A: load                               recent traffic of B's interface
 *	B: load RECEIVED SENT IN OUT             and its busy streams
 *	A: take  and chunks of data (transfer.h)
 *	B: took BITS_PER_SECOND               that B's interface received
 *	A: give BYTES SECONDS
 *	B: chunks of data, and: gave RATE BYTES SECONDS BITS_PER_SECOND
 *	A: bye
 *
 * B sends and receives data only after it has A's credential, and only in A's
 * turn of the schedule: a caller that may not probe costs it the first line.
 */
#pragma once

#include "collectors/probes/counters.h"
#include "collectors/probes/credential.h"
#include "collectors/probes/line.h"
#include "collectors/probes/transfer.h"

#define PROBE_GREETING "slurm-predict-probe 1 "

#define PROBE_CONGESTION_SIZE 16 /* of a name; the kernel's limit */

/* What a node's side of a probe knows. */
struct probe_end {
	const char *munge_socket; /* NULL or empty: MUNGE's default */
	const char *node;         /* own name */
	struct counters before;   /* some time before the slot */
	struct counters now;      /* when it began */
};

/* What the interface of a probe carried before it, and how many streams. */
struct probe_load {
	struct traffic traffic;
	double streams_in, streams_out;
};

struct probe_result {
	double latency_s; /* the least round trip */
	/* How new streams of the caller control congestion; empty:
	 * not known. */
	char congestion[PROBE_CONGESTION_SIZE];
	struct probe_load here, there;
	/* There and back: what was sent by the caller, by the other. */
	struct transfer out, back;
	/* What the two interfaces carried meanwhile, in that direction. */
	double out_sent_bps, out_received_bps;
	double back_sent_bps, back_received_bps;
	bool has_transfers;
};

/* Probe `to` over a connection to it.  `limits`: of the
 * transfers there and back; NULL: measure the latency only. */
int probe_call(int fd, const struct probe_end *end, const char *to,
	       uint64_t slot, const struct transfer_limits limits[2],
	       double deadline_s, struct probe_result *ret,
	       struct sp_error *err);

/* Send the greeting with a new nonce. */
int probe_greet(int fd, char ret_nonce[NONCE_SIZE], struct sp_error *err);

/* Whether it is that caller's turn. */
typedef bool probe_allow_fn(void *context, const struct claim *claim);

/* Serve a caller that was greeted and has sent the line `credential`. */
int probe_answer(struct line_reader *reader, const struct probe_end *end,
		 const char *nonce, const char *credential,
		 probe_allow_fn *allow, void *context, struct sp_error *err);
