/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_limit_raise.c - whose limits are raised, and up to what */
#include <check.h>
#include <math.h>
#include <string.h>

#include "plugin/site/tokens.h"
#include "predictor/daemon/limit_raise.h"
#include "tests/unit/suite.h"

static struct policy policy;
static struct queue_entry job;
static struct prediction p;

/* A job that got 30 minutes, and would get 60 now. */
static void set_up(void)
{
	tokens_parse("predict_mode=act,predict_limit_max=90,"
		     "predict_mode.free=advise",
		     &policy, NULL, NULL);
	job = (struct queue_entry){ .job_id = 12,
				    .limit_s = 1800,
				    .limit_set_min = 30,
				    .node_cpus = 1,
				    .partitions = "a,b",
				    .id = "12" };
	memset(&p, 0, sizeof(p));
	p.basis = BASIS_HISTORY;
	p.evidence_level = EVIDENCE_APPLICATION;
	p.own_runs = 10;
	p.quantile = 0.9;
	p.quantile_s = 3000;
}

static void expect(uint32_t given_min, uint32_t minutes)
{
	ck_assert_uint_eq(limit_raise_find(&policy, &job, &p, given_min),
			  minutes);
}

START_TEST(test_raised)
{
	expect(0, 60);
	p.quantile_s = 9000;
	expect(0, 90);
	/* A tenth longer, or not at all. */
	p.quantile_s = 1650;
	expect(0, 33);
	p.quantile_s = 1600;
	expect(0, 0);
	p.quantile_s = 60;
	expect(0, 0);
}
END_TEST

START_TEST(test_again)
{
	job.limit_s = 2700;
	expect(45, 60);
	/* Somebody changed it. */
	expect(0, 0);
	expect(44, 0);
	job.limit_s = 1800;
	expect(45, 0);
}
END_TEST

START_TEST(test_left)
{
	job.running = true;
	expect(0, 0);
	set_up();
	job.limit_set_min = 0;
	expect(0, 0);
	set_up();
	strcpy(job.id, "12_3");
	expect(0, 0);
	strcpy(job.id, "12+1");
	expect(0, 0);
	set_up();
	strcpy(job.partitions, "a,free");
	expect(0, 0);
	set_up();
	p.own_runs = 9;
	expect(0, 0);
	set_up();
	p.extrapolated = true;
	expect(0, 0);
	set_up();
	job.node_cpus = 0;
	expect(0, 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_raised, test_again, test_left,
				       NULL };

	return suite_run_each("limit_raise", tests, set_up, NULL);
}
