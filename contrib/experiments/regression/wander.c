/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wander.c - load that follows a series, for a node of the little cluster
 *
 * usage: wander -s SECONDS [-o START] FILE
 *
 * FILE has one load for each SECONDS, a line each; a load of 1.4 is one process
 * that always wants a CPU and one that wants it 40 % of the time.  The first
 * load begins START seconds after the epoch (now), so that nodes can go
 * together; after the last one it ends.
 *
 * The processes are children that burn for their share of a frame and sleep for
 * the rest of it.  Frames differ in length, so that two nodes of the same load
 * do not beat in time.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN   8 /* load at most */
#define LOADS_MAX  100000
#define FRAME_S    0.1
#define FRAME_VARY 0.5 /* of it, to both sides */

static double now_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void sleep_s(double seconds)
{
	struct timespec t;

	if (!(seconds > 0))
		return;
	t.tv_sec = (time_t)seconds;
	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/* Return the share of child `i` of a load. */
static double share_of(double load, int i)
{
	return fmin(1, fmax(0, load - i));
}

static void burn_for_ever(const volatile double *load, int i)
{
	unsigned seed = (unsigned)getpid();

	for (;;) {
		double dice = 2.0 * rand_r(&seed) / RAND_MAX - 1;
		double frame_s = FRAME_S * (1 + FRAME_VARY * dice);
		double begin_s = now_s(CLOCK_MONOTONIC);
		double share = share_of(*load, i);

		while (now_s(CLOCK_MONOTONIC) - begin_s < share * frame_s)
			;
		sleep_s(begin_s + frame_s - now_s(CLOCK_MONOTONIC));
	}
}

/* Children die with us, however we end. */
static int start_children(const volatile double *load)
{
	pid_t parent = getpid();

	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (child < 0)
			return -1;
		if (child)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			burn_for_ever(load, i);
		_exit(1);
	}
	return 0;
}

/* A number that we and our children see; NULL: there can be none. */
static volatile double *shared_number(void)
{
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	void *number = MAP_FAILED;

	if (fd >= 0) {
		number = mmap(NULL, sizeof(double), PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
		close(fd);
	}
	return number == MAP_FAILED ? NULL : number;
}

/* How many loads there are, or -1. */
static int read_loads(const char *path, double *ret)
{
	FILE *file = fopen(path, "re");
	int count = 0;

	if (!file)
		return -1;
	while (count < LOADS_MAX && fscanf(file, "%lf", &ret[count]) == 1) {
		if (!(ret[count] >= 0 && ret[count] <= CHILDREN))
			break;
		count++;
	}
	if (!feof(file))
		count = -1;
	fclose(file);
	return count;
}

static int parse(int argc, char **argv, double *ret_step_s, double *ret_start_s)
{
	int c;

	*ret_step_s = 0;
	*ret_start_s = now_s(CLOCK_REALTIME);
	while ((c = getopt(argc, argv, "s:o:")) != -1) {
		char *end;

		if (c == '?')
			return -1;

		double value = strtod(optarg, &end);

		if (!(value > 0) || *end)
			return -1;
		*(c == 's' ? ret_step_s : ret_start_s) = value;
	}
	return *ret_step_s > 0 && optind == argc - 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
	static double loads[LOADS_MAX];
	double step_s, start_s;

	if (parse(argc, argv, &step_s, &start_s)) {
		fprintf(stderr, "usage: wander -s SECONDS [-o START] FILE\n");
		return 2;
	}

	int count = read_loads(argv[optind], loads);

	if (count <= 0) {
		fprintf(stderr, "wander: %s: not a list of loads\n",
			argv[optind]);
		return 1;
	}

	volatile double *load = shared_number();

	if (!load || start_children(load)) {
		perror("wander");
		return 1;
	}
	for (int i = 0; i < count; i++) {
		*load = loads[i];
		sleep_s(start_s + (i + 1) * step_s - now_s(CLOCK_REALTIME));
	}
	return 0;
}
