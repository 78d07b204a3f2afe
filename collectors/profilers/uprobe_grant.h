/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_grant.h - uprobes of a function of a process, for that process
 *
 * The kernel gives perf events of uprobes to those with CAP_SYS_ADMIN only.  Here a
 * process of a traced job gets those of its own thread, at a place in a file that it
 * has mapped to be executed: what they count is no secret to it, and they change
 * nothing but its own copy of that code.
 */
#ifndef COLLECTORS_PROFILERS_UPROBE_GRANT_H
#define COLLECTORS_PROFILERS_UPROBE_GRANT_H

#include <stdbool.h>
#include <sys/types.h>

#include "collectors/profilers/mpi/uprobe_request.h"
#include "predictor/base/error.h"

/* What the process requests over the connected socket, from its first message to the
 * reply.  traces is the folder of the spool with a folder for each traced job.  It
 * may wait for file systems of the process: not for collectord's own thread. */
void uprobe_grant_serve(int socket, int traces);

/* A reply that gives nothing, and says why.  Never waits. */
void uprobe_grant_refuse(int socket, const char *why);

/* Events that are requested by the process `pid` of that user, for a function in
 * `file`.  -1 with *err: not to it, or not there. */
int uprobe_grant_open(int traces, pid_t pid, uid_t user,
		      const struct uprobe_request *request, int file,
		      int ret_fds[UPROBE_EVENTS], struct sp_error *err);

/* Where the address of a process is in a file, from lines of its /proc/PID/maps; text
 * ends with 0. */
struct uprobe_mapping {
	char file[64];   /* device and inode, as the kernel writes them */
	uint64_t offset; /* bytes */
};
int uprobe_grant_find(const char *maps, uint64_t address, bool executed,
		      struct uprobe_mapping *ret);

#endif
