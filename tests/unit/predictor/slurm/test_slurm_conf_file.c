/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_conf_file.c - slurm.conf as admins write it */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/slurm/slurm_conf_file.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/test_slurm_conf.XXXXXX";
static char path[64];
static struct sp_error err;

static void write_file(const char *name, const char *text)
{
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void set_up(void)
{
	strcpy(folder, "/tmp/test_slurm_conf.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void tear_down(void)
{
	static const char *const names[] = { "slurm.conf", "more.conf", NULL };

	for (size_t i = 0; names[i]; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static void expect(const struct slurm_conf_file *file, const char *key,
		   const char *value)
{
	const char *got = slurm_conf_file_value(file, key);

	ck_assert_msg(value ? got && !strcmp(got, value) : !got, "%s is %s",
		      key, got ? got : "missing");
}

START_TEST(test_values)
{
	struct slurm_conf_file *file;

	write_file("more.conf", "AccountingStorageHost=db # there\n"
				"slurmctldparameters=a,b=c\n");
	write_file("slurm.conf",
		   "# SlurmUser=commented\n"
		   "ClusterName=first  SlurmUser = slurm\n"
		   "\tCLUSTERNAME=\"last one\" AuthType=auth/munge\n"
		   "include more.conf\n"
		   "PluginDir=/a:\\\n/b\n"
		   "NodeName=n1 CPUs=4 SlurmUser=notthis\n"
		   "PartitionName=p Nodes=n1\r\n"
		   "JobSubmitPlugins=predict,lua");
	file = slurm_conf_file_read(path, &err);
	ck_assert_msg(file != NULL, "%s", err.text);
	expect(file, "SlurmUser", "slurm");
	expect(file, "ClusterName", "last one");
	expect(file, "AuthType", "auth/munge");
	expect(file, "SlurmctldParameters", "a,b=c");
	expect(file, "AccountingStorageHost", "db");
	expect(file, "PluginDir", "/a:/b");
	expect(file, "CPUs", NULL);
	expect(file, "Nodes", NULL);
	expect(file, "JobSubmitPlugins", "predict,lua");
	expect(file, "SlurmdUser", NULL);
	slurm_conf_file_destroy(file);
}
END_TEST

START_TEST(test_refused)
{
	char *line = malloc(100000);

	write_file("slurm.conf", "Include slurm.conf\n"); /* itself */
	ck_assert_ptr_null(slurm_conf_file_read(path, &err));
	write_file("slurm.conf", "Include slurm.conf\nInclude slurm.conf\n"
				 "Include slurm.conf\nInclude slurm.conf\n");
	ck_assert_ptr_null(slurm_conf_file_read(path, &err));
	write_file("slurm.conf", "Include /dev/zero\n");
	ck_assert_ptr_null(slurm_conf_file_read(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "not a regular file"));
	write_file("slurm.conf", "Include none\n");
	ck_assert_ptr_null(slurm_conf_file_read(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "none: No such file"));
	memset(line, 'x', 99999);
	line[99999] = '\0';
	write_file("slurm.conf", line);
	ck_assert_ptr_null(slurm_conf_file_read(path, &err));
	free(line);
	ck_assert_ptr_null(slurm_conf_file_read("/nowhere/at/all", &err));
}
END_TEST

START_TEST(test_path)
{
	setenv("SLURM_CONF", "/of/the/environment", 1);
	ck_assert_str_eq(slurm_conf_file_path("/configured"), "/configured");
	ck_assert_str_eq(slurm_conf_file_path(""), "/of/the/environment");
	unsetenv("SLURM_CONF");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_values, test_refused, test_path,
				       NULL };

	return suite_run_each("slurm_conf_file", tests, set_up, tear_down);
}
