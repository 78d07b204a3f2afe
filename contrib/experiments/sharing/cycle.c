/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle.c - a process that is alternately busy and asleep, and prints what
 * it got
 *
 * usage: cycle BUSY_MS SLEEP_MS CYCLES
 *
 * Phases are from half to one and a half times as long as said: of equal ones
 * all could begin at the same time of a quota's period.  Prints the share of a
 * CPU that it got while it was busy, and means in seconds: of busy phases, of
 * the CPU time in these, of sleeps as requested, and of whole cycles.  On a
 * shared CPU this shows what a sensor should measure, and what the scheduler
 * gives back for a sleep.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_s(double s)
{
	struct timespec t = { (time_t)s,
			      (long)((s - (double)(time_t)s) * 1e9) };

	if (s > 0)
		nanosleep(&t, NULL);
}

/* A number in [min, max], else ends the program. */
static double number(const char *text, double min, double max)
{
	char *end;

	errno = 0;

	double value = strtod(text, &end);

	if (errno || end == text || *end || !(value >= min && value <= max)) {
		fprintf(stderr, "cycle: bad number %s\n", text);
		exit(2);
	}
	return value;
}

/* Between half and one and a half; the same ones in each run. */
static double part(void)
{
	return 0.5 + drand48();
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: cycle BUSY_MS SLEEP_MS CYCLES\n");
		return 2;
	}

	double busy_s = number(argv[1], 0.01, 1e6) / 1e3;
	double idle_s = number(argv[2], 0, 1e6) / 1e3;
	int cycles = (int)number(argv[3], 1, 1e6);
	double cpu_s = 0, wall_s = 0, asleep_s = 0;
	double begin = seconds(CLOCK_MONOTONIC);

	for (int i = 0; i < cycles; i++) {
		double sleep = idle_s * part(), work = busy_s * part();

		sleep_s(sleep);
		asleep_s += sleep;

		double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
		double wall = seconds(CLOCK_MONOTONIC);
		double now;

		do {
			now = seconds(CLOCK_PROCESS_CPUTIME_ID);
		} while (now - cpu < work);
		cpu_s += now - cpu;
		wall_s += seconds(CLOCK_MONOTONIC) - wall;
	}
	printf("share %.4f busy %.6f work %.6f sleep %.6f cycle %.6f\n",
	       cpu_s / wall_s, wall_s / cycles, cpu_s / cycles,
	       asleep_s / cycles, (seconds(CLOCK_MONOTONIC) - begin) / cycles);
	return 0;
}
