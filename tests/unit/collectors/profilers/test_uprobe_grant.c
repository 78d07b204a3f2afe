/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_uprobe_grant.c - which processes get uprobes, and of what */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/profilers/uprobe_grant.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/test_uprobe_grant.XXXXXX";
static int traces, program;
static pid_t process;
static struct uprobe_request request;

/* A place in the code of a program, from its /proc/PID/maps. */
static uint64_t find_code(pid_t pid)
{
	char path[64], line[512], rights[8], name[256] = "";
	unsigned long long begin = 0, end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file) &&
	       !(sscanf(line, "%llx-%llx %7s %*s %*s %*s %255s", &begin, &end,
			rights, name) == 4 &&
		 strchr(rights, 'x') && strstr(name, "sleep")))
		;
	fclose(file);
	ck_assert_msg(strstr(name, "sleep") != NULL, "no code of the program");
	return begin + 16;
}

/* A program of job 7, which is traced. */
static void set_up(void)
{
	char path[64];

	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	traces = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(mkdirat(traces, "7", 0770), 0);
	ck_assert_int_eq(fchmodat(traces, "7", 0770, 0), 0);
	process = fork();
	if (process == 0) {
		char *const environment[] = { "SLURM_JOB_ID=7", NULL };
		char *const arguments[] = { "sleep", "60", NULL };

		execve("/bin/sleep", arguments, environment);
		_exit(127);
	}
	usleep(300000); /* until it runs */
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)process);
	program = open(path, O_RDONLY);
	ck_assert_int_ge(program, 0);
	request = (struct uprobe_request){ .version = UPROBE_VERSION,
					   .address = find_code(process),
					   .wakeup_bytes = 4096 };
}

static void tear_down(void)
{
	kill(process, SIGKILL);
	waitpid(process, NULL, 0);
	close(program);
	unlinkat(traces, "7", AT_REMOVEDIR);
	close(traces);
	rmdir(folder);
}

static void refuses(pid_t pid, uid_t user, int file, const char *why)
{
	int fds[UPROBE_EVENTS] = { -1, -1 };
	struct sp_error err = { "" };

	ck_assert_int_eq(
		uprobe_grant_open(traces, pid, user, &request, file, fds, &err),
		-1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

/* 0: there are events; else the kernel has none here. */
static int gives(void)
{
	int fds[UPROBE_EVENTS];
	struct sp_error err = { "" };
	int rc = uprobe_grant_open(traces, process, geteuid(), &request,
				   program, fds, &err);

	for (int i = 0; i < UPROBE_EVENTS && !rc; i++) {
		ck_assert_int_eq(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
		close(fds[i]);
	}
	if (rc)
		ck_assert_msg(strstr(err.text, "this node's kernel") != NULL,
			      "%s", err.text);
	return rc;
}

START_TEST(test_given)
{
	if (gives())
		puts("# the kernel gives no uprobes here");
	request.thread = process;
	gives();
}
END_TEST

START_TEST(test_other_process)
{
	refuses(process, geteuid() + 1, program, "rights");
	refuses(1 << 30, geteuid(), program, "ended");
	request.thread = 1;
	refuses(process, geteuid(), program, "not a thread");
	request.thread = -1;
	refuses(process, geteuid(), program, "not a thread");
	request.thread = 0;
	/* This one has no job. */
	refuses(getpid(), geteuid(), program, "no traced job");
}
END_TEST

START_TEST(test_other_job)
{
	/* As the epilog does. */
	ck_assert_int_eq(fchmodat(traces, "7", 0700, 0), 0);
	refuses(process, geteuid(), program, "no traced job");
	ck_assert_int_eq(unlinkat(traces, "7", AT_REMOVEDIR), 0);
	refuses(process, geteuid(), program, "no traced job");
	ck_assert_int_eq(symlinkat("/tmp", traces, "7"), 0);
	refuses(process, geteuid(), program, "no traced job");
	ck_assert_int_eq(unlinkat(traces, "7", 0), 0);
	ck_assert_int_eq(mkdirat(traces, "7", 0770), 0);
	ck_assert_int_eq(fchmodat(traces, "7", 0770, 0), 0);
	if (geteuid() == 0) { /* of another user */
		ck_assert_int_eq(fchownat(traces, "7", 1234, -1, 0), 0);
		refuses(process, geteuid(), program, "no traced job");
	}
}
END_TEST

START_TEST(test_other_file)
{
	int other = open("/proc/self/exe", O_RDONLY);
	int pipes[2];

	refuses(process, geteuid(), other, "changed");
	ck_assert_int_eq(pipe(pipes), 0);
	refuses(process, geteuid(), pipes[0], "changed");
	refuses(process, geteuid(), -1, "changed");
	request.address = 4096;
	refuses(process, geteuid(), program, "no file");
	request.address = (uintptr_t)&other; /* our stack is no code of it */
	refuses(process, geteuid(), program, "no file");
	close(other);
	close(pipes[0]);
	close(pipes[1]);
}
END_TEST

START_TEST(test_other_release)
{
	request.version++;
	refuses(process, geteuid(), program, "release");
	request.version--;
	request.zero = 1;
	refuses(process, geteuid(), program, "release");
}
END_TEST

START_TEST(test_maps)
{
	static const char maps[] =
		"55e000-55f000 r--p 00000000 fe:01 131       /bin/a b "
		"(deleted)\n"
		"55f000-561000 r-xp 00001000 fe:01 131       /bin/a b "
		"(deleted)\n"
		"561000-562000 rw-p 00000000 00:00 0 \n"
		"nonsense\n"
		"7f0000-7f1000 r-xp 00003000 00:2a 18446744073709551615 "
		"/lib/c\n"
		"7ff000-800000 --xp 00000000 00:00 0         [uprobes]\n";
	struct uprobe_mapping found;

	ck_assert_int_eq(uprobe_grant_find(maps, 0x55f123, true, &found), 0);
	ck_assert_str_eq(found.file, "fe:01 131");
	ck_assert_uint_eq(found.offset, 0x1123);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x7f0fff, true, &found), 0);
	ck_assert_str_eq(found.file, "00:2a 18446744073709551615");
	ck_assert_uint_eq(found.offset, 0x3fff);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x55e001, true, &found), -1);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x55e001, false, &found), 0);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x561001, false, &found), -1);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x7ff001, true, &found), -1);
	ck_assert_int_eq(uprobe_grant_find(maps, 0x800000, true, &found), -1);
	ck_assert_int_eq(uprobe_grant_find("", 0, true, &found), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_given,
				       test_other_process,
				       test_other_job,
				       test_other_file,
				       test_other_release,
				       test_maps,
				       NULL };

	return suite_run_each("uprobe_grant", tests, set_up, tear_down);
}
