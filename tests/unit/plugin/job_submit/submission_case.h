/* SPDX-License-Identifier: GPL-2.0-or-later */
/* submission_case.h - a submission to the plugin, and a predictd with
 * fixed replies
 *
 * The plugin is loaded as slurmctld does it.
 */
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/spank_options.h"
#include "predictor/client/client.h"
#include "tests/unit/plugin/slurm_stub.h"
#include "tests/unit/predictor/client/canned.h"

/* What the plugin exports. */
extern uint32_t plugin_version;
extern const char plugin_type[];
int init(void);
int fini(void);
int job_submit(job_desc_msg_t *desc, uint32_t submit_uid, char **err_msg);
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
int job_modify(job_desc_msg_t *desc, void *job, uint32_t uid, char **err_msg);
#define JOB_MODIFY(uid) job_modify(&desc, NULL, (uid), &err_msg)
#else
int job_modify(job_desc_msg_t *desc, void *job, uint32_t uid);
#define JOB_MODIFY(uid) job_modify(&desc, NULL, (uid))
#endif

#define ID "0123456789abcdef"

/* 41 runs of the user's, all judged and held: good enough for a limit. */
#define HISTORY                                                                \
	"\"id\": \"" ID "\", \"basis\": \"history\", \"median_s\": 192, "      \
	"\"quantile\": 0.9, \"quantile_s\": 245, \"runs\": 41, \"own_runs\": " \
	"41, \"judged\": 40, \"held\": 38, \"evidence_level\": "               \
	"\"application\", \"evidence_runs\": 41"

#define ACT ",predict_mode=act"

#define VARIABLES_MAX 8

static struct canned server;
static char parameters[512];
static job_desc_msg_t desc;
static char *err_msg;

/* --- A submission --------------------------------------------------------- */

static void desc_init(void)
{
	memset(&desc, 0, sizeof(desc));
	desc.user_id = 1007;
	desc.min_nodes = desc.max_nodes = 2;
	desc.num_tasks = NO_VAL;
	desc.ntasks_per_node = NO_VAL16;
	desc.cpus_per_task = NO_VAL16;
	desc.min_cpus = NO_VAL;
	desc.pn_min_memory = NO_VAL64;
	desc.time_limit = NO_VAL;
	desc.time_min = NO_VAL;
	desc.priority = NO_VAL;
	desc.site_factor = NO_VAL;
	desc.shared = NO_VAL16;
	desc.name = "heat";
}

static void variable_add(char ***variables, uint32_t *count, const char *text)
{
	if (!*variables)
		*variables = calloc(VARIABLES_MAX, sizeof(**variables));
	(*variables)[(*count)++] = strdup(text);
}

static void variables_free(char **variables, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free(variables[i]);
	free(variables);
}

static void desc_clear(void)
{
	variables_free(desc.spank_job_env, desc.spank_job_env_size);
	variables_free(desc.environment, desc.env_size);
	free(desc.admin_comment);
	free(err_msg);
	err_msg = NULL;
	desc_init();
}

/* The value of a variable for prologs and the select plugin; NULL: not set. */
static const char *spank_variable(const char *name)
{
	size_t length = strlen(name);

	for (uint32_t i = 0; i < desc.spank_job_env_size; i++)
		if (!strncmp(desc.spank_job_env[i], name, length) &&
		    desc.spank_job_env[i][length] == '=')
			return desc.spank_job_env[i] + length + 1;
	return NULL;
}

static void policy_set(const char *more)
{
	snprintf(parameters, sizeof(parameters),
		 "predict_url=%s,predict_timeout_ms=1000%s", server.url, more);
	slurm_conf.slurmctld_params = parameters;
}

/* A predictd that replies with this prediction, members within {}. */
static void predictd_reply(const char *prediction, const char *more)
{
	static char reply[4096];
	char body[2048];

	snprintf(body, sizeof(body), "{\"prediction\": {%s}%s}", prediction,
		 more);
	snprintf(reply, sizeof(reply), OK_HEAD "Content-Length: %zu\r\n\r\n%s",
		 strlen(body), body);
	server.reply = reply;
}

static void case_begin(void)
{
	server = (struct canned){ .requests_each = 1 };
	canned_start(&server);
	predictd_reply(HISTORY, "");
	stub_reset();
	slurm_conf.cluster_name = "little";
	slurm_conf.priority_type = "priority/multifactor";
	policy_set("");
	desc_init();
	ck_assert_int_eq(init(), SLURM_SUCCESS);
}

static void case_end(void)
{
	ck_assert_int_eq(fini(), SLURM_SUCCESS);
	desc_clear();
	canned_stop(&server);
}

static void submit(void)
{
	ck_assert_int_eq(job_submit(&desc, 0, &err_msg), SLURM_SUCCESS);
}

/* Submit a job in that policy, whose description is then as it was sent, but
 * for what the plugin added. */
static void submit_in(const char *policy)
{
	desc_clear();
	policy_set(policy);
	submit();
}
