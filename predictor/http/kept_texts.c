/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_texts.c - big replies, kept for a second */
#include <stdlib.h>
#include <string.h>

#include "predictor/http/kept_texts.h"

void kept_texts_init(struct kept_texts *texts)
{
	ordered_lock_init(&texts->lock, LOCK_KEPT);
}

static void row_drop(struct kept_texts *texts, int i)
{
	if (!texts->rows[i])
		return;
	texts->bytes -= texts->rows[i]->size;
	kept_text_release(texts->rows[i]);
	texts->rows[i] = NULL;
}

void kept_texts_clear(struct kept_texts *texts)
{
	for (int i = 0; i < KEPT_TEXTS_MAX; i++)
		row_drop(texts, i);
	ordered_lock_destroy(&texts->lock);
}

static bool is_for(const struct kept_text *text, const char *target,
		   uint64_t scope)
{
	return text && text->scope == scope && !strcmp(text->target, target);
}

struct kept_text *kept_texts_find(struct kept_texts *texts, const char *target,
				  uint64_t scope, double now_s)
{
	struct kept_text *found = NULL;

	ORDERED_LOCK_HOLD(&texts->lock);
	for (int i = 0; i < KEPT_TEXTS_MAX; i++)
		if (is_for(texts->rows[i], target, scope) &&
		    now_s - texts->rows[i]->made_s < KEPT_S)
			found = texts->rows[i];
	if (found)
		atomic_fetch_add(&found->users, 1);
	return found;
}

static void row_fill(struct kept_texts *texts, struct kept_text *text)
{
	int row = -1;

	for (int i = 0; i < KEPT_TEXTS_MAX; i++) {
		struct kept_text *other = texts->rows[i];

		/* What is old is not found any more. */
		if (is_for(other, text->target, text->scope) ||
		    (other && text->made_s - other->made_s >= KEPT_S))
			row_drop(texts, i);
		row = texts->rows[i] ? row : i;
	}
	if (row < 0 || texts->bytes + text->size > KEPT_ALL_MAX)
		return;
	atomic_fetch_add(&text->users, 1);
	texts->bytes += text->size;
	texts->rows[row] = text;
}

struct kept_text *kept_texts_put(struct kept_texts *texts, const char *target,
				 uint64_t scope, double now_s, const char *text,
				 size_t size)
{
	size_t target_size = strlen(target) + 1;
	struct kept_text *kept =
		size < KEPT_LEAST ? NULL
				  : malloc(sizeof(*kept) + size + target_size);

	if (!kept)
		return NULL;
	kept->made_s = now_s;
	kept->scope = scope;
	kept->size = size;
	kept->target = memcpy(kept->text + size, target, target_size);
	memcpy(kept->text, text, size);
	atomic_init(&kept->users, 1);
	ORDERED_LOCK_HOLD(&texts->lock);
	row_fill(texts, kept);
	return kept;
}

void kept_text_release(struct kept_text *text)
{
	if (text && atomic_fetch_sub(&text->users, 1) == 1)
		free(text);
}
