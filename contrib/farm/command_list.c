/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_list.c - command lines, and the log of those that were run */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/farm/command_list.h"

#define LOG_HEAD                                                             \
	"Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\t" \
	"Command\n"

static int add_line(struct command_list *list, const char *line)
{
	size_t count = (size_t)list->count;

	/* Doubled when full: at powers of two. */
	if ((count & (count - 1)) == 0) {
		size_t capacity = count ? 2 * count : 1;
		char **lines =
			realloc(list->line, capacity * sizeof(*list->line));

		if (!lines)
			return -1;
		list->line = lines;
	}
	list->line[count] = strdup(line);
	if (!list->line[count])
		return -1;
	list->count++;
	return 0;
}

int command_list_read(struct command_list *list, FILE *from)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	int rc = 0;

	*list = (struct command_list){ 0 };
	while (rc == 0 && (length = getline(&line, &capacity, from)) > 0) {
		const char *text = line + strspn(line, " \t");

		if (line[length - 1] == '\n')
			line[--length] = '\0';
		if (*text && *text != '#')
			rc = add_line(list, line);
	}
	if (rc == 0 && !ferror(from)) {
		list->done =
			calloc((size_t)list->count + 1, sizeof(*list->done));
		rc = list->done ? 0 : -1;
	}
	if (rc || ferror(from)) {
		fprintf(stderr, "predict-farm: commands: %s\n",
			rc ? "out of memory" : strerror(errno));
		command_list_clear(list);
		rc = -1;
	}
	free(line);
	return rc;
}

void command_list_clear(struct command_list *list)
{
	for (int i = 0; i < list->count; i++)
		free(list->line[i]);
	free(list->line);
	free(list->done);
	*list = (struct command_list){ 0 };
}

/* Number, exit value and signal of a line of the log. */
static bool parse_log_line(const char *line, long *ret_number, int *ret_exit,
			   int *ret_signal)
{
	return sscanf(line,
		      "%ld\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]\t%*[^\t]"
		      "\t%d\t%d\t",
		      ret_number, ret_exit, ret_signal) == 3;
}

int command_list_resume(struct command_list *list, const char *log,
			bool failed_again)
{
	FILE *file = fopen(log, "re");
	char *line = NULL;
	size_t capacity = 0;
	int rc = 0;

	if (!file && errno == ENOENT)
		return 0;
	while (file && getline(&line, &capacity, file) > 0) {
		long number;
		int exit_value, signal;

		/* The head, or a line that was cut. */
		if (!parse_log_line(line, &number, &exit_value, &signal) ||
		    !strchr(line, '\n') || number < 1 || number > list->count)
			continue;

		bool done = !failed_again || (exit_value == 0 && signal == 0);

		list->done_count += done - list->done[number - 1];
		list->done[number - 1] = done;
	}
	if (!file || ferror(file)) {
		fprintf(stderr, "predict-farm: %s: %s\n", log, strerror(errno));
		rc = -1;
	}
	if (file)
		fclose(file);
	free(line);
	return rc;
}

FILE *command_log_open(const char *path, bool keep)
{
	FILE *log = fopen(path, keep ? "ae" : "we");

	if (log && (fseek(log, 0, SEEK_END) || ftell(log) == 0))
		fputs(LOG_HEAD, log);
	if (!log || fflush(log))
		fprintf(stderr, "predict-farm: %s: %s\n", path,
			strerror(errno));
	return log;
}

int command_log_write(FILE *log, int number, const char *command,
		      const struct command_end *end, size_t output_bytes)
{
	fprintf(log, "%d\t%s\t%.3f\t%10.3f\t0\t%zu\t%d\t%d\t%s\n", number,
		end->host, end->started_at_s, end->runtime_s, output_bytes,
		end->exit_value, end->signal, command);
	return fflush(log) ? -1 : 0;
}
