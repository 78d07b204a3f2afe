/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_config.c - what `scontrol show config` says of use here */
#include <math.h>
#include <string.h>

#include "predictor/base/conf.h"
#include "predictor/base/piece.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_config.h"

#define NODES_GOAL_DEFAULT "index"
#define QUANTILE_DEFAULT   0.9

/* Defaults of job_submit_predict(8); a unit test compares. */
#define PLAN_ORDER_DEFAULT 42
#define PLAN_HOURS_DEFAULT 2
#define HOUR_S             3600.0

#define RESERVATIONS_MOST 100000 /* as Slurm has it */

/* Copy `text` up to one of `ends`; nothing if it is empty or does not fit. */
static void word_copy(const char *text, const char *ends, char *ret,
		      size_t size)
{
	text = text ? text : "";

	if (!piece_copy(ret, size, text, strcspn(text, ends)))
		*ret = '\0';
}

/* Return the value of a token "name=value" in a comma separated list. */
static const char *token_value(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list && *list && *list != '\n') {
		if (strncmp(list, name, length) == 0 && list[length] == '=')
			return list + length + 1;
		list += strcspn(list, ",\n");
		list += *list == ',';
	}
	return NULL;
}

static void token_copy(const char *list, const char *name, char *ret,
		       size_t size)
{
	word_copy(token_value(list, name), ", \n", ret, size);
}

bool slurm_config_lists(const char *list, char separator, const char *word)
{
	const char ends[] = { ' ', separator, '\n', '\0' };

	while (list && *list && *list != '\n') {
		size_t length = strcspn(list, ends);

		if (length == strlen(word) && !strncmp(list, word, length))
			return true;
		list += strcspn(list, ends + 1);
		list += *list == separator;
	}
	return false;
}

static bool config_has(const char *text, const char *key, const char *word)
{
	return slurm_config_lists(scontrol_config_value(text, key), ',', word);
}

static double token_number(const char *tokens, const char *name, double most,
			   double otherwise)
{
	char number[16];

	token_copy(tokens, name, number, sizeof(number));
	conf_number(number, 0, most, &otherwise, NULL);
	return otherwise;
}

/* predict_plan=on, and no predict_plan.PARTITION, which may be another. */
static bool plan_everywhere(const char *tokens)
{
	const char *one = tokens ? strstr(tokens, "predict_plan.") : NULL;
	char word[8];

	token_copy(tokens, "predict_plan", word, sizeof(word));
	return strcmp(word, "on") == 0 &&
	       (!one || one > tokens + strcspn(tokens, "\n"));
}

/* For jobs of all partitions without a setting of their own. */
static void nodes_goal_parse(const char *tokens,
			     char ret[SLURM_CONFIG_GOAL_SIZE])
{
	char mode[8];

	*ret = '\0';
	token_copy(tokens, "predict_nodes", mode, sizeof(mode));
	if (strcmp(mode, "act") != 0)
		return;
	token_copy(tokens, "predict_nodes_goal", ret, SLURM_CONFIG_GOAL_SIZE);
	if (!*ret)
		strcpy(ret, NODES_GOAL_DEFAULT);
}

/* "NAME" or "NAME(ADDRESS)". */
static void controller_parse(const char *host, char ret[RUN_NAME_SIZE])
{
	size_t name = host ? strcspn(host, "( \n") : 0;

	if (host && host[name] == '(')
		word_copy(host + name + 1, ") \n", ret, RUN_NAME_SIZE);
	else
		word_copy(host, " \n", ret, RUN_NAME_SIZE);
}

void slurm_config_parse(const char *text, struct slurm_config *ret)
{
	const char *tokens = scontrol_config_value(text, "SlurmctldParameters");
	const char *auth = scontrol_config_value(text, "AuthInfo");
	char number[16];

	*ret = (struct slurm_config){ .quantile = QUANTILE_DEFAULT };
	word_copy(scontrol_config_value(text, "ClusterName"), " \n",
		  ret->cluster, sizeof(ret->cluster));
	controller_parse(scontrol_config_value(text, "SlurmctldHost[0]"),
			 ret->controller);
	token_copy(tokens, "predict_url", ret->url, sizeof(ret->url));
	token_copy(auth, "socket", ret->munge_socket,
		   sizeof(ret->munge_socket));
	token_copy(tokens, "predict_quantile", number, sizeof(number));
	conf_number(number, 0.5, 0.999, &ret->quantile, NULL);
	word_copy(token_value(tokens, "predict_memory"), ", \n", number,
		  sizeof(number));
	ret->memory_unadvised = strcmp(number, "off") == 0;
	nodes_goal_parse(tokens, ret->nodes_goal);
	ret->overtaken_s =
		plan_everywhere(tokens)
			? token_number(tokens, "predict_plan_order", 100,
				       PLAN_ORDER_DEFAULT) *
				  token_number(tokens, "predict_plan_order_max",
					       1000, PLAN_HOURS_DEFAULT) *
				  HOUR_S
			: NAN;
	ret->plan_reserve =
		token_number(tokens, "predict_plan_reserve", 1000, 0);
	ret->limits_enforced = config_has(text, "EnforcePartLimits", "ANY") ||
			       config_has(text, "EnforcePartLimits", "ALL");
	ret->least_loaded = config_has(text, "SelectTypeParameters", "CR_LLN");
	ret->accrue_limits =
		config_has(text, "AccountingStorageEnforce", "limits");
	ret->user_top =
		config_has(text, "SchedulerParameters", "enable_user_top");
	ret->reservations = (uint32_t)token_number(
		scontrol_config_value(text, "SchedulerParameters"),
		"bf_job_part_count_reserve", RESERVATIONS_MOST, 0);

	const char *hidden = scontrol_config_value(text, "PrivateData");
	bool all = slurm_config_lists(hidden, ',', "all");

	ret->jobs_public =
		hidden && !all && !slurm_config_lists(hidden, ',', "jobs");
	ret->nodes_hidden =
		!hidden || all || slurm_config_lists(hidden, ',', "nodes");
}
