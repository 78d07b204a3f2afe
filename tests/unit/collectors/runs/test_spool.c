/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_spool.c - what is in the spool survives, and bounds hold */
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "collectors/runs/spool.h"
#include "predictor/base/log.h"
#include "predictor/features/measurement.h"
#include "tests/unit/folder.h"
#include "tests/unit/no_memory.h"
#include "tests/unit/random.h"
#include "tests/unit/suite.h"

static void quiet(void)
{
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
}

static struct spool *open_spool(size_t max_bytes)
{
	struct sp_error err;
	struct spool *spool = spool_open(folder, max_bytes, &err);

	ck_assert_msg(spool != NULL, "%s", err.text);
	return spool;
}

static void put(struct spool *spool, enum record_kind kind, const char *text)
{
	struct sp_error err;

	ck_assert_msg(!spool_put(spool, kind, text, strlen(text), &err), "%s",
		      err.text);
}

static void expect(struct spool *spool, size_t index, enum record_kind kind,
		   const char *expected)
{
	struct sp_error err;
	char *text = NULL;
	size_t size;

	ck_assert_int_eq(spool_at(spool, index).kind, kind);
	ck_assert_msg(!spool_read(spool, index, &text, &size, &err), "%s",
		      err.text);
	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(test_keeps_order_over_a_restart)
{
	struct spool *spool;

	folder_make();
	spool = open_spool(1000);
	put(spool, RECORD_RUN, "one");
	put(spool, RECORD_SHARE, "two");
	put(spool, RECORD_RUN, "three");
	spool_done(spool, 0);
	spool_close(spool);
	folder_put("queue/.tmp-1-2", "half");
	folder_put("queue/stranger", "not ours");

	spool = open_spool(1000);
	ck_assert_uint_eq(spool_count(spool), 2);
	expect(spool, 0, RECORD_SHARE, "two");
	expect(spool, 1, RECORD_RUN, "three");
	put(spool, RECORD_RUN, "four");
	expect(spool, 2, RECORD_RUN, "four");
	ck_assert_int_eq(access(folder_path("queue/.tmp-1-2"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("queue/stranger"), F_OK), 0);
	spool_close(spool);
	folder_remove();
}
END_TEST

START_TEST(test_only_one_at_a_time)
{
	struct spool *spool;
	struct sp_error err;

	folder_make();
	spool = open_spool(1000);
	ck_assert_ptr_null(spool_open(folder, 1000, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "in use"));
	spool_close(spool);
	spool_close(open_spool(1000));
	folder_remove();
}
END_TEST

/* What an earlier version left beside `users`. */
START_TEST(test_moves_the_old_layout)
{
	folder_make();
	ck_assert_int_eq(mkdir(folder_path("traces"), 0711), 0);
	ck_assert_int_eq(mkdir(folder_path("traces/5-1234-1700000000"), 0700),
			 0);
	folder_put("traces/5-1234-1700000000/ab.0", "block");
	ck_assert_int_eq(mkdir(folder_path("mpi"), 0711), 0);
	ck_assert_int_eq(mkdir(folder_path("mpi/6"), 0770), 0);
	folder_put("mpi/6/report", "text");
	for (int i = 0; i < 2; i++)
		spool_close(open_spool(1000));
	ck_assert_int_eq(access(folder_path("traces"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("mpi"), F_OK), -1);
	ck_assert_int_eq(
		access(folder_path("users/traces/5-1234-1700000000/ab.0"),
		       F_OK),
		0);
	ck_assert_int_eq(access(folder_path("users/mpi/6/report"), F_OK), 0);
	folder_remove();
}
END_TEST

/* The same where `users` is a file system of its own; an open job keeps what it
 * has. */
static void remove_old_layout(bool apart)
{
	folder_make();
	ck_assert_int_eq(mkdir(folder_path("users"), 0711), 0);
	if (apart && mount("none", folder_path("users"), "tmpfs", 0, NULL)) {
		folder_remove();
		return; /* no right to */
	}
	ck_assert_int_eq(mkdir(folder_path("jobs"), 0700), 0);
	folder_put("jobs/7-1700000000.000000", "open");
	ck_assert_int_eq(mkdir(folder_path("traces"), 0711), 0);
	for (int job = 5; job < 8; job++) {
		char path[32], file[64];

		snprintf(path, sizeof(path), "traces/%d", job);
		snprintf(file, sizeof(file), "%s/ab.0", path);
		ck_assert_int_eq(mkdir(folder_path(path), 0700), 0);
		folder_put(file, "block");
	}
	spool_close(open_spool(1000));
	ck_assert_int_eq(access(folder_path("traces/5"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("traces/6"), F_OK), -1);
	ck_assert_int_eq(access(folder_path("traces/7/ab.0"), F_OK), 0);
	unlink(folder_path("jobs/7-1700000000.000000"));
	spool_close(open_spool(1000));
	ck_assert_int_eq(access(folder_path("traces"), F_OK), -1);
	if (apart)
		umount(folder_path("users"));
	folder_remove();
}

START_TEST(test_removes_the_old_layout)
{
	remove_old_layout(false);
	remove_old_layout(true);
}
END_TEST

/* What jobs did is for nobody else on the node; into folders of what jobs
 * themselves write or read, all users may go, but not list them. */
START_TEST(test_modes)
{
	static const char *const own[] = { "queue",         "refused", "events",
					   "steps",         "jobs",    "spares",
					   "users/removed", NULL };
	static const char *const shared[] = { "shares",       "hosts",
					      "users",        "users/mpi",
					      "users/traces", NULL };
	struct stat about;

	folder_make();
	spool_close(open_spool(1000));
	for (int i = 0; own[i]; i++) {
		ck_assert_int_eq(stat(folder_path(own[i]), &about), 0);
		ck_assert_uint_eq(about.st_mode & 07777, 0700);
	}
	for (int i = 0; shared[i]; i++) {
		ck_assert_int_eq(stat(folder_path(shared[i]), &about), 0);
		ck_assert_uint_eq(about.st_mode & 0777, 0711);
	}
	folder_remove();
}
END_TEST

START_TEST(test_runs_outrank_shares)
{
	struct spool *spool;
	struct sp_error err;

	folder_make();
	quiet();
	spool = open_spool(10);
	put(spool, RECORD_SHARE, "aaaa");
	put(spool, RECORD_RUN, "bbb");
	put(spool, RECORD_SHARE, "cc");
	/* Full for a share, not for a run. */
	ck_assert_int_eq(spool_put(spool, RECORD_SHARE, "dd", 2, &err), -1);
	ck_assert_str_eq(err.text, "the spool is full");
	put(spool, RECORD_RUN, "eeee");
	ck_assert_uint_eq(spool_count(spool), 3);
	expect(spool, 0, RECORD_RUN, "bbb");
	expect(spool, 1, RECORD_SHARE, "cc");
	expect(spool, 2, RECORD_RUN, "eeee");
	put(spool, RECORD_RUN, "ff");
	ck_assert_uint_eq(spool_count(spool), 3);
	/* Nothing but runs: now they are refused, too. */
	ck_assert_int_eq(spool_put(spool, RECORD_RUN, "gg", 2, &err), -1);
	expect(spool, 2, RECORD_RUN, "ff");
	spool_close(spool);
	folder_remove();
}
END_TEST

START_TEST(test_too_large)
{
	static char text[SPOOL_RECORD_MAX + 2];
	struct spool *spool;
	struct sp_error err;
	char *read = NULL;
	size_t size;

	folder_make();
	quiet();
	memset(text, 'x', SPOOL_RECORD_MAX + 1);
	spool = open_spool(1 << 20);
	ck_assert_int_eq(
		spool_put(spool, RECORD_RUN, text, SPOOL_RECORD_MAX + 1, &err),
		-1);
	ck_assert_uint_eq(spool_count(spool), 0);
	spool_close(spool);
	/* Nor is one read that somebody else put there. */
	folder_put("queue/00000000000000000007.run", text);
	spool = open_spool(1 << 20);
	ck_assert_uint_eq(spool_count(spool), 1);
	ck_assert_int_eq(spool_read(spool, 0, &read, &size, &err), -1);
	spool_refuse(spool, 0, err.text);
	ck_assert_uint_eq(spool_count(spool), 0);
	ck_assert_int_eq(access(folder_path("refused/"
					    "00000000000000000007.run"),
				F_OK),
			 0);
	put(spool, RECORD_RUN, "next");
	ck_assert_uint_eq(spool_at(spool, 0).number, 8);
	spool_close(spool);
	folder_remove();
}
END_TEST

/* Puts and removes records for ever, and says so in a pipe: after each put is
 * done "+number", and before a remove "-number". */
static void write_for_ever(int pipe_fd, uint64_t seed)
{
	struct random random = { seed };
	struct spool *spool = spool_open(folder, 1 << 20, NULL);
	char text[64], line[64];

	if (!spool)
		_exit(1);
	for (uint64_t i = 0;; i++) {
		int length = snprintf(text, sizeof(text), "record %lu of %lu",
				      (unsigned long)i, (unsigned long)seed);

		if (spool_put(spool, RECORD_RUN, text, (size_t)length, NULL))
			_exit(1);

		uint64_t number =
			spool_at(spool, spool_count(spool) - 1).number;

		length = snprintf(line, sizeof(line), "+%lu %s\n",
				  (unsigned long)number, text);
		if (write(pipe_fd, line, (size_t)length) != length)
			_exit(1);
		if (random_below(&random, 3) == 0) {
			length = snprintf(
				line, sizeof(line), "-%lu\n",
				(unsigned long)spool_at(spool, 0).number);
			if (write(pipe_fd, line, (size_t)length) != length)
				_exit(1);
			spool_done(spool, 0);
		}
	}
	_exit(1);
}

#define NUMBERS 100000

static char *told[NUMBERS]; /* text by number; NULL: none that must be there */
static bool removed[NUMBERS];

static void read_lines(int fd)
{
	FILE *lines = fdopen(fd, "r");
	char line[128];

	while (fgets(line, sizeof(line), lines)) {
		unsigned long number = strtoul(line + 1, NULL, 10);

		if (!strchr(line, '\n'))
			break;
		ck_assert_uint_lt(number, NUMBERS);
		if (line[0] == '-') {
			removed[number] = true;
			continue;
		}
		ck_assert_ptr_null(told[number]);
		line[strcspn(line, "\n")] = '\0';
		told[number] = strdup(strchr(line, ' ') + 1);
	}
	fclose(lines);
}

/* All that was put and not removed is there, whole; what was about to be put or
 * removed may be. */
static void check_all(void)
{
	struct spool *spool = open_spool(1 << 20);
	size_t index = 0;

	for (uint64_t number = 0; number < NUMBERS; number++) {
		bool here = index < spool_count(spool) &&
			    spool_at(spool, index).number == number;

		if (told[number] && !removed[number])
			ck_assert_msg(here, "%lu is lost",
				      (unsigned long)number);
		if (here && told[number])
			expect(spool, index, RECORD_RUN, told[number]);
		if (here) {
			struct sp_error err;
			char *text;
			size_t size;

			ck_assert_int_eq(
				spool_read(spool, index, &text, &size, &err),
				0);
			ck_assert_msg(strncmp(text, "record ", 7) == 0,
				      "torn: '%s'", text);
			/* Stays for the next round. */
			if (!told[number])
				told[number] = strdup(text);
			removed[number] = false;
			free(text);
			index++;
		}
	}
	ck_assert_uint_eq(index, spool_count(spool));
	spool_close(spool);
}

START_TEST(test_survives_kill)
{
	struct random random = { 4711 };

	folder_make();
	quiet();
	for (int round = 0; round < 40; round++) {
		int ends[2];
		pid_t pid;

		ck_assert_int_eq(pipe(ends), 0);
		pid = fork();
		if (pid == 0) {
			close(ends[0]);
			write_for_ever(ends[1], 1 + (uint64_t)round);
		}
		close(ends[1]);
		usleep((useconds_t)(500 + random_below(&random, 40000)));
		kill(pid, SIGKILL);
		read_lines(ends[0]);
		waitpid(pid, NULL, 0);
		check_all();
	}
	for (int i = 0; i < NUMBERS; i++)
		free(told[i]);
	folder_remove();
}
END_TEST

static int spool_lost(void)
{
	return open(folder_path("spool/lost"), O_WRONLY | O_APPEND);
}

/* A file system of 64 kB that others have filled. */
START_TEST(test_full_disk)
{
	static char zeros[64 << 10];
	struct spool *spool;
	struct sp_error err;
	FILE *log;
	char line[512];
	int lines = 0, fd;

	folder_make();
	mkdir(folder_path("spool"), 0700);
	if (mount("none", folder_path("spool"), "tmpfs", 0, "size=65536")) {
		folder_remove();
		return; /* no right to */
	}
	log_open(folder_path("log"), LOG_LEVEL_ERROR, NULL);
	spool = spool_open(folder_path("spool"), 1 << 20, &err);
	ck_assert_int_eq(spool_put(spool, RECORD_RUN, "x", 1, &err), 0);
	ck_assert_uint_eq(spool_failed(spool), 0);
	fd = open(folder_path("spool/ballast"), O_WRONLY | O_CREAT, 0600);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	/* There is one spare. */
	ck_assert_int_eq(spool_put(spool, RECORD_RUN, "x", 1, &err), 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_double_lt(spool_free_mb(spool), SPOOL_FULL_MB);
		ck_assert(spool_is_low(spool));
		ck_assert_int_eq(spool_put(spool, RECORD_RUN, "x", 1, &err),
				 -1);
	}
	ck_assert_uint_eq(spool_failed(spool), 3);
	ck_assert_uint_eq(spool_count(spool), 2);
	/* The plugin lost something, too. */
	ck_assert_int_eq(write(spool_lost(), "xx", 2), 2);
	ck_assert_uint_eq(spool_failed(spool), 5);
	close(fd);
	unlink(folder_path("spool/ballast"));
	ck_assert_int_eq(spool_put(spool, RECORD_RUN, "x", 1, &err), 0);
	ck_assert_uint_eq(spool_failed(spool), 5);
	spool_close(spool);
	umount(folder_path("spool"));
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	log = fopen(folder_path("log"), "r");
	while (fgets(line, sizeof(line), log))
		lines += strstr(line, "spool: ") != NULL;
	fclose(log);
	ck_assert_int_eq(lines, 1);
	folder_remove();
}
END_TEST

/* A record is put, or there is nothing of it. */
START_TEST(test_no_memory)
{
	struct spool *spool;
	struct sp_error err;
	bool failed = true;

	quiet();
	for (int n = 1; failed; n++) {
		folder_make();
		spool = open_spool(1000);
		memory_fails_at(n);

		int rc = spool_put(spool, RECORD_RUN, "x", 1, &err);

		failed = memory_failed();
		ck_assert(failed || !rc);
		ck_assert_uint_eq(spool_count(spool), rc ? 0 : 1);
		spool_close(spool);
		spool = open_spool(1000);
		ck_assert_uint_eq(spool_count(spool), rc ? 0 : 1);
		spool_close(spool);
		folder_remove();
	}
}
END_TEST

/* That records can't be written is said once, not for each. */
START_TEST(test_unwritten_is_said)
{
	struct spool *spool;
	struct sp_error err;
	char text[1024] = "";
	FILE *log;

	folder_make();
	log_open(folder_path("log"), LOG_LEVEL_INFO, NULL);
	spool = open_spool(1000);
	ck_assert_int_eq(rmdir(folder_path("queue")), 0);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(spool_put(spool, RECORD_RUN, "x", 1, &err),
				 -1);
	ck_assert_uint_eq(spool_failed(spool), 2);
	ck_assert_uint_eq(spool_count(spool), 0);
	spool_close(spool);
	log_open("/dev/null", LOG_LEVEL_ERROR, NULL);
	log = fopen(folder_path("log"), "r");
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, log), 0);
	fclose(log);

	char *said = strstr(text, "spool: ");

	ck_assert_ptr_nonnull(said);
	ck_assert_ptr_null(strstr(said + 1, "spool: "));
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_keeps_order_over_a_restart,
		test_only_one_at_a_time,
		test_moves_the_old_layout,
		test_removes_the_old_layout,
		test_modes,
		test_runs_outrank_shares,
		test_too_large,
		test_survives_kill,
		test_full_disk,
		test_no_memory,
		test_unwritten_is_said,
		NULL,
	};

	return suite_run("spool", tests);
}
