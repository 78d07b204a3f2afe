/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_runtime.h - run time of a farm on other nodes
 *
 * A farm has the sum of its nodes' speeds: who is slow gets fewer tasks.  The
 * run is simulated (predictor/farm/simulate.h) in the setting in which it was
 * profiled and in the new one; the profile's run time is multiplied by how the
 * two differ, which takes out what the simulation does not know.  But for the
 * time that workers waited and the simulation knows nothing of, as where an
 * iteration ends before the next one begins: more work for each makes that no
 * longer.  It is added, and is 0 for one worker, which waits for nobody.
 */
#pragma once

#include "predictor/farm/farm.h"
#include "predictor/features/profile.h"

/* If there are more tasks, equal numbers of them are taken together. */
#define FARM_TASKS_MAX     2048
#define FARM_TASKS_CEILING (16 * FARM_WORKERS_MAX)

/* The profile of a dynamic farm, made ready; 130 KB.  The profile is lent. */
struct farm_runtime {
	const struct profile *profile;
	double recorded_s;  /* simulated as it was profiled */
	double computing_s; /* the run time, but for what workers waited that
			       is not simulated */
	double waiting_s;   /* the latter, of as many workers as could be */
	double speed;       /* mean of the nodes' CPUs */
	double share; /* of a CPU that a process gets there if it is alone */
	struct farm farm;
	struct message_costs costs;
	double work[FARM_TASKS_CEILING + 1];
};

/* Fails where the profile is of no dynamic farm. */
int farm_runtime_prepare(const struct profile *profile,
			 struct farm_runtime *ret, struct sp_error *err);

/* Return the seconds on that many nodes with that many processes, where
 * nodes[i] is the share of a CPU that a process gets, NAN: that of a process
 * that is alone; nodes: NULL: the latter everywhere.  NAN: there is no worker,
 * or there are too many. */
double farm_runtime_on(const struct farm_runtime *runtime, uint32_t node_count,
		       uint32_t tasks, const double nodes[]);

/* Return the workers on these, and the most that the master can keep fed with
 * a task each: (10) and (11) of [1] in farm.h. */
int farm_runtime_workers(const struct farm_runtime *runtime,
			 uint32_t node_count, uint32_t tasks);
int farm_runtime_fed(const struct farm_runtime *runtime);

/* Return what a message costs, as a multiple of what the first of `count`
 * profiles of one farm says, so that the run times of all follow best from
 * that one's; 1 where they do not show it.  The profiles are of different
 * numbers of nodes; `room` is written to. */
double farm_runtime_message_factor(const struct profile of[], int count,
				   struct farm_runtime *room);
