/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leftovers.h - files and folders of jobs whose end was missed */
#pragma once

#include "collectors/runs/jobs.h"
#include "collectors/runs/user_folders.h"

/* Remove from steps, shares, hosts, mpi and traces what has not changed since
 * `before_s` and is of no open job; but traces of jobs that have ended wait for
 * predictd.  Call it when all events have been taken. */
void leftovers_remove(const struct spool_folders *folders,
		      const struct jobs *jobs, struct user_folders *users,
		      double before_s);
