/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sender.h - sends records, measurements and traces to predictd
 *
 * Records come from the spool and are removed when predictd has stored them.
 * Measurements are kept in memory; the oldest are lost if predictd is
 * unavailable for long.  If there are several predictd, the last that replied
 * is used, and the next when it fails; after a round of failures there is a
 * pause, longer each time and of random length, so that the nodes of a cluster
 * do not return all at once.
 */
#pragma once

#include "collectors/daemon/collectord_config.h"
#include "collectors/runs/spool.h"
#include "collectors/runs/trace_files.h"
#include "predictor/base/error.h"
#include "predictor/features/link.h"
#include "predictor/features/measurement.h"

struct sender;

/* NULL: *err says why. */
struct sender *sender_create(struct spool *spool,
			     const struct collectord_config *config,
			     struct sp_error *err);
void sender_destroy(struct sender *sender);

/* New addresses and intervals; queued measurements are kept. */
int sender_configure(struct sender *sender,
		     const struct collectord_config *config,
		     struct sp_error *err);

/* Files that it sends, too; lent.  NULL: none. */
void sender_set_traces(struct sender *sender, struct trace_files *traces);

/* Without it measurements and traces stay queued. */
void sender_set_cluster(struct sender *sender, const char *cluster);

void sender_measured(struct sender *sender, const struct measurement *m);
void sender_link_measured(struct sender *sender,
			  const struct link_measurement *m);

/* GET `path` from every predictd; *ret is the reply of the first that replies,
 * lent until the next request. */
int sender_ask(struct sender *sender, const char *path,
	       struct client_reply *ret, struct sp_error *err);

/* The same of the predictd that is used now alone, and soon: while it does not
 * reply, nobody waits for it more than once in a while. */
int sender_ask_soon(struct sender *sender, const char *path, double now_s,
		    struct client_reply *ret, struct sp_error *err);

/* When something can be sent next (monotonic clock); HUGE_VAL: nothing
 * is queued. */
double sender_at_s(const struct sender *sender);

/* Send what is due: at most one message of each kind. */
void sender_run(struct sender *sender, double now_s);
