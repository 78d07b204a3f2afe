/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_run.c - a farm from its creation to its end
 *
 * All ranks create it or none.  A run is farm_master() or farm_worker();
 * between two of them the master chooses the partition factor and the number
 * of workers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/farm/farm_run.h"
#include "predictor/farm/partition_factor.h"

static const struct farm_policy *find_policy(const char *name)
{
	if (!name)
		return &policy_shared;
	for (int i = 0; farm_policies[i]; i++)
		if (strcmp(farm_policies[i]->name, name) == 0)
			return farm_policies[i];
	return NULL;
}

/* Return what the scheduler expects of the nodes of this job. */
static double slowdown_of_environment(void)
{
	const char *text = getenv("PREDICT_SLOWDOWN");
	double slowdown = text ? strtod(text, NULL) : 0;

	return isfinite(slowdown) && slowdown >= 1 ? slowdown : 0;
}

/* What only the master has. */
static int create_master(struct predict_farm *farm)
{
	size_t count = (size_t)farm->workers_count;

	farm->workers = calloc(count, sizeof(*farm->workers));
	if (!farm->workers)
		return -1;
	for (size_t i = 0; i < count; i++)
		farm->workers[i].request = MPI_REQUEST_NULL;
	return farm_estimate_init(&farm->estimate, farm->workers_count);
}

static void farm_free(struct predict_farm *farm)
{
	for (int i = 0; farm->workers && i < farm->workers_count; i++) {
		/* The memory of a send to a silent worker is MPI's. */
		if (!farm->workers[i].busy)
			message_clear(&farm->workers[i].chunk);
		else if (farm->workers[i].request != MPI_REQUEST_NULL)
			MPI_Request_free(&farm->workers[i].request);
	}
	free(farm->workers);
	farm_estimate_clear(&farm->estimate);
	message_clear(&farm->received);
	message_clear(&farm->reply);
	free(farm);
}

struct predict_farm *
predict_farm_create(MPI_Comm comm, const struct predict_farm_options *options)
{
	const struct predict_farm_options defaults = PREDICT_FARM_OPTIONS;
	struct predict_farm *farm = calloc(1, sizeof(*farm));
	int size, ok = 0;

	MPI_Comm_size(comm, &size);
	if (farm) {
		farm->options = options ? *options : defaults;
		farm->policy = find_policy(farm->options.policy);
		farm->workers_count = size - 1;
		farm->factor = farm->policy == &policy_fsc
				       ? PARTITION_FACTOR_FSC
				       : PARTITION_FACTOR_DPF;
		if (!(farm->options.slowdown > 0))
			farm->options.slowdown = slowdown_of_environment();
		MPI_Comm_rank(comm, &farm->rank);
		message_begin(&farm->reply, 0);
		ok = farm->policy && size > 1 &&
		     farm->workers_count <= FARM_WORKERS_MAX &&
		     !farm->reply.failed &&
		     (farm->rank || create_master(farm) == 0);
	}
	/* All or none. */
	MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, comm);
	if (ok) {
		MPI_Comm_dup(comm, &farm->comm);
		return farm;
	}
	if (farm)
		farm_free(farm);
	return NULL;
}

void predict_farm_destroy(struct predict_farm *farm)
{
	if (!farm)
		return;
	/* Freeing is collective, and a silent worker does not take part. */
	if (farm->report.workers_silent == 0)
		MPI_Comm_free(&farm->comm);
	farm_free(farm);
}

int predict_farm_run(struct predict_farm *farm,
		     const struct predict_farm_program *program, int tasks)
{
	farm->iteration++;
	if (farm->rank == 0)
		return farm_master(farm, program, tasks > 0 ? tasks : 0);
	return farm_worker(farm, program);
}

void predict_farm_stop(struct predict_farm *farm)
{
	for (int i = 0; i < farm->workers_count; i++)
		MPI_Send(NULL, 0, MPI_BYTE, i + 1, TAG_STOP, farm->comm);
}

struct predict_farm *
predict_farm_create_world(const struct predict_farm_options *options)
{
	int initialized, provided;

	MPI_Initialized(&initialized);
	if (!initialized)
		MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
	return predict_farm_create(MPI_COMM_WORLD, options);
}

int predict_farm_rank(const struct predict_farm *farm)
{
	return farm->rank;
}

void predict_farm_destroy_world(struct predict_farm *farm)
{
	bool silent = farm && farm->report.workers_silent > 0;

	predict_farm_destroy(farm);
	if (silent)
		MPI_Abort(MPI_COMM_WORLD, 0);
	MPI_Finalize();
}

void predict_farm_report(const struct predict_farm *farm,
			 struct predict_farm_report *ret)
{
	*ret = farm->report;
}

void farm_tune(struct predict_farm *farm, const struct farm *f,
	       const struct message_costs *costs,
	       const struct handout_rules *rules)
{
	struct worker_record workers[FARM_WORKERS_MAX];
	struct farm_iteration iteration = { .farm = f,
					    .costs = costs,
					    .policy = farm->policy,
					    .rules = *rules };
	int n = 0;

	if (farm->policy != &policy_fsc && farm->policy != &policy_dpf)
		return;
	for (int i = 0; i < farm->workers_count; i++)
		if (farm->workers[i].tasks > 0)
			workers[n++] =
				(struct worker_record){ farm->workers[i].tasks,
							farm->workers[i].l_s };
	if (n == 0 || rules->M == 0)
		return;
	iteration.rules.n = n;
	farm->factor = partition_factor_estimate(&iteration, workers);
}
