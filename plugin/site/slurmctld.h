/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld.h - what we use of slurmctld beyond its public headers
 *
 * slurmctld and its library export these without declaring them where plugins
 * built outside Slurm's tree can see it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <slurm/slurm.h>

/* The configuration in force: updated in place, under a lock that is held
 * while a job_submit plugin is called. */
extern slurm_conf_t slurm_conf;

/* The partition of jobs that name none; NULL until there is one.  Weak: if
 * a release lacks it, its address is NULL. */
extern char *default_part_name __attribute__((weak));

void slurm_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
int slurm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void slurm_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Add to *text, which may be NULL: a text inside a job description, or a
 * message to the user. */
void slurm_xstrfmtcat(char **text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As calloc() and free(), for what a job description holds.  With `may_fail` it
 * is NULL where memory ran out; `file`, `line` and `function` are for the log.
 * Weak: if a release lacks one, its address is NULL. */
void *slurm_xcalloc(size_t count, size_t size, bool clear, bool may_fail,
		    const char *file, int line, const char *function)
	__attribute__((weak));
void slurm_xfree(void **pointer) __attribute__((weak));
