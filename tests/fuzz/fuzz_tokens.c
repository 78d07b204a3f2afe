/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_tokens.c - any text as slurm.conf's SlurmctldParameters */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/site/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void complain(void *context, const char *token, const char *why)
{
	(void)context;
	if (!*token || !*why)
		abort();
}

static void require(int holds)
{
	if (!holds)
		abort();
}

/* Whatever was written, the policy is one that can be followed. */
static void check(const struct policy *p)
{
	require(!client_check_url(p->url, NULL));
	require(p->timeout_ms >= 1 && p->timeout_ms <= 1000);
	require(p->mode < MODE_COUNT);
	require(p->quantile >= 0.5 && p->quantile <= 0.999);
	require(p->message <= MESSAGE_ON);
	require(p->margin_pct >= 0 && p->margin_pct <= 1000);
	require(p->plan_reserve >= 0 && p->plan_reserve_max_h >= 1);
	require(p->limit_min_min >= 1);
	require(p->partitions_count >= 0 &&
		p->partitions_count <= POLICY_PARTITIONS_MAX);
	for (int i = 0; i < p->partitions_count; i++) {
		const struct policy_partition *one = &p->partitions[i];

		require(one->name[0] && memchr(one->name, 0, RUN_NAME_SIZE));
		require(one->mode <= MODE_COUNT);
		require(policy_mode(p, one->name, NULL) < MODE_COUNT);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct policy policy;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	tokens_parse(text, &policy, complain, NULL);
	check(&policy);
	require(policy_mode(&policy, text, NULL) < MODE_COUNT);
	free(text);
	return 0;
}
