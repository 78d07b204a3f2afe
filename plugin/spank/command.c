/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - parameters from the command line of sbatch, srun or salloc
 *
 * A child process reads the script and the sizes of files, and writes a
 * parameter at a time into a pipe; the parent reads the pipe until the
 * deadline, then kills the child.  Parameters that were written in time count.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugin/spank/command.h"
#include "predictor/base/clock.h"
#include "predictor/base/file_size.h"
#include "predictor/features/application.h"
#include "predictor/features/script/command/submit_line.h"
#include "predictor/features/script/identify.h"

#define COMMAND_LINE_SIZE 65536
#define PAIR_SIZE         192

int command_own_words(const char *const **ret_words)
{
	static char text[COMMAND_LINE_SIZE];
	static const char *words[SUBMISSION_ARGUMENTS_MAX + 1];
	int count = 0;
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[size > 0 ? size : 0] = '\0';
	for (char *at = text;
	     at < text + size && count < SUBMISSION_ARGUMENTS_MAX;
	     at += strlen(at) + 1)
		words[count++] = at;
	words[count] = NULL;
	*ret_words = words;
	return count;
}

/* --- In the child -------------------------------------------------------- */

/* Read the script, as sbatch reads it; NULL: it cannot be read. */
static const char *read_script(const char *path)
{
	static char script[SUBMISSION_SCRIPT_MAX + 1];
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t size = -1;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &about) && S_ISREG(about.st_mode))
		size = read(fd, script, sizeof(script) - 1);
	close(fd);
	if (size < 0)
		return NULL;
	script[size] = '\0';
	return script;
}

/* Read the job that the line submits; false: it cannot be read. */
static bool read_submission(const char *const words[], int count,
			    const struct submit_line *line,
			    struct submission *ret)
{
	submission_init(ret);
	for (int i = line->first;
	     i < count && ret->arguments_count < SUBMISSION_ARGUMENTS_MAX; i++)
		ret->arguments[ret->arguments_count++] = words[i];
	if (line->batch && line->wrap)
		ret->script = line->wrap;
	else if (line->batch && ret->arguments_count)
		ret->script = read_script(ret->arguments[0]);
	else if (line->batch) /* the script is on stdin, which sbatch reads */
		return false;
	return ret->arguments_count || ret->script;
}

/* The pipe to the parent, and how many parameters may still be written. */
struct parameter_pipe {
	int pipe_end, left;
};

/* Return whether PREDICT_name is in the environment, which travels with the
 * job anyway and takes precedence. */
static bool is_in_environment(const char *name)
{
	char variable[PAIR_SIZE];

	snprintf(variable, sizeof(variable), "PREDICT_%s", name);
	return getenv(variable) != NULL;
}

/* One write for each, so that those found count even if a later one hangs. */
static void pipe_put(struct parameter_pipe *pipe_out, const char *name,
		     const char *value)
{
	char text[PAIR_SIZE];
	int length = snprintf(text, sizeof(text), "%s=%s ", name, value);

	if (is_in_environment(name) || length >= (int)sizeof(text) ||
	    write(pipe_out->pipe_end, text, (size_t)length) != length)
		return;
	pipe_out->left--;
}

static void pipe_put_number(struct parameter_pipe *pipe_out, const char *name,
			    double value)
{
	char text[32];

	if (pipe_out->left <= 0)
		return;
	snprintf(text, sizeof(text), "%.15g", value);
	pipe_put(pipe_out, name, text);
}

/* As far as there is room for the sizes of files, too. */
static void pipe_put_traits(struct parameter_pipe *pipe_out, const char *traits)
{
	struct trait trait;

	while (pipe_out->left > FILE_ARGUMENTS_SENT &&
	       traits_next(&traits, &trait)) {
		char name[PARAMETER_NAME_SIZE], value[TRAIT_VALUE_SIZE];

		snprintf(name, sizeof(name), "%.*s", (int)trait.name_length,
			 trait.name);
		snprintf(value, sizeof(value), "%.*s", (int)trait.value_length,
			 trait.value);
		pipe_put(pipe_out, name, value);
	}
}

static void find_application(struct parameter_pipe *pipe_out,
			     const struct submission *job, const char *exported)
{
	struct application found, nothing;

	application_identify(job, &found);
	application_from_name(NULL, &nothing);
	application_add_exported(exported, &found);
	if (!strcmp(found.name, nothing.name))
		return;
	/* The name does not count as a parameter. */
	pipe_out->left++;
	if (!is_in_environment("APPLICATION"))
		pipe_put(pipe_out, "application", found.name);
	else
		pipe_out->left--;
	for (int i = 0; i < found.parameters.count; i++)
		pipe_put_number(pipe_out, found.parameters.of[i].name,
				found.parameters.of[i].value);
	pipe_put_traits(pipe_out, found.traits);
}

static void find_file_sizes(struct parameter_pipe *pipe_out,
			    const struct submission *job, const char *directory)
{
	static struct file_arguments files;
	int folder = AT_FDCWD;
	int sizes = 0;

	application_files(job, &files);
	if (directory)
		folder = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < files.count && sizes < FILE_ARGUMENTS_SENT; i++) {
		double size = file_size(folder, files.of[i].path);

		if (size < 0)
			continue;
		pipe_put_number(pipe_out, files.of[i].name, size);
		sizes++;
	}
}

/* The child's work. */
static void inspect_command(const char *const words[], int words_count,
			    bool files, struct parameter_pipe *pipe_out)
{
	struct submit_line line;
	struct submission job;

	if (!submit_line_read(words, words_count, &line) ||
	    (line.batch && !files) ||
	    !read_submission(words, words_count, &line, &job))
		return;
	if (!line.batch)
		find_application(pipe_out, &job, line.exported);
	if (files)
		find_file_sizes(pipe_out, &job, line.directory);
}

/* --- In the parent ------------------------------------------------------- */

/* Read until the other end is closed, or the deadline. */
static size_t read_until_deadline(int pipe_end, char *ret_text, size_t size)
{
	double end_s = clock_monotonic_s() + COMMAND_DEADLINE_MS * 1e-3;
	size_t used = 0;

	while (used < size - 1) {
		struct pollfd wait = { .fd = pipe_end, .events = POLLIN };
		double left_ms = ceil((end_s - clock_monotonic_s()) * 1e3);
		int ready = left_ms > 0 ? poll(&wait, 1, (int)left_ms) : 0;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;

		ssize_t got = read(pipe_end, ret_text + used, size - 1 - used);

		if (got <= 0)
			break;
		used += (size_t)got;
	}
	return used;
}

/* A child that hangs in a file system cannot even be killed: do not wait for
 * it. init inherits it when we exit. */
static void kill_child(pid_t child)
{
	kill(child, SIGKILL);
	for (int i = 0; i < 5; i++) {
		if (waitpid(child, NULL, WNOHANG))
			return;
		poll(NULL, 0, 1);
	}
}

void command_parameters(const char *const words[], int words_count, int count,
			bool files, char *ret_text, size_t size)
{
	int ends[2];

	ret_text[0] = '\0';
	if (!words_count || count <= 0 || pipe2(ends, O_CLOEXEC))
		return;

	pid_t child = fork();

	if (child == 0) {
		signal(SIGPIPE, SIG_DFL);
		close(ends[0]);
		inspect_command(words, words_count, files,
				&(struct parameter_pipe){ .pipe_end = ends[1],
							  .left = count });
		_exit(0);
	}
	close(ends[1]);

	size_t used =
		child > 0 ? read_until_deadline(ends[0], ret_text, size) : 0;

	close(ends[0]);
	if (child > 0)
		kill_child(child);
	/* Only complete parameters: each ends with a blank. */
	while (used && ret_text[used - 1] != ' ')
		used--;
	ret_text[used ? used - 1 : 0] = '\0';
}
