/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_farm_curves.c - run time over the number of workers or nodes
 *
 * Farms: random ones.  What is predicted knows a farm from one run on eight
 * workers, and the costs of messages with 5 % error; what happens has tasks of
 * four distributions, nodes whose speeds wander by 5 %, and the true costs.
 * Both are simulated with the policy `shared`, so that these figures are of the
 * inputs of a prediction and of its choice of n; how well the simulation
 * describes real programs is another figure.
 *
 * Other programs: four kinds, in seven series of numbers of nodes, three runs
 * with 5 % noise on each, judged at twice the largest number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "predictor/stats/scaling.h"
#include "predictor/farm/farm_model.h"
#include "predictor/farm/simulate.h"
#include "tests/bench/bench_farm.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- Farms ---------------------------------------------------------------- */

#define FARMS         24
#define WORKERS       64
#define REPEATED      10 /* runs that are averaged */
#define ERROR         .05
#define SPEED_STEPS   8
#define WORKERS_KNOWN 8

struct random_farm {
	struct farm farm;
	struct message_costs costs;
	enum task_times times;
};

static double draw_log(struct random *r, double low, double high)
{
	return low * pow(high / low, random_unit(r));
}

static void draw_farm(struct random *r, int i, struct random_farm *ret)
{
	double mu = draw_log(r, .2e-3, 20e-3);
	int M = (int)draw_log(r, 500, 5000);

	ret->farm = (struct farm){
		.M = M,
		.mu = mu,
		.sigma = .8 * random_unit(r) * mu,
		.V = M * draw_log(r, 20, 5000),
		.alpha = .2 + .6 * random_unit(r),
		.lm = .05 * random_unit(r),
		.synchronous = random_below(r, 2),
	};
	ret->costs = (struct message_costs){ 2,
					     { { 4096, draw_log(r, 2e-5, 2e-4),
						 draw_log(r, 8e-9, 8e-8) } } };
	ret->costs.classes[1] = ret->costs.classes[0];
	ret->costs.classes[1].bytes_max = HUGE_VAL;
	ret->costs.classes[1].mo *= 1.5;
	ret->times = (enum task_times)(i % TASK_TIMES);
}

static void begin_iteration(const struct farm *f,
			    const struct message_costs *costs, int n,
			    const double work[], struct farm_iteration *ret)
{
	*ret = (struct farm_iteration){
		.farm = f,
		.costs = costs,
		.policy = &policy_shared,
		.rules = { .M = f->M,
			   .n = n,
			   .mu = f->mu,
			   .sigma = f->sigma,
			   .chunk_min = handout_chunk_min(f, costs, n) },
		.work = work,
	};
}

/* Mean time on n nodes whose speeds wander. */
static double happen(const struct random_farm *f, int n, struct random *r)
{
	static double work[TASKS_MAX + 1];
	struct worker_speed_step steps[WORKERS][SPEED_STEPS];
	struct worker_speed speeds[WORKERS];
	struct farm_iteration it;
	double sum = 0;

	for (int i = 0; i < REPEATED; i++) {
		draw_tasks(&f->farm, r, f->times, work);
		begin_iteration(&f->farm, &f->costs, n, work, &it);
		it.speeds = speeds;
		for (int w = 0; w < n; w++) {
			for (int s = 0; s < SPEED_STEPS; s++)
				steps[w][s] = (struct worker_speed_step){
					s * work[f->farm.M] / n / SPEED_STEPS,
					exp(ERROR * draw_normal(r))
				};
			speeds[w] =
				(struct worker_speed){ SPEED_STEPS, steps[w] };
		}
		sum += farm_simulate(&it, NULL);
	}
	return sum / REPEATED;
}

/* What one run on WORKERS_KNOWN workers and the probes of links report. */
static void measure_farm(const struct random_farm *f, struct random *r,
			 struct random_farm *ret)
{
	static double work[TASKS_MAX + 1];

	*ret = *f;
	draw_tasks(&f->farm, r, f->times, work);
	measure_tasks(work, f->farm.M, &ret->farm.mu, &ret->farm.sigma);
	ret->farm.mu *= exp(ERROR / sqrt(WORKERS_KNOWN) * draw_normal(r));
	for (int c = 0; c < f->costs.count; c++) {
		ret->costs.classes[c].mo *= exp(ERROR * draw_normal(r));
		ret->costs.classes[c].k *= exp(ERROR * draw_normal(r));
	}
}

static double predict(const struct random_farm *f, int n)
{
	static double work[TASKS_MAX + 1];
	struct farm_iteration it;

	farm_draw_work(&f->farm, 1, work);
	begin_iteration(&f->farm, &f->costs, n, work, &it);
	return farm_simulate(&it, NULL);
}

/* A number of workers that was chosen, and the index that it turned out
 * to have. */
struct chosen {
	int n;
	double index;
};

struct curve_errors {
	double formula, simulated; /* sums of relative errors */
	double formula_regret, simulated_regret, regret_worst;
	int points;
};

static void add_farm(int i, struct curve_errors *e)
{
	struct random r = { (uint64_t)i + 100 };
	struct random_farm f, known;
	double actual[WORKERS + 1], least = HUGE_VAL;
	struct chosen simulated = { 1, HUGE_VAL };

	draw_farm(&r, i, &f);
	measure_farm(&f, &r, &known);

	int formula = farm_workers_worth(&known.farm, &known.costs, WORKERS);
	double Tc = farm_work(&f.farm);

	for (int n = 1; n <= WORKERS; n++) {
		double Tt = predict(&known, n);
		double index = farm_index(Tc, n, Tt);

		actual[n] = happen(&f, n, &r);
		least = fmin(least, farm_index(Tc, n, actual[n]));
		if (index < simulated.index)
			simulated = (struct chosen){ n, index };
		e->simulated += fabs(Tt / actual[n] - 1);
		e->formula += fabs(farm_time(&known.farm, &known.costs, n) /
					   actual[n] -
				   1);
		e->points++;
	}

	double regret =
		farm_index(Tc, simulated.n, actual[simulated.n]) / least;

	e->simulated_regret += regret;
	e->regret_worst = fmax(e->regret_worst, regret);
	e->formula_regret += farm_index(Tc, formula, actual[formula]) / least;
}

void compare_farm_curves(void)
{
	struct curve_errors e = { 0 };

	for (int i = 0; i < FARMS; i++)
		add_farm(i, &e);
	printf("curves by (7) to (9): %.1f %% off; n by them: %.3f of the "
	       "least index; worst n of all by simulation: %.3f\n",
	       100 * e.formula / e.points, e.formula_regret / FARMS,
	       e.regret_worst);
	printf("bar farm_index_regret %.3f\n", e.simulated_regret / FARMS);
	printf("bar farm_curve_pct %.2f\n", 100 * e.simulated / e.points);
}

/* --- Other programs ------------------------------------------------------- */

#define RUNS   3 /* on each number of nodes */
#define NOISE  .05
#define TRIALS 200

static double run_stencil(double n)
{
	return 100 / n + 1.2;
}

static double run_serial(double n)
{
	return 100 / n + 6;
}

static double run_tree(double n)
{
	return 100 / n + .9 * log2(n);
}

static double run_all_to_all(double n)
{
	return 100 / n + .25 * n;
}

static double count_neighbours(double n)
{
	(void)n;
	return 800;
}

static double count_tree(double n)
{
	return 300 * log2(n);
}

static double count_all(double n)
{
	return 200 * (n - 1);
}

static const struct {
	const char *name;
	double (*time)(double n);
	double (*messages)(double n);
} programs[] = {
	{ "stencil", run_stencil, count_neighbours },
	{ "serial part", run_serial, count_neighbours },
	{ "tree", run_tree, count_tree },
	{ "all to all", run_all_to_all, count_all },
};

static const struct {
	int count;
	int n[5];
} series[] = {
	{ 3, { 1, 2, 4 } },        { 4, { 1, 2, 4, 8 } },
	{ 5, { 1, 2, 4, 8, 16 } }, { 3, { 2, 4, 8 } },
	{ 4, { 2, 4, 8, 16 } },    { 4, { 4, 8, 16, 24 } },
	{ 5, { 1, 3, 4, 6, 10 } },
};

struct history_errors {
	double times, messages; /* sums of relative errors */
	int inside[2];          /* of the bounds of 90 %, in the same order */
	int trials;
};

/* One history of program p, and one more run on twice the nodes. */
static void add_history(int p, int s, struct random *r,
			struct regression *workspace, struct history_errors *e)
{
	struct scaling_run runs[RUNS * 5];
	struct scaling_messages messages[5];
	struct scaling by_times, by_messages;
	int count = 0, n = 0;

	for (int i = 0; i < series[s].count; i++) {
		n = series[s].n[i];
		messages[i] =
			(struct scaling_messages){ n, programs[p].messages(n) };
		for (int j = 0; j < RUNS; j++)
			runs[count++] = (struct scaling_run){
				n, programs[p].time(n) *
					   exp(NOISE * draw_normal(r))
			};
	}
	if (scaling_fit(runs, count, SCALING_ALL_TERMS, workspace, &by_times,
			NULL) ||
	    scaling_fit(runs, count, scaling_terms(messages, series[s].count),
			workspace, &by_messages, NULL))
		abort();

	double actual = programs[p].time(2 * n);

	e->times += fabs(scaling_time(&by_times, 2 * n) / actual - 1);
	e->messages += fabs(scaling_time(&by_messages, 2 * n) / actual - 1);

	double next = actual * exp(NOISE * draw_normal(r));

	e->inside[0] += next <= scaling_bound(&by_times, 2 * n, 1.2816);
	e->inside[1] += next <= scaling_bound(&by_messages, 2 * n, 1.2816);
	e->trials++;
}

void compare_history_curves(void)
{
	struct regression *workspace =
		regression_create(SCALING_RUNS_MAX, SCALING_TERMS);
	struct history_errors all = { 0 };

	if (!workspace)
		abort();
	for (int p = 0; p < COUNT(programs); p++) {
		struct history_errors e = { 0 };
		struct random r = { 11 };

		for (int s = 0; s < COUNT(series); s++)
			for (int i = 0; i < TRIALS; i++)
				add_history(p, s, &r, workspace, &e);
		printf("%-11s  at twice the nodes: %.1f %% off by times, %.1f "
		       "%% by times and messages\n",
		       programs[p].name, 100 * e.times / e.trials,
		       100 * e.messages / e.trials);
		all.times += e.times;
		all.messages += e.messages;
		all.inside[0] += e.inside[0];
		all.inside[1] += e.inside[1];
		all.trials += e.trials;
	}
	printf("bar curve_times_pct %.2f\n", 100 * all.times / all.trials);
	printf("bar curve_pct %.2f\n", 100 * all.messages / all.trials);
	printf("bar curve_times_within_90 %.1f\n",
	       100.0 * all.inside[0] / all.trials);
	printf("bar curve_within_90 %.1f\n",
	       100.0 * all.inside[1] / all.trials);
	regression_destroy(workspace);
}
