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
	double min, max; /* of a number; the value of the first of the words */
	/* Check `value` and store it in *to, `in_policy` bytes behind the begin
	 * of a struct policy. */
	int (*parse)(const struct policy_token *token, const char *value,
		     void *to, struct sp_error *err);
	size_t in_policy;
	/* The same for "NAME.PARTITION=VALUE" and a struct policy_partition;
	 * 0: not for one partition. */
	size_t in_partition;
	size_t in_partition_given; /* a bool that it was given; 0: none */
	const char *const *words;  /* of an enum, in its order */
};

extern const struct policy_token policy_tokens[]; /* ends with a NULL name */

/* Called for each token of ours that cannot be used, with the token (cut at
 * some length) and the reason. */
typedef void tokens_complaint(void *context, const char *token,
			      const char *why);

/* Parse the policy that `text` describes (NULL: none at all).  Invalid tokens
 * of ours are reported (NULL: nowhere) and ignored; tokens of others are
 * skipped. */
void tokens_parse(const char *text, struct policy *ret,
		  tokens_complaint *complain, void *context);
