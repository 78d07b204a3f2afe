/* link_probing.h - probes of links, as collectord takes part in them
 *
 * Asks predictd with whom (and is put on the roster by asking), lets the prober
 * do it, and hands what it measured to the sender.
 */
#ifndef COLLECTORS_DAEMON_LINK_PROBING_H
#define COLLECTORS_DAEMON_LINK_PROBING_H

#include "collectors/daemon/collectord_config.h"
#include "collectors/daemon/sender.h"
#include "predictor/base/error.h"

struct links;

/* NULL: *err says why; also where they are turned off. */
struct links *links_create(const struct collector_config *config,
			   struct sender *sender, struct sp_error *err);
void links_destroy(struct links *links);

/* Readable when something was measured. */
int links_fd(const struct links *links);

/* When to ask again (monotonic clock). */
double links_at_s(const struct links *links);

/* Do what is due.  `cluster` is empty while it is not known. */
void links_run(struct links *links, const char *cluster, double now_s);

#endif
