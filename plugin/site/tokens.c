/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tokens.c - the policy as written in slurm.conf
 *
 * A token is split into name, partition and value; the name's row in a table
 * says how it is parsed into the site's policy, and into a partition's if that
 * may be. Errors are reported to the caller, and the token is ignored.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plugin/site/plan.h"
#include "plugin/site/tokens.h"
#include "predictor/base/conf.h"

#define TOKEN_SIZE 384 /* the longest URL, and a word before it */
#define PREFIX     "predict_"

static int parse_url(const char *value, void *to, struct sp_error *err)
{
	if (client_check_url(value, err))
		return -1;
	return conf_text(value, to, sizeof(((struct policy *)NULL)->url), err);
}

static int parse_timeout(const char *value, void *to, struct sp_error *err)
{
	return conf_integer(value, 1, 1000, to, err);
}

static int parse_mode(const char *value, void *to, struct sp_error *err)
{
	if (prediction_mode_parse(value, to))
		return sp_error_set(err, "must be off, observe, advise or act");
	return 0;
}

static int parse_quantile(const char *value, void *to, struct sp_error *err)
{
	return conf_number(value, 0.5, 0.999, to, err);
}

static int parse_message(const char *value, void *to, struct sp_error *err)
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
	*(enum policy_message *)to = (enum policy_message)i;
	return 0;
}

static int parse_place(const char *value, void *to, struct sp_error *err)
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
	*(enum policy_place *)to = (enum policy_place)i;
	return 0;
}

static int parse_margin(const char *value, void *to, struct sp_error *err)
{
	double percent;

	if (conf_number(value, 0, 1000, &percent, err))
		return -1;
	*(double *)to = percent / 100;
	return 0;
}

static int parse_minutes(const char *value, void *to, struct sp_error *err)
{
	long minutes;

	if (conf_integer(value, 1, 5270400, &minutes, err)) /* ten years */
		return -1;
	*(uint32_t *)to = (uint32_t)minutes;
	return 0;
}

static int parse_plan(const char *value, void *to, struct sp_error *err)
{
	static const char *const words[] = { "off", "observe", "on", NULL };
	static const enum policy_plan plans[] = { PLAN_OFF, PLAN_OBSERVE,
						  PLAN_ON };
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	*(enum policy_plan *)to = plans[i];
	return 0;
}

static int parse_plan_order(const char *value, void *to, struct sp_error *err)
{
	return conf_number(value, 0, PLAN_ORDER_MOST, to, err);
}

static int parse_plan_order_max(const char *value, void *to,
				struct sp_error *err)
{
	long hours;

	if (conf_integer(value, 1, PLAN_HOURS_MOST, &hours, err))
		return -1;
	*(uint32_t *)to = (uint32_t)hours * 60;
	return 0;
}

static int parse_goal(const char *value, void *to, struct sp_error *err)
{
	return moldable_goal_parse(value, to, err);
}

static int parse_partition_goal(const char *value, void *to,
				struct sp_error *err)
{
	struct policy_partition *p = to;

	if (moldable_goal_parse(value, &p->nodes_goal, err))
		return -1;
	p->has_nodes_goal = true;
	return 0;
}

static int parse_plan_key(const char *value, void *to, struct sp_error *err)
{
	static const char *const words[] = {
		[PLAN_KEY_LIMIT] = "limit",
		[PLAN_KEY_P50] = "p50",
		NULL,
	};
	int i;

	if (conf_word(value, words, &i, err))
		return -1;
	*(enum policy_plan_key *)to = (enum policy_plan_key)i;
	return 0;
}

static int parse_runs(const char *value, void *to, struct sp_error *err)
{
	long runs;

	if (conf_integer(value, 1, 1000000, &runs, err))
		return -1;
	*(uint32_t *)to = (uint32_t)runs;
	return 0;
}

#define SITE(parse, member) parse, offsetof(struct policy, member)
#define BOTH(parse, member) \
	SITE(parse, member), parse, offsetof(struct policy_partition, member)

const struct policy_token policy_tokens[] = {
	{ PREFIX "url", SITE(parse_url, url), NULL, 0 },
	{ PREFIX "timeout_ms", SITE(parse_timeout, timeout_ms), NULL, 0 },
	{ PREFIX "mode", BOTH(parse_mode, mode) },
	{ PREFIX "quantile", SITE(parse_quantile, quantile), NULL, 0 },
	{ PREFIX "message", SITE(parse_message, message), NULL, 0 },
	{ PREFIX "place", BOTH(parse_place, place) },
	{ PREFIX "margin_pct", SITE(parse_margin, margin), NULL, 0 },
	{ PREFIX "act_min_runs", SITE(parse_runs, act_min_runs), NULL, 0 },
	{ PREFIX "limit_min", SITE(parse_minutes, limit_min_min), NULL, 0 },
	{ PREFIX "limit_max", BOTH(parse_minutes, limit_max_min) },
	{ PREFIX "plan", BOTH(parse_plan, plan) },
	{ PREFIX "plan_order", SITE(parse_plan_order, plan_order), NULL, 0 },
	{ PREFIX "plan_order_max",
	  SITE(parse_plan_order_max, plan_order_max_min), NULL, 0 },
	{ PREFIX "nodes", BOTH(parse_mode, nodes) },
	{ PREFIX "nodes_goal", SITE(parse_goal, nodes_goal),
	  parse_partition_goal, 0 },
	{ PREFIX "plan_key", SITE(parse_plan_key, plan_key), NULL, 0 },
	{ PREFIX "plan_min", SITE(parse_runs, plan_min_runs), NULL, 0 },
	{ .name = NULL },
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
	if (row->parse_partition(value, (char *)&trial + row->in_partition,
				 err))
		return -1;

	struct policy_partition *p = policy_partition_get(policy, partition);

	if (!p)
		return sp_error_set(err,
				    "too long a name, or more than %d "
				    "partitions",
				    POLICY_PARTITIONS_MAX);
	return row->parse_partition(value, (char *)p + row->in_partition, err);
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
			return row->parse(value,
					  (char *)policy + row->in_policy, err);
		if (!row->parse_partition)
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
