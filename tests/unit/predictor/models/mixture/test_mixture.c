/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_mixture.c - a job runs as long as those like it did */
#include <math.h>
#include <stdlib.h>

#include "predictor/models/mixture/mixture_tickets.h"
#include "predictor/models/model.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

extern const struct model model_mixture;

static struct query query_of(uint64_t user, uint64_t application,
			     double limit_s, double now_s, uint64_t ticket)
{
	static const struct parameters none;

	struct query query = {
		.parameters = &none,
		.cpus = 16,
		.limit_s = limit_s,
		.cluster_key = 0x1234567890abcdef,
		.user_key = user,
		.application_key = application,
		.partition_key = 77,
		.submitted_at_s = now_s,
		.now_s = now_s,
		.ticket = ticket,
	};

	conditions_init(&query.conditions);
	return query;
}

static int predict(void *model, const struct query *query,
		   struct model_result *ret)
{
	struct sp_error err;

	return model_mixture.predict(model, NULL, query, ret, &err);
}

static void end(void *model, const struct query *query, uint32_t job_id,
		enum outcome_end how, double runtime_s)
{
	struct outcome outcome = {
		.job_id = job_id,
		.end = how,
		.started_at_s = query->submitted_at_s + 5,
		.ended_at_s = query->submitted_at_s + 5 + runtime_s,
	};

	model_mixture.learn(model, NULL, query, &outcome);
}

static void sane(const struct model_result *a)
{
	double sum = 0;
	bool right = true;

	ck_assert_double_finite(a->median_s);
	ck_assert_double_gt(a->median_s, 0);
	ck_assert_int_gt(a->ln_runtime.count, 0);
	for (int i = 0; i < a->ln_runtime.count; i++) {
		const struct distribution_atom *atom = &a->ln_runtime.atoms[i];

		right &= isfinite(atom->value) && atom->weight > 0 &&
			 (!i || atom->value >= atom[-1].value);
		sum += atom->weight;
	}
	ck_assert(right);
	ck_assert_double_eq_tol(sum, 1, 1e-3);
	ck_assert_int_le(a->evidence_count, EVIDENCE_MAX);
	for (int i = 0; i < a->evidence_count; i++) {
		const struct evidence *e = &a->evidence[i];

		right &= e->weight >= 0 && e->weight < 1.0001F &&
			 (!i || e->weight <= e[-1].weight);
	}
	ck_assert(right);
}

START_TEST(test_knows_nothing_at_first)
{
	void *model = model_mixture.create();
	struct query q = query_of(3, 4, 3600, 1.7e9, 1);
	struct model_result a;

	ck_assert_ptr_nonnull(model);
	ck_assert_int_eq(predict(model, &q, &a), -1);
	end(model, &q, 1, OUTCOME_OTHER, 100);
	q.ticket = 2;
	ck_assert_int_eq(predict(model, &q, &a), -1);
	end(model, &q, 2, OUTCOME_COMPLETED, 100);
	q.ticket = 0;
	ck_assert_int_eq(predict(model, &q, &a), 0);
	sane(&a);
	ck_assert_uint_eq(a.runs, 1);
	ck_assert_uint_eq(a.evidence[0].job_id, 2);
	ck_assert_float_eq_tol(a.evidence[0].runtime_s, 100, 0.01F);
	/* Another cluster knows nothing. */
	q.cluster_key++;
	ck_assert_int_eq(predict(model, &q, &a), -1);
	model_mixture.destroy(model);
	model_mixture.destroy(NULL);
}
END_TEST

/* Two users, each with a short and a long program. */
START_TEST(test_finds_the_runs_that_match)
{
	static const double runtimes_s[2][2] = { { 30, 4000 }, { 700, 12000 } };
	void *model = model_mixture.create();
	struct random r = { 5 };
	struct model_result a;
	double t = 1.7e9;

	for (uint32_t i = 0; i < 400; i++) {
		uint64_t user = random_below(&r, 2);
		uint64_t application = random_below(&r, 2);
		struct query q = query_of(10 + user, 20 + application, 86400,
					  t += 20000, i + 1);
		double runtime_s = runtimes_s[user][application];

		if (!predict(model, &q, &a))
			sane(&a);
		if (i >= 50)
			ck_assert_double_eq_tol(a.median_s / runtime_s, 1,
						0.25);
		if (i >= 50)
			ck_assert_float_eq_tol(a.evidence[0].runtime_s /
						       (float)runtime_s,
					       1, 0.1F);
		end(model, &q, i, OUTCOME_COMPLETED,
		    runtime_s * (0.98 + 0.04 * random_unit(&r)));
	}
	model_mixture.destroy(model);
}
END_TEST

/* One user, one program, distinguished by one more thing that is requested. */
static void learn_two_kinds(uint64_t *key, struct query *q)
{
	void *model = model_mixture.create();
	struct random r = { 8 };
	struct model_result a;

	for (uint32_t i = 0; i < 300; i++) {
		bool fast = random_below(&r, 2);
		double runtime_s = fast ? 300 : 5000;

		*key = fast ? 31 : 0;
		q->submitted_at_s = q->now_s += 20000;
		q->ticket = i + 1;
		predict(model, q, &a);
		if (i >= 100)
			ck_assert_double_eq_tol(a.median_s / runtime_s, 1, 0.1);
		end(model, q, i, OUTCOME_COMPLETED,
		    runtime_s * (0.98 + 0.04 * random_unit(&r)));
	}
	model_mixture.destroy(model);
}

START_TEST(test_gres)
{
	struct query q = query_of(10, 20, 86400, 1.7e9, 0);

	learn_two_kinds(&q.gres_key, &q);
}
END_TEST

START_TEST(test_features)
{
	struct query q = query_of(10, 20, 86400, 1.7e9, 0);

	learn_two_kinds(&q.features_key, &q);
}
END_TEST

START_TEST(test_a_crash_says_little)
{
	void *model = model_mixture.create();
	struct model_result a;
	double t = 1.7e9;

	for (uint32_t i = 1; i <= 6; i++) {
		struct query q = query_of(3, 4, 7200, t += 3000, i);

		predict(model, &q, &a);
		end(model, &q, i, OUTCOME_COMPLETED, 1000 + i);
	}

	struct query q = query_of(3, 4, 7200, t += 3000, 7);

	predict(model, &q, &a);
	ck_assert_double_eq_tol(a.median_s, 1000, 60);
	end(model, &q, 7, OUTCOME_FAILED, 2);
	q = query_of(3, 4, 7200, t + 3000, 8);
	predict(model, &q, &a);
	sane(&a);
	ck_assert_double_eq_tol(a.median_s, 1000, 60);
	model_mixture.destroy(model);
}
END_TEST

/* Weight of the atoms that are longer than `seconds`. */
static double weight_above(const struct model_result *a, double seconds)
{
	double sum = 0;

	for (int i = 0; i < a->ln_runtime.count; i++)
		if (a->ln_runtime.atoms[i].value > log(seconds))
			sum += a->ln_runtime.atoms[i].weight;
	return sum;
}

static struct query solver_of(double now_s, uint64_t ticket)
{
	static const struct parameters one = { 1, { { "n", 7 } } };
	struct query query = query_of(3, 4, 36000, now_s, ticket);

	query.application = query.names = INDEX_NONE;
	query.parameters = &one;
	return query;
}

START_TEST(test_a_cancelled_run_is_of_unknown_end)
{
	void *model = model_mixture.create();
	struct model_result before, after;
	double t = 1.7e9;
	struct query q;

	for (uint32_t i = 1; i <= 20; i++) {
		q = solver_of(t += 3000, i);
		predict(model, &q, &before);
		end(model, &q, i, OUTCOME_COMPLETED, i % 2 ? 50 : 60);
	}
	q = solver_of(t += 3000, 21);
	predict(model, &q, &before);
	/* One hung and one was a slip: neither says how long a run takes. */
	end(model, &q, 21, OUTCOME_CANCELLED, 1200);
	q = solver_of(t += 3000, 0);
	predict(model, &q, &after);
	sane(&after);
	ck_assert_double_le(weight_above(&after, 61),
			    weight_above(&before, 61) + 0.01);
	end(model, &q, 22, OUTCOME_CANCELLED, 2);
	predict(model, &q, &after);
	sane(&after);
	ck_assert_double_ge(weight_above(&after, 49),
			    weight_above(&before, 49) - 0.01);
	/* It was between the two kinds: it would have been of the longer. */
	double longer = weight_above(&after, 55);

	end(model, &q, 23, OUTCOME_CANCELLED, 55);
	predict(model, &q, &after);
	sane(&after);
	ck_assert_double_ge(weight_above(&after, 55), longer + 0.005);
	model_mixture.destroy(model);
}
END_TEST

/* Nothing else is known: then they are as good as others. */
START_TEST(test_cancelled_runs_alone)
{
	void *model = model_mixture.create();
	struct query q = solver_of(1.7e9, 0);
	struct model_result a;

	end(model, &q, 1, OUTCOME_CANCELLED, 300);
	ck_assert_int_eq(predict(model, &q, &a), 0);
	sane(&a);
	ck_assert_double_ge(weight_above(&a, 299), 0.5);
	model_mixture.destroy(model);
}
END_TEST

/* Any values, known or not, in two models with the same runs: one also gets
 * queries without a ticket, and each query twice. */
START_TEST(test_queries_change_nothing)
{
	void *one = model_mixture.create(), *other = model_mixture.create();
	struct random r = { 6 };
	double t = 1e9;

	for (uint32_t i = 1; i < 1000; i++) {
		double limit_s = random_below(&r, 4)
					 ? 60.0 * (double)random_below(&r, 90)
					 : NAN;
		struct query q = query_of(
			random_below(&r, 20), random_below(&r, 5), limit_s,
			t += (double)random_below(&r, 200), i);
		struct model_result a, b;

		q.cpus = (uint32_t)random_below(&r, 9);
		q.account_key = random_below(&r, 3);
		q.memory_mb = (double)random_below(&r, 3);
		if (!random_below(&r, 9))
			q.limit_s = HUGE_VAL;

		struct query aside = q;

		aside.ticket = 0;
		predict(one, &aside, &a);
		ck_assert_int_eq(predict(one, &q, &a), predict(other, &q, &b));
		sane(&a);
		ck_assert_double_eq(a.median_s, b.median_s);
		ck_assert_int_eq(a.ln_runtime.count, b.ln_runtime.count);
		q.now_s += 30;
		predict(one, &q, &a);
		sane(&a);
		if (!random_below(&r, 9)) /* never ends */
			continue;

		enum outcome_end how = random_below(&r, OUTCOME_ENDS);
		double runtime_s = (double)random_below(&r, 5000);

		/* Tasks of an array have the ticket of the first. */
		for (int task = 0; task < 2; task++) {
			end(one, &q, i, how, runtime_s);
			end(other, &q, i, how, runtime_s);
		}
	}
	model_mixture.destroy(one);
	model_mixture.destroy(other);
}
END_TEST

START_TEST(test_jobs_without_end_are_forgotten)
{
	struct mixture_tickets *tickets = mixture_tickets_create();
	struct mixture_atoms atoms = { .count = 2, .x = { 4, 3 } };
	struct mixture_prediction prediction = {
		.count = 2, .x = { 3, 4 }, .w = { 0.25F, 0.75F }, .atom = { 1 }
	};
	uint16_t entries[MIXTURE_FAMILIES][MIXTURE_ATOMS_MAX];
	struct mixture_ticket ticket, dropped;
	bool right = true;

	atoms.entries[FAMILY_SURPRISE][1] = 321;
	for (uint32_t i = 0; i < 2 * MIXTURE_TICKETS_MAX; i++) {
		ticket = (struct mixture_ticket){ .id = i, .user = i };
		bool full = mixture_tickets_keep(tickets, &ticket, &atoms,
						 &prediction, &dropped);

		right &= full == (i >= MIXTURE_TICKETS_MAX) &&
			 (!full || dropped.user == i - MIXTURE_TICKETS_MAX);
	}
	ck_assert(right);
	ck_assert_ptr_null(mixture_tickets_find(tickets, 5));

	uint64_t id = MIXTURE_TICKETS_MAX + 7;
	struct mixture_prediction got;

	ck_assert(mixture_tickets_take(tickets, id, &ticket, &got, entries));
	ck_assert_uint_eq(ticket.id, id);
	ck_assert_int_eq(got.count, 2);
	ck_assert_float_eq(got.x[1], 4);
	ck_assert_float_eq(got.w[1], 0.75F);
	ck_assert_uint_eq(got.atom[0], 1);
	ck_assert_uint_eq(entries[FAMILY_SURPRISE][1], 321);
	ck_assert(!mixture_tickets_take(tickets, id, &ticket, &got, entries));
	mixture_tickets_destroy(tickets);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_knows_nothing_at_first,
		test_finds_the_runs_that_match,
		test_gres,
		test_features,
		test_a_crash_says_little,
		test_a_cancelled_run_is_of_unknown_end,
		test_cancelled_runs_alone,
		test_queries_change_nothing,
		test_jobs_without_end_are_forgotten,
		NULL,
	};

	return suite_run("mixture", tests);
}
