/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_disable.c - only what is ours and fatal is taken out of slurm.conf */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "predictor/checks/guard/disable.h"
#include "tests/unit/suite.h"

#define MARK "# disabled by slurm-predict, see spredict doctor: "

static char folder[] = "/tmp/test_disable.XXXXXX";
static char libdir[64], conf[64], text[4096];
static int reports;
static struct sp_error err;

static void count(const char *sentence)
{
	(void)sentence;
	reports++;
}

static void set_up(void)
{
	strcpy(folder, "/tmp/test_disable.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(conf, sizeof(conf), "%s/slurm.conf", folder);
	snprintf(libdir, sizeof(libdir), "%s/lib", folder);
	reports = 0;
}

static void tear_down(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

static void conf_write(const char *before)
{
	FILE *file = fopen(conf, "w");

	ck_assert_ptr_nonnull(file);
	fputs(before, file);
	fclose(file);
}

static int disable(const char *before)
{
	conf_write(before);
	return disable_what_is_fatal(conf, libdir, false, count, &err);
}

static void expect(const char *after)
{
	FILE *file = fopen(conf, "r");
	size_t size;

	ck_assert_ptr_nonnull(file);
	size = fread(text, 1, sizeof(text) - 1, file);
	text[size] = '\0';
	fclose(file);
	ck_assert_str_eq(text, after);
}

/* The directory and the plugin in it are gone. */
START_TEST(test_lost)
{
	char before[1024], after[1024];

	snprintf(before, sizeof(before),
		 "ClusterName=x\n"
		 "PluginDir=%s/select:%s:/usr # ours first\n"
		 "jobsubmitplugins=\"lua,predict\"\n"
		 "SlurmUser=slurm",
		 libdir, libdir);
	snprintf(after, sizeof(after),
		 "ClusterName=x\n" MARK
		 "PluginDir=%s/select:%s:/usr # ours first\n"
		 "PluginDir=/usr\n" MARK "jobsubmitplugins=\"lua,predict\"\n"
		 "JobSubmitPlugins=lua\n"
		 "SlurmUser=slurm",
		 libdir, libdir);
	ck_assert_int_eq(disable(before), 2);
	expect(after);
	ck_assert_int_eq(reports, 2);
	ck_assert_int_eq(
		disable_what_is_fatal(conf, libdir, false, count, &err), 0);
	expect(after);
}
END_TEST

START_TEST(test_keeps_owner_and_mode)
{
	struct stat status;

	ck_assert_int_eq(disable("PluginDir=/usr\nJobSubmitPlugins=predict\n"),
			 1);
	expect("PluginDir=/usr\n" MARK "JobSubmitPlugins=predict\n");
	ck_assert_int_eq(chmod(conf, 0640), 0);
	ck_assert_int_eq(disable("PluginDir=/usr\nJobSubmitPlugins=predict\n"),
			 1);
	ck_assert_int_eq(stat(conf, &status), 0);
	ck_assert_int_eq(status.st_mode & 07777, 0640);
}
END_TEST

/* Files that are there are about to go. */
START_TEST(test_removed)
{
	char before[1024], after[1024];

	ck_assert_int_eq(mkdir(libdir, 0755), 0);
	snprintf(before, sizeof(before),
		 "PluginDir=%s:/usr\nJobSubmitPlugins=all,predict\n", libdir);
	snprintf(after, sizeof(after),
		 MARK "PluginDir=%s:/usr\nPluginDir=/usr\n" MARK
		      "JobSubmitPlugins=all,predict\nJobSubmitPlugins=all\n",
		 libdir);
	conf_write(before);
	ck_assert_int_eq(disable_what_is_fatal(conf, libdir, true, count, &err),
			 2);
	expect(after);
	ck_assert_int_eq(disable_what_is_fatal(conf, libdir, true, count, &err),
			 0);
}
END_TEST

/* What others have broken is theirs. */
START_TEST(test_others)
{
	static const char before[] = "PluginDir=/nowhere/at/all\n"
				     "JobSubmitPlugins=lua,predictor\n"
				     "#JobSubmitPlugins=predict\n";

	ck_assert_int_eq(disable(before), 0);
	expect(before);
	ck_assert_int_eq(disable("JobSubmitPlugins=predict\n"), 0);
	ck_assert_int_eq(reports, 0);
	ck_assert_int_eq(
		disable_what_is_fatal("/nowhere/x", libdir, false, count, &err),
		-1);
}
END_TEST

/* Nothing is changed where the line is in another file. */
START_TEST(test_included)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/more.conf", folder);
	file = fopen(path, "w");
	fputs("JobSubmitPlugins=predict\n", file);
	fclose(file);
	ck_assert_int_eq(disable("PluginDir=/usr\nInclude more.conf\n"), -1);
	expect("PluginDir=/usr\nInclude more.conf\n");
	ck_assert_int_eq(reports, 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_lost,   test_removed,  test_keeps_owner_and_mode,
		test_others, test_included, NULL
	};

	return suite_run_each("disable", tests, set_up, tear_down);
}
