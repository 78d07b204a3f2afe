/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_site_checks.c - what is wrong with a site is found, with a remedy */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "predictor/checks/checks.h"
#include "tests/unit/suite.h"

static char conf[] = "/tmp/test_checks.XXXXXX";
static struct check_site site;
static struct check_finding finding;

static void set_up(void)
{
	strcpy(conf, "/tmp/test_checks.XXXXXX");

	int fd = mkstemp(conf);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void tear_down(void)
{
	check_site_close(&site);
	unlink(conf);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static void read_conf(const char *text)
{
	write_file(conf, text);
	check_site_close(&site);
	check_site_open(&site, conf);
}

/* Run the check of that name. */
static void expect(const char *name, enum check_verdict verdict,
		   const char *found)
{
	const struct check *check = site_checks;

	while (check->name && strcmp(check->name, name) != 0)
		check++;
	ck_assert_ptr_nonnull(check->name);
	memset(&finding, 0, sizeof(finding));
	check->run(&site, &finding);
	ck_assert_msg(finding.verdict == verdict &&
			      strstr(finding.found, found),
		      "%s: %d %s", name, finding.verdict, finding.found);
	ck_assert(finding.mend[0] || verdict != CHECK_ERROR);
}

START_TEST(test_slurm_conf)
{
	check_site_open(&site, "/nowhere/at/all");
	expect("slurm.conf", CHECK_ERROR, "No such file");
	expect("SlurmUser", CHECK_UNUSED, "");
	read_conf("ClusterName=green\nSlurmUser=nobody-of-that-name\n");
	expect("slurm.conf", CHECK_OK, "green");
	expect("SlurmUser", CHECK_ERROR, "nobody-of-that-name");
	read_conf("SlurmUser=daemon\n");
	expect("SlurmUser", CHECK_OK, "daemon");
	read_conf("ClusterName=x\n");
	expect("SlurmUser", CHECK_OK, "root");
}
END_TEST

START_TEST(test_plugins)
{
	read_conf("ClusterName=x\n");
	expect("PluginDir", CHECK_UNUSED, "");
	expect("job_submit plugin", CHECK_UNUSED, "");
	read_conf(
		"PluginDir=/usr:/nowhere/at/all:/tmp\n"
		"JobSubmitPlugins=lua,predict\n"
		"SlurmctldParameters=a,predict_mode=act,b,predict_place=on\n");
	expect("PluginDir", CHECK_ERROR, "/nowhere/at/all is missing");
	expect("job_submit plugin", CHECK_ERROR, "job_submit_predict.so");
	expect("SlurmctldParameters", CHECK_OK,
	       "predict_mode=act,predict_place=on");
	expect("select plugin", CHECK_UNUSED, "");
	read_conf(
		"PluginDir=" SP_LIBDIR "/select:/usr\n"
		"SelectType=select/linear\nPlugStackConfig=/nowhere/at/all\n");
	expect("select plugin", CHECK_WARNING, "select/linear");
	expect("SPANK plugin", CHECK_UNUSED, "/nowhere/at/all");
}
END_TEST

START_TEST(test_plan)
{
	static const char on[] = "SlurmctldParameters=a,predict_plan=on\n"
				 "PriorityType=priority/multifactor\n";
	static const struct {
		const char *more, *found;
		enum check_verdict verdict;
	} rows[] = {
		{ "", "on", CHECK_OK },
		{ "PriorityWeightFairshare=10000\n",
		  "PriorityWeightFairshare=10000 is at most 2h47 of waiting",
		  CHECK_WARNING },
		{ "PriorityWeightQOS=900000\n", "on", CHECK_OK },
		{ "PriorityWeightAge=900000\n", "PriorityWeightAge",
		  CHECK_WARNING },
		{ "SchedulerParameters=bf_continue,enable_user_top\n",
		  "scontrol top", CHECK_WARNING },
		{ "PriorityFlags=INCR_ONLY\n", "goes back", CHECK_WARNING },
	};
	static const char reserves[] =
		"SlurmctldParameters=predict_plan=on,predict_plan_reserve=20\n"
		"PriorityType=priority/multifactor\n";
	char text[512];

	read_conf("SlurmctldParameters=predict_plan=observe\n");
	expect("predict_plan", CHECK_UNUSED, "not on");
	read_conf("SlurmctldParameters=predict_plan=on\n");
	expect("predict_plan", CHECK_ERROR, "PriorityType is not set");
	read_conf("SlurmctldParameters=predict_plan.a=on\n"
		  "PriorityType=priority/basic\n");
	expect("predict_plan", CHECK_ERROR, "priority/basic");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(text, sizeof(text), "%s%s", on, rows[i].more);
		read_conf(text);
		expect("predict_plan", rows[i].verdict, rows[i].found);
	}
	read_conf(reserves);
	expect("predict_plan", CHECK_WARNING, "is not loaded");
	snprintf(text, sizeof(text), "%sPluginDir=%s:/usr\n", reserves,
		 SP_LIBDIR "/select");
	read_conf(text);
	expect("predict_plan", CHECK_OK, "on, with predict_plan_reserve");
	strcat(text, "SchedulerParameters=bf_min_age_reserve=72000\n");
	read_conf(text);
	expect("predict_plan", CHECK_WARNING, "younger jobs");
}
END_TEST

/* The file may be in another one that is included, and the path wrong. */
START_TEST(test_spank)
{
	char text[256], plugstack[64], included[64];

	snprintf(plugstack, sizeof(plugstack), "%s.p", conf);
	snprintf(included, sizeof(included), "%s.d", conf);
	snprintf(text, sizeof(text), "PlugStackConfig=%s\n", plugstack);
	read_conf(text);
	snprintf(text, sizeof(text), "# x\ninclude %s\n", included);
	write_file(plugstack, text);
	expect("SPANK plugin", CHECK_UNUSED, plugstack);
	write_file(included,
		   "# optional /no/spank_predict.so\n"
		   "optional /nowhere/at/all/spank_predict.so spool=/var/x\n");
	expect("SPANK plugin", CHECK_ERROR,
	       "/nowhere/at/all/spank_predict.so of plugstack.conf is not");
	ck_assert_ptr_nonnull(strstr(finding.mend, SP_LIBDIR));
	unlink(included);
	unlink(plugstack);
}
END_TEST

START_TEST(test_munge)
{
	read_conf("ClusterName=x\n");
	site.munge_socket = "/nowhere/at/all";
	expect("MUNGE", CHECK_ERROR, "");
}
END_TEST

/* Whose the socket of predictd is. */
START_TEST(test_changes)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char text[512];

	read_conf("SlurmctldParameters=predict_nodes=act\n");
	expect("changes of jobs", CHECK_UNUSED, "no jobs");
	snprintf(address.sun_path, sizeof(address.sun_path),
		 "/tmp/site-checks-%d", getpid());
	snprintf(text, sizeof(text),
		 "SlurmctldParameters=predict_plan=on,predict_url=unix:%s\n"
		 "SlurmUser=daemon\n",
		 address.sun_path);
	read_conf(text);
	expect("changes of jobs", CHECK_OK, "allowed");
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)),
			 0);
	if (geteuid() == 0) {
		expect("changes of jobs", CHECK_OK, "allowed");
		ck_assert_int_eq(chown(address.sun_path, 1, 1), 0);
		expect("changes of jobs", CHECK_OK, "allowed");
		ck_assert_int_eq(chown(address.sun_path, 2, 2), 0);
	}
	expect("changes of jobs", CHECK_WARNING, "may not change");
	unlink(address.sun_path);
	close(fd);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_slurm_conf, test_plugins, test_plan, test_changes,
		test_spank,      test_munge,   NULL
	};

	return suite_run_each("site_checks", tests, set_up, tear_down);
}
