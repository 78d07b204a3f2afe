/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_replay_programs.c - replays against programs that are run again
 *
 *	bar replay_self_pct PCT    where it was recorded, not calibrated
 *	bar replay_farm_pct PCT    dynamic farms elsewhere, as tasks
 *	bar procedure_pct PCT      the changed program, without jitter, in open
 *		order; procedure_jitter_pct with 20 % of jitter
 *
 * Each is the greatest difference of all programs and placements.  Beside them:
 * farms replayed with the recorded matches, and figure 2's algorithm.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/replay/procedure_move.h"
#include "predictor/replay/run_replay.h"
#include "tests/bench/bench_programs.h"
#include "tests/bench/bench_replay.h"

#define NODES 5
#define TASKS 600

struct place {
	struct replay_node nodes[NODES];
	struct replay_link links[NODES * NODES];
	int node[PROGRAM_RANKS_MAX];
	struct replay_placement placement;
};

/* Rank 0 on a node of its own, the others dealt out by `stride`. */
static void place_init(struct place *p, int ranks, int stride,
		       struct random *random)
{
	for (int n = 0; n < NODES; n++)
		p->nodes[n] = (struct replay_node){
			.cores = n ? 1 + .5 * (double)random_below(random, 4)
				   : 1,
			.speed = .5 + random_unit(random),
		};
	for (int i = 0; i < NODES * NODES; i++)
		p->links[i] =
			(struct replay_link){ i % (NODES + 1) ? 4e-5 : 2e-6,
					      1.1e8 };
	for (int r = 0; r < ranks; r++)
		p->node[r] = r ? 1 + r * stride / 3 % (NODES - 1) : 0;
	p->placement = (struct replay_placement){
		.nodes_count = NODES,
		.nodes = p->nodes,
		.links = p->links,
		.node = p->node,
		.rendezvous_bytes = 65536,
	};
}

static double pct(double predicted, double measured)
{
	return 100 * fabs(predicted / measured - 1);
}

static double replay_time_or_exit(const struct matched_trace *m,
				  const struct replay_placement *placement,
				  double *ret_moved_s)
{
	struct rank_result ranks[PROGRAM_RANKS_MAX];
	struct replay_result result;
	struct sp_error err;

	if (trace_replay(m, placement, &result, ranks, NULL, &err))
		fail(&err);
	if (ret_moved_s)
		*ret_moved_s = result.moved_s;
	return result.time_s;
}

/* --- Farms ---------------------------------------------------------------- */

static double self_pct; /* of all programs below */

static void measure_farm(const struct matched_trace *m,
			 struct farm_program *farm,
			 const struct place *recorded, double measured_s,
			 struct random *random, double *worst,
			 double *worst_frozen)
{
	int ranks = farm->program.ranks;
	struct run_replay run;
	struct sp_error err;
	double frozen_s = replay_time_or_exit(m, &recorded->placement, NULL);

	self_pct = fmax(self_pct, pct(frozen_s, measured_s));
	if (run_replay_create(m, &recorded->placement, measured_s, &run, &err))
		fail(&err);
	if (!run.is_farm) {
		sp_error_set(&err, "a farm that is not recognised");
		fail(&err);
	}
	for (int i = 0; i < 5; i++) {
		struct place elsewhere;
		double predicted_s;

		place_init(&elsewhere, ranks, 2 + i, random);

		double real_s =
			program_run(&farm->program, &elsewhere.placement, NULL);

		if (run_replay_time(&run, &elsewhere.placement, &predicted_s,
				    &err))
			fail(&err);
		*worst = fmax(*worst, pct(predicted_s, real_s));
		*worst_frozen = fmax(
			*worst_frozen,
			pct(replay_time_or_exit(m, &elsewhere.placement, NULL),
			    real_s));
	}
	run_replay_clear(&run);
}

static void measure_farms(void)
{
	struct random random = { 568 };
	double worst = 0;
	double worst_frozen = 0;

	for (int i = 0; i < 24; i++) {
		int ranks = 4 + i % 12;
		double task_s[TASKS];
		struct farm_program farm;
		struct place recorded;
		struct trace trace;

		for (int k = 0; k < TASKS; k++)
			task_s[k] = 2e-3 + 1.2e-2 * random_unit(&random);
		farm_program_init(&farm, ranks, TASKS, task_s, 3e-5);
		place_init(&recorded, ranks, 3, &random);

		double measured_s =
			program_run(&farm.program, &recorded.placement, &trace);
		struct matched_trace *m = match_or_exit(&trace);

		measure_farm(m, &farm, &recorded, measured_s, &random, &worst,
			     &worst_frozen);
		matched_trace_destroy(m);
		program_trace_free(&trace);
	}
	printf("bar replay_farm_pct %.3g\n", worst);
	printf("with the recorded matches: %.3g %%\n", worst_frozen);
}

/* --- Procedures ----------------------------------------------------------- */

/* One process for each processor, as in the paper; ret_figure2 has the greatest
 * difference of its algorithm. */
static double measure_procedures(double jitter, double *ret_figure2)
{
	struct random random = { 4375 };
	double worst = 0;

	*ret_figure2 = 0;
	for (int i = 0; i < 24; i++) {
		struct server_program server = {
			.requests = 400,
			.procedure = 1 + i % 2,
			.jitter = jitter,
		};
		struct replay_node nodes[4];
		struct replay_link links[16];
		const int node[] = { 0, 1, 2, 3 };
		struct replay_placement place = {
			.nodes_count = 4,
			.nodes = nodes,
			.links = links,
			.node = node,
			.rendezvous_bytes = 65536,
		};
		struct trace trace;
		double figure2_s;

		for (int k = 0; k < 2; k++) {
			server.client_s[k] = 1e-2 * random_unit(&random);
			server.server_s[k] = 1e-2 * random_unit(&random);
		}
		for (int k = 0; k < 4; k++)
			nodes[k] = (struct replay_node){ 1, 1, 0 };
		for (int k = 0; k < 16; k++)
			links[k] = (struct replay_link){ 0, HUGE_VAL };
		server_program_init(&server, 4);

		double measured_s =
			program_run(&server.program, &place, &trace);
		struct matched_trace *m = match_or_exit(&trace);
		struct matched_trace *moved = procedure_move(m);
		double replayed_s = replay_time_or_exit(m, &place, &figure2_s);

		self_pct = fmax(self_pct, pct(replayed_s, measured_s));
		place.open_order = true;

		double predicted_s = replay_time_or_exit(moved, &place, NULL);

		server.moved = true;

		double real_s = program_run(&server.program, &place, NULL);

		worst = fmax(worst, pct(predicted_s, real_s));
		*ret_figure2 = fmax(*ret_figure2, pct(figure2_s, real_s));
		matched_trace_destroy(m);
		matched_trace_destroy(moved);
		program_trace_free(&trace);
	}
	return worst;
}

void measure_programs(void)
{
	double figure2;

	measure_farms();
	printf("bar procedure_pct %.3g\n", measure_procedures(0, &figure2));
	printf("by figure 2: %.3g %%\n", figure2);
	printf("bar procedure_jitter_pct %.3g\n",
	       measure_procedures(.2, &figure2));
	printf("by figure 2: %.3g %%\n", figure2);
	printf("bar replay_self_pct %.3g\n", self_pct);
}
