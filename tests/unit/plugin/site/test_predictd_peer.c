/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_predictd_peer.c - predictd's address and the MUNGE socket of AuthInfo */
#include <string.h>

#include "plugin/site/predictd_peer.h"
#include "tests/unit/suite.h"

static struct predictd_peer peer;

START_TEST(test_munge_socket)
{
	static const struct {
		const char *auth_info, *munge_socket;
	} rows[] = {
		{ NULL, "" },
		{ "", "" },
		{ "ttl=60", "" },
		{ "socket=", "" },
		{ "socket=,ttl=60", "" },
		{ "socket=/run/m.2", "/run/m.2" },
		{ "ttl=60,socket=/run/m.2,cred_expire=5", "/run/m.2" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		predictd_peer_set(&peer, "unix:/p", rows[i].auth_info);
		ck_assert_str_eq(peer.url, "unix:/p");
		ck_assert_str_eq(peer.munge_socket, rows[i].munge_socket);
	}
}
END_TEST

/* A path that is cut would be another socket. */
START_TEST(test_too_long)
{
	char auth_info[PEER_SOCKET_SIZE + 8] = "socket=";

	memset(auth_info + 7, 'x', PEER_SOCKET_SIZE - 1);
	predictd_peer_set(&peer, "unix:/p", auth_info);
	ck_assert_uint_eq(strlen(peer.munge_socket), PEER_SOCKET_SIZE - 1);
	strcat(auth_info, "x");
	predictd_peer_set(&peer, "unix:/p", auth_info);
	ck_assert_str_eq(peer.munge_socket, "");
}
END_TEST

START_TEST(test_every_byte_is_set)
{
	struct predictd_peer other;

	memset(&peer, 1, sizeof(peer));
	memset(&other, 2, sizeof(other));
	predictd_peer_set(&peer, "http://[::1]:7380", "socket=/s");
	predictd_peer_set(&other, "http://[::1]:7380", "socket=/s,ttl=7");
	ck_assert_mem_eq(&peer, &other, sizeof(peer));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_munge_socket, test_too_long,
				       test_every_byte_is_set, NULL };

	return suite_run("predictd_peer", tests);
}
