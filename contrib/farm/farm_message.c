/* SPDX-License-Identifier: GPL-2.0-or-later */
/* farm_message.c - chunks and their results, as bytes */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/farm/farm_message.h"

void message_clear(struct message *m)
{
	free(m->of);
	*m = (struct message){ 0 };
}

unsigned char *message_reserve(struct message *m, size_t bytes)
{
	if (bytes > INT_MAX - m->size)
		m->failed = true;
	if (m->failed)
		return NULL;
	if (m->size + bytes > m->capacity) {
		size_t capacity = 2 * m->capacity + bytes + 256;
		unsigned char *of = realloc(m->of, capacity);

		if (!of) {
			m->failed = true;
			return NULL;
		}
		m->of = of;
		m->capacity = capacity;
	}
	return m->of + m->size;
}

int message_append(struct message *m, const void *bytes, size_t count)
{
	unsigned char *to = message_reserve(m, count);

	if (!to)
		return -1;
	if (count)
		memcpy(to, bytes, count);
	m->size += count;
	return 0;
}

void message_begin(struct message *m, uint32_t iteration)
{
	const struct message_head head = { .iteration = iteration };

	m->size = 0;
	m->failed = false;
	message_append(m, &head, sizeof(head));
}

/* Return the head, which is at the start of what malloc() gave; records
 * are copied. */
struct message_head *message_head_of(struct message *m)
{
	return m->size < sizeof(struct message_head) ? NULL : (void *)m->of;
}

int message_record_begin(struct message *m, uint32_t task)
{
	const struct message_record record = { task, 0 };

	m->record = m->size;
	return message_append(m, &record, sizeof(record));
}

int message_record_end(struct message *m)
{
	struct message_record record;

	if (m->failed) {
		m->size = m->record;
		m->failed = false;
		return -1;
	}
	memcpy(&record, m->of + m->record, sizeof(record));
	record.bytes = (uint32_t)(m->size - m->record - sizeof(record));
	memcpy(m->of + m->record, &record, sizeof(record));
	message_head_of(m)->tasks++;
	return 0;
}

bool message_next(const struct message *m, size_t *at,
		  struct message_record *ret, const unsigned char **ret_bytes)
{
	size_t start = *at ? *at : sizeof(struct message_head);

	if (start > m->size || m->size - start < sizeof(*ret))
		return false;
	memcpy(ret, m->of + start, sizeof(*ret));
	start += sizeof(*ret);
	if (ret->bytes > m->size - start)
		return false;
	*ret_bytes = m->of + start;
	*at = start + ret->bytes;
	return true;
}
