/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_traces.c - traces: stored once, read back, and which are kept */
#include <math.h>

#include "tests/unit/predictor/store/database.h"
#include "tests/unit/predictor/store/same.h"

#define QUOTA 1000

static struct postgres *start(const char *name, struct memory **ret)
{
	*ret = memory_create();

	const struct postgres_config config = {
		.conninfo = database_with_schema(name),
		.measurements_keep_days = 3,
		.trace_quota_bytes = QUOTA,
	};
	const struct store_sink sink = memory_sink(*ret);
	struct sp_error err = { .text = "" };
	struct postgres *store = postgres_create(&config, &sink, &err);

	ck_assert_msg(store != NULL, "%s", err.text);
	memory_wait(*ret, 0);
	return store;
}

static void finish(struct postgres *store, struct memory *memory)
{
	postgres_destroy(store, 1);
	memory_destroy(memory);
}

struct kept {
	struct outcome outcome;
	bool kept;
};

static void block_done(void *context, int rc, bool is_kept,
		       const struct sp_error *why)
{
	struct kept *kept = context;

	kept->kept = is_kept;
	outcome_done(&kept->outcome, rc, why);
}

static void outcome_wait(struct outcome *outcome)
{
	pthread_mutex_lock(&outcome->lock);
	while (!outcome->done)
		pthread_cond_wait(&outcome->changed, &outcome->lock);
	pthread_mutex_unlock(&outcome->lock);
}

static void outcome_begin(struct outcome *outcome)
{
	*outcome = (struct outcome){ .done = false };
	pthread_mutex_init(&outcome->lock, NULL);
	pthread_cond_init(&outcome->changed, NULL);
}

/* Whether it is kept. */
static bool put(struct postgres *store, const struct trace_block *block)
{
	struct kept kept = { .kept = false };
	struct sp_error err;

	outcome_begin(&kept.outcome);
	ck_assert_int_eq(
		postgres_ops.put_trace(store, block, block_done, &kept, &err),
		0);
	outcome_wait(&kept.outcome);
	ck_assert_msg(kept.outcome.rc == STORE_STORED, "%s",
		      kept.outcome.why.text);
	return kept.kept;
}

/* Rank 0 of 1, 6 bytes as stored. */
static struct trace_block block_of(uint32_t job_id)
{
	return (struct trace_block){
		.cluster = "c1",
		.job_id = job_id,
		.user_id = 1003,
		.mpi_run = "00ff",
		.ranks = 1,
		.last = true,
		.node = "n1",
		.raw_bytes = 17,
		.checksum = 4294967295,
		.data = "AAH/AgP+",
	};
}

struct found {
	struct outcome outcome;
	size_t count;
	struct store_trace first;
	struct store_trace_part parts[4];
	char nodes[4][HOSTLIST_NAME_SIZE];
	char bytes[4][8];
};

static void traces_found(void *context, int rc, struct store_trace *traces,
			 size_t count, const struct sp_error *why)
{
	struct found *found = context;

	found->count = count;
	if (count) {
		const struct store_trace *t = &traces[0];

		found->first = *t;
		for (size_t i = 0; i < t->parts_count && i < 4; i++) {
			found->parts[i] = t->parts[i];
			memcpy(found->bytes[i], t->parts[i].data, 6);
		}
		for (int i = 0; i < t->run.nodes_count && i < 4; i++)
			strcpy(found->nodes[i], t->run.nodes[i].name);
	}
	outcome_done(&found->outcome, rc, why);
}

static void find(struct postgres *store, const struct store_trace_query *query,
		 struct found *ret)
{
	struct sp_error err;

	memset(ret, 0, sizeof(*ret));
	outcome_begin(&ret->outcome);
	ck_assert_int_eq(
		postgres_ops.get_traces(store, query, traces_found, ret, &err),
		0);
	outcome_wait(&ret->outcome);
	ck_assert_msg(ret->outcome.rc == STORE_STORED, "%s",
		      ret->outcome.why.text);
}

static void get(struct postgres *store, uint32_t job_id, uint32_t user_id,
		const char *cluster, struct found *ret)
{
	struct store_trace_query query = { .job_id = job_id,
					   .user_id = user_id };

	strcpy(query.cluster, cluster);
	find(store, &query, ret);
}

static size_t count_of(struct postgres *store, uint32_t job_id)
{
	struct found found;

	get(store, job_id, UINT32_MAX, "", &found);
	return found.count;
}

START_TEST(test_comes_back)
{
	struct memory *memory;
	struct postgres *store = start("traces_back", &memory);
	struct trace_block b = block_of(4294967295);
	struct found found;

	b.ranks = 2;
	b.rank = 1;
	strcpy(b.node, "n2");
	ck_assert(put(store, &b));
	b.rank = 0;
	b.last = false;
	strcpy(b.node, "n10");
	b.raw_bytes = TRACE_BLOCK_BYTES;
	ck_assert(put(store, &b));
	b.block = 1;
	b.last = true;
	b.raw_bytes = 3;
	ck_assert(put(store, &b));

	get(store, b.job_id, 1003, "c1", &found);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.first.run.cluster, "c1");
	ck_assert_uint_eq(found.first.run.job_id, 4294967295);
	ck_assert(isnan(found.first.run.job_s));
	ck_assert(!found.first.run.spinning);
	ck_assert_int_eq(found.first.run.ranks, 2);
	ck_assert_int_eq(found.first.run.programs, 1);
	ck_assert_uint_eq(found.first.parts_count, 3);
	ck_assert_uint_eq(found.first.run.nodes_count, 2);
	ck_assert_int_eq(found.parts[0].rank, 0);
	ck_assert_int_eq(found.parts[1].block, 1);
	ck_assert_uint_eq(found.parts[1].raw_bytes, 3);
	ck_assert_int_eq(found.parts[2].rank, 1);
	ck_assert_str_eq(found.nodes[found.parts[1].node], "n10");
	ck_assert_str_eq(found.nodes[found.parts[2].node], "n2");
	ck_assert_uint_eq(found.parts[2].size, 6);
	ck_assert_mem_eq(found.bytes[2], "\0\1\xff\2\3\xfe", 6);

	/* Another program of the job; those of others are not. */
	strcpy(b.mpi_run, "0100");
	ck_assert(put(store, &b));
	strcpy(b.cluster, "c3");
	ck_assert(put(store, &b));
	get(store, b.job_id, 1003, "c1", &found);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_int_eq(found.first.run.programs, 2);
	ck_assert_uint_eq(found.first.parts_count, 1);

	/* Somebody else's, another cluster's, no job's. */
	get(store, b.job_id, 1004, "", &found);
	ck_assert_uint_eq(found.count, 0);
	get(store, b.job_id, 1003, "c2", &found);
	ck_assert_uint_eq(found.count, 0);
	ck_assert_uint_eq(count_of(store, 7), 0);
	finish(store, memory);
}
END_TEST

START_TEST(test_twice_is_once)
{
	struct memory *memory;
	struct postgres *store = start("traces_twice", &memory);
	const char *conninfo = conninfo_of("traces_twice");
	struct trace_block b = block_of(9);
	static const char state[] =
		"SELECT concat_ws(' ', count(*), sum(bytes), sum(raw_bytes), "
		"sum(ranks_done), (SELECT count(*) FROM predict.trace_blocks)) "
		"FROM predict.traces";

	ck_assert(put(store, &b));
	ck_assert(put(store, &b));
	ck_assert_str_eq(sql(conninfo, state), "1 6 17 1 1");

	/* Another attempt of the job: the trace of the first one is gone. */
	b.ranks = 2;
	b.rank = 1;
	ck_assert(put(store, &b));
	ck_assert_str_eq(sql(conninfo, state), "1 6 17 1 1");
	b.checksum = 5;
	ck_assert(put(store, &b));
	ck_assert_str_eq(sql(conninfo, state), "1 6 17 1 1");
	b.rank = 0;
	ck_assert(put(store, &b));
	ck_assert_str_eq(sql(conninfo, state), "1 12 34 2 2");
	ck_assert_str_eq(
		sql(conninfo, "SELECT complete FROM predict.trace_details"),
		"t");
	finish(store, memory);
}
END_TEST

START_TEST(test_newest_two)
{
	struct memory *memory;
	struct postgres *store = start("traces_two", &memory);

	for (uint32_t job = 1; job <= 5; job++) {
		struct run run = example_run(job, RUN_COMPLETED);

		/* Another size does not count. */
		if (job == 2)
			run.nodes++;
		ck_assert_int_eq(store_run(store, &run), STORE_STORED);

		struct trace_block b = block_of(job);

		ck_assert(put(store, &b));
	}
	ck_assert_uint_eq(count_of(store, 1), 0);
	ck_assert_uint_eq(count_of(store, 2), 1);
	ck_assert_uint_eq(count_of(store, 3), 0);
	ck_assert_uint_eq(count_of(store, 4), 1);
	ck_assert_uint_eq(count_of(store, 5), 1);

	/* What comes late for one that was dropped does not begin it again. */
	struct trace_block late = block_of(3);

	late.block = 1;
	ck_assert(!put(store, &late));
	ck_assert_uint_eq(count_of(store, 3), 0);

	struct found found;

	get(store, 5, 1003, "", &found);
	ck_assert(found.first.run.job_s > 0);
	ck_assert_str_ne(found.first.run.application, "");
	ck_assert_str_ne(found.first.run.user, "");

	/* By their application, the newest first. */
	struct store_trace_query query = { .user_id = 1003 };

	strcpy(query.application, found.first.run.application);
	find(store, &query, &found);
	ck_assert_uint_eq(found.count, 2);
	ck_assert_uint_eq(found.first.run.job_id, 5);
	query.ranks = 1;
	find(store, &query, &found);
	ck_assert_uint_eq(found.count, 2);
	query.ranks = 2;
	find(store, &query, &found);
	ck_assert_uint_eq(found.count, 0);
	query.ranks = 0;
	query.user_id = 1004;
	find(store, &query, &found);
	ck_assert_uint_eq(found.count, 0);
	query.user_id = UINT32_MAX;
	strcpy(query.application, "another");
	find(store, &query, &found);
	ck_assert_uint_eq(found.count, 0);
	finish(store, memory);
}
END_TEST

START_TEST(test_quota)
{
	struct memory *memory;
	struct postgres *store = start("traces_quota", &memory);
	char text[4 * 75 + 1]; /* 225 bytes: four fit */

	memset(text, 'A', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (uint32_t job = 1; job <= 6; job++) {
		struct trace_block b = block_of(job);

		b.data = text;
		b.user_id = job == 1 ? 1004 : 1003;
		ck_assert(put(store, &b));
	}
	/* The oldest of the user who has most. */
	ck_assert_uint_eq(count_of(store, 1), 1);
	ck_assert_uint_eq(count_of(store, 2), 0);
	ck_assert_uint_eq(count_of(store, 3), 0);
	ck_assert_uint_eq(count_of(store, 4), 1);
	ck_assert_uint_eq(count_of(store, 6), 1);

	/* One that has no room beside those of others goes itself. */
	struct trace_block b = block_of(7);

	b.data = text;
	b.last = false;
	for (b.block = 0; b.block < 3; b.block++)
		ck_assert(put(store, &b));
	ck_assert(!put(store, &b));
	ck_assert_uint_eq(count_of(store, 7), 0);
	ck_assert_uint_eq(count_of(store, 1), 1);
	ck_assert_str_eq(sql(conninfo_of("traces_quota"),
			     "SELECT sum(bytes) <= 1000 FROM predict.traces"),
			 "t");
	finish(store, memory);
}
END_TEST

/* Data that the database refuses is not sent for ever. */
START_TEST(test_refused)
{
	struct memory *memory;
	struct postgres *store = start("traces_refused", &memory);
	struct trace_block b = block_of(1);
	struct kept kept = { .kept = true };
	struct sp_error err;

	b.ranks = 4097;
	outcome_begin(&kept.outcome);
	ck_assert_int_eq(
		postgres_ops.put_trace(store, &b, block_done, &kept, &err), 0);
	outcome_wait(&kept.outcome);
	ck_assert_int_eq(kept.outcome.rc, STORE_REFUSED);
	ck_assert(!kept.kept);
	finish(store, memory);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = {
		test_comes_back, test_twice_is_once, test_newest_two,
		test_quota,      test_refused,       NULL,
	};

	(void)argc;
	return suite_run_with_server(argv[0], "traces", tests);
}
