/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_uprobe_ring.c - calls and returns from records, wrapped, cut and hostile */
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/profilers/mpi/uprobe_ring.h"
#include "tests/unit/suite.h"

#define BYTES 4096
#define WORDS (BYTES / sizeof(uint64_t))
#define STACK UINT64_C(0x7ffc00001000)

enum { CALL, RETURN };

static uint64_t words[WORDS];
static struct uprobe_ring ring;
static struct uprobe_calls calls;
static uint64_t from, to, hits[2];

/* The thread's clock shows 7 s where the kernel's time is 0; the ring has wrapped
 * inside a record. */
static void set_up(void)
{
	memset(words, 0x5a, sizeof(words));
	ring = (struct uprobe_ring){ words, BYTES, { 41, 42 } };
	calls = (struct uprobe_calls){ .offset_s = 7 };
	uprobe_calls_leave(&calls, 7);
	from = to = 5 * BYTES - 16;
	hits[CALL] = hits[RETURN] = 0;
}

static void put(uint64_t word)
{
	words[to / sizeof(word) % WORDS] = word;
	to += sizeof(word);
}

static void put_header(uint32_t type, size_t size)
{
	struct perf_event_header header = { .type = type,
					    .size = (uint16_t)size };
	uint64_t word;

	memcpy(&word, &header, sizeof(word));
	put(word);
}

static void record(int what, double time_s, uint64_t stack)
{
	put_header(PERF_RECORD_SAMPLE, UPROBE_RECORD_BYTES);
	put(ring.ids[what]);
	put(++hits[what]);
	put((uint64_t)llround(time_s * 1e9));
	put(PERF_SAMPLE_REGS_ABI_64);
	put(stack);
}

static void call(double time_s, uint64_t stack)
{
	record(CALL, time_s, stack);
}

static void back(double time_s, uint64_t stack)
{
	record(RETURN, time_s, stack + 8);
}

static void take(bool in_mpi, double until_s)
{
	uprobe_ring_read(&ring, from, to, in_mpi, until_s, &calls);
	from = to;
}

static void ends_with(const char *why)
{
	take(false, HUGE_VAL);
	ck_assert_ptr_nonnull(calls.why);
	ck_assert_msg(strstr(calls.why, why) != NULL, "%s", calls.why);
}

START_TEST(test_calls)
{
	call(.25, STACK);
	call(.5, STACK - 80); /* it calls itself */
	back(.75, STACK - 80);
	back(1.25, STACK);
	call(1.5, STACK - 16);
	back(1.625, STACK - 16);
	take(false, 9);
	ck_assert_ptr_null(calls.why);
	ck_assert_double_eq_tol(uprobe_calls_enter(&calls, 9), 1.125, 1e-9);
	ck_assert_uint_eq(calls.calls, 3);
	ck_assert_int_eq(calls.depth, 0);
	ck_assert_double_eq(uprobe_calls_enter(&calls, 9), 0);
}
END_TEST

/* Time in MPI is not the function's, whether it calls MPI or MPI calls it. */
START_TEST(test_within_mpi)
{
	call(1, STACK);
	take(false, 8.5);
	ck_assert_double_eq_tol(uprobe_calls_enter(&calls, 8.5), .5, 1e-9);
	call(2, STACK - 800); /* by MPI, of the 3.5 s that it takes */
	back(4, STACK - 800);
	take(true, 12);
	uprobe_calls_leave(&calls, 12);
	back(5.25, STACK);
	call(5.5, STACK);
	take(false, HUGE_VAL); /* half full: the watch reads */
	back(5.75, STACK);
	take(false, 13);
	ck_assert_ptr_null(calls.why);
	ck_assert_double_eq_tol(uprobe_calls_enter(&calls, 13), .5, 1e-9);
	call(6.5, STACK); /* MPI calls it, and nothing else does */
	back(7, STACK);
	take(true, 14.5);
	uprobe_calls_leave(&calls, 14.5);
	take(false, 15);
	ck_assert_double_eq(uprobe_calls_enter(&calls, 15), 0);
	ck_assert_uint_eq(calls.calls, 4);
	ck_assert_double_eq_tol(calls.work_s, 1.5 + 1 + .5, 1e-9);
}
END_TEST

/* The kernel's clock runs 1 % fast.  What a long run adds up is corrected. */
START_TEST(test_clock_drifts)
{
	double clock_s = 7, taken_s = 0;

	for (int i = 0; i < 10000; i++) {
		call((clock_s + .25 - 7) * 1.01, STACK);
		if (i % 2) /* it goes on in MPI */
			back((clock_s + .75 - 7) * 1.01, STACK);
		clock_s++;
		take(false, clock_s);
		taken_s += uprobe_calls_enter(&calls, clock_s);
		if (i % 2 == 0)
			back((clock_s - 7) * 1.01, STACK);
		take(true, clock_s);
		uprobe_calls_leave(&calls, clock_s);
	}
	ck_assert_ptr_null(calls.why);
	ck_assert_double_eq_tol(taken_s / (.75 * 5000 + .5 * 5000), 1, .35);
	ck_assert_double_le(taken_s, 10000);
}
END_TEST

START_TEST(test_too_often)
{
	for (int i = 0; i < 3 * UPROBE_CALLS_FIRST && !calls.why; i++) {
		call(i * 90e-6, STACK);
		back(i * 90e-6 + 1e-6, STACK);
		take(false, HUGE_VAL);
	}
	ck_assert_ptr_nonnull(calls.why);
	ck_assert_uint_eq(calls.calls, UPROBE_CALLS_FIRST + 1);
	set_up();
	for (int i = 0; i < 3 * UPROBE_CALLS_FIRST; i++) {
		call(i * 110e-6, STACK);
		back(i * 110e-6 + 1e-6, STACK);
		take(false, HUGE_VAL);
	}
	ck_assert_ptr_null(calls.why);
	ck_assert_double_eq_tol(uprobe_calls_enter(&calls, 20),
				3 * UPROBE_CALLS_FIRST * 1e-6, 1e-6);
}
END_TEST

START_TEST(test_left_otherwise)
{
	call(1, STACK); /* longjmp() */
	call(2, STACK);
	ends_with("longjmp");
	set_up();
	call(1, STACK);
	call(2, STACK - 64);
	back(3, STACK);
	ends_with("does not fit");
	set_up();
	back(3, STACK);
	ends_with("does not fit");
	set_up();
	for (uint64_t i = 0; i < UPROBE_DEPTH_MAX; i++) {
		call(1, STACK - 64 * i);
		take(false, HUGE_VAL);
	}
	ck_assert_ptr_null(calls.why);
	call(1, STACK - 64 * UPROBE_DEPTH_MAX);
	ends_with("64 times");
}
END_TEST

START_TEST(test_lost)
{
	call(1, STACK);
	back(2, STACK);
	hits[CALL]++;
	call(3, STACK);
	ends_with("records are lost");
	set_up();
	call(1, STACK);
	put_header(PERF_RECORD_LOST, 24);
	put(41);
	put(1);
	ends_with("records are lost");
	ck_assert_uint_eq(calls.calls, 1);
	set_up();
	put_header(PERF_RECORD_THROTTLE, 8); /* means nothing */
	call(1, STACK);
	take(false, HUGE_VAL);
	ck_assert_ptr_null(calls.why);
}
END_TEST

/* Any header: it ends, and reads nothing that is not in the ring. */
START_TEST(test_damaged)
{
	static const uint16_t sizes[] = { 0, 1, 7, 12, 40, 56, 4096, 65535 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		set_up();
		call(1, STACK);
		put_header(PERF_RECORD_SAMPLE, sizes[i]);
		to += 40;
		ends_with("damaged");
	}
	set_up();
	call(1, STACK);
	words[(from / 8 + 1) % WORDS] = 43; /* whose? */
	ends_with("damaged");
	set_up();
	call(1, STACK);
	words[(from / 8 + 4) % WORDS] = PERF_SAMPLE_REGS_ABI_NONE;
	ends_with("stack");
	set_up();
	to = from + BYTES + 8;
	ends_with("damaged");
	set_up();
	to = from - 8;
	ends_with("damaged");
	set_up();
	from += 4;
	to = from + 48;
	ends_with("damaged");
	srand(1);
	for (int i = 0; i < 20000; i++) {
		set_up();
		for (size_t w = 0; w < WORDS; w++)
			words[w] = rand() % 3 ? (uint64_t)(rand() % 64) << 48
					      : (uint64_t)rand() * rand();
		to = from + (uint64_t)(rand() % (2 * BYTES));
		take(i % 2, i % 4 ? 8 : HUGE_VAL);
		ck_assert_int_ge(calls.depth, 0);
		ck_assert_int_le(calls.depth, UPROBE_DEPTH_MAX);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_calls,          test_within_mpi,
				       test_clock_drifts,   test_too_often,
				       test_left_otherwise, test_lost,
				       test_damaged,        NULL };

	return suite_run_each("uprobe_ring", tests, set_up, NULL);
}
