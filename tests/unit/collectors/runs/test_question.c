/* test_question.c - children that answer, fail, hang and chatter */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/runs/question.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

static const char *text;
static size_t size;

static enum question_state ask(const char *command, double timeout_s)
{
	char copy[256];
	char *arguments[] = { "sh", "-c", copy, NULL };
	struct question *question = question_create();
	struct sp_error err;
	enum question_state state;
	static char kept[1 << 16];

	strcpy(copy, command);
	ck_assert_msg(!question_ask(question, arguments, timeout_s, &err), "%s",
		      err.text);
	ck_assert_int_eq(question_ask(question, arguments, 1, &err), -1);
	do {
		struct pollfd fd = { .fd = question_fd(question),
				     .events = POLLIN };

		poll(&fd, 1, 20);
		state = question_poll(question, &text, &size);
	} while (state == QUESTION_OPEN);
	ck_assert_int_eq(question_fd(question), -1);
	if (size < sizeof(kept)) {
		memcpy(kept, text, size);
		kept[size] = '\0';
		text = kept;
	}
	question_destroy(question);
	return state;
}

START_TEST(test_answers)
{
	setenv("SLURM_TIME_FORMAT", "relative", 1);
	ck_assert_int_eq(
		ask("echo one; echo two >&2; echo $SLURM_TIME_FORMAT", 5),
		QUESTION_ANSWERED);
	ck_assert_str_eq(text, "one\ntwo\n%s\n");
	ck_assert_int_eq(ask("echo no; exit 1", 5), QUESTION_FAILED);
	ck_assert_str_eq(text, "no\n");
	ck_assert_int_eq(ask("kill -9 $$", 5), QUESTION_FAILED);
	ck_assert_int_eq(ask("head -c 5000000 /dev/zero", 20),
			 QUESTION_ANSWERED);
	ck_assert_uint_eq(size, 5000000);
}
END_TEST

START_TEST(test_bounds)
{
	double started_s = clock_monotonic_s();

	ck_assert_int_eq(ask("echo a; exec sleep 30", 0.3), QUESTION_FAILED);
	ck_assert_int_eq(ask("exec cat /dev/zero", 20), QUESTION_FAILED);
	ck_assert_uint_le(size, QUESTION_ANSWER_MAX);
	/* One that ignores us is ended all the same. */
	ck_assert_int_eq(ask("trap '' TERM; exec sleep 30", 0.3),
			 QUESTION_FAILED);
	ck_assert_double_lt(clock_monotonic_s() - started_s, 15);
}
END_TEST

START_TEST(test_no_program)
{
	char *arguments[] = { "/nowhere/scontrol", NULL };
	struct question *question = question_create();
	struct sp_error err;

	ck_assert_int_eq(question_ask(question, arguments, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/scontrol"));
	ck_assert_int_eq(question_fd(question), -1);
	question_destroy(question);
	question_destroy(NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_answers, test_bounds,
				       test_no_program, NULL };

	return suite_run("question", tests);
}
