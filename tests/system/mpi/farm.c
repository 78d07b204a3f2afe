/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm.c - a program with libpredict_farm that counts what it collects
 *
 * usage: farm TASKS ITERATIONS POLICY PATIENCE [RANK-THAT-STOPS]
 *
 * Task i burns CPU for 1 ms, one in 16 for 17, so that chunks follow from sigma
 * with each policy that knows it; its input and its result are 1 + i % 50
 * numbers.  The worker that stops does so for good in the middle of the second
 * iteration, as does a process on a node that hangs.  For each iteration the
 * master prints tasks that were missing, collected twice or wrong, how many
 * were handed out again, the silent workers, and the chunks: those that were
 * sent, and those that the simulation sends, with what the library measured and
 * the factor that it chose.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/farm/farm_run.h"
#include "predictor/farm/simulate.h"

struct check {
	int *collected, wrong;
	int iteration, stops; /* this worker stops */
	int done;             /* tasks of this worker */
};

static size_t numbers_of(int task)
{
	return 1 + (size_t)task % 50;
}

static void burn(double seconds)
{
	struct timespec t;
	double start;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	start = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while ((double)t.tv_sec + (double)t.tv_nsec * 1e-9 < start + seconds);
}

static size_t pack(void *context, int task, void *buffer, size_t size)
{
	size_t bytes = numbers_of(task) * sizeof(int64_t);

	(void)context;
	for (size_t i = 0; bytes <= size && i < numbers_of(task); i++) {
		int64_t number = task * 1000L + (int64_t)i;

		memcpy((char *)buffer + i * sizeof(number), &number,
		       sizeof(number));
	}
	return bytes;
}

static void work(void *context, int task, const void *input, size_t input_bytes,
		 struct predict_farm_result *result)
{
	struct check *check = context;

	if (check->stops && check->iteration == 2 && ++check->done == 3)
		raise(SIGSTOP);
	burn(task % 16 ? 1e-3 : 17e-3);
	for (size_t at = 0; at < input_bytes; at += sizeof(int64_t)) {
		int64_t number;

		memcpy(&number, (const char *)input + at, sizeof(number));
		number = 2 * number + 1;
		predict_farm_result_write(result, &number, sizeof(number));
	}
}

static void collect(void *context, int task, const void *result,
		    size_t result_bytes)
{
	struct check *check = context;
	size_t count = result_bytes / sizeof(int64_t);

	check->collected[task]++;
	check->wrong += count != numbers_of(task);
	for (size_t i = 0; i < count; i++) {
		int64_t number;

		memcpy(&number, (const char *)result + i * sizeof(number),
		       sizeof(number));
		check->wrong += number != 2 * (task * 1000L + (int64_t)i) + 1;
	}
}

static const struct farm_policy *counted;
static int chunks_counted;

static int count_chunk(const struct handout *handout)
{
	chunks_counted++;
	return counted->chunk(handout);
}

/* Return the chunks of a simulated iteration. */
static int simulate_chunks(const struct predict_farm *farm, int tasks,
			   int workers, double factor)
{
	const struct farm_policy policy = { .chunk = count_chunk };
	struct message_costs costs;
	struct farm f;

	farm_estimate_costs(&farm->estimate, &costs);
	farm_estimate_farm(&farm->estimate, tasks, &f);

	const struct farm_iteration iteration = {
		.farm = &f,
		.costs = &costs,
		.policy = &policy,
		.rules = { .M = tasks,
			   .n = workers,
			   .mu = f.mu,
			   .sigma = f.sigma,
			   .factor = factor,
			   .chunk_min = handout_chunk_min(&f, &costs, workers) }
	};

	counted = farm->policy;
	chunks_counted = 0;
	if (workers > 0)
		farm_simulate(&iteration, NULL);
	return chunks_counted;
}

static void print_iteration(struct predict_farm *farm,
			    const struct check *check, int tasks, int rc,
			    double factor)
{
	struct predict_farm_report r;
	int missing = 0, twice = 0;

	predict_farm_report(farm, &r);
	for (int i = 0; i < tasks; i++) {
		missing += check->collected[i] == 0;
		twice += check->collected[i] > 1;
	}
	printf("iteration %d rc %d missing %d twice %d wrong %d again %d "
	       "silent %d workers %d mu_ms %.2f sigma_ms %.2f factor %.1f "
	       "chunks %d simulated %d\n",
	       check->iteration, rc, missing, twice, check->wrong, r.again,
	       r.workers_silent, r.workers, r.mu_s * 1e3, r.sigma_s * 1e3,
	       factor, r.chunks,
	       simulate_chunks(farm, tasks, r.workers, factor));
	fflush(stdout);
}

int main(int argc, char *argv[])
{
	if (argc < 5)
		return 2;

	int tasks = atoi(argv[1]), iterations = atoi(argv[2]);
	const struct predict_farm_options options = {
		.policy = argv[3], .patience_s = atof(argv[4]), .rest = 1
	};
	struct predict_farm *farm = predict_farm_create_world(&options);

	if (!farm)
		return 1;

	struct check check = { .stops = argc > 5 && predict_farm_rank(farm) ==
							    atoi(argv[5]) };
	const struct predict_farm_program program = { .context = &check,
						      .pack = pack,
						      .work = work,
						      .collect = collect };

	check.collected = calloc((size_t)tasks + 1, sizeof(int));
	while (check.iteration < iterations) {
		check.iteration++;
		memset(check.collected, 0, (size_t)tasks * sizeof(int));

		double factor = farm->factor; /* the run changes it */
		int rc = predict_farm_run(farm, &program, tasks);

		if (predict_farm_rank(farm) == 0)
			print_iteration(farm, &check, tasks, rc, factor);
	}
	free(check.collected);
	predict_farm_destroy_world(farm);
	return 0;
}
