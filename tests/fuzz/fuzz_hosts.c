/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_hosts.c - an order of ranks, and steps that may have it or not
 *
 * Four texts with NUL between: the file, the job's nodes, its tasks on each,
 * and the line of srun, whose words end with newlines.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/spank/step_order.h"

#define WORDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *nodes, *tasks;

static char *value(const char *name)
{
	if (!strcmp(name, "SLURM_JOB_NODELIST"))
		return (char *)nodes;
	if (!strcmp(name, "SLURM_TASKS_PER_NODE"))
		return (char *)tasks;
	return NULL;
}

/* The text at *at, which moves behind it, but not beyond the last one. */
static char *text_take(char **at, const char *end)
{
	char *text = *at;

	*at += strlen(text);
	if (*at < end)
		++*at;
	return text;
}

static void check_step(struct hosts_file *hosts, char *line)
{
	const char *words[WORDS_MAX + 1];
	int count = 0;

	for (char *word = strtok(line, "\n"); word && count < WORDS_MAX;
	     word = strtok(NULL, "\n"))
		words[count++] = word;
	words[count] = NULL;
	/* The least that a step with an order has is a command. */
	if (step_order_fits(hosts, words, count, value) && count < 2)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hosts_file *hosts = malloc(sizeof(*hosts));
	char *copy = malloc(size + 1);
	char *at = copy;

	if (!hosts || !copy) {
		free(hosts);
		free(copy);
		return 0;
	}
	memcpy(copy, data, size);
	copy[size] = '\0';

	char *text = text_take(&at, copy + size);
	size_t length = strlen(text);

	nodes = text_take(&at, copy + size);
	tasks = text_take(&at, copy + size);
	if (length <= HOSTS_TEXT_SIZE) {
		memcpy(hosts->text, text, length);
		if (hosts_parse(hosts, length)) {
			if (hosts->ranks < 2 || hosts->ranks > HOSTS_RANKS_MAX)
				abort();
			check_step(hosts, text_take(&at, copy + size));
		}
	}
	free(hosts);
	free(copy);
	return 0;
}
