/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_corpus.c - the application and parameters of realistic job scripts
 *
 * The scripts are in tests/corpus/scripts, with what an admin would say of
 * each in `expected` (tuned on) and `expected.unseen` (written later, never
 * tuned on), short ones with their expectation in `variants` and
 * `variants.sites`, `.field`, `.habits` and `.strangers`, and commands that are
 * the same or not in `pairs`.
 *
 * Prints `bar features_right_pct`, below 97 of which the test fails, and how
 * many scripts and programs there are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/features/application.h"
#include "predictor/features/script/command/arguments.h"
#include "predictor/features/script/identify.h"
#include "tests/unit/suite.h"

#define FOLDER    "tests/corpus/scripts/"
#define RIGHT_PCT 97.0
#define LINE_SIZE 1024

#define PROGRAMS_MIN 60
#define PROGRAMS_MAX 1000

static char script[SUBMISSION_SCRIPT_MAX];

static void read_script(const char *name)
{
	char path[LINE_SIZE];

	snprintf(path, sizeof(path), FOLDER "%s", name);

	FILE *file = fopen(path, "r");

	ck_assert_msg(file != NULL, "%s: run this from the top folder", path);
	script[fread(script, 1, sizeof(script) - 1, file)] = '\0';
	fclose(file);
}

/* As in sbatch: that of the script's directives, else the script's name. */
static void read_job_name(const char *file, char *ret, size_t size)
{
	static const char *const options[] = { "#SBATCH --job-name=",
					       "#SBATCH -J ", NULL };

	snprintf(ret, size, "%s", file);
	for (int i = 0; options[i]; i++) {
		const char *at = strstr(script, options[i]);

		if (at)
			sscanf(at + strlen(options[i]), "%63s", ret);
	}
}

/* Cut blanks at both ends. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (*text == ' ')
		text++;
	while (end > text && strchr(" \n", end[-1]))
		*--end = '\0';
	return text;
}

/* Whether all parameters of "a=1 b=2" are there, and no others. */
static bool same_parameters(const struct parameters *set, char *expected)
{
	char *state;
	int count = 0;

	for (char *word = strtok_r(expected, " ", &state); word;
	     word = strtok_r(NULL, " ", &state), count++) {
		char *equals = strchr(word, '=');
		const double *value;
		double number;

		ck_assert_ptr_nonnull(equals);
		*equals = '\0';
		ck_assert(arguments_number(equals + 1, &number));
		/* Names are cut at their size (parameters.h). */
		if (strlen(word) >= PARAMETER_NAME_SIZE)
			word[PARAMETER_NAME_SIZE - 1] = '\0';
		value = parameters_get(set, word);
		if (!value || *value != number)
			return false;
	}
	return count == set->count;
}

static void show(const char *what, const struct application *found)
{
	printf("%s: %s |", what, found->name);
	for (int i = 0; i < found->parameters.count; i++)
		printf(" %s=%.12g", found->parameters.of[i].name,
		       found->parameters.of[i].value);
	printf(" | %s\n", found->traits);
}

/* The programs that the scripts are expected to run. */
static char programs[PROGRAMS_MAX][APPLICATION_NAME_SIZE];
static int programs_count;

static void count_program(const char *name, size_t length)
{
	ck_assert_uint_lt(length, APPLICATION_NAME_SIZE);
	for (int i = 0; i < programs_count; i++)
		if (strlen(programs[i]) == length &&
		    !memcmp(programs[i], name, length))
			return;
	ck_assert_int_lt(programs_count, PROGRAMS_MAX);
	memcpy(programs[programs_count++], name, length);
}

/* "a:input+b": a and b. */
static void count_programs(const char *application)
{
	while (*application) {
		size_t length = strcspn(application, "+");

		count_program(application, strcspn(application, ":+"));
		application += length + (application[length] != '\0');
	}
}

/* Return whether `script` is as a line expects, "NAME [argument]... |
 * application | parameters [| traits]"; it is read from the file NAME if
 * `from_file`. */
static bool check_line(char *line, bool from_file)
{
	struct submission job;
	struct application found;
	char job_name[64];
	char *state, *word;
	char *command = trim(strtok_r(line, "|", &state));
	char *name = trim(strtok_r(NULL, "|", &state));
	char *parameters = strtok_r(NULL, "|", &state);
	char *traits = strtok_r(NULL, "|", &state);

	submission_init(&job);
	for (word = strtok_r(command, " ", &command); word;
	     word = strtok_r(NULL, " ", &command))
		job.arguments[job.arguments_count++] = word;
	if (from_file)
		read_script(job.arguments[0]);
	read_job_name(job.arguments[0], job_name, sizeof(job_name));
	job.name = job_name;
	job.script = script;
	count_programs(name);
	application_identify(&job, &found);
	if (!strcmp(found.name, name) &&
	    same_parameters(&found.parameters, trim(parameters)) &&
	    (!traits || !strcmp(found.traits, trim(traits))))
		return true;
	show(job.arguments[0], &found);
	return false;
}

static void check_table(const char *table, int *ret_count, int *ret_right)
{
	char line[LINE_SIZE];
	FILE *file = fopen(table, "r");

	ck_assert_msg(file != NULL, "%s: run this from the top folder", table);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#' || *line == '\n')
			continue;
		++*ret_count;
		*ret_right += check_line(line, true);
	}
	fclose(file);
}

/* Each script of a file follows the line of its expectation. */
static void check_variants(const char *path, int *ret_count, int *ret_right)
{
	static const char head[] = "=== ";
	char line[LINE_SIZE], expected[LINE_SIZE] = "";
	FILE *file = fopen(path, "r");
	size_t used = 0;

	ck_assert_msg(file != NULL, "%s: run this from the top folder", path);
	for (bool more = true; more;) {
		more = fgets(line, sizeof(line), file) != NULL;
		if (more && strncmp(line, head, strlen(head))) {
			ck_assert(used + strlen(line) < sizeof(script));
			strcpy(script + used, line);
			used += strlen(line);
			continue;
		}
		if (*expected) {
			++*ret_count;
			*ret_right += check_line(expected, false);
		}
		strcpy(expected, line + strlen(head));
		used = 0;
	}
	fclose(file);
}

START_TEST(test_scripts)
{
	int count = 0, right = 0, unseen = 0, unseen_right = 0;

	check_variants(FOLDER "variants", &count, &right);
	check_variants(FOLDER "variants.sites", &count, &right);
	check_variants(FOLDER "variants.field", &count, &right);
	check_variants(FOLDER "variants.habits", &count, &right);
	check_variants(FOLDER "variants.strangers", &count, &right);
	check_table(FOLDER "expected", &count, &right);
	check_table(FOLDER "expected.unseen", &unseen, &unseen_right);
	printf("%d of %d scripts right; of %d not tuned on, %d\n",
	       right + unseen_right, count + unseen, unseen, unseen_right);

	double pct = 100.0 * (right + unseen_right) / (count + unseen);

	printf("bar features_right_pct %.1f\n", pct);
	printf("bar corpus_programs %d\n", programs_count);
	printf("bar corpus_scripts %d\n", count + unseen);
	ck_assert_double_ge(pct, RIGHT_PCT);
	ck_assert_int_ge(programs_count, PROGRAMS_MIN);
}
END_TEST

static void identify(const char *text, struct application *ret)
{
	struct submission job;

	submission_init(&job);
	job.name = "job";
	job.script = text;
	application_identify(&job, ret);
}

START_TEST(test_pairs)
{
	char line[LINE_SIZE];
	int wrong = 0;
	FILE *file = fopen(FOLDER "pairs", "r");

	ck_assert_msg(file != NULL, "run this from the top folder");
	while (fgets(line, sizeof(line), file)) {
		struct application a, b;
		char *state;

		if (*line == '#' || *line == '\n')
			continue;

		const char *word = trim(strtok_r(line, "|", &state));

		identify(trim(strtok_r(NULL, "|", &state)), &a);
		identify(trim(strtok_r(NULL, "|", &state)), &b);
		if (!strcmp(a.name, b.name) == !strcmp(word, "meet"))
			continue;
		printf("should %s: %s and %s\n", word, a.name, b.name);
		wrong++;
	}
	fclose(file);
	ck_assert_int_eq(wrong, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_scripts, test_pairs, NULL };

	return suite_run("corpus", tests);
}
