/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scaling.c - run time over the number of nodes, from runs on some numbers
 *
 * A least-squares fit of relative errors for each set of terms, of at most one
 * term less than there are numbers of nodes.  If a coefficient is negative, the
 * set's non-negative fit is that of a subset, so that sets with one are left
 * out.
 *
 * Times alone rarely tell one set from the next: the curve is the mean of the
 * fits, each weighted by its likelihood, with the penalty of [1] for terms.
 * Over four kinds of program, seven series of numbers of nodes and three runs
 * of 5 % noise on each, it is 8.8 % off at twice the nodes seen, and 5.7 %
 * where messages tell the terms.  Weights by the error at a number of nodes
 * left out: 8.9 and 6.6 %; the set with the least such error alone: 9.5 and
 * 6.6 %.
 *
 * A run that something held up would bend the curve where it ran, and its noise
 * would make every set likely.  So a run far from the others on its number of
 * nodes counts as if it were nearer [2]; the bound knows of it as it was.
 *
 * [1] G. Schwarz: Estimating the Dimension of a Model, Annals of Statistics 6
 *     (1978) 461-464.
 * [2] P. J. Huber: Robust Statistics, 1981, 1.7 (metrically winsorized values).
 */
#include <math.h>
#include <string.h>

#include "predictor/stats/scaling.h"
#include "predictor/stats/quantile.h"

/* Noise of runs as long as nothing is known, with the weight of two of them. */
#define NOISE_PRIOR  0.05
#define NOISE_WEIGHT 2.0

/* Runs further from their median than this many standard deviations count as
 * if they were that far off. */
#define FAR 2.0

/* The standard deviation of a normal distribution, of its median
 * absolute one. */
#define SD_OF_MAD 1.4826

/* Shapes of messages that differ by less in ln are both possible. */
#define SHAPE_SAME 0.1

static void terms_at(int n, double ret[SCALING_TERMS])
{
	ret[SCALING_CONSTANT] = 1;
	ret[SCALING_DIVIDED] = 1.0 / n;
	ret[SCALING_LOG] = log2(n);
	ret[SCALING_LINEAR] = n;
}

static double time_of(const double c[SCALING_TERMS], int n)
{
	double x[SCALING_TERMS], sum = 0;

	terms_at(n, x);
	for (int i = 0; i < SCALING_TERMS; i++)
		sum += c[i] * x[i];
	return sum;
}

/* Fit one set of terms.  The sum of squares of relative residuals; HUGE_VAL: no
 * fit without negative coefficients. */
static double fit_set(const struct scaling_run runs[], int count, unsigned set,
		      struct regression *workspace, double ret[SCALING_TERMS])
{
	double squares = 0;
	size_t column = 0;

	regression_begin(workspace, (size_t)__builtin_popcount(set));
	for (int i = 0; i < count; i++) {
		double x[SCALING_TERMS], row[SCALING_TERMS] = { 0 };
		size_t columns = 0;

		terms_at(runs[i].n, x);
		for (int t = 0; t < SCALING_TERMS; t++)
			if (set & (1U << t))
				row[columns++] = x[t] / runs[i].runtime_s;
		regression_add(workspace, row, 1, 1);
	}
	if (regression_solve(workspace))
		return HUGE_VAL;
	for (int t = 0; t < SCALING_TERMS; t++) {
		ret[t] = 0;
		if (set & (1U << t))
			ret[t] = regression_coefficient(workspace, column++);
		if (!(ret[t] >= 0))
			return HUGE_VAL;
	}
	for (int i = 0; i < count; i++)
		squares +=
			pow(time_of(ret, runs[i].n) / runs[i].runtime_s - 1, 2);
	return squares;
}

/* Covariance of the coefficients that were solved last, from x' C x of single
 * columns and of pairs. */
static void covariance_read(const struct regression *workspace, unsigned set,
			    double ret[SCALING_TERMS][SCALING_TERMS])
{
	size_t columns = 0;
	int terms[SCALING_TERMS] = { 0 };

	for (int t = 0; t < SCALING_TERMS; t++)
		if (set & (1U << t))
			terms[columns++] = t;
	memset(ret, 0, sizeof(*ret) * SCALING_TERMS);
	for (size_t i = 0; i < columns; i++) {
		double x[SCALING_TERMS] = { 0 };

		x[i] = 1;
		ret[terms[i]][terms[i]] = regression_leverage(workspace, x);
	}
	for (size_t i = 0; i < columns; i++) {
		for (size_t j = 0; j < i; j++) {
			double x[SCALING_TERMS] = { 0 };
			int a = terms[i], b = terms[j];

			x[i] = x[j] = 1;
			ret[a][b] = (regression_leverage(workspace, x) -
				     ret[a][a] - ret[b][b]) /
				    2;
			ret[b][a] = ret[a][b];
		}
	}
}

/* Find the distinct numbers of nodes, ascending; 0: too many. */
static int list_numbers(const struct scaling_run runs[], int count,
			int ret[SCALING_COUNTS_MAX])
{
	int numbers = 0;

	for (int i = 0; i < count; i++) {
		int at = 0;

		while (at < numbers && ret[at] < runs[i].n)
			at++;
		if (at < numbers && ret[at] == runs[i].n)
			continue;
		if (numbers == SCALING_COUNTS_MAX)
			return 0;
		memmove(&ret[at + 1], &ret[at],
			(size_t)(numbers - at) * sizeof(*ret));
		ret[at] = runs[i].n;
		numbers++;
	}
	return numbers;
}

/* Variance of ln(run time) on the same number of nodes. */
static double runs_variance(const struct scaling_run runs[], int count,
			    const int ns[], int numbers)
{
	double squares = NOISE_WEIGHT * NOISE_PRIOR * NOISE_PRIOR;

	for (int j = 0; j < numbers; j++) {
		double mean = 0, sum = 0;
		int on = 0;

		for (int i = 0; i < count; i++) {
			if (runs[i].n != ns[j])
				continue;

			double d = log(runs[i].runtime_s) - mean;

			mean += d / ++on;
			sum += d * (log(runs[i].runtime_s) - mean);
		}
		squares += sum;
	}
	return squares / (NOISE_WEIGHT + count - numbers);
}

/* Medians of ln(run time), by number of nodes. */
static void list_medians(const struct scaling_run runs[], int count,
			 const int ns[], int numbers, double ret[])
{
	double logs[SCALING_RUNS_MAX];

	for (int j = 0; j < numbers; j++) {
		size_t on = 0;

		for (int i = 0; i < count; i++)
			if (runs[i].n == ns[j])
				logs[on++] = log(runs[i].runtime_s);
		ret[j] = quantile_sample(logs, on, .5);
	}
}

static double median_of(int n, const int ns[], const double medians[])
{
	int j = 0;

	while (ns[j] != n)
		j++;
	return medians[j];
}

/* Standard deviation of ln(run time) on the same number of nodes, whatever some
 * stragglers do.  A deviation of each number is none, as it has the median. */
static double robust_noise(const struct scaling_run runs[], int count,
			   const int ns[], int numbers, const double medians[])
{
	double deviations[SCALING_RUNS_MAX], sd = 0;

	for (int i = 0; i < count; i++)
		deviations[i] = fabs(log(runs[i].runtime_s) -
				     median_of(runs[i].n, ns, medians));
	if (count > numbers)
		sd = SD_OF_MAD *
		     quantile_sample(deviations, (size_t)count,
				     .5 * (count + numbers) / count);
	return sqrt((NOISE_WEIGHT * NOISE_PRIOR * NOISE_PRIOR +
		     (count - numbers) * sd * sd) /
		    (NOISE_WEIGHT + count - numbers));
}

/* The runs, with those far from the others on as many nodes nearer to them. */
static void bring_near(const struct scaling_run runs[], int count,
		       const int ns[], int numbers, struct scaling_run ret[])
{
	double medians[SCALING_COUNTS_MAX], far;

	list_medians(runs, count, ns, numbers, medians);
	far = FAR * robust_noise(runs, count, ns, numbers, medians);
	for (int i = 0; i < count; i++) {
		double median = median_of(runs[i].n, ns, medians);
		double x = log(runs[i].runtime_s);

		ret[i] = runs[i];
		if (fabs(x - median) > far)
			ret[i].runtime_s =
				exp(median + copysign(far, x - median));
	}
}

int scaling_fit(const struct scaling_run runs[], int count, unsigned terms,
		struct regression *workspace, struct scaling *ret,
		struct sp_error *err)
{
	struct scaling_run near[SCALING_RUNS_MAX];
	int ns[SCALING_COUNTS_MAX];
	double score[SCALING_SETS], best = HUGE_VAL, sum = 0;
	int numbers = list_numbers(runs, count, ns);

	if (numbers == 0)
		return sp_error_set(err, count ? "too many numbers of nodes"
					       : "no runs");
	if (numbers == 1)
		return sp_error_set(err,
				    "all runs are on the same number of nodes, "
				    "%d: no curve",
				    ns[0]);

	bring_near(runs, count, ns, numbers, near);

	double variance = runs_variance(near, count, ns, numbers);
	struct scaling s = { .noise = sqrt(
				     runs_variance(runs, count, ns, numbers)),
			     .n_min = ns[0],
			     .n_max = ns[numbers - 1] };

	for (unsigned set = 1; set < SCALING_SETS; set++) {
		int k = __builtin_popcount(set);

		score[set] = HUGE_VAL;
		if ((set & ~terms) || k > numbers - 1)
			continue;
		score[set] = fit_set(near, count, set, workspace, s.c[set]) /
				     variance +
			     k * log(count); /* [1] */
		if (score[set] < HUGE_VAL)
			covariance_read(workspace, set, s.covariance[set]);
		best = fmin(best, score[set]);
	}
	if (!(best < HUGE_VAL))
		return sp_error_set(err, "no curve fits the runs");
	for (unsigned set = 1; set < SCALING_SETS; set++)
		if (score[set] < HUGE_VAL)
			sum += s.weights[set] = exp((best - score[set]) / 2);
	for (unsigned set = 1; set < SCALING_SETS; set++)
		s.weights[set] /= sum;
	*ret = s;
	return 0;
}

double scaling_time(const struct scaling *scaling, int n)
{
	double sum = 0;

	for (unsigned set = 1; set < SCALING_SETS; set++)
		if (scaling->weights[set] > 0)
			sum += scaling->weights[set] *
			       time_of(scaling->c[set], n);
	return sum;
}

double scaling_coefficient(const struct scaling *scaling,
			   enum scaling_term term)
{
	double sum = 0;

	for (unsigned set = 1; set < SCALING_SETS; set++)
		if (scaling->weights[set] > 0)
			sum += scaling->weights[set] * scaling->c[set][term];
	return sum;
}

double scaling_bound(const struct scaling *scaling, int n, double z)
{
	double T = scaling_time(scaling, n), x[SCALING_TERMS];
	double noise = scaling->noise * scaling->noise, variance = noise;

	terms_at(n, x);
	for (unsigned set = 1; set < SCALING_SETS; set++) {
		double within = 0;

		if (!(scaling->weights[set] > 0))
			continue;
		for (int i = 0; i < SCALING_TERMS; i++)
			for (int j = 0; j < SCALING_TERMS; j++)
				within += scaling->covariance[set][i][j] *
					  x[i] * x[j];
		variance += scaling->weights[set] *
			    (pow(time_of(scaling->c[set], n) / T - 1, 2) +
			     noise * within / (T * T));
	}
	return T * exp(z * sqrt(variance));
}

/* --- How messages grow ---------------------------------------------------- */

/* Deviation of ln(messages / shape(n)); NAN: less than two of them. */
static double shape_misfit(const struct scaling_messages messages[], int count,
			   enum scaling_term term)
{
	double mean = 0, squares = 0;
	int used = 0;

	for (int i = 0; i < count; i++) {
		double x[SCALING_TERMS];

		if (messages[i].n < 2 || !(messages[i].messages > 0))
			continue;
		terms_at(messages[i].n, x);

		double y = log(messages[i].messages / x[term]);
		double d = y - mean;

		mean += d / ++used;
		squares += d * (y - mean);
	}
	return used < 2 ? NAN : sqrt(squares / used);
}

unsigned scaling_terms(const struct scaling_messages messages[], int count)
{
	static const enum scaling_term shapes[] = { SCALING_CONSTANT,
						    SCALING_LOG,
						    SCALING_LINEAR };
	unsigned terms = 1U << SCALING_CONSTANT | 1U << SCALING_DIVIDED;
	double misfit[3], least = HUGE_VAL;

	for (int i = 0; i < 3; i++) {
		misfit[i] = shape_misfit(messages, count, shapes[i]);
		if (isnan(misfit[i]))
			return SCALING_ALL_TERMS;
		least = fmin(least, misfit[i]);
	}
	for (int i = 0; i < 3; i++)
		if (misfit[i] <= least + SHAPE_SAME)
			terms |= 1U << shapes[i];
	return terms;
}
