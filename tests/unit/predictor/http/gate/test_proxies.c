/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_proxies.c - addresses of proxies that say who their client is */
#include <arpa/inet.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/gate/proxies.h"
#include "tests/unit/suite.h"

static bool has_four(const struct proxies *proxies, const char *text)
{
	struct sockaddr_in address = { .sin_family = AF_INET };

	ck_assert_int_eq(inet_pton(AF_INET, text, &address.sin_addr), 1);
	return proxies_have(proxies, (const struct sockaddr *)&address);
}

static bool has_six(const struct proxies *proxies, const char *text)
{
	struct sockaddr_in6 address = { .sin6_family = AF_INET6 };

	ck_assert_int_eq(inet_pton(AF_INET6, text, &address.sin6_addr), 1);
	return proxies_have(proxies, (const struct sockaddr *)&address);
}

START_TEST(test_addresses)
{
	struct proxies proxies = { 0 };
	struct sockaddr local = { .sa_family = AF_UNIX };

	ck_assert(!has_four(&proxies, "0.0.0.0"));
	ck_assert(!has_six(&proxies, "::"));
	ck_assert_int_eq(proxies_add(&proxies, "192.0.2.1", NULL), 0);
	ck_assert_int_eq(proxies_add(&proxies, "2001:db8::1", NULL), 0);
	ck_assert(has_four(&proxies, "192.0.2.1"));
	ck_assert(has_six(&proxies, "::ffff:192.0.2.1"));
	ck_assert(has_six(&proxies, "2001:db8::1"));
	ck_assert(!has_four(&proxies, "192.0.2.2"));
	ck_assert(!has_six(&proxies, "::1"));
	ck_assert(!proxies_have(&proxies, &local));
}
END_TEST

START_TEST(test_refused)
{
	struct proxies proxies = { 0 };
	struct sp_error err;
	char text[32];

	ck_assert_int_eq(proxies_add(&proxies, "example.org", &err), -1);
	ck_assert_int_eq(proxies_add(&proxies, "192.0.2.0/24", &err), -1);
	ck_assert_int_eq(proxies_add(&proxies, "", &err), -1);
	for (int i = 0; i < PROXIES_MAX; i++) {
		snprintf(text, sizeof(text), "192.0.2.%d", i);
		ck_assert_int_eq(proxies_add(&proxies, text, &err), 0);
	}
	ck_assert_int_eq(proxies_add(&proxies, "192.0.2.200", &err), -1);
	ck_assert(!has_four(&proxies, "192.0.2.200"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_addresses, test_refused, NULL };

	return suite_run("proxies", tests);
}
