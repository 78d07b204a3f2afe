/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_overrun.c - the probability that a running job reaches its limit */
#include <math.h>

#include "predictor/engine/overrun.h"
#include "tests/unit/suite.h"

/* ln(run time) is uniform from 100 to 1000 s, but for what the limit cuts. */
static struct prediction prediction_make(double limit_s)
{
	struct prediction p = { .basis = BASIS_HISTORY,
				.evidence_level = EVIDENCE_APPLICATION,
				.limit_s = limit_s };

	for (int i = 0; i < PREDICTION_KNOTS; i++)
		p.knots_s[i] =
			fmin(limit_s, 100 * pow(10, prediction_knots[i]));
	return p;
}

START_TEST(test_probabilities)
{
	struct prediction p = prediction_make(500);
	double at_start = 1 - log10(5);

	ck_assert_double_eq_tol(engine_overrun_probability(&p, 0, 500),
				at_start, .02);
	/* Half of the way in logarithms has passed. */
	ck_assert_double_eq_tol(
		engine_overrun_probability(&p, 100 * sqrt(5), 500),
		at_start / (1 - log10(5) / 2), .03);
	ck_assert_double_eq(engine_overrun_probability(&p, 500, 500), 1);
	ck_assert_double_eq(engine_overrun_probability(&p, 9000, 500), 1);
	p = prediction_make(2000);
	ck_assert_double_lt(engine_overrun_probability(&p, 10, 2000), .01);
}
END_TEST

START_TEST(test_not_known)
{
	struct prediction p = prediction_make(500);

	ck_assert(isnan(engine_overrun_probability(&p, 10, HUGE_VAL)));
	ck_assert(isnan(engine_overrun_probability(&p, 10, NAN)));
	ck_assert(isnan(engine_overrun_probability(&p, NAN, 500)));
	p.evidence_level = EVIDENCE_USER;
	ck_assert(isnan(engine_overrun_probability(&p, 10, 500)));
	/* None completed, but some reached such a limit. */
	p.over_limit = 2;
	ck_assert_double_gt(engine_overrun_probability(&p, 10, 500), .1);
	p = prediction_make(500);
	p.basis = BASIS_LIMIT;
	ck_assert(isnan(engine_overrun_probability(&p, 10, 500)));
	p = prediction_make(500);
	p.knots_s[0] = NAN;
	ck_assert(isnan(engine_overrun_probability(&p, 10, 500)));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_probabilities, test_not_known,
				       NULL };

	return suite_run("overrun", tests);
}
