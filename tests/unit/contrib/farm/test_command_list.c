/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_command_list.c - command lines, and the log of those that were run */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/farm/command_list.h"
#include "tests/unit/suite.h"

static const char commands[] = "echo 1\n"
			       "# no command\n"
			       "\n"
			       "  \t\n"
			       "  echo 2 # indented\n"
			       "echo 3\n"
			       "echo 4";

static void read_commands(struct command_list *list)
{
	FILE *from = fmemopen((void *)commands, strlen(commands), "r");

	ck_assert_int_eq(command_list_read(list, from), 0);
	fclose(from);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	fputs(text, file);
	fclose(file);
}

START_TEST(test_lines)
{
	struct command_list list;

	read_commands(&list);
	ck_assert_int_eq(list.count, 4);
	ck_assert_str_eq(list.line[0], "echo 1");
	ck_assert_str_eq(list.line[1], "  echo 2 # indented");
	ck_assert_str_eq(list.line[3], "echo 4");
	ck_assert_int_eq(list.done_count, 0);
	command_list_clear(&list);
}
END_TEST

/* What was logged is read back, also in part, and beside lines of
 * another kind. */
START_TEST(test_log_is_resumed)
{
	char path[] = "/tmp/test_command_list.XXXXXX";
	struct command_list list;
	const struct command_end good = { "n1", 1795695096.25, 1.5, 0, 0 };
	const struct command_end failed = { "n2", 1795695097.25, .5, 3, 0 };
	const struct command_end killed = { "n2", 1795695097.25, .5, 0, 9 };

	close(mkstemp(path));

	FILE *log = command_log_open(path, false);

	ck_assert_int_eq(command_log_write(log, 1, "echo 1", &good, 7), 0);
	command_log_write(log, 2, "echo 2", &failed, 7);
	command_log_write(log, 4, "echo 4", &killed, 7);
	fclose(log);
	read_commands(&list);
	ck_assert_int_eq(command_list_resume(&list, path, false), 0);
	ck_assert_int_eq(list.done_count, 3);
	ck_assert(list.done[0] && list.done[1] && !list.done[2] &&
		  list.done[3]);
	command_list_clear(&list);

	read_commands(&list);
	ck_assert_int_eq(command_list_resume(&list, path, true), 0);
	ck_assert_int_eq(list.done_count, 1);
	ck_assert(list.done[0]);
	command_list_clear(&list);

	/* Run again with success: it is done. */
	log = command_log_open(path, true);
	command_log_write(log, 2, "echo 2", &good, 7);
	fclose(log);
	read_commands(&list);
	command_list_resume(&list, path, true);
	ck_assert_int_eq(list.done_count, 2);
	command_list_clear(&list);
	unlink(path);
}
END_TEST

START_TEST(test_odd_logs)
{
	char path[] = "/tmp/test_command_list.XXXXXX";
	struct command_list list;

	close(mkstemp(path));
	unlink(path);
	read_commands(&list);
	ck_assert_int_eq(command_list_resume(&list, path, false), 0);
	ck_assert_int_eq(list.done_count, 0);
	/* Lines of other programs, of numbers that are none, and a line that
	 * was cut when its writer was killed. */
	write_file(path, "Seq\tHost\tStarttime\n"
			 "9\tn1\t1.5\t     0.5\t0\t0\t0\t0\tx\n"
			 "0\tn1\t1.5\t     0.5\t0\t0\t0\t0\tx\n"
			 "-1\tn1\t1.5\t     0.5\t0\t0\t0\t0\tx\n"
			 "99999999999999999999\tn1\t1.5\t0.5\t0\t0\t0\t0\tx\n"
			 "nonsense\n"
			 "3\tn1\t1.5\t     0.5\t0\t0\t0\t0\techo 3\n"
			 "3\tn1\t1.5\t     0.5\t0\t0\t0\t0\techo 3\n"
			 "4\tn1\t1.5\t     0.5\t0\t0\t0\t0\tec");
	ck_assert_int_eq(command_list_resume(&list, path, false), 0);
	ck_assert_int_eq(list.done_count, 1);
	ck_assert(list.done[2]);
	ck_assert_int_eq(command_list_resume(&list, "/", false), -1);
	command_list_clear(&list);
	unlink(path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_lines, test_log_is_resumed,
				       test_odd_logs, NULL };

	return suite_run("command_list", tests);
}
