/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_request.h - what a rank's library and collectord say to each other
 *
 * Over the socket that PREDICT_UPROBES names, of type SOCK_SEQPACKET, one message
 * each.  With the request goes a descriptor of the file that the function is in:
 * collectord could not open it in each file system or container.  With the reply
 * come two descriptors of perf events of that thread, off until the first is
 * enabled: calls of the function, and returns.  Both count CPU time of the thread
 * from the moment on at which they are enabled, and sample each time:
 * PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_READ (value, time running) and the stack
 * pointer of PERF_SAMPLE_REGS_USER.
 */
#ifndef COLLECTORS_PROFILERS_MPI_UPROBE_REQUEST_H
#define COLLECTORS_PROFILERS_MPI_UPROBE_REQUEST_H

#include <stdint.h>

#define UPROBE_SOCKET_VARIABLE "PREDICT_UPROBES"
#define UPROBE_VERSION         1
#define UPROBE_WHY_SIZE        256
#define UPROBE_EVENTS          2 /* calls and returns */

struct uprobe_request {
	uint32_t version;
	int32_t thread; /* 0: the first one */
	uint64_t address;
	uint32_t wakeup_bytes; /* in the ring: then it can be polled */
	uint32_t zero;
};

struct uprobe_reply {
	uint32_t version;
	char why[UPROBE_WHY_SIZE]; /* none is given; empty: here they are */
};

#endif
