/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_node_sets.c - snapshots of the engine, and node sets by them
 *
 * Snapshots are of the real time, so measurements are too.
 */
#include <stdlib.h>
#include <time.h>

#include "predictor/base/clock.h"
#include "predictor/engine/nodes/node_sets.h"
#include "predictor/engine/nodes/snapshots.h"
#include "predictor/features/node_facts.h"
#include "tests/unit/predictor/engine/life.h"
#include "tests/unit/suite.h"

#define NODES 6

/* n1 is busy, n4 very busy, and n5 was not heard of for long. */
static const double loads[NODES] = { 1, 0, 0, 9, 0, 0 };

static struct engine *busy_engine(void)
{
	struct engine *engine = engine_create();
	double now_s = clock_now_s();

	for (int sample = 0; sample < 6; sample++)
		for (int i = 0; i < NODES; i++) {
			char name[16];

			snprintf(name, sizeof(name), "n%d", i + 1);
			life_measure(engine, name,
				     now_s - 6 + sample - (i == 4) * 9000,
				     loads[i]);
		}
	return engine;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
}

/* What somebody knows who asks again and again. */
static struct snapshot *ask(struct engine *engine, struct snapshot *before)
{
	struct snapshot *next = NULL;
	struct sp_error err = { "" };
	size_t size;
	char *text = NULL;

	/* The first one takes a moment. */
	for (int i = 0; i < 100 && !text; i++) {
		text = engine_snapshot_text(engine, "tiny", SNAPSHOT_FORMAT,
					    before ? before->epoch : 0,
					    before ? before->version : 0,
					    &size);
		nap();
	}
	ck_assert_ptr_nonnull(text);
	ck_assert_msg(!snapshot_read(text, size, before, &next, &err), "%s",
		      err.text);
	free(text);
	snapshot_put(before);
	return next;
}

static struct prediction submit(struct engine *engine, uint32_t nodes,
				bool remember)
{
	struct life life;
	struct prediction p;

	life_submit(&life, nodes, 5000);
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(),
		       remember, &p);
	if (remember)
		ck_assert_int_eq(engine_keep(engine, &p, NULL), 0);
	return p;
}

/* One run that took so long on free nodes. */
static void learn(struct engine *engine, uint32_t nodes, double runtime_s)
{
	struct prediction p = submit(engine, nodes, true);
	struct run run = life_run(&p, 1, clock_now_s() - 5000, runtime_s);

	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
}

START_TEST(test_a_snapshot_of_all)
{
	struct engine *engine = busy_engine();
	struct snapshot *s = ask(engine, NULL);

	ck_assert_uint_eq(s->node_count, NODES);
	ck_assert_uint_eq(s->fresh_count, NODES - 1);
	ck_assert_float_eq_tol(s->nodes[0].available[0], 0.5f, 0.05f);
	ck_assert_float_eq_tol(s->nodes[1].available[2], 1, 0.05f);
	ck_assert_float_nan(s->nodes[4].available[1]);
	ck_assert_uint_eq(s->job_count, 0);
	snapshot_put(s);
	ck_assert_ptr_null(engine_snapshot_text(engine,
						"a cluster whose name "
						"is longer than any "
						"name of a cluster may "
						"be",
						SNAPSHOT_FORMAT, 0, 0,
						&(size_t){ 0 }));
	engine_destroy(engine);
}
END_TEST

START_TEST(test_jobs_wait_and_end)
{
	struct engine *engine = busy_engine();
	struct prediction p = submit(engine, 2, true);
	struct prediction other = submit(engine, 2, true);
	struct snapshot *s = ask(engine, NULL);
	struct run run = life_run(&p, 7, clock_now_s(), 100);

	submit(engine, 2, false);
	ck_assert_uint_eq(s->job_count, 2);
	ck_assert_ptr_nonnull(snapshot_job(s, p.id));
	ck_assert_int_eq(snapshot_job(s, p.id)->basis, PLACEMENT_CONDITIONS);
	ck_assert_uint_eq(snapshot_job(s, p.id)->nodes, 2);

	/* A requeued job waits again, one that has ended does not. */
	run.state = RUN_REQUEUED;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	run.started_at_s += 1;
	memcpy(run.prediction_id, other.id, sizeof(run.prediction_id));
	run.job_id = 8;
	run.state = RUN_COMPLETED;
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	for (int i = 0; i < 100 && s->job_count > 1; i++) {
		nap();
		s = ask(engine, s);
	}
	ck_assert_uint_eq(s->job_count, 1);
	ck_assert_ptr_nonnull(snapshot_job(s, p.id));
	snapshot_put(s);
	engine_destroy(engine);
}
END_TEST

static int best_sets(struct engine *engine, const struct prediction *p,
		     const char *required, const char *excluded,
		     struct engine_set ret[4])
{
	struct submission job;

	submission_init(&job);
	job.required_nodes = required;
	job.excluded_nodes = excluded;
	return engine_best_sets(engine, p, &job, 4, ret);
}

START_TEST(test_best_sets)
{
	struct engine *engine = busy_engine();
	struct engine_set sets[4];
	struct prediction p;

	learn(engine, 2, 100);
	p = submit(engine, 2, false);
	ck_assert_int_eq(p.basis, BASIS_HISTORY);
	ck_assert_int_eq(best_sets(engine, &p, NULL, NULL, sets), 3);
	snapshot_put(ask(engine, NULL));
	ck_assert_int_eq(best_sets(engine, &p, NULL, NULL, sets), 3);
	ck_assert_str_eq(sets[0].nodes, "n[2-3]");
	ck_assert_double_eq_tol(sets[0].median_s, p.median_s, 1e-6);
	ck_assert_double_eq_tol(sets[0].cpu_available, 1, 0.05);
	ck_assert_double_nan(sets[0].bandwidth_bps);

	/* n5 counts as the median of the others, which are free. */
	ck_assert_str_eq(sets[1].nodes, "n[5-6]");
	ck_assert_uint_eq(sets[1].stale, 1);
	ck_assert_str_eq(sets[2].nodes, "n[1,4]");
	ck_assert_double_gt(sets[2].ratio, 5);
	ck_assert_double_eq_tol(sets[2].median_s, p.median_s * sets[2].ratio,
				1e-6);

	ck_assert_int_eq(best_sets(engine, &p, "n4", "n2,n3", sets), 3);
	ck_assert_str_eq(sets[0].nodes, "n[1,4]");
	ck_assert_int_eq(best_sets(engine, &p, "n[4-5]", NULL, sets), 1);
	ck_assert_str_eq(sets[0].nodes, "n[4-5]");
	p.nodes = 7;
	ck_assert_int_eq(best_sets(engine, &p, NULL, NULL, sets), 0);
	engine_destroy(engine);
}
END_TEST

/* n1 to n3 are fast, n3 and n4 have GPUs, n6 is the first that Slurm takes.
 * Nothing is known of n5. */
static void set_facts(struct engine *engine)
{
	static struct node_properties node;
	struct node_facts *facts = node_facts_create("tiny");

	for (int i = 0; i < NODES; i++) {
		if (i == 4)
			continue;
		memset(&node, 0, sizeof(node));
		snprintf(node.name, sizeof(node.name), "n%d", i + 1);
		node.cpus = i == 5 ? 8 : 4;
		node.memory_mb = 4000;
		node.weight = i == 5 ? 1 : 2;
		strcpy(node.features, i < 3 ? "fast" : "slow");
		strcpy(node.gres, i == 2 || i == 3 ? "gpu:2" : "");
		strcpy(node.partitions, i == 0 ? "main,one" : "main");
		ck_assert_int_eq(node_facts_add(facts, &node, NULL), 0);
	}
	ck_assert_int_eq(node_facts_arrange(facts, NULL), 0);
	engine_set_node_facts(engine, facts);
}

/* The nodes that a prediction assumes, and those of the best set, which is the
 * same. */
static void assert_nodes(struct engine *engine, const struct submission *job,
			 const char *nodes)
{
	struct engine_set sets[4];
	struct prediction p;

	engine_predict(engine, job, MODE_ACT, 0.9, clock_now_s(), false, &p);
	ck_assert_str_eq(p.assumed_nodes, nodes);
	if (*nodes) {
		ck_assert_int_ge(engine_best_sets(engine, &p, job, 1, sets), 1);
		ck_assert_str_eq(sets[0].nodes, nodes);
	}
}

START_TEST(test_node_facts)
{
	struct engine *engine = busy_engine();
	struct life life;
	struct prediction p;

	learn(engine, 2, 100);
	life_submit(&life, 1, 5000);
	assert_nodes(engine, &life.job, "n2");
	set_facts(engine);
	snapshot_put(ask(engine, NULL)); /* the select plugin is there */
	life.job.excluded_nodes = "n5";

	/* Slurm's order decides among equal ones. */
	assert_nodes(engine, &life.job, "n6");
	life.job.features = "fast";
	assert_nodes(engine, &life.job, "n2");
	life.job.features = "fast&slow";
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(), false,
		       &p);
	ck_assert_str_eq(p.assumed_nodes, "");
	life.job.features = "[fast|slow]";
	assert_nodes(engine, &life.job, "n6");
	life.job.features = NULL;
	life.job.gres.per_node = "gres:gpu:1";
	assert_nodes(engine, &life.job, "n3");
	life.job.gres.per_node = NULL;
	life.job.partition = "one";
	assert_nodes(engine, &life.job, "n1");
	life.job.partition = "main";
	life.job.size.memory_per_node_mb = 4001;
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(), false,
		       &p);
	ck_assert_str_eq(p.assumed_nodes, "");

	/* Nothing is known of another cluster. */
	life.job.cluster = "other";
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(), false,
		       &p);
	ck_assert_str_eq(p.assumed_nodes, "");
	engine_destroy(engine);
}
END_TEST

/* -n 10 takes as many nodes as have room. */
START_TEST(test_nodes_for_tasks)
{
	struct engine *engine = busy_engine();
	struct life life;
	struct prediction p;

	life_submit(&life, 0, 5000);
	life.job.size = (struct job_size){ .tasks = 10 };
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(), false,
		       &p);
	ck_assert_uint_eq(p.nodes, 1);
	set_facts(engine);
	engine_predict(engine, &life.job, MODE_ACT, 0.9, clock_now_s(), false,
		       &p);
	ck_assert_uint_eq(p.nodes, 3);
	engine_destroy(engine);
}
END_TEST

START_TEST(test_assumes_what_is_chosen)
{
	struct engine *engine = busy_engine();
	struct prediction p = submit(engine, 4, false);

	/* Nodes of which nothing fresh is known are not assumed... */
	ck_assert_str_eq(p.assumed_nodes, "n[1-3,6]");
	snapshot_put(ask(engine, NULL));

	/* ...but by a scheduler that ranks, as the median. */
	p = submit(engine, 4, false);
	ck_assert_str_eq(p.assumed_nodes, "n[2-3,5-6]");
	ck_assert_int_eq(p.conditions.nodes_known, 3);
	ck_assert_double_eq_tol(p.conditions.cpu_available_min, 1, 0.05);
	engine_destroy(engine);
}
END_TEST

/* What another predictd knows, which reads the store. */
static void check_stored(const struct prediction *p,
			 const struct engine_set *set)
{
	struct engine *other = engine_create();
	struct engine_set stored;

	ck_assert_int_eq(engine_remember(other, p, NULL), 0);
	ck_assert_int_eq(engine_rejected_set(other, p->id, &stored), 0);
	ck_assert_str_eq(stored.nodes, set->nodes);
	ck_assert_double_eq(stored.median_s, set->median_s);
	ck_assert_double_eq_tol(stored.ratio, set->ratio, 1e-9);
	ck_assert_double_nan(stored.cpu_available);
	engine_destroy(other);
}

static struct engine_set rejected(struct engine *engine, uint32_t job_id,
				  const char *nodes)
{
	struct prediction p = submit(engine, 2, true);
	struct run run = life_run(&p, job_id, clock_now_s(), 0);
	struct prediction again;
	struct engine_set set;

	run.state = RUN_RUNNING;
	run.ended_at_s = NAN;
	strcpy(run.node_list, nodes);
	engine_complete_run(engine, &run);
	ck_assert_int_eq(engine_learn(engine, &run, NULL), 0);
	ck_assert_int_eq(engine_rejected_set(engine, p.id, &set), -1);
	ck_assert(engine_predict_start(engine, &run, &again));
	ck_assert_int_eq(engine_rejected_set(engine, p.id, &set), 0);
	check_stored(&again, &set);
	ck_assert_int_eq(engine_prediction(engine, p.id, STAGE_START, &p), 0);
	ck_assert_str_eq(p.rejected_nodes, set.nodes);
	return set;
}

START_TEST(test_what_was_rejected)
{
	struct engine *engine = busy_engine();
	struct engine_set set;

	learn(engine, 2, 100);
	snapshot_put(ask(engine, NULL));
	set = rejected(engine, 11, "n[1-2]");
	ck_assert_str_eq(set.nodes, "n[2-3]");
	ck_assert_double_eq_tol(set.ratio, 0.5, 0.05);
	ck_assert_double_gt(set.median_s, 0);

	/* By now n1 and n2 are taken. */
	set = rejected(engine, 12, "n[3,5]");
	ck_assert_str_eq(set.nodes, "n[5-6]");
	ck_assert_double_eq_tol(set.ratio, 1, 0.05);
	engine_destroy(engine);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_snapshot_of_all, test_jobs_wait_and_end,
		test_best_sets,         test_node_facts,
		test_nodes_for_tasks,   test_assumes_what_is_chosen,
		test_what_was_rejected, NULL,
	};

	return suite_run("sets", tests);
}
