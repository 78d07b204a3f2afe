/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_address.c - the URLs that are taken, and those that are not */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/client/address.h"
#include "tests/unit/suite.h"

START_TEST(test_takes)
{
	static const struct {
		const char *url, *socket_path, *base;
	} rows[] = {
		{ "unix:/run/a b/predictd.sock", "/run/a b/predictd.sock",
		  "http://localhost" },
		{ "http://127.0.0.1:7380", "", "http://127.0.0.1:7380" },
		{ "http://127.0.0.1:7380/", "", "http://127.0.0.1:7380" },
		{ "http://10.1.2.3", "", "http://10.1.2.3:80" },
		{ "http://localhost:65535", "", "http://127.0.0.1:65535" },
		{ "http://[::1]:7380", "", "http://[::1]:7380" },
		{ "http://[2001:db8::7]", "", "http://[2001:db8::7]:80" },
		{ NULL, NULL, NULL },
	};

	for (int i = 0; rows[i].url; i++) {
		struct address address;
		struct sp_error err;

		ck_assert_msg(!address_parse(rows[i].url, &address, &err),
			      "%s: %s", rows[i].url, err.text);
		ck_assert_str_eq(address.socket_path, rows[i].socket_path);
		ck_assert_str_eq(address.base, rows[i].base);
	}
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const urls[] = {
		"",
		"predictd",
		"/run/predictd.sock",
		"unix:",
		"unix:run/predictd.sock",
		"https://127.0.0.1:7380",
		"ftp://127.0.0.1",
		"http://",
		"http://:7380",
		"http://predictd.example:7380",
		"http://127.0.0.1:",
		"http://127.0.0.1:0",
		"http://127.0.0.1:65536",
		"http://127.0.0.1:+80",
		"http://127.0.0.1:80x",
		"http://127.0.0.1:000080",
		"http://127.0.0.1:7380/v1",
		"http://127.0.0.1/v1",
		"http://user@127.0.0.1:7380",
		"http://127.0.0.1 :80",
		"http://127.1:80",
		"http://[::1:80",
		"http://[]:80",
		"http://[::1]x",
		"http://[localhost]:80",
		"http://::1:80",
		"http://1111111111111111111111111111111111111111111111111:80",
		NULL,
	};

	for (int i = 0; urls[i]; i++) {
		struct address before = { .base = "before" };
		struct address address = before;
		struct sp_error err = { "" };

		ck_assert_msg(address_parse(urls[i], &address, &err) == -1,
			      "%s was taken", urls[i]);
		ck_assert(err.text[0]);
		ck_assert_mem_eq(&address, &before, sizeof(before));
	}
}
END_TEST

START_TEST(test_socket_path_length)
{
	struct address address;
	char url[5 + 108 + 1] = "unix:/";

	memset(url + 6, 'x', 106);
	ck_assert_int_eq(address_parse(url, &address, NULL), 0);
	ck_assert_uint_eq(strlen(address.socket_path), 107);
	url[5 + 107] = 'x';
	ck_assert_int_eq(address_parse(url, &address, NULL), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_takes,
		test_refuses,
		test_socket_path_length,
		NULL,
	};

	return suite_run("address", tests);
}
