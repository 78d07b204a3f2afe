/* SPDX-License-Identifier: GPL-2.0-or-later */
/* next_request.c - what to request next time, from what the last runs used
 *
 * Memory: the greatest peak of the most similar runs, times a factor that 98 %
 * of the next runs of their kind stay within.  The fewer and the less similar
 * they are, the greater it is: similarities[] has the factors.
 * Where few runs differ much, there is no advice.  Where peaks follow the
 * parameters (memory_fit.h), each is brought to those of the job before.
 *
 * Time: the quantile predicted, but no less than the longest of these runs; if
 * there is none, that of the last runs and a margin.
 *
 * CPUs: as many as the CPU time of each of the runs fits on, for a job of one
 * task.  When all n CPUs were busy at once, or none, c of them need for the CPU
 * time W that n needed W/n for W/c: the run time grows by W (1/c - 1/n) at
 * most.  The time advised grows by that.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/duration.h"
#include "predictor/models/memory_fit.h"
#include "predictor/models/next_request.h"
#include "predictor/stats/quantile.h"

#define MARGIN       1.15
#define BOUND_MARGIN 1.5 /* beyond a limit that was too low */
#define SPREAD_MAX   3   /* the greatest of the runs over their median */
#define CPU_SLACK    0.05
#define CLOCK_S      1 /* starts and ends are whole seconds */
#define REQUEST_NEAR 0.01
#define BEYOND_MAX   2 /* a parameter that is farther out of their range */

/* --- What a run used ------------------------------------------------------ */

double used_run_time(const struct used_run *run)
{
	return run->limit_s > 0 && isfinite(run->limit_s)
		       ? run->runtime_s / run->limit_s
		       : NAN;
}

double used_run_cpu(const struct used_run *run)
{
	return run->runtime_s > 0 && run->cpus
		       ? run->cpu_s / (run->runtime_s * run->cpus)
		       : NAN;
}

double used_run_node_mb(const struct used_run *run)
{
	return run->memory_mb > 0 && run->nodes ? run->memory_mb / run->nodes
						: NAN;
}

double used_run_memory(const struct used_run *run)
{
	return run->peak_memory_mb / used_run_node_mb(run);
}

/* Some logs have the request where the use should be. */
static double peak_mb(const struct used_run *run)
{
	if (run->imported && fabs(used_run_memory(run) - 1) < REQUEST_NEAR)
		return NAN;
	return run->peak_memory_mb;
}

/* --- The runs that count -------------------------------------------------- */

struct counted {
	size_t count;
	const struct used_run *of[NEXT_REQUEST_RUNS];
	double scales[NEXT_REQUEST_RUNS]; /* of what was used, for the job */
	bool same_size;
	double margin; /* of the greatest */
	double spread_max;
};

/* One that failed or was cancelled may have ended before it used much. */
static bool is_counted(const struct used_run *run)
{
	return run->runtime_s > 0 &&
	       (run->state == RUN_COMPLETED || run->state == RUN_TIMEOUT ||
		run->state == RUN_OUT_OF_MEMORY);
}

static bool is_of_size(const struct used_run *like, const struct used_run *run)
{
	return run->nodes == like->nodes && run->tasks == like->tasks;
}

static void count_run(struct counted *to, const struct used_run *run,
		      double scale)
{
	to->scales[to->count] = scale;
	to->of[to->count++] = run;
}

static void count_runs(const struct used_run *like,
		       const struct used_run runs[], size_t count,
		       struct counted *ret)
{
	for (int same = 1; same >= 0; same--) {
		*ret = (struct counted){ .same_size = same,
					 .margin = MARGIN,
					 .spread_max = SPREAD_MAX };
		for (size_t i = 0; i < count && i < NEXT_REQUEST_RUNS; i++)
			if (is_counted(&runs[i]) &&
			    (!same || is_of_size(like, &runs[i])))
				count_run(ret, &runs[i], 1);
		if (ret->count >= NEXT_REQUEST_LEAST)
			return;
	}
}

/* --- Those that tell most about memory ------------------------------------ */

/* A user who requests other memory often has another problem; but one who
 * requests less, and got by with that, has followed advice. */
static bool is_of_request(const struct used_run *like,
			  const struct used_run *run)
{
	double mb = used_run_node_mb(like), run_mb = used_run_node_mb(run);

	return is_of_size(like, run) &&
	       (isnan(mb) ? isnan(run_mb)
			  : fabs(run_mb / mb - 1) < REQUEST_NEAR ||
				    (run_mb > mb && run->peak_memory_mb <= mb));
}

static bool is_of_parameters(const struct used_run *like,
			     const struct used_run *run)
{
	return like->parameters.count &&
	       parameters_equal(&run->parameters, &like->parameters) &&
	       is_of_request(like, run);
}

static bool is_any(const struct used_run *like, const struct used_run *run)
{
	(void)like;
	(void)run;
	return true;
}

/* Return whether anything of its memory is. */
static bool is_known(const struct used_run *run)
{
	return isfinite(peak_mb(run)) || run->state == RUN_OUT_OF_MEMORY;
}

#define SIMILAR_LEAST 5  /* or less similar runs count, too */
#define MARGIN_FEW    2  /* of fewer runs of any kind */
#define SPREAD_MOST   30 /* of more */

/* From most to least.  Rounded from what the runs of the first half of the log
 * LANL-CM5 needed; `make bench-memory` judges them by the second. */
static const struct similarity {
	bool (*is_similar)(const struct used_run *like,
			   const struct used_run *run);
	double margin, margin_all; /* all runs that count are similar */
} similarities[] = {
	{ is_of_parameters, 1.4, 1.15 },
	{ is_of_request, 1.4, 1.15 },
	{ is_of_size, 2, 1.8 },
	{ is_any, 1.9, 1.9 },
};

/* Take those whose parameters may tell what `like` needs.  Return by which
 * factor its own differ from theirs. */
static double count_fitted(const struct used_run *like,
			   const struct counted *all, struct counted *ret)
{
	struct memory_fit_run rows[NEXT_REQUEST_RUNS];
	struct memory_fit fit = { .beyond = 1, .margin = NAN };
	size_t samples = 0;

	*ret = (struct counted){ .spread_max = SPREAD_MAX };
	for (size_t i = 0; i < all->count; i++) {
		const struct used_run *run = all->of[i];
		bool completed = run->state == RUN_COMPLETED;

		if (!is_known(run) || !is_of_size(like, run) ||
		    !parameters_alike(&run->parameters, &like->parameters))
			continue;
		rows[ret->count] = (struct memory_fit_run){
			&run->parameters,
			completed ? fmax(peak_mb(run), 1) : NAN
		};
		count_run(ret, run, 1);
		samples += completed;
	}
	if (like->parameters.count && samples >= NEXT_REQUEST_LEAST)
		memory_fit_find(&like->parameters, rows, ret->count, &fit);
	memcpy(ret->scales, fit.scales, sizeof(ret->scales));
	ret->margin = fit.margin;
	return fit.beyond;
}

/* Take those of `all` that are most similar to `like`. */
static void count_similar(const struct used_run *like,
			  const struct counted *all, double scale,
			  struct counted *ret)
{
	const struct similarity *s = similarities;

	for (;; s++) {
		*ret = (struct counted){ .spread_max = SPREAD_MOST };
		for (size_t i = 0; i < all->count; i++)
			if (is_known(all->of[i]) &&
			    s->is_similar(like, all->of[i]))
				count_run(ret, all->of[i], scale);
		if (ret->count >= SIMILAR_LEAST || s->is_similar == is_any)
			break;
	}
	ret->margin =
		ret->count == NEXT_REQUEST_RUNS ? s->margin_all : s->margin;
	if (ret->count < SIMILAR_LEAST) {
		ret->margin = MARGIN_FEW;
		ret->spread_max = SPREAD_MAX;
	}
}

__attribute__((format(printf, 2, 3))) static void
add_why(struct next_request *to, const char *format, ...)
{
	size_t used = strlen(to->why);
	va_list arguments;

	if (used)
		used += (size_t)snprintf(to->why + used, sizeof(to->why) - used,
					 "; ");
	if (used >= sizeof(to->why))
		return;
	va_start(arguments, format);
	vsnprintf(to->why + used, sizeof(to->why) - used, format, arguments);
	va_end(arguments);
}

/* --- Time and memory ------------------------------------------------------ */

/* One of the two, of each run that counts. */
struct quantity {
	const char *name; /* in reasons */
	const char *fell_short;
	enum run_state bound; /* the state of a run that needed more */
	double (*used)(const struct used_run *run);
	double (*requested)(const struct used_run *run);
};

static double run_s(const struct used_run *run)
{
	return run->runtime_s;
}

static const struct quantity time_used = {
	.name = "run times",
	.fell_short = "did not end within the limit",
	.bound = RUN_TIMEOUT,
	.used = run_s,
	.requested = run_s,
};

static const struct quantity memory_used = {
	.name = "peaks of memory",
	.fell_short = "ran out of memory",
	.bound = RUN_OUT_OF_MEMORY,
	.used = peak_mb,
	.requested = used_run_node_mb,
};

/* Return the greatest of the samples with a margin, no less than `known` if
 * that is not NAN; NAN: there is no advice. */
static double find_quantity(const struct counted *runs,
			    const struct quantity *q, double known,
			    struct next_request *why)
{
	double samples[NEXT_REQUEST_RUNS];
	double most = known, least = NAN, bound = NAN;
	size_t count = 0, bounds = 0, others = 0;

	for (size_t i = 0; i < runs->count; i++) {
		const struct used_run *run = runs->of[i];
		double used = q->used(run) * runs->scales[i];

		if (run->state == q->bound) {
			bound = fmax(bound,
				     fmax(used,
					  runs->scales[i] * q->requested(run)));
			bounds++;
		} else if (run->state == RUN_COMPLETED && isfinite(used)) {
			samples[count++] = used;
		} else if (isfinite(used)) {
			least = fmax(least, used * runs->margin);
			others++;
		}
	}
	if (count && isnan(known)) {
		double middle = quantile_sample(samples, count, 0.5);

		if (samples[count - 1] > runs->spread_max * middle) {
			add_why(why, "%s differ too much to advise on them",
				q->name);
			return NAN;
		}
		most = samples[count - 1] * runs->margin;
	} else if (count) {
		quantile_sample(samples, count, 0.5);
		most = fmax(known, samples[count - 1]);
	}
	most = fmax(most, least);
	if (bounds) {
		add_why(why, "%zu of %zu runs %s", bounds, runs->count,
			q->fell_short);
		most = fmax(most, bound * BOUND_MARGIN);
	}
	return bounds || count + others >= NEXT_REQUEST_LEAST ? most : NAN;
}

/* --- CPUs ----------------------------------------------------------------- */

/* Return how many CPUs the CPU time of each run fits on, and by which factor
 * the longest growth lengthens a run; 0: all, or not known. */
static uint32_t find_cpus(const struct counted *runs, double *ret_factor)
{
	double needed = 0;
	uint32_t fewest = UINT32_MAX;

	*ret_factor = 1;
	if (!runs->same_size)
		return 0;
	for (size_t i = 0; i < runs->count; i++) {
		const struct used_run *run = runs->of[i];
		double s = fmax(run->runtime_s - CLOCK_S, CLOCK_S);

		if (run->tasks != 1 || run->nodes != 1 || isnan(run->cpu_s))
			return 0;
		needed = fmax(needed, run->cpu_s / s);
		if (run->cpus < fewest)
			fewest = run->cpus;
	}

	double cpus = fmax(1, ceil(needed - CPU_SLACK));

	if (!(cpus < fewest))
		return 0;
	for (size_t i = 0; i < runs->count; i++) {
		const struct used_run *run = runs->of[i];

		*ret_factor =
			fmax(*ret_factor,
			     1 + run->cpu_s / run->runtime_s *
					     (1 / cpus - 1.0 / run->cpus));
	}
	return (uint32_t)cpus;
}

/* --- The request ---------------------------------------------------------- */

static double round_time(double s)
{
	double step_s = s <= 3600 ? 60 : s <= 86400 ? 600 : 3600;

	return ceil(s / step_s) * step_s;
}

static double round_memory(double mb)
{
	double step_mb = mb <= 1024 ? 50 : mb <= 16384 ? 256 : 1024;

	/* --mem=0 would be all of a node. */
	return fmax(1, ceil(mb / step_mb)) * step_mb;
}

/* Print the memory of a node, or of each of its `cpus`. */
static void print_memory(double mb, uint32_t cpus, char ret_text[32])
{
	const char *option = cpus ? "mem-per-cpu" : "mem";

	if (cpus)
		mb = ceil(mb / cpus);
	if (fmod(mb, 1024))
		snprintf(ret_text, 32, " --%s=%.0fM", option, mb);
	else
		snprintf(ret_text, 32, " --%s=%.0fG", option, mb / 1024);
}

/* Memory is for each CPU of `node_cpus`; 0: for each node. */
static void print_options(struct next_request *to, uint32_t node_cpus)
{
	char time[DURATION_TEXT_SIZE], memory[32], cpus[32];
	const char *text = duration_format(to->limit_s, time);

	/* 00:50:00 */
	if (to->limit_s < 3600)
		text += 3;
	print_memory(to->memory_mb,
		     node_cpus && to->cpus ? to->cpus : node_cpus, memory);
	snprintf(cpus, sizeof(cpus), " -c %u", to->cpus);
	snprintf(to->options, sizeof(to->options), "%s%s%s%s",
		 isnan(to->limit_s) ? "" : " -t ",
		 isnan(to->limit_s) ? "" : text,
		 isnan(to->memory_mb) ? "" : memory, to->cpus ? cpus : "");
	memmove(to->options, to->options + (to->options[0] == ' '),
		strlen(to->options) + (to->options[0] != ' '));
}

static double find_memory(const struct used_run *like,
			  const struct counted *counted,
			  struct next_request *why)
{
	struct counted similar;
	double beyond = count_fitted(like, counted, &similar);
	bool fitted = !isnan(similar.margin);

	if (beyond > BEYOND_MAX) {
		add_why(why, "a parameter is far from those of the runs");
		return NAN;
	}
	if (!fitted)
		count_similar(like, counted, beyond, &similar);

	double mb = find_quantity(&similar, &memory_used, NAN, why);

	if (fitted && !isnan(mb))
		add_why(why, "the memory is for its parameters");
	return isnan(mb) ? NAN : round_memory(mb);
}

void next_request_find(const struct used_run *like,
		       const struct used_run runs[], size_t count,
		       struct next_request *ret)
{
	struct counted counted;
	double factor;

	*ret = (struct next_request){ .limit_s = NAN, .memory_mb = NAN };
	count_runs(like, runs, count, &counted);
	ret->runs = (uint32_t)counted.count;
	for (size_t i = 0; i < counted.count; i++)
		ret->matching += is_of_size(like, counted.of[i]) &&
				 counted.of[i]->limit_s == like->limit_s;
	if (counted.count < NEXT_REQUEST_LEAST) {
		add_why(ret, "%zu of %d own runs that advice needs are known",
			counted.count, NEXT_REQUEST_LEAST);
		return;
	}
	if (counted.same_size || !isnan(like->quantile_s))
		ret->limit_s = find_quantity(&counted, &time_used,
					     like->quantile_s, ret);
	if (!like->memory_unadvised)
		ret->memory_mb = find_memory(like, &counted, ret);
	ret->cpus = find_cpus(&counted, &factor);
	if (ret->cpus && factor > 1.1 && !isnan(ret->limit_s)) {
		ret->limit_s *= factor;
		add_why(ret, "the time allows for the fewer CPUs");
	}
	ret->limit_s = round_time(ret->limit_s);
	print_options(ret, like->node_cpus);
}
