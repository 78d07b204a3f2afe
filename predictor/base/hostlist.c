/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist.c - node names as Slurm writes them: n[1-4,7],login
 *
 * Expanding recurses over the ranges of a name, which its size bounds.
 * Compressing splits each name into prefix and trailing number, sorts, and
 * joins consecutive numbers of equal padding.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/base/compare.h"
#include "predictor/base/hostlist.h"
#include "predictor/base/index.h"

#define NUMBER_DIGITS_MAX 9 /* every number fits into 32 bits */

/* --- Expanding --------------------------------------------------------- */

struct hostlist_expansion {
	struct hostlist list;
	uint32_t space; /* names that list has room for */
	char name[HOSTLIST_NAME_SIZE];
	struct sp_error *err;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
}

static int add_name(struct hostlist_expansion *e, size_t length)
{
	struct hostlist *list = &e->list;

	if (!length)
		return sp_error_set(e->err, "node list: empty name");
	if (list->count == HOSTLIST_NAMES_MAX)
		return sp_error_set(e->err, "node list: more than %d names",
				    HOSTLIST_NAMES_MAX);
	if (index_grow(&list->names, &e->space, (uint32_t)list->count,
		       sizeof(*list->names)))
		return sp_error_set(e->err, "node list: out of memory");
	memcpy(list->names[list->count], e->name, length);
	list->names[list->count++][length] = '\0';
	return 0;
}

struct number_range {
	unsigned low, high;
	int width; /* of the first number, for its zero padding */
};

static int read_number(const char **text, unsigned *ret, int *ret_width)
{
	const char *start = *text;
	unsigned value = 0;

	while (is_digit(**text) && *text - start < NUMBER_DIGITS_MAX)
		value = value * 10 + (unsigned)(*(*text)++ - '0');
	*ret = value;
	*ret_width = (int)(*text - start);
	return *text == start || is_digit(**text) ? -1 : 0;
}

/* Reads "7" or "1-4" and moves behind it. */
static int read_range(const char **text, struct number_range *ret)
{
	int width;

	if (read_number(text, &ret->low, &ret->width) < 0)
		return -1;
	ret->high = ret->low;
	if (**text == '-') {
		(*text)++;
		if (read_number(text, &ret->high, &width) < 0)
			return -1;
	}
	return ret->high < ret->low ? -1 : 0;
}

static int expand_name(struct hostlist_expansion *e, const char *text,
		       size_t length);

/* Continue at `after` once for each number of a range.  The depth of this
 * recursion is bounded by the size of a name. */
static int expand_range(struct hostlist_expansion *e,
			const struct number_range *range, const char *after,
			size_t length)
{
	for (unsigned number = range->low; number <= range->high; number++) {
		char digits[NUMBER_DIGITS_MAX + 1];
		int used = snprintf(digits, sizeof(digits), "%0*u",
				    range->width, number);

		if (length + (size_t)used >= HOSTLIST_NAME_SIZE)
			return sp_error_set(e->err, "node list: name too long");
		memcpy(e->name + length, digits, (size_t)used);
		if (expand_name(e, after, length + (size_t)used) < 0)
			return -1;
	}
	return 0;
}

/* Expand the rest of a name, whose first `length` bytes stand in e->name. */
static int expand_name(struct hostlist_expansion *e, const char *text,
		       size_t length)
{
	for (; is_name_char(*text); text++) {
		if (length + 1 >= HOSTLIST_NAME_SIZE)
			return sp_error_set(e->err, "node list: name too long");
		e->name[length++] = *text;
	}
	if (*text != '[')
		return add_name(e, length);

	const char *close = strchr(text, ']');

	while (*text != ']') {
		struct number_range range;

		text++; /* the '[', or the ',' between ranges */
		if (!close || read_range(&text, &range) < 0 ||
		    (*text != ',' && *text != ']'))
			return sp_error_set(e->err,
					    "node list: bad range at '%.20s'",
					    text);
		if (expand_range(e, &range, close + 1, length) < 0)
			return -1;
	}
	return 0;
}

/* Return the end of the name at `text`: its ',' or the end of the list. */
static const char *skip_name(const char *text)
{
	while (is_name_char(*text) || *text == '[') {
		const char *close = *text == '[' ? strchr(text, ']') : text;

		if (!close)
			break;
		text = close + 1;
	}
	return text;
}

int hostlist_expand(const char *text, struct hostlist *ret,
		    struct sp_error *err)
{
	struct hostlist_expansion e = { .err = err };

	while (*text) {
		const char *next = skip_name(text);

		if (*next && *next != ',') {
			sp_error_set(err, "node list: bad character at '%.20s'",
				     next);
			goto failed;
		}
		if (expand_name(&e, text, 0) < 0)
			goto failed;
		if (*next == ',' && !*++next) {
			sp_error_set(err, "node list: ends in a comma");
			goto failed;
		}
		text = next;
	}
	*ret = e.list;
	return 0;
failed:
	hostlist_clear(&e.list);
	return -1;
}

int hostlist_position(const struct hostlist *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->names[i], name))
			return (int)i;
	return -1;
}

void hostlist_clear(struct hostlist *list)
{
	free(list->names);
	*list = (struct hostlist){ 0 };
}

/* --- Compressing --------------------------------------------------------- */

/* A name as its prefix and the number at its end. */
struct name_split {
	const char *name;
	size_t prefix; /* bytes */
	int width;     /* digits; 0: it does not end in a number */
	unsigned number;
};

static struct name_split split_name(const char *name)
{
	struct name_split s = { .name = name, .prefix = strlen(name) };

	while (s.prefix && s.width < NUMBER_DIGITS_MAX &&
	       is_digit(name[s.prefix - 1])) {
		s.prefix--;
		s.width++;
	}
	s.number = s.width ? (unsigned)strtoul(name + s.prefix, NULL, 10) : 0;
	return s;
}

static bool same_prefix(const struct name_split *a, const struct name_split *b)
{
	return a->prefix == b->prefix && !a->width == !b->width &&
	       !memcmp(a->name, b->name, a->prefix);
}

static int compare_splits(const void *left, const void *right)
{
	const struct name_split *a = left, *b = right;
	size_t shorter = a->prefix < b->prefix ? a->prefix : b->prefix;

	return memcmp(a->name, b->name, shorter)
		       ?: COMPARE(a->prefix, b->prefix)
		       ?: !b->width - !a->width
		       ?: COMPARE(a->number, b->number)
		       ?: a->width - b->width;
}

/* Return whether `next` continues a range that began with a number of `width`
 * digits: one more, and padded as the range's first number pads it. */
static bool continues_range(const struct name_split *last,
			    const struct name_split *next, int width)
{
	char digits[16];

	if (next->number != last->number + 1)
		return false;
	return snprintf(digits, sizeof(digits), "%0*u", width, next->number) ==
	       next->width;
}

struct hostlist_output {
	char *text;
	size_t size, used;
	bool cut;
};

static void output_put(struct hostlist_output *out, const char *text,
		       size_t length)
{
	if (out->cut || length >= out->size - out->used) {
		out->cut = true;
		return;
	}
	memcpy(out->text + out->used, text, length);
	out->used += length;
}

/* Writes splits[0..count-1], which have one prefix and a number. */
static void output_put_group(struct hostlist_output *out,
			     const struct name_split splits[], size_t count)
{
	output_put(out, splits->name, splits->prefix);
	if (count > 1)
		output_put(out, "[", 1);
	for (size_t first = 0; first < count;) {
		const struct name_split *low = &splits[first];
		size_t last = first;

		while (last + 1 < count &&
		       continues_range(&splits[last], &splits[last + 1],
				       low->width))
			last++;
		if (first)
			output_put(out, ",", 1);
		output_put(out, low->name + low->prefix, (size_t)low->width);
		if (last > first) {
			output_put(out, "-", 1);
			output_put(out, splits[last].name + low->prefix,
				   (size_t)splits[last].width);
		}
		first = last + 1;
	}
	if (count > 1)
		output_put(out, "]", 1);
}

static size_t sort_unique(struct name_split splits[], size_t count)
{
	size_t kept = 0;

	qsort(splits, count, sizeof(*splits), compare_splits);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_splits(&splits[kept - 1], &splits[i]))
			splits[kept++] = splits[i];
	return kept;
}

static void output_put_list(struct hostlist_output *out,
			    struct name_split splits[], size_t count)
{
	for (size_t first = 0; first < count;) {
		size_t end = first + 1;

		while (end < count && splits[first].width &&
		       same_prefix(&splits[first], &splits[end]))
			end++;
		if (first)
			output_put(out, ",", 1);
		output_put_group(out, splits + first, end - first);
		first = end;
	}
}

void hostlist_compress(const struct hostlist *list, char *ret_text, size_t size)
{
	struct hostlist_output out = { .text = ret_text, .size = size };
	struct name_split *splits = calloc(list->count + 1, sizeof(*splits));

	if (!size)
		goto out;
	out.cut = !splits;
	for (size_t i = 0; splits && i < list->count; i++)
		splits[i] = split_name(list->names[i]);
	if (splits)
		output_put_list(&out, splits, sort_unique(splits, list->count));
	if (out.cut) {
		size_t dots = size > 3 ? 3 : size - 1;
		size_t room = size - 1 - dots;

		out.used = out.used < room ? out.used : room;
		memcpy(ret_text + out.used, "...", dots);
		out.used += dots;
	}
	ret_text[out.used] = '\0';
out:
	free(splits);
}
