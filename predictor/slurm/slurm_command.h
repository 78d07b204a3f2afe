/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_command.h - one of Slurm's commands as a child process, with a deadline
 *
 * scontrol and sacct reach slurmctld, slurmdbd and their backups of any
 * release with the rights of the caller, so nothing of Slurm is linked.
 *
 * The child reads from /dev/null, has LC_ALL=C and SLURM_TIME_FORMAT=%s (times
 * are seconds since the epoch), has no variables that change what squeue
 * prints, and leads a process group of its own.  At the deadline, or when it
 * prints too much, the whole group is killed.  The first 4 kB of its standard
 * error are kept.
 *
 * Three kinds of use:
 * - slurm_command_run() waits for the output;
 * - slurm_command_start(), then slurm_command_poll() when
 *   slurm_command_fd() is readable or slurm_command_due_s() is reached: never
 *   waits, for an event loop;
 * - slurm_command_start(), slurm_command_wait_output(),
 *   slurm_command_take_fd(), slurm_command_finish(): the caller reads the
 *   output itself, however long it is.
 */
#pragma once

#include <stddef.h>

#include "predictor/base/error.h"

enum slurm_command_state {
	SLURM_COMMAND_RUNNING,
	SLURM_COMMAND_DONE,   /* exited with status 0 */
	SLURM_COMMAND_FAILED, /* anything else; *err says what */
};

struct slurm_command;

/* Start argv[0], found in PATH; NULL ends `argv`.  It has `timeout_s` seconds
 * and may print `output_max` bytes.  NULL, with *err: it cannot be started. */
struct slurm_command *slurm_command_start(const char *const argv[],
					  double timeout_s, size_t output_max,
					  struct sp_error *err);

/* Kills it if it still runs.  NULL is allowed. */
void slurm_command_destroy(struct slurm_command *command);

/* Return the command's standard output; -1: closed, or taken by the caller. */
int slurm_command_fd(const struct slurm_command *command);

/* When to poll at the latest (clock_monotonic_s()): the deadline, or sooner
 * while its exit is awaited. */
double slurm_command_due_s(const struct slurm_command *command);

/* Read what is there, without waiting.  The error is the first line that the
 * command printed, without its "NAME: ". */
enum slurm_command_state slurm_command_poll(struct slurm_command *c,
					    struct sp_error *err);

/* What it printed until now, terminated; lent until the next call.
 * ret_size may be NULL. */
const char *slurm_command_output(const struct slurm_command *command,
				 size_t *ret_size);

/* Return its standard error, terminated; lent. */
const char *slurm_command_errors(struct slurm_command *command);

/* Wait for the first byte, or the end, of its output.  -1: not before the
 * deadline. */
int slurm_command_wait_output(struct slurm_command *command);

/* Give its standard output to the caller, who closes it.  The deadline and
 * the limit of its output hold no more. */
int slurm_command_take_fd(struct slurm_command *command);

/* Wait for its end, if the caller took its output for a few seconds at most.
 * 0: it exited with status 0. */
int slurm_command_finish(struct slurm_command *command, struct sp_error *err);

/* Start it, wait for its end and give its standard output, terminated, which
 * the caller frees; NULL with *err. */
char *slurm_command_run(const char *const argv[], double timeout_s,
			size_t output_max, struct sp_error *err);
