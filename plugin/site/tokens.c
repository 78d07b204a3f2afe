/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tokens.c - the policy as written in slurm.conf
 *
 * A token is split into name, partition and value; the name's row in a table
 * says how it is parsed into the site's policy, and into a partition's if that
 * may be. Errors are reported to the caller, and the token is ignored.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plugin/site/plan.h"
#include "plugin/site/tokens.h"
#include "predictor/base/conf.h"
#include "predictor/client/address.h"

#define TOKEN_SIZE 384 /* the longest URL, and a word before it */
#define PREFIX     "predict_"

/* --- Values --------------------------------------------------------------- */

static int parse_url(const struct policy_token *row UNUSED, const char *value,
		     void *to, struct sp_error *err)
{
	struct address address;

	if (address_parse(value, &address, err))
		return -1;
	return conf_text(value, to, sizeof(((struct policy *)NULL)->url), err);
}

static int parse_count(const struct policy_token *row, const char *value,
		       void *to, struct sp_error *err)
{
	long number;

	if (conf_integer(value, (long)row->min, (long)row->max, &number, err))
		return -1;
	*(uint32_t *)to = (uint32_t)number;
	return 0;
}

static int parse_number(const struct policy_token *row, const char *value,
			void *to, struct sp_error *err)
{
	return conf_number(value, row->min, row->max, to, err);
}

static int parse_word(const struct policy_token *row, const char *value,
		      void *to, struct sp_error *err)
{
	int i;

	if (conf_word(value, row->words, &i, err))
		return -1;
	*(unsigned *)to = (unsigned)i + (unsigned)row->min;
	return 0;
}

static int parse_mode(const struct policy_token *row UNUSED, const char *value,
		      void *to, struct sp_error *err)
{
	if (enum_words_parse(&prediction_mode_words, value, to))
		return sp_error_set(err, "must be off, observe, advise or act");
	return 0;
}

static int parse_goal(const struct policy_token *row UNUSED, const char *value,
		      void *to, struct sp_error *err)
{
	return moldable_goal_parse(value, to, err);
}

/* --- The tokens ----------------------------------------------------------- */

#define MINUTES_MAX 5270400 /* ten years */
#define RUNS_MOST   1000000

/* By the values of enums. */
static const char *const message_words[] = {
	"off", "known", "on", "off+start", "known+start", "on+start", NULL
};
static const char *const act_words[] = { "off", "observe", "on", NULL };
static const char *const memory_words[] = { "off", "advise", NULL };
static const char *const plan_key_words[] = { "limit", "p50", NULL };

#define SITE(parser, member) \
	.parse = (parser), .in_policy = offsetof(struct policy, member)
#define BOTH(parser, member)  \
	SITE(parser, member), \
		.in_partition = offsetof(struct policy_partition, member)
#define RANGE(least, most) .min = (least), .max = (most)

const struct policy_token policy_tokens[] = {
	{ PREFIX "url", SITE(parse_url, url) },
	{ PREFIX "timeout_ms", SITE(parse_count, timeout_ms), RANGE(1, 1000) },
	{ PREFIX "mode", BOTH(parse_mode, mode) },
	{ PREFIX "quantile", SITE(parse_number, quantile), RANGE(0.5, 0.999) },
	{ PREFIX "message", SITE(parse_word, message), .words = message_words },
	{ PREFIX "memory", SITE(parse_word, memory), .words = memory_words },
	{ PREFIX "place", BOTH(parse_word, place), .words = act_words },
	{ PREFIX "margin_pct", SITE(parse_number, margin_pct), RANGE(0, 1000) },
	{ PREFIX "act_min_runs", SITE(parse_count, act_min_runs),
	  RANGE(1, RUNS_MOST) },
	{ PREFIX "limit_min", SITE(parse_count, limit_min_min),
	  RANGE(1, MINUTES_MAX) },
	{ PREFIX "limit_max", BOTH(parse_count, limit_max_min),
	  RANGE(1, MINUTES_MAX) },
	{ PREFIX "plan", BOTH(parse_word, plan), .min = PLAN_OFF,
	  .words = act_words },
	{ PREFIX "plan_order", SITE(parse_number, plan_order),
	  RANGE(0, PLAN_ORDER_MOST) },
	{ PREFIX "plan_order_max", SITE(parse_count, plan_order_max_h),
	  RANGE(1, PLAN_HOURS_MOST) },
	{ PREFIX "plan_reserve", SITE(parse_number, plan_reserve),
	  RANGE(0, PLAN_SLOWDOWN_MOST) },
	{ PREFIX "plan_reserve_max", SITE(parse_count, plan_reserve_max_h),
	  RANGE(1, PLAN_HOURS_MOST) },
	{ PREFIX "nodes", BOTH(parse_mode, nodes) },
	{ PREFIX "nodes_goal", BOTH(parse_goal, nodes_goal),
	  .in_partition_given =
		  offsetof(struct policy_partition, has_nodes_goal) },
	{ PREFIX "plan_key", SITE(parse_word, plan_key),
	  .words = plan_key_words },
	{ PREFIX "plan_min", SITE(parse_count, plan_min_runs),
	  RANGE(1, RUNS_MOST) },
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
	if (row->parse(row, value, (char *)&trial + row->in_partition, err))
		return -1;

	struct policy_partition *p = policy_partition_get(policy, partition);

	if (!p)
		return sp_error_set(err,
				    "too long a name, or more than %d "
				    "partitions",
				    POLICY_PARTITIONS_MAX);
	if (row->in_partition_given)
		*(bool *)((char *)p + row->in_partition_given) = true;
	return row->parse(row, value, (char *)p + row->in_partition, err);
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
			return row->parse(row, value,
					  (char *)policy + row->in_policy, err);
		if (!row->in_partition)
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
			sp_error_set(&err, "is too long");
		else if (apply_token(ret, work, &err) == 0)
			continue;
		if (complain)
			complain(context, shown, err.text);
	}
}
