/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_slurm_job.c - scontrol's texts, true and forged */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/slurm_job.h"
#include "tests/unit/suite.h"

/* As Slurm 22.05 prints it, times by SLURM_TIME_FORMAT=%s. */
#define FIRST                                                             \
	"UserId=alice(1000) GroupId=users(100) MCS_label=N/A Priority=1 " \
	"Nice=0 Account=phys QOS=(null) "
#define SECOND                                                              \
	"Reason=None Dependency=(null) Requeue=1 Restarts=2 BatchFlag=1 "   \
	"Reboot=0 ExitCode=3:0 RunTime=00:00:01 TimeLimit=1-02:03:04 "      \
	"TimeMin=N/A SubmitTime=1795164589 EligibleTime=1795164589 "        \
	"AccrueTime=1795164589 StartTime=1795164590 EndTime=1795164591 "    \
	"Deadline=N/A SuspendTime=None SecsPreSuspend=0 "                   \
	"LastSchedEval=1795164590 Scheduler=Backfill Partition=main "       \
	"AllocNode:Sid=ctl:0 ReqNodeList=n9 ExcNodeList=(null) "            \
	"NodeList=n[1-2] BatchHost=n1 NumNodes=2 NumCPUs=8 NumTasks=4 "     \
	"CPUs/Task=1 ReqB:S:C:T=0:0:*:* TRES=cpu=2,node=2,billing=2 "       \
	"Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=* MinCPUsNode=1 "   \
	"MinMemoryCPU=1.50G MinTmpDiskNode=0 Features=(null) "              \
	"DelayBoot=00:00:00 OverSubscribe=OK Contiguous=0 Licenses=(null) " \
	"Network=(null) Command=/home/alice/job.sh WorkDir=/home/alice "
#define THIRD \
	"StdErr=/home/alice/o StdIn=/dev/null StdOut=/home/alice/o Power= "

static struct slurm_job job;
static struct sp_error err;

static int parse(const char *text)
{
	return slurm_job_parse(text, 12, &job, &err);
}

#define LINE(name, state, comments)                          \
	"JobId=12 JobName=" name " " FIRST "JobState=" state \
	" " SECOND comments THIRD

START_TEST(test_all_fields)
{
	ck_assert_msg(
		!parse(LINE("my job", "FAILED",
			    "Comment=hi  AdminComment=x predict=0123456789"
			    "abcdef,other=1  ") "\n"),
		"%s", err.text);
	ck_assert_int_eq(job.phase, SLURM_ENDED);
	ck_assert_int_eq(job.restarts, 2);
	ck_assert_uint_eq(job.run.job_id, 12);
	ck_assert_uint_eq(job.run.array_job_id, 0);
	ck_assert_str_eq(job.run.job_name, "my job");
	ck_assert_str_eq(job.run.user, "alice");
	ck_assert_uint_eq(job.run.user_id, 1000);
	ck_assert_str_eq(job.run.account, "phys");
	ck_assert_str_eq(job.run.partition, "main");
	ck_assert_str_eq(job.run.prediction_id, "0123456789abcdef");
	ck_assert_str_eq(job.run.node_list, "n[1-2]");
	ck_assert_uint_eq(job.run.nodes, 2);
	ck_assert_uint_eq(job.run.cpus, 8);
	ck_assert_uint_eq(job.run.tasks, 4);
	ck_assert_double_eq(job.run.memory_mb, 1536 * 8);
	ck_assert_double_eq(job.run.limit_s, 93784);
	ck_assert_double_eq(job.run.submitted_at_s, 1795164589);
	ck_assert_double_eq(job.run.started_at_s, 1795164590);
	ck_assert_double_eq(job.run.ended_at_s, 1795164591);
	ck_assert_int_eq(job.run.state, RUN_FAILED);
	ck_assert_int_eq(job.run.exit_code, 3);
	ck_assert_int_eq(job.run.exit_signal, 0);
}
END_TEST

START_TEST(test_states)
{
	ck_assert_int_eq(parse(LINE("a", "RUNNING", "")), 0);
	ck_assert_int_eq(job.phase, SLURM_RUNNING);
	ck_assert_int_eq(job.run.state, RUN_RUNNING);
	ck_assert_double_nan(job.run.ended_at_s); /* only expected */
	ck_assert_int_eq(parse(LINE("a", "COMPLETING", "")), 0);
	ck_assert_int_eq(job.phase, SLURM_ENDING);
	ck_assert_int_eq(parse(LINE("a", "PENDING", "")), 0);
	ck_assert_int_eq(job.phase, SLURM_WAITING);
	ck_assert_int_eq(parse(LINE("a", "NODE_FAIL", "")), 0);
	ck_assert_int_eq(job.run.state, RUN_NODE_FAIL);
	ck_assert_int_eq(parse(LINE("a", "DEADLINE", "")), 0);
	ck_assert_int_eq(job.run.state, RUN_TIMEOUT);
	ck_assert_int_eq(parse(LINE("a", "SLEEPING", "")), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "JobState"));
}
END_TEST

START_TEST(test_the_line_of_an_array)
{
	ck_assert_int_eq(
		parse("JobId=11 ArrayJobId=9 ArrayTaskId=1 JobName=b " FIRST
		      "JobState=FAILED " SECOND THIRD "\n\n"
		      "JobId=12 ArrayJobId=9 ArrayTaskId=7 JobName=a " FIRST
		      "JobState=COMPLETED " SECOND THIRD "\n"
		      "JobId=9 ArrayJobId=9 ArrayTaskId=8-20%3 JobName=a " FIRST
		      "JobState=PENDING " SECOND THIRD "\n"),
		0);
	ck_assert_uint_eq(job.run.array_job_id, 9);
	ck_assert_uint_eq(job.run.array_task_id, 7);
	ck_assert_int_eq(job.run.state, RUN_COMPLETED);
}
END_TEST

START_TEST(test_forged)
{
	static const char *const texts[] = {
		LINE("x UserId=root(0) GroupId=root(0)", "RUNNING", ""),
		LINE("x JobState=COMPLETED", "FAILED", ""),
		LINE("x", "FAILED", "Comment=y JobState=COMPLETED "),
		LINE("x", "FAILED", "Comment=y StartTime=1 "),
		LINE("x\nJobId=12 JobName=y", "FAILED", ""),
		LINE("x\ny", "FAILED", ""),
		LINE("x\n", "FAILED", ""),
		NULL,
	};

	for (int i = 0; texts[i]; i++) {
		struct slurm_job before = job;

		ck_assert_msg(parse(texts[i]) == -1, "taken: %s", texts[i]);
		ck_assert_mem_eq(&before, &job, sizeof(job));
	}
	/* No more than the link to a prediction is lost here. */
	ck_assert_int_eq(
		parse(LINE("x", "FAILED",
			   "Comment=y AdminComment=predict=ffffffffffffffff "
			   "AdminComment=predict=0123456789abcdef ")),
		0);
	ck_assert_str_eq(job.run.prediction_id, "");
	/* Harmless, as no key begins where these stand. */
	ck_assert_int_eq(parse(LINE("xJobState=COMPLETED", "FAILED",
				    "Comment=JobState=RUNNING ")),
			 0);
	ck_assert_int_eq(job.run.state, RUN_FAILED);
}
END_TEST

/* What it asks for is printed behind all that is counted. */
START_TEST(test_requests)
{
	char text[8192];
	char *features;

	snprintf(text, sizeof(text), "%s",
		 LINE("x", "FAILED",
		      "TresPerJob=gres:shard:3 TresPerNode=gres:gpu:a100:2 "
		      "TresPerTask=cpu=1,gres/gpu:a100=1 "));
	ck_assert_int_eq(parse(text), 0);
	ck_assert_str_eq(job.run.gres, "gpu:a100:8,shard:3");
	ck_assert_str_eq(job.run.features, "");
	ck_assert_str_eq(job.run.qos, "");

	features = strstr(text, "Features=(null)");
	memcpy(features, "Features=avx2|b", strlen("Features=avx2|b"));
	memcpy(strstr(text, "QOS=(null)"), "QOS=lowest", strlen("QOS=lowest"));
	ck_assert_int_eq(parse(text), 0);
	ck_assert_str_eq(job.run.features, "avx2|b");
	ck_assert_str_eq(job.run.qos, "lowest");

	/* A text of the user's that looks like one makes neither count. */
	ck_assert_int_eq(
		parse(LINE("x Features=new", "FAILED", "Comment=y QOS=high ")),
		0);
	ck_assert_str_eq(job.run.features, "");
	ck_assert_str_eq(job.run.qos, "");
}
END_TEST

START_TEST(test_odd_values)
{
	char text[8192], name[3000];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "JobId=12 JobName=%s " FIRST "JobState=FAILED " SECOND THIRD,
		 name);
	ck_assert_int_eq(parse(text), 0);
	ck_assert_uint_eq(strlen(job.run.job_name), RUN_NAME_SIZE - 1);
	ck_assert_int_eq(parse(""), -1);
	ck_assert_int_eq(parse("JobId=12 "), -1);
	ck_assert_int_eq(parse("JobId=13 JobName=x"), -1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_all_fields,
				       test_states,
				       test_the_line_of_an_array,
				       test_forged,
				       test_requests,
				       test_odd_values,
				       NULL };

	return suite_run("slurm_job", tests);
}
