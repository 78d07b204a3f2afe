/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_conf.c - configuration files in Slurm's syntax */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/conf.h"
#include "predictor/base/log.h"
#include "tests/unit/suite.h"

struct settings {
	int port;
	double seconds;
	bool on;
	char path[16];
	char listens[64]; /* one after the other */
};

static int add_listen(void *into, const struct conf_key *key, const char *value,
		      struct sp_error *err)
{
	struct settings *s = into;
	size_t used = strlen(s->listens);

	(void)key;
	(void)err;
	snprintf(s->listens + used, sizeof(s->listens) - used, "<%s>", value);
	return 0;
}

static const struct conf_key keys[] = {
	{ "Port", conf_set_int, CONF_MEMBER(struct settings, port), .min = 1,
	  .max = 65535, .restart = true },
	{ "Seconds", conf_set_double, CONF_MEMBER(struct settings, seconds),
	  .min = 0.5, .max = 60 },
	{ "On", conf_set_bool, CONF_MEMBER(struct settings, on) },
	{ "Path", conf_set_text, CONF_MEMBER(struct settings, path),
	  .restart = true },
	{ "Listen", add_listen, CONF_MEMBER(struct settings, listens),
	  .repeatable = true, .restart = true },
	{ "Speed", .removed = "all is fast" },
	{ .name = NULL },
};

static struct settings settings;
static struct sp_error err;

static int read_text(const char *text, size_t size)
{
	memset(&settings, 0, sizeof(settings));
	err.text[0] = '\0';
	return conf_read_text("x.conf", text, size, keys, &settings, &err);
}

START_TEST(test_reads_slurms_syntax)
{
	static const char text[] = "# comment\r\n"
				   "\r\n"
				   "  \t # another\n"
				   "PORT = 7380 # behind\r\n"
				   "path=\"/a b#c\"\t# quoted\n"
				   "Seconds=1.5\nOn=yes\n"
				   "Listen=a\n"
				   "listen=host=/x dbname=y  \n"
				   "Listen=c#d";

	ck_assert_msg(!read_text(text, strlen(text)), "%s", err.text);
	ck_assert_int_eq(settings.port, 7380);
	ck_assert_str_eq(settings.path, "/a b#c");
	ck_assert_double_eq(settings.seconds, 1.5);
	ck_assert(settings.on);
	ck_assert_str_eq(settings.listens, "<a><host=/x dbname=y><c>");
	ck_assert_int_eq(read_text("", 0), 0);
}
END_TEST

START_TEST(test_says_where_it_is_wrong)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "Foo=1", "x.conf:1: unknown key Foo" },
		{ "\n\nPort=1\nPort=2\n", "x.conf:4: Port: given twice" },
		{ "Port=0", "x.conf:1: Port: 0 is not in 1 to 65535" },
		{ "#\nPort=7x", "x.conf:2: Port: '7x' is not a whole number" },
		{ "Port", "x.conf:1: expected Key=Value" },
		{ "Port # =1", "x.conf:1: expected Key=Value" },
		{ "=1", "x.conf:1: expected Key=Value" },
		{ " = 1", "x.conf:1: expected Key=Value" },
		{ "Port=", "x.conf:1: Port: no value given" },
		{ "Port = # 1", "x.conf:1: Port: no value given" },
		{ "Path=\"\"", "x.conf:1: Path: no value given" },
		{ "Path=\"a",
		  "x.conf:1: Path: quotes are not closed at the end" },
		{ "Path=\"a\" b",
		  "x.conf:1: Path: quotes are not closed at the end" },
		{ "Seconds=0.4", "x.conf:1: Seconds: 0.4 is not in 0.5 to 60" },
		{ "On=2", "x.conf:1: On: '2' is neither yes nor no" },
		{ "Path=0123456789abcdef",
		  "x.conf:1: Path: longer than 15 bytes" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_int_eq(
			read_text(cases[i].text, strlen(cases[i].text)), -1);
		ck_assert_str_eq(err.text, cases[i].message);
	}
	ck_assert_int_eq(read_text("Port=1\0\n", 8), -1);
	ck_assert_str_eq(err.text, "x.conf:1: NUL byte");
}
END_TEST

/* A warning names the file and the line, and what follows is read. */
START_TEST(test_removed_key_warns)
{
	static const char text[] = "Port=1\nSpeed=x\nspeed=y\nOn=yes\n";
	char path[] = "/tmp/test_conf.XXXXXX", log[1024];
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(log_open(path, LOG_LEVEL_INFO, &err), 0);
	ck_assert_msg(!read_text(text, strlen(text)), "%s", err.text);
	log_close();
	ck_assert(settings.on);

	ssize_t length = read(fd, log, sizeof(log) - 1);

	ck_assert_int_gt(length, 0);
	log[length] = '\0';
	ck_assert_ptr_nonnull(strstr(log, "warning: x.conf:2: Speed counts no "
					  "more: all is fast; remove this "
					  "line\n"));
	ck_assert_ptr_nonnull(strstr(log, "x.conf:3: Speed"));
	close(fd);
	unlink(path);
}
END_TEST

START_TEST(test_bounds)
{
	char *text = malloc(CONF_BYTES_MAX + 1);

	ck_assert_ptr_nonnull(text);
	memset(text, '\n', CONF_BYTES_MAX + 1);
	ck_assert_int_eq(read_text(text, CONF_BYTES_MAX), 0);
	ck_assert_int_eq(read_text(text, CONF_BYTES_MAX + 1), -1);
	ck_assert_str_eq(err.text, "x.conf: longer than 1048576 bytes");
	memset(text, '#', CONF_LINE_MAX + 1);
	ck_assert_int_eq(read_text(text, CONF_LINE_MAX), 0);
	ck_assert_int_eq(read_text(text, CONF_LINE_MAX + 1), -1);
	ck_assert_str_eq(err.text, "x.conf:1: line too long");
	free(text);
}
END_TEST

START_TEST(test_reads_files)
{
	char path[] = "/tmp/test_conf.XXXXXX";
	char expected[128];
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "Port=5\nFoo=1\n", 7), 7);
	ck_assert_int_eq(conf_read_file(path, keys, &settings, &err), 0);
	ck_assert_int_eq(settings.port, 5);
	ck_assert_int_eq(write(fd, "Foo=1\n", 6), 6);
	ck_assert_int_eq(conf_read_file(path, keys, &settings, &err), -1);
	snprintf(expected, sizeof(expected), "%s:2: unknown key Foo", path);
	ck_assert_str_eq(err.text, expected);
	ck_assert_int_eq(ftruncate(fd, CONF_BYTES_MAX + 1), 0);
	ck_assert_int_eq(conf_read_file(path, keys, &settings, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "longer than"));
	close(fd);
	unlink(path);
	ck_assert_int_eq(conf_read_file(path, keys, &settings, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
	ck_assert_int_eq(conf_read_file("/tmp", keys, &settings, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "directory"));
}
END_TEST

START_TEST(test_integers)
{
	static const char *const bad[] = {
		"",   " 1",  "1 ",
		"x",  "1.5", "0x1",
		"-6", "11",  "99999999999999999999"
	};
	long number = 77;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_int_eq(conf_integer(bad[i], -5, 10, &number, &err),
				 -1);
		ck_assert_int_eq(number, 77);
	}
	ck_assert_int_eq(conf_integer("-5", -5, 10, &number, &err), 0);
	ck_assert_int_eq(number, -5);
	ck_assert_int_eq(conf_integer("10", -5, 10, &number, &err), 0);
	ck_assert_int_eq(number, 10);
}
END_TEST

START_TEST(test_numbers)
{
	static const char *const bad[] = { "",    " 1",   "1 ",  "x",  "nan",
					   "inf", "-0.1", "2.6", "1,5" };
	double number = 77;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_int_eq(conf_number(bad[i], 0, 2.5, &number, &err),
				 -1);
		ck_assert_double_eq(number, 77);
	}
	ck_assert_int_eq(conf_number("2.5", 0, 2.5, &number, &err), 0);
	ck_assert_double_eq(number, 2.5);
	ck_assert_int_eq(conf_number("1e-3", 0, 2.5, &number, &err), 0);
	ck_assert_double_eq(number, 1e-3);
}
END_TEST

START_TEST(test_booleans_and_texts)
{
	static const char *const yes[] = { "yes", "TRUE", "On", "1" };
	static const char *const no[] = { "no", "False", "OFF", "0" };
	char text[4] = "old";
	bool value;

	for (int i = 0; i < 4; i++) {
		value = false;
		ck_assert_int_eq(conf_bool(yes[i], &value, &err), 0);
		ck_assert(value);
		ck_assert_int_eq(conf_bool(no[i], &value, &err), 0);
		ck_assert(!value);
	}
	value = true;
	ck_assert_int_eq(conf_bool("maybe", &value, &err), -1);
	ck_assert(value);
	ck_assert_int_eq(conf_text("four", text, sizeof(text), &err), -1);
	ck_assert_str_eq(text, "old");
	ck_assert_int_eq(conf_text("abc", text, sizeof(text), &err), 0);
	ck_assert_str_eq(text, "abc");
}
END_TEST

START_TEST(test_words)
{
	static const char *const words[] = { "on", "known", "off", NULL };
	int i = 77;

	ck_assert_int_eq(conf_word("On", words, &i, &err), -1);
	ck_assert_str_eq(err.text, "must be on, known or off");
	ck_assert_int_eq(conf_word("", words, &i, &err), -1);
	ck_assert_int_eq(i, 77);
	ck_assert_int_eq(conf_word("off", words, &i, &err), 0);
	ck_assert_int_eq(i, 2);
}
END_TEST

START_TEST(test_differences)
{
	struct settings old, fresh;
	char text[64];

	ck_assert_int_eq(read_text("Port=7\nPath=/a\nListen=x", 23), 0);
	old = fresh = settings;
	fresh.seconds = 7;
	conf_differences(keys, &old, &fresh, text, sizeof(text));
	ck_assert_str_eq(text, "");
	fresh.port = 8;
	strcpy(fresh.listens, "<y>");
	conf_differences(keys, &old, &fresh, text, sizeof(text));
	ck_assert_str_eq(text, "Port Listen");
	strcpy(fresh.path, "/b");
	conf_differences(keys, &old, &fresh, text, 7);
	ck_assert_str_eq(text, "Port P");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_reads_slurms_syntax,
		test_says_where_it_is_wrong,
		test_removed_key_warns,
		test_bounds,
		test_reads_files,
		test_integers,
		test_numbers,
		test_booleans_and_texts,
		test_words,
		test_differences,
		NULL,
	};

	return suite_run("conf", tests);
}
