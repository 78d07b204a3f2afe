/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench_features.c - how long it takes to read a script of 64 KiB
 *
 * Scripts of the corpus are put behind each other up to that size, each time
 * from another one on; the same with texts that are made to take long.
 *
 * usage: bench-features SCRIPT...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "predictor/features/script/identify.h"

#define ROUNDS 1000

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

static void fill(char *script, const char *text)
{
	size_t length = strlen(text);

	for (size_t used = 0; used < SUBMISSION_SCRIPT_MAX; used += length)
		for (size_t i = 0;
		     i < length && used + i < SUBMISSION_SCRIPT_MAX; i++)
			script[used + i] = text[i];
}

static double slowest_us(char *script)
{
	static const char *const pieces[] = {
		"$(",
		"${",
		"`",
		"${a:-",
		"$((1+",
		"x=$x$x\n",
		"(",
		"case x in ",
		"if [ $a ]; then\n",
		"for a in b c; do ",
		"$(echo ",
		"a b\n",
		"f() { f; }\nf\n",
		"bash -c '",
		"x=(a b) ${x%%*a*}\n",
		"cat <<A >a\n",
		"\"$(",
		"[ a ] && b || c\n",
		"srun a -n 1\n",
		"a='$b $c'; $a\n",
		"${a[1]}",
		"x=aaaaaaaa; $x$x$x$x$x$x$x\n",
		NULL,
	};
	double slowest = 0;

	for (int i = 0; pieces[i]; i++) {
		fill(script, pieces[i]);

		double us = identify_us(script);

		if (us > slowest)
			slowest = us;
		if (getenv("VERBOSE"))
			printf("%8.1f us: %s\n", us, pieces[i]);
	}
	return slowest;
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
	printf("bar features_slowest_us %.0f\n", slowest_us(script));
	return 0;
}
