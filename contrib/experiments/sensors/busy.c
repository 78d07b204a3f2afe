/* SPDX-License-Identifier: GPL-2.0-or-later */
/* busy.c - load for a node, and a newcomer that measures what it gets
 *
 * usage: busy [-n PROCESSES] [-d PERCENT] [-w NICE]
 *        busy -t SECONDS
 *
 * The first form keeps PROCESSES busy until its standard input ends: each
 * computes for PERCENT of the time that it would take alone, and sleeps for the
 * rest, in frames of about 100 ms.  The second computes for SECONDS, and prints
 * which share of a CPU it got.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define FRAME_S       0.1
#define FRAME_VARY    0.5 /* so that processes do not fall in step */
#define PROCESSES_MAX 256

struct options {
	double processes, duty_pct, nice, newcomer_s;
};

static double clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Some tenths of a millisecond.  Not less between two readings of the clock: to
 * ask for the CPU time makes the kernel count it, and so notice sooner than for
 * others that a quota is used up. */
static void burn_a_little(void)
{
	for (volatile int i = 0; i < 300000; i++)
		;
}

static void burn(clockid_t clock, double s)
{
	double end_s = clock_s(clock) + s;

	while (clock_s(clock) < end_s)
		burn_a_little();
}

static void be_busy(const struct options *options, unsigned seed)
{
	double part = options->duty_pct / 100;

	setpriority(PRIO_PROCESS, 0, (int)options->nice);
	for (;;) {
		if (part == 1) {
			burn_a_little();
			continue;
		}

		double dice = 2.0 * rand_r(&seed) / RAND_MAX - 1;
		double frame_s = FRAME_S * (1 + FRAME_VARY * dice);

		burn(CLOCK_PROCESS_CPUTIME_ID, frame_s * part);
		usleep((useconds_t)(1e6 * frame_s * (1 - part)));
	}
}

static int keep_busy(const struct options *options)
{
	pid_t parent = getpid();
	char ignored[256];
	ssize_t got;

	for (int i = 0; i < (int)options->processes; i++) {
		pid_t child = fork();

		if (child < 0) {
			perror("busy");
			return 1;
		}
		if (child)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			be_busy(options, (unsigned)getpid());
		_exit(1);
	}
	do
		got = read(STDIN_FILENO, ignored, sizeof(ignored));
	while (got > 0 || (got < 0 && errno == EINTR));
	return 0;
}

static int be_new(double s)
{
	double begun_s = clock_s(CLOCK_MONOTONIC);
	double used_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);

	burn(CLOCK_MONOTONIC, s);
	printf("%.4f\n", (clock_s(CLOCK_PROCESS_CPUTIME_ID) - used_s) /
				 (clock_s(CLOCK_MONOTONIC) - begun_s));
	return 0;
}

/* Find a number of [least, most]; -1: it is none. */
static int number(const char *text, double least, double most, double *ret)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= least && value <= most))
		return -1;
	*ret = value;
	return 0;
}

int main(int argc, char **argv)
{
	struct options options = { .processes = 1, .duty_pct = 100 };
	int c, rc = 0;

	while (!rc && (c = getopt(argc, argv, "n:d:w:t:")) != -1)
		switch (c) {
		case 'n':
			rc = number(optarg, 0, PROCESSES_MAX,
				    &options.processes);
			break;
		case 'd':
			rc = number(optarg, 1, 100, &options.duty_pct);
			break;
		case 'w':
			rc = number(optarg, 0, 19, &options.nice);
			break;
		case 't':
			rc = number(optarg, 0.01, 3600, &options.newcomer_s);
			break;
		default:
			rc = -1;
		}
	if (rc || optind != argc) {
		fprintf(stderr, "usage: busy [-n PROCESSES] [-d PERCENT] "
				"[-w NICE] | busy -t SECONDS\n");
		return 2;
	}
	return options.newcomer_s > 0 ? be_new(options.newcomer_s)
				      : keep_busy(&options);
}
