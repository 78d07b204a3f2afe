/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spool_events.c - what the plugin writes, the collector reads */
#include <math.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "collectors/runs/events.h"
#include "collectors/runs/steps.h"
#include "plugin/spank/spool_events.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static int taken;
static struct job_event last;

static int take(void *context, const struct job_event *event,
		struct sp_error *err)
{
	if (context)
		return sp_error_set(err, "not now");
	last = *event;
	taken++;
	return 0;
}

static int open_sub(const char *name, int mode)
{
	struct sp_error err;
	int fd = durable_folder(AT_FDCWD, folder_path(name), (unsigned)mode,
				&err);

	ck_assert_msg(fd >= 0, "%s", err.text);
	return fd;
}

START_TEST(test_no_spool_is_no_error)
{
	struct event event = { .kind = "start", .job_id = 1, .time_s = 5 };
	struct task_end end = { .job_id = 1 };
	struct sp_error err;

	folder_make();
	ck_assert_int_eq(event_write(folder, &event, &err), 0);
	ck_assert_int_eq(event_append_task(folder, &end, &err), 0);
	ck_assert_int_eq(access(folder_path("events"), F_OK), -1);
	folder_remove();
}
END_TEST

START_TEST(test_event_comes_through)
{
	struct event event = {
		.kind = "end",
		.job_id = 4000000001u,
		.user_id = 1234,
		.time_s = 1795164589.123456,
		.cluster = "big=one",
		.node = "n7",
		.nodes = "n[7-9,11]",
		.partition = "line\nbreak",
		.restarts = "3",
		.exit = "5:9",
		.arguments = "/home/a/job.sh -n 500",
		.prediction = "6a0f00112233445f",
	};
	struct sp_error err;

	folder_make();
	int events = open_sub("events", 0700), refused = open_sub("bad", 0700);

	ck_assert_msg(!event_write(folder, &event, &err), "%s", err.text);
	/* Not taken: stays. */
	ck_assert_int_eq(events_take(events, refused, take, &event, &err), -1);
	ck_assert_str_eq(err.text, "not now");
	ck_assert_int_eq(events_take(events, refused, take, NULL, &err), 0);
	ck_assert_int_eq(events_take(events, refused, take, NULL, &err), 0);
	ck_assert_int_eq(taken, 1);
	ck_assert_int_eq(last.kind, JOB_ENDED);
	ck_assert_uint_eq(last.job_id, 4000000001u);
	ck_assert_uint_eq(last.user_id, 1234);
	ck_assert_double_eq_tol(last.time_s, event.time_s, 1e-6);
	ck_assert_str_eq(last.cluster, "big=one");
	ck_assert_str_eq(last.node, "n7");
	ck_assert_str_eq(last.nodes, "n[7-9,11]");
	ck_assert_str_eq(last.partition, ""); /* would have made two lines */
	ck_assert_int_eq(last.restarts, 3);
	ck_assert_int_eq(last.exit_code, 5);
	ck_assert_int_eq(last.exit_signal, 9);
	ck_assert_str_eq(last.prediction_id, "6a0f00112233445f");
	ck_assert_str_eq(last.submission.arguments, "/home/a/job.sh -n 500");
	close(events);
	close(refused);
	folder_remove();
}
END_TEST

START_TEST(test_long_texts_are_left_out)
{
	char nodes[6000];
	struct event event = { .kind = "start",
			       .job_id = 7,
			       .time_s = 1795164589,
			       .node = "n1",
			       .nodes = nodes };
	struct sp_error err;

	memset(nodes, 'n', sizeof(nodes));
	nodes[sizeof(nodes) - 1] = '\0';
	folder_make();
	int events = open_sub("events", 0700), refused = open_sub("bad", 0700);

	event.prediction = "6a0f00112233445f0"; /* no id */
	ck_assert_int_eq(event_write(folder, &event, &err), 0);
	ck_assert_int_eq(events_take(events, refused, take, NULL, &err), 0);
	ck_assert_str_eq(last.prediction_id, "");
	ck_assert_int_eq(taken, 1);
	ck_assert_str_eq(last.nodes, "");
	ck_assert_str_eq(last.node, "n1");
	ck_assert_int_eq(last.restarts, -1);
	close(events);
	close(refused);
	folder_remove();
}
END_TEST

START_TEST(test_garbage_is_put_aside)
{
	static const char *const texts[] = {
		"",
		"x",
		"event=start\njob=1\ntime=5\n",
		"event=start\njob=1\ntime=5\nend=1", /* torn in the last line */
		"event=pause\njob=1\ntime=5\nend=1\n",
		"event=start\njob=0\ntime=5\nend=1\n",
		"event=start\njob=-1\ntime=5\nend=1\n",
		"event=start\njob=1\ntime=nan\nend=1\n",
		"event=start\njob=99999999999\ntime=5\nend=1\n",
		NULL,
	};
	struct sp_error err;
	char name[32];

	folder_make();
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	mkdir(folder_path("events"), 0700);
	for (int i = 0; texts[i]; i++) {
		snprintf(name, sizeof(name), "events/%d", i);
		folder_put(name, texts[i]);
	}
	folder_put("events/z", "event=start\njob=6\ntime=5\nend=1\n");

	int events = open_sub("events", 0), refused = open_sub("bad", 0700);
	char **names;
	size_t count;

	ck_assert_int_eq(events_take(events, refused, take, NULL, &err), 0);
	ck_assert_int_eq(taken, 1);
	ck_assert_uint_eq(last.job_id, 6);
	durable_names(events, 100, &names, &count, NULL);
	ck_assert_uint_eq(count, 0);
	durable_names_free(names, count);
	durable_names(refused, 100, &names, &count, NULL);
	ck_assert_uint_eq(count, 9);
	durable_names_free(names, count);
	close(events);
	close(refused);
	log_close();
	folder_remove();
}
END_TEST

START_TEST(test_steps_come_through)
{
	struct task_end ends[] = {
		/* A batch step, and a step of two tasks: the second line of a
		 * slurmstepd contains the first. */
		{ 8, 4294967291u, 100, 110.5, 3 << 8, 1.5, 10240, NAN },
		{ 8, 0, 200, 108, 0, 2.25, 20480, 1024 },
		{ 8, 0, 200, 109, 15, 4.75, 30720, 2048 },
		/* A record of an attempt before. */
		{ 8, 0, 50, 60, 9, 100, 9999999, 8e6 },
	};
	struct task_end later = ends[0];
	struct sp_error err;
	struct run_share share;
	double script_ended_s;

	folder_make();
	int steps = open_sub("steps", 0700);

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		ck_assert_int_eq(event_append_task(folder, &ends[i], &err), 0);
	/* Where an earlier version of the plugin ends the job: up to then. */
	steps_read(steps, 8, 100, 108.5, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 1);
	event_close_folders(folder, 8, 1234, 111.5);
	/* A later job of the same id has a file of its own. */
	later.time_s = 200;
	ck_assert_int_eq(event_append_task(folder, &later, &err), 0);
	steps_read(steps, 8, 100, 111.5, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 3);
	ck_assert_double_eq_tol(share.cpu_s, 6.25, 1e-9);
	ck_assert_double_eq_tol(share.task_memory_mb, 30, 1e-9);
	ck_assert_double_eq(share.cached_memory_mb, 2048);
	ck_assert_int_eq(share.exit_code, 3);
	ck_assert_int_eq(share.exit_signal, 15);
	ck_assert_double_eq(script_ended_s, 110.5);
	steps_read(steps, 9, 100, 111.5, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 0);
	ck_assert_double_nan(share.cpu_s);
	ck_assert_double_nan(script_ended_s);
	steps_remove(steps, 8, 111.5);
	steps_read(steps, 8, 100, 111.5, &share, &script_ended_s);
	ck_assert_uint_eq(share.tasks, 0);
	ck_assert_int_eq(access(folder_path("steps/8"), F_OK), 0);
	event_forget_steps(folder, 8);
	ck_assert_int_eq(access(folder_path("steps/8"), F_OK), -1);
	close(steps);
	folder_remove();
}
END_TEST

START_TEST(test_steps_file_is_bounded)
{
	struct task_end end = { .job_id = 3, .time_s = 7e17 };
	struct sp_error err;
	struct stat about;

	folder_make();
	close(open_sub("steps", 0700));
	folder_put("steps/3", "");
	ck_assert_int_eq(
		truncate(folder_path("steps/3"), EVENTS_STEPS_MAX_BYTES), 0);
	ck_assert_int_eq(event_append_task(folder, &end, &err), 0);
	ck_assert_int_eq(stat(folder_path("steps/3"), &about), 0);
	ck_assert_int_eq(about.st_size, EVENTS_STEPS_MAX_BYTES);
	folder_remove();
}
END_TEST

/* Whatever the user leaves is taken and renamed as a whole. */
START_TEST(test_close_folder)
{
	struct sp_error err;
	struct stat about;

	folder_make();
	event_close_folders(folder, 12, 1234, 99.5);
	ck_assert_int_eq(event_make_folders(folder, true, 12, getuid(), &err),
			 0);
	mkdir(folder_path("users"), 0711);
	mkdir(folder_path("users/mpi"), 0711);
	mkdir(folder_path("users/traces"), 0711);
	mkdir(folder_path("users/removed"), 0700);
	ck_assert_int_eq(event_make_folders(folder, false, 12, getuid(), &err),
			 0);
	ck_assert_int_eq(lstat(folder_path("users/traces/12"), &about), -1);
	folder_put("users/mpi/12/old", "of an attempt before");
	ck_assert_int_eq(event_make_folders(folder, true, 12, getuid(), &err),
			 0);
	ck_assert_int_eq(lstat(folder_path("users/mpi/12/old"), &about), -1);
	folder_put("users/traces/12/1.0", "x");
	mkdir(folder_path("users/mpi/12/nest"), 0700);
	chmod(folder_path("users/mpi/12/nest"), 0);
	mkdir(folder_path("users/mpi/12.ended"), 0700);
	folder_put("users/mpi/12.ended/old", "x");
	event_close_folders(folder, 12, 1234, 99.5);
	ck_assert_int_eq(lstat(folder_path("users/mpi/12"), &about), -1);
	ck_assert_int_eq(lstat(folder_path("users/mpi/12.ended/old"), &about),
			 -1);
	ck_assert_int_eq(lstat(folder_path("users/mpi/12.ended/nest"), &about),
			 0);
	ck_assert_int_eq(
		lstat(folder_path("users/traces/12-1234-99/1.0"), &about), 0);
	ck_assert_int_eq(lstat(folder_path("users/mpi/12.ended"), &about), 0);
	if (geteuid() == 0)
		ck_assert_int_eq(about.st_mode & 07777, 0700);
	/* Closed, as the disk is full. */
	chmod(folder_path("users"), 0700);
	ck_assert_int_eq(event_make_folders(folder, true, 13, getuid(), &err),
			 0);
	ck_assert_int_eq(lstat(folder_path("users/mpi/13"), &about), -1);
	chmod(folder_path("users/mpi/12.ended/nest"), 0700);
	folder_remove();
}
END_TEST

/* A disk that others have filled: what was kept is used, then it is counted. */
START_TEST(test_full_disk)
{
	struct event event = { .kind = "end", .job_id = 1, .time_s = 5e8 };
	struct task_end end = { .job_id = 3, .time_s = 7e8 };
	static char zeros[1 << 16];
	struct sp_error err;
	struct stat about;
	int spares, lost, fd;

	folder_make();
	if (mount("none", folder, "tmpfs", 0, "size=256k")) {
		folder_remove();
		return; /* no right to */
	}
	close(open_sub("events", 0700));
	close(open_sub("steps", 0700));
	spares = open_sub("spares", 0700);
	ck_assert_int_eq(durable_spare_fill(spares, 3), 0);
	lost = open(folder_path("lost"), O_RDWR | O_CREAT, 0600);
	ck_assert_int_eq(fallocate(lost, FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
	fd = open(folder_path("ballast"), O_WRONLY | O_CREAT, 0600);
	while (write(fd, zeros, sizeof(zeros)) > 0 || write(fd, "x", 1) > 0)
		;
	for (int i = 0; i < 2; i++) {
		event.job_id++;
		ck_assert_msg(!event_write(folder, &event, &err), "%s",
			      err.text);
	}
	/* The first line makes the file; it has room for more. */
	for (int i = 0; i < 20; i++)
		ck_assert_msg(!event_append_task(folder, &end, &err), "%s",
			      err.text);
	ck_assert_int_eq(stat(folder_path("lost"), &about), 0);
	ck_assert_int_eq(about.st_size, 0);
	event.job_id = end.job_id = 9;
	ck_assert_int_eq(event_write(folder, &event, &err), -1);
	ck_assert_int_eq(event_append_task(folder, &end, &err), -1);
	ck_assert_int_eq(stat(folder_path("lost"), &about), 0);
	ck_assert_int_eq(about.st_size, 2);
	close(spares);
	close(lost);
	close(fd);
	umount(folder);
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_spool_is_no_error,
		test_event_comes_through,
		test_long_texts_are_left_out,
		test_garbage_is_put_aside,
		test_steps_come_through,
		test_steps_file_is_bounded,
		test_close_folder,
		test_full_disk,
		NULL,
	};

	return suite_run("events", tests);
}
