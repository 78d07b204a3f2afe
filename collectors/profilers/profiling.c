/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profiling.c - profiling processes of collectord, one for each job
 *
 * Each process has two pipes: through one it gets the time of the job's end
 * (its close ends the profile), through the other it returns its share as JSON.
 * epoll watches the latter.  A process closes all other descriptors, above all
 * the pipes of other jobs.  One thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/profilers/profiling.h"
#include "predictor/base/descriptors.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "predictor/wire/wire.h"

#define SHARE_SIZE_MAX 32768 /* as the spool takes; less than a pipe holds */

struct profiling_process {
	pid_t pid; /* 0: the slot is free */
	uint32_t job_id;
	int control_fd, result_fd;
	size_t size;
	char *text; /* received so far */
};

struct profiling {
	int epoll_fd;
	struct profiling_process slots[PROFILING_JOBS_MAX];
};

enum profiling_option profiling_option_parse(const char *text)
{
	static const struct {
		const char *word;
		enum profiling_option option;
	} words[] = {
		{ "no", PROFILING_NO },     { "packets", PROFILING_PACKETS },
		{ "mpi", PROFILING_MPI },   { "trace", PROFILING_TRACE },
		{ "lbf", PROFILING_TRACE }, { NULL, PROFILING_DEFAULT },
	};
	int i = 0;

	while (words[i].word && strcmp(words[i].word, text) != 0)
		i++;
	return words[i].option;
}

/* Job ids are consecutive: all nodes choose the same jobs, evenly spaced. */
bool profiling_selects(enum profiling_option option, uint32_t job_id,
		       uint32_t every)
{
	if (option != PROFILING_DEFAULT)
		return option != PROFILING_NO;
	return every > 0 && job_id % every == 0;
}

struct profiling *profiling_create(struct sp_error *err)
{
	struct profiling *profiling = calloc(1, sizeof(*profiling));

	if (!profiling)
		return sp_error_null(err, "out of memory");
	profiling->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (profiling->epoll_fd < 0) {
		sp_error_set(err, "epoll: %s", strerror(errno));
		free(profiling);
		return NULL;
	}
	return profiling;
}

static void process_free(struct profiling_process *p)
{
	if (!p->pid)
		return;
	if (p->control_fd >= 0)
		close(p->control_fd);
	close(p->result_fd);
	free(p->text);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
		;
	*p = (struct profiling_process){ .pid = 0 };
}

void profiling_destroy(struct profiling *profiling)
{
	if (!profiling)
		return;
	for (int i = 0; i < PROFILING_JOBS_MAX; i++)
		process_free(&profiling->slots[i]);
	close(profiling->epoll_fd);
	free(profiling);
}

int profiling_fd(const struct profiling *profiling)
{
	return profiling->epoll_fd;
}

/* --- The process --------------------------------------------------------- */

static int process_run(const struct profiler_job *job, int control_fd,
		       int result_fd)
{
	static struct profile_share share;
	/* Pipes of other jobs, and the spool's lock, must not stay
	 * open here. */
	const int own_fds[] = { control_fd, result_fd, log_descriptor() };
	sigset_t none;
	size_t size = 0;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, "predict-profile");
	if (descriptors_keep_only(own_fds, 3, NULL) ||
	    profiler_run(job, control_fd, &share))
		return 1;

	struct json_object *object = wire_profile_share_encode(&share);
	const char *text =
		object ? json_object_to_json_string_length(
				 object, JSON_C_TO_STRING_PLAIN, &size)
		       : NULL;

	return text ? durable_write_all(result_fd, text, size) : 1;
}

/* --- The collector ------------------------------------------------------- */

static int pipes_open(int control[2], int result[2], struct sp_error *err)
{
	if (pipe2(control, O_CLOEXEC))
		return sp_error_set(err, "pipe: %s", strerror(errno));
	if (pipe2(result, O_CLOEXEC | O_NONBLOCK)) {
		close(control[0]);
		close(control[1]);
		return sp_error_set(err, "pipe: %s", strerror(errno));
	}
	return 0;
}

static int process_start(struct profiling *profiling,
			 struct profiling_process *p,
			 const struct profiler_job *job, struct sp_error *err)
{
	int control[2], result[2];
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = p };

	if (pipes_open(control, result, err))
		return -1;
	p->pid = fork();
	if (p->pid == 0)
		_exit(process_run(job, control[0], result[1]));
	close(control[0]);
	close(result[1]);
	p->job_id = job->job_id;
	p->control_fd = control[1];
	p->result_fd = result[0];
	if (p->pid < 0 || epoll_ctl(profiling->epoll_fd, EPOLL_CTL_ADD,
				    p->result_fd, &event)) {
		sp_error_set(err, "job %u can't be profiled: %s", job->job_id,
			     strerror(errno));
		if (p->pid < 0) {
			close(p->control_fd);
			close(p->result_fd);
			*p = (struct profiling_process){ .pid = 0 };
		}
		process_free(p);
		return -1;
	}
	return 0;
}

int profiling_start(struct profiling *profiling, const struct profiler_job *job,
		    struct sp_error *err)
{
	struct profiling_process *free_slot = NULL;

	for (int i = 0; i < PROFILING_JOBS_MAX; i++) {
		struct profiling_process *p = &profiling->slots[i];

		if (!p->pid)
			free_slot = p;
		else if (p->job_id == job->job_id && p->control_fd >= 0)
			return 0; /* already profiled */
	}
	if (!free_slot)
		return sp_error_set(err,
				    "job %u is not profiled: %d others are",
				    job->job_id, PROFILING_JOBS_MAX);
	return process_start(profiling, free_slot, job, err);
}

bool profiling_end(struct profiling *profiling, uint32_t job_id,
		   double ended_at_s)
{
	bool profiled = false;

	for (int i = 0; i < PROFILING_JOBS_MAX; i++) {
		struct profiling_process *p = &profiling->slots[i];

		if (!p->pid || p->job_id != job_id || p->control_fd < 0)
			continue;
		/* The pipe has room for these. */
		(void)!write(p->control_fd, &ended_at_s, sizeof(ended_at_s));
		close(p->control_fd);
		p->control_fd = -1;
		profiled = true;
	}
	return profiled;
}

/* 0: more will follow; 1: complete; -1: too long, or an error. */
static int result_read(struct profiling_process *p)
{
	if (!p->text)
		p->text = malloc(SHARE_SIZE_MAX);
	if (!p->text)
		return -1;
	for (;;) {
		ssize_t size = read(p->result_fd, p->text + p->size,
				    SHARE_SIZE_MAX - p->size);

		if (size < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		if (size == 0)
			return p->size < SHARE_SIZE_MAX ? 1 : -1;
		p->size += (size_t)size;
	}
}

void profiling_collect(struct profiling *profiling,
		       void (*store)(void *context, const char *text,
				     size_t size),
		       void *context)
{
	struct epoll_event events[PROFILING_JOBS_MAX];
	int count =
		epoll_wait(profiling->epoll_fd, events, PROFILING_JOBS_MAX, 0);

	for (int i = 0; i < count; i++) {
		struct profiling_process *p = events[i].data.ptr;
		int rc = result_read(p);

		if (rc == 0)
			continue;
		if (rc == 1 && p->size)
			store(context, p->text, p->size);
		else if (rc == 1)
			log_debug("job %u: no profile", p->job_id);
		else
			log_error("job %u: its profile can't be read",
				  p->job_id);
		process_free(p);
	}
}
