/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_whatif_answer.c - four ranks of unequal work on other nodes */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/whatif/whatif_answer.h"
#include "tests/unit/suite.h"

#define RANKS 4
#define TOL   1e-9

/* Work 2 : 5 : 4 : 3, no messages; two ranks on n1, two on n2 of half the
 * speed, a core each node. */
static struct run_trace make_run(void)
{
	static const double work_s[RANKS] = { 2, 5, 4, 3 };
	static struct trace_event ends[RANKS];
	struct trace_event *events[RANKS];
	int counts[RANKS] = { 1, 1, 1, 1 };
	struct run_trace run = {
		.application = "unequal",
		.runtime_s = 15.4, /* replayed: 14 */
		.rendezvous_bytes = 65536,
		.nodes_count = 2,
		.nodes = calloc(2, sizeof(*run.nodes)),
		.links = calloc(4, sizeof(*run.links)),
		.ranks = RANKS,
		.whole = true,
		.node = calloc(RANKS, sizeof(*run.node)),
	};

	run.nodes[0] = (struct traced_node){ "n1", 1, 1, 1, 0 };
	run.nodes[1] = (struct traced_node){ "n2", 1, .5, 1, 0 };
	for (int i = 0; i < 4; i++)
		run.links[i] = RUN_TRACE_FAR;
	for (int r = 0; r < RANKS; r++) {
		ends[r] = (struct trace_event){ .work_s = work_s[r],
						.call = CALL_END };
		events[r] = &ends[r];
		run.node[r] = r / 2;
	}
	ck_assert_int_eq(run_trace_match(&run, events, counts, false, NULL), 0);
	return run;
}

static struct whatif_answer find(const struct run_trace *run,
				 struct whatif_question question)
{
	struct whatif_answer answer;
	struct sp_error err;

	question.deadline_s = 20;
	ck_assert_msg(!whatif_answer_find(run, &question, &answer, &err), "%s",
		      err.text);
	if (answer.traces == 1)
		ck_assert_double_eq_tol(answer.here_s, run->runtime_s, TOL);
	return answer;
}

START_TEST(test_place)
{
	struct run_trace run = make_run();
	struct whatif_answer answer =
		find(&run, (struct whatif_question){ .place = "n2:1,n1:3" });

	ck_assert_str_eq(answer.names[0], "n2");
	ck_assert_str_eq(answer.names[3], "n1");
	/* 5 + 4 + 3 on one core. */
	ck_assert_double_eq_tol(answer.there_s, 12 + 1.4, TOL);
	ck_assert(answer.denser);
	ck_assert_double_eq_tol(answer.factor, 1.1, TOL);
	whatif_answer_clear(&answer);

	/* New nodes have a core for each of their ranks. */
	answer = find(&run, (struct whatif_question){ .place = "n[7-8]:2" });
	ck_assert_double_eq_tol(answer.there_s, 5 + 1.4, TOL);
	ck_assert(!answer.denser);
	whatif_answer_clear(&answer);
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_nodes)
{
	struct run_trace run = make_run();
	struct whatif_answer answer =
		find(&run, (struct whatif_question){ .nodes = "n2,n1,n9" });

	ck_assert_str_eq(answer.names[1], "n2");
	ck_assert_str_eq(answer.names[2], "n1");
	ck_assert_double_eq_tol(answer.there_s, 14 + 1.4, TOL);
	whatif_answer_clear(&answer);
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_search)
{
	struct run_trace run = make_run();
	struct whatif_answer answer =
		find(&run, (struct whatif_question){ .best = true });

	/* Two for each node: 2 + 3 on n2, 5 + 4 on n1. */
	ck_assert_double_eq_tol(answer.there_s, 10 + 1.4, 1e-4);
	whatif_answer_clear(&answer);

	answer = find(&run, (struct whatif_question){ .swap = true });
	/* 2 for 4: 2 + 3 on n2. */
	ck_assert_double_eq_tol(answer.there_s, 10 + 1.4, 1e-4);
	ck_assert_int_eq(answer.swap[0], 0);
	ck_assert_int_eq(answer.swap[1], 2);
	whatif_answer_clear(&answer);

	/* The fastest of them, alone. */
	answer = find(&run, (struct whatif_question){ .best = true,
						      .best_nodes = 1 });
	ck_assert_str_eq(answer.names[3], "n1");
	ck_assert_double_eq_tol(answer.there_s, 14 + 1.4, 1e-4);
	whatif_answer_clear(&answer);
	run_trace_clear(&run);
}
END_TEST

static double width(const struct run_trace *run, const char *place,
		    struct whatif_answer *ret)
{
	*ret = find(run, (struct whatif_question){ .place = place });
	ck_assert_double_lt(ret->low_s, ret->there_s);
	ck_assert_double_gt(ret->high_s, ret->there_s);
	free(ret->node);
	free(ret->names);
	traced_place_clear(&ret->place);
	return ret->high_s / ret->low_s;
}

/* The interval holds what is added and what would be multiplied, and is wider
 * for ranks that are closer together. */
START_TEST(test_interval)
{
	struct run_trace run = make_run();
	struct whatif_answer same, far, near;
	double same_width = width(&run, "n1:2,n2:2", &same);
	double far_width = width(&run, "n[7-8]:2", &far);

	ck_assert_double_gt(far_width, same_width);
	ck_assert_double_gt(width(&run, "n7:4", &near), far_width);
	/* 14 s that the trace does not have: 5 s there are 10 or 19. */
	run.runtime_s = 28;
	width(&run, "n[7-8]:2", &far);
	ck_assert_double_lt(far.low_s, 10);
	ck_assert_double_gt(far.high_s, 19);
	run_trace_clear(&run);
}
END_TEST

/* A run before that did the same has a say; one that did more has none. */
START_TEST(test_before)
{
	struct run_trace run = make_run();
	struct whatif_answer answer;

	run.before = malloc(sizeof(*run.before));
	*run.before = make_run();
	run.before->runtime_s = 19.6; /* 5.6 s longer than replayed */
	answer = find(&run, (struct whatif_question){ .place = "n[7-8]:2" });
	ck_assert_int_eq(answer.traces, 2);
	ck_assert_double_eq_tol(answer.there_s, sqrt((5 + 1.4) * (5 + 5.6)),
				TOL);
	/* The gain is that of the newest. */
	ck_assert_double_eq_tol(answer.here_s / answer.there_s,
				15.4 / (5 + 1.4), TOL);
	ck_assert_double_lt(answer.low_s, answer.there_s);
	ck_assert_double_gt(answer.high_s, answer.there_s);
	whatif_answer_clear(&answer);

	answer = find(&run, (struct whatif_question){ .swap = true });
	ck_assert_int_eq(answer.traces, 1);
	whatif_answer_clear(&answer);

	run.before->trace->events[0].work_s += 8;
	answer = find(&run, (struct whatif_question){ .place = "n[7-8]:2" });
	ck_assert_int_eq(answer.traces, 1);
	ck_assert_double_eq_tol(answer.there_s, 5 + 1.4, TOL);
	whatif_answer_clear(&answer);

	/* One that could not be decoded, each time. */
	matched_trace_destroy(run.before->trace);
	run.before->trace = NULL;
	for (int i = 0; i < 2; i++) {
		answer = find(&run,
			      (struct whatif_question){ .place = "n[7-8]:2" });
		ck_assert_int_eq(answer.traces, 1);
		whatif_answer_clear(&answer);
	}
	run_trace_clear(&run);
}
END_TEST

START_TEST(test_refused)
{
	struct run_trace run = make_run();
	struct whatif_question question = { .place = "n1:3", .deadline_s = 20 };
	struct whatif_answer answer;
	struct sp_error err;

	ck_assert_int_eq(whatif_answer_find(&run, &question, &answer, &err),
			 -1);
	ck_assert_str_eq(err.text, "a placement of 3 ranks; the run had 4");

	/* One of several programs, of which only the job's time is known. */
	run.job_id = 12;
	run.programs = 3;
	run.ran_s = NAN;
	strcpy(run.program, "heat");
	question.place = "n1:4";
	ck_assert_int_eq(whatif_answer_find(&run, &question, &answer, &err),
			 -1);
	ck_assert_str_eq(err.text,
			 "job 12 ran 3 MPI programs, and the trace of this one "
			 "(heat) has no end that says how long it ran");
	run_trace_clear(&run);
}
END_TEST

/* Two ranks exchange enough messages for a replay to look at its limit:
 * what the answer needs fails, a search ends with the best so far. */
START_TEST(test_limit)
{
	enum { COUNT = 2 * WORK_LIMIT_STEPS };
	static struct trace_event all[2][COUNT];
	struct trace_event *events[] = { all[0], all[1] };
	int counts[] = { COUNT, COUNT };
	struct work_limit limit = work_limit_begin(1000, 1000);
	struct whatif_question question = { .best = true };
	struct run_trace run = make_run();
	struct whatif_answer answer;
	struct sp_error err;

	for (int r = 0; r < 2; r++) {
		for (int i = 0; i < COUNT; i++)
			all[r][i] = (struct trace_event){
				.work_s = .001,
				.call = i % 2 == r ? CALL_SEND : CALL_RECEIVE,
				.peer = 1 - r,
			};
		all[r][COUNT - 1] = (struct trace_event){ .work_s = 1 + r,
							  .call = CALL_END };
	}
	all[0][COUNT - 2].call = CALL_ALL;
	all[1][COUNT - 2].call = CALL_ALL;
	matched_trace_destroy(run.trace);
	run.ranks = 2;
	run.node[1] = 1;
	run.limit = &limit;
	ck_assert_msg(!run_trace_match(&run, events, counts, false, &err), "%s",
		      err.text);

	/* With no time for a search. */
	question.deadline_s = -1;
	ck_assert_int_eq(whatif_answer_find(&run, &question, &answer, &err), 0);
	ck_assert(answer.cut);
	whatif_answer_clear(&answer);
	question.deadline_s = 1000;
	ck_assert_int_eq(whatif_answer_find(&run, &question, &answer, &err), 0);
	ck_assert(!answer.cut);
	ck_assert_double_le(answer.there_s, answer.here_s * (1 + TOL));
	whatif_answer_clear(&answer);

	limit = work_limit_begin(-1, 1000);
	ck_assert_int_eq(whatif_answer_find(&run, &question, &answer, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "too long"));
	run_trace_clear(&run);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_place,    test_nodes,  test_search,
				       test_interval, test_before, test_refused,
				       test_limit,    NULL };

	return suite_run("whatif_answer", tests);
}
