/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_events.c - starts and ends of jobs, from files of the SPANK plugin */
#include <string.h>
#include <sys/stat.h>

#include "collectors/runs/events.h"
#include "predictor/base/log.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct job_event event;
static struct sp_error err;

static int parse(const char *format, const char *more)
{
	char text[4096];
	int size = snprintf(text, sizeof(text), format, more);

	return job_event_parse(text, (size_t)size, &event, &err);
}

#define START "event=start\njob=17\nuser=1000\ntime=1795000010.25\n%send=1\n"

START_TEST(test_all_fields)
{
	ck_assert_msg(!parse(START, "cluster=little\nnode=n1\npartition=debug\n"
				    "nodes=n[1-2]\nrestarts=3\nexit=2:9\n"
				    "profile=mpi\nparameters=a=1 b=2\n"
				    "arguments=./run.sh -n 4\n"
				    "prediction=0123456789abcdef\n"),
		      "%s", err.text);
	ck_assert_int_eq(event.kind, JOB_STARTED);
	ck_assert_uint_eq(event.job_id, 17);
	ck_assert_uint_eq(event.user_id, 1000);
	ck_assert_double_eq(event.time_s, 1795000010.25);
	ck_assert_str_eq(event.cluster, "little");
	ck_assert_str_eq(event.node, "n1");
	ck_assert_str_eq(event.partition, "debug");
	ck_assert_str_eq(event.nodes, "n[1-2]");
	ck_assert_int_eq(event.restarts, 3);
	ck_assert_int_eq(event.exit_code, 2);
	ck_assert_int_eq(event.exit_signal, 9);
	ck_assert_str_eq(event.profile, "mpi");
	ck_assert_str_eq(event.submission.parameters, "a=1 b=2");
	ck_assert_str_eq(event.submission.arguments, "./run.sh -n 4");
	ck_assert_str_eq(event.prediction_id, "0123456789abcdef");
	ck_assert_int_eq(
		parse("event=end\njob=4294967295\ntime=1\n%send=1\n", ""), 0);
	ck_assert_int_eq(event.kind, JOB_ENDED);
	ck_assert_uint_eq(event.job_id, 4294967295);
	ck_assert_uint_eq(event.user_id, UINT32_MAX);
	ck_assert_int_eq(event.restarts, -1);
	ck_assert_int_eq(event.exit_code, -1);
	ck_assert_str_eq(event.nodes, "");
	ck_assert_str_eq(event.prediction_id, "");
}
END_TEST

/* A field that is no good counts as none; an event without a job is none. */
START_TEST(test_bad)
{
	static const char *const none[] = {
		"",
		"event=stop\njob=17\ntime=5\nend=1\n",
		"job=17\ntime=5\nend=1\n",
		"event=start\njob=0\ntime=5\nend=1\n",
		"event=start\njob=4294967296\ntime=5\nend=1\n",
		"event=start\ntime=5\nend=1\n",
		"event=start\njob=17\nend=1\n",
		"event=start\njob=17\ntime=-5\nend=1\n",
		"event=start\njob=17\ntime=nan\nend=1\n",
		"event=start\njob=17\ntime=5\n",
		"event=start\njob=17\ntime=5\nend=",
	};

	event.job_id = 99;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		ck_assert_msg(parse("%s", none[i]) == -1, "%s", none[i]);
		ck_assert_uint_eq(event.job_id, 99);
	}
	ck_assert_int_eq(parse(START, "restarts=-1\nexit=x\n"
				      "prediction=0123456789abcdeg\n"
				      "profile=0123456789abcdef\n"),
			 0);
	ck_assert_int_eq(event.restarts, -1);
	ck_assert_int_eq(event.exit_code, -1);
	ck_assert_str_eq(event.prediction_id, "");
	ck_assert_str_eq(event.profile, "");
	ck_assert_int_eq(parse(START, "prediction=0123456789abcdef0\n"
				      "profile=0123456789abcde\n"),
			 0);
	ck_assert_str_eq(event.prediction_id, "");
	ck_assert_str_eq(event.profile, "0123456789abcde");
}
END_TEST

static uint32_t seen[8];
static int seen_count;

/* Job 3 is not taken. */
static int take(void *context, const struct job_event *one,
		struct sp_error *ret_err)
{
	ck_assert_ptr_eq(context, seen);
	if (one->job_id == 3)
		return sp_error_set(ret_err, "no room");
	seen[seen_count++] = one->job_id;
	return 0;
}

START_TEST(test_take)
{
	int events, refused;

	folder_make();
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	mkdir(folder_path("events"), 0700);
	mkdir(folder_path("refused"), 0700);
	events = open(folder_path("events"), O_RDONLY | O_DIRECTORY);
	refused = open(folder_path("refused"), O_RDONLY | O_DIRECTORY);
	folder_put("events/2", "event=start\njob=2\ntime=5\nend=1\n");
	folder_put("events/1", "event=start\njob=1\ntime=5\nend=1\n");
	folder_put("events/0", "nonsense");
	folder_put("events/3", "event=start\njob=3\ntime=5\nend=1\n");
	folder_put("events/4", "event=start\njob=4\ntime=5\nend=1\n");
	ck_assert_int_eq(events_take(events, refused, take, seen, &err), -1);
	ck_assert_str_eq(err.text, "no room");
	ck_assert_int_eq(seen_count, 2); /* the oldest first */
	ck_assert_uint_eq(seen[0], 1);
	ck_assert_uint_eq(seen[1], 2);
	ck_assert_int_eq(access(folder_path("events/1"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("events/2"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("events/0"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("refused/0"), F_OK), 0);
	ck_assert_int_eq(access(folder_path("events/3"), F_OK), 0);
	ck_assert_int_eq(access(folder_path("events/4"), F_OK), 0);
	unlink(folder_path("events/3"));
	/* What can't be refused is removed, or it would come again for ever. */
	folder_put("events/0", "nonsense");
	ck_assert_int_eq(events_take(events, -1, take, seen, &err), 0);
	ck_assert_int_eq(seen_count, 3);
	ck_assert_int_eq(access(folder_path("events/0"), F_OK), -1);
	close(events);
	close(refused);
	ck_assert_int_eq(events_take(-1, -1, take, seen, &err), -1);
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_all_fields, test_bad, test_take,
				       NULL };

	return suite_run("events", tests);
}
