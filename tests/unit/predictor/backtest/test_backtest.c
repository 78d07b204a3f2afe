/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_backtest.c - predictions of past jobs, made without looking ahead */
#include <math.h>
#include <stdlib.h>

#include "predictor/backtest/backtest.h"
#include "predictor/backtest/groups.h"
#include "predictor/cli/commands/backtest_plot.h"
#include "tests/unit/predictor/backtest/past.h"
#include "tests/unit/suite.h"

#define JOBS 4000

static struct past_job jobs[JOBS];

static void run(const struct past_job *past, size_t count, size_t skip,
		struct backtest *ret)
{
	const struct backtest_options options = { .skip = skip,
						  .in_run = true };
	struct sp_error err;

	ck_assert_int_eq(backtest_run(past, count, &options, ret, &err), 0);
}

static bool same(float a, float b)
{
	return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

/* What ends after `moment_s` ends otherwise, in every respect. */
static void shuffle_future(struct random *r, double moment_s)
{
	for (int i = 0; i < JOBS; i++) {
		struct outcome *o = &jobs[i].outcome;

		if (o->ended_at_s <= moment_s)
			continue;
		if (o->started_at_s > moment_s)
			o->started_at_s =
				fmax(moment_s, jobs[i].subject.submitted_at_s) +
				1 + (double)random_below(r, 9000);
		o->ended_at_s = fmax(moment_s, o->started_at_s) +
				exp(11 * random_unit(r));
		o->end = (enum outcome_end)random_below(r, OUTCOME_ENDS);
	}
}

START_TEST(test_cannot_look_ahead)
{
	struct random r = { 8 };
	struct backtest before, after;
	size_t compared = 0, started = 0, different = 0;

	past_make(&r, jobs, JOBS);
	run(jobs, JOBS, 0, &before);

	double moment_s = jobs[JOBS / 2].subject.submitted_at_s;

	shuffle_future(&r, moment_s);
	run(jobs, JOBS, 0, &after);
	for (size_t i = 0; i < JOBS; i++) {
		bool known = jobs[i].subject.submitted_at_s <= moment_s;

		for (size_t row = 0; known && row < before.rows; row++)
			ck_assert(same(before.predicted_s[row][i],
				       after.predicted_s[row][i]));
		if (known) {
			ck_assert(same(before.high_s[i], after.high_s[i]));
			compared++;
		} else {
			different += !same(before.predicted_s[0][i],
					   after.predicted_s[0][i]);
		}
		if (jobs[i].outcome.started_at_s <= moment_s &&
		    !isnan(before.left_s[i]) && !isnan(after.left_s[i])) {
			ck_assert(same(before.left_s[i], after.left_s[i]));
			started++;
		}
	}
	ck_assert_uint_ge(compared, JOBS / 2);
	ck_assert_uint_ge(started, JOBS / 20);
	/* The test would see it. */
	ck_assert_uint_ge(different, JOBS / 4);
	backtest_clear(&before);
	backtest_clear(&after);
}
END_TEST

START_TEST(test_learns_what_is_usual)
{
	struct random r = { 9 };
	struct measures told, first;
	struct backtest b;
	size_t *early = calloc(JOBS, sizeof(*early));
	struct sp_error err;

	past_make(&r, jobs, JOBS);
	run(jobs, JOBS, 500, &b);
	ck_assert_int_eq(
		backtest_measure(&b, BACKTEST_CHOSEN, NULL, 0, &told, &err), 0);
	/* All but those submitted before 500 had ended. */
	ck_assert_uint_lt(told.asked, JOBS - 500);
	ck_assert_uint_gt(told.asked, JOBS - 700);
	ck_assert_uint_eq(told.jobs, told.asked);
	/* With perfect knowledge of the users' habits it would be .3. */
	ck_assert_double_lt(told.mae, .75);
	ck_assert_double_gt(told.accuracy, .4);
	ck_assert_double_eq_tol(told.coverage, .9, .04);
	ck_assert_uint_eq(b.knots_count, told.asked);
	for (int i = 1; i < PREDICTION_KNOTS; i++)
		ck_assert_uint_ge(b.within[i], b.within[i - 1]);
	/* Those before were not measured. */
	for (size_t i = 0; i < 500; i++)
		early[i] = i;
	ck_assert_int_eq(
		backtest_measure(&b, BACKTEST_CHOSEN, early, 400, &first, &err),
		0);
	ck_assert_uint_eq(first.asked, 0);
	ck_assert_double_nan(first.mae);
	free(early);
	backtest_clear(&b);
	backtest_clear(&b); /* harmless */
}
END_TEST

static void check_common(const struct grouping *g, const struct subject *a,
			 const struct subject *b)
{
	if (g->text)
		ck_assert_str_eq(g->text(a), g->text(b));
	else
		ck_assert_uint_eq(a->user_id, b->user_id);
}

START_TEST(test_groups)
{
	struct random r = { 10 };
	struct backtest b;
	struct groups groups;
	struct sp_error err;

	past_make(&r, jobs, 900);
	run(jobs, 900, 50, &b);
	ck_assert_ptr_null(grouping_find("colour"));
	for (const struct grouping *g = groupings; g->name; g++) {
		struct measures all, one;
		size_t asked = 0;

		ck_assert_ptr_eq(grouping_find(g->name), g);
		ck_assert_int_eq(groups_make(g, &b, &groups, &err), 0);
		backtest_measure(&b, 0, NULL, 0, &all, &err);
		for (size_t i = 0; i < groups.count; i++) {
			const struct group *group = &groups.of[i];

			ck_assert_int_eq(
				backtest_measure(&b, 0, group->positions,
						 group->count, &one, &err),
				0);
			ck_assert_uint_eq(one.asked, group->count);
			asked += one.asked;
			for (size_t k = 1; k < group->count; k++)
				check_common(
					g, &jobs[group->positions[0]].subject,
					&jobs[group->positions[k]].subject);
			if (i > 0)
				ck_assert_uint_le(group->count,
						  group[-1].count);
		}
		ck_assert_uint_eq(asked, all.asked);
		groups_clear(&groups);
	}
	ck_assert_int_eq(groups_make(grouping_find("user"), &b, &groups, &err),
			 0);
	ck_assert_uint_eq(groups.count, PAST_USERS);
	ck_assert_int_eq(strncmp(groups.of[0].label, "user 10", 7), 0);
	groups_clear(&groups);
	backtest_clear(&b);
}
END_TEST

START_TEST(test_plot)
{
	struct random r = { 11 };
	const size_t rows[] = { 1 };
	struct backtest b;
	struct sp_error err;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	past_make(&r, jobs, 900);
	run(jobs, 900, 50, &b);
	ck_assert_int_eq(backtest_plot_write(file, "a<b>&\"c\"\x1b[2J", &b,
					     rows, 1, &err),
			 0);
	fclose(file);
	ck_assert_int_eq(strncmp(text, "<svg ", 5), 0);
	ck_assert_str_eq(text + size - 7, "</svg>\n");
	ck_assert_ptr_nonnull(
		strstr(text, ">a&#60;b&#62;&#38;&#34;c&#34;&#63;[2J<"));
	ck_assert_ptr_null(strstr(text, "nan"));
	ck_assert_ptr_null(strstr(text, "inf"));
	free(text);
	backtest_clear(&b);
}
END_TEST

START_TEST(test_no_jobs)
{
	struct backtest b;
	struct measures m;
	struct sp_error err;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	run(NULL, 0, 0, &b);
	ck_assert_int_eq(backtest_measure(&b, 0, NULL, 0, &m, &err), 0);
	ck_assert_uint_eq(m.asked, 0);
	ck_assert_int_eq(backtest_plot_write(file, "none", &b, NULL, 0, &err),
			 0);
	fclose(file);
	free(text);
	backtest_clear(&b);
	ck_assert_uint_eq(backtest_skip(0), 0);
	ck_assert_uint_eq(backtest_skip(5000), 500);
	ck_assert_uint_eq(backtest_skip(500000), 1000);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_cannot_look_ahead,
		test_learns_what_is_usual,
		test_groups,
		test_plot,
		test_no_jobs,
		NULL,
	};

	return suite_run("backtest", tests);
}
