/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tokens.h - the policy as written in slurm.conf
 *
 * SlurmctldParameters takes free tokens, separated by commas.  Ours begin with
 * "predict_"; job_submit_predict(8) describes them.
 *
 * If a token is given twice, the last one counts.
 */
#pragma once

#include "plugin/site/policy.h"

struct policy_token {
	const char *name;
	/* Check `value` and store it in *to, `in_policy` bytes behind the begin
	 * of a struct policy. */
	int (*parse)(const char *value, void *to, struct sp_error *err);
	size_t in_policy;
	/* The same for "NAME.PARTITION=VALUE" and a struct policy_partition;
	 * NULL: not for one partition. */
	int (*parse_partition)(const char *value, void *to,
			       struct sp_error *err);
	size_t in_partition;
};

extern const struct policy_token policy_tokens[]; /* ends with a NULL name */

/* Called for each token of ours that cannot be used, with the token (cut at
 * some length) and the reason. */
typedef void tokens_complaint(void *context, const char *token,
			      const char *why);

/* Parse the policy that `text` describes (NULL: none at all).  Invalid tokens
 * of ours are reported and ignored; tokens of others are skipped. */
void tokens_parse(const char *text, struct policy *ret,
		  tokens_complaint *complain, void *context);
