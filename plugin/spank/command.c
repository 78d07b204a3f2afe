/* command.c - what a submission says that slurmctld is not told */
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
#include "predictor/features/script/identify.h"
#include "predictor/base/clock.h"
#include "predictor/base/file_size.h"
#include "predictor/features/application.h"
#include "predictor/features/script/submit_line.h"

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

/* The script, as sbatch reads it; NULL: it cannot be read. */
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

/* What the line submits; false: nothing that could be read. */
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
	else if (line->batch) /* it comes on stdin, which is sbatch's */
		return false;
	return ret->arguments_count || ret->script;
}

/* A pipe, and how many parameters may still go into it. */
struct teller {
	int pipe_end;
	int left;
};

/* Whether the user has PREDICT_name in his environment, which goes with the
 * job by itself, and counts more than what is found. */
static bool is_said(const char *name)
{
	char variable[PAIR_SIZE];

	snprintf(variable, sizeof(variable), "PREDICT_%s", name);
	return getenv(variable) != NULL;
}

/* One write for each, so that those that were found count even if another is
 * never. */
static void tell(struct teller *teller, const char *name, const char *value)
{
	char text[PAIR_SIZE];
	int length = snprintf(text, sizeof(text), "%s=%s ", name, value);

	if (is_said(name) || length >= (int)sizeof(text) ||
	    write(teller->pipe_end, text, (size_t)length) != length)
		return;
	teller->left--;
}

static void tell_number(struct teller *teller, const char *name, double value)
{
	char text[32];

	if (teller->left <= 0)
		return;
	snprintf(text, sizeof(text), "%.15g", value);
	tell(teller, name, text);
}

static void tell_application(struct teller *teller,
			     const struct submission *job)
{
	struct application found;
	struct application nothing;

	application_identify(job, &found);
	application_from_name(NULL, &nothing);
	if (!strcmp(found.name, nothing.name))
		return;
	/* The name takes no parameter's place. */
	teller->left++;
	if (!is_said("APPLICATION"))
		tell(teller, "application", found.name);
	else
		teller->left--;
	for (int i = 0; i < found.parameters.count; i++)
		tell_number(teller, found.parameters.of[i].name,
			    found.parameters.of[i].value);
}

static void tell_files(struct teller *teller, const struct submission *job,
		       const char *directory)
{
	static struct file_arguments files;
	int folder = AT_FDCWD;
	int told = 0;

	application_files(job, &files);
	if (directory)
		folder = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < files.count && told < FILE_ARGUMENTS_SENT; i++) {
		double size = file_size(folder, files.of[i].path);

		if (size < 0)
			continue;
		tell_number(teller, files.of[i].name, size);
		told++;
	}
}

/* All that the child is for. */
static void look(const char *const words[], int words_count, bool files,
		 struct teller *teller)
{
	struct submit_line line;
	struct submission job;

	if (!submit_line_read(words, words_count, &line) ||
	    (line.batch && !files) ||
	    !read_submission(words, words_count, &line, &job))
		return;
	if (!line.batch)
		tell_application(teller, &job);
	if (files)
		tell_files(teller, &job, line.directory);
}

/* --- In the parent ------------------------------------------------------- */

/* What comes until the other end is closed, or time is over. */
static size_t collect(int pipe_end, char *ret_text, size_t size)
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

/* A child that hangs in a file system cannot even be killed, so nobody waits
 * for it: it is somebody else's as soon as we end. */
static void dismiss(pid_t child)
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
		look(words, words_count, files,
		     &(struct teller){ .pipe_end = ends[1], .left = count });
		_exit(0);
	}
	close(ends[1]);

	size_t used = child > 0 ? collect(ends[0], ret_text, size) : 0;

	close(ends[0]);
	if (child > 0)
		dismiss(child);
	/* Only whole ones: each ends with a blank. */
	while (used && ret_text[used - 1] != ' ')
		used--;
	ret_text[used ? used - 1 : 0] = '\0';
}
