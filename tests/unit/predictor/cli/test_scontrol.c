/* test_scontrol.c - what spredict reads from scontrol */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/cli/scontrol.h"
#include "tests/unit/suite.h"

static const char config[] =
	"Configuration data as of 2026-11-20T08:46:12\n"
	"AccountingStorageBackupHost = (null)\n"
	"AuthInfo                = cred_expire=120,socket=/run/m/munge.2\n"
	"ClusterName             = tern\n"
	"SlurmctldParameters     = idle_on_node_suspend,"
	"predict_url=http://127.0.0.1:7380,xpredict_quantile=0.6,"
	"predict_quantile=0.75\n"
	"SlurmctldPort           = 6817\n";

START_TEST(test_site)
{
	struct scontrol_site site;

	scontrol_site_parse(config, &site);
	ck_assert_str_eq(site.cluster, "tern");
	ck_assert_str_eq(site.url, "http://127.0.0.1:7380");
	ck_assert_str_eq(site.munge_socket, "/run/m/munge.2");
	ck_assert_double_eq(site.quantile, 0.75);
}
END_TEST

START_TEST(test_site_defaults)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"ClusterName",
		"ClusterNameX = a\n",
		"SlurmctldParameters     = (null)\nAuthInfo = (null)\n",
		"SlurmctldParameters = predict_url=,predict_quantile=1.5",
		"SlurmctldParameters = predict_quantile=0.6x\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct scontrol_site site;

		scontrol_site_parse(texts[i], &site);
		ck_assert_str_eq(site.cluster, "");
		ck_assert_str_eq(site.url, "");
		ck_assert_str_eq(site.munge_socket, "");
		ck_assert_double_eq(site.quantile, 0.9);
	}
}
END_TEST

/* A name that does not fit is not cut to another one. */
START_TEST(test_site_too_long)
{
	char text[400] = "ClusterName = ";
	struct scontrol_site site;

	memset(text + 14, 'c', 200);
	scontrol_site_parse(text, &site);
	ck_assert_str_eq(site.cluster, "");
}
END_TEST

START_TEST(test_job)
{
	struct scontrol_job job;
	struct sp_error err;

	ck_assert_int_eq(
		scontrol_job_parse("JobId=4711 ArrayJobId=4709 ArrayTaskId=2 "
				   "JobName=run me UserId=ada(1044) "
				   "JobState=PENDING Reason=Resources "
				   "AdminComment=x predict=00ff,y,"
				   "predict=0123456789abcdef \n",
				   &job, &err),
		0);
	ck_assert_uint_eq(job.job_id, 4711);
	ck_assert_str_eq(job.name, "run");
	ck_assert_str_eq(job.state, "PENDING");
	ck_assert_str_eq(job.reason, "Resources");
	ck_assert_str_eq(job.prediction_id, "0123456789abcdef");
}
END_TEST

START_TEST(test_job_without_prediction)
{
	struct scontrol_job job;
	struct sp_error err;

	ck_assert_int_eq(scontrol_job_parse("JobId=3 JobState=RUNNING "
					    "Comment=predict=0123456789abcdef",
					    &job, &err),
			 0);
	ck_assert_str_eq(job.prediction_id, "");
	ck_assert_int_eq(
		scontrol_job_parse("JobId=3 JobState=RUNNING AdminComment="
				   "predict=0123456789abcdef0",
				   &job, &err),
		0);
	ck_assert_str_eq(job.prediction_id, "");
}
END_TEST

START_TEST(test_no_job)
{
	static const char *const texts[] = {
		"",
		"JobId=",
		"JobId=0 JobState=RUNNING",
		"JobId=-3 JobState=RUNNING",
		"JobId=99999999999999 JobState=RUNNING",
		"XJobId=3",
		"slurm_load_jobs error: Invalid job id specified",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct scontrol_job job = { .job_id = 77 };
		struct sp_error err = { "" };

		ck_assert_int_eq(scontrol_job_parse(texts[i], &job, &err), -1);
		ck_assert_str_ne(err.text, "");
		ck_assert_uint_eq(job.job_id, 77);
	}
}
END_TEST

START_TEST(test_run)
{
	const char *const good[] = { "printf", "a b\\n", NULL };
	const char *const bad[] = { "sh", "-c", "echo why >&2; exit 3", NULL };
	const char *const missing[] = { "no-such-command-here", NULL };
	const char *const endless[] = { "yes", NULL };
	char *output = NULL;
	struct sp_error err;

	ck_assert_int_eq(scontrol_run(good, &output, &err), 0);
	ck_assert_str_eq(output, "a b\n");
	free(output);

	ck_assert_int_eq(scontrol_run(bad, &output, &err), -1);
	ck_assert_str_eq(err.text, "sh: why");
	ck_assert_int_eq(scontrol_run(missing, &output, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no-such-command-here"));
	ck_assert_int_eq(scontrol_run(endless, &output, &err), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_site,
				       test_site_defaults,
				       test_site_too_long,
				       test_job,
				       test_job_without_prediction,
				       test_no_job,
				       test_run,
				       NULL };

	return suite_run("scontrol", tests);
}
