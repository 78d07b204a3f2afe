/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_outcome.c - how a run ended, from what the node saw and
 * slurmctld says */
#include <math.h>
#include <string.h>

#include "collectors/runs/outcome.h"
#include "tests/unit/suite.h"

#define T 1795000000.0

static struct open_job job;
static struct slurm_job reply;

/* A job of the head node, which saw it run from 10.25 to 40.75 s; slurmctld has
 * whole seconds. */
static void begin(void)
{
	open_job_init(&job);
	job.job_id = 12;
	job.user_id = 1000;
	job.position = POSITION_HEAD;
	strcpy(job.nodes, "n[1-2]");
	strcpy(job.cluster, "big");
	strcpy(job.partition, "main");
	strcpy(job.prediction_id, "0123456789abcdef");
	job.restarts = 0;
	job.node_started_s = T + 10.25;
	job.node_ended_s = T + 40.75;
	reply = (struct slurm_job){ .phase = SLURM_ENDED };
	reply.run.state = RUN_COMPLETED;
	reply.run.submitted_at_s = T;
	reply.run.started_at_s = T + 10;
	reply.run.ended_at_s = T + 41;
}

static void end(void)
{
}

/* What slurmctld's reply means for the attempt that the node saw. */
START_TEST(test_which_attempt)
{
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_ENDED);
	reply.restarts = 1;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_REQUEUED);
	job.restarts = 1;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_ENDED);
	job.restarts = -1; /* not known: none */
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_REQUEUED);
	reply.restarts = 0;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_ENDED);
	/* Submitted after it ran here, by more than clocks differ. */
	reply.run.submitted_at_s = T + 15;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_ENDED);
	reply.run.submitted_at_s = T + 15.5;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_FOREIGN);
}
END_TEST

START_TEST(test_phases)
{
	reply.phase = SLURM_ENDING;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_OPEN);
	reply.phase = SLURM_WAITING;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_REQUEUED);
	reply.phase = SLURM_RUNNING;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_OPEN);
	job.superseded = true;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_REQUEUED);
	job.superseded = false;
	/* It started again since slurmctld's record of it. */
	job.has_run = true;
	job.run.started_at_s = T + 5;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_OPEN);
	job.run.started_at_s = T + 4.9;
	ck_assert_int_eq(outcome_of(&job, &reply), OUTCOME_REQUEUED);
}
END_TEST

/* The state is slurmctld's: who was ended by a limit did not complete. */
START_TEST(test_state)
{
	struct run run;

	for (int state = 0; state < RUN_STATES; state++) {
		reply.run.state = (enum run_state)state;
		outcome_ended(&job, &reply, &run);
		ck_assert_int_eq(run.state, state);
	}
}
END_TEST

static double runtime_s(void)
{
	struct run run;

	outcome_ended(&job, &reply, &run);
	ck_assert_double_eq(run.started_at_s, reply.run.started_at_s);
	return run.ended_at_s - run.started_at_s;
}

/* The node's clock is finer, but counts only where it may be the same time. */
START_TEST(test_clocks)
{
	ck_assert_double_eq(runtime_s(), 30.5);
	job.position = POSITION_DEPUTY;
	ck_assert_double_eq(runtime_s(), 31);
	job.position = POSITION_HEAD;
	/* Slurm's is 2 s longer or shorter at most. */
	reply.run.ended_at_s = T + 42.5;
	ck_assert_double_eq(runtime_s(), 30.5);
	reply.run.ended_at_s = T + 42.75;
	ck_assert_double_eq(runtime_s(), 32.75);
	reply.run.ended_at_s = T + 38.5;
	ck_assert_double_eq(runtime_s(), 30.5);
	reply.run.ended_at_s = T + 38;
	ck_assert_double_eq(runtime_s(), 28);
	/* A batch script's end may be a minute before slurmctld's. */
	job.script_ended_s = T + 20.25;
	reply.run.ended_at_s = T + 80;
	ck_assert_double_eq(runtime_s(), 10);
	reply.run.ended_at_s = T + 80.5;
	ck_assert_double_eq(runtime_s(), 70.5);
	reply.run.ended_at_s = T + 20;
	ck_assert_double_eq(runtime_s(), 10);
	reply.run.ended_at_s = T + 17;
	ck_assert_double_eq(runtime_s(), 7);
	/* A clock that went back. */
	job.script_ended_s = T + 10;
	reply.run.ended_at_s = T + 11;
	ck_assert_double_eq(runtime_s(), 1);
}
END_TEST

/* A suspension is no longer than the node's own time; the next attempt's is not
 * that of one that was requeued. */
START_TEST(test_suspended)
{
	struct run run;

	reply.run.suspended_s = 7;
	outcome_ended(&job, &reply, &run);
	ck_assert_double_eq(run_runtime_s(&run), 23.5);
	reply.run.suspended_s = 31;
	outcome_ended(&job, &reply, &run);
	ck_assert_double_eq(run_runtime_s(&run), 0);
	outcome_requeued(&job, &reply, T + 99, &run);
	ck_assert_double_eq(run.suspended_s, 0);
}
END_TEST

/* What slurmctld has forgotten comes from the node, and from its
 * first record. */
START_TEST(test_completes)
{
	struct run run;

	reply.run.started_at_s = reply.run.submitted_at_s = NAN;
	reply.run.ended_at_s = NAN;
	job.has_run = true;
	job.run.started_at_s = T + 9;
	strcpy(job.run.prediction_id, "fedcba9876543210");
	outcome_ended(&job, &reply, &run);
	ck_assert_double_eq(run.started_at_s, T + 9);
	ck_assert_double_eq(run.submitted_at_s, T + 9);
	ck_assert_double_eq(run.ended_at_s - run.started_at_s, 30.5);
	ck_assert_str_eq(run.cluster, "big");
	ck_assert_str_eq(run.partition, "main");
	ck_assert_str_eq(run.node_list, "n[1-2]");
	ck_assert_str_eq(run.prediction_id, "fedcba9876543210");
	ck_assert_uint_eq(run.nodes, 2);
	ck_assert_uint_eq(run.job_id, 12);
	ck_assert_uint_eq(run.user_id, 1000);
	/* Nor does it end before it starts. */
	job.has_run = false;
	job.nodes[0] = '\0';
	reply.run.started_at_s = T + 50;
	reply.run.submitted_at_s = T + 1;
	job.node_ended_s = T + 40;
	outcome_ended(&job, &reply, &run);
	ck_assert_double_eq(run.ended_at_s, T + 50);
	ck_assert_double_eq(run.submitted_at_s, T + 1);
	ck_assert_str_eq(run.prediction_id, "0123456789abcdef");
	ck_assert_uint_eq(run.nodes, 1);
	strcpy(reply.run.prediction_id, "00000000000000aa");
	strcpy(reply.run.cluster, "other");
	reply.run.nodes = 7;
	outcome_ended(&job, &reply, &run);
	ck_assert_str_eq(run.prediction_id, "00000000000000aa");
	ck_assert_str_eq(run.cluster, "other");
	ck_assert_uint_eq(run.nodes, 7);
}
END_TEST

/* Slurm's record is the next attempt's: times and nodes are the node's own. */
START_TEST(test_requeued)
{
	struct run run;

	reply.run.nodes = 5;
	reply.run.exit_code = 3;
	reply.run.exit_signal = 9;
	strcpy(reply.run.node_list, "n[5-9]");
	outcome_requeued(&job, &reply, T + 99, &run);
	ck_assert_int_eq(run.state, RUN_REQUEUED);
	ck_assert_int_eq(run.exit_code, 0);
	ck_assert_int_eq(run.exit_signal, 0);
	ck_assert_str_eq(run.node_list, "n[1-2]");
	ck_assert_uint_eq(run.nodes, 2);
	ck_assert_double_eq(run.started_at_s, T + 10);
	ck_assert_double_eq(run.ended_at_s, T + 40.75);
	job.node_ended_s = NAN;
	job.has_run = true;
	job.run.started_at_s = T + 8;
	job.run.submitted_at_s = T + 2;
	job.run.nodes = 3;
	strcpy(job.run.node_list, "n[1-3]");
	outcome_requeued(&job, &reply, T + 99, &run);
	ck_assert_str_eq(run.node_list, "n[1-3]");
	ck_assert_double_eq(run.started_at_s, T + 8);
	ck_assert_double_eq(run.submitted_at_s, T + 2);
	ck_assert_double_eq(run.ended_at_s, T + 99);
}
END_TEST

/* Slurm has forgotten the job: it completed only if all that was seen
 * says so. */
START_TEST(test_lost)
{
	static const struct {
		int exit_code, signal;
		uint32_t tasks;
		bool superseded;
		enum run_state state;
		int ret_code, ret_signal;
	} cases[] = {
		{ 0, 0, 2, false, RUN_COMPLETED, 0, 0 },
		{ 3, 0, 2, false, RUN_FAILED, 3, 0 },
		{ 0, 9, 2, false, RUN_LOST, 0, 9 },
		{ 0, 0, 0, false, RUN_LOST, 0, 0 },
		{ -1, 0, 2, false, RUN_LOST, 0, 0 },
		{ 0, 0, 2, true, RUN_LOST, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run;

		job.exit_code = cases[i].exit_code;
		job.signal = cases[i].signal;
		job.tasks = cases[i].tasks;
		job.superseded = cases[i].superseded;
		job.run.exit_code = 77;
		outcome_lost(&job, T + 99, &run);
		ck_assert_int_eq(run.state, cases[i].state);
		ck_assert_int_eq(run.exit_code, cases[i].ret_code);
		ck_assert_int_eq(run.exit_signal, cases[i].ret_signal);
		ck_assert_double_eq(run.ended_at_s, T + 40.75);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_which_attempt, test_phases,    test_state,
		test_clocks,        test_suspended, test_completes,
		test_requeued,      test_lost,      NULL,
	};

	return suite_run_each("outcome", tests, begin, end);
}
