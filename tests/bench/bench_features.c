/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_features.c - how long it takes to read a script of 64 KiB, and whether
 * secrets are found in it
 *
 * Scripts of the corpus are put behind each other up to that size, each time
 * from another one on; the same with texts that are made to take long.
 *
 * usage: bench-features SCRIPT...
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/features/script/identify.h"
#include "tests/unit/secret_corpus.h"

#define ROUNDS 1000

/* What any text may take, with room for a slower machine. */
#define SLOWEST_US 2000

static char texts[4 << 20];
static size_t starts[1024];
static int count;

/* CPU time: other programs on the machine do not count. */
static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double identify_us(const char *script)
{
	static struct submission job;
	static struct application found;
	double start = now_us();

	submission_init(&job);
	job.name = "bench";
	job.script = script;
	job.arguments[job.arguments_count++] = "bench.sh";
	application_identify(&job, &found);
	return now_us() - start;
}

static void fill(char *script, const char *before, const char *text)
{
	size_t length = strlen(text), used = strlen(before);

	memcpy(script, before, used);
	for (; used < SUBMISSION_SCRIPT_MAX; used += length)
		for (size_t i = 0;
		     i < length && used + i < SUBMISSION_SCRIPT_MAX; i++)
			script[used + i] = text[i];
}

/* The work, not what else the machine has to do. */
static double least_us(const char *script)
{
	double least = identify_us(script);

	for (int i = 0; i < 4; i++) {
		double us = identify_us(script);

		if (us < least)
			least = us;
	}
	return least;
}

static double slowest_us(char *script)
{
	static const struct {
		const char *before, *piece; /* which is repeated */
	} texts_of_pieces[] = {
		{ "", "$(" },
		{ "", "${" },
		{ "", "`" },
		{ "", "${a:-" },
		{ "", "$((1+" },
		{ "", "x=$x$x\n" },
		{ "", "(" },
		{ "", "case x in " },
		{ "", "if [ $a ]; then\n" },
		{ "", "for a in b c; do " },
		{ "", "$(echo " },
		{ "", "a b\n" },
		{ "", "f() { f; }\nf\n" },
		{ "", "bash -c '" },
		{ "", "x=(a b) ${x%%*a*}\n" },
		{ "", "cat <<A >a\n" },
		{ "", "\"$(" },
		{ "", "[ a ] && b || c\n" },
		{ "", "srun a -n 1\n" },
		{ "", "a='$b $c'; $a\n" },
		{ "", "${a[1]}" },
		{ "", "x=aaaaaaaa; $x$x$x$x$x$x$x\n" },
		{ "", "$#" },
		{ "", "$1" },
		{ "", "\n" },
		{ "", "$((x+1))" },
		{ "", "#PREDICT a=b\n" },
		{ "", "#PREDICT\n<<\n" },
		{ "", "a=b )f() {\n}x=" },
		{ "", "matlab '10x20 -r \"\nE\n" },
		{ "#PREDICT ", "a=b " },
		{ "cat <<E >f\n", "y=" },
		{ "cat <<E >f\n", "y=$y,\n" },
		{ "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "${x%%*a*b}" },
		{ "x=$(", "(" },
		{ "", "x=$x$x\neval $(echo $x)\n" },
		{ "", "env nextflow run \"a\" 1,2,3\n" },
		{ NULL, NULL },
	};
	double slowest = 0;

	for (int i = 0; texts_of_pieces[i].piece; i++) {
		fill(script, texts_of_pieces[i].before,
		     texts_of_pieces[i].piece);

		double us = least_us(script);

		if (us > slowest)
			slowest = us;
		if (getenv("VERBOSE"))
			printf("%8.1f us: %s\n", us, texts_of_pieces[i].piece);
	}
	return slowest;
}

/* The gate: what passes it, and what it costs for an argument of a script. */
static int measure_secrets(const char *script)
{
	static char copy[SUBMISSION_SCRIPT_MAX + 1];
	size_t words = 1;
	double start, us = HUGE_VAL;
	int kept = 0, rows = 0, alarms, texts_count;
	glob_t files;

	if (glob(SECRET_CORPUS "*.tsv", 0, NULL, &files))
		return 1;
	for (size_t i = 0; i < files.gl_pathc; i++) {
		kept += corpus_kept(files.gl_pathv[i], 5, 1, &texts_count);
		rows += texts_count;
	}
	globfree(&files);
	alarms = corpus_alarms(SECRET_CORPUS "harmless.txt", 1, &texts_count);
	for (const char *c = script; *c; c++)
		words += *c == ' ' || *c == '\n';
	for (int i = 0; i < 20; i++) {
		strcpy(copy, script);
		start = now_us();
		secret_mask_text(copy);
		us = fmin(us, now_us() - start);
	}
	printf("secrets_rows %d\nbar secrets_kept %d\n", rows, kept);
	printf("harmless_texts %d\nbar secrets_false_alarms %d\n", texts_count,
	       alarms);
	printf("bar secrets_ns_per_word %.0f\n", 1e3 * us / (double)words);
	return kept || alarms;
}

int main(int argc, char **argv)
{
	static char script[SUBMISSION_SCRIPT_MAX + 1];
	static double us[ROUNDS];
	size_t used = 0;

	for (int i = 1; i < argc && count < 1024; i++) {
		FILE *file = fopen(argv[i], "r");

		if (!file)
			continue;
		starts[count++] = used;
		used += fread(texts + used, 1, sizeof(texts) - used - 1, file);
		texts[used++] = '\n';
		fclose(file);
	}
	if (used < 2)
		return 1;
	for (int i = 0; i < ROUNDS; i++) {
		size_t at = starts[i % count];

		for (size_t k = 0; k < SUBMISSION_SCRIPT_MAX; k++)
			script[k] = texts[(at + k) % used];
		us[i] = identify_us(script);
	}
	qsort(us, ROUNDS, sizeof(us[0]), compare);
	printf("bar features_us %.0f\n", us[ROUNDS * 99 / 100]);

	double slowest = slowest_us(script);

	printf("bar features_slowest_us %.0f\n", slowest);
	for (size_t k = 0; k < SUBMISSION_SCRIPT_MAX; k++)
		script[k] = texts[k % used];
	return measure_secrets(script) || slowest > SLOWEST_US;
}
