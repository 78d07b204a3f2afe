/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld_stub.c - slurmctld's nodes and jobs, in a unit test */
#include "tests/unit/plugin/select/slurmctld_stub.h"

#if !SLURM_SOURCE_MISSING
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slurmctld_stub slurmctld_stub;

node_record_t **node_record_table_ptr;
int node_record_count;
struct xlist *job_list;
#if RELEASE_HAS_SWITCHES
switch_record_t *switch_record_table;
int switch_record_cnt;
#endif

/* --- Bitmaps: the number of bits, then the bits --------------------------- */

#define WORD_BITS 64

bitstr_t *bit_alloc(bitoff_t nbits)
{
	bitstr_t *b = calloc((size_t)nbits / WORD_BITS + 2, sizeof(*b));

	b[0] = nbits;
	return b;
}

void slurm_bit_free(bitstr_t **b)
{
	free(*b);
	*b = NULL;
}

bitoff_t bit_size(bitstr_t *b)
{
	return b[0];
}

/* Slurm aborts, too. */
static void bit_check(const bitstr_t *b, bitoff_t bit)
{
	if (bit < 0 || bit >= b[0])
		abort();
}

int bit_test(bitstr_t *b, bitoff_t bit)
{
	bit_check(b, bit);
	return b[1 + bit / WORD_BITS] >> bit % WORD_BITS & 1;
}

void bit_set(bitstr_t *b, bitoff_t bit)
{
	bit_check(b, bit);
	b[1 + bit / WORD_BITS] |= (bitstr_t)((uint64_t)1 << bit % WORD_BITS);
}

bitoff_t bit_ffs(bitstr_t *b)
{
	for (bitoff_t i = 0; i < b[0]; i++)
		if (bit_test(b, i))
			return i;
	return -1;
}

bitstr_t *bit_copy(bitstr_t *b)
{
	bitstr_t *copy = bit_alloc(b[0]);

	for (bitoff_t i = 0; i < b[0]; i++)
		if (bit_test(b, i))
			bit_set(copy, i);
	return copy;
}

void bit_and(bitstr_t *b1, bitstr_t *b2)
{
	for (bitoff_t i = 0; i < b1[0]; i += WORD_BITS)
		b1[1 + i / WORD_BITS] &= b2[1 + i / WORD_BITS];
}

/* Whether all of `b1` are in `b2`. */
int bit_super_set(bitstr_t *b1, bitstr_t *b2)
{
	for (bitoff_t i = 0; i < b1[0]; i++)
		if (bit_test(b1, i) && !bit_test(b2, i))
			return 0;
	return 1;
}

int32_t bit_set_count(bitstr_t *b)
{
	int32_t count = 0;

	for (bitoff_t i = 0; i < b[0]; i++)
		count += bit_test(b, i);
	return count;
}

char *bitmap2node_name(bitstr_t *bitmap)
{
	return strdup(slurmctld_stub_text(bitmap));
}

/* --- The daemon ----------------------------------------------------------- */

extern bool running_in_slurmctld(void)
{
	return !slurmctld_stub.is_client;
}

/* --- Jobs ----------------------------------------------------------------- */

/* There is one list, of the stub's jobs. */
int list_for_each(struct xlist *l, ListForF f, void *arg)
{
	(void)l;
	slurmctld_stub.counted++;
	for (int i = 0; i < slurmctld_stub.jobs_count; i++)
		if (f(&slurmctld_stub.jobs[i].job, arg) < 0)
			return -1;
	return slurmctld_stub.jobs_count;
}

struct stub_job *slurmctld_stub_job(bitstr_t *nodes, uint16_t cpus,
				    uint64_t memory_mb)
{
	struct stub_job *j = &slurmctld_stub.jobs[slurmctld_stub.jobs_count++];

	for (bitoff_t i = 0; i < bit_size(nodes); i++) {
		if (!bit_test(nodes, i))
			continue;
		j->cpus[j->resources.nhosts] = cpus;
		j->memory_mb[j->resources.nhosts++] = memory_mb;
	}
	j->resources.node_bitmap = nodes;
	j->resources.cpus = j->cpus;
	j->resources.memory_allocated = j->memory_mb;
	j->job.job_state = JOB_RUNNING;
	j->job.job_resrcs = &j->resources;
	j->job.details = &j->details;
	return j;
}

/* --- The cluster ---------------------------------------------------------- */

void slurmctld_stub_begin(int nodes)
{
	struct slurmctld_stub *s = &slurmctld_stub;

	memset(s, 0, sizeof(*s));
	stub_reset();
	for (int i = 0; i < nodes; i++) {
		snprintf(s->names[i], sizeof(s->names[i]), "n%d", i);
		s->configs[i].weight = 1;
		s->records[i].name = s->names[i];
		s->records[i].config_ptr = &s->configs[i];
		s->records[i].cpus = 8;
		s->records[i].real_memory = 16384;
		s->nodes[i] = &s->records[i];
	}
	node_record_table_ptr = s->nodes;
	node_record_count = nodes;
#if RELEASE_HAS_SWITCHES
	switch_record_table = NULL;
	switch_record_cnt = 0;
#endif
}

void slurmctld_stub_end(void)
{
	for (int i = 0; i < slurmctld_stub.jobs_count; i++)
		slurm_bit_free(&slurmctld_stub.jobs[i].resources.node_bitmap);
}

bitstr_t *slurmctld_stub_bits(int size, const char *text)
{
	bitstr_t *bits = bit_alloc(size);

	for (; *text; text++)
		bit_set(bits, *text - '0');
	return bits;
}

const char *slurmctld_stub_text(bitstr_t *nodes)
{
	static char text[STUB_NODES_MAX + 1];
	size_t length = 0;

	for (bitoff_t i = 0; nodes && i < bit_size(nodes); i++)
		if (bit_test(nodes, i))
			text[length++] = (char)('0' + i);
	text[length] = '\0';
	return text;
}
#endif
