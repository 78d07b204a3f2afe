/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_record.c - nodes as `scontrol --oneliner show node` prints them
 *
 * A line is a list of KEY=VALUE; a table of keys says which function takes
 * the value. Only the first of each key counts, since texts that users write
 * stand behind. A line that makes no sense fails the whole listing, and the
 * facts known before stay.
 */
#include <stdlib.h>
#include <string.h>

#include "predictor/base/conf.h"
#include "predictor/slurm/node_record.h"
#include "predictor/slurm/scontrol_record.h"
#include "predictor/slurm/slurm_values.h"

#define MEMORY_MAX_MB 1e12

struct node_record {
	struct node_properties properties;
	double reserved_mb; /* for the system */
};

/* A text or a list that is cut would be another one. */
static int slurm_read_whole(const char *value, void *to, size_t size)
{
	if (strlen(value) >= size)
		return -1;
	slurm_text_copy(value, to, size);
	return 0;
}

static int slurm_read_megabytes(const char *value, void *to, size_t size UNUSED)
{
	return conf_number(value, 0, MEMORY_MAX_MB, to, NULL);
}

/* What keeps jobs off a node, of the words of State: "IDLE+DRAIN", "DOWN*". */
static int set_state(void *into, const char *value)
{
	static const char closing[] =
		" DOWN DRAIN DRAINED DRAINING ERROR FAIL FAILING FUTURE"
		" INVAL INVALID_REG MAINT NO_RESPOND NOT_RESPONDING REBOOT"
		" REBOOT_ISSUED REBOOT_REQUESTED RESERVED UNKNOWN ";
	struct node_record *r = into;

	while (*value) {
		size_t length = strcspn(value, "+*~#!%$@^-");

		for (const char *c = closing + 1; *c; c += strcspn(c, " ") + 1)
			if (strcspn(c, " ") == length &&
			    !strncmp(value, c, length))
				r->properties.closed = true;
		value += length;
		if (*value == '*') /* it does not respond */
			r->properties.closed = true;
		value += *value != '\0';
	}
	return 0;
}

#define READ(reader, member) SLURM_MEMBER(reader, struct node_record, member)

/* Texts that operators and systems write, with blanks in them (OS, Reason,
 * Comment), stand behind these: the first of each key counts. */
static const struct scontrol_key keys[] = {
	{ "NodeName", READ(whole, properties.name) },
	{ "CPUTot", READ(number, properties.cpus) },
	{ "CPUEfctv", READ(number, properties.cpus) },
	{ "ActiveFeatures", READ(whole, properties.features) },
	{ "Gres", READ(whole, properties.gres) },
	{ "RealMemory", READ(megabytes, properties.memory_mb) },
	{ "MemSpecLimit", READ(megabytes, reserved_mb) },
	{ "State", .set = set_state },
	{ "Weight", READ(number, properties.weight) },
	{ "Partitions", READ(whole, properties.partitions) },
	{ .name = NULL },
};

int node_record_parse(const char *line, size_t length,
		      struct node_properties *ret, struct sp_error *err)
{
	struct node_record record = { .properties.weight = 1 };

	if (scontrol_record_read(line, length, keys, &record, err))
		return -1;
	*ret = record.properties;
	if (!*ret->name)
		return sp_error_set(err, "scontrol: a line without NodeName");
	if (record.reserved_mb < ret->memory_mb)
		ret->memory_mb -= record.reserved_mb;
	return 0;
}

struct node_facts *node_records_read(const char *cluster, const char *text,
				     struct sp_error *err)
{
	struct node_facts *facts = node_facts_create(cluster);
	struct node_properties *node = malloc(sizeof(*node));

	if (!facts || !node) {
		sp_error_set(err, "out of memory");
		goto failed;
	}
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length && (node_record_parse(text, length, node, err) ||
			       node_facts_add(facts, node, err)))
			goto failed;
		text += length + (text[length] == '\n');
	}
	if (node_facts_arrange(facts, err))
		goto failed;
	free(node);
	return facts;
failed:
	free(node);
	node_facts_put(facts);
	return NULL;
}
