/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_server.h - the socket at which ranks of traced jobs get uprobes
 *
 * SPOOL/uprobes, which all users may connect to.  Each request is served by a process
 * of its own (uprobe_grant.h), since a user's file system may make it wait; that is
 * ended after a few seconds.  How many there are at a time, and how often a process
 * may come, is limited.
 */
#ifndef COLLECTORS_DAEMON_UPROBE_SERVER_H
#define COLLECTORS_DAEMON_UPROBE_SERVER_H

#include <sys/types.h>

#include "predictor/base/error.h"

#define UPROBE_SERVER_SOCKET   "uprobes"
#define UPROBE_SERVER_MAX      16 /* requests at a time */
#define UPROBE_SERVER_USER_MAX 12 /* of them, of a user other than root */
#define UPROBE_SERVER_PROCESS_MAX \
	4 /* requests of a process, one after the other */
#define UPROBE_SERVER_SECONDS 4
/* Processes that came and are still there, and those of a user.  The kernel opens and
 * closes their uprobes one after the other, and waits for all CPUs each time: for 32
 * that takes some seconds. */
#define UPROBE_SERVER_PROBED     48
#define UPROBE_SERVER_PROBED_MAX 32

struct uprobe_server;

/* traces: folder of the spool.  NULL with *err: there is no such socket. */
struct uprobe_server *uprobe_server_create(const char *spool, int traces,
					   struct sp_error *err);

/* Removes the socket; requests that are being served end. */
void uprobe_server_destroy(struct uprobe_server *server);

/* Readable when uprobe_server_run() has something to do; -1: it cannot now. */
int uprobe_server_fd(const struct uprobe_server *server);

/* When it has, at the latest. */
double uprobe_server_at_s(const struct uprobe_server *server);

/* Never waits. */
void uprobe_server_run(struct uprobe_server *server, double now_s);

/* Why no more request of that process is served; NULL: it is, and counts. */
const char *uprobe_server_refuses(struct uprobe_server *server, pid_t pid,
				  uid_t user);

#endif
