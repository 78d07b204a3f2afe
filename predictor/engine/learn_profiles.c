/* SPDX-License-Identifier: GPL-2.0-or-later */
/* learn_profiles.c - profiles that collectors send, and those of stored runs */
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine_state.h"
#include "predictor/engine/prediction_records.h"
#include "predictor/engine/subjects.h"
#include "predictor/models/farm/farm_profile.h"
#include "predictor/models/farm/farm_runtime.h"

static double forecast(const struct engine *engine, uint32_t node,
		       enum node_resource resource, double time_s,
		       double horizon_s)
{
	struct resource_forecast f;

	nodes_forecast(engine->nodes, node, resource, time_s, horizon_s, &f);
	return f.value;
}

void engine_complete_profile(struct engine *engine, struct profile_share *share)
{
	double time_s = share->started_at_s;
	double horizon_s = share->ended_at_s - share->started_at_s;

	ORDERED_LOCK_HOLD(&engine->lock);

	uint32_t node = nodes_find(engine->nodes, share->cluster, share->node);

	if (node != NODES_NONE) {
		share->phases.cpu_available = forecast(
			engine, node, NODE_CPU_AVAILABLE, time_s, horizon_s);
		share->phases.cpu_speed = forecast(engine, node, NODE_CPU_SPEED,
						   time_s, horizon_s);
	}
	for (int i = 0; i < share->peer_count && node != NODES_NONE; i++) {
		struct profile_peer *peer = &share->peer[i];
		uint32_t to =
			nodes_find(engine->nodes, share->cluster, peer->node);
		struct link_forecast link;

		if (to == NODES_NONE)
			continue;
		links_forecast(nodes_links(engine->nodes), node, to, time_s,
			       &link);
		peer->bandwidth_bps = link.bandwidth_bps;
		peer->latency_s = link.latency_s / 2; /* there and back */
	}
}

int engine_make_profile(const struct run *run,
			const struct profile_share shares[], size_t count,
			struct profile *ret, struct sp_error *err)
{
	if (profile_of_run(run, shares, count, ret, err))
		return -1;
	farm_profile_set(run, shares, count, ret);
	return 0;
}

/* --- What a message costs a farm's master --------------------------------- */

/* Profiles that this is found from: one of each number of nodes. */
#define SIZES_MAX 4

struct refining {
	const struct profile *newest;
	int count;
	struct profile of[SIZES_MAX]; /* the newest first */
	struct farm_runtime room;
};

static void take_other_size(void *context, const struct profile *p)
{
	struct refining *r = context;
	const struct profile *last = &r->of[r->count - 1];

	if (r->count == SIZES_MAX || p->farm.kind != PROFILE_FARM_DYNAMIC ||
	    strcmp(p->cluster, r->newest->cluster) ||
	    (p->nodes == r->newest->nodes && p->tasks == r->newest->tasks) ||
	    (p->nodes == last->nodes && p->tasks == last->tasks) ||
	    !parameters_equal(&p->application.parameters,
			      &r->newest->application.parameters))
		return;
	r->of[r->count++] = *p;
}

/* What probes measured is how long a message takes, not what it costs the
 * master: where the farm ran on several numbers of nodes, their times show it.
 * It takes some milliseconds, and the lock for copies only. */
static void refine_messages(struct engine *engine, const struct profile *newest)
{
	const struct profile_farm *farm = &newest->farm;
	struct refining *r;

	if (farm->kind != PROFILE_FARM_DYNAMIC || !(r = malloc(sizeof(*r))))
		return;
	r->newest = newest;
	r->count = 1;
	r->of[0] = *newest;
	engine_visit_profiles(engine, newest->application.name, take_other_size,
			      r);

	bool several = r->count > 1;
	double factor = farm_runtime_message_factor(r->of, r->count, &r->room);

	free(r);
	if (!several)
		return;
	ORDERED_LOCK_HOLD(&engine->lock);
	profiles_set_messages(engine->profiles, newest,
			      factor * farm->message_s,
			      factor * farm->long_message_s);
}

static int add_profile(struct engine *engine, const struct run *run,
		       struct profile *own, struct sp_error *err)
{
	struct prediction p;

	ORDERED_LOCK_HOLD(&engine->lock);

	if (predictions_of_run(engine->predictions, run, &p) == 0) {
		own->application = p.application;
		if (p.nodes)
			own->nodes = p.nodes;
		if (p.tasks)
			own->tasks = p.tasks;
	}
	return profiles_add(engine->profiles, own, err);
}

int engine_learn_profile(struct engine *engine, const struct run *run,
			 const struct profile *profile, struct sp_error *err)
{
	struct profile own = *profile;

	if (add_profile(engine, run, &own, err))
		return -1;
	refine_messages(engine, &own);
	return 0;
}

/* Ids are random numbers in hexadecimal digits. */
static bool is_one_in(const char *id, uint32_t every)
{
	return every > 0 && strtoull(id, NULL, 16) % every == 0;
}

/* The MPI library may never report: it is not there, or the program is none of
 * MPI's. */
#define UNCLEAR_RUNS_MAX 3

bool engine_wants_profile(struct engine *engine, const struct prediction *p,
			  uint32_t every, bool *ret_mpi)
{
	const struct profile *found;
	struct subject subject;

	*ret_mpi = false;
	if (!*p->application.name || p->nodes > PROFILE_NODES_MAX)
		return false;
	engine_subject(p, &subject);
	ORDERED_LOCK_HOLD(&engine->lock);

	found = profiles_find(engine->profiles, &subject);

	bool unclear = found && found->farm.kind == PROFILE_FARM_UNCLEAR;

	/* A farm of MPI's on one number of nodes is one on others, too. */
	*ret_mpi =
		unclear || (found && found->farm.kind == PROFILE_FARM_DYNAMIC);
	return !profiles_have(engine->profiles, &subject) ||
	       (unclear && found->runs < UNCLEAR_RUNS_MAX) ||
	       is_one_in(p->id, every);
}

bool engine_wants_trace(const struct prediction *p, uint32_t every)
{
	/* Other digits of the id than those that choose jobs to profile. */
	return *p->application.name && (p->nodes > 1 || p->tasks > 1) &&
	       strlen(p->id) > 8 && is_one_in(p->id + 8, every);
}

void engine_visit_profiles(struct engine *engine, const char *application,
			   void (*visit)(void *context,
					 const struct profile *profile),
			   void *context)
{
	ORDERED_LOCK_HOLD(&engine->lock);

	profiles_visit(engine->profiles, application, visit, context);
}
