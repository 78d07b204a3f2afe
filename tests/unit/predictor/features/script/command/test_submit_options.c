/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_submit_options.c - options of sbatch, compared with the real one
 *
 * Each command line ends in words that are no files.  sbatch names the one that
 * it takes for the script, or refuses the value of the option before it; it
 * needs no controller for that.  Options that this sbatch does not have are
 * passed over.  The names of the table are compared with those of --help of the
 * three commands.  Without sbatch only the table itself is tested.
 *
 * Prints `bar options_right_pct`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/command/submit_options.h"
#include "tests/unit/suite.h"

/* /nonexistent is no folder, so that the names cannot be files. */
#define WORD_1 "/nonexistent/one"
#define WORD_2 "/nonexistent/two"

static char folder[64];
static int lines, right;
/* Values that the help has not or has wrongly: --container, --no-kill. */
#define HELP_OTHER_MAX 20

static int help_options, help_missing, help_other;

static void write_config(void)
{
	char path[96];

	strcpy(folder, "/tmp/test_submit_optionsXXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/slurm.conf", folder);

	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs("ClusterName=x\nSlurmctldHost=localhost\nAuthType=auth/none\n"
	      "NodeName=n1\nPartitionName=p Nodes=n1\n",
	      file);
	fclose(file);
	setenv("SLURM_CONF", path, 1);
}

static void remove_config(void)
{
	unlink(getenv("SLURM_CONF"));
	rmdir(folder);
}

/* What sbatch prints for these words. */
static void run_sbatch(const char *words, char *ret, size_t size)
{
	char command[512];

	snprintf(command, sizeof(command), "sbatch %s 2>&1 </dev/null", words);

	FILE *output = popen(command, "r");

	ck_assert_ptr_nonnull(output);
	ret[fread(ret, 1, size - 1, output)] = '\0';
	pclose(output);
}

/* The index of the script's word for us. */
static const char *our_script(const char *text)
{
	static char copy[512];
	const char *words[16] = { "sbatch" };
	int count = 1;
	struct submit_line line;
	char *state;

	strcpy(copy, text);
	for (char *word = strtok_r(copy, " ", &state); word;
	     word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	ck_assert(submit_line_read(words, count, &line));
	return line.first < count ? words[line.first] : "";
}

/* Whether sbatch takes WORD_1 for the script.  False also: it refuses it as a
 * value, or takes WORD_2.  *ret_known: it has the option. */
static bool takes_first(const char *output, bool *ret_known)
{
	*ret_known = !strstr(output, "unrecognized option") &&
		     !strstr(output, "invalid option") &&
		     !strstr(output, "ambiguous") &&
		     !strstr(output, "allow an argument") &&
		     /* it only prints these, before anything else */
		     strncmp(output, "Usage", 5) && strncmp(output, "slurm", 5);
	return strstr(output, "open file " WORD_1) != NULL;
}

static void compare(const char *options)
{
	char words[256], output[4096];
	bool known;

	snprintf(words, sizeof(words), "%s " WORD_1 " " WORD_2, options);
	run_sbatch(words, output, sizeof(output));

	bool first = takes_first(output, &known);
	bool ours = !strcmp(our_script(words), WORD_1);

	if (!known)
		return;
	lines++;
	right += first == ours;
	if (first != ours)
		printf("%s: %s", options, output);
}

static void compare_option(const struct submit_option *o)
{
	char text[128];
	size_t length = strlen(o->name);

	snprintf(text, sizeof(text), "--%s", o->name);
	compare(text);
	snprintf(text, sizeof(text), "--%.*s", (int)length - 1, o->name);
	if (length > 4)
		compare(text);
	snprintf(text, sizeof(text), "-H --%s", o->name);
	compare(text);
	if (!o->letter)
		return;
	snprintf(text, sizeof(text), "-%c", o->letter);
	compare(text);
	snprintf(text, sizeof(text), "-H%c", o->letter);
	compare(text);
}

START_TEST(test_sbatch)
{
	static const char *const given[] = {
		"-n4",
		"-n 4",
		"-N2 -n4",
		"--ntasks=4",
		"-t 5 -W",
		"--wait -n 2",
		"-J a -p b",
		"-c1 --mem=1G",
		"-Hn 3",
		"--exclusive",
		"--exclusive=user",
		"-k",
		"--nice",
		"--nice=5",
		"-s -O",
		"--tasks 4",
		"--tasks=4",
		"--",
		"-n 4 --",
		"-Qk",
		NULL,
	};

	if (system("command -v sbatch >/dev/null"))
		return;
	for (const struct submit_option *o = submit_options; o->name; o++)
		/* With --wrap there is no script. */
		if (o->programs & SUBMIT_SBATCH && strcmp(o->name, "wrap") != 0)
			compare_option(o);
	for (int i = 0; given[i]; i++)
		compare(given[i]);
	printf("%d command lines\n", lines);
	printf("bar options_right_pct %.1f\n", 100.0 * right / lines);
	ck_assert_int_gt(lines, 200);
	ck_assert_int_eq(right, lines);
}
END_TEST

START_TEST(test_other_programs)
{
	static const char *const srun[] = { "srun", "-W", "5", "-l", "./a" };
	static const char *const sbatch[] = { "sbatch", "-W", "a.sh",
					      "--export=ALL,N=100" };
	struct submit_line line;

	ck_assert(submit_line_read(srun, 5, &line));
	ck_assert_int_eq(line.first, 4);
	ck_assert(!line.batch);
	ck_assert(submit_line_read(sbatch, 4, &line));
	ck_assert_int_eq(line.first, 2);
	ck_assert_ptr_null(line.exported);
}
END_TEST

/* An option as a line of --help shows it: "  -A, --account=name   text". */
static bool parse_help(const char *line, char *ret_name, size_t size,
		       enum submit_value *ret_value)
{
	const char *name = strstr(line, "--");
	size_t length;

	size_t indent = strspn(line, " ");

	if (indent > 6 || line[indent] != '-' || !name)
		return false;
	name += 2;
	length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
	if (length == 0 || length >= size)
		return false;
	memcpy(ret_name, name, length);
	ret_name[length] = '\0';
	*ret_value = name[length] == '='                ? SUBMIT_VALUE_ONE
		     : !strncmp(name + length, "[=", 2) ? SUBMIT_VALUE_MAYBE
							: SUBMIT_VALUE_NONE;
	return true;
}

/* Whether the table has all options of --help, with a value where it has. */
static void compare_help(const char *command, int program)
{
	char text[128], line[512], name[64];
	enum submit_value value;

	snprintf(text, sizeof(text), "%s --help 2>&1 </dev/null", command);

	FILE *output = popen(text, "r");

	ck_assert_ptr_nonnull(output);
	while (fgets(line, sizeof(line), output)) {
		if (!parse_help(line, name, sizeof(name), &value))
			continue;

		const struct submit_option *o =
			submit_option_find(program, name, strlen(name));
		bool known = o && !strcmp(o->name, name);

		help_options++;
		help_missing += !known;
		help_other += known && o->value != value;
		if (!known || o->value != value)
			printf("%s: %s", command, line);
	}
	pclose(output);
}

/* Names are compared with the help, values with what sbatch does. */
START_TEST(test_help)
{
	if (system("sbatch --version >/dev/null 2>&1") != 0)
		return;
	compare_help("sbatch", SUBMIT_SBATCH);
	compare_help("srun", SUBMIT_SRUN);
	compare_help("salloc", SUBMIT_SALLOC);
	printf("%d options in the help of sbatch, srun and salloc: %d missing, "
	       "%d with another value\n",
	       help_options, help_missing, help_other);
	ck_assert_int_gt(help_options, 200);
	ck_assert_int_eq(help_missing, 0);
	ck_assert_int_le(help_other, HELP_OTHER_MAX);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sbatch, test_help,
				       test_other_programs, NULL };

	return suite_run_each("submit_options", tests, write_config,
			      remove_config);
}
