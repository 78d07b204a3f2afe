/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_choice.c - which model is believed */
#include <math.h>
#include <string.h>

#include "predictor/ensemble/choice.h"
#include "predictor/ensemble/spread.h"
#include "predictor/ensemble/tickets.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static const struct parameters one = { .count = 1, .of = { { "n", 7 } } };
static const struct parameters none = { .count = 0 };

static struct query query(uint64_t application, uint64_t user)
{
	return (struct query){ .parameters = &one,
			       .application_key = application,
			       .user_key = user };
}

static int position(const char *name)
{
	for (int i = 0; models[i]; i++)
		if (strcmp(models[i]->name, name) == 0)
			return i;
	ck_abort_msg("no model %s", name);
	return -1;
}

/* Two rows that say something; the rest say nothing. */
struct said {
	struct model_result answers[MODELS_MAX];
	const struct model_result *lent[MODELS_MAX];
	float medians_s[MODELS_MAX];
};

static void say(struct said *s, int model, double median_s)
{
	s->answers[model].median_s = median_s;
	s->answers[model].runs = 9;
	s->medians_s[model] = (float)median_s;
}

static void say_nothing(struct said *s)
{
	for (int i = 0; i < MODELS_MAX; i++) {
		s->answers[i] = (struct model_result){ .median_s = NAN };
		s->lent[i] = &s->answers[i];
		s->medians_s[i] = NAN;
	}
}

static struct said said;
static int first, second;

static struct choice *begin(void)
{
	say_nothing(&said);
	first = 0;
	second = position("dp");
	ck_assert_int_lt(first, second);
	say(&said, first, 200);
	say(&said, second, 100);
	return choice_create();
}

START_TEST(test_without_record_the_first)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	int limit = position("limit");

	ck_assert_int_eq(choice_make(c, &q, said.lent), first);
	say_nothing(&said);
	ck_assert_int_eq(choice_make(c, &q, said.lent), -1);
	say(&said, limit, 600);
	said.answers[limit].runs = 0;
	ck_assert_int_eq(choice_make(c, &q, said.lent), limit);
	say(&said, second, 100);
	ck_assert_int_eq(choice_make(c, &q, said.lent), second);
	ck_assert_double_nan(choice_last_error(c, second, &q));
	choice_destroy(c);
	choice_destroy(NULL);
}
END_TEST

START_TEST(test_who_is_better_wins_and_loses_again)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	struct query other = query(3, 4);
	int runs = 0;

	/* Runs take what the second says. */
	while (choice_make(c, &q, said.lent) == first && runs < 20) {
		choice_note(c, &q, said.medians_s, 101);
		runs++;
	}
	ck_assert_int_ge(runs, 1);
	ck_assert_int_le(runs, 6);
	for (int i = 0; i < 200; i++)
		choice_note(c, &q, said.medians_s, 101);
	ck_assert_int_eq(choice_make(c, &q, said.lent), second);
	/* What was so good all over is believed elsewhere, too. */
	ck_assert_int_eq(choice_make(c, &other, said.lent), second);
	ck_assert_double_eq_tol(choice_last_error(c, second, &q), 1 / 101.0,
				1e-6);

	/* The application has changed: within a few runs it is left. */
	runs = 0;
	while (choice_make(c, &q, said.lent) == second && runs < 20) {
		choice_note(c, &q, said.medians_s, 195);
		runs++;
	}
	ck_assert_int_le(runs, 8);
	choice_destroy(c);
}
END_TEST

START_TEST(test_a_farm_has_a_vote)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	int farm = position("farm");

	say_nothing(&said);
	say(&said, first, 200);
	say(&said, farm, 100);
	ck_assert_int_eq(choice_make(c, &q, said.lent), first);
	for (int i = 0; i < 6; i++)
		choice_note(c, &q, said.medians_s, 101);
	ck_assert_int_eq(choice_make(c, &q, said.lent), farm);
	choice_destroy(c);
}
END_TEST

START_TEST(test_a_baseline_is_the_last_resort)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	int baseline = position("templates");

	say_nothing(&said);
	say(&said, first, 200);
	say(&said, baseline, 100);
	for (int i = 0; i < 100; i++)
		choice_note(c, &q, said.medians_s, 100);
	ck_assert_int_eq(choice_make(c, &q, said.lent), first);
	say_nothing(&said);
	say(&said, baseline, 100);
	ck_assert_int_eq(choice_make(c, &q, said.lent), baseline);
	choice_destroy(c);
}
END_TEST

/* If rows have similar errors by chance, the one in the middle has less
 * than any. */
START_TEST(test_the_middle_of_rows_beats_each)
{
	struct choice *c = begin();
	struct random r = { 5 };
	struct query q = query(1, 2);
	const int rows[] = { first, second, position("regression") };
	double errors[3] = { 0 };
	double chosen = 0;

	for (int i = 0; i < 2000; i++) {
		double runtime_s = 100 * exp(0.2 * (random_unit(&r) - 0.5));

		for (int k = 0; k < 3; k++) {
			say(&said, rows[k], 100 * exp(random_unit(&r) - 0.5));
			errors[k] += fabs(said.answers[rows[k]].median_s -
					  runtime_s);
		}
		chosen += fabs(
			said.answers[choice_make(c, &q, said.lent)].median_s -
			runtime_s);
		choice_note(c, &q, said.medians_s, runtime_s);
	}
	for (int k = 0; k < 3; k++)
		ck_assert_double_le(chosen, 0.9 * errors[k]);
	choice_destroy(c);
}
END_TEST

/* Ten rows about as good as each of two others. */
START_TEST(test_a_family_has_one_vote)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	int regression = position("regression");
	int rows = 0;

	say(&said, regression, 210);
	for (int i = second; models[i]; i++)
		if (i == second || models[i]->family == models[second])
			say(&said, i, 100 + rows++);
	ck_assert_int_ge(rows, 10);
	ck_assert_int_eq(choice_make(c, &q, said.lent), first);
	for (int i = 0; i < 40; i++)
		choice_note(c, &q, said.medians_s, i % 2 ? 100 : 300);
	ck_assert_int_eq(choice_make(c, &q, said.lent), first);
	choice_destroy(c);
}
END_TEST

/* The row in the middle speaks for a family; three that say the same
 * are one. */
START_TEST(test_the_middle_of_a_family_speaks_for_it)
{
	struct choice *c = begin();
	struct query q = query(1, 2);

	say(&said, position("regression"), 50);
	say(&said, position("dp"), 100);
	say(&said, position("dp_np"), 100);
	say(&said, position("dp_np_r"), 100);
	say(&said, position("ip"), 180);
	say(&said, position("ip_np"), 120);
	/* All are about as good. */
	for (int i = 0; i < 40; i++)
		choice_note(c, &q, said.medians_s, i % 2 ? 60 : 300);
	ck_assert_int_eq(choice_make(c, &q, said.lent), position("ip_np"));
	choice_destroy(c);
}
END_TEST

START_TEST(test_costly_rows_are_asked_where_they_may_help)
{
	struct choice *c = begin();
	struct query q = query(1, 2);
	bool ask[MODELS_MAX];
	int costly = position("dp_np");
	int cheap = position("templates");
	int asked = 0;

	choice_ask(c, &q, true, ask);
	ck_assert(ask[costly] && ask[cheap]);
	q.parameters = &none;
	choice_ask(c, &q, true, ask);
	ck_assert(!ask[costly] && ask[cheap]);
	q.conditions.nodes_known = 2;
	choice_ask(c, &q, true, ask);
	ck_assert(ask[costly]);
	say(&said, costly, 1000);
	for (int i = 0; i < 9; i++)
		choice_note(c, &q, said.medians_s, 100);
	for (int i = 0; i < 80; i++) {
		choice_ask(c, &q, true, ask);
		asked += ask[costly];
		ck_assert(ask[cheap]);
	}
	ck_assert_int_eq(asked, 10);
	choice_ask(c, &q, false, ask);
	ck_assert(!ask[costly]);
	choice_destroy(c);
}
END_TEST

static double total(const struct distribution *d)
{
	double weight = 0;

	for (int i = 0; i < d->count; i++) {
		weight += d->atoms[i].weight;
		if (i)
			ck_assert_double_ge(d->atoms[i].value,
					    d->atoms[i - 1].value);
	}
	return weight;
}

static double quantile(const struct distribution *d, double p)
{
	double below = 0;

	for (int i = 0; i < d->count; i++) {
		below += d->atoms[i].weight;
		if (below >= p)
			return exp(d->atoms[i].value);
	}
	return NAN;
}

START_TEST(test_spread)
{
	struct spread *s = spread_create();
	struct query q = query(1, 2);
	struct query other = query(3, 2);
	struct model_result silent = { .median_s = 100, .sigma = NAN };
	struct model_result wide = { .median_s = 100,
				     .sigma = 2,
				     .degrees = 5 };
	struct distribution d;

	spread_around(s, 1, query_application(&q), &silent, &d);
	ck_assert_double_eq_tol(total(&d), 1, 1e-9);
	ck_assert_double_eq_tol(quantile(&d, 0.5), 100, 1e-6);
	ck_assert_double_eq_tol(exp(d.atoms[d.count - 1].value), 250.2, 0.1);
	spread_around(s, 1, query_application(&q), &wide, &d);
	ck_assert_double_gt(d.atoms[d.count - 1].value, log(100) + 4);

	/* Runs take twice as long as it says. */
	for (int i = 0; i < 40; i++)
		spread_note(s, 1, query_application(&q), 50, 100);
	spread_around(s, 1, query_application(&q), &silent, &d);
	ck_assert_double_eq_tol(total(&d), 1, 1e-6);
	ck_assert_double_eq_tol(quantile(&d, 0.9), 200, 1e-3);
	ck_assert_double_eq_tol(quantile(&d, 0.1), 50, 1e-3);
	spread_around(s, 1, query_application(&other), &silent, &d);
	ck_assert_double_eq_tol(quantile(&d, 0.9), 200, 1e-3);
	spread_around(s, 0, query_application(&q), &silent,
		      &d); /* another model */
	ck_assert_double_eq_tol(quantile(&d, 0.5), 100, 1e-6);
	spread_note(s, 1, query_application(&other), 100, 50);
	spread_around(s, 1, query_application(&other), &wide, &d);
	ck_assert_double_eq_tol(total(&d), 1, 1e-9);
	spread_destroy(s);
	spread_destroy(NULL);
}
END_TEST

START_TEST(test_tickets)
{
	struct tickets *t = tickets_create();
	bool forgot;

	for (uint64_t id = 1; id <= TICKETS_MAX; id++) {
		ck_assert_uint_ne(tickets_add(t, id * 77, 0, 0, &forgot),
				  TICKET_NONE);
		ck_assert(!forgot);
	}
	for (uint64_t id = 1; id <= TICKETS_MAX; id += 3)
		tickets_remove(t, tickets_find(t, id * 77));
	for (uint64_t id = 1; id <= TICKETS_MAX; id++) {
		uint32_t at = tickets_find(t, id * 77);

		ck_assert_int_eq(at == TICKET_NONE, id % 3 == 1);
		if (at != TICKET_NONE)
			ck_assert_uint_eq(tickets_at(t, at)->id, id * 77);
	}
	for (uint64_t id = 1; id <= TICKETS_MAX; id += 3) {
		tickets_add(t, id * 77 + 1, 0, 0, &forgot);
		ck_assert(!forgot);
	}
	/* Now the oldest goes, that is 2. */
	ck_assert_uint_ne(tickets_find(t, 2 * 77), TICKET_NONE);
	tickets_add(t, 5, 0, 0, &forgot);
	ck_assert(forgot);
	ck_assert_uint_eq(tickets_find(t, 2 * 77), TICKET_NONE);
	ck_assert_uint_ne(tickets_find(t, 3 * 77), TICKET_NONE);
	tickets_destroy(t);
	tickets_destroy(NULL);
}
END_TEST

START_TEST(test_tickets_of_users)
{
	struct tickets *t = tickets_create();
	bool forgot;

	for (uint64_t id = 1; id <= 70; id++) {
		uint32_t at = tickets_add(t, id, id % 7 ? 31 : 0, 0, &forgot);

		ck_assert_uint_eq(tickets_at(t, at)->in_flight,
				  id % 7 ? id - id / 7 : 1);
	}
	tickets_remove(t, tickets_find(t, 3));
	tickets_remove(t, tickets_find(t, 7));
	ck_assert_uint_eq(tickets_of_user(t, 31), 59);
	ck_assert_uint_eq(tickets_of_user(t, 32), 0);
	ck_assert_uint_eq(tickets_of_user(t, 0), 0);
	/* Each user is counted apart, however many there are. */
	for (uint64_t user = 1000; user < 41000; user++)
		tickets_add(t, user, user, 0, &forgot);
	for (uint64_t user = 1000; user < 41000; user++)
		ck_assert_uint_eq(tickets_of_user(t, user), 1);
	tickets_destroy(t);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_without_record_the_first,
		test_who_is_better_wins_and_loses_again,
		test_a_farm_has_a_vote,
		test_a_baseline_is_the_last_resort,
		test_the_middle_of_rows_beats_each,
		test_a_family_has_one_vote,
		test_the_middle_of_a_family_speaks_for_it,
		test_costly_rows_are_asked_where_they_may_help,
		test_spread,
		test_tickets,
		test_tickets_of_users,
		NULL,
	};

	return suite_run("choice", tests);
}
