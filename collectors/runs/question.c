/* question.c - asks scontrol, as a child process, without waiting */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/runs/question.h"
#include "predictor/base/clock.h"

#define CHUNK 16384

extern char **environ;

struct question {
	pid_t pid; /* 0: no child */
	int fd;    /* -1: none, or its end was seen */
	double deadline_s;
	char *text;
	size_t size, room;
};

struct question *question_create(void)
{
	struct question *question = calloc(1, sizeof(*question));

	if (question)
		question->fd = -1;
	return question;
}

/* Returns whether the child succeeded.  Waits only for one that was killed or
 * has closed its output. */
static int end_child(struct question *question, int kill_it)
{
	int status = -1;

	if (question->fd >= 0)
		close(question->fd);
	question->fd = -1;
	if (!question->pid)
		return 0;
	if (kill_it)
		kill(question->pid, SIGKILL);
	while (waitpid(question->pid, &status, 0) < 0 && errno == EINTR)
		;
	question->pid = 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void question_destroy(struct question *question)
{
	if (!question)
		return;
	end_child(question, 1);
	free(question->text);
	free(question);
}

/* Ours, with times as numbers; what is not allocated is lent. */
static char **make_environment(void)
{
	static char time_format[] = "SLURM_TIME_FORMAT=%s";
	static char language[] = "LC_ALL=C";
	size_t count = 0;

	while (environ[count])
		count++;

	char **made = malloc((count + 3) * sizeof(*made));
	size_t used = 0;

	if (!made)
		return NULL;
	made[used++] = time_format;
	made[used++] = language;
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "SLURM_TIME_FORMAT=", 18) != 0 &&
		    strncmp(environ[i], "LC_ALL=", 7) != 0)
			made[used++] = environ[i];
	made[used] = NULL;
	return made;
}

static int spawn(struct question *question, char *const arguments[], int fd)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	char **environment = make_environment();
	int rc = ENOMEM;

	if (!environment)
		return rc;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
					      "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, fd,
						      STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, fd,
						      STDERR_FILENO);
	if (!rc)
		rc = posix_spawnp(&question->pid, arguments[0], &actions,
				  &attributes, arguments, environment);
	if (rc)
		question->pid = 0;
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free(environment);
	return rc;
}

int question_ask(struct question *question, char *const arguments[],
		 double timeout_s, struct sp_error *err)
{
	int ends[2];

	if (question->pid)
		return sp_error_set(err, "a question is open already");
	if (pipe2(ends, O_CLOEXEC))
		return sp_error_set(err, "no pipe: %s", strerror(errno));

	int rc = spawn(question, arguments, ends[1]);

	close(ends[1]);
	if (rc) {
		close(ends[0]);
		return sp_error_set(err, "%s: %s", arguments[0], strerror(rc));
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	question->fd = ends[0];
	question->deadline_s = clock_monotonic_s() + timeout_s;
	question->size = 0;
	return 0;
}

int question_fd(const struct question *question)
{
	return question->fd;
}

static int make_room(struct question *question)
{
	if (question->room - question->size > CHUNK)
		return 0;
	if (question->room >= QUESTION_ANSWER_MAX)
		return -1;

	size_t more = question->room ? 2 * question->room : 2 * CHUNK;
	char *grown = realloc(question->text, more);

	if (!grown)
		return -1;
	question->text = grown;
	question->room = more;
	return 0;
}

/* 1: there may be more later; 0: it has closed its end; -1: too much. */
static int read_answer(struct question *question)
{
	for (;;) {
		if (make_room(question))
			return -1;

		ssize_t got =
			read(question->fd, question->text + question->size,
			     question->room - question->size);

		if (got > 0)
			question->size += (size_t)got;
		else if (got == 0)
			return 0;
		else if (errno == EAGAIN)
			return 1;
		else if (errno != EINTR)
			return 0;
	}
}

enum question_state question_poll(struct question *question,
				  const char **ret_text, size_t *ret_size)
{
	if (!question->pid)
		return QUESTION_FAILED;

	int more = read_answer(question);
	bool late = clock_monotonic_s() > question->deadline_s;

	if (more > 0 && !late)
		return QUESTION_OPEN;
	*ret_text = question->text ? question->text : "";
	*ret_size = question->size;
	return end_child(question, more != 0) && more == 0 ? QUESTION_ANSWERED
							   : QUESTION_FAILED;
}
