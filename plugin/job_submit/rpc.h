/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rpc.h - requests to predictd from many threads, within a deadline
 *
 * Holds the connection, the lock around it and the circuit breaker.  The
 * deadline includes the wait for the lock.  Starts no thread; knows nothing
 * of Slurm.
 */
#pragma once

#include "plugin/site/predictd_peer.h"
#include "plugin/site/recent_models.h"
#include "predictor/wire/wire.h"

#define RPC_REPLY_MAX 65536 /* bytes: bounds the time to parse one, too */

struct rpc;

struct rpc *rpc_create(void); /* NULL: out of memory */
void rpc_destroy(struct rpc *rpc);

enum rpc_change {
	RPC_NO_CHANGE,
	RPC_STOPPED,   /* no requests are sent for a while from now */
	RPC_POSTPONED, /* the same, as predictd still loads its history */
	RPC_RESUMED    /* predictd replies again */
};

struct rpc_reply {
	struct prediction_answer prediction; /* id empty: it is not kept */
	char placement
		[RECENT_MODEL_SIZE]; /* for recent_models_put(); empty: none */
	const char *profile; /* the value of --predict-profile that it should
				have; NULL: predictd does not say */
};

/* Request from `peer` the prediction of `request` before clock_monotonic_s()
 * reaches `deadline_s`.  -1: there is none, *err says why, *ret is untouched.
 * *ret_change is set in any case. */
int rpc_predict(struct rpc *rpc, const struct predictd_peer *peer,
		const struct wire_request *request, double deadline_s,
		struct rpc_reply *ret, enum rpc_change *ret_change,
		struct sp_error *err);
