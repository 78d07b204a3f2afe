/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tables.c - print the rows of tables that documents describe
 *
 * A line has the document, a tab, and what must be found there.  Options are
 * not among them: the programs print these themselves (--help).
 */
#include <stdio.h>

#include "collectors/daemon/collectord_config.h"
#include "plugin/site/tokens.h"
#include "predictor/daemon/predictd_config.h"
#include "predictor/http/routes.h"

static void print_routes(void)
{
	static const char *const roles[] = {
		[ROLE_ANYBODY] = "anybody",
		[ROLE_USER] = "user",
		[ROLE_OPERATOR] = "operator",
		[ROLE_COLLECTOR] = "collector",
	};

	for (const struct route *r = routes; r->method; r++)
		printf("predictor/daemon/predictd.8\t%s %s: %s (%s)\n",
		       r->method, r->pattern, r->help, roles[r->role]);
}

static void print_keys(const struct conf_key keys[], const char *manual,
		       const char *sample)
{
	for (const struct conf_key *key = keys; key->name; key++) {
		if (key->removed)
			continue;
		printf("%s\t%s%s\n", manual, key->name,
		       key->restart ? " (restart)" : "");
		printf("%s\t%s\n", sample, key->name);
	}
}

static void print_tokens(const char *document)
{
	for (const struct policy_token *t = policy_tokens; t->name; t++) {
		printf("%s\t%s=\n", document, t->name);
		if (t->in_partition)
			printf("%s\t%s.PARTITION=\n", document, t->name);
	}
}

int main(void)
{
	print_routes();
	print_keys(predictd_config_keys, "predictor/daemon/predict.conf.5",
		   "etc/predict.conf.sample");
	print_keys(collectord_config_keys,
		   "collectors/daemon/collectord.conf.5",
		   "etc/collectord.conf.sample");
	print_tokens("plugin/job_submit/job_submit_predict.8");
	print_tokens("README.md");
	return 0;
}
