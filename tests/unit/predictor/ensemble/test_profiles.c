/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_profiles.c - profiles of undisturbed and disturbed runs */
#include <math.h>
#include <string.h>

#include "predictor/ensemble/profiles.h"
#include "tests/unit/suite.h"

static const struct profile *profile_of(double busy_s, double cpu_left,
					double size)
{
	static struct profile p;

	memset(&p, 0, sizeof(p));
	strcpy(p.cluster, "c");
	strcpy(p.application.name, "solver");
	p.application.parameters.count = 1;
	strcpy(p.application.parameters.of[0].name, "n");
	p.application.parameters.of[0].value = size;
	p.nodes = p.tasks = 2;
	p.runs = 1;
	p.runtime_s = 10;
	p.node_count = 2;
	for (int i = 0; i < 2; i++) {
		p.node[i].tasks = 1;
		p.node[i].busy_s = busy_s;
		p.node[i].cpu_left = i ? cpu_left : 1;
	}
	p.pair_count = -1;
	return &p;
}

static struct application application;

static struct subject subject_of(uint32_t nodes, double size)
{
	application = profile_of(1, 1, size)->application;
	return (struct subject){ .cluster = "c",
				 .application = &application,
				 .nodes = nodes,
				 .tasks = nodes };
}

/* 1.4 s of work look like 0.24 s beside a competitor. */
START_TEST(test_undisturbed_runs_are_preferred)
{
	struct profiles *profiles = profiles_create();
	struct subject job = subject_of(2, 77), larger = subject_of(4, 77);
	struct sp_error err;

	ck_assert(!profiles_have(profiles, &job));
	profiles_add(profiles, profile_of(0.24, 0.5, 77), &err);
	ck_assert(!profiles_have(profiles, &job));
	ck_assert_double_eq(profiles_find(profiles, &job)->node[0].busy_s,
			    0.24);
	profiles_add(profiles, profile_of(0.3, NAN, 77), &err);
	ck_assert(!profiles_have(profiles, &job));

	/* One is enough, and disturbed ones are not mixed into it. */
	profiles_add(profiles, profile_of(1.4, 0.97, 91), &err);
	ck_assert(profiles_have(profiles, &job));
	profiles_add(profiles, profile_of(0.2, 0.6, 91), &err);
	ck_assert_double_eq(profiles_find(profiles, &job)->node[0].busy_s, 1.4);
	ck_assert_uint_eq(profiles_find(profiles, &job)->runs, 1);
	profiles_add(profiles, profile_of(1.6, 1, 91), &err);
	ck_assert_double_eq_tol(profiles_find(profiles, &job)->node[0].busy_s,
				1.5, 1e-9);

	ck_assert(!profiles_have(profiles, &larger));
	ck_assert_ptr_nonnull(profiles_find(profiles, &larger));
	profiles_destroy(profiles);
}
END_TEST

/* What a run on shared nodes tells is better than another size. */
START_TEST(test_size_comes_first)
{
	struct profiles *profiles = profiles_create();
	struct subject job = subject_of(4, 5);
	struct profile shared;
	struct sp_error err;

	profiles_add(profiles, profile_of(1.4, 1, 5), &err);
	shared = *profile_of(0.7, 0.4, 6);
	shared.nodes = shared.tasks = 4;
	profiles_add(profiles, &shared, &err);
	ck_assert_uint_eq(profiles_find(profiles, &job)->nodes, 4);
	profiles_destroy(profiles);
}
END_TEST

/* On two nodes a farm has one worker, and does not look like one. */
START_TEST(test_farm_of_another_size)
{
	struct profiles *profiles = profiles_create();
	struct subject job = subject_of(2, 5);
	struct profile farm;
	struct sp_error err;

	profiles_add(profiles, profile_of(1.4, 1, 5), &err);
	ck_assert_ptr_null(profiles_find_farm(profiles, &job));
	farm = *profile_of(0.7, 1, 5);
	farm.nodes = farm.tasks = 4;
	farm.farm.kind = PROFILE_FARM_DYNAMIC;
	profiles_add(profiles, &farm, &err);
	ck_assert_uint_eq(profiles_find(profiles, &job)->nodes, 2);
	ck_assert_uint_eq(profiles_find_farm(profiles, &job)->nodes, 4);
	profiles_destroy(profiles);
}
END_TEST

/* The newest replaces another. */
START_TEST(test_more_than_are_kept)
{
	struct profiles *profiles = profiles_create();
	struct sp_error err;

	for (int i = 1; i <= PROFILES_MAX + 3; i++) {
		struct subject job = subject_of(2, i);

		ck_assert_int_eq(
			profiles_add(profiles, profile_of(i, 1, i), &err), 0);
		ck_assert_double_eq(
			profiles_find(profiles, &job)->node[0].busy_s, i);
	}
	profiles_destroy(profiles);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_undisturbed_runs_are_preferred,
		test_size_comes_first,
		test_farm_of_another_size,
		test_more_than_are_kept,
		NULL,
	};

	return suite_run("profiles", tests);
}
