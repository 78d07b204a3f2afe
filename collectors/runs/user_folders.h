/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_folders.h - what processes of users write on a node, and its limits
 *
 * SPOOL/users may be a file system of its own.  It holds mpi (a folder for each
 * job that counts its messages itself) and traces (one for each traced job):
 * JOBID belongs to the job's user while it runs; at its end the SPANK plugin
 * takes it and names it JOBID.ended in mpi, and JOBID-UID-SECONDS in traces.
 * What nobody needs any more is moved to `removed`, which only root may enter,
 * and is deleted there by a thread of lowest priority.
 *
 * All files in all folders count, by the blocks they have.  Above `max_bytes`
 * the oldest trace of a job that has ended is dropped, then the folder that has
 * most.  On a full disk all are dropped, and no job gets one: `users` is then
 * closed to them (mode 0700), unless it is a file system of its own.
 */
#pragma once

#include "collectors/runs/spool.h"

struct user_folders;

/* `folders` are lent.  What jobs left that ended without us is removed. */
struct user_folders *user_folders_create(const struct spool_folders *folders,
					 size_t max_bytes,
					 struct sp_error *err);
void user_folders_destroy(struct user_folders *users); /* NULL is allowed */
void user_folders_set_limit(struct user_folders *users, size_t max_bytes);

/* Take the folder `name` of `parent_fd` from its user, and have it deleted. */
void user_folders_drop(struct user_folders *users, int parent_fd,
		       const char *name);

/* Something was moved to `removed`. */
void user_folders_wake(struct user_folders *users);

/* A job has started: what it writes is measured from now on. */
void user_folders_started(struct user_folders *users, double now_s);

/* Drop everything if the disk has too little room, until it has more. */
void user_folders_keep_room(struct user_folders *users, bool low);

/* When there is something to measure (monotonic clock); HUGE_VAL: never. */
double user_folders_at_s(const struct user_folders *users);
void user_folders_run(struct user_folders *users, double now_s);
