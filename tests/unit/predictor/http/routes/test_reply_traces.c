/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reply_traces.c - blocks of the store become traces that can
 * be replayed */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "predictor/http/routes/reply_traces.h"
#include "predictor/http/routes/stored_traces.h"
#include "predictor/trace/trace_format.h"
#include "predictor/wire/trace/json_trace.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

#define RANKS  2
#define ROUNDS 30000 /* some blocks of each rank */

static unsigned char files[RANKS][2 << 20];
static size_t sizes[RANKS];
static unsigned char deflated[64][TRACE_BLOCK_BYTES + 64];
static struct store_trace_part parts[64];
static const struct traced_node nodes[] = {
	{ "n1", 2, .5, 1.25, NAN },
	{ "n2", 1, NAN, 0, 0.004 },
};
static const struct traced_link links[] = { { "n1", "n2", 5e-5, 8e8 } };
static struct store_trace trace;

/* Rank 0 sends, rank 1 receives. */
static void write_rank(int rank)
{
	struct trace_address last = { 0 };
	unsigned char *at = files[rank];

	at += trace_encode_header(rank, RANKS, at);
	for (int i = 0; i <= ROUNDS; i++) {
		struct trace_event event = {
			.work_s = 1e-4 + 1e-9 * (i * 7919 % 10007),
			.bytes = 1000 + (uint64_t)i % 77,
			.peer = 1 - rank,
			.call = rank ? CALL_RECEIVE : CALL_ISEND,
		};

		if (i == ROUNDS)
			event.call = CALL_END;
		at += trace_encode_event(&last, &event, at);
	}
	sizes[rank] = (size_t)(at - files[rank]);
}

static void set_up(void)
{
	size_t count = 0;

	for (int rank = 0; rank < RANKS; rank++) {
		write_rank(rank);
		for (size_t from = 0; from < sizes[rank];
		     from += TRACE_BLOCK_BYTES) {
			size_t size = sizes[rank] - from;
			uLongf room = sizeof(deflated[0]);

			if (size > TRACE_BLOCK_BYTES)
				size = TRACE_BLOCK_BYTES;
			compress(deflated[count], &room, files[rank] + from,
				 size);
			parts[count] = (struct store_trace_part){
				.rank = rank,
				.block = (int)(from / TRACE_BLOCK_BYTES),
				.node = rank,
				.raw_bytes = (uint32_t)size,
				.size = room,
				.data = deflated[count],
			};
			count++;
		}
	}
	trace = (struct store_trace){
		.run = { .cluster = "c1",
			 .job_id = 4294967295,
			 .application = "a \"b\"",
			 .job_s = 12.25,
			 .programs = 17,
			 .spinning = true,
			 .ranks = RANKS,
			 .nodes_count = 2,
			 .measured_count = 1 },
		.parts_count = count,
		.parts = parts,
	};
}

/* The trace with its nodes and links, which each call takes. */
static struct store_trace *lend(void)
{
	free(trace.run.nodes);
	trace.run.nodes = malloc(sizeof(nodes));
	ck_assert(trace.run.nodes != NULL);
	memcpy(trace.run.nodes, nodes, sizeof(nodes));
	free(trace.run.measured);
	trace.run.measured = malloc(sizeof(links));
	ck_assert(trace.run.measured != NULL);
	memcpy(trace.run.measured, links, sizeof(links));
	return &trace;
}

static void decode(const char *text, size_t size, struct run_trace *ret)
{
	struct sp_error err;
	struct json_object *reply = wire_parse(text, size, &err);
	struct json_object *list = NULL;

	ck_assert_msg(reply != NULL, "%s", err.text);
	ck_assert(json_object_object_get_ex(reply, "traces", &list));
	ck_assert_msg(!wire_trace_decode(json_object_array_get_idx(list, 0),
					 ret, &err),
		      "%s", err.text);
	json_object_put(reply);
}

static void check_run(const struct run_trace *run)
{
	ck_assert_uint_eq(run->job_id, 4294967295);
	ck_assert_str_eq(run->cluster, "c1");
	ck_assert_str_eq(run->application, "a \"b\"");
	ck_assert(run->runtime_s == 12.25 && run->spinning && run->whole);
	ck_assert_int_eq(run->programs, 17);
	ck_assert_uint_eq(run->rendezvous_bytes, 65536);
	ck_assert_int_eq(run->ranks, RANKS);
	ck_assert_int_eq(run->trace->count, RANKS * (ROUNDS + 1));
	ck_assert(run->node[0] == 0 && run->node[1] == 1);
	ck_assert(run->nodes[0].cores == 2 && run->nodes[1].cores == 1);
	ck_assert(run->nodes[0].cpu_available == .5);
	ck_assert(run->nodes[0].cpu_speed == 1.25);
	ck_assert(run->nodes[0].cpu_turn_s == 0);
	/* What is not known, or is no speed. */
	ck_assert(run->nodes[1].cpu_available == 1);
	ck_assert(run->nodes[1].cpu_speed == 1);
	ck_assert(run->nodes[1].cpu_turn_s == 0.004);
	ck_assert(run->links[1].bandwidth_bps == 1e8);
	ck_assert(run->links[1].latency_s == 5e-5);
	ck_assert(run->links[2].bandwidth_bps == 1.1e8);
}

/* The trace as a reply, and as a run: both say the same. */
START_TEST(test_whole)
{
	struct sp_error err;
	struct run_trace run, *runs;
	size_t size;
	char *text = traces_reply_make(lend(), 1, true, &size, &err);

	ck_assert_msg(text != NULL, "%s", err.text);
	decode(text, size, &run);
	check_run(&run);

	struct matched_trace *by_reply = run.trace;

	run.trace = NULL;
	run_trace_clear(&run);
	free(text);

	ck_assert_msg(stored_traces_take(lend(), 1, &runs, &err) == 1, "%s",
		      err.text);
	ck_assert_msg(!run_traces_choose(runs, 1, NULL, &run, &err), "%s",
		      err.text);
	check_run(&run);
	for (int i = 0; i < by_reply->count; i++)
		ck_assert(by_reply->events[i].work_s ==
				  run.trace->events[i].work_s &&
			  by_reply->events[i].bytes ==
				  run.trace->events[i].bytes);
	matched_trace_destroy(by_reply);
	run_trace_clear(&run);
	run_traces_free(runs, 1);

	text = traces_reply_make(lend(), 1, false, &size, &err);
	decode(text, size, &run);
	ck_assert(run.nodes[0].cores == 2);
	ck_assert(run.nodes[0].cpu_available == 1);
	ck_assert(run.links[1].bandwidth_bps != 1e8);
	run_trace_clear(&run);
	free(text);
}
END_TEST

/* A block is not here yet: what is behind it does not count. */
START_TEST(test_gap)
{
	struct sp_error err;
	struct run_trace run, *runs;
	size_t size;

	parts[1].block = 2;

	char *text = traces_reply_make(lend(), 1, true, &size, &err);

	ck_assert_msg(text != NULL, "%s", err.text);
	decode(text, size, &run);
	ck_assert(!run.whole);
	ck_assert_int_gt(run.trace->count, RANKS * ROUNDS / 100);
	ck_assert_int_lt(run.trace->count, RANKS * ROUNDS / 2);

	int count = run.trace->count;

	run_trace_clear(&run);
	free(text);
	ck_assert_int_eq(stored_traces_take(lend(), 1, &runs, &err), 1);
	ck_assert_int_eq(run_traces_choose(runs, 1, NULL, &run, &err), 0);
	ck_assert(!run.whole && run.trace->count == count);
	run_trace_clear(&run);
	run_traces_free(runs, 1);
}
END_TEST

static void check_none(const char *why)
{
	struct sp_error err;
	size_t size;

	struct run_trace *runs;

	ck_assert_ptr_null(traces_reply_make(lend(), 1, true, &size, &err));
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
	err.text[0] = '\0';
	ck_assert_int_eq(stored_traces_take(lend(), 1, &runs, &err), -1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(test_not_yet)
{
	struct sp_error err;
	size_t size;

	ck_assert_ptr_null(traces_reply_make(NULL, 0, true, &size, &err));
	trace.run.job_s = NAN;
	check_none("not known yet");
	trace.run.job_s = 1;
	trace.run.ranks = 3;
	check_none("2 of 3 ranks");
	trace.run.ranks = 2;
	parts[0].node = -1;
	check_none("a node of its trace");
	parts[0].node = 0;
	deflated[0][30] ^= 255;
	deflated[0][31] ^= 255;
	check_none("is damaged");
	free(trace.run.nodes);
	free(trace.run.measured);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_whole, test_gap, test_not_yet,
				       NULL };

	return suite_run_each("reply_traces", tests, set_up, NULL);
}
