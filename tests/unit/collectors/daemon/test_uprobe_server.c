/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_uprobe_server.c - uprobes over the socket, as a rank's library has them
 *
 * The server is in this process; its children are ranks.  They must be programs of
 * a job, which the kernel shows by the environment that a program begins with: so
 * this one begins again.
 */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/daemon/uprobe_server.h"
#include "collectors/profilers/mpi/uprobe_client.h"
#include "collectors/profilers/mpi/uprobes.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

enum {
	MEASURED,
	REFUSED,
	NO_KERNEL
}; /* how a rank ends, or a line of Check's */

static char spool[] = "/tmp/test_uprobes.XXXXXX";
static char path[128];
static int traces;
static struct uprobe_server *server;

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void measured_burn(double time_s, int deeper);
static volatile double sum;
static double taken_s;

static jmp_buf outside;

/* Uprobes follow it.  deeper: calls itself so often; -1: calls MPI in between, -2:
 * does not return. */
__attribute__((noinline)) void measured_burn(double time_s, int deeper)
{
	if (deeper == -2)
		longjmp(outside, 1);
	if (deeper > 0) {
		measured_burn(time_s, deeper - 1);
	} else if (deeper == -1) {
		measured_burn(time_s / 3, 0);
		taken_s = uprobes_enter(cpu_s());
		measured_burn(time_s, 0);
		uprobes_leave(cpu_s());
		measured_burn(time_s * 2 / 3, 0);
	} else {
		for (double end_s = cpu_s() + time_s; cpu_s() < end_s;)
			sum = sum + 1;
	}
	sum = sum + 1; /* it does not jump to its last call */
}

static void burn(double time_s)
{
	for (double end_s = cpu_s() + time_s; cpu_s() < end_s;)
		sum = sum + 2;
}

static int begin(struct sp_error *err)
{
	static struct symbol_place place;

	if (symbols_find("measured_burn", &place) != SYMBOL_FOUND)
		return sp_error_set(err, "no symbol");
	place.catches = false; /* the sanitizer's library does */
	return uprobes_begin(&place, err);
}

/* --- Ranks ---------------------------------------------------------------- */

static int end_of(const struct sp_error *err)
{
	printf("# %s\n", err->text);
	fflush(stdout);
	return strstr(err->text, "this node's kernel") ? NO_KERNEL : REFUSED;
}

/* 60 ms of 90 ms, before and within MPI 60 ms more of it. */
static int rank_calls(void)
{
	struct sp_error err;

	if (begin(&err))
		return end_of(&err);
	for (int i = 0; i < 20; i++) {
		measured_burn(.003, i % 4);
		burn(.0015);
	}
	taken_s = uprobes_enter(cpu_s());
	measured_burn(.06, 0);
	uprobes_leave(cpu_s());
	burn(.01);

	double again_s = uprobes_enter(cpu_s());

	printf("# %.6f s, then %.6f s, %d calls\n", taken_s, again_s,
	       (int)uprobes_calls());
	fflush(stdout);
	return uprobes_why() || uprobes_calls() != 20 + 5 * (1 + 2 + 3) + 1 ||
			       taken_s < .0595 || taken_s > .07 ||
			       again_s > .001
		       ? 10
		       : MEASURED;
}

/* A third before MPI, two thirds after. */
static int rank_calls_mpi(void)
{
	struct sp_error err;
	double rest_s;

	if (begin(&err))
		return end_of(&err);
	measured_burn(.06, -1);
	rest_s = uprobes_enter(cpu_s());
	printf("# %.6f s, then %.6f s, %s\n", taken_s, rest_s,
	       uprobes_why() ? uprobes_why() : "whole");
	fflush(stdout);
	return uprobes_why() || uprobes_calls() != 4 || taken_s < .0198 ||
			       taken_s > .025 || rest_s < .0398 || rest_s > .045
		       ? 10
		       : MEASURED;
}

/* Seen at the next call of MPI, or at its own next call. */
static int rank_jumps(bool twice)
{
	struct sp_error err;

	if (begin(&err))
		return end_of(&err);
	if (!setjmp(outside))
		measured_burn(0, -2);
	if (twice)
		measured_burn(.001, 0);
	burn(.001);
	uprobes_enter(cpu_s());
	return uprobes_why() && strstr(uprobes_why(), "longjmp") ? MEASURED
								 : 10;
}

static int rank_jumps_once(void)
{
	return rank_jumps(false);
}

static int rank_jumps_twice(void)
{
	return rank_jumps(true);
}

/* A long time without MPI: the ring fills some hundred times. */
static int rank_fills_ring(void)
{
	struct sp_error err;
	double from_s;

	if (begin(&err))
		return end_of(&err);
	from_s = cpu_s();
	for (int i = 0; i < 15000; i++)
		measured_burn(100e-6, 0);
	taken_s = uprobes_enter(cpu_s()) / (cpu_s() - from_s);
	printf("# %.3f of it, %d calls, %s\n", taken_s, (int)uprobes_calls(),
	       uprobes_why() ? uprobes_why() : "whole");
	fflush(stdout);
	return uprobes_why() || uprobes_calls() != 15000 || taken_s < .8 ||
			       taken_s > 1
		       ? 10
		       : MEASURED;
}

/* On a busy machine records are lost before they are counted.  Once refused, nothing is
 * counted any more. */
static int rank_too_often(void)
{
	struct sp_error err;

	if (begin(&err))
		return end_of(&err);
	for (double end_s = clock_monotonic_s() + 20;
	     !uprobes_why() && clock_monotonic_s() < end_s;)
		for (int i = 0; i < 1000; i++)
			measured_burn(0, 0);
	if (!uprobes_why() || (!strstr(uprobes_why(), "10,000 times") &&
			       !strstr(uprobes_why(), "records are lost")))
		return 10;
	sleep(1);

	uint64_t calls = uprobes_calls();

	measured_burn(0, 0);
	return uprobes_enter(cpu_s()) == 0 && uprobes_calls() == calls
		       ? MEASURED
		       : 10;
}

/* A child has no probe, and ends as ever. */
static int rank_forks(void)
{
	struct sp_error err;
	int status;

	if (begin(&err))
		return end_of(&err);

	pid_t child = fork();

	measured_burn(.001, 2);
	uprobes_enter(cpu_s());
	uprobes_leave(cpu_s());
	if (child == 0)
		_exit(uprobes_calls() ? 10 : 0);
	return waitpid(child, &status, 0) == child && status == 0 &&
			       uprobes_calls() == 3
		       ? MEASURED
		       : 10;
}

static int rank_many(void)
{
	static struct symbol_place place;
	struct sp_error err = { "" };
	int fds[UPROBE_EVENTS], rc = 0;

	symbols_find("measured_burn", &place);
	for (int i = 0; i <= UPROBE_SERVER_PROCESS_MAX && !rc; i++)
		rc = uprobe_client_ask(&place, 5000, 4096, fds, &err);
	return rc && strstr(err.text, "before") ? MEASURED : end_of(&err);
}

static int rank_silent(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	char byte;

	strcpy(address.sun_path, path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return 10;
	return read(fd, &byte, 1) == 0 ? REFUSED : 10;
}

/* --- The server ----------------------------------------------------------- */

static void serve_until(pid_t pid, int *ret_status)
{
	while (waitpid(pid, ret_status, WNOHANG) == 0) {
		struct pollfd fd = { .fd = uprobe_server_fd(server),
				     .events = POLLIN };

		poll(&fd, 1, 20);
		uprobe_server_run(server, clock_monotonic_s());
	}
}

static int run(int (*rank)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(rank());
	serve_until(pid, &status);
	ck_assert_msg(WIFEXITED(status), "signal %d", WTERMSIG(status));
	return WEXITSTATUS(status);
}

static void measures(int (*rank)(void))
{
	int end = run(rank);

	if (end == NO_KERNEL)
		puts("# the kernel gives no uprobes here");
	else
		ck_assert_int_eq(end, MEASURED);
}

static void set_up(void)
{
	struct sp_error err = { "" };

	strcpy(spool + strlen(spool) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(spool));
	traces = open(spool, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(mkdirat(traces, "7", 0770), 0);
	ck_assert_int_eq(fchmodat(traces, "7", 0770, 0), 0);
	snprintf(path, sizeof(path), "%s/" UPROBE_SERVER_SOCKET, spool);
	setenv(UPROBE_SOCKET_VARIABLE, path, 1);
	server = uprobe_server_create(spool, traces, &err);
	ck_assert_msg(server != NULL, "%s", err.text);
}

static void tear_down(void)
{
	uprobe_server_destroy(server);
	ck_assert_int_ne(access(path, F_OK), 0);
	unlinkat(traces, "7", AT_REMOVEDIR);
	close(traces);
	rmdir(spool);
}

START_TEST(test_measured)
{
	measures(rank_calls);
	measures(rank_calls_mpi);
	measures(rank_forks);
}
END_TEST

START_TEST(test_left_otherwise)
{
	measures(rank_jumps_once);
	measures(rank_jumps_twice);
}
END_TEST

START_TEST(test_ring)
{
	/* The thread that reads may not get a CPU in time. */
	for (int i = 0; i < 4; i++)
		if (run(rank_fills_ring) != 10)
			return;
	measures(rank_fills_ring);
}
END_TEST

START_TEST(test_too_often)
{
	measures(rank_too_often);
}
END_TEST

START_TEST(test_limits)
{
	measures(rank_many);
	for (int i = 0; i < UPROBE_SERVER_PROCESS_MAX; i++)
		ck_assert_ptr_null(uprobe_server_refuses(server, getpid(), 7));
	ck_assert_ptr_nonnull(uprobe_server_refuses(server, getpid(), 7));
	ck_assert_ptr_nonnull(uprobe_server_refuses(server, 1 << 30, 7));
	ck_assert_ptr_null(uprobe_server_refuses(server, getppid(), 7));
}
END_TEST

/* Of one user, then of others; who ended makes room. */
START_TEST(test_processes)
{
	pid_t pids[UPROBE_SERVER_PROBED + 1];
	int count = 0;

	for (; count <= UPROBE_SERVER_PROBED; count++) {
		pids[count] = fork();
		if (pids[count] == 0) {
			pause();
			_exit(0);
		}

		const char *why = uprobe_server_refuses(
			server, pids[count],
			count < UPROBE_SERVER_PROBED_MAX ? 7 : 8);

		ck_assert_int_eq(why != NULL, count == UPROBE_SERVER_PROBED);
		if (count == UPROBE_SERVER_PROBED_MAX - 1)
			ck_assert_ptr_nonnull(
				uprobe_server_refuses(server, getpid(), 7));
	}
	while (count--) {
		kill(pids[count], SIGKILL);
		waitpid(pids[count], NULL, 0);
	}
	ck_assert_ptr_null(uprobe_server_refuses(server, getpid(), 7));
}
END_TEST

START_TEST(test_not_traced)
{
	fchmodat(traces, "7", 0700, 0);
	ck_assert_int_eq(run(rank_calls), REFUSED);
}
END_TEST

START_TEST(test_silent)
{
	double from_s = clock_monotonic_s();

	ck_assert_int_eq(run(rank_silent), REFUSED);
	ck_assert_double_lt(clock_monotonic_s() - from_s, 10);
	measures(rank_calls);
}
END_TEST

/* Nobody listens: at once; a server that does not reply: in time. */
START_TEST(test_no_server)
{
	static struct symbol_place place;
	struct sp_error err = { "" };
	int fds[UPROBE_EVENTS];
	double from_s = clock_monotonic_s();

	symbols_find("measured_burn", &place);
	ck_assert_int_eq(uprobe_client_ask(&place, 300, 4096, fds, &err), -1);
	ck_assert_msg(strstr(err.text, "in time") != NULL, "%s", err.text);
	ck_assert_double_lt(clock_monotonic_s() - from_s, 5);
	setenv(UPROBE_SOCKET_VARIABLE, "/tmp/no such socket", 1);
	from_s = clock_monotonic_s();
	ck_assert_int_eq(uprobe_client_ask(&place, 60000, 4096, fds, &err), -1);
	ck_assert_msg(strstr(err.text, "no collectord") != NULL, "%s",
		      err.text);
	ck_assert_double_lt(clock_monotonic_s() - from_s, 10);
}
END_TEST

int main(int argc, char **argv)
{
	const TTest *const tests[] = { test_measured,   test_left_otherwise,
				       test_ring,       test_too_often,
				       test_limits,     test_processes,
				       test_not_traced, test_silent,
				       test_no_server,  NULL };

	(void)argc;
	if (!getenv("SLURM_JOB_ID")) {
		setenv("SLURM_JOB_ID", "7", 1);
		execv("/proc/self/exe", argv);
	}
	return suite_run_each("uprobe_server", tests, set_up, tear_down);
}
