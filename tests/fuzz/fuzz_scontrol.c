/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_scontrol.c - any bytes as what scontrol prints */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/slurm/node_record.h"
#include "predictor/slurm/slurm_config.h"

static void check_nodes(const char *text)
{
	struct sp_error err;
	struct node_facts *facts = node_records_read("c", text, &err);

	for (uint32_t i = 0; facts && i < facts->count; i++) {
		const struct node_facts_node *node = &facts->nodes[i];

		if (!*node->name || node->kind >= facts->kind_count ||
		    node->place >= facts->count)
			abort();
	}
	node_facts_put(facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct slurm_config config;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	check_nodes(text);
	slurm_config_parse(text, &config);
	if (!(config.quantile >= 0.5 && config.quantile <= 0.999))
		abort();
	free(text);
	return 0;
}
