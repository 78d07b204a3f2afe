/* SPDX-License-Identifier: GPL-2.0-or-later */
/* busy_streams.c - number of busy TCP streams on an interface
 *
 * A dump of established sockets over netlink (sock_diag), filtered by the own
 * address.  A stream is busy if it has just sent with segments unacknowledged,
 * or just received and has received much in all.
 */
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/probes/busy_streams.h"

#define ESTABLISHED  1 /* TCP_ESTABLISHED, in glibc's header only */
#define RECENT_MS    200
#define UNACKED_MIN  8         /* segments under way */
#define RECEIVED_MIN (1 << 20) /* bytes so far */
#define SOCKETS_MAX  20000     /* read at most */

struct own_socket {
	int family;
	size_t size; /* of the address */
	unsigned char address[16];
	in_port_t port;
};

struct stream_counts {
	int in, out, seen;
};

static bool own_socket_find(int fd, struct own_socket *ret)
{
	struct sockaddr_storage name = { 0 };
	socklen_t size = sizeof(name);
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (getsockname(fd, (struct sockaddr *)&name, &size))
		return false;
	*ret = (struct own_socket){ .family = name.ss_family };
	if (name.ss_family == AF_INET) {
		memcpy(&v4, &name, sizeof(v4));
		memcpy(ret->address, &v4.sin_addr, 4);
		ret->size = 4;
		ret->port = v4.sin_port;
		return true;
	}
	if (name.ss_family != AF_INET6)
		return false;
	memcpy(&v6, &name, sizeof(v6));
	memcpy(ret->address, &v6.sin6_addr, 16);
	ret->size = 16;
	ret->port = v6.sin6_port;
	return true;
}

static int request_sockets(int netlink, const struct own_socket *own)
{
	struct {
		struct nlmsghdr header;
		struct inet_diag_req_v2 body;
	} request = {
		.header = { .nlmsg_len = sizeof(request),
			    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			    .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.body = { .sdiag_family = (unsigned char)own->family,
			  .sdiag_protocol = IPPROTO_TCP,
			  .idiag_ext = 1 << (INET_DIAG_INFO - 1),
			  .idiag_states = 1 << ESTABLISHED },
	};

	return send(netlink, &request, sizeof(request), 0) < 0 ? -1 : 0;
}

static void stream_count(const struct tcp_info *info,
			 struct stream_counts *counts)
{
	if (info->tcpi_last_data_sent < RECENT_MS &&
	    info->tcpi_unacked >= UNACKED_MIN)
		counts->out++;
	if (info->tcpi_last_data_recv < RECENT_MS &&
	    info->tcpi_bytes_received >= RECEIVED_MIN)
		counts->in++;
}

static void socket_count(const struct nlmsghdr *h, const struct own_socket *own,
			 struct stream_counts *counts)
{
	const struct inet_diag_msg *m = NLMSG_DATA(h);
	int left = (int)h->nlmsg_len - (int)NLMSG_LENGTH(sizeof(*m));
	struct tcp_info info = { 0 };

	if (left < 0 || memcmp(m->id.idiag_src, own->address, own->size) != 0 ||
	    m->id.idiag_sport == own->port)
		return;
	for (const struct rtattr *a = (const struct rtattr *)(m + 1);
	     RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		size_t size = RTA_PAYLOAD(a);

		if (a->rta_type != INET_DIAG_INFO)
			continue;
		memcpy(&info, RTA_DATA(a),
		       size < sizeof(info) ? size : sizeof(info));
		stream_count(&info, counts);
	}
}

/* 1: there is more; 0: that was all; -1: it failed. */
static int receive_sockets(int netlink, const struct own_socket *own,
			   struct stream_counts *counts)
{
	union {
		struct nlmsghdr header;
		char bytes[16384];
	} buffer;
	ssize_t got = recv(netlink, &buffer, sizeof(buffer), 0);
	unsigned left = (unsigned)got;

	if (got <= 0)
		return -1;
	for (const struct nlmsghdr *h = &buffer.header; NLMSG_OK(h, left);
	     h = NLMSG_NEXT(h, left)) {
		if (h->nlmsg_type == NLMSG_DONE)
			return 0;
		if (h->nlmsg_type == NLMSG_ERROR ||
		    ++counts->seen > SOCKETS_MAX)
			return -1;
		socket_count(h, own, counts);
	}
	return 1;
}

void busy_streams_count(int fd, double *ret_in, double *ret_out)
{
	struct stream_counts counts = { 0 };
	struct own_socket own;
	int more = -1;
	int netlink =
		socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	*ret_in = *ret_out = NAN;
	if (netlink < 0)
		return;
	if (own_socket_find(fd, &own) && !request_sockets(netlink, &own))
		do
			more = receive_sockets(netlink, &own, &counts);
		while (more > 0);
	close(netlink);
	if (more < 0)
		return;
	*ret_in = counts.in;
	*ret_out = counts.out;
}
