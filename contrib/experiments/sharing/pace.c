/* pace.c - how fast each CPU is, from moment to moment
 *
 * usage: pace CPU...
 *
 * A guest's CPU is slower, by up to a third and for some tenths of a second, while
 * others use the same core of the host.  A fixed piece of work, timed by its own
 * CPU time, tells so without a look at any program that is measured.  Prints a
 * line four times a second until it is ended: the monotonic clock's seconds, and
 * by CPU the mean of the pieces done in a millisecond of its time.  Costs less
 * than 1 % of each.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
	MAX_CPUS = 64,
	PIECE = 24000, /* steps, some 0.1 ms */
	WARM = 6000,   /* steps before, when others have used the caches */
	EVERY_MS = 20, /* a look at each CPU */
	LOOKS = 10     /* in a line */
};

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Whole numbers, and roots as programs of the experiment take them; what comes
 * out only keeps the compiler from leaving it out. */
static double work(int steps)
{
	uint64_t state = 1;
	double sum = 0;

	for (int i = 0; i < steps; i++) {
		state ^= state >> 12;
		state ^= state << 25;
		state ^= state >> 27;

		double x = (double)(state >> 11) * 0x1p-53;

		sum += 1 / (x + sqrt(x));
	}
	return sum;
}

/* Pieces in a millisecond of this CPU's time. */
static double pace_of(int cpu)
{
	volatile double kept;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set)) {
		perror("pace: sched_setaffinity");
		exit(1);
	}
	kept = work(WARM);

	double begin = cpu_ms();

	kept = work(PIECE);
	(void)kept;
	return 1 / (cpu_ms() - begin);
}

static void tell(const double *sums, int cpus)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	printf("%.3f", (double)t.tv_sec + (double)t.tv_nsec * 1e-9);
	for (int i = 0; i < cpus; i++)
		printf(" %.4f", sums[i] / LOOKS);
	printf("\n");
	fflush(stdout);
}

static int cpu_number(const char *text)
{
	char *end;

	errno = 0;

	long value = strtol(text, &end, 10);

	if (errno || end == text || *end || value < 0 || value >= CPU_SETSIZE) {
		fprintf(stderr, "pace: bad CPU %s\n", text);
		exit(2);
	}
	return (int)value;
}

int main(int argc, char **argv)
{
	int cpu[MAX_CPUS], cpus = argc - 1;

	if (cpus < 1 || cpus > MAX_CPUS) {
		fprintf(stderr, "usage: pace CPU...\n");
		return 2;
	}
	for (int i = 0; i < cpus; i++)
		cpu[i] = cpu_number(argv[1 + i]);
	while (!ferror(stdout)) {
		double sums[MAX_CPUS] = { 0 };

		for (int look = 0; look < LOOKS; look++) {
			const struct timespec rest = { 0, EVERY_MS * 1000000 };

			for (int i = 0; i < cpus; i++)
				sums[i] += pace_of(cpu[i]);
			nanosleep(&rest, NULL);
		}
		tell(sums, cpus);
	}
	return 1;
}
