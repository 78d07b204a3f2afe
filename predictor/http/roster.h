/* roster.h - the nodes that take part in probes of links
 *
 * A collectord that asks for the roster is put on it, and leaves it when it has
 * not asked for long: a node that is down for a while keeps its place, as the
 * schedule of the others would change else.  With the list of nodes goes Slurm's
 * topology, so that all compute the same schedule (collectors/probes).
 */
#ifndef PREDICTOR_HTTP_ROSTER_H
#define PREDICTOR_HTTP_ROSTER_H

#include <stddef.h>

#include "predictor/base/error.h"
#include "predictor/wire/json_roster.h"

#define ROSTER_NODES_MAX 65536

struct roster;

/* `topology_path`: a topology.conf that is read again when it changes; NULL or
 * empty: none.  NULL: out of memory. */
struct roster *roster_create(const char *topology_path);
void roster_destroy(struct roster *roster);

/* Put `node` on it (empty: only look), and tell the whole.  `now_s` is of the
 * monotonic clock.  The caller frees ret->nodes and ret->topology with
 * wire_roster_clear(); they are NULL where `known` is the id already. */
int roster_ask(struct roster *roster, const char *cluster, const char *node,
	       const char *known, double now_s, struct wire_roster *ret,
	       struct sp_error *err);

#endif
