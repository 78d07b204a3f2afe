/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_open_job.c - a job that is not recorded yet, on disk and read again */
#include <math.h>
#include <string.h>

#include "collectors/runs/open_job.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct open_job job, read_job;
static struct sp_error err;
static int folder_fd;

static void begin(void)
{
	folder_make();
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY);
	open_job_init(&job);
	job.job_id = 17;
	job.node_started_s = 1795000010.25;
}

static void end(void)
{
	close(folder_fd);
	folder_remove();
}

static void round_trip(void)
{
	ck_assert_msg(!open_job_save(&job, folder_fd, &err), "%s", err.text);
	ck_assert_msg(!open_job_load(job.name, folder_fd, &read_job, &err),
		      "%s", err.text);
	ck_assert_str_eq(read_job.name, job.name);
}

START_TEST(test_nothing_known)
{
	ck_assert_int_eq(job.restarts, -1);
	ck_assert_int_eq(job.exit_code, -1);
	ck_assert(isnan(job.script_ended_s));
	ck_assert(isnan(job.memory.resident_mb));
	ck_assert(isnan(job.run.limit_s));
	ck_assert(isnan(job.run.submitted_at_s));
	ck_assert(isnan(job.run.ended_at_s));
	round_trip();
	ck_assert_str_eq(job.name, "17-1795000010.250000");
	ck_assert_uint_eq(read_job.job_id, 17);
	ck_assert_uint_eq(read_job.user_id, 0);
	ck_assert_int_eq(read_job.position, POSITION_UNKNOWN);
	ck_assert_int_eq(read_job.restarts, -1);
	ck_assert_int_eq(read_job.exit_code, -1);
	ck_assert(isnan(read_job.node_ended_s));
	ck_assert(isnan(read_job.script_ended_s));
	ck_assert(isnan(read_job.memory.resident_mb));
	ck_assert(isnan(read_job.memory.own_mb));
	ck_assert(!read_job.announced);
	ck_assert(!read_job.superseded);
	ck_assert(!read_job.has_run);
}
END_TEST

START_TEST(test_all_known)
{
	job.user_id = 1000;
	job.position = POSITION_DEPUTY;
	strcpy(job.node, "n2");
	strcpy(job.nodes, "n[1-2]");
	strcpy(job.cluster, "big");
	strcpy(job.partition, "main");
	strcpy(job.prediction_id, "0123456789abcdef");
	job.restarts = 3;
	job.node_ended_s = 1795000020.5;
	job.script_ended_s = 1795000019.75;
	job.exit_code = 255;
	job.tasks = 12;
	job.signal = 9;
	job.announced = true;
	job.superseded = true;
	job.memory = (struct job_memory){ 77.5, 33.5, 22.5, 99.5 };
	job.has_run = true;
	job.run.job_id = 17;
	job.run.nodes = 2;
	strcpy(job.run.cluster, "big");
	strcpy(job.run.node_list, "n[1-2]");
	job.run.submitted_at_s = 1795000000;
	job.run.started_at_s = 1795000010;
	round_trip();
	ck_assert_uint_eq(read_job.user_id, 1000);
	ck_assert_int_eq(read_job.position, POSITION_DEPUTY);
	ck_assert_str_eq(read_job.node, "n2");
	ck_assert_str_eq(read_job.nodes, "n[1-2]");
	ck_assert_str_eq(read_job.cluster, "big");
	ck_assert_str_eq(read_job.partition, "main");
	ck_assert_str_eq(read_job.prediction_id, "0123456789abcdef");
	ck_assert_int_eq(read_job.restarts, 3);
	ck_assert_double_eq(read_job.node_started_s, 1795000010.25);
	ck_assert_double_eq(read_job.node_ended_s, 1795000020.5);
	ck_assert_double_eq(read_job.script_ended_s, 1795000019.75);
	ck_assert_int_eq(read_job.exit_code, 255);
	ck_assert_uint_eq(read_job.tasks, 12);
	ck_assert_int_eq(read_job.signal, 9);
	ck_assert(read_job.announced);
	ck_assert(read_job.superseded);
	ck_assert_double_eq(read_job.memory.resident_mb, 77.5);
	ck_assert_double_eq(read_job.memory.own_mb, 33.5);
	ck_assert_double_eq(read_job.memory.mapped_mb, 22.5);
	ck_assert_double_eq(read_job.memory.cached_mb, 99.5);
	ck_assert(read_job.has_run);
	ck_assert_double_eq(read_job.run.started_at_s, 1795000010);
	ck_assert_str_eq(read_job.run.node_list, "n[1-2]");
	/* Written again under the same name, then gone. */
	job.restarts = 4;
	round_trip();
	ck_assert_int_eq(read_job.restarts, 4);
	open_job_remove(&job, folder_fd);
	ck_assert_str_eq(job.name, "");
	ck_assert_int_eq(
		open_job_load(read_job.name, folder_fd, &read_job, &err), -1);
	open_job_remove(&job, folder_fd);
}
END_TEST

/* An end whose start was not seen. */
START_TEST(test_end_alone)
{
	job.node_started_s = NAN;
	job.node_ended_s = 1795000020.5;
	round_trip();
	ck_assert_str_eq(job.name, "17-1795000020.500000");
	ck_assert(isnan(read_job.node_started_s));
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const bad[] = {
		"",
		"job=17\nnode_started=5\n",
		"job=0\nnode_started=5\nend=1\n",
		"job=17\nend=1\n",
		"node_started=5\nend=1\n",
		"job=17\nnode_started=nan\nend=1\n",
		"job=17\nnode_started=5\nprediction=0123456789abcdef0\nend=1\n",
	};

	read_job.job_id = 99;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		folder_put("x", bad[i]);
		ck_assert_msg(open_job_load("x", folder_fd, &read_job, &err) ==
				      -1,
			      "%s", bad[i]);
		ck_assert_uint_eq(read_job.job_id, 99);
	}
	folder_put("x", "job=17\nnode_started=5\nposition=4\nexit_code=256\n"
			"tasks=-1\nrun={}\nend=1\n");
	ck_assert_int_eq(open_job_load("x", folder_fd, &read_job, &err), 0);
	ck_assert_int_eq(read_job.position, POSITION_UNKNOWN);
	ck_assert_int_eq(read_job.exit_code, -1);
	ck_assert_uint_eq(read_job.tasks, 0);
	ck_assert(!read_job.has_run);
	ck_assert_int_eq(open_job_save(&job, -1, &err), -1);
}
END_TEST

START_TEST(test_position)
{
	ck_assert_int_eq(position_find("n[3-5]", "n3"), POSITION_HEAD);
	ck_assert_int_eq(position_find("n[3-5]", "n4"), POSITION_DEPUTY);
	ck_assert_int_eq(position_find("n[3-5]", "n5"), POSITION_OTHER);
	ck_assert_int_eq(position_find("n3", "n3"), POSITION_HEAD);
	ck_assert_int_eq(position_find("n3", "n4"), POSITION_OTHER);
	ck_assert_int_eq(position_find("", "n3"), POSITION_UNKNOWN);
	ck_assert_int_eq(position_find("n[3-", "n3"), POSITION_UNKNOWN);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nothing_known, test_all_known,
				       test_end_alone,     test_refuses,
				       test_position,      NULL };

	return suite_run_each("open_job", tests, begin, end);
}
