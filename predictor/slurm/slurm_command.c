/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_command.c - one of Slurm's commands as a child process
 *
 * Standard output is a pipe, read as it comes.  Standard error is a memory
 * file that cannot grow: nobody needs to read it before the end, and the child
 * can neither block on it nor fill the memory.
 *
 * The output ends shortly before the child can be reaped, so polling goes on
 * every few ms until then.  Every path that gives up kills the
 * process group and reaps the child: none is left as a zombie.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/slurm/slurm_command.h"

#define CHUNK       16384
#define ERRORS_SIZE 4096
#define NAME_SIZE   64

/* Between checks for the exit of a child that has closed its output. */
#define EXIT_POLL_S 0.002

/* For the exit of a child whose output the caller has read. */
#define EXIT_TIMEOUT_S 5.0

struct slurm_command {
	char name[NAME_SIZE]; /* without its folder, for errors */
	pid_t pid;            /* 0: reaped */
	int status;           /* of waitpid(), once reaped */
	int output_fd;        /* -1: closed, or the caller's */
	int errors_fd;
	double timeout_s, deadline_s;
	char *output;
	size_t size, room, output_max;
	char errors[ERRORS_SIZE];
};

/* --- Start and end -------------------------------------------------------- */

/* The child does not get the variables of our environment that are set for it,
 * and what would filter or arrange the output of squeue. */
static bool is_inherited(const char *variable)
{
	static const char *const dropped[] = { "SLURM_TIME_FORMAT=", "LC_ALL=",
					       "SQUEUE_", "SLURM_BITSTR_LEN=" };

	for (size_t i = 0; i < sizeof(dropped) / sizeof(*dropped); i++)
		if (strncmp(variable, dropped[i], strlen(dropped[i])) == 0)
			return false;
	return true;
}

/* Only the array is allocated. */
static char **environment_make(void)
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
		if (is_inherited(environ[i]))
			made[used++] = environ[i];
	made[used] = NULL;
	return made;
}

/* An errno, 0: started.  Allocation failures of the actions show in the
 * spawn, which then fails. */
static int child_spawn(struct slurm_command *c, const char *const argv[],
		       int output_fd)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	char **environment = environment_make();
	int rc;

	if (!environment)
		return ENOMEM;
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF |
						      POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&files);
	rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					      O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&files, output_fd,
						      STDOUT_FILENO);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&files, c->errors_fd,
						      STDERR_FILENO);
	if (!rc)
		rc = posix_spawnp(&c->pid, argv[0], &files, &attributes,
				  (char *const *)argv, environment);
	if (rc)
		c->pid = 0;
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	free(environment);
	return rc;
}

/* Writes behind its ERRORS_SIZE bytes fail in the child. */
static int errors_open(struct slurm_command *c, struct sp_error *err)
{
	c->errors_fd = memfd_create("errors", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (c->errors_fd < 0 || ftruncate(c->errors_fd, ERRORS_SIZE) ||
	    fcntl(c->errors_fd, F_ADD_SEALS, F_SEAL_GROW))
		return sp_error_set(err, "memfd: %s", strerror(errno));
	return 0;
}

static int child_start(struct slurm_command *c, const char *const argv[],
		       struct sp_error *err)
{
	int ends[2];

	if (errors_open(c, err))
		return -1;
	if (pipe2(ends, O_CLOEXEC))
		return sp_error_set(err, "pipe: %s", strerror(errno));

	int rc = child_spawn(c, argv, ends[1]);

	close(ends[1]);
	c->output_fd = ends[0];
	fcntl(c->output_fd, F_SETFL, O_NONBLOCK);
	return rc ? sp_error_set(err, "%s: %s", argv[0], strerror(rc)) : 0;
}

struct slurm_command *slurm_command_start(const char *const argv[],
					  double timeout_s, size_t output_max,
					  struct sp_error *err)
{
	struct slurm_command *c = calloc(1, sizeof(*c));
	const char *slash = strrchr(argv[0], '/');

	if (!c)
		return sp_error_null(err, "out of memory");
	memccpy(c->name, slash ? slash + 1 : argv[0], '\0', NAME_SIZE - 1);
	c->output_fd = c->errors_fd = -1;
	c->output_max = output_max;
	c->timeout_s = timeout_s;
	c->deadline_s = clock_monotonic_s() + timeout_s;
	if (child_start(c, argv, err)) {
		slurm_command_destroy(c);
		return NULL;
	}
	return c;
}

static void output_close(struct slurm_command *c)
{
	if (c->output_fd >= 0)
		close(c->output_fd);
	c->output_fd = -1;
}

/* Return whether the child has ended, and been reaped. */
static bool child_reap(struct slurm_command *c, int flags)
{
	pid_t got;

	do
		got = waitpid(c->pid, &c->status, flags);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return false;
	if (got < 0) /* somebody else has reaped it */
		c->status = -1;
	c->pid = 0;
	return true;
}

static void child_kill(struct slurm_command *c)
{
	output_close(c);
	if (!c->pid)
		return;
	kill(-c->pid, SIGKILL);
	child_reap(c, 0);
}

void slurm_command_destroy(struct slurm_command *command)
{
	if (!command)
		return;
	child_kill(command);
	if (command->errors_fd >= 0)
		close(command->errors_fd);
	free(command->output);
	free(command);
}

/* --- Output and errors ---------------------------------------------------- */

static int output_reserve(struct slurm_command *c, struct sp_error *err)
{
	if (c->room - c->size > CHUNK)
		return 0;

	size_t more = c->room ? 2 * c->room : 4 * CHUNK;
	char *grown = realloc(c->output, more);

	if (!grown)
		return sp_error_set(err, "out of memory");
	grown[c->size] = '\0';
	c->output = grown;
	c->room = more;
	return 0;
}

/* 1: more may follow; 0: the child has closed it; -1: too much. */
static int output_read(struct slurm_command *c, struct sp_error *err)
{
	for (;;) {
		if (output_reserve(c, err))
			return -1;

		ssize_t got = read(c->output_fd, c->output + c->size,
				   c->room - c->size - 1);

		if (got > 0) {
			c->size += (size_t)got;
			c->output[c->size] = '\0';
		} else if (got == 0) {
			return 0;
		} else if (errno == EAGAIN) {
			return 1;
		} else if (errno != EINTR) {
			return sp_error_set(err, "%s: %s", c->name,
					    strerror(errno));
		}
		if (c->size > c->output_max)
			return sp_error_set(err,
					    "%s printed more than %zu bytes",
					    c->name, c->output_max);
	}
}

const char *slurm_command_output(const struct slurm_command *command,
				 size_t *ret_size)
{
	if (ret_size)
		*ret_size = command->size;
	return command->output ? command->output : "";
}

const char *slurm_command_errors(struct slurm_command *command)
{
	/* Behind what the child wrote it is zero. */
	ssize_t got =
		pread(command->errors_fd, command->errors, ERRORS_SIZE - 1, 0);

	command->errors[got > 0 ? got : 0] = '\0';
	return command->errors;
}

/* The first line that it printed, without the "NAME: " that commands begin
 * their errors with. */
static int failure_set(struct slurm_command *c, struct sp_error *err)
{
	const char *text = slurm_command_errors(c);
	size_t length = strlen(c->name);

	if (!*text)
		text = slurm_command_output(c, NULL);
	if (strncmp(text, c->name, length) == 0 && text[length] == ':')
		text += length + 1 + strspn(text + length + 1, " ");

	size_t line = strcspn(text, "\n");

	if (line)
		return sp_error_set(err, "%s: %.*s", c->name,
				    (int)(line < 200 ? line : 200), text);
	if (WIFSIGNALED(c->status))
		return sp_error_set(err, "%s: killed by signal %d", c->name,
				    WTERMSIG(c->status));
	return sp_error_set(err, "%s: exit status %d", c->name,
			    WEXITSTATUS(c->status));
}

/* --- Waiting -------------------------------------------------------------- */

int slurm_command_fd(const struct slurm_command *command)
{
	return command->output_fd;
}

double slurm_command_due_s(const struct slurm_command *command)
{
	if (command->output_fd >= 0)
		return command->deadline_s;
	return fmin(command->deadline_s, clock_monotonic_s() + EXIT_POLL_S);
}

enum slurm_command_state slurm_command_poll(struct slurm_command *c,
					    struct sp_error *err)
{
	if (c->output_fd >= 0) {
		int more = output_read(c, err);

		if (more < 0) {
			child_kill(c);
			return SLURM_COMMAND_FAILED;
		}
		if (more == 0)
			output_close(c);
	}
	if (c->pid && (c->output_fd >= 0 || !child_reap(c, WNOHANG))) {
		if (clock_monotonic_s() < c->deadline_s)
			return SLURM_COMMAND_RUNNING;
		child_kill(c);
		sp_error_set(err, "%s did not end within %g s", c->name,
			     c->timeout_s);
		return SLURM_COMMAND_FAILED;
	}
	if (WIFEXITED(c->status) && WEXITSTATUS(c->status) == 0)
		return SLURM_COMMAND_DONE;
	failure_set(c, err);
	return SLURM_COMMAND_FAILED;
}

/* Sleep until its output is readable, or `until_s`. */
static bool output_await(const struct slurm_command *c, double until_s)
{
	struct pollfd fd = { .fd = c->output_fd, .events = POLLIN };
	double left_s = until_s - clock_monotonic_s();

	return poll(&fd, 1, left_s > 0 ? (int)ceil(left_s * 1e3) : 0) > 0;
}

int slurm_command_wait_output(struct slurm_command *command)
{
	while (!output_await(command, command->deadline_s))
		if (clock_monotonic_s() >= command->deadline_s)
			return -1;
	return 0;
}

int slurm_command_take_fd(struct slurm_command *command)
{
	int fd = command->output_fd;

	fcntl(fd, F_SETFL, 0);
	command->output_fd = -1;
	command->deadline_s = HUGE_VAL;
	return fd;
}

int slurm_command_finish(struct slurm_command *command, struct sp_error *err)
{
	enum slurm_command_state state;

	if (isinf(command->deadline_s)) {
		command->timeout_s = EXIT_TIMEOUT_S;
		command->deadline_s = clock_monotonic_s() + EXIT_TIMEOUT_S;
	}
	while ((state = slurm_command_poll(command, err)) ==
	       SLURM_COMMAND_RUNNING)
		output_await(command, slurm_command_due_s(command));
	return state == SLURM_COMMAND_DONE ? 0 : -1;
}

char *slurm_command_run(const char *const argv[], double timeout_s,
			size_t output_max, struct sp_error *err)
{
	struct slurm_command *c =
		slurm_command_start(argv, timeout_s, output_max, err);
	char *output = NULL;

	if (!c)
		return NULL;
	if (slurm_command_finish(c, err) == 0) {
		output = c->output ? c->output : strdup("");
		c->output = NULL;
		if (!output)
			sp_error_set(err, "out of memory");
	}
	slurm_command_destroy(c);
	return output;
}
