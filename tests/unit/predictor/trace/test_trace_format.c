/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trace_format.c - there and back, cut anywhere, and hostile bytes */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/trace/trace_format.h"
#include "tests/unit/predictor/replay/random_trace.h"
#include "tests/unit/suite.h"

static const struct trace_event events[] = {
	{ .work_s = .001234567,
	  .call = CALL_SEND,
	  .peer = 6,
	  .bytes = 300,
	  .tag = -17,
	  .comm = 5 },
	{ .work_s = 7200.5,
	  .procedure_s = 31.25,
	  .call = CALL_RECEIVE,
	  .peer = 0,
	  .bytes = UINT64_MAX,
	  .tag = -17,
	  .comm = 5,
	  .wildcard = true },
	{ .call = CALL_ALL, .bytes = 8, .tag = INT32_MAX, .comm = INT32_MAX },
	{ .call = CALL_ALL,
	  .bytes = 9,
	  .tag = INT32_MAX,
	  .comm = INT32_MAX,
	  .to_each = true },
	{ .call = CALL_ALL,
	  .bytes = 10,
	  .tag = INT32_MAX,
	  .comm = INT32_MAX,
	  .combined = true,
	  .ends_stretch = true },
	{ .work_s = 1e-9, .call = CALL_ISEND, .peer = 2, .tag = INT32_MIN },
	{ .call = CALL_RECEIVE, .peer = 2, .tag = INT32_MIN, .asked = true },
	{ .call = CALL_ALL,
	  .bytes = 4,
	  .tag = INT32_MIN,
	  .ends_stretch = true },
	{ .work_s = 3.25,
	  .procedure_s = .5,
	  .call = CALL_GAP,
	  .peer = -3,
	  .bytes = 1234567,
	  .tag = INT32_MIN,
	  .level = 5 },
	{ .work_s = 2e-9,
	  .procedure_s = 1e-9,
	  .call = CALL_IALL,
	  .peer = 65535,
	  .bytes = 77,
	  .tag = INT32_MIN,
	  .comm = 3,
	  .to_each = true },
	{ .call = CALL_IALL, .tag = INT32_MIN, .comm = 3, .combined = true },
	{ .work_s = 1.5,
	  .call = CALL_WAIT,
	  .peer = 65535,
	  .tag = INT32_MIN,
	  .comm = 3 },
	{ .work_s = 2,
	  .call = CALL_ISEND,
	  .peer = 5,
	  .tag = INT32_MIN,
	  .comm = 3,
	  .unmeasured = true },
	{ .work_s = .5,
	  .call = CALL_END,
	  .tag = INT32_MIN,
	  .comm = 3,
	  .unmeasured = true },
};
#define COUNT ((int)(sizeof(events) / sizeof(*events)))

static size_t encode(uint8_t *out, size_t ends[])
{
	struct trace_address last = { 0 };
	size_t size = trace_encode_header(3, 7, out);

	for (int i = 0; i < COUNT; i++) {
		size += trace_encode_event(&last, &events[i], out + size);
		ends[i] = size;
	}
	return size;
}

START_TEST(test_cut_anywhere)
{
	uint8_t bytes[512];
	size_t ends[COUNT];
	size_t size = encode(bytes, ends);

	for (size_t cut = 10; cut <= size; cut++) {
		uint8_t *exact = malloc(cut); /* sanitizers see its end */
		struct rank_trace t;
		int whole = 0;

		memcpy(exact, bytes, cut);
		while (whole < COUNT && ends[whole] <= cut)
			whole++;
		ck_assert_int_eq(trace_decode(exact, cut, &t, NULL), 0);
		ck_assert_int_eq(t.rank, 3);
		ck_assert_int_eq(t.ranks, 7);
		ck_assert_int_eq(t.whole, cut == size);
		ck_assert_int_eq(t.count, whole + !t.whole);
		ck_assert_int_eq(t.events[t.count - 1].call, CALL_END);
		for (int i = 0; i < whole; i++) {
			const struct trace_event *e = &t.events[i];

			ck_assert_double_eq_tol(e->work_s, events[i].work_s,
						1e-9);
			ck_assert_double_eq_tol(e->procedure_s,
						events[i].procedure_s, 1e-9);
			ck_assert_uint_eq(e->bytes, events[i].bytes);
			ck_assert_int_eq(e->call, events[i].call);
			ck_assert_int_eq(e->peer, events[i].peer);
			ck_assert_int_eq(e->tag, events[i].tag);
			ck_assert_int_eq(e->comm, events[i].comm);
			ck_assert_int_eq(e->wildcard, events[i].wildcard);
			ck_assert_int_eq(e->to_each, events[i].to_each);
			ck_assert_int_eq(e->combined, events[i].combined);
			ck_assert_int_eq(e->asked, events[i].asked);
			ck_assert_int_eq(e->ends_stretch,
					 events[i].ends_stretch);
			ck_assert_int_eq(e->level, events[i].level);
			ck_assert_int_eq(e->unmeasured, events[i].unmeasured);
		}
		/* Without a word, since it died, or its file was full. */
		ck_assert_int_eq(*t.measure.why != 0, whole >= COUNT - 1);
		free(t.events);
		free(exact);
	}
}
END_TEST

START_TEST(test_refused)
{
	const struct {
		const char *bytes;
		size_t size;
	} rows[] = {
		{ "SPTRACE2\0\1", 10 },       /* another format */
		{ "SPTRACE1\7\7", 10 },       /* rank 7 of 7 */
		{ "SPTRACE1\0", 9 },          /* no ranks */
		{ "SPTRACE1\0\1\10\1", 12 },  /* no call */
		{ "SPTRACE1\0\1\147\1", 12 }, /* waits with bit 5 */
		{ "SPTRACE1\0\1\127\1", 12 }, /* waits with an address */
		{ "SPTRACE1\0\1\7\1\200\200\4", 15 }, /* request 65536 */
		{ "SPTRACE1\0\1\205\1", 12 },         /* an end combined */
		{ "SPTRACE1\0\1\100\1\0", 13 },       /* program without name */
		{ "SPTRACE1\0\1\100\1\1 ", 14 },      /* a blank in it */
		{ "SPTRACE1\0\1\100\1\100", 13 },     /* 64 bytes of it */
		{ "SPTRACE1\0\1\5\0\100\1\1a",
		  16 },                      /* at the end, 64 procedures */
		{ "SPTRACE1\0\1\46\1", 12 }, /* wildcard of a gap */
		{ "SPTRACE1\0\1\25\1", 12 }, /* address at the end */
		{ "SPTRACE1\0\1\6\1\1\12\0", 15 }, /* no such level */
		{ "SPTRACE1\0\1\1\1\1\1", 14 },    /* peer 1 of 1 */
		{ "SPTRACE1\0\1\15\1\2", 13 },     /* procedure above work */
		{ "SPTRACE1\0\1\5\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 21 },
		{ "SPTRACE1\0\1\5\0\11", 13 },                /* 9 procedures */
		{ "SPTRACE1\0\1\5\0\1\1\0", 15 },             /* no name */
		{ "SPTRACE1\0\1\5\0\1\1\2a\33", 17 },         /* an escape */
		{ "SPTRACE1\0\1\5\0\1\1\140aaaaaaaaaa", 25 }, /* too long */
		{ "SPTRACE1\0\1\5\0\0\4\1\0\1a", 18 },        /* by whom? */
		{ "SPTRACE1\0\1\5\0\0\1\1\0\2a ", 19 },       /* a space */
		{ "SPTRACE1\0\1\5\0\0\1\1\1\n\1a", 19 },
		{ "SPTRACE1\0\1\5\0\0\1\1\0\200\2", 18 }, /* too long */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct rank_trace t = { .count = 77 };
		struct sp_error err = { "" };

		ck_assert_int_eq(trace_decode((const uint8_t *)rows[i].bytes,
					      rows[i].size, &t, &err),
				 -1);
		ck_assert_str_ne(err.text, "");
		ck_assert_int_eq(t.count, 77);
	}
}
END_TEST

/* Cut anywhere, a name that is too long, and a time of which other ends
 * say nothing. */
START_TEST(test_program)
{
	const char name[] =
		"a_program-with/\xe4"
		"_name_of_more_than_sixty-three_characters,_some_cut";
	const double online_s[] = { 1.25, .75 };
	uint8_t bytes[TRACE_HEADER_BYTES + TRACE_PROGRAM_BYTES +
		      TRACE_EVENT_BYTES];
	size_t begin = trace_encode_header(5, 7, bytes);
	size_t event = begin + trace_encode_program(name, 1764242121.123456,
						    bytes + begin);

	for (int i = 0; i < 2; i++) {
		size_t size = event + trace_encode_end(&events[COUNT - 1],
						       86400.000000007,
						       i ? online_s : NULL,
						       bytes + event);

		for (size_t cut = begin; cut <= size; cut++) {
			uint8_t *exact = malloc(cut);
			struct rank_trace t;

			memcpy(exact, bytes, cut);
			ck_assert_int_eq(trace_decode(exact, cut, &t, NULL), 0);
			ck_assert_int_eq(t.whole, cut == size);
			ck_assert_int_eq(t.count, 1);
			ck_assert_int_eq(isnan(t.ran_s), cut < size);
			ck_assert_int_eq(isnan(t.begun_at), cut < event);
			ck_assert_int_eq(!*t.program, cut < event);
			if (cut == size) {
				ck_assert_double_eq_tol(t.ran_s,
							86400.000000007, 1e-9);
				ck_assert_double_eq_tol(
					t.begun_at, 1764242121.123456, 1e-6);
				ck_assert_str_eq(t.program,
						 "a_program-with/?_name_of_"
						 "more_than_sixty-three_"
						 "characters,_some");
				ck_assert(i ? t.online_s[1] == .75
					    : isnan(t.online_s[1]));
			}
			free(t.events);
			free(exact);
		}
	}
}
END_TEST

/* Few bytes an event, though each has another tag; zeros after a rank that
 * died. */
START_TEST(test_size_and_zeros)
{
	struct random random = { 64 };
	struct random_trace t;
	struct trace_address last = { 0 };
	struct rank_trace back;

	random_trace_fill(&t, 4, 2000, &random);

	uint8_t *bytes = calloc(t.counts[2] + 2, TRACE_EVENT_BYTES);
	size_t size = trace_encode_header(2, 4, bytes);

	for (int i = 0; i < t.counts[2] - 1; i++)
		size += trace_encode_event(&last, &t.events[2][i],
					   bytes + size);
	ck_assert_uint_lt(size, 16u * t.counts[2]);
	ck_assert_int_eq(trace_decode(bytes, size + 65, &back, NULL), 0);
	ck_assert(!back.whole);
	ck_assert_int_eq(back.count, t.counts[2]);
	free(back.events);
	free(bytes);
	random_trace_free(&t);
}
END_TEST

/* Names as they come, also of bytes that end anywhere in them. */
START_TEST(test_procedures)
{
	const struct procedure_work of[] = { { "sweep", 1.5 },
					     { "_ZN3\33[2J\xe9", 1e-9 } };
	uint8_t bytes[TRACE_HEADER_BYTES + TRACE_EVENT_BYTES +
		      TRACE_PROCEDURES_BYTES];
	struct trace_address last = { 0 };
	struct rank_trace t;
	size_t size = trace_encode_header(0, 1, bytes);

	size += trace_encode_event(&last, &events[COUNT - 1], bytes + size);

	size_t begin = size;

	size += trace_encode_procedures(of, 2, bytes + size);
	for (size_t cut = begin; cut <= size; cut++) {
		uint8_t *exact = malloc(cut);

		memcpy(exact, bytes, cut);
		ck_assert_int_eq(trace_decode(exact, cut, &t, NULL), 0);
		ck_assert(t.whole);
		ck_assert_int_eq(t.procedures_count,
				 cut < begin + 12 ? 0 : 1 + (cut == size));
		free(t.events);
		free(exact);
	}
	ck_assert_str_eq(t.procedures[0].name, "sweep");
	ck_assert_double_eq_tol(t.procedures[0].work_s, 1.5, 1e-9);
	ck_assert_str_eq(t.procedures[1].name, "_ZN3?[2J?");
}
END_TEST

/* The same of what was measured, and of its reason. */
START_TEST(test_measure)
{
	static const struct procedure_measure rows[] = {
		{ "sweep_", MEASURED_BY_UPROBES, 12345678901, "" },
		{ "f\x01 g", MEASURED_NOT, 0, "no file:\nnone\xe9 there" },
		{ "g", MEASURED_ABSENT, 1, "" },
	};
	uint8_t bytes[TRACE_HEADER_BYTES + TRACE_EVENT_BYTES +
		      TRACE_PROCEDURES_BYTES + TRACE_MEASURE_BYTES];
	struct rank_trace t;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct trace_event end = { .call = CALL_END };
		struct trace_address last = { 0 };
		size_t size = trace_encode_header(0, 1, bytes);

		size += trace_encode_event(&last, &end, bytes + size);
		size += trace_encode_procedures(NULL, 0, bytes + size);

		size_t begin = size;

		size += trace_encode_measure(&rows[i], bytes + size);
		for (size_t cut = begin; cut <= size; cut++) {
			uint8_t *exact = malloc(cut);

			memcpy(exact, bytes, cut);
			ck_assert_int_eq(trace_decode(exact, cut, &t, NULL), 0);
			ck_assert(t.whole);
			if (cut < size)
				ck_assert_str_eq(t.measure.name, "");
			else /* zeros at the end of a file get lost */
				ck_assert_int_ne(exact[cut - 1], 0);
			free(t.events);
			free(exact);
		}
		ck_assert_int_eq(t.measure.by, rows[i].by);
		ck_assert_uint_eq(t.measure.calls, rows[i].calls);
		ck_assert_str_eq(t.measure.name,
				 i == 1 ? "f??g" : rows[i].name);
		ck_assert_str_eq(t.measure.why,
				 i == 1 ? "no file:?none? there" : "");
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_cut_anywhere,
		test_refused,
		test_program,
		test_size_and_zeros,
		test_procedures,
		test_measure,
		NULL,
	};

	return suite_run("trace_format", tests);
}
