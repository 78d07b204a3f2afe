/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_known_clusters.c - the clusters that predictd serves */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/engine.h"
#include "predictor/engine/known_clusters.h"
#include "tests/unit/suite.h"

START_TEST(test_names_are_bounded)
{
	struct known_clusters *known = calloc(1, sizeof(*known));
	char name[RUN_NAME_SIZE + 8];

	for (int i = 0; i < KNOWN_CLUSTERS_MAX + 3; i++) {
		snprintf(name, sizeof(name), "c%d", i);
		known_clusters_add(known, name);
		known_clusters_add(known, name);
	}
	ck_assert_uint_eq(known->count, KNOWN_CLUSTERS_MAX);
	ck_assert(known_clusters_has(known, "c0"));
	ck_assert(known_clusters_has(known, "c255"));
	ck_assert(!known_clusters_has(known, "c256"));

	known->count = 0;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	known_clusters_add(known, name);
	known_clusters_add(known, "");
	ck_assert_uint_eq(known->count, 0);
	free(known);
}
END_TEST

/* A collector, or slurmctld with a submission; not whoever wants to know. */
START_TEST(test_who_makes_a_cluster_known)
{
	struct engine *engine = engine_create();
	struct measurement m = { .node = "n1", .time_s = 1767225600 };
	struct prediction p;
	struct submission job;

	ck_assert(engine_knows_cluster(engine, ""));
	submission_init(&job);
	job.cluster = "invented";
	engine_predict(engine, &job, MODE_ADVISE, 0.9, 1767225600, false, &p);
	ck_assert(!engine_knows_cluster(engine, "invented"));
	engine_predict(engine, &job, MODE_ADVISE, 0.9, 1767225600, true, &p);
	ck_assert(engine_knows_cluster(engine, "invented"));
	ck_assert(!engine_knows_cluster(engine, "measured"));
	ck_assert(!engine_measure(engine, "measured", &m, NULL));
	ck_assert(engine_knows_cluster(engine, "measured"));
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_names_are_bounded,
				       test_who_makes_a_cluster_known, NULL };

	return suite_run("known_clusters", tests);
}
