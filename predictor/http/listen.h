/* listen.h - the sockets on which predictd listens */
#ifndef PREDICTOR_HTTP_LISTEN_H
#define PREDICTOR_HTTP_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include "predictor/base/error.h"

#define LISTEN_ADDRESS_SIZE 128

struct listener {
	int fd;      /* -1: closed, or given away */
	int lock_fd; /* held as long as the Unix socket is ours; else -1 */
	bool is_unix;
	char address[LISTEN_ADDRESS_SIZE]; /* as configured */
};

/* Whether listener_open() understands `address`: "unix:/absolute/path", or a
 * numeric address and a port: "127.0.0.1:7380", "[::1]:7380", "*:7380". */
int listener_check(const char *address, struct sp_error *err);

/* Listen.  A Unix socket gets the permissions `mode`; one left behind by a
 * dead predictd is replaced, one on which somebody listens is not.  The path
 * is guarded by a lock on "PATH.lock". */
int listener_open(const char *address, mode_t mode, struct listener *ret,
		  struct sp_error *err);

/* Close, and remove the Unix socket.  May be called twice. */
void listener_close(struct listener *listener);

#endif
