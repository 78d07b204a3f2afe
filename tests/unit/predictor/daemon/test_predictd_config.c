/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_predictd_config.c - predict.conf: what is taken, what is refused
 * and why */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/daemon/predictd_config.h"

static char path[64];
static struct predictd_config config;
static struct sp_error err;

static void write_file(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void set_up(void)
{
	strcpy(path, "/tmp/test_config.XXXXXX");

	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void tear_down(void)
{
	unlink(path);
}

START_TEST(test_defaults)
{
	write_file("Database=dbname=x\n");
	ck_assert_msg(!predictd_config_read(path, &config, &err), "%s",
		      err.text);
	ck_assert_str_eq(config.database, "dbname=x");
	ck_assert_uint_eq(config.listen_count, 1);
	ck_assert_str_eq(config.listen[0], CONFIG_SOCKET);
	ck_assert_uint_eq(config.socket_mode, 0666);
	ck_assert_int_eq(config.measurements_keep_days, 30);
	ck_assert(access_allows(&config.access, geteuid(), ROLE_OPERATOR));
	ck_assert_int_eq(config.daemon.level, LOG_LEVEL_INFO);
}
END_TEST

START_TEST(test_everything)
{
	write_file("# a comment\n"
		   "listen=unix:/a/b\n"
		   "Listen=[::1]:7381 # another\n"
		   "Database=\"host=/a dbname=b\"\n"
		   "SocketMode=0600\n"
		   "MeasurementsKeepDays=7\n"
		   "HistoryDays=365\n"
		   "SqlDir=/s\n"
		   "SlurmConf=/c\n"
		   "SlurmUser=4242\n"
		   "Operators=4243,daemon\n"
		   "Operators=4244\n"
		   "Collectors=4245\n"
		   "MungeSocket=/m\nLogFile=/l\nPidFile=/p\n"
		   "DebugLevel=Debug\n");
	ck_assert_msg(!predictd_config_read(path, &config, &err), "%s",
		      err.text);
	ck_assert_uint_eq(config.listen_count, 2);
	ck_assert_str_eq(config.listen[1], "[::1]:7381");
	ck_assert_str_eq(config.database, "host=/a dbname=b");
	ck_assert_uint_eq(config.socket_mode, 0600);
	ck_assert_int_eq(config.measurements_keep_days, 7);
	ck_assert_int_eq(config.history_days, 365);
	ck_assert_str_eq(config.sql_dir, "/s");
	ck_assert_str_eq(config.slurm_conf, "/c");
	ck_assert(config.slurm_user_given);
	ck_assert_str_eq(config.munge_socket, "/m");
	ck_assert_str_eq(config.daemon.log_file, "/l");
	ck_assert_str_eq(config.daemon.pid_file, "/p");
	ck_assert_int_eq(config.daemon.level, LOG_LEVEL_DEBUG);
	for (uid_t uid = 4242; uid <= 4244; uid++)
		ck_assert(access_allows(&config.access, uid, ROLE_OPERATOR));
	ck_assert(!access_allows(&config.access, 4245, ROLE_OPERATOR));
	ck_assert(access_allows(&config.access, 4245, ROLE_COLLECTOR));
	ck_assert(!access_allows(&config.access, 4242, ROLE_COLLECTOR));
}
END_TEST

/* The owner of the database may have neither the file nor access to it. */
START_TEST(test_for_migration)
{
	ck_assert(!predictd_config_for_migration("/nowhere/at/all", &config,
						 &err));
	ck_assert_str_eq(config.sql_dir, SP_SQLDIR);
	write_file("SqlDir=/s\n");
	ck_assert(!predictd_config_for_migration(path, &config, &err));
	ck_assert_str_eq(config.sql_dir, "/s");
	write_file("SqlDir=/s\nNonsense=1\n");
	ck_assert(predictd_config_for_migration(path, &config, &err));
	ck_assert_ptr_nonnull(strstr(err.text, ":2: "));
}
END_TEST

START_TEST(test_refused)
{
	static const char *const bad[] = {
		"",
		"Listen=unix:/a\n", /* no Database */
		"Database=x\nListen=relative\n",
		"Database=x\nDatabase=y\n",
		"Database=x\nSocketMode=0888\n",
		"Database=x\nSocketMode=1777\n",
		"Database=x\nSocketMode=\n",
		"Database=x\nMeasurementsKeepDays=0\n",
		"Database=x\nMeasurementsKeepDays=7d\n",
		"Database=x\nHistoryDays=-1\n",
		"Database=x\nOperators=nobody-of-that-name\n",
		"Database=x\nOperators=4294967295\n",
		"Database=x\nOperators=-1\n",
		"Database=x\nDebugLevel=loud\n",
		"Database=x\nUnknown=1\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		strcpy(config.database, "as it was");
		config.listen_count = 77;
		write_file(bad[i]);
		ck_assert_msg(predictd_config_read(path, &config, &err) == -1,
			      "%s", bad[i]);
		ck_assert_msg(!strncmp(err.text, path, strlen(path)), "%s",
			      err.text);
		ck_assert_str_eq(config.database, "as it was");
		ck_assert_uint_eq(config.listen_count, 77);
	}
}
END_TEST

START_TEST(test_too_many_addresses)
{
	char text[512] = "Database=x\n";

	for (int i = 1; i <= HTTP_LISTENERS_MAX; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "Listen=*:%d\n", i);
	write_file(text);
	ck_assert_msg(!predictd_config_read(path, &config, &err), "%s",
		      err.text);
	ck_assert_uint_eq(config.listen_count, HTTP_LISTENERS_MAX);
	snprintf(text + strlen(text), sizeof(text) - strlen(text),
		 "Listen=*:99\n");
	write_file(text);
	ck_assert_int_eq(predictd_config_read(path, &config, &err), -1);
}
END_TEST

START_TEST(test_others_may_not_write_it)
{
	write_file("Database=x\n");
	ck_assert_int_eq(chmod(path, 0646), 0);
	ck_assert_int_eq(predictd_config_read(path, &config, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "all users may write"));
	ck_assert_int_eq(chmod(path, 0644), 0);
	ck_assert_int_eq(predictd_config_read(path, &config, &err), 0);
	ck_assert_int_eq(predictd_config_read("/no/such/file", &config, &err),
			 -1);
}
END_TEST

START_TEST(test_differences)
{
	static struct predictd_config other;
	char text[256];

	write_file("Database=x\nOperators=7\n");
	ck_assert_int_eq(predictd_config_read(path, &config, &err), 0);
	write_file("Database=x\nOperators=8\nDebugLevel=error\n");
	ck_assert_int_eq(predictd_config_read(path, &other, &err), 0);
	conf_differences(predictd_config_keys, &config, &other, text,
			 sizeof(text));
	ck_assert_str_eq(text, "");
	write_file("Database=y\nListen=*:1\nSocketMode=0600\n");
	ck_assert_int_eq(predictd_config_read(path, &other, &err), 0);
	conf_differences(predictd_config_keys, &config, &other, text,
			 sizeof(text));
	ck_assert_str_eq(text, "Listen SocketMode Database");
}
END_TEST

START_TEST(test_sample)
{
	ck_assert_msg(
		!predictd_config_read("etc/predict.conf.sample", &config, &err),
		"%s", err.text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("config");
	TCase *tests = tcase_create("config");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_defaults);
	tcase_add_test(tests, test_everything);
	tcase_add_test(tests, test_for_migration);
	tcase_add_test(tests, test_refused);
	tcase_add_test(tests, test_too_many_addresses);
	tcase_add_test(tests, test_others_may_not_write_it);
	tcase_add_test(tests, test_differences);
	tcase_add_test(tests, test_sample);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
