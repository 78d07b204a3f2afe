/* placement_model.h - what decides where a waiting job runs fastest
 *
 * A few numbers in place of a profile, so that a scheduler can hold those of
 * all waiting jobs and try thousands of nodes.  All are of the task that the
 * others wait for, on a CPU of speed 1 that nobody else wants:
 *
 *	L = link_bits / bandwidth + link_messages * latency
 *	T = max(busy / speed + idle + L,
 *	        busy / (speed * available) + (1 - credit) * (idle + L))
 *
 * where of the nodes chosen the one that makes T largest counts, and of the
 * links between them the slowest.  This is what models/sharing.h says of a
 * program whose processes go in step, with the share of idle time that a
 * process gets back from competitors as one number, the credit.
 */
#ifndef PREDICTOR_SNAPSHOT_PLACEMENT_MODEL_H
#define PREDICTOR_SNAPSHOT_PLACEMENT_MODEL_H

#include <stdint.h>

#include "predictor/features/profile.h"

enum placement_basis {
	PLACEMENT_CONDITIONS, /* nothing is known of it: T is in no unit, and
				 tells only which conditions are better */
	PLACEMENT_HISTORY,    /* how long it runs; taken to compute all the
				 time */
	PLACEMENT_PROFILE,    /* all below */
	PLACEMENT_BASES
};

struct placement_model {
	enum placement_basis basis;
	uint32_t nodes;  /* that it is of */
	uint32_t tasks;  /* over all nodes */
	float horizon_s; /* over which conditions matter: about its run time */
	float busy_s;
	float idle_s; /* asleep or waiting, but not for messages on their way */
	float credit; /* 0 to 1 */
	float link_bits;     /* over the busiest link, one after another */
	float link_messages; /* likewise */
};

/* What a node set offers: of CPUs and links the worst. */
struct placement_offer {
	float available;     /* 0 to 1, > 0 */
	float speed;         /* > 0 */
	float bandwidth_bps; /* > 0 */
	float latency_s;     /* one way */
};

/* For a job of which only its median run time is known, NAN: not even that. */
void placement_model_plain(uint32_t nodes, uint32_t tasks, double median_s,
			   struct placement_model *ret);

/* From a profile.  -1: it does not have what it takes; *ret is as it was. */
int placement_model_of(const struct profile *profile,
		       struct placement_model *ret);

/* T above, of the slowest node with the slowest link. */
double placement_runtime_s(const struct placement_model *model,
			   const struct placement_offer *offer);

#endif
