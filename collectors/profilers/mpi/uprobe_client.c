/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_client.c - the uprobes of a function, from collectord
 *
 * A uprobe at a return puts another address in the place of the one to return to.
 * That ends programs which look at it: by exceptions that pass through the function,
 * by a shadow stack, and by a filter of system calls, as the return is one for some
 * kernels.  In these there is no uprobe.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "collectors/profilers/mpi/uprobe_client.h"

#define BUSY_MS 50 /* before the next try where too many are served */

/* --- What could do harm --------------------------------------------------- */

static const char *status_refuses(const char *line)
{
	int mode;

	if (sscanf(line, "Seccomp: %d", &mode) == 1 && mode)
		return "its system calls are filtered (seccomp)";
	if (!strncmp(line, "x86_Thread_features:", 20) && strstr(line, "shstk"))
		return "it has a shadow stack";
	return NULL;
}

int uprobe_client_refuses(const struct symbol_place *place,
			  struct sp_error *err)
{
	FILE *file = fopen("/proc/self/status", "re");
	const char *why = file ? NULL : "/proc cannot be read";
	char line[256];

#ifndef __x86_64__
	why = "uprobes are used on x86-64 only";
#endif
	while (file && !why && fgets(line, sizeof(line), file))
		why = status_refuses(line);
	if (file)
		fclose(file);
	if (!why && place->catches)
		why = "exceptions may pass through it, as in C++, which "
		      "uprobes "
		      "would break: build it with -finstrument-functions";
	return why ? sp_error_set(err, "%s", why) : 0;
}

/* --- The socket ----------------------------------------------------------- */

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int wait_for(int fd, long long until_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		long long left_ms = until_ms - now_ms();
		int rc = poll(&p, 1, left_ms > 0 ? (int)left_ms : 0);

		if (rc > 0)
			return 0;
		if (rc == 0 || errno != EINTR)
			return -1;
	}
}

static int socket_connect(const char *path, long long until_ms,
			  struct sp_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, rc;

	if (strlen(path) >= sizeof(address.sun_path))
		return sp_error_set(err, "%s: too long for a socket", path);
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return sp_error_set(err, "no socket: %s", strerror(errno));
	do {
		rc = connect(fd, (struct sockaddr *)&address, sizeof(address));
		if (rc && errno == EAGAIN)
			poll(NULL, 0, BUSY_MS);
	} while (rc && (errno == EAGAIN || errno == EINTR) &&
		 now_ms() < until_ms);
	if (!rc)
		return fd;
	sp_error_set(err, "no collectord that opens uprobes: %s",
		     strerror(errno));
	close(fd);
	return -1;
}

static int request_send(int fd, const struct uprobe_request *request, int file)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .room = { 0 } };
	struct iovec part = { (void *)request, sizeof(*request) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control.room) };

	control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
					   .cmsg_level = SOL_SOCKET,
					   .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.header), &file, sizeof(file));
	return sendmsg(fd, &message, MSG_NOSIGNAL) == sizeof(*request) ? 0 : -1;
}

/* How many descriptors came; what is more than wanted is closed. */
static int descriptors_take(struct msghdr *message, int ret[UPROBE_EVENTS])
{
	int count = 0, fd;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c;
	     c = CMSG_NXTHDR(message, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= c->cmsg_len;
		     at += sizeof(int)) {
			memcpy(&fd, CMSG_DATA(c) + at, sizeof(fd));
			if (count < UPROBE_EVENTS)
				ret[count++] = fd;
			else
				close(fd);
		}
	}
	return count;
}

/* 1: nothing came, as collectord serves too many others of this user. */
static int reply_receive(int fd, int ret_fds[UPROBE_EVENTS],
			 struct sp_error *err)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(UPROBE_EVENTS * sizeof(int))];
	} control;
	struct uprobe_reply reply = { .version = 0 };
	struct iovec part = { &reply, sizeof(reply) };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control.room) };
	ssize_t size = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	int count = size < 0 ? 0 : descriptors_take(&message, ret_fds);

	reply.why[sizeof(reply.why) - 1] = '\0';
	if (size == sizeof(reply) && reply.version == UPROBE_VERSION &&
	    !reply.why[0] && count == UPROBE_EVENTS)
		return 0;
	for (int i = 0; i < count; i++)
		close(ret_fds[i]);
	ret_fds[0] = ret_fds[1] = -1;
	if (size == sizeof(reply) && reply.why[0])
		return sp_error_set(err, "%s", reply.why);
	sp_error_set(err, "collectord gave no uprobe");
	return size == 0 || (size < 0 && errno == ECONNRESET) ? 1 : -1;
}

/* The prologue of a function may begin with an instruction that marks it as a target
 * of jumps.  The kernel would have to step over it, and need not over the next. */
static uintptr_t behind_mark(uintptr_t address)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return memcmp((const void *)address, endbr64, sizeof(endbr64))
		       ? address
		       : address + sizeof(endbr64);
}

/* 0, -1, or 1: try again. */
static int ask_once(const char *path, const struct uprobe_request *request,
		    int file, long long until_ms, int ret_fds[UPROBE_EVENTS],
		    struct sp_error *err)
{
	int fd = socket_connect(path, until_ms, err), rc = -1;

	if (fd < 0)
		return -1;
	if (request_send(fd, request, file)) {
		rc = errno == EPIPE || errno == ECONNRESET ? 1 : -1;
		sp_error_set(err, "collectord takes no request: %s",
			     strerror(errno));
	} else if (wait_for(fd, until_ms)) {
		sp_error_set(err, "collectord did not reply in time");
	} else {
		rc = reply_receive(fd, ret_fds, err);
	}
	close(fd);
	return rc;
}

int uprobe_client_ask(const struct symbol_place *place, int wait_ms,
		      uint32_t wakeup_bytes, int ret_fds[UPROBE_EVENTS],
		      struct sp_error *err)
{
	const char *path = getenv(UPROBE_SOCKET_VARIABLE);
	pid_t thread = (pid_t)syscall(SYS_gettid);
	struct uprobe_request request = {
		.version = UPROBE_VERSION,
		.thread = thread == getpid() ? 0 : thread,
		.address = behind_mark(place->address),
		.wakeup_bytes = wakeup_bytes,
	};
	long long until_ms = now_ms() + wait_ms;
	int rc, file;

	if (!path)
		return sp_error_set(err, "no collectord that opens uprobes");
	file = open(place->path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return sp_error_set(err, "its file cannot be read: %s",
				    strerror(errno));
	while ((rc = ask_once(path, &request, file, until_ms, ret_fds, err)) >
		       0 &&
	       now_ms() < until_ms)
		poll(NULL, 0, BUSY_MS);
	close(file);
	return rc ? -1 : 0;
}
