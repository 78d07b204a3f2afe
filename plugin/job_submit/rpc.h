/* rpc.h - one question to predictd from many threads, within a deadline
 *
 * Holds the connection, the lock around it and the breaker.  The wait for the
 * lock counts.  Starts no thread; knows nothing of Slurm.
 */
#ifndef PLUGIN_JOB_SUBMIT_RPC_H
#define PLUGIN_JOB_SUBMIT_RPC_H

#include "plugin/site/predictd_peer.h"
#include "plugin/site/recent_models.h"
#include "predictor/wire/wire.h"

#define ASK_REPLY_MAX 65536 /* bytes: bounds the time to parse one, too */

struct ask;

struct ask *ask_create(void); /* NULL: out of memory */
void ask_destroy(struct ask *ask);

enum ask_news {
	ASK_NO_NEWS,
	ASK_STOPPED, /* predictd is not asked for a while from now */
	ASK_RESUMED  /* it answers again */
};

struct ask_answer {
	struct prediction_answer prediction;
	char placement[TOLD_SIZE]; /* for told_put(); empty: none */
};

/* Ask `peer` for the prediction of `request` before clock_monotonic_s() reaches
 * `deadline_s`.  -1: there is none, *err says why, *ret is untouched.
 * *ret_news is set in any case. */
int ask_prediction(struct ask *ask, const struct predictd_peer *peer,
		   const struct wire_request *request, double deadline_s,
		   struct ask_answer *ret, enum ask_news *ret_news,
		   struct sp_error *err);

#endif
