/* swf_write.c - a log of runs in the Standard Workload Format */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/index.h"
#include "predictor/logs/swf.h"

/* Names of one kind, numbered from 1. */
struct numbers {
	const char *title; /* in the header; NULL: they are not named */
	char **of;
	uint32_t count, capacity;
	struct index index;
};

enum kind { KIND_USER, KIND_ACCOUNT, KIND_APPLICATION, KIND_PARTITION, KINDS };

struct line {
	double submitted_at_s, started_at_s, ended_at_s;
	double limit_s, memory_mb;
	uint32_t nodes, cpus;
	uint32_t numbers[KINDS];
	int status;
};

struct swf_writer {
	char computer[128];
	bool anonymize;
	struct numbers numbers[KINDS];
	struct line *lines;
	uint32_t count, capacity;
};

/* --- Numbers for names ---------------------------------------------------------- */

struct wanted {
	const struct numbers *numbers;
	const char *name;
};

static bool same(const void *context, uint32_t position)
{
	const struct wanted *w = context;

	return !strcmp(w->numbers->of[position], w->name);
}

/* 0: memory ran out. */
static uint32_t number_of(struct numbers *numbers, const char *name)
{
	const struct wanted wanted = { numbers, name };
	uint64_t hash = index_hash_text(0, name);
	uint32_t position = index_find(&numbers->index, hash, same, &wanted);

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

static void numbers_clear(struct numbers *numbers)
{
	for (uint32_t i = 0; i < numbers->count; i++)
		free(numbers->of[i]);
	free(numbers->of);
	index_clear(&numbers->index);
}

/* --- Taking runs ----------------------------------------------------------------- */

struct swf_writer *swf_writer_create(const struct swf_writer_config *config,
				     struct sp_error *err)
{
	static const char *const titles[KINDS] = {
		[KIND_ACCOUNT] = "Group",
		[KIND_APPLICATION] = "Executable",
		[KIND_PARTITION] = "Partition",
	};
	struct swf_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		sp_error_set(err, "out of memory");
		return NULL;
	}
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

static int status_of(enum run_state state)
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

int swf_writer_add(struct swf_writer *writer, const struct run *run,
		   struct sp_error *err)
{
	struct swf_writer *w = writer;
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

	struct line line = {
		.submitted_at_s = run->submitted_at_s,
		.started_at_s = run->started_at_s,
		.ended_at_s = run->ended_at_s,
		.limit_s = run->limit_s,
		.memory_mb = run->memory_mb,
		.nodes = run->nodes,
		.cpus = run->cpus ? run->cpus : run->nodes,
		.status = status_of(run->state),
	};

	for (int i = 0; i < KINDS; i++) {
		if (!*names[i])
			continue;
		line.numbers[i] = number_of(&w->numbers[i], names[i]);
		if (!line.numbers[i])
			goto no_memory;
	}
	w->lines[w->count++] = line;
	return 0;
no_memory:
	return sp_error_set(err, "out of memory after %u runs", w->count);
}

/* --- Writing -------------------------------------------------------------------- */

static int by_submission(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->submitted_at_s != b->submitted_at_s)
		return a->submitted_at_s < b->submitted_at_s ? -1 : 1;
	return (a->started_at_s > b->started_at_s) -
	       (a->started_at_s < b->started_at_s);
}

/* A start, or an end. */
struct event {
	double time_s;
	int64_t cpus, nodes;
};

static int by_time(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->time_s != b->time_s)
		return a->time_s < b->time_s ? -1 : 1;
	return (a->cpus > b->cpus) - (a->cpus < b->cpus);
}

/* The most that was in use at one moment: the machine has at least that. */
static int find_peak(const struct swf_writer *w, int64_t *ret_cpus,
		     int64_t *ret_nodes, struct sp_error *err)
{
	size_t count = 2 * (size_t)w->count;
	struct event *events = reallocarray(NULL, count + 1, sizeof(*events));
	int64_t cpus = 0, nodes = 0;

	if (!events)
		return sp_error_set(err, "out of memory");
	for (uint32_t i = 0; i < w->count; i++) {
		const struct line *l = &w->lines[i];

		events[2 * i] =
			(struct event){ l->started_at_s, l->cpus, l->nodes };
		events[2 * i + 1] =
			(struct event){ l->ended_at_s, -(int64_t)l->cpus,
					-(int64_t)l->nodes };
	}
	qsort(events, count, sizeof(*events), by_time);
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

static void write_names(const struct numbers *numbers, FILE *to)
{
	for (uint32_t i = 0; numbers->title && i < numbers->count; i++) {
		fprintf(to, "; %s: %u ", numbers->title, i + 1);
		for (const char *c = numbers->of[i]; *c; c++)
			fputc((unsigned char)*c < 0x20 ? '?' : *c, to);
		fputc('\n', to);
	}
}

static void write_header(const struct swf_writer *w, int64_t cpus,
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
		write_names(&w->numbers[i], to);
	fputs(";\n", to);
}

/* -1 for what is not known. */
static double known(double number)
{
	return number > 0 && isfinite(number) ? number : -1;
}

static long known_number(uint32_t number)
{
	return number ? (long)number : -1;
}

static void write_line(const struct line *l, uint32_t position, double epoch_s,
		       FILE *to)
{
	double memory_kb = l->memory_mb * 1024 / l->cpus;

	/* Whole seconds, with a start at the second of the submission at the
	 * earliest, and none that ran less than one. */
	double submit = round(l->submitted_at_s - epoch_s);
	double start = fmax(submit, round(l->started_at_s - epoch_s));
	double run = fmax(1, round(l->ended_at_s - l->started_at_s));

	fprintf(to,
		"%u %.0f %.0f %.0f %u -1 -1 %u %.0f %.0f %d %ld %ld %ld -1 "
		"%ld -1 -1\n",
		position + 1, submit, start - submit, run, l->cpus, l->cpus,
		known(l->limit_s), known(memory_kb), l->status,
		known_number(l->numbers[KIND_USER]),
		known_number(l->numbers[KIND_ACCOUNT]),
		known_number(l->numbers[KIND_APPLICATION]),
		known_number(l->numbers[KIND_PARTITION]));
}

int swf_writer_finish(struct swf_writer *writer, FILE *to, struct sp_error *err)
{
	struct swf_writer *w = writer;
	int64_t cpus, nodes;

	if (find_peak(w, &cpus, &nodes, err))
		return -1;
	if (w->count)
		qsort(w->lines, w->count, sizeof(*w->lines), by_submission);
	write_header(w, cpus, nodes, to);
	for (uint32_t i = 0; i < w->count; i++)
		write_line(&w->lines[i], i, floor(w->lines[0].submitted_at_s),
			   to);
	if (fflush(to) || ferror(to))
		return sp_error_set(err, "the log cannot be written: %s",
				    strerror(errno));
	return 0;
}
