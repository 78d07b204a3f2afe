/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forward.h - what Slurm calls in a select plugin, passed on to Slurm's own
 *
 * All but the test of a job is passed on as it comes.
 */
#pragma once

/* Pass calls on to that plugin, as dlopen() gave it, from now on. */
void forward_to(void *plugin);

/* Called after each call by which jobs get or lose resources, in any thread;
 * the user of forward.c has to define it. */
void forward_jobs_changed(void);
