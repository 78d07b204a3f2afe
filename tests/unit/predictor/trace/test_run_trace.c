/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_run_trace.c - whether a procedure's work is known, from what its
 * ranks say */
#include <string.h>

#include "predictor/trace/run_trace.h"
#include "tests/unit/suite.h"

static const struct procedure_measure hooks = { "f", MEASURED_BY_HOOKS, 3, "" },
				      uprobes = { "f", MEASURED_BY_UPROBES, 5,
						  "" },
				      never = { "f", MEASURED_BY_UPROBES, 0,
						"" },
				      stopped = { "f", MEASURED_BY_UPROBES, 7,
						  "too often" },
				      refused = { "f", MEASURED_NOT, 0,
						  "stripped" },
				      absent = { "f", MEASURED_ABSENT, 0, "" },
				      old = { "", MEASURED_NOT, 0, "" };

/* Two ranks of 2 s, of which 1.5 s in the procedure, as far as it
 * was measured. */
static void match(const struct procedure_measure *a,
		  const struct procedure_measure *b, const char *why)
{
	struct trace_event *events[2];
	struct traced_node nodes[] = { { "n1", 2, 1, .5, 0 } };
	int counts[] = { 1, 1 }, node[] = { 0, 0 };
	struct run_trace run = { .runtime_s = 4,
				 .nodes_count = 1,
				 .nodes = nodes,
				 .ranks = 2,
				 .node = node,
				 .whole = true };
	struct trace_event ends[2] = {
		{ .work_s = 2, .procedure_s = 1.5, .call = CALL_END },
		{ .work_s = 2, .procedure_s = 1.5, .call = CALL_END },
	};

	events[0] = &ends[0];
	events[1] = &ends[1];
	run_trace_add_measure(&run, 0, a);
	run_trace_add_measure(&run, 1, b);
	ck_assert_int_eq(run_trace_match(&run, events, counts, false, NULL), 0);
	ck_assert_str_eq(run.unmeasured, why);
	ck_assert_double_eq_tol(run.trace->events[1].procedure_s,
				*why ? 0 : .75, 1e-12);
	ck_assert_double_eq_tol(run.trace->events[1].work_s, 1, 1e-12);
	ck_assert_str_eq(run.procedure, *a->name ? a->name : b->name);
	ck_assert_uint_eq(run.calls, a->calls + b->calls);
	matched_trace_destroy(run.trace);
}

START_TEST(test_measured)
{
	match(&hooks, &hooks, "");
	match(&uprobes, &hooks, "");
	match(&absent, &uprobes, "");
	match(&uprobes, &never, "");
	match(&old, &old, "");
}
END_TEST

START_TEST(test_unmeasured)
{
	match(&uprobes, &stopped, "rank 1: too often");
	match(&refused, &stopped, "rank 0: stripped");
	match(&absent, &refused, "rank 1: stripped");
	match(&absent, &absent,
	      "the program has no function of that name: it may be inlined");
	match(&never, &absent, "it was never called");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_measured, test_unmeasured, NULL };

	return suite_run("run_trace", tests);
}
