/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_jobs.c - jobs from their first event to their record */
#include <math.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/runs/jobs.h"
#include "collectors/runs/spool.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "predictor/slurm/slurm_job.h"
#include "predictor/wire/wire.h"
#include "tests/squeue_print.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct spool *spool;
static struct jobs *jobs;
static double now_s; /* of the monotonic clock, as the jobs get it */

static void open_all(void)
{
	struct sp_error err;

	spool = spool_open(folder, 1 << 20, &err);
	ck_assert_msg(spool != NULL, "%s", err.text);
	jobs = jobs_create(spool, "big", "n1");
	jobs_load(jobs, now_s);
}

static void close_all(void)
{
	jobs_destroy(jobs);
	spool_close(spool);
}

static void begin(void)
{
	folder_make();
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	now_s = 1000;
	open_all();
}

static void end(void)
{
	close_all();
	folder_remove();
}

static void tell(enum job_event_kind kind, double time_s, const char *nodes,
		 int restarts)
{
	struct job_event event = { .kind = kind,
				   .job_id = 12,
				   .user_id = 1000,
				   .time_s = time_s,
				   .node = "n1",
				   .restarts = restarts,
				   .exit_code = kind == JOB_ENDED ? 0 : -1 };
	struct sp_error err;

	strcpy(event.nodes, nodes);
	ck_assert_msg(!jobs_event(jobs, &event, now_s, &err), "%s", err.text);
}

/* What slurmctld says of job 12. */
static const char *admin_comment = "", *command = "";

/* What slurmctld says of job 12; times after 1795000000. */
static void answer(const char *state, int restarts, int submit, int start,
		   int finish)
{
	char text[SQUEUE_RECORD_SIZE], numbers[4][16];
	const int of_times[] = { submit, start, finish };
	struct squeue_args args;
	size_t size = 0;

	snprintf(numbers[3], sizeof(numbers[3]), "%d", restarts);
	for (int i = 0; i < 3; i++)
		snprintf(numbers[i], sizeof(numbers[i]), "%d",
			 of_times[i] + 1795000000);

	const struct squeue_value values[] = {
		{ "jobid", "12" },
		{ "arrayjobid", "12" },
		{ "arraytaskid", "N/A" },
		{ "userid", "1000" },
		{ "username", "alice" },
		{ "partition", "main" },
		{ "state", state },
		{ "restartcnt", numbers[3] },
		{ "exit_code", "0" },
		{ "timelimit", "1:00:00" },
		{ "submittime", numbers[0] },
		{ "starttime", numbers[1] },
		{ "endtime", numbers[2] },
		{ "numnodes", "2" },
		{ "numcpus", "2" },
		{ "numtasks", "2" },
		{ "name", "j" },
		{ "admin_comment", admin_comment },
		{ "command", command },
		{ "nodelist", "n[1-2]" },
		{ NULL, NULL },
	};

	slurm_job_args("squeue", "12", &args);
	squeue_print(args.format, values, text, &size);
	jobs_answer(jobs, 12, ANSWER_JOB, text, size, now_s);
}

#define T(seconds) (1795000000 + (seconds))

/* Go to when the next question is due. */
static void wait_for_question(double at_most_s)
{
	uint32_t job_id = 0;
	double at_s = jobs_ask_at_s(jobs, &job_id);

	ck_assert_uint_eq(job_id, 12);
	ck_assert_double_ge(at_s, now_s);
	ck_assert_double_le(at_s - now_s, at_most_s);
	now_s = fmax(now_s, at_s);
}

static struct run take_run(size_t index)
{
	struct sp_error err;
	struct run run;
	char *text;
	size_t size;

	ck_assert_uint_lt(index, spool_count(spool));
	ck_assert_int_eq(spool_at(spool, index).kind, RECORD_RUN);
	ck_assert_int_eq(spool_read(spool, index, &text, &size, &err), 0);

	struct json_object *object = wire_parse(text, size, &err);

	ck_assert_msg(object && !wire_run_decode(object, &run, &err), "%s",
		      err.text);
	json_object_put(object);
	free(text);
	spool_done(spool, index);
	return run;
}

static struct run_share take_share(size_t index)
{
	struct sp_error err;
	struct run_share share;
	char *text;
	size_t size;

	ck_assert_uint_lt(index, spool_count(spool));
	ck_assert_int_eq(spool_at(spool, index).kind, RECORD_SHARE);
	ck_assert_int_eq(spool_read(spool, index, &text, &size, &err), 0);

	struct json_object *object = wire_parse(text, size, &err);

	ck_assert_msg(object && !wire_share_decode(object, &share, &err), "%s",
		      err.text);
	json_object_put(object);
	free(text);
	spool_done(spool, index);
	return share;
}

START_TEST(test_head_from_start_to_end)
{
	begin();
	tell(JOB_STARTED, T(10.25), "n[1-2]", 0);
	tell(JOB_STARTED, T(10.25), "n[1-2]", 0); /* reported twice */
	ck_assert_uint_eq(jobs_count(jobs), 1);
	wait_for_question(1);
	answer("RUNNING", 0, 3, 10, 3610);

	struct run run = take_run(0);

	ck_assert_int_eq(run.state, RUN_RUNNING);
	ck_assert_double_eq(run.started_at_s, T(10));
	ck_assert_str_eq(run.cluster, "big");
	/* Not announced again. */
	wait_for_question(300);
	answer("RUNNING", 0, 3, 10, 3610);
	ck_assert_uint_eq(spool_count(spool), 0);

	folder_put("steps/12-1795000017.000000", "1795000015 0 7 0 2.5 2048\n");
	folder_put("steps/12",
		   "1795000016 0 8 0 9.5 2048\n"); /* of a later job */
	jobs_memory(jobs, 12, &(struct job_memory){ 77, NAN, NAN, NAN });
	tell(JOB_ENDED, T(17), "n[1-2]", 1);

	struct run_share share = take_share(0);

	ck_assert_double_eq(share.cpu_s, 2.5);
	ck_assert_double_eq(share.peak_memory_mb, 77);
	ck_assert_uint_eq(share.tasks, 1);
	tell(JOB_ENDED, T(17), "n[1-2]", 1); /* reported twice */
	ck_assert_uint_eq(jobs_count(jobs), 1);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_str_eq(share.node, "n1");
	ck_assert_int_eq(
		access(folder_path("steps/12-1795000017.000000"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("steps/12"), F_OK), 0);
	wait_for_question(1);
	answer("COMPLETING", 0, 3, 10, 17);
	wait_for_question(1);
	ck_assert_uint_eq(spool_count(spool), 0);
	answer("COMPLETED", 0, 3, 10, 17);
	run = take_run(0);
	ck_assert_int_eq(run.state, RUN_COMPLETED);
	ck_assert_double_eq(run.started_at_s, T(10));
	/* The node's own measure of how long it took. */
	ck_assert_double_eq_tol(run.ended_at_s, T(16.75), 1e-6);
	ck_assert_uint_eq(jobs_count(jobs), 0);
	end();
}
END_TEST

/* Return the share of a job after a sample of its memory, and a line of its
 * largest process; NULL: none. */
static struct run_share share_with(const char *task, struct job_memory sample)
{
	struct run_share share;

	begin();
	tell(JOB_STARTED, T(10), "n[1-2]", 0);
	if (task)
		folder_put("steps/12-1795000017.000000", task);
	jobs_memory(jobs, 12, &sample);
	tell(JOB_ENDED, T(17), "n[1-2]", 1);
	share = take_share(0);
	end();
	return share;
}

/* The largest process had 2048 MB, and its group 3072 with files. */
static struct run_share share_of(struct job_memory sample)
{
	return share_with("1795000015 0 7 0 2.5 2097152 3145728\n", sample);
}

START_TEST(test_memory_that_counts)
{
	/* Its processes share some; of the largest one 1800 are of a file. */
	struct run_share share =
		share_of((struct job_memory){ 9000, 300, 1800, 3000 });

	ck_assert_double_eq(share.peak_memory_mb, 300);
	ck_assert_double_eq(share.own_memory_mb, 300);
	ck_assert_double_eq(share.task_memory_mb, 2048);
	ck_assert_double_eq(share.cached_memory_mb, 3072);
	/* A peak that no sample has met. */
	share = share_of((struct job_memory){ 40, 50, 8, NAN });
	ck_assert_double_eq(share.peak_memory_mb, 2040);
	ck_assert_double_eq(share.own_memory_mb, 50);
	/* What is mapped is not known. */
	share = share_of((struct job_memory){ 40, 50, NAN, NAN });
	ck_assert_double_eq(share.peak_memory_mb, 2048);
	/* No group. */
	share = share_of((struct job_memory){ 9000, NAN, NAN, NAN });
	ck_assert_double_eq(share.peak_memory_mb, 9000);
	ck_assert_double_nan(share.own_memory_mb);
	/* No task line: its page cache does not count. */
	share = share_with(NULL, (struct job_memory){ 9000, 300, 1800, 3000 });
	ck_assert_double_eq(share.peak_memory_mb, 300);
	ck_assert_double_eq(share.cached_memory_mb, 3000);
	ck_assert_double_nan(share.task_memory_mb);
	share = share_with(NULL, (struct job_memory){ 9000, NAN, NAN, NAN });
	ck_assert_double_eq(share.peak_memory_mb, 9000);
}
END_TEST

/* As the plugin names the file when job 12 ends. */
static void put_steps(double ended_at_s, const char *steps)
{
	char name[64];

	snprintf(name, sizeof(name), "steps/12-%.6f", ended_at_s);
	folder_put(name, steps);
}

/* Run job 12 to its end as slurmctld sees it, from 10 to 44.  Return the run
 * time recorded. */
static double recorded_runtime_s(double node_started_s, double node_ended_s,
				 const char *steps)
{
	struct run run;

	begin();
	tell(JOB_STARTED, T(node_started_s), "n[1-2]", 0);
	wait_for_question(1);
	answer("RUNNING", 0, 3, 10, 3610);
	take_run(0);
	put_steps(T(node_ended_s), steps);
	tell(JOB_ENDED, T(node_ended_s), "n[1-2]", 0);
	take_share(0);
	/* What a collector before has seen must do. */
	close_all();
	open_all();
	wait_for_question(1);
	answer("COMPLETED", 0, 3, 10, 44);
	run = take_run(0);
	ck_assert_double_eq(run.started_at_s, T(10));
	end();
	return run_runtime_s(&run);
}

/* Messages of a busy node arrive late. */
START_TEST(test_exact_ends)
{
	static const char script[] = "1795000038 0 8 0 1 1\n"
				     "1795000040.875 4294967291 7 0 2.5 2048\n";
	static const char step[] = "1795000040.875 0 7 0 2.5 2048\n";

	ck_assert_double_eq_tol(recorded_runtime_s(13.25, 46.5, script), 27.625,
				1e-5);
	ck_assert_double_eq_tol(recorded_runtime_s(10.5, 44.25, script), 30.375,
				1e-5);
	/* Without a script the node's time counts where it fits. */
	ck_assert_double_eq_tol(recorded_runtime_s(10.5, 44.25, step), 33.75,
				1e-5);
	ck_assert_double_eq(recorded_runtime_s(13.25, 44.25, step), 34);
	/* A clock was set. */
	ck_assert_double_eq(recorded_runtime_s(3.5, 44.25, script), 34);
}
END_TEST

/* predictd did not reply at the submission: the script says which application
 * it is. */
static void record_missed(bool of_prolog)
{
	static const char script[] = "#!/bin/sh\nsrun ./heat2d -m 7 $@\n";
	struct job_event event = { .kind = JOB_STARTED,
				   .job_id = 12,
				   .user_id = 1000,
				   .time_s = T(10.25),
				   .node = "n1",
				   .nodes = "n[1-2]",
				   .submission.parameters = "cells=30 steps=4",
				   .exit_code = -1 };
	struct application application;
	struct sp_error err;
	struct run run;

	admin_comment = "x,predict=missed";
	/* squeue of 24.11 has no arguments; the prolog has them. */
	command =
		of_prolog ? "/home/alice/job.sh" : "/home/alice/job.sh -n 500";
	if (of_prolog)
		strcpy(event.submission.arguments, "/home/alice/job.sh -n 500");
	begin();
	ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), 0);
	wait_for_question(1);
	ck_assert(!jobs_want_script(jobs, 12));
	answer("RUNNING", 0, 3, 10, 3610);
	ck_assert_uint_eq(spool_count(spool), 0);
	wait_for_question(0);
	ck_assert(jobs_want_script(jobs, 12));
	jobs_script(jobs, 12, script, now_s);
	ck_assert(!jobs_want_script(jobs, 12));
	wait_for_question(0);
	answer("RUNNING", 0, 3, 10, 3610);
	run = take_run(0);
	ck_assert_int_eq(run.state, RUN_RUNNING);
	ck_assert_str_eq(run.application.name, "heat2d");
	ck_assert_int_eq(run.application.parameters.count, 4);
	application = run.application;
	/* The same at its end. */
	tell(JOB_ENDED, T(17), "n[1-2]", 0);
	take_share(0);
	wait_for_question(1);
	answer("COMPLETED", 0, 3, 10, 17);
	run = take_run(0);
	ck_assert_str_eq(run.application.name, application.name);
	ck_assert_uint_eq(jobs_count(jobs), 0);

	/* A job that ended before the first reply, without a script. */
	ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), 0);
	tell(JOB_ENDED, T(17), "n[1-2]", 0);
	take_share(0);
	wait_for_question(1);
	answer("COMPLETED", 0, 3, 10, 17);
	ck_assert(jobs_want_script(jobs, 12));
	jobs_script(jobs, 12, NULL, now_s);
	answer("COMPLETED", 0, 3, 10, 17);
	run = take_run(0);
	ck_assert_str_eq(run.application.name, "bash:job.sh");
	end();
	admin_comment = command = "";
}

START_TEST(test_missed_submission)
{
	record_missed(false);
	record_missed(true);
}
END_TEST

/* Somebody overwrote the AdminComment while the job waited; the collector
 * starts anew while it runs. */
START_TEST(test_overwritten_comment)
{
	struct job_event event = { .kind = JOB_STARTED,
				   .job_id = 12,
				   .user_id = 1000,
				   .time_s = T(10.25),
				   .node = "n1",
				   .nodes = "n[1-2]",
				   .prediction_id = "6a0f00112233445f",
				   .exit_code = -1 };
	struct sp_error err;

	admin_comment = "moved by ada";
	begin();
	ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), 0);
	close_all();
	open_all();
	wait_for_question(3);
	answer("RUNNING", 0, 3, 10, 3610);
	ck_assert_str_eq(take_run(0).prediction_id, "6a0f00112233445f");
	tell(JOB_ENDED, T(17), "n[1-2]", 0);
	take_share(0);
	wait_for_question(1);
	answer("COMPLETED", 0, 3, 10, 17);
	ck_assert_str_eq(take_run(0).prediction_id, "6a0f00112233445f");
	end();
	admin_comment = "";
}
END_TEST

START_TEST(test_other_nodes)
{
	begin();
	tell(JOB_STARTED, T(10), "m[1-2],n1", 0); /* the third */
	tell(JOB_ENDED, T(17), "m[1-2],n1", 0);
	take_share(0);
	ck_assert_uint_eq(jobs_count(jobs), 0);
	tell(JOB_ENDED, T(17), "m[1-2],n1", 0); /* reported again */
	ck_assert_uint_eq(jobs_count(jobs), 0);
	ck_assert_uint_eq(spool_count(spool), 0);

	tell(JOB_STARTED, T(10), "m1,n1", 0); /* the deputy */
	wait_for_question(3);
	answer("RUNNING", 0, 3, 10, 3610);
	ck_assert_uint_eq(spool_count(spool), 0);
	tell(JOB_ENDED, T(17), "m1,n1", 0);
	take_share(0);

	double before_s = now_s;

	wait_for_question(60);
	ck_assert_double_ge(now_s, before_s + 59);
	answer("FAILED", 0, 3, 10, 17);
	ck_assert_int_eq(take_run(0).state, RUN_FAILED);
	ck_assert_uint_eq(jobs_count(jobs), 0);
	end();
}
END_TEST

START_TEST(test_requeued)
{
	begin();
	tell(JOB_STARTED, T(10.5), "n1", 0);
	answer("RUNNING", 0, 3, 10, 3610);
	take_run(0);
	tell(JOB_ENDED, T(90), "n1", 1); /* raised before the epilog */
	take_share(0);
	/* The next attempt has begun here before anybody answered. */
	tell(JOB_STARTED, T(95), "n1", 1);
	/* A requeue sets the submit time anew. */
	answer("RUNNING", 1, 90, 94, 3694);
	ck_assert_uint_eq(jobs_count(jobs), 1);

	struct run a = take_run(0), b = take_run(0);

	if (a.state == RUN_RUNNING) {
		struct run swap = a;

		a = b;
		b = swap;
	}
	ck_assert_int_eq(a.state, RUN_REQUEUED);
	ck_assert_double_eq(a.started_at_s, T(10));
	ck_assert_double_eq(a.ended_at_s, T(90));
	ck_assert_int_eq(b.state, RUN_RUNNING);
	ck_assert_double_eq(b.started_at_s, T(94));
	tell(JOB_ENDED, T(120), "n1", 1);
	take_share(0);
	answer("COMPLETED", 1, 90, 94, 119);
	b = take_run(0);
	ck_assert_int_eq(b.state, RUN_COMPLETED);
	ck_assert_double_eq(b.started_at_s, T(94));
	end();
}
END_TEST

START_TEST(test_node_lost_its_power)
{
	begin();
	tell(JOB_STARTED, T(10), "n1", 0);
	answer("RUNNING", 0, 3, 10, 3610);
	take_run(0);
	close_all();
	open_all(); /* no end was reported */
	ck_assert_uint_eq(jobs_count(jobs), 1);
	wait_for_question(5);
	answer("NODE_FAIL", 0, 3, 10, 60);

	struct run run = take_run(0);

	ck_assert_int_eq(run.state, RUN_NODE_FAIL);
	ck_assert_double_eq(run.ended_at_s, T(60));
	/* Or the next attempt is what is first heard. */
	tell(JOB_STARTED, T(70), "n1", 0);
	answer("RUNNING", 0, 61, 70, 3610);
	take_run(0);
	tell(JOB_STARTED, T(90), "n1", 1);
	/* The attempt before is over: that is asked about at once. */
	wait_for_question(0.2);
	answer("RUNNING", 1, 85, 90, 3690);
	run = take_run(0);
	if (run.state == RUN_RUNNING)
		run = take_run(0);
	ck_assert_int_eq(run.state, RUN_REQUEUED);
	ck_assert_double_eq(run.started_at_s, T(70));
	end();
}
END_TEST

static struct run forgotten(const char *steps)
{
	struct run run;

	begin();
	tell(JOB_STARTED, T(10.5), "n1", 0);
	answer("RUNNING", 0, 3, 10, 3610);
	take_run(0);
	put_steps(T(20), steps);
	tell(JOB_ENDED, T(20), "n1", 0); /* the epilog gets 0:0 */
	take_share(0);
	close_all();
	open_all();
	/* Not being answered is no answer. */
	for (int i = 0; i < 20; i++)
		jobs_answer(jobs, 12, ANSWER_NONE, "", 0, now_s);
	/* It ended in 2026, for this machine's clock in the past or not. */
	if (jobs_count(jobs))
		jobs_answer(jobs, 12, ANSWER_UNKNOWN, "", 0, now_s);
	ck_assert_uint_eq(jobs_count(jobs), 0);
	run = take_run(0);
	end();
	return run;
}

START_TEST(test_forgotten_by_slurm)
{
	struct run run = forgotten("1795000015 0 7 0 2.5 2048\n");

	ck_assert_int_eq(run.state, RUN_COMPLETED);
	ck_assert_double_eq(run.started_at_s, T(10));
	ck_assert_double_eq(run.ended_at_s, T(20));
	ck_assert_int_eq(forgotten("1795000015 0 7 15 2.5 2048\n").state,
			 RUN_LOST);
	ck_assert_int_eq(forgotten("").state, RUN_LOST);
}
END_TEST

START_TEST(test_number_used_again)
{
	begin();
	tell(JOB_STARTED, T(10), "n1", 0);
	tell(JOB_ENDED, T(20), "n1", 0);
	take_share(0);
	/* slurmctld lost its state, and began to count anew. */
	answer("COMPLETED", 0, 500, 501, 502);

	struct run run = take_run(0);

	ck_assert_int_eq(run.state, RUN_LOST);
	ck_assert_double_eq(run.started_at_s, T(10));
	end();
}
END_TEST

START_TEST(test_start_not_seen)
{
	begin();
	tell(JOB_ENDED, T(20), "n[1-2]", 3);
	ck_assert_uint_eq(spool_count(spool), 0); /* no share without start */
	answer("COMPLETED", 0, 3, 10, 20);

	struct run run = take_run(0);

	ck_assert_int_eq(run.state, RUN_COMPLETED);
	ck_assert_double_eq(run.ended_at_s, T(20));
	end();
}
END_TEST

START_TEST(test_garbage_on_disk)
{
	begin();
	tell(JOB_STARTED, T(10), "n1", 0);
	close_all();
	folder_put("jobs/13-5", "job=13\n");
	folder_put("jobs/14-5", "job=14\nend=1\n");
	folder_put("jobs/15-5", "job=15\nnode_started=7\nrun={\nend=1\n");
	open_all();
	ck_assert_uint_eq(jobs_count(jobs), 2); /* 12, and 15 without its run */
	ck_assert_int_eq(access(folder_path("jobs/13-5"), F_OK), -1);
	end();
}
END_TEST

START_TEST(test_full_spool)
{
	begin();
	tell(JOB_STARTED, T(10), "n1", 0);
	tell(JOB_ENDED, T(20), "n1", 0);
	spool_set_limit(spool, 10);
	answer("COMPLETED", 0, 3, 10, 20);
	ck_assert_uint_eq(jobs_count(jobs), 1); /* tried again */

	uint32_t job_id;

	ck_assert_double_eq_tol(jobs_ask_at_s(jobs, &job_id), now_s + 30, 1);
	spool_set_limit(spool, 1 << 20);
	wait_for_question(31);
	answer("COMPLETED", 0, 3, 10, 20);
	ck_assert_uint_eq(jobs_count(jobs), 0);
	end();
}
END_TEST

/* An end that cannot be kept is no end yet: it is reported again. */
START_TEST(test_end_is_not_written)
{
	const struct job_event event = { .kind = JOB_ENDED,
					 .job_id = 12,
					 .user_id = 1000,
					 .time_s = T(17),
					 .node = "n1",
					 .nodes = "n[1-2]" };
	const char *path = "jobs/12-1795000010.250000";
	struct sp_error err;

	begin();
	tell(JOB_STARTED, T(10.25), "n[1-2]", 0);
	ck_assert_int_eq(unlink(folder_path(path)), 0);
	ck_assert_int_eq(mkdir(folder_path(path), 0700), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), -1);
	ck_assert_int_eq(rmdir(folder_path(path)), 0);
	ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), 0);
	ck_assert_int_eq(access(folder_path(path), F_OK), 0);
	ck_assert_uint_eq(jobs_count(jobs), 1);
	end();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_head_from_start_to_end,
		test_exact_ends,
		test_memory_that_counts,
		test_missed_submission,
		test_overwritten_comment,
		test_other_nodes,
		test_requeued,
		test_node_lost_its_power,
		test_forgotten_by_slurm,
		test_number_used_again,
		test_start_not_seen,
		test_garbage_on_disk,
		test_full_spool,
		test_end_is_not_written,
		NULL,
	};

	return suite_run("jobs", tests);
}
