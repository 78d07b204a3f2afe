/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_placement_profile.c - a few numbers instead of a profile */
#include <math.h>
#include <string.h>

#include "predictor/engine/nodes/placement_profile.h"
#include "predictor/models/sharing/sharing.h"
#include "tests/unit/suite.h"

START_TEST(test_plain)
{
	struct placement_model m;
	struct placement_offer offer = { .available = 0.4f,
					 .speed = 0.5f,
					 .bandwidth_bps = NAN,
					 .latency_s = NAN };

	placement_model_from_runtime(3, 7, 37, &m);
	ck_assert_int_eq(m.basis, PLACEMENT_HISTORY);
	ck_assert_double_eq_tol(placement_runtime_s(&m, &offer), 185, 1e-4);
	placement_model_from_runtime(3, 7, NAN, &m);
	ck_assert_int_eq(m.basis, PLACEMENT_CONDITIONS);
	ck_assert_double_eq_tol(placement_runtime_s(&m, &offer), 5, 1e-6);
}
END_TEST

/* Two nodes that compute for 60 of 100 s and then exchange messages. */
static struct profile *make_profile(void)
{
	static struct profile p;

	memset(&p, 0, sizeof(p));
	p.nodes = p.tasks = 2;
	p.runs = 1;
	p.runtime_s = 100;
	p.node_count = 2;
	for (int i = 0; i < 2; i++)
		p.node[i] = (struct profile_node){ .tasks = 1,
						   .busy_s = 60,
						   .idle_s = 40,
						   .busy_phase_s = 0.06,
						   .idle_phase_s = 0.04,
						   .cpu_available = 1,
						   .cpu_speed = 1 };
	p.pair_count = 2;
	for (int i = 0; i < 2; i++)
		p.pair[i] = (struct profile_pair){ .from = (uint16_t)i,
						   .to = (uint16_t)(1 - i),
						   .messages = 2000,
						   .bytes = 1.25e8,
						   .bandwidth_bps = 1e8,
						   .latency_s = 1e-3 };
	return &p;
}

static void all_alike(const void *context, int from, int to,
		      struct sharing_link *ret)
{
	(void)from;
	(void)to;
	*ret = *(const struct sharing_link *)context;
}

static double by_sharing(const struct profile *p, double available,
			 double speed, double bandwidth, double latency)
{
	struct sharing_link link = { bandwidth, latency };
	struct sharing_node nodes[2] = { { available, speed },
					 { available, speed } };
	struct sharing_setting now = { .node_count = 2,
				       .nodes = nodes,
				       .link_of = all_alike,
				       .context = &link,
				       .eager_bytes = SHARING_EAGER_BYTES };

	return sharing_runtime(p, &now, NULL);
}

START_TEST(test_follows_the_sharing_model)
{
	static const double availables[] = { 1, 0.5, 0.33, 0.2 };
	static const double bandwidths[] = { 1e9, 1e8, 1e7 };
	const struct profile *p = make_profile();
	struct placement_model m;

	ck_assert_int_eq(placement_model_from_profile(p, 0, &m), 0);
	ck_assert_int_eq(m.basis, PLACEMENT_PROFILE);
	ck_assert_float_eq_tol(m.busy_s, 60, 0.1f);
	ck_assert_float_eq_tol(m.link_bits, 1e9f, 1e6f);
	ck_assert_float_eq_tol(m.link_messages, 2000, 2);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 3; j++) {
			struct placement_offer offer = {
				.available = (float)availables[i],
				.speed = 0.8f,
				.bandwidth_bps = (float)bandwidths[j],
				.latency_s = 2e-3f,
			};
			double expected_s = by_sharing(p, availables[i], 0.8,
						       bandwidths[j], 2e-3);

			ck_assert_double_eq_tol(placement_runtime_s(&m, &offer),
						expected_s, 0.02 * expected_s);
		}
}
END_TEST

/* 300 s of work on three workers, one of which had half of its CPU. */
START_TEST(test_farm)
{
	static struct profile p;
	struct placement_model m;
	struct placement_offer offer = { .available = 0.5f,
					 .speed = 1,
					 .bandwidth_bps = 1e9f };

	p = (struct profile){
		.nodes = 4,
		.tasks = 4,
		.runtime_s = 130,
		.node_count = 4,
		.farm = { .kind = PROFILE_FARM_DYNAMIC,
			  .workers = 3,
			  .tasks = 1000,
			  .mu_s = .3,
			  .workers_on = { 0, 1, 1, 1 } },
	};
	for (int i = 0; i < 4; i++)
		p.node[i] = (struct profile_node){ .cpu_left = i == 1 ? .5 : 1,
						   .cpu_speed = NAN };
	ck_assert_int_eq(placement_model_from_profile(&p, 0, &m), 0);
	ck_assert_int_eq(m.basis, PLACEMENT_FARM);
	ck_assert_float_eq_tol(m.busy_s, 100, 0.01f);
	ck_assert_float_eq_tol(m.idle_s, 10, 0.01f);
	ck_assert_double_eq_tol(placement_runtime_s(&m, &offer), 210, 0.1);
	p.farm.kind = PROFILE_FARM_STATIC;
	if (placement_model_from_profile(&p, 0, &m) == 0)
		ck_assert_int_ne(m.basis, PLACEMENT_FARM);
}
END_TEST

/* A competitor more adds what it adds by the sharing model, with the turns and
 * the credit of the nodes. */
START_TEST(test_turns_and_credit)
{
	static const double credits_s[] = { 0, 0.006, 0.02, HUGE_VAL };
	const struct profile *p = make_profile();

	for (int c = 0; c < 4; c++) {
		struct sharing_link link = { 1e8, 1e-3 };
		struct sharing_node half[2] = { { 0.5, 1 }, { 0.5, 1 } };
		struct sharing_setting now = { .node_count = 2,
					       .nodes = half,
					       .link_of = all_alike,
					       .context = &link,
					       .credit_s = credits_s[c],
					       .turn_s = 5e-3,
					       .eager_bytes =
						       SHARING_EAGER_BYTES };
		struct placement_offer offer = { .available = 0.5f,
						 .speed = 1,
						 .bandwidth_bps = 1e8f,
						 .latency_s = 1e-3f,
						 .turn_s = 5e-3f };
		double expected_s = sharing_runtime(p, &now, NULL);
		struct placement_model m;

		ck_assert_int_eq(
			placement_model_from_profile(p, credits_s[c], &m), 0);
		ck_assert_double_eq_tol(placement_runtime_s(&m, &offer),
					expected_s, 0.02 * expected_s);
	}
}
END_TEST

START_TEST(test_needs_a_profile_with_phases)
{
	struct profile *p = make_profile();
	struct placement_model m = { .busy_s = 17 };

	p->nodes = 0;
	ck_assert_int_eq(placement_model_from_profile(p, 0, &m), -1);
	p->nodes = PROFILE_NODES_MAX + 1;
	ck_assert_int_eq(placement_model_from_profile(p, 0, &m), -1);
	p->nodes = 2;
	p->runtime_s = NAN;
	ck_assert_int_eq(placement_model_from_profile(p, 0, &m), -1);
	ck_assert_float_eq(m.busy_s, 17);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_plain,
		test_follows_the_sharing_model,
		test_farm,
		test_turns_and_credit,
		test_needs_a_profile_with_phases,
		NULL,
	};

	return suite_run("placement model", tests);
}
