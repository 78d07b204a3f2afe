/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_parse.c - bytes into JSON, and UTF-8 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/utf8.h"
#include "predictor/wire/wire.h"
#include "tests/unit/suite.h"

static struct sp_error err;

static struct json_object *parse(const char *text)
{
	err.text[0] = '\0';
	return wire_parse(text, strlen(text), &err);
}

START_TEST(test_takes_json)
{
	static const char *const texts[] = {
		"{}",
		"{} \r\n\t",
		" [1,2.5e-3,\"\\u00fc\",true,null]",
		"12",
		"\"a\"",
		"{\"a\":{\"b\":[]}}",
		"{\"a\":\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\"}",
		"[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct json_object *value = parse(texts[i]);

		ck_assert_msg(value != NULL, "%s: %s", texts[i], err.text);
		ck_assert_int_eq(json_object_put(value), 1);
	}
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const texts[] = {
		"",
		" ",
		"null",
		"{",
		"{\"a\"",
		"{\"a\":",
		"{} x",
		"{}{}",
		"{\"a\":1,}",
		"[1,]",
		"12x",
		"tru",
		"/* */ {}",
		"{\"a\":01}",
		"\xff{}",
		"\xef\xbb\xbf{}",
		"{\"a\":\"\xc0\x80\"}",
		"{\"a\":\"\xed\xa0\x80\"}",
		"{\"a\":\"\xf4\x90\x80\x80\"}",
		"{\"a\":\"\xc3\"}",
		"{\"a\":\"\\\xc3\xbc\"}",
		"[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ck_assert_msg(!parse(texts[i]), "%s", texts[i]);
		ck_assert_str_ne(err.text, "");
	}
	ck_assert_ptr_null(wire_parse("{}\0", 3, &err));
	ck_assert_ptr_null(wire_parse("{\"a\":\"\0\"}", 9, &err));
	ck_assert_ptr_null(wire_parse("[", 1, NULL));
}
END_TEST

START_TEST(test_refuses_too_many_values)
{
	const size_t least = 2 * WIRE_VALUES_MAX - 1; /* [1,1,...,1] */
	char *text = malloc(least + 3);

	ck_assert_ptr_nonnull(text);
	for (size_t values = WIRE_VALUES_MAX - 1; values <= WIRE_VALUES_MAX;
	     values++) {
		text[0] = '[';
		for (size_t i = 0; i < values; i++)
			memcpy(text + 1 + 2 * i, "1,", 2);
		strcpy(text + 2 * values, "]");

		struct json_object *value = parse(text);

		if (values < WIRE_VALUES_MAX) {
			ck_assert_msg(value != NULL, "%s", err.text);
			json_object_put(value);
		} else {
			ck_assert_ptr_null(value);
			ck_assert_ptr_nonnull(strstr(err.text, "200000"));
		}
	}
	free(text);
}
END_TEST

START_TEST(test_utf8_repair)
{
	static const struct {
		const char *bad, *good;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "\xc3\xbc", "\xc3\xbc" },
		{ "a\xff z", "a? z" },
		{ "\xc3", "?" },
		{ "\xc0\x80", "??" },
		{ "\xe0\x80\x80", "???" },
		{ "\xed\xa0\x80", "???" },
		{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
		{ "\xf4\x90\x80\x80", "????" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "\xf0\x8f\xbf\xbf", "????" },
		{ "\xe2\x82", "??" },
		{ "\xe2\x82x", "??x" },
		{ "\xbf\xc3\xbc", "?\xc3\xbc" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[16];
		size_t size = strlen(cases[i].bad);

		memcpy(text, cases[i].bad, size + 1);
		ck_assert_int_eq(utf8_is_valid(text, size),
				 !strcmp(cases[i].bad, cases[i].good));
		utf8_repair(text, size);
		ck_assert_str_eq(text, cases[i].good);
		ck_assert(utf8_is_valid(text, size));
	}
}
END_TEST

START_TEST(test_replies)
{
	struct json_object *reply = wire_reply_create();

	ck_assert_str_eq(json_object_to_json_string_ext(reply, 0),
			 "{\"errors\":[],\"warnings\":[]}");
	wire_reply_add_error(reply, "a\xff", NULL);
	wire_reply_add_error(reply, "b", "word");
	ck_assert_str_eq(json_object_to_json_string_ext(reply, 0),
			 "{\"errors\":[{\"error\":\"a?\"},{\"error\":\"b\","
			 "\"code\":\"word\"}],"
			 "\"warnings\":[]}");
	json_object_put(reply);
}
END_TEST

/* Commas in texts do not count. */
START_TEST(test_request_bound)
{
	static char text[8192];
	struct json_object *value;

	for (int values = WIRE_REQUEST_VALUES_MAX - 1;
	     values <= WIRE_REQUEST_VALUES_MAX; values++) {
		size_t used = (size_t)sprintf(text, "[\"[,{\\\",,,\"");

		for (int i = 1; i < values; i++)
			used += (size_t)sprintf(text + used, ",1");
		strcpy(text + used, "]");
		value = wire_request_parse(text, used + 1, &err);
		ck_assert_int_eq(value != NULL,
				 values < WIRE_REQUEST_VALUES_MAX);
		json_object_put(value);
	}
	ck_assert_str_eq(err.text, "message: more than 1024 values");
	ck_assert_ptr_null(wire_request_parse("\"\\", 2, &err));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_takes_json,
				       test_refuses,
				       test_refuses_too_many_values,
				       test_utf8_repair,
				       test_replies,
				       test_request_bound,
				       NULL };

	return suite_run("parse", tests);
}
