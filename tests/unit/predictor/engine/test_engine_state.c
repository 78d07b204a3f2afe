/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_engine_state.c - whose jobs users may see, cluster by cluster */
#include "predictor/engine/engine.h"
#include "predictor/features/node_facts.h"
#include "tests/unit/suite.h"

static struct engine *engine;

static void set_up(void)
{
	engine = engine_create();
	ck_assert_ptr_nonnull(engine);
}

static void tear_down(void)
{
	engine_destroy(engine);
}

static void set_facts(const char *cluster, bool jobs_public)
{
	struct node_facts *facts = node_facts_create(cluster);

	ck_assert_ptr_nonnull(facts);
	facts->jobs_public = jobs_public;
	facts->nodes_hidden = !jobs_public;
	engine_set_node_facts(engine, facts);
}

START_TEST(test_jobs_of_others)
{
	ck_assert(!engine_shows_jobs(engine, "little"));
	ck_assert(!engine_shows_jobs(engine, ""));
	ck_assert(engine_hides_nodes(engine, "little"));
	ck_assert(engine_hides_nodes(engine, ""));

	set_facts("little", true);
	ck_assert(engine_shows_jobs(engine, "little"));
	ck_assert(!engine_hides_nodes(engine, "little"));
	ck_assert(!engine_hides_nodes(engine, ""));
	/* Nothing is known of another cluster. */
	ck_assert(!engine_shows_jobs(engine, "big"));
	ck_assert(!engine_shows_jobs(engine, "littl"));

	set_facts("little", false);
	ck_assert(!engine_shows_jobs(engine, "little"));
	ck_assert(engine_hides_nodes(engine, "little"));
	ck_assert(engine_hides_nodes(engine, ""));
	ck_assert(engine_hides_nodes(engine, "big"));
	engine_set_node_facts(engine, NULL);
	ck_assert(!engine_shows_jobs(engine, "little"));
	ck_assert(engine_hides_nodes(engine, "little"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_jobs_of_others, NULL };

	return suite_run_each("engine_state", tests, set_up, tear_down);
}
