/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tokens.c - the policy as written in slurm.conf
 *
 * A token is split into name, partition and value; the name's row in a table has
 * a setter for the site's policy, and one for a partition's where that is allowed.
 * Errors are reported to the caller, and the token is ignored.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plugin/site/plan.h"
#include "plugin/site/tokens.h"
#include "predictor/base/conf.h"

#define TOKEN_SIZE 384 /* the longest URL, and a word before it */
#define PREFIX     "predict_"

static int set_url(struct policy *p, const char *value, struct sp_error *err)
{
	if (client_check_url(value, err))
		return -1;
	return conf_text(value, p->url, sizeof(p->url), err);
}

static int set_timeout(struct policy *p, const char *value,
		       struct sp_error *err)
{
	return conf_integer(value, 1, 1000, &p->timeout_ms, err);
}

static int parse_mode(const char *value, enum prediction_mode *ret,
		      struct sp_error *err)
{
	if (prediction_mode_parse(value, ret))
		return sp_error_set(err, "must be off, observe, advise or act");
	return 0;
}

static int set_mode(struct policy *p, const char *value, struct sp_error *err)
{
	return parse_mode(value, &p->mode, err);
}

static int set_partition_mode(struct policy_partition *p, const char *value,
			      struct sp_error *err)
{
	return parse_mode(value, &p->mode, err);
}

static int set_quantile(struct policy *p, const char *value,
			struct sp_error *err)
{
	return conf_number(value, 0.5, 0.999, &p->quantile, err);
}

static int set_message(struct policy *p, const char *value,
		       struct sp_error *err)
{
	static const char *const words[] = {
		[MESSAGE_OFF] = "off",
		[MESSAGE_KNOWN] = "known",
		[MESSAGE_ON] = "on",
		NULL,
	};
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	p->message = (enum policy_message)i;
	return 0;
}

static int parse_place(const char *value, enum policy_place *ret,
		       struct sp_error *err)
{
	static const char *const words[] = {
		[PLACE_OFF] = "off",
		[PLACE_OBSERVE] = "observe",
		[PLACE_ON] = "on",
		NULL,
	};
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	*ret = (enum policy_place)i;
	return 0;
}

static int set_place(struct policy *p, const char *value, struct sp_error *err)
{
	return parse_place(value, &p->place, err);
}

static int set_partition_place(struct policy_partition *p, const char *value,
			       struct sp_error *err)
{
	return parse_place(value, &p->place, err);
}

static int set_margin(struct policy *p, const char *value, struct sp_error *err)
{
	double percent;

	if (conf_number(value, 0, 1000, &percent, err))
		return -1;
	p->margin = percent / 100;
	return 0;
}

static int parse_minutes(const char *value, uint32_t *ret, struct sp_error *err)
{
	long minutes;

	if (conf_integer(value, 1, 5270400, &minutes, err)) /* ten years */
		return -1;
	*ret = (uint32_t)minutes;
	return 0;
}

static int set_limit_min(struct policy *p, const char *value,
			 struct sp_error *err)
{
	return parse_minutes(value, &p->limit_min_min, err);
}

static int set_limit_max(struct policy *p, const char *value,
			 struct sp_error *err)
{
	return parse_minutes(value, &p->limit_max_min, err);
}

static int set_partition_limit_max(struct policy_partition *p,
				   const char *value, struct sp_error *err)
{
	return parse_minutes(value, &p->limit_max_min, err);
}

static int parse_plan(const char *value, enum policy_plan *ret,
		      struct sp_error *err)
{
	static const char *const words[] = { "off", "observe", "on", NULL };
	static const enum policy_plan plans[] = { PLAN_OFF, PLAN_OBSERVE,
						  PLAN_ON };
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	*ret = plans[i];
	return 0;
}

static int set_plan(struct policy *p, const char *value, struct sp_error *err)
{
	return parse_plan(value, &p->plan, err);
}

static int set_partition_plan(struct policy_partition *p, const char *value,
			      struct sp_error *err)
{
	return parse_plan(value, &p->plan, err);
}

static int set_plan_order(struct policy *p, const char *value,
			  struct sp_error *err)
{
	return conf_number(value, 0, PLAN_ORDER_MOST, &p->plan_order, err);
}

static int set_plan_order_max(struct policy *p, const char *value,
			      struct sp_error *err)
{
	long hours;

	if (conf_integer(value, 1, PLAN_HOURS_MOST, &hours, err))
		return -1;
	p->plan_order_max_min = (uint32_t)hours * 60;
	return 0;
}

static int set_nodes(struct policy *p, const char *value, struct sp_error *err)
{
	return parse_mode(value, &p->nodes, err);
}

static int set_partition_nodes(struct policy_partition *p, const char *value,
			       struct sp_error *err)
{
	return parse_mode(value, &p->nodes, err);
}

static int set_nodes_goal(struct policy *p, const char *value,
			  struct sp_error *err)
{
	return moldable_goal_parse(value, &p->nodes_goal, err);
}

static int set_partition_nodes_goal(struct policy_partition *p,
				    const char *value, struct sp_error *err)
{
	if (moldable_goal_parse(value, &p->nodes_goal, err))
		return -1;
	p->has_nodes_goal = true;
	return 0;
}

static int set_plan_key(struct policy *p, const char *value,
			struct sp_error *err)
{
	static const char *const words[] = {
		[PLAN_KEY_LIMIT] = "limit",
		[PLAN_KEY_P50] = "p50",
		NULL,
	};
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	p->plan_key = (enum policy_plan_key)i;
	return 0;
}

static int parse_runs(const char *value, uint32_t *ret, struct sp_error *err)
{
	long runs;

	if (conf_integer(value, 1, 1000000, &runs, err))
		return -1;
	*ret = (uint32_t)runs;
	return 0;
}

static int set_plan_min(struct policy *p, const char *value,
			struct sp_error *err)
{
	return parse_runs(value, &p->plan_min_runs, err);
}

static int set_act_min_runs(struct policy *p, const char *value,
			    struct sp_error *err)
{
	return parse_runs(value, &p->act_min_runs, err);
}

const struct policy_token policy_tokens[] = {
	{ PREFIX "url", set_url, NULL },
	{ PREFIX "timeout_ms", set_timeout, NULL },
	{ PREFIX "mode", set_mode, set_partition_mode },
	{ PREFIX "quantile", set_quantile, NULL },
	{ PREFIX "message", set_message, NULL },
	{ PREFIX "place", set_place, set_partition_place },
	{ PREFIX "margin_pct", set_margin, NULL },
	{ PREFIX "act_min_runs", set_act_min_runs, NULL },
	{ PREFIX "limit_min", set_limit_min, NULL },
	{ PREFIX "limit_max", set_limit_max, set_partition_limit_max },
	{ PREFIX "plan", set_plan, set_partition_plan },
	{ PREFIX "plan_order", set_plan_order, NULL },
	{ PREFIX "plan_order_max", set_plan_order_max, NULL },
	{ PREFIX "nodes", set_nodes, set_partition_nodes },
	{ PREFIX "nodes_goal", set_nodes_goal, set_partition_nodes_goal },
	{ PREFIX "plan_key", set_plan_key, NULL },
	{ PREFIX "plan_min", set_plan_min, NULL },
	{ NULL, NULL, NULL },
};

static int set_for_partition(struct policy *policy,
			     const struct policy_token *row,
			     const char *partition, const char *value,
			     struct sp_error *err)
{
	struct policy_partition trial = { .mode = MODE_COUNT,
					  .place = PLACE_BY_MODE,
					  .nodes = MODE_COUNT };

	if (!*partition)
		return sp_error_set(err, "the partition is missing");
	/* A value that is refused must not leave an entry behind. */
	if (row->set_partition(&trial, value, err))
		return -1;

	struct policy_partition *p = policy_partition_get(policy, partition);

	if (!p)
		return sp_error_set(err,
				    "too long a name, or more than %d "
				    "partitions",
				    POLICY_PARTITIONS_MAX);
	return row->set_partition(p, value, err);
}

/* `token` is cut into its name, partition and value. */
static int apply_token(struct policy *policy, char *token, struct sp_error *err)
{
	char *value = strchr(token, '=');

	if (!value)
		return sp_error_set(err, "has no value");
	*value++ = '\0';

	char *partition = strchr(token, '.');

	if (partition)
		*partition++ = '\0';
	for (const struct policy_token *row = policy_tokens; row->name; row++) {
		if (strcasecmp(row->name, token))
			continue;
		if (!partition)
			return row->set(policy, value, err);
		if (!row->set_partition)
			return sp_error_set(err, "cannot be set for one "
						 "partition");
		return set_for_partition(policy, row, partition, value, err);
	}
	return sp_error_set(err, "no such setting");
}

void tokens_parse(const char *text, struct policy *ret,
		  tokens_complaint *complain, void *context)
{
	static const char blanks[] = " \t";

	policy_init(ret);
	for (const char *at = text ? text : ""; *at;) {
		at += strspn(at, blanks);

		size_t length = strcspn(at, ",");
		const char *token = at;

		at += length + (at[length] == ',');
		while (length && strchr(blanks, token[length - 1]))
			length--;
		if (strncasecmp(token, PREFIX, strlen(PREFIX)))
			continue;

		char shown[TOKEN_SIZE];
		char work[TOKEN_SIZE];
		struct sp_error err;

		snprintf(shown, sizeof(shown), "%.*s", (int)length, token);
		memcpy(work, shown, sizeof(work));
		if (length >= TOKEN_SIZE)
			complain(context, shown, "is too long");
		else if (apply_token(ret, work, &err))
			complain(context, shown, err.text);
	}
}
