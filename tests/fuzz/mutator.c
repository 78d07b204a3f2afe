/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mutator.c - runs a fuzzer where there is no libFuzzer
 *
 * Takes the options of libFuzzer that run-all gives (others are ignored) and
 * folders of examples.  Each input is an example with a few random changes;
 * the same seed gives the same inputs.  Knows nothing of coverage.  The input
 * that broke a fuzzer is written below -artifact_prefix= before it is tried,
 * and removed when all went well.
 */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/random.h"

#define EXAMPLES_MAX 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	unsigned long runs, seed, max_total_time, max_len, timeout;
	const char *artifact_prefix;
} options = { .runs = 20000,
	      .seed = 1,
	      .max_total_time = 60,
	      .max_len = 4096,
	      .timeout = 10,
	      .artifact_prefix = "" };

static struct {
	uint8_t *data;
	size_t size;
} examples[EXAMPLES_MAX];
static size_t examples_count;

static struct random generator;

static void read_option(const char *text)
{
	static const struct {
		const char *name;
		unsigned long *value;
	} numbers[] = {
		{ "-runs=", &options.runs },
		{ "-seed=", &options.seed },
		{ "-max_total_time=", &options.max_total_time },
		{ "-max_len=", &options.max_len },
		{ "-timeout=", &options.timeout },
		{ NULL, NULL },
	};
	const char prefix[] = "-artifact_prefix=";

	for (int i = 0; numbers[i].name; i++)
		if (!strncmp(text, numbers[i].name, strlen(numbers[i].name)))
			*numbers[i].value = strtoul(
				text + strlen(numbers[i].name), NULL, 10);
	if (!strncmp(text, prefix, strlen(prefix)))
		options.artifact_prefix = text + strlen(prefix);
}

static void read_example(const char *folder, const char *name)
{
	char path[4096];
	uint8_t *data = malloc(options.max_len);

	snprintf(path, sizeof(path), "%s/%s", folder, name);

	FILE *file = fopen(path, "re");

	if (file && data && examples_count < EXAMPLES_MAX) {
		examples[examples_count].data = data;
		examples[examples_count++].size =
			fread(data, 1, options.max_len, file);
		data = NULL;
	}
	free(data);
	if (file)
		fclose(file);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_folder(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, compare_names);

	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.')
			read_example(path, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Change `data` a little, within `room` bytes.  Returns its new size. */
static size_t mutate(uint8_t *data, size_t size, size_t room)
{
	static const char odd[] = "\0\"'\\{}[](),:;=#$`\n\t -+.0123456789eE\x7f"
				  "\x80\xc3\xed\xff";
	size_t at = size ? random_below(&generator, size) : 0;
	size_t length = size ? 1 + random_below(&generator, size - at) : 0;

	switch (random_below(&generator, 6)) {
	case 0: /* another bit */
		if (size)
			data[at] ^=
				(uint8_t)(1u << random_below(&generator, 8));
		return size;
	case 1: /* another byte */
		if (size)
			data[at] = (uint8_t)
				odd[random_below(&generator, sizeof(odd))];
		return size;
	case 2: /* cut something out */
		memmove(data + at, data + at + length, size - at - length);
		return size - length;
	case 3: /* put something in twice */
		length = length < room - size ? length : room - size;
		memmove(data + at + length, data + at, size - at);
		return size + length;
	case 4: /* cut off */
		return at;
	default: { /* go on with another example */
		size_t i = random_below(&generator, examples_count);
		size_t from = examples[i].size ? random_below(&generator,
							      examples[i].size)
					       : 0;

		length = examples[i].size - from;
		length = length < room - at ? length : room - at;
		memcpy(data + at, examples[i].data + from, length);
		return at + length;
	}
	}
}

static void keep(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "we");

	if (file) {
		fwrite(data, 1, size, file);
		fclose(file);
	}
}

/* One input of exactly its size, so that reading past it is seen. */
static void try(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	alarm((unsigned)options.timeout);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	free(copy);
}

int main(int argc, char *argv[])
{
	char path[4096];

	for (int i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			read_option(argv[i]);
		else
			read_folder(argv[i]);
	}
	if (!examples_count)
		examples[examples_count++].data = calloc(1, 1);
	generator.state = options.seed;
	snprintf(path, sizeof(path), "%slast", options.artifact_prefix);

	uint8_t *data = malloc(options.max_len);
	/* 0 is no bound, as with libFuzzer. */
	bool bounded = options.max_total_time > 0;
	time_t end = time(NULL) + (time_t)options.max_total_time;
	unsigned long run = 0;

	for (; data && run < options.runs && (!bounded || time(NULL) < end);
	     run++) {
		size_t i = run < examples_count
				   ? run
				   : random_below(&generator, examples_count);
		size_t size = examples[i].size;

		memcpy(data, examples[i].data, size);
		for (uint64_t k = random_below(&generator, 6);
		     k && run >= examples_count; k--)
			size = mutate(data, size, options.max_len);
		keep(path, data, size);
		try(data, size);
	}
	unlink(path);
	for (size_t i = 0; i < examples_count; i++)
		free(examples[i].data);
	free(data);
	printf("%lu runs\n", run);
	return 0;
}
