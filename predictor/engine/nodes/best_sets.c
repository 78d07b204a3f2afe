/* SPDX-License-Identifier: GPL-2.0-or-later */
/* best_sets.c - the best node sets for a job, one without the nodes of another
 *
 * Works on a reference to a snapshot and on memory of its own; the engine's
 * lock is held only while the job's model is made.
 */
#include <math.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/nodes/job_model.h"
#include "predictor/engine/nodes/node_sets_state.h"
#include "predictor/engine/nodes/snapshots_state.h"

static int best_sets(struct chooser *c, double median_s, int max,
		     struct engine_set ret[])
{
	struct rank_set worth;
	double first_s = NAN;
	int count = 0;

	while (count < max && !chooser_best(c, &worth)) {
		if (count == 0)
			first_s = worth.runtime_s;
		sets_describe(c, &worth, first_s, median_s, &ret[count++]);
		if (!chooser_next(c))
			break;
	}
	return count;
}

int engine_best_sets(struct engine *engine, const struct prediction *p,
		     const struct submission *job, int max,
		     struct engine_set ret[])
{
	struct snapshot *snapshot =
		snapshots_current(engine, p->cluster, p->made_at_s, NULL);
	struct chooser *c = chooser_create();
	struct node_facts *facts = engine_node_facts(engine, p->cluster);
	struct node_demand demand;
	struct placement_model model;
	struct hostlist in, out;
	int count = -1;

	sets_expand(job->required_nodes, &in);
	sets_expand(job->excluded_nodes, &out);
	node_demand_of(job, &demand);

	struct chooser_request request = sets_request(p, snapshot, &model);

	request.required = &in;
	request.excluded = &out;
	request.facts = facts;
	request.demand = &demand;
	ordered_lock_take(&engine->lock);
	job_model(engine->profiles, engine->block_weights, engine->nodes, p,
		  job_model_median_s(p), &model);
	ordered_lock_give(&engine->lock);
	if (snapshot && c && !chooser_begin(c, &request))
		count = best_sets(c, job_model_median_s(p), max, ret);
	chooser_destroy(c);
	snapshot_put(snapshot);
	node_facts_put(facts);
	hostlist_clear(&in);
	hostlist_clear(&out);
	return count;
}
