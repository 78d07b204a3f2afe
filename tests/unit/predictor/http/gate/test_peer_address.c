/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_peer_address.c - the host of a client on TCP, as a number */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "predictor/http/gate/peer_address.h"
#include "tests/unit/suite.h"

static uint64_t v4(const char *text)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = 7 };

	ck_assert_int_eq(inet_pton(AF_INET, text, &in.sin_addr), 1);
	return peer_address_number((const struct sockaddr *)&in);
}

static uint64_t v6(const char *text)
{
	struct sockaddr_in6 in = { .sin6_family = AF_INET6, .sin6_port = 7 };

	ck_assert_int_eq(inet_pton(AF_INET6, text, &in.sin6_addr), 1);
	return peer_address_number((const struct sockaddr *)&in);
}

START_TEST(test_hosts_differ)
{
	ck_assert_uint_ne(v4("192.0.2.7"), v4("192.0.2.8"));
	ck_assert_uint_ne(v4("192.0.2.7"), 0);
	ck_assert_uint_eq(v6("::ffff:192.0.2.7"), v4("192.0.2.7"));
	ck_assert_uint_ne(v6("2001:db8:0:1::1"), v6("2001:db8:0:2::1"));
	/* 0 would be no client on TCP, that is, one without a budget. */
	ck_assert_uint_ne(v6("::1"), 0);
}
END_TEST

/* A host may use any address of its network. */
START_TEST(test_a_network_is_one_host)
{
	ck_assert_uint_eq(v6("2001:db8:0:1::1"), v6("2001:db8:0:1:2:3:4:5"));
}
END_TEST

START_TEST(test_other_families)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	ck_assert_uint_eq(
		peer_address_number((const struct sockaddr *)&address), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_hosts_differ,
				       test_a_network_is_one_host,
				       test_other_families, NULL };

	return suite_run("peer_address", tests);
}
