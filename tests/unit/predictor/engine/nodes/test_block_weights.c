/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_block_weights.c - the work of nodes, by user, application and size */
#include <stdlib.h>
#include <string.h>

#include "predictor/engine/nodes/block_weights.h"
#include "predictor/engine/nodes/job_model.h"
#include "tests/unit/suite.h"

static const struct block_weights_key key = {
	.user_id = 1007,
	.tasks = 6,
	.nodes = 3,
	.cluster = "tiny",
	.application = "heat",
};

static struct placement_weights weights_of(const char *letters)
{
	struct placement_weights weights;

	ck_assert_int_eq(placement_weights_parse(
				 letters, (uint32_t)strlen(letters), &weights),
			 0);
	return weights;
}

static struct prediction *prediction_of(void)
{
	struct prediction *p = calloc(1, sizeof(*p));

	p->user_id = key.user_id;
	p->tasks = key.tasks;
	p->nodes = key.nodes;
	p->basis = BASIS_HISTORY;
	p->median_s = 97.3;
	strcpy(p->cluster, key.cluster);
	strcpy(p->application.name, key.application);
	conditions_init(&p->conditions);
	return p;
}

static uint32_t count_for(const struct block_weights *w,
			  const struct prediction *p)
{
	const struct block_weights_key wanted = block_weights_key(p);
	struct placement_weights weights = { .count = 9 };

	block_weights_find(w, &wanted, &weights);
	return weights.count;
}

/* Those of the same user, application and size, and of no other. */
START_TEST(test_find)
{
	struct block_weights *w = block_weights_create();
	struct prediction *p = prediction_of();
	struct placement_weights weights = weights_of("z7U");
	struct placement_weights none = { .count = 0 };
	struct block_weights_key other = key;

	ck_assert_uint_eq(count_for(w, p), 0);
	block_weights_put(w, &key, &weights);
	ck_assert_uint_eq(count_for(w, p), 3);
	p->user_id++;
	ck_assert_uint_eq(count_for(w, p), 0);
	p->user_id--;
	p->tasks = 3;
	ck_assert_uint_eq(count_for(w, p), 0);
	p->tasks = 6;
	strcpy(p->cluster, "other");
	ck_assert_uint_eq(count_for(w, p), 0);
	strcpy(p->cluster, "tiny");
	strcpy(p->application.name, "cg");
	ck_assert_uint_eq(count_for(w, p), 0);
	strcpy(p->application.name, "heat");
	other.nodes = 2;
	block_weights_put(w, &other, &none);
	ck_assert_uint_eq(count_for(w, p), 3);
	block_weights_put(w, &key, &none);
	ck_assert_uint_eq(count_for(w, p), 0);
	free(p);
	block_weights_destroy(w);
	block_weights_destroy(NULL);
}
END_TEST

/* The list of nodes may be in another order than the ranks. */
START_TEST(test_work)
{
	static char names[4][HOSTLIST_NAME_SIZE] = { "n10", "n9", "n11",
						     "n12" };
	struct hostlist list = { .count = 3, .names = names };
	struct block_weights *w = block_weights_create();
	struct placement_weights weights = weights_of("z7U");
	double room[PLACEMENT_WEIGHTS_MAX];

	ck_assert_ptr_null(block_weights_work(w, &key, &list, room));
	block_weights_put(w, &key, &weights);
	ck_assert_ptr_eq(block_weights_work(w, &key, &list, room), room);
	ck_assert_double_eq(room[1], 1);
	ck_assert_double_eq_tol(room[0], 7. / 61, 1e-12);
	ck_assert_double_eq_tol(room[2], 30. / 61, 1e-12);
	list.count = 4;
	ck_assert_ptr_null(block_weights_work(w, &key, &list, room));
	ck_assert_ptr_null(block_weights_work(w, &key, NULL, room));
	block_weights_destroy(w);
}
END_TEST

/* Without a profile, too. */
START_TEST(test_model)
{
	struct block_weights *w = block_weights_create();
	struct profiles *profiles = profiles_create();
	struct nodes *nodes = nodes_create();
	struct prediction *p = prediction_of();
	struct placement_weights weights = weights_of("z7U");
	struct placement_model model;

	job_model(profiles, w, nodes, p, p->median_s, &model);
	ck_assert_uint_eq(model.weights.count, 0);
	block_weights_put(w, &key, &weights);
	job_model(profiles, w, nodes, p, p->median_s, &model);
	ck_assert_int_eq(model.basis, PLACEMENT_HISTORY);
	ck_assert_uint_eq(model.weights.count, 3);
	ck_assert_uint_eq(model.weights.of[1], 7);
	free(p);
	nodes_destroy(nodes);
	profiles_destroy(profiles);
	block_weights_destroy(w);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_find, test_work, test_model, NULL };

	return suite_run("block_weights", tests);
}
