/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sockets.c - owners of TCP connections
 *
 * sock_diag(7) gives the inode of each connection, and the links of
 * /proc/PID/fd name the inodes of a process's sockets.  /proc/net/tcp has the
 * same, but to read it the kernel walks through its whole hash table: 8 ms for
 * half a million empty buckets.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/profilers/sockets.h"
#include "predictor/base/compare.h"

#define V4_AT 12 /* in ::ffff:a.b.c.d */

/* A connection without an owner. */
struct unowned {
	uint64_t inode;
	struct stream_key key;
};

struct diag_request {
	struct nlmsghdr head;
	struct inet_diag_req_v2 of;
};

struct diag_reply {
	struct nlmsghdr head;
	struct inet_diag_msg of;
	uint8_t more[1024]; /* attributes, not used */
};

static bool is_v4(const uint8_t address[PACKET_ADDRESS_SIZE])
{
	struct in6_addr a;

	memcpy(&a, address, sizeof(a));
	return IN6_IS_ADDR_V4MAPPED(&a);
}

static void request_write(const uint8_t own[PACKET_ADDRESS_SIZE],
			  const struct stream_key *key,
			  struct diag_request *ret)
{
	bool v4 = is_v4(key->to);
	size_t from = v4 ? V4_AT : 0, size = PACKET_ADDRESS_SIZE - from;

	*ret = (struct diag_request){
		.head = { .nlmsg_len = sizeof(*ret),
			  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST },
		.of = { .sdiag_family = v4 ? AF_INET : AF_INET6,
			.sdiag_protocol = IPPROTO_TCP,
			.idiag_states = ~0U,
			.id = { .idiag_sport = htons(key->from_port),
				.idiag_dport = htons(key->to_port),
				.idiag_cookie = { INET_DIAG_NOCOOKIE,
						  INET_DIAG_NOCOOKIE } } },
	};
	memcpy(ret->of.id.idiag_src, own + from, size);
	memcpy(ret->of.id.idiag_dst, key->to + from, size);
}

/* The inode of the connection; 0: there is none; -1: no reply. */
static int64_t inode_request(int fd, const uint8_t own[PACKET_ADDRESS_SIZE],
			     const struct stream_key *key)
{
	struct diag_request request;
	struct diag_reply reply;
	ssize_t size;

	request_write(own, key, &request);
	if (send(fd, &request, sizeof(request), 0) < 0)
		return -1;
	size = recv(fd, &reply, sizeof(reply), 0);
	if (size < (ssize_t)sizeof(reply.head))
		return -1;
	/* Without a connection it may be a listening socket. */
	if (reply.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    size < (ssize_t)offsetof(struct diag_reply, more) ||
	    reply.of.id.idiag_dport != request.of.id.idiag_dport)
		return 0;
	return reply.of.idiag_inode;
}

COMPARE_BY(compare_inodes, struct unowned, inode)

static int inodes_find(const uint8_t own[PACKET_ADDRESS_SIZE],
		       const struct streams *streams, struct unowned unowned[],
		       size_t *ret_count, struct sp_error *err)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	struct timeval timeout = { .tv_sec = 1 };
	uint32_t at = 0;
	size_t count = 0;
	int rc = 0;

	if (fd < 0)
		return sp_error_set(err, "sock_diag: %s", strerror(errno));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout,
			 sizeof(timeout));
	while (rc == 0 && count < STREAMS_MAX &&
	       streams_next_unowned(streams, &at, &unowned[count].key)) {
		int64_t inode = inode_request(fd, own, &unowned[count].key);

		unowned[count].inode = (uint64_t)inode;
		if (inode < 0)
			rc = sp_error_set(err, "sock_diag: %s",
					  strerror(errno));
		count += inode > 0;
	}
	close(fd);
	qsort(unowned, count, sizeof(*unowned), compare_inodes);
	*ret_count = count;
	return rc;
}

/* Set the owner of those connections that the process has open. */
static void owner_set(pid_t pid, const struct unowned unowned[], size_t count,
		      struct streams *streams)
{
	char path[64], target[64];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		struct unowned key = { .inode = 0 };
		const struct unowned *found;
		ssize_t size = readlinkat(dirfd(folder), entry->d_name, target,
					  sizeof(target) - 1);

		if (size <= 0)
			continue;
		target[size] = '\0';
		if (sscanf(target, "socket:[%" SCNu64 "]", &key.inode) != 1)
			continue;
		found = bsearch(&key, unowned, count, sizeof(key),
				compare_inodes);
		if (found)
			streams_own(streams, &found->key, pid);
	}
	closedir(folder);
}

int sockets_find(const pid_t pids[], int count,
		 const uint8_t own[PACKET_ADDRESS_SIZE],
		 struct streams *streams, struct sp_error *err)
{
	struct unowned *unowned = calloc(STREAMS_MAX, sizeof(*unowned));
	size_t found = 0;
	int rc;

	if (!unowned)
		return sp_error_set(err, "out of memory");
	rc = inodes_find(own, streams, unowned, &found, err);
	for (int i = 0; i < count && found; i++)
		owner_set(pids[i], unowned, found, streams);
	free(unowned);
	return rc;
}
