/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_processes.c - /proc as it is, and as nasty names make it */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/sensors/processes.h"
#include "tests/unit/suite.h"

#define REST                                                             \
	" R 7 5 5 0 -1 4194304 102 0 0 0 30 12 900 77 39 19 3 0 107632 " \
	"2998272 413 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0\n"

START_TEST(test_parse)
{
	struct process process;

	ck_assert_int_eq(process_parse("123 (head)" REST, &process), 0);
	ck_assert_int_eq(process.pid, 123);
	ck_assert_int_eq(process.parent, 7);
	ck_assert_int_eq(process.state, 'R');
	ck_assert_uint_eq(process.ticks, 42);
	ck_assert_uint_eq(process.child_ticks, 977);
	ck_assert_int_eq(process.nice, 19);
	ck_assert_uint_eq(process.threads, 3);
	ck_assert_uint_eq(process.born_ticks, 107632);
	ck_assert_uint_eq(process.resident_pages, 413);
	ck_assert(!process.step_daemon && !process.slurmd && !process.kernel);
	ck_assert_int_eq(process_parse("9 (slurmstepd)" REST, &process), 0);
	ck_assert(process.step_daemon);
	ck_assert_int_eq(process_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 "
				       "0 0 0 5 0 0 20 0 1 0 9 0 0",
				       &process),
			 0);
	ck_assert(process.kernel);
	ck_assert_int_eq(process_parse("9 (slurmd)" REST, &process), 0);
	ck_assert(process.slurmd);
	ck_assert_int_eq(process_parse("9 (x) S 1 (y)" REST, &process), 0);
	ck_assert_int_eq(process.parent, 7);
}
END_TEST

START_TEST(test_parse_refuses)
{
	static const char *const texts[] = { "",          "1",        "1 (",
					     "1 )(",      "(a)" REST, "1 (a) R",
					     "1 (a) R x", NULL };
	struct process process = { .pid = 77 };

	for (int i = 0; texts[i]; i++)
		ck_assert_msg(process_parse(texts[i], &process) == -1, "%s",
			      texts[i]);
	ck_assert_int_eq(process.pid, 77);
}
END_TEST

START_TEST(test_times)
{
	struct process process = { .pid = getpid(), .threads = 1 };
	uint64_t run_ns = 0, wait_ns = 0, again_ns = 0;

	if (access("/proc/self/schedstat", R_OK) != 0)
		return;
	ck_assert_int_eq(process_times(&process, &run_ns, &wait_ns), 0);
	process.threads = 2; /* each is read; there is one */
	ck_assert_int_eq(process_times(&process, &again_ns, &wait_ns), 0);
	ck_assert_uint_ge(again_ns, run_ns);
	again_ns = 7;
	process.pid = 1 << 30;
	ck_assert_int_eq(process_times(&process, &again_ns, &wait_ns), -1);
	process.threads = 1;
	ck_assert_int_eq(process_times(&process, &again_ns, &wait_ns), -1);
	ck_assert_uint_eq(again_ns, 7);
}
END_TEST

START_TEST(test_sees_a_spinning_child)
{
	struct processes processes = { 0 };
	const struct process *found;
	struct sp_error err;
	int runnable = 0;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			;
	for (int i = 0; i < 50; i++) {
		ck_assert_int_eq(processes_read("", &processes, &err), 0);
		found = processes_find(&processes, pid);
		ck_assert_ptr_nonnull(found);
		ck_assert_int_eq(found->parent, getpid());
		ck_assert(!found->in_job);
		runnable += found->state == 'R';
		usleep(2000);
	}
	ck_assert_int_ge(runnable, 40);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ck_assert_int_eq(processes_read("", &processes, &err), 0);
	ck_assert_ptr_null(processes_find(&processes, pid));
	/* What is known of the kernel's threads stays. */
	struct processes again = { 0 };

	for (size_t i = 0; i < processes.count; i++)
		processes.of[i].child_ticks = 123456789;
	ck_assert_int_eq(processes_read_again("", &processes, &again, &err), 0);
	for (size_t i = 0; i < again.count; i++)
		ck_assert_int_eq(again.of[i].child_ticks == 123456789,
				 again.of[i].kernel);
	processes_clear(&again);
	for (size_t i = 1; i < processes.count; i++)
		ck_assert_int_lt(processes.of[i - 1].pid, processes.of[i].pid);
	ck_assert_int_eq(processes_read("/nowhere", &processes, &err), -1);
	processes_clear(&processes);
}
END_TEST

/* A process that calls itself slurmstepd, or slurmd, of a job 77. */
static pid_t impostor_start(uid_t user, const char *name)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (user && setuid(user))
			_exit(1);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* Its files in /proc are root's. */
		prctl(PR_SET_DUMPABLE, 0);
		prctl(PR_SET_NAME, name);
		for (;;)
			pause();
	}
	return pid;
}

START_TEST(test_only_root_is_slurm)
{
	static const char *const names[] = { "slurmstepd", "slurmd" };
	struct processes processes = { 0 };
	struct sp_error err;

	if (geteuid() != 0)
		return;
	for (int i = 0; i < 4; i++) {
		uid_t user = i < 2 ? 0 : 65534;
		pid_t pid = impostor_start(user, names[i % 2]);
		const struct process *found;

		usleep(50000);
		ck_assert_int_eq(processes_read("", &processes, &err), 0);
		found = processes_find(&processes, pid);
		ck_assert_ptr_nonnull(found);
		ck_assert_int_eq(found->step_daemon, user == 0 && i % 2 == 0);
		ck_assert_int_eq(found->slurmd, user == 0 && i % 2 == 1);
		if (user)
			ck_assert_uint_eq(found->job_id, 0);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	processes_clear(&processes);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_parse,
				       test_parse_refuses,
				       test_times,
				       test_sees_a_spinning_child,
				       test_only_root_is_slurm,
				       NULL };

	return suite_run("processes", tests);
}
