/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trusted_socket.h - the socket of operators and collectors, beside the
 * public one
 *
 * Who may connect to a Unix socket may also fill its queue of connections that
 * are not accepted yet.  So predictd has a second one, PATH.trusted, which the
 * kernel opens only to root, slurmctld's user and whom else the configuration
 * names; clients take it where they may.
 */
#pragma once

#include <sys/types.h>
#include <sys/un.h>

#define SOCKET_PATH_SIZE sizeof(((struct sockaddr_un *)0)->sun_path)

/* Find its path beside `path`.  -1: that would be too long for a socket. */
int trusted_socket_path(const char *path, char ret[SOCKET_PATH_SIZE]);

/* Choose the path that this process is to connect to: that of the trusted
 * socket where it is there and the process may write to it, else `path`. */
void trusted_socket_choose(const char *path, char ret[SOCKET_PATH_SIZE]);

/* Let `uids`, besides the owner and root, write to the file at `path`, by a
 * POSIX access control list, and nobody else.  -1: the file system has none,
 * errno says why; the owner and root may then. */
int trusted_socket_admit(const char *path, const uid_t uids[], size_t count);
