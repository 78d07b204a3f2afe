/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tokens.h - the policy as written in slurm.conf
 *
 * SlurmctldParameters takes free tokens, separated by commas.  Ours begin with
 * "predict_"; job_submit_predict(8) describes them.
 *
 * If a token is given twice, the last one counts.
 */
#ifndef PLUGIN_SITE_TOKENS_H
#define PLUGIN_SITE_TOKENS_H

#include "plugin/site/policy.h"

struct policy_token {
	const char *name;
	/* Check `value` and store it in *p. */
	int (*set)(struct policy *p, const char *value, struct sp_error *err);
	/* The same for "NAME.PARTITION=VALUE"; NULL: not for one partition. */
	int (*set_partition)(struct policy_partition *p, const char *value,
			     struct sp_error *err);
};

extern const struct policy_token policy_tokens[]; /* ends with a NULL name */

/* Called for each token of ours that cannot be used, with the token (cut at
 * some length) and the reason. */
typedef void tokens_complaint(void *context, const char *token,
			      const char *why);

/* The policy that `text` describes (NULL: none at all).  Invalid tokens of
 * ours are reported and ignored; tokens of others are skipped. */
void tokens_parse(const char *text, struct policy *ret,
		  tokens_complaint *complain, void *context);

#endif
