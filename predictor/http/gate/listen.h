/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listen.h - the sockets on which predictd listens */
#pragma once

#include <sys/types.h>

#include "predictor/base/error.h"
#include "predictor/http/gate/access.h"

#define LISTEN_ADDRESS_SIZE 128

struct listener {
	int fd;      /* -1: closed, or owned by the server */
	int lock_fd; /* of a Unix socket; else -1 */
	/* Beside a Unix socket (trusted_socket.h); -1: none. */
	int trusted_fd;
	bool is_unix;
	char address[LISTEN_ADDRESS_SIZE]; /* as configured */
};

/* Whether listener_open() understands `address`: "unix:/absolute/path", or a
 * numeric address and a port: "127.0.0.1:7380", "[::1]:7380", "*:7380". */
int listener_check(const char *address, struct sp_error *err);

/* Listen.  A Unix socket gets the permissions `mode`, and another one beside it
 * whom nobody may use yet but root and this user, see listener_trust().  A
 * socket that a dead predictd left behind is replaced; one on which a process
 * listens is not. */
int listener_open(const char *address, mode_t mode, struct listener *ret,
		  struct sp_error *err);

/* Who may use the trusted socket of this address, besides: the operators and
 * collectors.  Where the file system cannot say so, they use the public one. */
void listener_trust(const char *address, const struct access_lists *access);

/* Close, and remove the Unix sockets.  May be called twice. */
void listener_close(struct listener *listener);
