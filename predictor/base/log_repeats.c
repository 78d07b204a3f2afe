/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_repeats.c - count lines of a log that repeat, instead of writing them */
#include <string.h>

#include "predictor/base/log_repeats.h"

static struct log_repeats_line *line_find(struct log_repeats *repeats,
					  const char *text)
{
	for (int i = 0; i < LOG_REPEATS_LINES; i++)
		if (!strcmp(repeats->lines[i].text, text))
			return &repeats->lines[i];
	return NULL;
}

/* Return the line that has to go; NULL: none. */
static struct log_repeats_line *line_over(struct log_repeats *repeats,
					  const char *text, double now_s)
{
	struct log_repeats_line *oldest = &repeats->lines[0];
	bool has_room =
		!text || line_find(repeats, text) || line_find(repeats, "");

	for (int i = 0; i < LOG_REPEATS_LINES; i++) {
		struct log_repeats_line *line = &repeats->lines[i];

		if (line->text[0] && now_s - line->written_s >= LOG_REPEATS_S)
			return line;
		if (line->written_s < oldest->written_s)
			oldest = line;
	}
	return has_room ? NULL : oldest;
}

bool log_repeats_expire(struct log_repeats *repeats, const char *text,
			double now_s, struct log_repeats_line *ret)
{
	struct log_repeats_line *line;

	while ((line = line_over(repeats, text, now_s))) {
		*ret = *line;
		*line = (struct log_repeats_line){ .count = 0 };
		if (ret->count)
			return true;
	}
	return false;
}

bool log_repeats_note(struct log_repeats *repeats, const char *text,
		      double now_s)
{
	struct log_repeats_line *line = line_find(repeats, text);

	if (line && *text) {
		line->count++;
		return false;
	}
	line = line_find(repeats, "");
	if (!line || strlen(text) >= sizeof(line->text))
		return true;
	strcpy(line->text, text);
	line->written_s = now_s;
	return true;
}
