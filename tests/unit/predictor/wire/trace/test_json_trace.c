/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_trace.c - a traced run as a message, and what is none */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predictor/trace/trace_format.h"
#include "predictor/wire/base64.h"
#include "predictor/wire/trace/json_trace.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

#define TOL 1e-12

/* Rank 0 works 1 s, sends 300 bytes to rank 1 and ends; rank 1 receives. */
#define RANK_0 "U1BUUkFDRTEAAgGAlOvcAwGsAgUA"
#define RANK_1 "U1BUUkFDRTEBAgMAAKwCBQA="

/* The same without its end, after the receive. */
#define RANK_1_DIED "U1BUUkFDRTEBAgMAAKwC"

#define NODES                                                         \
	"\"nodes\":[{\"name\":\"n1\",\"cores\":2,\"cpu_speed\":0.5}," \
	"{\"name\":\"n2\",\"cpu_available\":0.25,\"cpu_turn_s\":0.004}]"
#define RANKS(a, b)                                   \
	"\"ranks\":[{\"node\":\"n1\",\"events\":\"" a \
	"\"},{\"node\":\"n2\",\"events\":\"" b "\"}]"

static int decode(const char *text, struct run_trace *ret, struct sp_error *err)
{
	struct json_object *message = wire_parse(text, strlen(text), err);

	ck_assert_ptr_nonnull(message);

	int rc = wire_trace_decode(message, ret, err);

	json_object_put(message);
	return rc;
}

START_TEST(test_decode)
{
	struct run_trace run;
	struct sp_error err = { "" };

	ck_assert_msg(
		!decode("{\"job_id\":17,\"application\":\"heat\","
			"\"runtime_s\":2.5,\"spinning\":true," NODES
			",\"links\":[{\"from\":\"n1\",\"to\":\"n2\","
			"\"latency_s\":0.01,\"bandwidth_bps\":800}]," RANKS(
				RANK_0, RANK_1) "}",
			&run, &err),
		"%s", err.text);
	ck_assert_uint_eq(run.job_id, 17);
	ck_assert_str_eq(run.application, "heat");
	ck_assert(run.spinning);
	ck_assert_uint_eq(run.rendezvous_bytes, 65536);
	ck_assert_int_eq(run.node[1], 1);
	ck_assert_double_eq_tol(run.links[1].bandwidth_bps, 100, TOL);
	ck_assert_double_eq_tol(run.links[1].latency_s, .01, TOL);
	ck_assert_int_eq(run.trace->count, 4);
	/* 1 s at half the speed. */
	ck_assert_double_eq_tol(run.trace->events[0].work_s, .5, TOL);
	ck_assert_uint_eq(run.trace->events[0].bytes, 300);
	ck_assert_int_eq(run.trace->partner[0], 2);
	ck_assert_double_eq_tol(traced_node_replay(&run.nodes[1]).speed, .25,
				TOL);
	ck_assert_double_eq_tol(traced_node_replay(&run.nodes[1]).turn_s, .004,
				TOL);
	ck_assert(run.whole);
	run_trace_clear(&run);

	/* It was received all the same. */
	ck_assert_int_eq(decode("{\"runtime_s\":2.5," NODES
				"," RANKS(RANK_0, RANK_1_DIED) "}",
				&run, NULL),
			 0);
	ck_assert(!run.whole);
	ck_assert_int_eq(run.trace->count, 4);
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *text;
		const char *error;
	} rows[] = {
		{ "[]", "a trace must be an object" },
		{ "{}", "runtime_s: is missing" },
		{ "{\"runtime_s\":0}", "runtime_s: must be more than 0" },
		{ "{\"runtime_s\":1,\"rendezvous_bytes\":-1}",
		  "rendezvous_bytes: must be in 0 to 9007199254740992" },
		{ "{\"runtime_s\":1}", "nodes: is empty" },
		{ "{\"runtime_s\":1," NODES "}", "ranks: is empty" },
		{ "{\"runtime_s\":1,\"nodes\":[{\"name\":\"a\",\"cores\":0}]}",
		  "nodes[0]: no cores, share or speed" },
		{ "{\"runtime_s\":1,\"nodes\":[{\"name\":\"a\"},"
		  "{\"name\":\"a\"}]}",
		  "nodes[1].name: is empty, or was there before" },
		{ "{\"runtime_s\":1," NODES "," RANKS(RANK_1, RANK_0) "}",
		  "ranks[0].events: of rank 1 of 2" },
		{ "{\"runtime_s\":1," NODES "," RANKS(RANK_0, "U1BU*A==") "}",
		  "ranks[1].events: is no base64" },
		{ "{\"runtime_s\":1," NODES "," RANKS(RANK_0, "U1BU") "}",
		  "ranks[1].events: this is no trace of a rank" },
		{ "{\"runtime_s\":1," NODES
		  ",\"ranks\":[{\"node\":\"n3\",\"events\":\"\"}]}",
		  "ranks[0].node: no such node" },
		{ "{\"runtime_s\":1," NODES
		  ",\"links\":[{\"from\":\"n1\",\"to\":\"n2\","
		  "\"latency_s\":0,\"bandwidth_bps\":0}]}",
		  "links[0]: no such nodes, or no bandwidth" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct run_trace run = { .ranks = 77 };
		struct sp_error err = { "" };

		ck_assert_int_eq(decode(rows[i].text, &run, &err), -1);
		ck_assert_str_eq(err.text, rows[i].error);
		ck_assert_int_eq(run.ranks, 77);
	}
}
END_TEST

/* --- Several programs of a job -------------------------------------------- */

/* The text of a rank of 2 that says of its program so much; NULL: nothing. */
static const char *rank_text(int rank, const char *program, double begun_at,
			     double ran_s)
{
	static char texts[2][400];
	const struct trace_event end = { .work_s = .3, .call = CALL_END };
	struct trace_address last = { 0 };
	uint8_t bytes[TRACE_HEADER_BYTES + TRACE_PROGRAM_BYTES +
		      TRACE_EVENT_BYTES];
	size_t size = trace_encode_header(rank, 2, bytes);

	if (program)
		size += trace_encode_program(program, begun_at, bytes + size);
	if (ran_s > 0)
		size += trace_encode_end(&end, ran_s, NULL, bytes + size);
	else if (!program)
		size += trace_encode_event(&last, &end, bytes + size);
	texts[rank][wire_base64_encode(bytes, size, texts[rank])] = '\0';
	return texts[rank];
}

struct program {
	int job_id;
	const char *name;
	double ran_s[2];
};

static int choose(const struct program of[], int count, struct run_trace *ret,
		  struct sp_error *err)
{
	char text[4096] = "[";
	size_t used = 1;

	for (int i = 0; i < count; i++) {
		used += (size_t)snprintf(
			text + used, sizeof(text) - used,
			"%s{\"cluster\":\"c\",\"application\":\"x\","
			"\"job_id\":%d,"
			"\"runtime_s\":91.5,\"programs\":%d," NODES
			",\"ranks\":[{\"node\":\"n1\",\"events\":\"%s\"},",
			i ? "," : "", of[i].job_id, count,
			rank_text(0, of[i].name, 1.7e9 + i, of[i].ran_s[0]));
		used += (size_t)snprintf(
			text + used, sizeof(text) - used,
			"{\"node\":\"n2\",\"events\":\"%s\"}]}",
			rank_text(1, of[i].name, 1.7e9 - .125, of[i].ran_s[1]));
	}
	strcat(text, "]");

	struct json_object *list = wire_parse(text, strlen(text), err);

	ck_assert_msg(list != NULL, "%s", err->text);

	int rc = wire_trace_choose(list, ret, err);

	json_object_put(list);
	return rc;
}

START_TEST(test_programs)
{
	static const struct {
		struct program of[2];
		int count;
		const char *name;
		double runtime_s;
	} rows[] = {
		/* Its own time, from the first to the last rank. */
		{ { { 7, "heat", { 3.25, 3.5 } } }, 1, "heat", 3.5 },
		/* The longest of the job, wherever it is. */
		{ { { 7, "a", { 3.25, 3.5 } }, { 7, "b", { 9, 8.5 } } },
		  2,
		  "b",
		  9 },
		{ { { 7, "a", { 9, 8.5 } }, { 7, "b", { 3.25, 3.5 } } },
		  2,
		  "a",
		  9 },
		/* One whose time is not known is not the longest. */
		{ { { 7, "a", { 3.25, 0 } }, { 7, "b", { 1.5, 1.25 } } },
		  2,
		  "b",
		  1.5 },
		{ { { 7, "a", { 1.5, 1.25 } }, { 7, "b", { 3.25, 0 } } },
		  2,
		  "a",
		  1.5 },
		/* Another job's does not count. */
		{ { { 7, "a", { 3.25, 3.5 } }, { 6, "b", { 9, 8.5 } } },
		  2,
		  "a",
		  3.5 },
		/* That of the job, where the trace does not say it. */
		{ { { 7, NULL, { 0, 0 } } }, 1, "", 91.5 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct run_trace run;
		struct sp_error err = { "" };

		ck_assert_msg(!choose(rows[i].of, rows[i].count, &run, &err),
			      "%s", err.text);
		ck_assert_str_eq(run.program, rows[i].name);
		ck_assert_double_eq_tol(run.runtime_s, rows[i].runtime_s, 1e-9);
		ck_assert_double_eq_tol(run.job_s, 91.5, TOL);
		ck_assert_int_eq(run.programs, rows[i].count);
		ck_assert((run.before != NULL) == (rows[i].of[1].job_id == 6));
		if (*run.program)
			ck_assert_double_eq_tol(run.begun_at, 1.7e9 - .125,
						1e-5);
		else
			ck_assert(isnan(run.begun_at));
		run_trace_clear(&run);
	}
}
END_TEST

START_TEST(test_base64)
{
	/* RFC 4648, section 10 */
	static const char *const rows[][2] = {
		{ "", "" },
		{ "Zg==", "f" },
		{ "Zm8=", "fo" },
		{ "Zm9v", "foo" },
		{ "Zm9vYg==", "foob" },
		{ "Zm9vYmFy", "foobar" },
	};
	unsigned char out[16];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t size = strlen(rows[i][1]);

		ck_assert_int_eq(
			wire_base64_decode(rows[i][0], strlen(rows[i][0]), out),
			(long)size);
		ck_assert_mem_eq(out, rows[i][1], size);
	}
	ck_assert_int_eq(wire_base64_decode("Zg=", 3, out), -1);
	ck_assert_int_eq(wire_base64_decode("Z===", 4, out), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_decode, test_refused, test_programs,
				       test_base64, NULL };

	return suite_run("json_trace", tests);
}
