/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_daemon_options.c - the daemons' command line, and its help */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/daemon_options.h"
#include "tests/unit/suite.h"

static const struct conf_key keys[] = {
	{ .name = "Port", .help = "where to listen" },
	{ .name = NULL },
};

static const struct daemon_option own_options[] = {
	{ .name = "migrate",
	  .argument = "CONNINFO",
	  .may_lack_argument = true,
	  .help = "change the schema",
	  .action = DAEMON_OWN,
	  .text = DAEMON_MEMBER(own_argument) },
	{ .help = NULL },
};

static const struct daemon_program program = {
	.name = "exampled",
	.config_path = "/etc/x.conf",
	.config_keys = keys,
	.own_options = own_options,
};

static struct daemon_options options;
static int status;
static char printed[4096]; /* to the standard output or error */

/* Parse a command line of words with a blank between; what it prints on `fd`
 * goes to `printed`. */
static int parse(const struct daemon_program *of, const char *line, int fd)
{
	static char copy[256]; /* the options point into it */
	char *rest = NULL, *argv[16] = { "exampled" };
	FILE *file = tmpfile();
	int argc = 1, before = dup(fd), rc;

	ck_assert_ptr_nonnull(file);
	strcpy(copy, line);
	for (char *word = strtok_r(copy, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	fflush(stdout);
	dup2(fileno(file), fd);
	optind = 0; /* begin anew */
	rc = daemon_options_parse(of, argc, argv, &options, &status);
	fflush(stdout);
	dup2(before, fd);
	close(before);
	rewind(file);
	printed[fread(printed, 1, sizeof(printed) - 1, file)] = '\0';
	fclose(file);
	return rc;
}

START_TEST(test_defaults)
{
	ck_assert_int_eq(parse(&program, "", 1), 0);
	ck_assert_int_eq(options.action, DAEMON_SERVE);
	ck_assert_str_eq(options.config_path, "/etc/x.conf");
	ck_assert(!options.foreground);
	ck_assert(!options.verbose);
}
END_TEST

START_TEST(test_common_options)
{
	ck_assert_int_eq(parse(&program, "-Dv -f /y --check-config", 1), 0);
	ck_assert_int_eq(options.action, DAEMON_CHECK_CONFIG);
	ck_assert_str_eq(options.config_path, "/y");
	ck_assert(options.foreground);
	ck_assert(options.verbose);
}
END_TEST

START_TEST(test_own_options)
{
	ck_assert_int_eq(parse(&program, "--migrate -D", 1), 0);
	ck_assert_int_eq(options.action, DAEMON_OWN);
	ck_assert_ptr_null(options.own_argument);
	ck_assert(options.foreground);
	ck_assert_int_eq(parse(&program, "--migrate=dbname=x", 1), 0);
	ck_assert_str_eq(options.own_argument, "dbname=x");
}
END_TEST

START_TEST(test_version)
{
	ck_assert_int_eq(parse(&program, "-D -V", 1), 1);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(printed, "slurm-predict " SP_VERSION "\n");
}
END_TEST

START_TEST(test_help)
{
	static const char *const lines[] = {
		"Usage: exampled [OPTION]...\n",
		"\n  -D ",
		"\n  -f FILE ",
		"\n  -V, --version ",
		"\n  -h, --help ",
		"\n  --check-config ",
		"\n  --migrate[=CONNINFO]  change the schema\n",
		"/etc/x.conf",
		"\n  Port                  where to listen\n",
	};
	static const char *const wordings[] = { "-h", "--help" };

	for (size_t w = 0; w < 2; w++) {
		ck_assert_int_eq(parse(&program, wordings[w], 1), 1);
		ck_assert_int_eq(status, 0);
		for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
			ck_assert_msg(strstr(printed, lines[i]) != NULL,
				      "lacks '%s':\n%s", lines[i], printed);
	}
}
END_TEST

START_TEST(test_wrong_lines)
{
	static const struct daemon_program plain = {
		.name = "exampled",
		.config_path = "/etc/x.conf",
		.config_keys = keys,
	};
	static const struct {
		const struct daemon_program *program;
		const char *line, *says;
	} cases[] = {
		{ &program, "-x", "'x'" },
		{ &program, "-f", "'f'" },
		{ &program, "--no-such", "--no-such" },
		{ &program, "-h more", "unexpected 'more'; try -h" },
		{ &program, "--check-config=1", "--check-config" },
		{ &plain, "--migrate", "--migrate" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_int_eq(parse(cases[i].program, cases[i].line, 2), 1);
		ck_assert_int_eq(status, 2);
		ck_assert_msg(strstr(printed, cases[i].says) != NULL, "%s: %s",
			      cases[i].line, printed);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_defaults, test_common_options, test_own_options,
		test_version,  test_help,           test_wrong_lines,
		NULL
	};

	return suite_run("daemon_options", tests);
}
