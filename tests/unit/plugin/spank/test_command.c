/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_command.c - parameters from the command line of sbatch, srun
 * or salloc */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spank/command.h"
#include "predictor/base/clock.h"
#include "tests/unit/suite.h"

static char text[512];
static bool with_files = true;

static void make_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(content, file);
	fclose(file);
}

/* In a folder of its own, with some files. */
static void enter_folder(void)
{
	char folder[] = "/tmp/test_command.XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	ck_assert_int_eq(mkdir("sub", 0700), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	make_file("a.dat", "12345");
	make_file("b.dat", "1234567");
	make_file("sub/c.dat", "123");
	make_file("run.sh", "#!/bin/bash\n#SBATCH -n 4\n"
			    "srun ./app -in a.dat b.dat 5 -o a.dat <$1\n");
}

static void leave_folder(void)
{
	static const char *const files[] = { "a.dat",  "b.dat", "sub/c.dat",
					     "run.sh", "fifo",  NULL };
	char folder[128];

	for (int i = 0; files[i]; i++)
		unlink(files[i]);
	rmdir("sub");
	ck_assert_ptr_nonnull(getcwd(folder, sizeof(folder)));
	ck_assert_int_eq(chdir("/"), 0);
	rmdir(folder);
}

/* The words of a line; none holds a blank, but for ~. */
static const char *sizes(const char *line, int count)
{
	static char copy[512];
	const char *words[64];
	int words_count = 0;
	char *state;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " ", &state); word;
	     word = strtok_r(NULL, " ", &state)) {
		for (char *at = word; (at = strchr(at, '~'));)
			*at = ' ';
		words[words_count++] = word;
	}
	strcpy(text, "?");
	command_parameters(words, words_count, count, with_files, text,
			   sizeof(text));
	return text;
}

/* A busy machine may miss the deadline; not always. */
static void check_sizes(const char *line, int count, const char *expected)
{
	for (int i = 0; i < 100 && strcmp(sizes(line, count), expected); i++)
		usleep(10000);
	ck_assert_str_eq(text, expected);
}

START_TEST(test_sizes)
{
	static const struct {
		const char *line, *sizes;
	} cases[] = {
		{ "sbatch -n 4 run.sh sub/c.dat",
		  "size.in=5 size.arg2=7 size.stdin=3" },
		{ "sbatch run.sh", "size.in=5 size.arg2=7" },
		{ "srun -n 2 ./app a.dat --mesh=b.dat 5",
		  "application=app arg2=5 arg1=a.dat mesh=b.dat "
		  "size.arg1=5 size.mesh=7" },
		{ "salloc -N 1 mpirun ./app sub/c.dat",
		  "application=app arg1=c.dat size.arg1=3" },
		{ "/usr/bin/sbatch --wrap=./app~a.dat", "size.arg1=5" },
		{ "srun -D sub ./app a.dat c.dat",
		  "application=app arg1=a.dat arg2=c.dat size.arg2=3" },
		{ "srun ./app sub fifo /dev/null /proc/self/stat x.dat",
		  "application=app arg1=sub arg2=fifo arg3=null arg4=stat "
		  "arg5=x.dat" },
		{ "srun ./app $X a=b.dat 'a.dat -o b.dat",
		  "application=app a=b.dat arg2='a.dat size.a=7" },
		{ "sbatch missing.sh", "" },
		{ "sbatch fifo", "" },
		{ "sbatch", "" },
		{ "srun", "" },
		{ "cp a.dat b.dat", "" },
	};

	enter_folder();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_sizes(cases[i].line, 16, cases[i].sizes);
	check_sizes("sbatch run.sh sub/c.dat", 2, "size.in=5 size.arg2=7");
	check_sizes("sbatch run.sh sub/c.dat", 0, "");
	check_sizes("srun python a.py -n 5 -m 6", 1,
		    "application=python:a.py m=6");
	with_files = false;
	check_sizes("srun ./app a.dat 7", 16,
		    "application=app arg2=7 arg1=a.dat");
	check_sizes("sbatch run.sh sub/c.dat", 16, "");
	setenv("PREDICT_n", "5", 1);
	check_sizes("srun ./app -n 7 -m 6", 16, "application=app m=6");
	setenv("PREDICT_APPLICATION", "x", 1);
	check_sizes("srun ./app -n 7 -m 6", 1, "m=6");
	leave_folder();
}
END_TEST

START_TEST(test_only_whole_sizes)
{
	const char *const words[] = { "srun", "./app", "a.dat" };
	double start_s = clock_monotonic_s();

	/* A text that is full: only whole sizes. */
	enter_folder();
	memset(text, 'x', sizeof(text));
	command_parameters(words, 3, 8, true, text, 8);
	ck_assert_str_eq(text, "");
	ck_assert_double_lt(clock_monotonic_s() - start_s, 5);
	leave_folder();
}
END_TEST

START_TEST(test_own_words)
{
	const char *const *words;
	int count = command_own_words(&words);

	ck_assert_int_ge(count, 1);
	ck_assert_ptr_nonnull(strstr(words[0], "test_command"));
	ck_assert_ptr_null(words[count]);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_sizes, test_only_whole_sizes,
				       test_own_words, NULL };

	return suite_run("command", tests);
}
