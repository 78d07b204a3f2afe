/* whatif.c - what predictions would have done for scheduling */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/backtest/whatif.h"
#include "predictor/ensemble/ensemble.h"

#define SHORTEST_S 10 /* a slowdown is of at least this run time, [1] */

/* One setting for all logs.  Reservations by p20 to p35 do about equally well
 * on KTH-SP2, CTC-SP2 and SDSC-SP2 (slowdown .53 to .56 of EASY's, within what
 * jitter does), by p40 or more worse: what is planned too long cannot go in
 * front.  Other orders than by the median were not better. */
#define ORDER_P   0.5
#define RESERVE_P 0.3

const struct whatif_row whatif_rows[] = {
	{ .name = "easy", .help = "the limit", .source = WHATIF_LIMIT },
	{ .name = "easy_sjbf",
	  .help = "the limit, shortest first",
	  .source = WHATIF_LIMIT,
	  .shortest_first = true },
	{ .name = "avg2_steps",
	  .help = "AVG2, shortest first, corrected in steps",
	  .source = WHATIF_MODEL,
	  .model = "avg2",
	  .shortest_first = true,
	  .correction = EASY_IN_STEPS },
	{ .name = "avg2_limit",
	  .help = "AVG2, shortest first, corrected to the limit",
	  .source = WHATIF_MODEL,
	  .model = "avg2",
	  .shortest_first = true },
	{ .name = "engine_median",
	  .help = "told: order and reserve by the median",
	  .source = WHATIF_TOLD,
	  .order_p = ORDER_P,
	  .reserve_p = ORDER_P,
	  .shortest_first = true },
	{ .name = "engine",
	  .help = "told: order by the median, reserve by p30",
	  .source = WHATIF_TOLD,
	  .order_p = ORDER_P,
	  .reserve_p = RESERVE_P,
	  .shortest_first = true },
	{ .name = "clairvoyant",
	  .help = "clairvoyant",
	  .source = WHATIF_ACTUAL },
	{ .name = "clairvoyant_sjbf",
	  .help = "clairvoyant, shortest first",
	  .source = WHATIF_ACTUAL,
	  .shortest_first = true },
	{ .name = NULL },
};

struct scene {
	const struct whatif_world *world;
	const struct whatif_row *row;
	struct easy_job *jobs;
	struct easy_plan *plans;
	double *started_s;
	struct ensemble *ensemble; /* NULL: the row needs none */
	int model;                 /* of models[] */
};

const struct whatif_row *whatif_find(const char *name)
{
	for (const struct whatif_row *row = whatif_rows; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

/* --- The planner, inside the simulated world --------------------------- */

static uint64_t ticket_of(size_t job)
{
	return job + 1;
}

static void ask(struct scene *scene, size_t job, double now_s,
		struct verdict *ret)
{
	const struct past_job *past = &scene->world->jobs[job];
	struct subject subject = past->subject;

	subject.submitted_at_s = scene->jobs[job].submitted_s;
	ensemble_predict(scene->ensemble, &subject, &past->before, now_s,
			 ticket_of(job), ret);
}

static struct easy_plan plan_asking(struct scene *scene, size_t job,
				    double now_s)
{
	const struct whatif_row *row = scene->row;
	struct verdict verdict;

	ask(scene, job, now_s, &verdict);
	if (row->source == WHATIF_TOLD)
		return (struct easy_plan){
			verdict_quantile(verdict.knots_s, row->order_p),
			verdict_quantile(verdict.knots_s, row->reserve_p),
		};

	double said_s = scene->model < verdict.candidates_count
				? verdict.candidates_s[scene->model]
				: NAN;

	return (struct easy_plan){ said_s, said_s };
}

static int plan(void *context, size_t job, double now_s, struct easy_plan *ret,
		struct sp_error *err)
{
	struct scene *scene = context;
	const struct easy_job *j = &scene->jobs[job];

	(void)err;
	if (scene->row->source == WHATIF_LIMIT)
		*ret = (struct easy_plan){ j->limit_s, j->limit_s };
	else if (scene->row->source == WHATIF_ACTUAL)
		*ret = (struct easy_plan){ j->runtime_s, j->runtime_s };
	else
		*ret = plan_asking(scene, job, now_s);
	scene->plans[job] = *ret;
	return 0;
}

static int started(void *context, size_t job, double now_s,
		   struct sp_error *err)
{
	struct scene *scene = context;

	(void)err;
	ensemble_start(scene->ensemble, ticket_of(job), now_s);
	return 0;
}

static int ended(void *context, size_t job, double started_s, double now_s,
		 struct sp_error *err)
{
	struct scene *scene = context;
	struct past_job past = scene->world->jobs[job];

	past.subject.submitted_at_s = scene->jobs[job].submitted_s;
	past.outcome.started_at_s = started_s;
	past.outcome.ended_at_s = now_s;
	return ensemble_end(scene->ensemble, ticket_of(job), &past, err);
}

/* --- The world --------------------------------------------------------- */

/* 0 <= number < 1; as good as need be.  G. L. Steele, D. Lea, C. H. Flood:
 * Fast Splittable Pseudorandom Number Generators, OOPSLA 2014, figure 17. */
static double random_unit(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double runtime_in_log_s(const struct past_job *job)
{
	return fmax(0, job->outcome.ended_at_s - job->outcome.started_at_s);
}

static bool has_limit(const struct past_job *job)
{
	return isfinite(job->subject.limit_s) && job->subject.limit_s > 0;
}

/* The longest limit that anyone asked for; of nobody: the longest run. */
static double longest_limit_s(const struct whatif_world *world)
{
	double limit_s = 0, run_s = 1;

	for (size_t i = 0; i < world->count; i++) {
		if (has_limit(&world->jobs[i]))
			limit_s = fmax(limit_s, world->jobs[i].subject.limit_s);
		run_s = fmax(run_s, runtime_in_log_s(&world->jobs[i]));
	}
	return limit_s > 0 ? limit_s : run_s;
}

static void populate(const struct whatif_world *world, struct easy_job *jobs)
{
	double longest_s = longest_limit_s(world);
	uint64_t state = world->seed;

	for (size_t i = 0; i < world->count; i++) {
		const struct past_job *past = &world->jobs[i];
		uint32_t cpus = past->subject.cpus;
		double limit_s =
			has_limit(past) ? past->subject.limit_s : longest_s;
		double late_s = world->jitter_s * random_unit(&state);

		jobs[i] = (struct easy_job){
			.submitted_s = past->subject.submitted_at_s + late_s,
			.runtime_s = fmin(runtime_in_log_s(past), limit_s),
			.limit_s = limit_s,
			.cpus = cpus < 1             ? 1
				: cpus > world->cpus ? world->cpus
						     : cpus,
		};
	}
}

static int create(struct scene *scene, struct sp_error *err)
{
	const struct whatif_row *row = scene->row;
	size_t count = scene->world->count + 1;
	bool asks = row->source == WHATIF_MODEL || row->source == WHATIF_TOLD;

	scene->jobs = calloc(count, sizeof(*scene->jobs));
	scene->plans = calloc(count, sizeof(*scene->plans));
	scene->started_s = calloc(count, sizeof(*scene->started_s));
	scene->ensemble = asks ? ensemble_create() : NULL;
	if (!scene->jobs || !scene->plans || !scene->started_s ||
	    (asks && !scene->ensemble))
		return sp_error_set(err, "out of memory");
	while (row->source == WHATIF_MODEL && models[scene->model] &&
	       strcmp(models[scene->model]->name, row->model) != 0)
		scene->model++;
	populate(scene->world, scene->jobs);
	return 0;
}

static void clear(struct scene *scene)
{
	free(scene->jobs);
	free(scene->plans);
	free(scene->started_s);
	ensemble_destroy(scene->ensemble);
}

static void measure(const struct scene *scene, struct whatif_measures *ret)
{
	size_t count = scene->world->count;
	double first_s = HUGE_VAL, last_s = -HUGE_VAL, used_s = 0;
	double wait_s = 0, slowdown = 0, killed = 0, outlived = 0;

	for (size_t i = 0; i < count; i++) {
		const struct easy_job *j = &scene->jobs[i];
		double waited_s = scene->started_s[i] - j->submitted_s;

		wait_s += waited_s;
		slowdown += fmax(1, (waited_s + j->runtime_s) /
					    fmax(SHORTEST_S, j->runtime_s));
		killed += j->runtime_s >= j->limit_s;
		outlived += j->runtime_s > scene->plans[i].reserve_s;
		used_s += j->runtime_s * j->cpus;
		first_s = fmin(first_s, j->submitted_s);
		last_s = fmax(last_s, scene->started_s[i] + j->runtime_s);
	}

	double n = count > 0 ? (double)count : NAN;

	*ret = (struct whatif_measures){
		.wait_s = wait_s / n,
		.slowdown = slowdown / n,
		.utilisation = last_s > first_s ? used_s / ((last_s - first_s) *
							    scene->world->cpus)
						: NAN,
		.killed = killed / n,
		.outlived = outlived / n,
	};
}

int whatif_run(const struct whatif_world *world, const struct whatif_row *row,
	       struct whatif_measures *ret, struct sp_error *err)
{
	struct scene scene = { .world = world, .row = row };
	int rc = create(&scene, err);

	if (!rc) {
		const struct easy_rules rules = {
			.cpus = world->cpus,
			.shortest_first = row->shortest_first,
			.correction = row->correction,
		};
		const struct easy_planner planner = {
			.context = &scene,
			.submitted = plan,
			.started = scene.ensemble ? started : NULL,
			.ended = scene.ensemble ? ended : NULL,
		};

		rc = easy_simulate(&rules, scene.jobs, world->count, &planner,
				   scene.started_s, err);
	}
	if (!rc)
		measure(&scene, ret);
	clear(&scene);
	return rc;
}

/* --- How large the machine was ----------------------------------------- */

struct change {
	double at_s;
	int64_t cpus;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return x->cpus < y->cpus ? -1 : x->cpus > y->cpus;
}

uint32_t whatif_peak_cpus(const struct past_job *jobs, size_t count)
{
	struct change *changes = calloc(2 * count + 1, sizeof(*changes));
	int64_t used = 0, peak = 0;

	if (!changes)
		return 0;
	for (size_t i = 0; i < count; i++) {
		int64_t cpus = jobs[i].subject.cpus;

		changes[2 * i] =
			(struct change){ jobs[i].outcome.started_at_s, cpus };
		changes[2 * i + 1] =
			(struct change){ jobs[i].outcome.ended_at_s, -cpus };
	}
	qsort(changes, 2 * count, sizeof(*changes), by_time);
	for (size_t i = 0; i < 2 * count; i++) {
		used += changes[i].cpus;
		peak = used > peak ? used : peak;
	}
	free(changes);
	return peak < UINT32_MAX ? (uint32_t)peak : UINT32_MAX;
}
