/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_thread.c - a thread that makes rounds, mostly of Slurm's commands
 *
 * It sleeps on an eventfd, which ends it.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/daemon/slurm_thread.h"

struct slurm_thread {
	double (*round)(void *context);
	void *context;
	int stop_fd; /* readable: the thread is to end */
	pthread_t thread;
};

static _Thread_local int stop_fd = -1; /* of this thread */

/* Wait for the descriptor, or the end of the thread.  True: it is to end. */
static bool wait_for(int fd, double timeout_s)
{
	struct pollfd fds[] = { { .fd = stop_fd, .events = POLLIN },
				{ .fd = fd, .events = POLLIN } };

	poll(fds, 2, timeout_s > 0 ? (int)ceil(timeout_s * 1e3) : 0);
	return fds[0].revents != 0;
}

bool slurm_thread_ends(void)
{
	return wait_for(-1, 0);
}

struct slurm_command *slurm_thread_run(const char *const argv[],
				       double timeout_s, size_t output_max,
				       struct sp_error *err)
{
	struct slurm_command *c =
		slurm_command_start(argv, timeout_s, output_max, err);
	enum slurm_command_state state = SLURM_COMMAND_FAILED;

	while (c &&
	       (state = slurm_command_poll(c, err)) == SLURM_COMMAND_RUNNING)
		if (wait_for(slurm_command_fd(c),
			     slurm_command_due_s(c) - clock_monotonic_s())) {
			sp_error_set(err, "ending");
			break;
		}
	if (state == SLURM_COMMAND_DONE)
		return c;
	slurm_command_destroy(c);
	return NULL;
}

static void *work(void *argument)
{
	struct slurm_thread *thread = argument;
	double pause_s;

	stop_fd = thread->stop_fd;
	do
		pause_s = thread->round(thread->context);
	while (!wait_for(-1, pause_s));
	return NULL;
}

struct slurm_thread *slurm_thread_create(double (*round)(void *context),
					 void *context, struct sp_error *err)
{
	struct slurm_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return sp_error_null(err, "out of memory");
	thread->round = round;
	thread->context = context;
	thread->stop_fd = eventfd(0, EFD_CLOEXEC);

	bool made = thread->stop_fd >= 0;
	int rc = made ? pthread_create(&thread->thread, NULL, work, thread)
		      : errno;

	if (rc == 0)
		return thread;
	sp_error_set(err, "%s: %s", made ? "thread" : "eventfd", strerror(rc));
	if (made)
		close(thread->stop_fd);
	free(thread);
	return NULL;
}

void slurm_thread_destroy(struct slurm_thread *thread)
{
	static const uint64_t one = 1;

	if (!thread)
		return;
	while (write(thread->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(thread->thread, NULL);
	close(thread->stop_fd);
	free(thread);
}
