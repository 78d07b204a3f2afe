/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - measurements of nodes and links, topology */
#include "predictor/engine/engine_state.h"
#include "predictor/conditions/leaves.h"

int engine_measure(struct engine *engine, const char *cluster,
		   const struct measurement *m, struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	int rc = nodes_measure(engine->nodes, cluster, m, err);

	if (!rc) {
		engine->measurements++;
		engine_note_cluster(engine, cluster);
	}
	return rc;
}

int engine_measure_link(struct engine *engine, const char *cluster,
			const struct link_measurement *m, struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	int rc = nodes_measure_link(engine->nodes, cluster, m, err);

	if (!rc) {
		engine->link_measurements++;
		engine_note_cluster(engine, cluster);
	}
	return rc;
}

int engine_set_topology(struct engine *engine, const struct topology *topology,
			struct sp_error *err)
{
	struct leaves *leaves = topology ? leaves_create(topology) : NULL;

	if (topology && !leaves)
		return sp_error_set(err, "a topology: out of memory");
	ORDERED_LOCK_HOLD(&engine->lock);

	nodes_set_leaves(engine->nodes, leaves);
	return 0;
}

/* --- Before a restart ----------------------------------------------------- */

void engine_reload_begin(struct engine *engine)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	nodes_reload_begin(engine->nodes);
}

void engine_reload_end(struct engine *engine)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	nodes_reload_end(engine->nodes);
}

int engine_reload_measurement(struct engine *engine, const char *cluster,
			      const struct measurement *m, struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	int rc = nodes_reload(engine->nodes, cluster, m, err);

	if (!rc)
		engine_note_cluster(engine, cluster);
	return rc;
}

int engine_reload_speed(struct engine *engine, const char *cluster,
			const char *node, double time_s, double speed,
			struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return nodes_reload_speed(engine->nodes, cluster, node, time_s, speed,
				  err);
}

int engine_reload_link(struct engine *engine, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	return nodes_reload_link(engine->nodes, cluster, m, err);
}
