/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lessons.c - what each job log has taught, as start values for the others */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/lessons.h"

int lessons_keep(struct lessons *lessons, const char *name, const char *learned,
		 struct sp_error *err)
{
	struct mixture_start *start = malloc(sizeof(*start));

	if (!learned || !start || lessons->count == LESSONS_MAX) {
		free(start);
		return sp_error_set(err, "%s: no room for what it teaches",
				    name);
	}
	if (mixture_start_parse(learned, strlen(learned), start, err)) {
		free(start);
		return -1;
	}
	lessons->of[lessons->count].name = strdup(name);
	lessons->of[lessons->count++].start = start;
	return 0;
}

char *lessons_of_others(const struct lessons *lessons, const char *name)
{
	const struct mixture_start *others[LESSONS_MAX];
	struct mixture_start *merged = malloc(sizeof(*merged));
	char *text = NULL;
	size_t size;
	int count = 0;

	for (int i = 0; i < lessons->count; i++)
		if (!name || strcmp(lessons->of[i].name, name) != 0)
			others[count++] = lessons->of[i].start;
	if (merged && count) {
		mixture_start_merge(others, count, merged);
		text = mixture_start_print(merged, &size);
	}
	free(merged);
	return text;
}

int lessons_write(const struct lessons *lessons, const char *path,
		  struct sp_error *err)
{
	char *text = lessons_of_others(lessons, NULL);
	FILE *out = text ? fopen(path, "w") : NULL;
	bool failed = !out || fputs(text, out) == EOF;

	if (out && fclose(out))
		failed = true;
	free(text);
	return failed ? sp_error_set(err, "%s: cannot write it", path) : 0;
}

void lessons_clear(struct lessons *lessons)
{
	for (int i = 0; i < lessons->count; i++) {
		free((char *)lessons->of[i].name);
		free(lessons->of[i].start);
	}
}
