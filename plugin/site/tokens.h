/* tokens.h - the policy as written in slurm.conf
 *
 * slurm.conf's SlurmctldParameters takes free tokens, separated by commas.
 * Ours begin with "predict_":
 *
 *   predict_url=URL                 unix:/PATH or http://HOST:PORT
 *   predict_timeout_ms=N            1 to 1000
 *   predict_mode=MODE               off, observe, advise or act
 *   predict_mode.PARTITION=MODE     the same for one partition
 *   predict_quantile=Q              0.5 to 0.999
 *   predict_message=WHEN            on, known or off
 *   predict_place=WHAT              off, observe or on: choose nodes
 *   predict_place.PARTITION=WHAT    the same for one partition
 *   predict_margin_pct=N            0 to 1000; act: on top of the quantile
 *   predict_limit_min=MINUTES       act: the least limit that is set
 *   predict_limit_max=MINUTES       act: the greatest (a partition's MaxTime)
 *   predict_limit_max.PARTITION=MINUTES
 *
 * Where a token stands twice the last one counts.
 */
#ifndef PLUGIN_SITE_TOKENS_H
#define PLUGIN_SITE_TOKENS_H

#include "plugin/site/policy.h"

/* Called for each token of ours that cannot be used, with the token (cut at
 * some length) and the reason. */
typedef void tokens_complaint(void *context, const char *token,
			      const char *why);

/* The policy that `text` describes (NULL: none at all).  What cannot be used
 * is complained about and ignored; tokens of others are passed over. */
void tokens_parse(const char *text, struct policy *ret,
		  tokens_complaint *complain, void *context);

#endif
