/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_environment.h - variables of a job's environment that matter to it
 *
 * A script that says "$N" takes N from where it was submitted, unless it sets
 * it.  Such variables, and those of `--export=ALL,N=100`, travel with a
 * submission as its settings "env" and "export", each with a text NAME=VALUE.
 * Never among them: secrets (secret.h), settings of libraries and runtimes, and
 * what every login sets.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOB_ENVIRONMENT_READ     "env"
#define JOB_ENVIRONMENT_EXPORTED "export"

#define JOB_ENVIRONMENT_MAX 16 /* of a job, of each of both */
#define JOB_ENVIRONMENT_TEXT_SIZE \
	256 /* of NAME=VALUE; longer ones are not used */

/* Return whether a variable of this name is a setting of libraries and
 * runtimes, as OMP_NUM_THREADS, and no parameter. */
bool job_environment_infrastructure(const char *name);

/* Return whether NAME=VALUE, of `length` bytes, may travel with a
 * submission. */
bool job_environment_usable(const char *variable, size_t length);

/* Find the variables of `variables` ("NAME=VALUE", at most `count`, up to a
 * NULL) that the script may read; ret[] lends them.  Returns their number.
 * Time is bounded for any script and any environment. */
int job_environment_find(const char *script, char *const *variables,
			 uint32_t count, const char *ret[JOB_ENVIRONMENT_MAX]);

/* Return the value of --export in a command line without its quotes, as Slurm
 * keeps it, up to the next blank; "": there is none. */
const char *job_environment_export_option(const char *line);

/* Return the next NAME=VALUE in the value of --export, up to a blank, at *at,
 * which goes on behind it; *ret_length gets its size.  NULL: there is none. */
const char *job_environment_exported(const char **at, size_t *ret_length);
