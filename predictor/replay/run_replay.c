/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_replay.c - the run time of a traced run elsewhere */
#include <math.h>
#include <stdlib.h>

#include "predictor/replay/run_replay.h"

/* Find the time of a replay that is not calibrated. */
static int replay_time(const struct run_replay *run,
		       const struct replay_placement *placement, double *ret_s,
		       struct sp_error *err)
{
	const struct matched_trace *trace = run->trace;
	struct replay_result result;

	if (run->is_farm) {
		if (replay_placement_check(trace, placement, err))
			return -1;
		return farm_trace_time(&run->farm, placement, ret_s, err);
	}

	struct rank_result *ranks = calloc(trace->ranks, sizeof(*ranks));

	if (!ranks)
		return sp_error_set(err, "out of memory for a replay");

	int rc = trace_replay(trace, placement, &result, ranks, NULL, err);

	if (!rc)
		*ret_s = result.run_s;
	free(ranks);
	return rc;
}

int run_replay_create(const struct matched_trace *trace,
		      const struct replay_placement *recorded,
		      double measured_s, struct run_replay *ret,
		      struct sp_error *err)
{
	struct run_replay run = { .trace = trace };
	int farm = farm_trace_find(trace, &run.farm, err);

	if (farm < 0)
		return -1;
	run.is_farm = farm;
	if (replay_time(&run, recorded, &run.replayed_s, err))
		goto failed;
	run.factor = measured_s == 0 ? 1 : measured_s / run.replayed_s;
	if (!(run.factor > 0 && isfinite(run.factor))) {
		sp_error_set(err, "a run of %g s, %g s when replayed",
			     measured_s, run.replayed_s);
		goto failed;
	}
	run.added_s = fmax(run.factor - 1, 0) * run.replayed_s;
	*ret = run;
	return 0;
failed:
	run_replay_clear(&run);
	return -1;
}

void run_replay_clear(struct run_replay *run)
{
	farm_trace_clear(&run->farm);
	*run = (struct run_replay){ 0 };
}

int run_replay_again(struct run_replay *run,
		     const struct replay_placement *recorded, double *ret_s,
		     struct sp_error *err)
{
	double time_s;

	if (replay_time(run, recorded, &time_s, err))
		return -1;
	run->added_s = fmax(run->factor - 1, 0) * time_s;
	*ret_s = run->factor * time_s;
	return 0;
}

int run_replay_time(const struct run_replay *run,
		    const struct replay_placement *placement, double *ret_s,
		    struct sp_error *err)
{
	if (replay_time(run, placement, ret_s, err))
		return -1;
	*ret_s = fmin(run->factor, 1) * *ret_s + run->added_s;
	return 0;
}

/* --- Model factors -------------------------------------------------------- */

/* Return the mean over the ranks, and the most of one. */
static double mean_computed(const struct rank_result ranks[], int count,
			    double *ret_most)
{
	double sum = 0;

	*ret_most = 0;
	for (int r = 0; r < count; r++) {
		sum += ranks[r].computed_s;
		*ret_most = fmax(*ret_most, ranks[r].computed_s);
	}
	return sum / count;
}

int replay_factors(const struct matched_trace *trace,
		   const struct replay_placement *placement,
		   struct model_factors *ret, struct sp_error *err)
{
	int links_count = placement->nodes_count * placement->nodes_count;
	struct replay_link *links = malloc(links_count * sizeof(*links));
	struct rank_result *ranks = calloc(trace->ranks, sizeof(*ranks));
	struct replay_placement ideal = *placement;
	struct replay_result real, without;
	int rc = -1;

	if (!links || !ranks) {
		sp_error_set(err, "out of memory for a replay");
		goto out;
	}
	for (int i = 0; i < links_count; i++)
		links[i] = (struct replay_link){ 0, HUGE_VAL };
	ideal.links = links;
	ideal.rendezvous_bytes = UINT64_MAX;
	rc = trace_replay(trace, placement, &real, ranks, NULL, err) ||
			     trace_replay(trace, &ideal, &without, ranks, NULL,
					  err)
		     ? -1
		     : 0;
	if (rc)
		goto out;

	double most_s;
	double mean_s = mean_computed(ranks, trace->ranks, &most_s);

	*ret = (struct model_factors){ 1, 1, 1 };
	if (most_s > 0)
		*ret = (struct model_factors){
			.load_balance = mean_s / most_s,
			.serialisation = most_s / without.time_s,
			.transfer = without.time_s / real.time_s,
		};
out:
	free(links);
	free(ranks);
	return rc;
}
