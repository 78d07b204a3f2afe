/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_outside.c - quantiles of jobs that are unlike all that has run */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/ensemble/ensemble.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static struct random generator = { 20262 };
static double now_s = 1e9;

/* `solve` with a number and a text; seed: a number without meaning, 0: none. */
static struct subject solve(struct application *application, double n,
			    double seed, const char *traits)
{
	*application = (struct application){ .name = "solve" };
	parameters_set(&application->parameters, "n", n, NULL);
	if (seed > 0)
		parameters_set(&application->parameters, "seed", seed, NULL);
	return (struct subject){ .cluster = "tiny",
				 .account = "",
				 .partition = "main",
				 .qos = "",
				 .traits = traits,
				 .features = "",
				 .gres = "",
				 .user_id = 1234,
				 .application = application,
				 .nodes = 1,
				 .tasks = 4,
				 .cpus = 4,
				 .limit_s = 1e8 };
}

static struct verdict predict(struct ensemble *e, struct subject job,
			      uint64_t ticket)
{
	struct conditions conditions;
	struct verdict verdict;

	conditions_init(&conditions);
	job.submitted_at_s = now_s;
	ensemble_predict(e, &job, &conditions, now_s, ticket, &verdict);
	return verdict;
}

static void run(struct ensemble *e, struct subject job, double runtime_s)
{
	static uint64_t ticket;
	struct past_job past = { .subject = job };

	predict(e, job, ++ticket);
	conditions_init(&past.before);
	past.subject.submitted_at_s = now_s;
	past.outcome = (struct outcome){
		.job_id = (uint32_t)ticket,
		.end = OUTCOME_COMPLETED,
		.started_at_s = now_s,
		.ended_at_s =
			now_s +
			runtime_s * (0.96 + 0.08 * random_unit(&generator)),
	};
	ensemble_start(e, ticket, now_s);
	ck_assert_int_eq(ensemble_end(e, ticket, &past, NULL), 0);
	now_s += runtime_s + 60;
}

static double draw(double low, double high)
{
	return round(low + (high - low) * random_unit(&generator));
}

/* The 90 % quantile as a multiple of the median. */
static double width(const struct verdict *v)
{
	return verdict_quantile(v->knots_s, 0.9) / v->median_s;
}

static void check_order(const struct verdict *v)
{
	for (int i = 1; i < PREDICTION_KNOTS; i++)
		ck_assert_double_ge(v->knots_s[i], v->knots_s[i - 1]);
	ck_assert_double_le(v->knots_s[PREDICTION_KNOTS - 1], v->most_s);
}

/* Wider and wider, until nothing bounds it; as sure as before inside. */
START_TEST(test_grows_with_the_distance)
{
	static const struct {
		double n;
		const char *text;
	} rows[] = {
		{ 400, "" },
		{ 630, "" },
		{ 1200, "n 1200, 200 to 600 seen" },
		{ 3000, "n 3000, 200 to 600 seen" },
		{ 6e6, "n 6e+06, 200 to 600 seen" },
		{ 20, "n 20, 200 to 600 seen" },
	};
	struct application application;
	struct ensemble *e = ensemble_create();
	double widths[6];

	run(e, solve(&application, 200, 0, ""), 210);
	run(e, solve(&application, 600, 0, ""), 610);
	for (int i = 0; i < 38; i++) {
		double n = draw(200, 600);

		run(e, solve(&application, n, 0, ""), n + 10);
	}
	for (int i = 0; i < 6; i++) {
		struct verdict v =
			predict(e, solve(&application, rows[i].n, 0, ""), 0);

		check_order(&v);
		widths[i] = width(&v);
		ck_assert_str_eq(v.outside.text, rows[i].text);
		ck_assert_msg(v.unbounded == (rows[i].n == 6e6), "row %d", i);
	}
	ck_assert_double_lt(widths[0], 1.1);
	ck_assert_double_lt(widths[1], 1.15);
	ck_assert_double_gt(widths[2], widths[0] * 1.1);
	ck_assert_double_lt(widths[2], 2);
	ck_assert_double_gt(widths[3], widths[2] * 1.1);
	ck_assert_double_gt(widths[5], widths[0] * 1.2);

	/* Runs have shown the slope, which holds a hundred times as far. */
	struct verdict far = predict(e, solve(&application, 60000, 0, ""), 0);

	ck_assert_double_gt(far.median_s, 60000 / 2.);
	ck_assert_double_lt(far.median_s, 60000 * 2.);
	ck_assert(!far.unbounded);
	ensemble_destroy(e);
}
END_TEST

/* A seed may be anywhere, if runs have shown that it means nothing. */
START_TEST(test_number_without_meaning)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct verdict v;

	for (int i = 0; i < 30; i++) {
		double n = draw(200, 600);

		run(e, solve(&application, n, draw(1, 1000), ""), n);
	}
	v = predict(e, solve(&application, 400, 90000, ""), 0);
	ck_assert(v.outside.extrapolated && !v.unbounded);
	ck_assert_double_lt(width(&v), 1.4);
	v = predict(e, solve(&application, 90000, 500, ""), 0);
	ck_assert(v.unbounded);
	ensemble_destroy(e);
}
END_TEST

/* Runs show nothing of a parameter that never varied. */
START_TEST(test_never_varied)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	struct verdict v;

	for (int i = 0; i < 20; i++)
		run(e, solve(&application, 300, 0, ""), 300);
	v = predict(e, solve(&application, 900, 0, ""), 0);
	ck_assert_str_eq(v.outside.text, "n 900, 300 seen");
	ck_assert_double_gt(width(&v), 3);
	ck_assert(!v.unbounded);
	v = predict(e, solve(&application, 30000, 0, ""), 0);
	ck_assert(v.unbounded);
	ensemble_destroy(e);
}
END_TEST

/* What the site has seen new texts do bounds the next; a run with one changes
 * nothing for those that are known. */
START_TEST(test_new_text)
{
	static const char *const classes[] = { "class=B", "class=C", "class=D",
					       "class=E" };
	struct application application;
	struct ensemble *e = ensemble_create();
	struct verdict v;

	for (int i = 0; i < 6; i++)
		run(e, solve(&application, 300 + 20 * i, 0, "class=A"), 300);
	ck_assert_str_eq(predict(e, solve(&application, 350, 0, "class=A"), 0)
				 .outside.text,
			 "");
	for (int i = 0; i < 4; i++) {
		struct subject job = solve(&application, 350, 0, classes[i]);

		v = predict(e, job, 0);
		ck_assert(v.outside.extrapolated && v.unbounded);
		ck_assert_uint_eq(v.similar.count, 0);
		ck_assert(strstr(v.outside.text, "class"));
		run(e, job, i % 2 ? 100 : 900);
		v = predict(e, job, 0);
		ck_assert(!v.outside.new_trait);
		v = predict(e, solve(&application, 350, 0, "class=A"), 0);
		ck_assert_double_eq_tol(v.median_s, 300, 30);
	}
	v = predict(e, solve(&application, 350, 0, "class=F"), 0);
	ck_assert_str_eq(v.outside.text, "none with class=F");
	ck_assert(v.outside.extrapolated && !v.unbounded);
	check_order(&v);
	ck_assert_double_gt(width(&v), 2);
	ensemble_destroy(e);
}
END_TEST

/* Where each run has a text of its own, a new one says nothing. */
START_TEST(test_texts_of_each_run)
{
	struct application application;
	struct ensemble *e = ensemble_create();
	char traits[32];

	for (int i = 0; i < 100; i++) {
		if (i == 3)
			ck_assert(!predict(e,
					   solve(&application, 300, 0, "out=y"),
					   0)
					   .outside.extrapolated);
		snprintf(traits, sizeof(traits), "out=x%c%c", 'a' + i / 10,
			 'a' + i % 10);
		run(e, solve(&application, 300, 0, traits), 300);
	}
	ck_assert(!predict(e, solve(&application, 300, 0, "out=new"), 0)
			   .outside.extrapolated);
	ensemble_destroy(e);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_grows_with_the_distance,
		test_number_without_meaning,
		test_never_varied,
		test_new_text,
		test_texts_of_each_run,
		NULL,
	};

	return suite_run("outside", tests);
}
