/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swf_write.c - writes a log of runs in the Standard Workload Format
 *
 * Runs become rows as they are added, names become numbers.  At the end the
 * rows are sorted by submission, and the peak of CPUs and nodes in use gives
 * the size of the machine for the header.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/index.h"
#include "predictor/logs/swf.h"

/* Names of one kind, numbered from 1. */
struct name_numbers {
	const char *title; /* in the header; NULL: not listed there */
	char **of;
	uint32_t count, capacity;
	struct index index;
};

enum name_kind {
	KIND_USER,
	KIND_ACCOUNT,
	KIND_APPLICATION,
	KIND_PARTITION,
	KINDS
};

struct swf_row {
	double submitted_at_s, started_at_s, ended_at_s, runtime_s;
	double limit_s, memory_mb;
	uint32_t nodes, cpus;
	uint32_t numbers[KINDS];
	int status;
};

struct swf_writer {
	char computer[128];
	bool anonymize;
	struct name_numbers numbers[KINDS];
	struct swf_row *lines;
	uint32_t count, capacity;
};

/* --- Numbers for names ---------------------------------------------------- */

struct name_key {
	const struct name_numbers *numbers;
	const char *name;
};

static bool number_has_name(const void *context, uint32_t position)
{
	const struct name_key *w = context;

	return !strcmp(w->numbers->of[position], w->name);
}

/* Return 0 if memory is exhausted. */
static uint32_t name_number(struct name_numbers *numbers, const char *name)
{
	const struct name_key key = { numbers, name };
	uint64_t hash = index_hash_text(0, name);
	uint32_t position =
		index_find(&numbers->index, hash, number_has_name, &key);

	if (position != INDEX_NONE)
		return position + 1;
	if (index_reserve(&numbers->index) ||
	    index_grow(&numbers->of, &numbers->capacity, numbers->count,
		       sizeof(numbers->of[0])))
		return 0;

	char *copy = strdup(name);

	if (!copy)
		return 0;
	index_add(&numbers->index, hash, numbers->count);
	numbers->of[numbers->count++] = copy;
	return numbers->count;
}

static void numbers_clear(struct name_numbers *numbers)
{
	for (uint32_t i = 0; i < numbers->count; i++)
		free(numbers->of[i]);
	free(numbers->of);
	index_clear(&numbers->index);
}

/* --- Adding runs ---------------------------------------------------------- */

struct swf_writer *swf_writer_create(const struct swf_writer_config *config,
				     struct sp_error *err)
{
	static const char *const titles[KINDS] = {
		[KIND_ACCOUNT] = "Group",
		[KIND_APPLICATION] = "Executable",
		[KIND_PARTITION] = "Partition",
	};
	struct swf_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return sp_error_null(err, "out of memory");
	w->anonymize = config->anonymize;
	if (config->computer)
		memccpy(w->computer, config->computer, '\0',
			sizeof(w->computer) - 1);
	for (int i = 0; i < KINDS; i++)
		w->numbers[i].title = titles[i];
	return w;
}

void swf_writer_destroy(struct swf_writer *writer)
{
	if (!writer)
		return;
	for (int i = 0; i < KINDS; i++)
		numbers_clear(&writer->numbers[i]);
	free(writer->lines);
	free(writer);
}

static int swf_status(enum run_state state)
{
	switch (state) {
	case RUN_COMPLETED:
		return 1;
	case RUN_CANCELLED:
		return 5;
	default:
		return 0;
	}
}

int swf_writer_add(struct swf_writer *w, const struct run *run,
		   struct sp_error *err)
{
	char user[32];
	const char *const names[KINDS] = {
		[KIND_USER] = user,
		[KIND_ACCOUNT] = run->account,
		[KIND_APPLICATION] = run->application.name,
		[KIND_PARTITION] = run->partition,
	};

	snprintf(user, sizeof(user), "%u", run->user_id);
	if (index_grow(&w->lines, &w->capacity, w->count, sizeof(*w->lines)))
		goto no_memory;

	struct swf_row line = {
		.submitted_at_s = run->submitted_at_s,
		.started_at_s = run->started_at_s,
		.ended_at_s = run->ended_at_s,
		.runtime_s = run_runtime_s(run),
		.limit_s = run->limit_s,
		.memory_mb = run->memory_mb,
		.nodes = run->nodes,
		.cpus = run->cpus ? run->cpus : run->nodes,
		.status = swf_status(run->state),
	};

	for (int i = 0; i < KINDS; i++) {
		if (!*names[i])
			continue;
		line.numbers[i] = name_number(&w->numbers[i], names[i]);
		if (!line.numbers[i])
			goto no_memory;
	}
	w->lines[w->count++] = line;
	return 0;
no_memory:
	return sp_error_set(err, "out of memory after %u runs", w->count);
}

/* --- Writing -------------------------------------------------------------- */

COMPARE_BY_BOTH(compare_submissions, struct swf_row, submitted_at_s,
		started_at_s)

/* A start, or an end. */
struct usage_change {
	double time_s;
	int64_t cpus, nodes;
};

COMPARE_BY_BOTH(compare_change_times, struct usage_change, time_s, cpus)

/* Find the most in use at a time: the machine has at least that. */
static int peak_find(const struct swf_writer *w, int64_t *ret_cpus,
		     int64_t *ret_nodes, struct sp_error *err)
{
	size_t count = 2 * (size_t)w->count;
	struct usage_change *events =
		reallocarray(NULL, count + 1, sizeof(*events));
	int64_t cpus = 0, nodes = 0;

	if (!events)
		return sp_error_set(err, "out of memory");
	for (uint32_t i = 0; i < w->count; i++) {
		const struct swf_row *l = &w->lines[i];

		events[2 * i] = (struct usage_change){ l->started_at_s, l->cpus,
						       l->nodes };
		events[2 * i + 1] =
			(struct usage_change){ l->ended_at_s, -(int64_t)l->cpus,
					       -(int64_t)l->nodes };
	}
	qsort(events, count, sizeof(*events), compare_change_times);
	*ret_cpus = *ret_nodes = 0;
	for (size_t i = 0; i < count; i++) {
		cpus += events[i].cpus;
		nodes += events[i].nodes;
		*ret_cpus = cpus > *ret_cpus ? cpus : *ret_cpus;
		*ret_nodes = nodes > *ret_nodes ? nodes : *ret_nodes;
	}
	free(events);
	return 0;
}

static void names_write(const struct name_numbers *numbers, FILE *to)
{
	for (uint32_t i = 0; numbers->title && i < numbers->count; i++) {
		fprintf(to, "; %s: %u ", numbers->title, i + 1);
		for (const char *c = numbers->of[i]; *c; c++)
			fputc((unsigned char)*c < 0x20 ? '?' : *c, to);
		fputc('\n', to);
	}
}

static void header_write(const struct swf_writer *w, int64_t cpus,
			 int64_t nodes, FILE *to)
{
	fputs("; Version: 2.2\n", to);
	if (*w->computer && !w->anonymize)
		fprintf(to, "; Computer: %s\n", w->computer);
	fprintf(to,
		"; Conversion: slurm-predict " SP_VERSION "\n"
		"; MaxJobs: %u\n"
		"; MaxRecords: %u\n",
		w->count, w->count);
	if (w->count)
		fprintf(to, "; UnixStartTime: %.0f\n",
			floor(w->lines[0].submitted_at_s));
	fprintf(to,
		"; MaxNodes: %lld\n"
		"; MaxProcs: %lld\n"
		"; Note: MaxNodes and MaxProcs are the most in use at one "
		"time\n",
		(long long)nodes, (long long)cpus);
	for (int i = 0; i < KINDS && !w->anonymize; i++)
		names_write(&w->numbers[i], to);
	fputs(";\n", to);
}

/* Return -1 if it is not known. */
static double known_or_minus_one(double number)
{
	return number > 0 && isfinite(number) ? number : -1;
}

static long name_or_minus_one(uint32_t number)
{
	return number ? (long)number : -1;
}

static void row_write(const struct swf_row *l, uint32_t position,
		      double epoch_s, FILE *to)
{
	double memory_kb = l->memory_mb * 1024 / l->cpus;

	/* Whole seconds: no start before the submission, no run time below
	 * one. */
	double submit = round(l->submitted_at_s - epoch_s);
	double start = fmax(submit, round(l->started_at_s - epoch_s));
	double run = fmax(1, round(l->runtime_s));

	fprintf(to,
		"%u %.0f %.0f %.0f %u -1 -1 %u %.0f %.0f %d %ld %ld %ld -1 "
		"%ld -1 -1\n",
		position + 1, submit, start - submit, run, l->cpus, l->cpus,
		known_or_minus_one(l->limit_s), known_or_minus_one(memory_kb),
		l->status, name_or_minus_one(l->numbers[KIND_USER]),
		name_or_minus_one(l->numbers[KIND_ACCOUNT]),
		name_or_minus_one(l->numbers[KIND_APPLICATION]),
		name_or_minus_one(l->numbers[KIND_PARTITION]));
}

int swf_writer_finish(struct swf_writer *w, FILE *to, struct sp_error *err)
{
	int64_t cpus, nodes;

	if (peak_find(w, &cpus, &nodes, err))
		return -1;
	if (w->count)
		qsort(w->lines, w->count, sizeof(*w->lines),
		      compare_submissions);
	header_write(w, cpus, nodes, to);
	for (uint32_t i = 0; i < w->count; i++)
		row_write(&w->lines[i], i, floor(w->lines[0].submitted_at_s),
			  to);
	if (fflush(to) || ferror(to))
		return sp_error_set(err, "the log cannot be written: %s",
				    strerror(errno));
	return 0;
}
