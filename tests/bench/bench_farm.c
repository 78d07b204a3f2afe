/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_farm.c - how well farms are divided into chunks, and their curves known
 *
 * usage: bench-farm
 *
 * All on a simulated clock, with fixed seeds: the figures are the same on every
 * machine, but for the times of a simulation (of 10,000 tasks).
 *
 * 1. The model against figure 6 and tables 1 to 4 of [1]
 *    (predictor/farm/farm.h).
 * 2. The policies in the farms of figures 2 to 4, 15 iterations each, as in
 *    [1]: fsc and dpf estimate their factors from the iteration before, daf and
 *    shared know mu and sigma from it.  As a ratio to the ideal: the work of
 *    the tasks, spread evenly, without messages.
 * 3. The policies on shared nodes: half of eight workers at half speed; a
 *    competitor that takes two thirds of two nodes, half-way or early.
 * 4. Run time over the number of workers or nodes: bench_farm_curves.c.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "predictor/farm/farm_model.h"
#include "predictor/farm/partition_factor.h"
#include "predictor/farm/simulate.h"
#include "tests/bench/bench_farm.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- 1. The paper's numbers ----------------------------------------------- */

/* The least Tt; of equal ones the smallest. */
static int workers_fastest(const struct farm *farm,
			   const struct message_costs *costs, int n_max)
{
	int best = 1;
	double least = HUGE_VAL;

	for (int n = 1; n <= n_max; n++) {
		double Tt = farm_time(farm, costs, n);

		if (Tt < least) {
			least = Tt;
			best = n;
		}
	}
	return best;
}

static void compare_figure_6(void)
{
	const struct message_costs costs = { 1, { { HUGE_VAL, 1e-3, 1e-6 } } };
	const struct farm farm = {
		.M = 100, .mu = .016, .V = 4096, .alpha = .5
	};
	int fastest = workers_fastest(&farm, &costs, 100);
	int worth = farm_workers_worth(&farm, &costs, 100);
	double off_ms =
		fmax(fabs(1e3 * farm_time(&farm, &costs, 40) - 81.1024),
		     fabs(1e3 * farm_time(&farm, &costs, 23) - 93.7433));

	printf("figure 6: least time with %d workers, least index with %d\n",
	       fastest, worth);
	if (fastest != 40 || worth != 23)
		off_ms = HUGE_VAL;
	printf("bar farm_fig6_ms_off %.5f\n", off_ms);
}

/* Columns "expected" of tables 1 to 4; 0: none is printed.  [1] does not print
 * mo and k: there is one pair for each size and mode. */
static const struct {
	const char *figure;
	double Tc, kilobytes;
	bool synchronous;
	double mo_ms, k_ms;
	int fastest, fed, worth;
} table_rows[] = {
	{ "7(a)", 1, 100, false, 1.32, 8e-5, 32, 0, 12 },
	{ "7(b)", 1, 2048, false, 1.88, 1.15e-4, 64, 10, 9 },
	{ "8(a)", 5, 100, false, 1.32, 8e-5, 62, 0, 35 },
	{ "8(b)", 5, 512, false, 2.12, 8e-5, 49, 0, 28 },
	{ "9(a)", 15, 100, false, 1.32, 8e-5, 107, 0, 61 },
	{ "9(b)", 15, 512, false, 2.12, 8e-5, 84, 0, 48 },
	{ "10(a)", 5, 100, true, 1.66, 9e-5, 55, 0, 31 },
	{ "10(b)", 5, 2048, true, 2.40, 9.4e-5, 46, 30, 21 },
};

/* The workers that the master keeps fed: (10) or (11), or (12), which no part
 * of the product needs. */
static int workers_fed(const struct farm *f, const struct message_class *c)
{
	double b = 2 * c->mo - c->k * f->alpha * f->V;
	double Tc = farm_work(f) + c->k * f->V;

	if (!f->synchronous)
		return (int)farm_workers_fed(f, c);
	return (int)((b + sqrt(b * b + 4 * c->mo * Tc)) / (2 * c->mo));
}

static void compare_tables(void)
{
	int hit = 0;

	for (int i = 0; i < COUNT(table_rows); i++) {
		const typeof(table_rows[0]) *row = &table_rows[i];
		const struct farm farm = { .M = 100,
					   .mu = row->Tc / 100,
					   .V = 1024 * row->kilobytes,
					   .alpha = .5,
					   .synchronous = row->synchronous };
		const struct message_costs costs = {
			1, { { HUGE_VAL, 1e-3 * row->mo_ms, 1e-3 * row->k_ms } }
		};
		int fastest = workers_fastest(&farm, &costs, 200);
		int worth = farm_workers_worth(&farm, &costs, 200);
		int fed = workers_fed(&farm, &costs.classes[0]);
		bool same = fastest == row->fastest && worth == row->worth &&
			    (!row->fed || fed == row->fed);

		printf("figure %-5s  fastest %3d (%3d)  worth %2d (%2d)  "
		       "fed %3d (%d)%s\n",
		       row->figure, fastest, row->fastest, worth, row->worth,
		       fed, row->fed, same ? "" : "  differs");
		hit += same;
	}
	printf("bar farm_tables_rows %d\n", hit);
}

/* --- Tasks and iterations ------------------------------------------------- */

double draw_normal(struct random *r)
{
	return sqrt(-2 * log(1 - random_unit(r))) *
	       cos(2 * M_PI * random_unit(r));
}

/* The time of a task with mean 1 and standard deviation cv. */
static double draw_task(struct random *r, enum task_times times, double cv)
{
	double s = sqrt(log1p(cv * cv));

	switch (times) {
	case TIMES_NORMAL:
		return fmax(1 + cv * draw_normal(r), .02);
	case TIMES_EXPONENTIAL:
		return 1 - cv - cv * log(1 - random_unit(r));
	case TIMES_TWO_KINDS: /* one in five is longer */
		return random_below(r, 5) ? 1 - cv / 2 : 1 + 2 * cv;
	default:
		return exp(s * draw_normal(r) - s * s / 2);
	}
}

void draw_tasks(const struct farm *f, struct random *r, enum task_times times,
		double work[])
{
	work[0] = 0;
	for (int i = 0; i < f->M; i++)
		work[i + 1] =
			work[i] + f->mu * draw_task(r, times, f->sigma / f->mu);
}

/* Mean and standard deviation of the tasks of an iteration. */
void measure_tasks(const double work[], int M, double *ret_mu,
		   double *ret_sigma)
{
	double mean = work[M] / M, squares = 0;

	for (int i = 0; i < M; i++) {
		double d = work[i + 1] - work[i] - mean;

		squares += d * d;
	}
	*ret_mu = mean;
	*ret_sigma = sqrt(squares / (M - 1));
}

/* --- 2. Policies at home -------------------------------------------------- */

#define ITERATIONS 15 /* [1] section 5.4 */

/* 100 Mbit/s. */
static const struct message_costs campus = { 1, { { HUGE_VAL, 5e-5, 8e-8 } } };

static const struct {
	const char *figure;
	int n;
	double mu, V;
} homes[] = {
	{ "2", 25, .5e-3, 240 * 1024.0 },
	{ "3", 25, 6e-3, 1024 * 1024.0 },
	{ "4", 50, 6e-3, 240 * 1024.0 },
};

static const double home_cv[] = { 0, .2, .4, .6, .8 };

/* Mean time of the iterations as a ratio to the ideal.  The first two have the
 * initial factor, and are not counted. */
static double run_iterations(const struct farm *f, int n,
			     const struct farm_policy *policy, uint64_t seed)
{
	static double work[TASKS_MAX + 1];
	struct worker_record workers[FARM_WORKERS_MAX];
	struct random r = { seed };
	struct farm_iteration it = {
		.farm = f,
		.costs = &campus,
		.policy = policy,
		.rules = { .M = f->M,
			   .n = n,
			   .factor = policy == &policy_fsc
					     ? PARTITION_FACTOR_FSC
					     : PARTITION_FACTOR_DPF,
			   .chunk_min = handout_chunk_min(f, &campus, n) },
		.work = work,
	};
	double ratios = 0;

	it.rules.mu = f->mu;
	it.rules.sigma = f->sigma;
	for (int i = 0; i < ITERATIONS; i++) {
		draw_tasks(f, &r, TIMES_NORMAL, work);

		double Tt = farm_simulate(&it, workers);

		if (i >= 2)
			ratios += Tt / (work[f->M] / n);
		measure_tasks(work, f->M, &it.rules.mu, &it.rules.sigma);
		if (i >= 1)
			it.rules.factor =
				partition_factor_estimate(&it, workers);
	}
	return ratios / (ITERATIONS - 2);
}

static void compare_policies(void)
{
	double shared_worst = 0;
	bool ordered = true;

	for (int h = 0; h < COUNT(homes); h++) {
		for (int c = 0; c < COUNT(home_cv); c++) {
			const struct farm f = {
				.M = TASKS_MAX,
				.mu = homes[h].mu,
				.sigma = home_cv[c] * homes[h].mu,
				.V = homes[h].V,
				.alpha = .5,
			};
			double ratio[8];

			printf("figure %s  sd %2.0f %%", homes[h].figure,
			       100 * home_cv[c]);
			for (int p = 0; farm_policies[p]; p++) {
				ratio[p] = run_iterations(&f, homes[h].n,
							  farm_policies[p], 7);
				printf("  %s %.4f", farm_policies[p]->name,
				       ratio[p]);
			}
			printf("\n");
			/* The table: none, fsc, dpf, daf, shared. */
			for (int p = 0; p < 3; p++)
				if (home_cv[c] >= .4 &&
				    ratio[p + 1] > ratio[p] + .002)
					ordered = false;
			shared_worst = fmax(shared_worst, ratio[4]);
		}
	}
	printf("bar farm_policy_order %d\n", ordered);
	printf("bar farm_daf_vs_ideal %.3f\n", shared_worst);
}

/* --- 3. Policies on shared nodes ------------------------------------------ */

#define SHARED_WORKERS 8
#define SHARED_SEEDS   20

/* The ideal: all workers compute until the work is done. */
static double ideal_time(const struct worker_speed speeds[], int n, double work)
{
	double low = 0, high = 1e6;

	for (int i = 0; i < 100; i++) {
		double t = (low + high) / 2, done = 0;

		for (int w = 0; w < n; w++) {
			const struct worker_speed *s = &speeds[w];

			for (int j = 0; j < s->count; j++) {
				double until = j + 1 < s->count
						       ? s->steps[j + 1].from
						       : HUGE_VAL;

				done += s->steps[j].speed *
					fmax(fmin(until, t) - s->steps[j].from,
					     0);
			}
		}
		*(done < work ? &low : &high) = t;
	}
	return high;
}

static const struct {
	const char *name;
	int workers;  /* that are slowed down */
	double speed; /* to this */
	double when;  /* as a part of the ideal time alone */
} disturbances[] = {
	{ "half of the workers at half speed", 4, 1.0 / 2, 0 },
	{ "a competitor on two, half-way", 2, 1.0 / 3, .5 },
	{ "a competitor on two, early", 2, 1.0 / 3, .02 },
};

static double run_disturbed(int d, const struct farm_policy *policy)
{
	static double work[TASKS_MAX + 1];
	const struct farm f = { .M = TASKS_MAX,
				.mu = 6e-3,
				.sigma = .05 * 6e-3,
				.V = 240 * 1024.0,
				.alpha = .5 };
	struct worker_speed_step alone = { 0, 1 }, slow[2] = { { 0, 1 } };
	struct worker_speed speeds[SHARED_WORKERS];
	struct farm_iteration it = {
		.farm = &f,
		.costs = &campus,
		.policy = policy,
		.rules = { .M = f.M,
			   .n = SHARED_WORKERS,
			   .mu = f.mu,
			   .sigma = f.sigma,
			   .factor = PARTITION_FACTOR_DPF,
			   .chunk_min = handout_chunk_min(&f, &campus,
							  SHARED_WORKERS) },
		.work = work,
		.speeds = speeds,
	};
	double ratios = 0;

	slow[1].from = disturbances[d].when * farm_work(&f) / SHARED_WORKERS;
	slow[1].speed = disturbances[d].speed;
	for (int w = 0; w < SHARED_WORKERS; w++)
		speeds[w] = w < disturbances[d].workers
				    ? (struct worker_speed){ 2, slow }
				    : (struct worker_speed){ 1, &alone };
	for (uint64_t seed = 0; seed < SHARED_SEEDS; seed++) {
		struct random r = { seed };

		draw_tasks(&f, &r, TIMES_NORMAL, work);
		ratios += farm_simulate(&it, NULL) /
			  ideal_time(speeds, SHARED_WORKERS, work[f.M]);
	}
	return ratios / SHARED_SEEDS;
}

static void compare_disturbed(void)
{
	double worst = 0;

	for (int d = 0; d < COUNT(disturbances); d++) {
		printf("%-34s", disturbances[d].name);
		for (int p = 0; farm_policies[p]; p++) {
			double ratio = run_disturbed(d, farm_policies[p]);

			printf("  %s %.3f", farm_policies[p]->name, ratio);
			if (farm_policies[p] == &policy_shared)
				worst = fmax(worst, ratio);
		}
		printf("\n");
	}
	printf("bar farm_shared_worst %.3f\n", worst);
}

/* --- Time of a simulation ------------------------------------------------- */

#define TIMED 2000

static void time_simulation(void)
{
	const struct farm f = { .M = TASKS_MAX,
				.mu = 6e-3,
				.sigma = 3e-3,
				.V = 240 * 1024.0,
				.alpha = .5 };
	const int workers[] = { 8, 64, 512 };
	clock_t started;

	for (int i = 0; i < COUNT(workers); i++) {
		const struct farm_iteration it = {
			.farm = &f,
			.costs = &campus,
			.policy = &policy_shared,
			.rules = { .M = f.M,
				   .n = workers[i],
				   .mu = f.mu,
				   .sigma = f.sigma,
				   .chunk_min = handout_chunk_min(&f, &campus,
								  workers[i]) },
		};

		started = clock();
		for (int j = 0; j < TIMED; j++)
			farm_simulate(&it, NULL);
		printf("bar farm_simulate_%d_us %.1f\n", workers[i],
		       1e6 * (double)(clock() - started) / CLOCKS_PER_SEC /
			       TIMED);
	}
}

int main(void)
{
	compare_figure_6();
	compare_tables();
	compare_policies();
	compare_disturbed();
	time_simulation();
	compare_farm_curves();
	compare_history_curves();
	return 0;
}
