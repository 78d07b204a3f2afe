/* scontrol.c - what Slurm's own commands know, with the user's own rights */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/conf.h"
#include "predictor/cli/scontrol.h"

#define PATIENCE_S 10 /* slurmctld may be busy; a person still waits */

#define QUANTILE_DEFAULT 0.9

/* --- Running a command ---------------------------------------------------- */

/* Both outputs of the command go into one pipe: what it prints when it fails
 * is then at hand for the error. */
static int start(const char *const argv[], int pipe_out, pid_t *ret_pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, pipe_out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, pipe_out, STDERR_FILENO);

	int rc = posix_spawnp(ret_pid, argv[0], &files, &attributes,
			      (char *const *)argv, environ);

	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return rc;
}

/* Read to the end of the output.  -1: too much, or too slow. */
static int collect(int fd, char *buffer, size_t size, size_t *ret_used)
{
	double end = clock_monotonic_s() + PATIENCE_S;
	size_t used = 0;

	for (;;) {
		struct pollfd waiting = { .fd = fd, .events = POLLIN };
		double left = end - clock_monotonic_s();

		if (left <= 0 || used == size)
			return -1;
		if (poll(&waiting, 1, (int)(left * 1000) + 1) <= 0)
			continue;

		ssize_t got = read(fd, buffer + used, size - used);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		if (got > 0)
			used += (size_t)got;
	}
	*ret_used = used;
	return 0;
}

static int finish(pid_t pid, bool hurry)
{
	int status;

	if (hurry)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* Without the "NAME: " that commands begin their errors with. */
static const char *own_words(const char *name, const char *output)
{
	size_t length = strlen(name);

	if (strncmp(output, name, length) == 0 && output[length] == ':')
		output += length + 1;
	return output + strspn(output, " ");
}

int scontrol_run(const char *const argv[], char **ret_output,
		 struct sp_error *err)
{
	int ends[2];
	pid_t pid;
	size_t used = 0;
	char *output = malloc(SCONTROL_OUTPUT_MAX + 1);

	if (!output)
		return sp_error_set(err, "out of memory");
	if (pipe2(ends, O_CLOEXEC)) {
		free(output);
		return sp_error_set(err, "pipe: %s", strerror(errno));
	}

	int rc = start(argv, ends[1], &pid);

	close(ends[1]);
	if (rc) {
		sp_error_set(err, "%s: %s", argv[0], strerror(rc));
		goto failed;
	}

	int slow = collect(ends[0], output, SCONTROL_OUTPUT_MAX, &used);
	int status = finish(pid, slow != 0);

	output[used] = '\0';
	if (slow) {
		sp_error_set(err, "%s gave no end of its answer in %d s",
			     argv[0], PATIENCE_S);
		goto failed;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		sp_error_set(err, "%s: %.*s", argv[0],
			     (int)strcspn(own_words(argv[0], output), "\n"),
			     own_words(argv[0], output));
		goto failed;
	}
	close(ends[0]);
	*ret_output = output;
	return 0;
failed:
	close(ends[0]);
	free(output);
	return -1;
}

/* --- Reading what it printed ----------------------------------------------- */

/* Copy at most size-1 bytes of `text` up to one of `ends`; a longer value is
 * not taken at all. */
static bool take(const char *text, const char *ends, char *ret, size_t size)
{
	size_t length = strcspn(text, ends);

	if (length == 0 || length >= size)
		return false;
	memcpy(ret, text, length);
	ret[length] = '\0';
	return true;
}

/* The value of "Key   = value" on a line of its own; NULL: there is none. */
static const char *config_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) != 0)
			continue;

		const char *equals = line + length;

		equals += strspn(equals, " ");
		if (*equals == '=')
			return equals + 1 + strspn(equals + 1, " ");
	}
	return NULL;
}

/* The value of a token "name=value" in a comma separated list. */
static const char *token_value(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list && *list && *list != '\n') {
		if (strncmp(list, name, length) == 0 && list[length] == '=')
			return list + length + 1;
		list += strcspn(list, ",\n");
		list += *list == ',';
	}
	return NULL;
}

void scontrol_site_parse(const char *text, struct scontrol_site *ret)
{
	const char *cluster = config_value(text, "ClusterName");
	const char *tokens = config_value(text, "SlurmctldParameters");
	const char *url = token_value(tokens, "predict_url");
	const char *quantile = token_value(tokens, "predict_quantile");
	const char *munge =
		token_value(config_value(text, "AuthInfo"), "socket");
	char number[16];

	*ret = (struct scontrol_site){ .quantile = QUANTILE_DEFAULT };
	if (cluster)
		take(cluster, " \n", ret->cluster, sizeof(ret->cluster));
	if (url)
		take(url, ", \n", ret->url, sizeof(ret->url));
	if (munge)
		take(munge, ", \n", ret->munge_socket,
		     sizeof(ret->munge_socket));
	if (quantile && take(quantile, ", \n", number, sizeof(number)))
		conf_number(number, 0.5, 0.999, &ret->quantile, NULL);
}

/* The value of " Key=value" in a line of scontrol --oneliner. */
static const char *field(const char *line, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = line; (at = strstr(at, key)); at += length)
		if ((at == line || at[-1] == ' ') && at[length] == '=')
			return at + length + 1;
	return NULL;
}

static bool take_id(const char *text, char ret[PREDICTION_ID_SIZE])
{
	size_t length = strspn(text, "0123456789abcdef");

	if (length != PREDICTION_ID_SIZE - 1)
		return false;
	memcpy(ret, text, length);
	ret[length] = '\0';
	return true;
}

/* Other tools write into AdminComment too, so ours may stand anywhere in it. */
static void find_prediction(const char *comment, char ret[PREDICTION_ID_SIZE])
{
	static const char mark[] = "predict=";
	size_t end = strcspn(comment, "\n");

	for (const char *at = comment; (at = strstr(at, mark));) {
		if ((size_t)(at - comment) > end)
			return;
		at += strlen(mark);
		if (take_id(at, ret))
			return;
	}
}

int scontrol_job_parse(const char *text, struct scontrol_job *ret,
		       struct sp_error *err)
{
	const char *id = field(text, "JobId");
	const char *name = field(text, "JobName");
	const char *state = field(text, "JobState");
	const char *reason = field(text, "Reason");
	const char *comment = field(text, "AdminComment");
	struct scontrol_job job = { 0 };
	char number[16];
	long value;

	if (!id || !state || !take(id, " \n", number, sizeof(number)) ||
	    conf_integer(number, 1, UINT32_MAX, &value, NULL))
		return sp_error_set(err, "scontrol's answer shows no job");
	job.job_id = (uint32_t)value;
	if (name)
		take(name, " \n", job.name, sizeof(job.name));
	take(state, " \n", job.state, sizeof(job.state));
	if (reason)
		take(reason, " \n", job.reason, sizeof(job.reason));
	if (comment)
		find_prediction(comment, job.prediction_id);
	*ret = job;
	return 0;
}
