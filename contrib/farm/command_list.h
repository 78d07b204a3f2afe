/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_list.h - command lines, and the log of those that were run
 *
 * The log has the columns of GNU parallel's --joblog, so that its readers read
 * ours:
 *	Seq Host Starttime JobRuntime Send Receive Exitval Signal Command
 * separated by tabs, a line for each command when it has ended.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct command_list {
	int count;
	char **line; /* [count]; command i has the number (Seq) i + 1 */
	bool *done;  /* [count]: logged earlier */
	int done_count;
};

/* All lines of the stream but empty ones and those that begin with '#'.  Fails
 * with a message on stderr. */
int command_list_read(struct command_list *list, FILE *from);
void command_list_clear(struct command_list *list);

/* Mark what a log says; with `failed_again` not what failed.  A log that does
 * not exist is empty.  Fails with a message on stderr. */
int command_list_resume(struct command_list *list, const char *log,
			bool failed_again);

/* How a command ended. */
struct command_end {
	char host[64];
	double started_at_s, runtime_s;
	int exit_value, signal; /* signal 0: it exited */
};

/* Open the log to be appended to; NULL: message on stderr. */
FILE *command_log_open(const char *path, bool keep);
/* -1: it could not be written. */
int command_log_write(FILE *log, int number, const char *command,
		      const struct command_end *end, size_t output_bytes);
