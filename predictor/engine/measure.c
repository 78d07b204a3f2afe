/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c - measurements of nodes and links, topology */
#include "predictor/engine/engine_state.h"
#include "predictor/conditions/leaves.h"

int engine_measure(struct engine *engine, const char *cluster,
		   const struct measurement *m, struct sp_error *err)
{
	ordered_lock_take(&engine->lock);

	int rc = nodes_measure(engine->nodes, cluster, m, err);

	if (!rc) {
		engine->measurements++;
		engine_note_cluster(engine, cluster);
	}
	ordered_lock_give(&engine->lock);
	return rc;
}

int engine_measure_link(struct engine *engine, const char *cluster,
			const struct link_measurement *m, struct sp_error *err)
{
	ordered_lock_take(&engine->lock);

	int rc = nodes_measure_link(engine->nodes, cluster, m, err);

	if (!rc) {
		engine->link_measurements++;
		engine_note_cluster(engine, cluster);
	}
	ordered_lock_give(&engine->lock);
	return rc;
}

int engine_set_topology(struct engine *engine, const struct topology *topology,
			struct sp_error *err)
{
	struct leaves *leaves = topology ? leaves_create(topology) : NULL;

	if (topology && !leaves)
		return sp_error_set(err, "a topology: out of memory");
	ordered_lock_take(&engine->lock);
	nodes_set_leaves(engine->nodes, leaves);
	ordered_lock_give(&engine->lock);
	return 0;
}

/* --- Before a restart ----------------------------------------------------- */

void engine_reload_begin(struct engine *engine)
{
	ordered_lock_take(&engine->lock);
	nodes_reload_begin(engine->nodes);
	ordered_lock_give(&engine->lock);
}

void engine_reload_end(struct engine *engine)
{
	ordered_lock_take(&engine->lock);
	nodes_reload_end(engine->nodes);
	ordered_lock_give(&engine->lock);
}

int engine_reload_measurement(struct engine *engine, const char *cluster,
			      const struct measurement *m, struct sp_error *err)
{
	ordered_lock_take(&engine->lock);

	int rc = nodes_reload(engine->nodes, cluster, m, err);

	if (!rc)
		engine_note_cluster(engine, cluster);
	ordered_lock_give(&engine->lock);
	return rc;
}

int engine_reload_speed(struct engine *engine, const char *cluster,
			const char *node, double time_s, double speed,
			struct sp_error *err)
{
	ordered_lock_take(&engine->lock);

	int rc = nodes_reload_speed(engine->nodes, cluster, node, time_s, speed,
				    err);

	ordered_lock_give(&engine->lock);
	return rc;
}

int engine_reload_link(struct engine *engine, const char *cluster,
		       const struct link_measurement *m, struct sp_error *err)
{
	ordered_lock_take(&engine->lock);

	int rc = nodes_reload_link(engine->nodes, cluster, m, err);

	ordered_lock_give(&engine->lock);
	return rc;
}
