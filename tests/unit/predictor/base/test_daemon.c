/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_daemon.c - a daemon's log, pid file and exit status */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/daemon.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

struct settings {
	int port;
	struct daemon_config daemon;
};

static const struct conf_key keys[] = {
	{ "Port", conf_set_int, CONF_MEMBER(struct settings, port),
	  .max = 65535, .restart = true },
	DAEMON_CONFIG_KEYS(struct settings, daemon),
	{ .name = NULL },
};

static const struct daemon_program program = {
	.name = "exampled",
	.config_path = "/etc/x.conf",
	.config_keys = keys,
};

static struct daemon_options options;
static struct settings settings;
static struct sp_error err;

static void set_up(void)
{
	folder_make();
	memset(&settings, 0, sizeof(settings));
	daemon_config_init(&settings.daemon);
	options = (struct daemon_options){ .config_path = "/etc/x.conf" };
}

static int read_settings(const char *format)
{
	char text[1024];

	snprintf(text, sizeof(text), format, folder);
	return conf_read_text("x", text, strlen(text), keys, &settings, &err);
}

static const char *file_text(const char *name)
{
	static char text[4096];
	int fd = open(folder_path(name), O_RDONLY);
	ssize_t size = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[size > 0 ? size : 0] = '\0';
	return text;
}

START_TEST(test_keys)
{
	ck_assert_int_eq(settings.daemon.level, LOG_LEVEL_INFO);
	ck_assert_int_eq(
		read_settings("LogFile=%s/l\nPidFile=/p\nDebugLevel=Debug\n"),
		0);
	ck_assert_str_eq(settings.daemon.log_file, folder_path("l"));
	ck_assert_str_eq(settings.daemon.pid_file, "/p");
	ck_assert_int_eq(settings.daemon.level, LOG_LEVEL_DEBUG);
	ck_assert_int_eq(read_settings("DebugLevel=loud\n"), -1);
	ck_assert_str_eq(
		err.text,
		"x:1: DebugLevel: loud: not error, info, verbose or debug");
}
END_TEST

START_TEST(test_needs_a_log_file)
{
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "LogFile is missing in "
					       "/etc/x.conf"));
	options.foreground = true;
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), 0);
}
END_TEST

START_TEST(test_verbose)
{
	ck_assert_int_eq(read_settings("LogFile=%s/l\n"), 0);
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), 0);
	log_debug("first");
	options.verbose = true;
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), 0);
	log_debug("second");
	log_close();
	ck_assert_ptr_null(strstr(file_text("l"), "first"));
	ck_assert_ptr_nonnull(strstr(file_text("l"), "second"));
}
END_TEST

START_TEST(test_pid_file)
{
	char pid[32];

	ck_assert_int_eq(daemon_announce(&settings.daemon, &err), 0);
	ck_assert_int_eq(read_settings("PidFile=%s/p\n"), 0);
	ck_assert_int_eq(daemon_announce(&settings.daemon, &err), 0);
	snprintf(pid, sizeof(pid), "%ld\n", (long)getpid());
	ck_assert_str_eq(file_text("p"), pid);
	daemon_withdraw(&settings.daemon);
	ck_assert_int_ne(access(folder_path("p"), F_OK), 0);
	ck_assert_int_eq(read_settings("PidFile=%s/none/p\n"), 0);
	ck_assert_int_eq(daemon_announce(&settings.daemon, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/none/p: No such file"));
}
END_TEST

START_TEST(test_reload_is_logged)
{
	struct settings fresh;

	ck_assert_int_eq(read_settings("LogFile=%s/l\nPort=5\n"), 0);
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), 0);
	fresh = settings;
	fresh.daemon.level = LOG_LEVEL_DEBUG;
	daemon_log_reload(&program, &options, &settings, &fresh);
	fresh.port = 6;
	strcpy(fresh.daemon.pid_file, "/other");
	daemon_log_reload(&program, &options, &settings, &fresh);
	log_close();
	ck_assert_ptr_nonnull(
		strstr(file_text("l"), "] reloaded /etc/x.conf\n"));
	ck_assert_ptr_nonnull(strstr(
		file_text("l"), "warning: reloaded, but these take a restart: "
				"Port PidFile\n"));
}
END_TEST

START_TEST(test_end)
{
	ck_assert_int_eq(read_settings("LogFile=%s/l\n"), 0);
	ck_assert_int_eq(daemon_open_log(&options, &settings.daemon, &err), 0);
	sp_error_set(&err, "no such socket");
	daemon_log_end(&settings.daemon, 0, &err);
	ck_assert_ptr_nonnull(strstr(file_text("l"), "] ended\n"));
	ck_assert_ptr_null(strstr(file_text("l"), "no such socket"));
	daemon_log_end(&settings.daemon, -1, &err);
	ck_assert_ptr_nonnull(
		strstr(file_text("l"), "error: no such socket\n"));
	ck_assert_int_eq(daemon_exit_status(&program, 0, &err), 0);
	ck_assert_int_eq(daemon_exit_status(&program, -1, &err), 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_keys,     test_needs_a_log_file, test_verbose,
		test_pid_file, test_reload_is_logged, test_end,
		NULL
	};

	return suite_run_each("daemon", tests, set_up, folder_remove);
}
