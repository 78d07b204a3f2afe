/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_job_submit_predict.c - what a submission gets, from slurmctld's
 * call on */
#include "plugin/site/plan.h"
#include "plugin/site/recent_models.h"
#include "tests/unit/plugin/job_submit/submission_case.h"
#include "tests/unit/suite.h"

/* --- What it adds --------------------------------------------------------- */

START_TEST(test_advises)
{
	submit();
	ck_assert_str_eq(desc.admin_comment,
			 "predict=" ID ":p50=3m12,p90=4m05");
	ck_assert_str_eq(err_msg, "predict: 3m12 expected, under 4m05 with 90% "
				  "(41 similar runs)");
	ck_assert_str_eq(spank_variable(OPTION_PREDICTION_VARIABLE), ID);
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_uint_eq(desc.site_factor, NO_VAL);
	ck_assert_ptr_null(spank_variable(OPTION_PROFILE_VARIABLE));
	ck_assert_ptr_nonnull(strstr(server.request, "\"cluster\":\"little\""));
	ck_assert_ptr_nonnull(strstr(server.request, "\"mode\":\"advise\""));
	ck_assert_ptr_nonnull(strstr(server.request, "\"user_id\":1007"));
}
END_TEST

/* Texts of others, in AdminComment and for the user, stay before ours. */
START_TEST(test_keeps_what_stands_there)
{
	desc.admin_comment = strdup("paid");
	err_msg = strdup("hello");
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size, "A=1");
	submit();
	ck_assert_int_eq(strncmp(desc.admin_comment, "paid,predict=" ID, 29),
			 0);
	ck_assert_int_eq(strncmp(err_msg, "hello\npredict: ", 15), 0);
	ck_assert_uint_eq(desc.spank_job_env_size, 2);
	ck_assert_str_eq(desc.spank_job_env[0], "A=1");
}
END_TEST

/* Ids and arguments that the user has put there are removed. */
START_TEST(test_variables_of_users)
{
	policy_set(",predict_mode=off");
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_PREDICTION_VARIABLE "=ffffffffffffffff");
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_PREDICTION_VARIABLE "S=kept");
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_ARGUMENTS_VARIABLE "=rm -rf");
	submit();
	ck_assert_uint_eq(desc.spank_job_env_size, 1);
	ck_assert_str_eq(desc.spank_job_env[0],
			 OPTION_PREDICTION_VARIABLE "S=kept");
}
END_TEST

/* In mode observe people see nothing, and in mode off nothing is requested. */
START_TEST(test_modes)
{
	submit_in(",predict_mode=observe");
	ck_assert_str_eq(desc.admin_comment, "predict=" ID);
	ck_assert_ptr_null(err_msg);
	ck_assert_str_eq(spank_variable(OPTION_PREDICTION_VARIABLE), ID);
	ck_assert_int_eq(server.requests, 1);
	submit_in(",predict_mode=off");
	ck_assert_ptr_null(desc.admin_comment);
	ck_assert_int_eq(server.requests, 1);
	/* The message alone can be off. */
	submit_in(",predict_message=off");
	ck_assert_str_eq(desc.admin_comment, "predict=" ID);
	ck_assert_ptr_null(err_msg);
	/* A user lowers the mode. */
	desc_clear();
	policy_set(",predict_mode=act");
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_MODE_VARIABLE "=off");
	submit();
	ck_assert_ptr_null(desc.admin_comment);
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_int_eq(server.requests, 2);
}
END_TEST

/* The default partition counts for a job that names none. */
START_TEST(test_default_partition)
{
	default_part_name = "debug";
	submit_in(",predict_mode=off,predict_mode.debug=observe");
	ck_assert_int_eq(server.requests, 1);
	ck_assert_ptr_nonnull(
		strstr(server.request, "\"partition\":\"debug\""));
	default_part_name = "other";
	submit_in(",predict_mode=off,predict_mode.debug=observe");
	ck_assert_int_eq(server.requests, 1);
}
END_TEST

/* Root submits for nobody in particular: slurmctld then says who submits. */
START_TEST(test_user)
{
	desc.user_id = NO_VAL;
	ck_assert_int_eq(job_submit(&desc, 1234, &err_msg), SLURM_SUCCESS);
	ck_assert_ptr_nonnull(strstr(server.request, "\"user_id\":1234"));
}
END_TEST

/* --- Limits --------------------------------------------------------------- */

/* 245 s and 20 % are 4.9 minutes. */
START_TEST(test_limit)
{
	submit_in(ACT);
	ck_assert_uint_eq(desc.time_limit, 5);
	ck_assert_ptr_nonnull(strstr(err_msg, "; limit set to 5m00"));
	submit_in(ACT ",predict_limit_max=3");
	ck_assert_uint_eq(desc.time_limit, 3);
	submit_in(ACT ",predict_limit_min=60");
	ck_assert_uint_eq(desc.time_limit, 60);
	ck_assert_ptr_nonnull(
		strstr(desc.admin_comment, "p90=4m05,predict_limit=60"));
	/* In the other modes none is set. */
	submit_in(",predict_mode=advise");
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
}
END_TEST

/* A user's own limit, deadline or least time is left alone. */
START_TEST(test_limit_of_user)
{
	policy_set(ACT);
	desc.time_limit = 7;
	submit();
	ck_assert_uint_eq(desc.time_limit, 7);
	desc_clear();
	desc.deadline = 1;
	submit();
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	desc_clear();
	desc.time_min = 6;
	submit();
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	desc_clear();
	desc.time_min = 5;
	submit();
	ck_assert_uint_eq(desc.time_limit, 5);
}
END_TEST

/* Without evidence no limit is set, and the log says why. */
START_TEST(test_no_limit)
{
	submit_in(ACT ",predict_act_min_runs=42");
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_ptr_nonnull(
		strstr(stub_log, "no limit is set: too few runs"));
	ck_assert_ptr_null(strstr(err_msg, "limit set"));
	/* `sbatch --test-only`: no job follows, as the missing id says. */
	predictd_reply(
		"\"basis\": \"history\", \"median_s\": 192, "
		"\"quantile\": 0.9, \"quantile_s\": 245, \"runs\": 41, "
		"\"own_runs\": 41, \"judged\": 40, \"held\": 38, "
		"\"evidence_level\": \"application\", \"evidence_runs\": 41",
		"");
	submit_in(ACT);
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_ptr_null(desc.admin_comment);
	ck_assert_ptr_null(spank_variable(OPTION_PREDICTION_VARIABLE));
	ck_assert_ptr_nonnull(strstr(err_msg, "3m12 expected"));
}
END_TEST

/* --- The number of nodes -------------------------------------------------- */

/* A job that runs on 2 nodes for 192 s, on 1 to 4 for 384 to 96. */
#define CURVE ", \"placement\": \"1 2 2 192\""

START_TEST(test_open_nodes)
{
	predictd_reply(HISTORY, CURVE);
	desc.min_nodes = 1;
	desc.max_nodes = 4;
	policy_set(",predict_nodes=act" ACT);
	submit();
	/* predictd chose no number: the select plugin may only advise. */
	ck_assert_str_eq(spank_variable(OPTION_NODES_VARIABLE), "advise");
	/* On one node it may run longer than on those predicted, which is not
	 * known: no limit. */
	ck_assert_uint_eq(desc.time_limit, NO_VAL);
	ck_assert_ptr_nonnull(strstr(stub_log, "no limit is set: the run time "
					       "is not known on each number"));
	desc_clear();
	predictd_reply(HISTORY ", \"nodes_best\": 3", CURVE);
	desc.min_nodes = 1;
	desc.max_nodes = 4;
	submit();
	ck_assert_str_eq(spank_variable(OPTION_NODES_VARIABLE), "act");
	/* A fixed number leaves nothing to choose, whatever the user set. */
	desc_clear();
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_NODES_VARIABLE "=act");
	submit();
	ck_assert_ptr_null(spank_variable(OPTION_NODES_VARIABLE));
}
END_TEST

/* --- Profiles and models -------------------------------------------------- */

#define OF_STEPS "SLURM_SPANK_" OPTION_PROFILE_VARIABLE

START_TEST(test_profile)
{
	predictd_reply(HISTORY, ", \"profile\": true");
	desc.script = "#!/bin/sh\n./heat\n";
	submit();
	ck_assert_str_eq(spank_variable(OPTION_PROFILE_VARIABLE), "packets");
	ck_assert_uint_eq(desc.env_size, 1);
	ck_assert_str_eq(desc.environment[0], OF_STEPS "=packets");
	/* srun and salloc have no script, and an environment of their own. */
	desc_clear();
	submit();
	ck_assert_str_eq(spank_variable(OPTION_PROFILE_VARIABLE), "packets");
	ck_assert_uint_eq(desc.env_size, 0);
	/* What the user wants counts. */
	desc_clear();
	desc.script = "#!/bin/sh\n./heat\n";
	variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
		     OPTION_PROFILE_VARIABLE "=mpi");
	submit();
	ck_assert_str_eq(spank_variable(OPTION_PROFILE_VARIABLE), "mpi");
	ck_assert_uint_eq(desc.env_size, 0);
}
END_TEST

/* The select plugin gets the model of a job that no snapshot has yet. */
START_TEST(test_recent_model)
{
	char text[RECENT_MODEL_SIZE];

	ck_assert_int_eq(predict_recent_model(ID, text), -1);
	predictd_reply(HISTORY, CURVE);
	submit();
	ck_assert_int_eq(predict_recent_model(ID, text), 0);
	ck_assert_str_eq(text, "1 2 2 192");
}
END_TEST

/* --- Arrays --------------------------------------------------------------- */

START_TEST(test_bundle)
{
	predictd_reply(HISTORY ", \"start_cost_s\": 60", "");
	desc.array_inx = "1-100";
	submit();
	ck_assert_ptr_nonnull(strstr(err_msg, "\npredict: starting a job takes "
					      "60.0s"));
	desc_clear();
	desc.array_inx = "1-99";
	submit();
	ck_assert_ptr_null(strstr(err_msg, "starting a job"));
	/* Not a word to people where the mode is observe. */
	desc_clear();
	desc.array_inx = "1-100";
	policy_set(",predict_mode=observe");
	submit();
	ck_assert_ptr_null(err_msg);
}
END_TEST

/* --- The order of the queue ----------------------------------------------- */

static int64_t factor_now(uint32_t limit_min)
{
	static struct policy policy;

	policy_init(&policy);
	policy.plan_key = PLAN_KEY_LIMIT;
	return plan_site_factor(&policy, time(NULL), 60.0 * limit_min);
}

START_TEST(test_plan)
{
	policy_set(",predict_plan=on,predict_plan_key=limit");
	desc.time_limit = 10;

	int64_t before = factor_now(10);

	submit();
	ck_assert_int_le((int64_t)desc.site_factor - NICE_OFFSET, before);
	ck_assert_int_ge((int64_t)desc.site_factor - NICE_OFFSET,
			 factor_now(10));
	/* Observed only, an operator's, or without multifactor: left alone. */
	submit_in(",predict_plan=observe,predict_plan_key=limit");
	ck_assert_uint_eq(desc.site_factor, NO_VAL);
	ck_assert_ptr_nonnull(strstr(stub_log, "would be set"));
	desc_clear();
	policy_set(",predict_plan=on");
	desc.site_factor = NICE_OFFSET + 5;
	submit();
	ck_assert_uint_eq(desc.site_factor, NICE_OFFSET + 5);
	slurm_conf.priority_type = "priority/basic";
	submit_in(",predict_plan=on");
	submit_in(",predict_plan=on");
	ck_assert_uint_eq(desc.site_factor, NO_VAL);

	const char *logged =
		strstr(stub_log, "predict_plan needs PriorityType");

	ck_assert_ptr_nonnull(logged);
	ck_assert_ptr_null(strstr(logged + 1, "predict_plan needs"));
}
END_TEST

/* A site that turned predictions off may order by limits all the same. */
START_TEST(test_plan_without_prediction)
{
	desc.time_limit = 10;
	policy_set(",predict_mode=off,predict_plan=on");
	submit();
	ck_assert_uint_ne(desc.site_factor, NO_VAL);
	ck_assert_ptr_nonnull(
		strstr(stub_log, "of limit: there is no prediction"));
}
END_TEST

/* A job waits from its --begin on. */
START_TEST(test_plan_begin)
{
	desc.time_limit = 10;
	desc.begin_time = time(NULL) + 5000;
	policy_set(",predict_plan=on,predict_plan_key=limit");
	submit();
	ck_assert_int_le((int64_t)desc.site_factor - NICE_OFFSET,
			 factor_now(10) - 4000);
}
END_TEST

/* predictd finds the place of a job that is changed. */
START_TEST(test_change)
{
	static job_desc_msg_t before;

	memcpy(&before, &desc, sizeof(before));
	policy_set(",predict_plan=on,predict_plan_key=limit");
	desc.time_limit = 5;
	ck_assert_int_eq(JOB_MODIFY(1007), SLURM_SUCCESS);
	desc.time_limit = before.time_limit;
	ck_assert_mem_eq(&desc, &before, sizeof(desc));
	ck_assert_ptr_null(err_msg);
}
END_TEST

/* For the select plugin; never the user's, and not without evidence. */
START_TEST(test_reserve)
{
	static const struct {
		const char *policy, *median;
	} rows[] = {
		{ ",predict_plan=on", NULL },
		{ ",predict_plan=on,predict_plan_reserve=20", "192" },
		{ ",predict_plan_reserve=20,predict_mode=observe", "192" },
		{ ",predict_plan_reserve=20,predict_mode=off", NULL },
		{ ",predict_plan_reserve=20,predict_plan_min=42", NULL },
	};

	predictd_reply(HISTORY, "");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		policy_set(rows[i].policy);
		variable_add(&desc.spank_job_env, &desc.spank_job_env_size,
			     OPTION_MEDIAN_VARIABLE "=1");
		submit();

		const char *median = spank_variable(OPTION_MEDIAN_VARIABLE);

		if (rows[i].median) {
			ck_assert_ptr_nonnull(median);
			ck_assert_str_eq(median, rows[i].median);
		} else {
			ck_assert_ptr_null(median);
		}
		desc_clear();
	}
}
END_TEST

static bool wants_start(void)
{
	const char *wanted;

	submit();
	wanted = strstr(server.request, "\"starts\":true");
	desc_clear();
	return wanted != NULL;
}

/* When it will start is not known of a job that waits for more than others. */
START_TEST(test_start)
{
	policy_set(",predict_message=on+start");
	ck_assert(wants_start());
	desc.begin_time = time(NULL) + 5000;
	ck_assert(!wants_start());
	desc.priority = 0;
	ck_assert(!wants_start());
	desc.dependency = "afterok:7";
	ck_assert(!wants_start());
	desc.dependency = "";
	ck_assert(wants_start());
	policy_set("");
	ck_assert(!wants_start());
}
END_TEST

#define STARTS                                            \
	", \"starts\": [17, 500, 0, 1, 2, 400, 0, 1, 2, " \
	"300, 0, 1, 2, 0, 1800, 3600, 5400]"

/* The key of the plan is before all; the newest job, of priority 17, is not. */
START_TEST(test_start_turn)
{
	predictd_reply(HISTORY, STARTS);
	policy_set(",predict_message=on+start,predict_plan=on");
	submit();
	ck_assert_ptr_nonnull(strstr(err_msg, "; starts at once"));
	desc_clear();
	slurm_conf.priority_type = "priority/basic";
	submit();
	ck_assert_ptr_nonnull(strstr(err_msg, "; starts about"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_advises,
		test_keeps_what_stands_there,
		test_variables_of_users,
		test_modes,
		test_default_partition,
		test_user,
		test_limit,
		test_limit_of_user,
		test_no_limit,
		test_open_nodes,
		test_profile,
		test_recent_model,
		test_bundle,
		test_plan,
		test_plan_without_prediction,
		test_plan_begin,
		test_reserve,
		test_change,
		test_start,
		test_start_turn,
		NULL,
	};

	return suite_run_each("job_submit_predict", tests, case_begin,
			      case_end);
}
