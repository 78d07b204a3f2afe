/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_command.c - children that print, fail, hang and chatter */
#include <check.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/slurm/slurm_command.h"
#include "tests/unit/suite.h"

#define OUTPUT_MAX (8 << 20)

static struct sp_error err;

/* Neither running nor a zombie. */
static void assert_no_child(void)
{
	ck_assert(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static char *run(const char *script, double timeout_s)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	char *output = slurm_command_run(argv, timeout_s, OUTPUT_MAX, &err);

	assert_no_child();
	return output;
}

static void assert_output(const char *script, const char *expected)
{
	char *output = run(script, 20);

	ck_assert_msg(output != NULL, "%s", err.text);
	ck_assert_str_eq(output, expected);
	free(output);
}

static void assert_fails(const char *script, double timeout_s, const char *why)
{
	ck_assert_ptr_null(run(script, timeout_s));
	ck_assert_str_eq(err.text, why);
}

START_TEST(test_output)
{
	setenv("SLURM_TIME_FORMAT", "relative", 1);
	assert_output("echo one; echo two >&2; echo $SLURM_TIME_FORMAT $LC_ALL",
		      "one\n%s C\n");
	assert_output("exec true", "");
	assert_output("cat", "");

	char *output = run("head -c 5000000 /dev/zero | tr '\\0' x", 20);

	ck_assert(output != NULL);
	ck_assert_uint_eq(strlen(output), 5000000);
	free(output);
}
END_TEST

START_TEST(test_failures)
{
	assert_fails("echo 'sh: why' >&2; echo so >&2; exit 3", 20, "sh: why");
	assert_fails("echo what; exit 3", 20, "sh: what");
	assert_fails("exit 3", 20, "sh: exit status 3");
	assert_fails("kill -9 $$", 20, "sh: killed by signal 9");
	assert_fails("exec cat /dev/zero", 20,
		     "sh printed more than 8388608 bytes");
	assert_fails("echo a; exec sleep 30", 0.3,
		     "sh did not end within 0.3 s");
	assert_fails("exec >&-; sleep 30", 0.3, "sh did not end within 0.3 s");
	assert_fails("trap '' TERM; sleep 30", 0.3,
		     "sh did not end within 0.3 s");
}
END_TEST

/* More than a pipe holds, and more than is kept. */
START_TEST(test_much_on_stderr)
{
	assert_output("head -c 1000000 /dev/zero >&2; echo end", "end\n");

	const char *const argv[] = { "sh", "-c",
				     "yes no 2>/dev/null | head -n 9000 >&2; "
				     "exit 1",
				     NULL };

	ck_assert_ptr_null(slurm_command_run(argv, 20, OUTPUT_MAX, &err));
	ck_assert_str_eq(err.text, "sh: no");
}
END_TEST

START_TEST(test_whole_group_is_killed)
{
	char path[] = "/tmp/test_slurm_command.XXXXXX", script[128];
	int fd = mkstemp(path);
	char text[16] = "";

	ck_assert_int_ge(fd, 0);
	snprintf(script, sizeof(script), "sleep 30 & echo $! >%s; wait", path);
	ck_assert_ptr_null(run(script, 0.5));
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	unlink(path);

	/* Somebody else's zombie by now, at most. */
	char state = '\0';
	char stat[64];
	FILE *file;

	snprintf(stat, sizeof(stat), "/proc/%d/stat", atoi(text));
	for (int i = 0; i < 200 && (file = fopen(stat, "r")); i++) {
		if (fscanf(file, "%*d %*s %c", &state) != 1)
			state = '\0';
		fclose(file);
		if (state == 'Z')
			break;
		usleep(10000);
	}
	ck_assert_msg(!file || state == 'Z', "state %c", state);
}
END_TEST

static enum slurm_command_state poll_to_end(struct slurm_command *c)
{
	enum slurm_command_state state;

	while ((state = slurm_command_poll(c, &err)) == SLURM_COMMAND_RUNNING) {
		struct pollfd fd = { .fd = slurm_command_fd(c),
				     .events = POLLIN };
		double left_s = slurm_command_due_s(c) - clock_monotonic_s();

		ck_assert_double_le(left_s, 20);
		poll(&fd, 1, (int)(left_s * 1e3) + 1);
	}
	return state;
}

START_TEST(test_polled)
{
	const char *const slow[] = { "sh", "-c", "echo a; sleep 0.3; echo b",
				     NULL };
	const char *const bad[] = { "sh", "-c", "echo x; echo y >&2; exit 1",
				    NULL };
	struct slurm_command *c =
		slurm_command_start(slow, 20, OUTPUT_MAX, &err);
	size_t size;

	ck_assert_int_eq(slurm_command_poll(c, &err), SLURM_COMMAND_RUNNING);
	ck_assert_int_eq(poll_to_end(c), SLURM_COMMAND_DONE);
	ck_assert_int_eq(slurm_command_poll(c, &err), SLURM_COMMAND_DONE);
	ck_assert_str_eq(slurm_command_output(c, &size), "a\nb\n");
	ck_assert_uint_eq(size, 4);
	ck_assert_int_eq(slurm_command_fd(c), -1);
	slurm_command_destroy(c);

	c = slurm_command_start(bad, 20, OUTPUT_MAX, &err);
	ck_assert_int_eq(poll_to_end(c), SLURM_COMMAND_FAILED);
	ck_assert_str_eq(err.text, "sh: y");
	ck_assert_str_eq(slurm_command_output(c, NULL), "x\n");
	ck_assert_str_eq(slurm_command_errors(c), "y\n");
	slurm_command_destroy(c);
	assert_no_child();
}
END_TEST

START_TEST(test_destroyed_while_it_runs)
{
	const char *const argv[] = { "sleep", "30", NULL };
	double began_s = clock_monotonic_s();

	slurm_command_destroy(slurm_command_start(argv, 30, OUTPUT_MAX, &err));
	slurm_command_destroy(NULL);
	ck_assert_double_lt(clock_monotonic_s() - began_s, 10);
	assert_no_child();
}
END_TEST

START_TEST(test_output_of_the_caller)
{
	const char *const argv[] = { "sh", "-c",
				     "sleep 0.2; echo a; sleep 0.5; echo b; "
				     "echo c >&2; exit $0",
				     NULL, NULL };

	for (int status = 0; status < 2; status++) {
		const char *own[5];
		char text[16] = "";
		size_t size = 0;
		ssize_t got;

		memcpy(own, argv, sizeof(own));
		own[3] = status ? "1" : "0";

		struct slurm_command *c =
			slurm_command_start(own, 0.5, 0, &err);

		ck_assert_int_eq(slurm_command_wait_output(c), 0);

		int fd = slurm_command_take_fd(c);

		while ((got = read(fd, text + size, sizeof(text) - size)) > 0)
			size += (size_t)got;
		close(fd);
		ck_assert_str_eq(text, "a\nb\n");
		ck_assert_int_eq(slurm_command_finish(c, &err), -status);
		slurm_command_destroy(c);
	}
	ck_assert_str_eq(err.text, "sh: c");
	assert_no_child();
}
END_TEST

START_TEST(test_no_output_in_time)
{
	const char *const argv[] = { "sleep", "30", NULL };
	struct slurm_command *c = slurm_command_start(argv, 0.2, 0, &err);

	ck_assert_int_eq(slurm_command_wait_output(c), -1);
	slurm_command_destroy(c);
	assert_no_child();
}
END_TEST

START_TEST(test_no_program)
{
	const char *const argv[] = { "/nowhere/scontrol", NULL };

	ck_assert_ptr_null(slurm_command_start(argv, 1, OUTPUT_MAX, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/scontrol"));
	ck_assert_ptr_null(slurm_command_run(argv, 1, OUTPUT_MAX, &err));
	assert_no_child();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_output,
				       test_failures,
				       test_much_on_stderr,
				       test_whole_group_is_killed,
				       test_polled,
				       test_destroyed_while_it_runs,
				       test_output_of_the_caller,
				       test_no_output_in_time,
				       test_no_program,
				       NULL };

	return suite_run("slurm_command", tests);
}
