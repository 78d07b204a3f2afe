/* sockets.h - which TCP connections a process has */
#ifndef COLLECTORS_PROFILERS_SOCKETS_H
#define COLLECTORS_PROFILERS_SOCKETS_H

#include <stdint.h>
#include <sys/types.h>

#include "collectors/profilers/streams.h"

/* A line of /proc/PID/net/tcp or tcp6; -1: it is none, or of no connection. */
int sockets_parse(const char *line, struct stream_key *ret_key,
		  uint64_t *ret_inode);

/* Tell `streams` which connections the processes have, the network being that
 * of the first.  Processes that have gone are passed over. */
void sockets_find(const pid_t pids[], int count, struct streams *streams);

#endif
