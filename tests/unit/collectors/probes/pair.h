/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pair.h - two ends of a TCP connection over the loopback */
#pragma once

#include <arpa/inet.h>
#include <check.h>
#include <sys/socket.h>
#include <unistd.h>

static inline void connect_pair(int ret[2])
{
	struct sockaddr_in any = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(any);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&any, size), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	getsockname(listener, (struct sockaddr *)&any, &size);
	ret[0] = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(ret[0], (struct sockaddr *)&any, size), 0);
	ret[1] = accept(listener, NULL, NULL);
	close(listener);
}
