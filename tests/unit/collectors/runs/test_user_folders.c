/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_user_folders.c - what users write is counted, bounded and deleted */
#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

#include "collectors/profilers/mpi_report.h"
#include "collectors/runs/leftovers.h"
#include "collectors/runs/trace_files.h"
#include "predictor/base/clock.h"
#include "predictor/base/log.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct spool *spool;
static struct user_folders *users;
static double now_s;

static void begin(void)
{
	struct sp_error err;

	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	folder_make();
	spool = spool_open(folder, 1 << 20, &err);
	ck_assert_msg(spool != NULL, "%s", err.text);
	users = user_folders_create(spool_folders(spool), 1 << 20, &err);
	ck_assert_msg(users != NULL, "%s", err.text);
	now_s = 100;
}

static void end(void)
{
	user_folders_destroy(users);
	spool_close(spool);
	folder_remove();
}

static void make_file(const char *path, size_t size)
{
	FILE *file = fopen(folder_path(path), "w");

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < size; i++)
		fputc('x', file);
	fclose(file);
}

static void make_job(const char *path, const char *file, size_t size)
{
	char name[64];

	ck_assert_int_eq(mkdir(folder_path(path), 0770), 0);
	snprintf(name, sizeof(name), "%s/%s", path, file);
	make_file(name, size);
}

static bool there(const char *path)
{
	return access(folder_path(path), F_OK) == 0;
}

static void scan(void)
{
	now_s += 11;
	user_folders_run(users, now_s);
}

/* Wait until the thread has deleted everything. */
static bool all_deleted(void)
{
	for (int i = 0; i < 2000; i++) {
		DIR *stream = opendir(folder_path("users/removed"));
		struct dirent *entry;
		int count = 0;

		while ((entry = readdir(stream)))
			count += entry->d_name[0] != '.';
		closedir(stream);
		if (!count)
			return true;
		usleep(10000);
	}
	return false;
}

/* The oldest that has ended, then the one that has most. */
START_TEST(test_limit)
{
	make_job("users/traces/1-1234-1700000000", "a.0", 300000);
	for (time_t s = time(NULL); time(NULL) == s;)
		usleep(10000); /* their times are compared in seconds */
	make_job("users/mpi/2.ended", "a", 300000);
	make_job("users/mpi/3", "a", 400000);
	make_job("users/traces/4", "a.0", 310000);
	scan();
	ck_assert(!there("users/traces/1-1234-1700000000"));
	ck_assert(there("users/mpi/2.ended") && there("users/mpi/3") &&
		  there("users/traces/4"));
	user_folders_set_limit(users, 400000);
	scan();
	ck_assert(!there("users/mpi/2.ended") && !there("users/mpi/3"));
	ck_assert(there("users/traces/4"));
	ck_assert(all_deleted());
	user_folders_drop(users, spool_folders(spool)->traces, "4");
	scan();
	ck_assert(isinf(user_folders_at_s(users)));
	user_folders_started(users, now_s);
	ck_assert_double_le(user_folders_at_s(users), now_s + 10);
}
END_TEST

/* Hidden files, those in folders, too many, too deep. */
START_TEST(test_everything_counts)
{
	char path[128];

	make_job("users/mpi/1", ".hidden", 1200000);
	scan();
	ck_assert(!there("users/mpi/1"));
	make_job("users/mpi/2", "a", 10);
	mkdir(folder_path("users/mpi/2/in"), 0700);
	make_file("users/mpi/2/in/b", 1200000);
	scan();
	ck_assert(!there("users/mpi/2"));
	make_job("users/mpi/3", "a", 10);
	for (int i = 0; i < 17000; i++) {
		snprintf(path, sizeof(path), "users/mpi/3/%d", i);
		close(open(folder_path(path), O_WRONLY | O_CREAT, 0600));
	}
	make_job("users/mpi/4", "a", 10);
	scan();
	ck_assert(!there("users/mpi/3") && there("users/mpi/4"));
	strcpy(path, "users/mpi/4");
	for (int i = 0; i < 12; i++) {
		strcat(path, "/d");
		ck_assert_int_eq(mkdir(folder_path(path), 0700), 0);
	}
	scan();
	ck_assert(!there("users/mpi/4"));
	ck_assert(all_deleted());
}
END_TEST

START_TEST(test_full_disk)
{
	struct stat about;

	make_job("users/mpi/1", "a", 10);
	make_job("users/traces/2", "a", 10);
	user_folders_keep_room(users, false);
	ck_assert(there("users/mpi/1"));
	user_folders_keep_room(users, true);
	ck_assert(!there("users/mpi/1") && !there("users/traces/2"));
	ck_assert_int_eq(stat(folder_path("users"), &about), 0);
	ck_assert_int_eq(about.st_mode & 07777, 0700);
	/* One that a prolog made meanwhile. */
	make_job("users/mpi/3", "a", 10);
	user_folders_keep_room(users, true);
	ck_assert(!there("users/mpi/3"));
	user_folders_keep_room(users, false);
	ck_assert_int_eq(stat(folder_path("users"), &about), 0);
	ck_assert_int_eq(about.st_mode & 07777, 0711);
	ck_assert(all_deleted());
}
END_TEST

/* Where a process keeps what was removed, somebody must be able to read it. */
START_TEST(test_disk_stays_full)
{
	char text[4096] = "";
	FILE *file;

	log_open(folder_path("log"), LOG_LEVEL_ERROR, NULL);
	make_job("users/mpi/1", "a", 10);
	user_folders_keep_room(users, true);
	ck_assert(all_deleted());
	for (int i = 0; i < 3; i++)
		user_folders_keep_room(users, true);
	file = fopen(folder_path("log"), "r");
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);

	char *first = strstr(text, "stays nearly full");

	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_null(strstr(first + 1, "stays nearly full"));
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
}
END_TEST

/* Jobs whose end was missed, beside one that runs. */
START_TEST(test_leftovers)
{
	static const char *const names[] = {
		"steps/%d", "steps/%d-99.500000", "shares/%d", "hosts/%d", NULL,
	};
	struct jobs *jobs = jobs_create(spool, "big", "n1");
	struct job_event event = { .kind = JOB_STARTED,
				   .job_id = 7,
				   .time_s = 100 };
	struct sp_error err;
	char path[64];

	ck_assert_int_eq(jobs_event(jobs, &event, now_s, &err), 0);
	for (int job = 6; job < 8; job++) {
		for (int i = 0; names[i]; i++) {
			snprintf(path, sizeof(path), names[i], job);
			make_file(path, 10);
		}
		snprintf(path, sizeof(path), "users/mpi/%d", job);
		make_job(path, "a", 10);
		snprintf(path, sizeof(path), "users/traces/%d", job);
		make_job(path, "a.0", 10);
	}
	make_job("users/traces/6-1234-1700000000", "a.0", 10);
	for (int old = 0; old < 2; old++) {
		leftovers_remove(spool_folders(spool), jobs, users,
				 clock_now_s() + (old ? 60 : -60));
		for (int job = 6; job < 8; job++) {
			bool stays = !old || job == 7;

			for (int i = 0; names[i]; i++) {
				snprintf(path, sizeof(path), names[i], job);
				ck_assert_int_eq(there(path), stays);
			}
			snprintf(path, sizeof(path), "users/mpi/%d", job);
			ck_assert_int_eq(there(path), stays);
			snprintf(path, sizeof(path), "users/traces/%d", job);
			ck_assert_int_eq(there(path), stays);
		}
	}
	/* predictd may be away for long. */
	ck_assert(there("users/traces/6-1234-1700000000"));
	ck_assert(all_deleted());
	jobs_destroy(jobs);
}
END_TEST

/* Mount a file system whose server never answers, as a user can over what he
 * owns.  Gives its connection, *ret_at where it is; -1: not here. */
static int mount_silence(const char *path, unsigned mode, int *ret_at)
{
	char options[128];
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=%o,user_id=0,group_id=0,allow_other", fd,
		 mode);
	*ret_at = -1;
	if (fd >= 0 &&
	    mount("silence", folder_path(path), "fuse", 0, options) == 0)
		*ret_at = open(folder_path(path), O_PATH | O_CLOEXEC);
	return fd;
}

static void unmount(int at)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", at);
	umount2(path, MNT_DETACH);
	close(at);
}

/* What is open has the mounts of its time. */
static bool open_again_apart(void)
{
	struct sp_error err;

	user_folders_destroy(users);
	spool_close(spool);

	bool apart = unshare(CLONE_NEWNS) == 0 &&
		     mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;

	spool = spool_open(folder, 1 << 20, &err);
	users = user_folders_create(spool_folders(spool), 1 << 20, &err);
	return apart;
}

static void read_all_of_users(void)
{
	struct trace_files *traces =
		trace_files_create(spool_folders(spool)->traces, users);
	unsigned char raw[TRACE_BLOCK_BYTES];
	struct trace_block block;
	struct mpi_report report;
	size_t size;

	ck_assert(!trace_files_next(traces, now_s, &block, raw, &size));
	trace_files_destroy(traces);
	scan();
	ck_assert_int_eq(mpi_report_read(folder_path("users/mpi/3.ended"),
					 &report, NULL),
			 -1);
	ck_assert_int_eq(mpi_report_read(folder_path("users/mpi/4.ended"),
					 &report, NULL),
			 -1);
}

/* The test hangs where something waits for it. */
START_TEST(test_hanging_file_system)
{
	static const char *const paths[] = {
		"users/traces/1",
		"users/mpi/4.ended",
		"users/traces/2/ab.0",
		"users/mpi/3.ended/a",
	};
	bool mounted = true;
	int fds[4], ats[4];

	if (!open_again_apart())
		return;
	make_job("users/traces/1", "ab.0", 10);
	make_job("users/traces/2", "ab.0", 10);
	make_job("users/mpi/3.ended", "a", 10);
	make_job("users/mpi/4.ended", "a", 10);
	for (int i = 0; i < 4; i++) {
		fds[i] = mount_silence(paths[i],
				       i > 1 ? S_IFREG | 0666 : S_IFDIR | 0777,
				       &ats[i]);
		mounted &= ats[i] >= 0;
	}
	if (mounted)
		read_all_of_users();
	for (int i = 0; i < 4; i++) {
		if (ats[i] >= 0)
			unmount(ats[i]);
		if (fds[i] >= 0)
			close(fds[i]);
	}
}
END_TEST

/* What was left when the collector ended. */
START_TEST(test_begin)
{
	struct sp_error err;

	user_folders_destroy(users);
	make_job("users/mpi/1.ended", "a", 10);
	make_job("users/mpi/2", "a", 10);
	make_job("users/traces/3-1234-1700000000", "a.0", 10);
	make_job("users/removed/x", "a", 10);
	users = user_folders_create(spool_folders(spool), 1 << 20, &err);
	ck_assert(all_deleted());
	ck_assert(!there("users/mpi/1.ended") && there("users/mpi/2") &&
		  there("users/traces/3-1234-1700000000"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_limit,
		test_everything_counts,
		test_full_disk,
		test_begin,
		test_disk_stays_full,
		test_leftovers,
		test_hanging_file_system,
		NULL,
	};

	return suite_run_each("user_folders", tests, begin, end);
}
