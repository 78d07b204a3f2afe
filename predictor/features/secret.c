/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret.c - the gate for what users type: no key, no password, no address
 *
 * A text is cut into words at blanks, quotes and what separates commands and
 * pairs.  Each word is looked at by its form, then by its name, then for what
 * it says of the next word.  The first secret of a word is returned; what is
 * left of the word is the next one.
 */
#include <stdio.h>
#include <string.h>

#include "predictor/features/secret.h"
#include "predictor/features/secret_forms.h"

/* Longer names are not looked at; longer pieces are cut. */
#define NAME_MAX_BYTES 96

/* A longer word is looked at piece by piece, and a longer value is cut, so that
 * no text takes a time that grows with its square. */
#define PIECE_MAX_BYTES 256
#define VALUE_MAX_BYTES 1024

const char *secret_form_name(enum secret_form form)
{
	static const char *const names[] = {
		[SECRET_NONE] = "no secret",
		[SECRET_KEY] = "key of a service",
		[SECRET_NAMED] = "value of a secret name",
		[SECRET_CLIENT] = "after login or a client's option",
		[SECRET_ADDRESS] = "user in an address",
		[SECRET_MAIL] = "mail address",
		[SECRET_RANDOM] = "random text",
	};

	return names[form];
}

/* A word, or a piece of it. */
struct piece {
	const char *text;
	size_t start, end; /* in the text */
	size_t length;     /* of the text */
	unsigned has;      /* classes of its characters */
};

/* --- Values --------------------------------------------------------------- */

/* Return the quote before `start`, 0: there is none.  A word that a shell has
 * read is literal, as within single quotes. */
static char quote_before(const struct secret_scan *scan, const struct piece *p,
			 size_t start)
{
	if (!start)
		return scan->words ? '\'' : '\0';
	return class_of(p->text[start - 1]) == QUOTE ? p->text[start - 1]
						     : '\0';
}

/* Return where the value that begins at `start` ends: at the quote that closes
 * it, else at a blank or where the next pair or command begins. */
static size_t value_end(const struct piece *p, size_t start)
{
	char before = start ? p->text[start - 1] : ' ';
	bool quoted = class_of(before) == QUOTE;
	size_t most = p->length - start < VALUE_MAX_BYTES
			      ? p->length
			      : start + VALUE_MAX_BYTES;
	size_t at = start;

	for (; at < most; at++) {
		char c = p->text[at];
		size_t next = at + 1;

		if (quoted ? c == before || c == '\n'
			   : class_of(c) & (BLANK | QUOTE | END))
			break;
		if (quoted || c != ',')
			continue;
		next += secret_span_of(ALNUM | JOIN, p->text + next,
				       p->length - next);
		if (next < p->length &&
		    class_of(p->text[next]) & (PAIR | QUOTE))
			break;
	}
	/* A quote within quotes: \" */
	return at - (quoted && at > start && at < p->length &&
		     p->text[at - 1] == '\\');
}

/* --- Names ---------------------------------------------------------------- */

/* NAME=VALUE or NAME:VALUE at `sign` of the word, whose name begins at `name`;
 * where the value is the next word, that is expected. */
static bool find_pair(struct secret_scan *scan, const struct piece *p,
		      size_t name, size_t sign, struct secret_span *ret)
{
	size_t length = sign - name, start = sign + 1;
	int kind;

	if (!length || length > NAME_MAX_BYTES)
		return false;
	kind = secret_name(p->text + name, length);
	if (kind == NAME_NONE)
		return false;
	start += start < p->length && class_of(p->text[start]) == QUOTE;

	size_t end = value_end(p, start);

	if (end == start || (end == p->end && p->text[sign] == ':' &&
			     secret_is_scheme(p->text + start, end - start))) {
		scan->expected = kind;
		return false;
	}
	return secret_value(kind, p->text + start, end - start,
			    quote_before(scan, p, start)) &&
	       set_span(ret, start, end, SECRET_NAMED);
}

/* --name=value, NAME=value, -DNAME=value, --env=NAME=value. */
static bool find_named(struct secret_scan *scan, const struct piece *p,
		       struct secret_span *ret)
{
	size_t name = p->start;

	for (size_t at = p->start; at < p->end; at++) {
		if (!(class_of(p->text[at]) & PAIR))
			continue;
		if (find_pair(scan, p, name, at, ret))
			return true;
		name = at + 1;
	}
	return false;
}

/* Return whether a value follows the word: "name": "value", name = value. */
static bool value_follows(const struct piece *p)
{
	size_t at = p->end;

	while (at < p->length && at < p->end + 4 &&
	       (class_of(p->text[at]) & (QUOTE | BLANK) || p->text[at] == '\\'))
		at++;
	return at < p->length && at > p->end && class_of(p->text[at]) & PAIR;
}

/* Say what is expected after the word: a secret if it is such an option or
 * name, or "password" or "login" alone. */
static void expect_next(struct secret_scan *scan, const struct piece *p)
{
	const char *word = p->text + p->start;
	size_t length = p->end - p->start;
	char letter = secret_client_letter(scan->client);
	int kind;

	if (length > NAME_MAX_BYTES || *word == '$')
		return;
	kind = secret_name(word, length);
	if (*word == '-' && letter && length == 2 && word[1] == letter) {
		scan->expected = NAME_CLIENT;
	} else if (*word == '-' || value_follows(p)) {
		scan->expected = kind;
	} else if ((kind == NAME_SURE || kind == NAME_LOGIN ||
		    (*word | 0x20) == 't') &&
		   kind != NAME_NONE && !(p->has & (DOT | PATH))) {
		scan->expected = NAME_BARE;
		if (kind == NAME_LOGIN)
			scan->client = CLIENT_LOGIN;
	} else if (length == 3 && !memcmp(word, "set", 3) &&
		   scan->before_length == 5 &&
		   !memcmp(scan->before, "alias", 5)) {
		scan->client = CLIENT_LOGIN; /* mc alias set HOST KEY SECRET */
	} else if (scan->client == CLIENT_NONE) {
		scan->client = secret_client(word, length);
	}
}

/* The word that was expected, as a whole. */
static bool find_expected(struct secret_scan *scan, const struct piece *p,
			  struct secret_span *ret)
{
	const char *word = p->text + p->start;
	size_t size = p->end - p->start;
	int kind = scan->expected;

	scan->expected = NAME_NONE;
	/* "auth: {secret: x}": another name. */
	if (size > 1 && size <= NAME_MAX_BYTES &&
	    class_of(word[size - 1]) & PAIR && secret_name(word, size - 1))
		return false;
	if (kind == NAME_NONE) {
		if (scan->client != CLIENT_LOGIN)
			return false;
		kind = NAME_LOGIN;
	}
	if (size == 1 && is_one_of("=:", *word)) {
		scan->expected = kind;
		return false;
	}
	if (kind != NAME_LOGIN && secret_is_scheme(word, size)) {
		scan->expected = NAME_SURE;
		return false;
	}

	size_t end =
		scan->words && !p->start ? p->length : value_end(p, p->start);

	return secret_value(kind, word, end - p->start,
			    quote_before(scan, p, p->start)) &&
	       set_span(ret, p->start, end,
			kind >= NAME_BARE ? SECRET_CLIENT : SECRET_NAMED);
}

/* -pSECRET of clients that take it so, or after any -p if it looks random, as a
 * trait has it, too, in its name. */
static bool find_glued(const struct secret_scan *scan, const struct piece *p,
		       struct secret_span *ret)
{
	const char *word = p->text + p->start;
	size_t start = p->start + 2, end;
	unsigned has = 0;

	if (p->end < start + 1)
		return false;
	if (word[1] == secret_client_letter(scan->client)) {
		end = value_end(p, start);
	} else {
		end = start +
		      secret_span_of(ALNUM | SIGN, word + 2, p->end - start);
		for (size_t i = start; i < end; i++)
			has |= class_of(p->text[i]);
		if (word[1] != 'p' || end < start + 6 ||
		    (has & ALNUM) != ALNUM ||
		    (end < p->end && p->text[end] != '='))
			return false;
	}
	return secret_value(NAME_SURE, p->text + start, end - start,
			    quote_before(scan, p, p->start)) &&
	       set_span(ret, start, end, SECRET_CLIENT);
}

/* --- Words ---------------------------------------------------------------- */

static bool find_by_form(const struct secret_scan *scan, const struct piece *p,
			 struct secret_span *ret)
{
	size_t end = p->end;

	if (p->has & PAIR && p->has & PATH)
		end = value_end(p, p->start);
	if (p->has == LOWER ||
	    !secret_form_find(scan, p->text + p->start, p->end - p->start,
			      end - p->start, ret))
		return false;
	ret->start += p->start;
	ret->end += p->start;
	return true;
}

/* `echo PASSWORD | kinit` */
static bool find_piped(const struct piece *p, struct secret_span *ret)
{
	const char *text = p->text;
	size_t at = p->end, end;

	while (at < p->length && strchr(" '\"", text[at]))
		at++;
	if (at >= p->length || text[at] != '|')
		return false;
	at += 1 + secret_span_of(BLANK, text + at + 1, p->length - at - 1);
	for (end = at; end < p->length && !(class_of(text[end]) & SEPARATOR);)
		end++;
	return secret_is_reader(text + at, end - at) &&
	       secret_value(NAME_SURE, text + p->start, p->end - p->start,
			    p->start ? text[p->start - 1] : '\0') &&
	       set_span(ret, p->start, p->end, SECRET_CLIENT);
}

/* Keep the end of a word, which the next one is judged by. */
static void keep_before(struct secret_scan *scan, const char *word,
			size_t length)
{
	size_t size =
		length < sizeof(scan->before) ? length : sizeof(scan->before);

	if (size)
		memcpy(scan->before, word + length - size, size);
	scan->before_length = size;
}

/* Look at a word that is no part of another. */
static bool find_in_word(struct secret_scan *scan, const struct piece *p,
			 struct secret_span *ret)
{
	if (((scan->expected != NAME_NONE || scan->client == CLIENT_LOGIN) &&
	     find_expected(scan, p, ret)) ||
	    (p->text[p->start] == '-' && find_glued(scan, p, ret)) ||
	    (p->has & PAIR && find_named(scan, p, ret)) || find_piped(p, ret) ||
	    find_by_form(scan, p, ret))
		return true;
	if (!(p->has & PAIR) && scan->expected == NAME_NONE)
		expect_next(scan, p);
	keep_before(scan, p->text + p->start, p->end - p->start);
	return false;
}

/* Return where the word that goes on at `at` ends. */
static size_t word_end(const char *text, size_t length, size_t at)
{
	while (at < length && !(class_of(text[at]) & SEPARATOR))
		at++;
	return at;
}

bool secret_next(struct secret_scan *scan, const char *text, size_t length,
		 size_t *at, struct secret_span *ret)
{
	while (*at < length) {
		struct piece p = { text, *at, *at, length, 0 };

		if (class_of(text[*at]) & SEPARATOR) {
			if (class_of(text[*at]) & END)
				*scan = (struct secret_scan){
					.words = scan->words
				};
			++*at;
			continue;
		}
		for (unsigned c; p.end < length; p.end++, p.has |= c) {
			c = class_of(text[p.end]);
			if (c & SEPARATOR || p.end - p.start >= PIECE_MAX_BYTES)
				break;
		}
		if (find_in_word(scan, &p, ret)) {
			/* The rest of a piece, or of a value, that was cut. */
			if (ret->end >= p.end && ret->form != SECRET_ADDRESS)
				ret->end = word_end(text, length, ret->end);
			*at = ret->end;
			return true;
		}
		*at = p.end;
	}
	return false;
}

/* --- What others call ----------------------------------------------------- */

size_t secret_mask(struct secret_scan *scan, char *text, size_t length)
{
	struct secret_scan alone = { .words = false };
	struct secret_span span;
	size_t at = 0, read = 0, used = 0;

	while (secret_next(scan ? scan : &alone, text, length, &at, &span)) {
		size_t mark = strlen(SECRET_MARK);

		if (mark > span.end - span.start)
			mark = span.end - span.start;
		/* The text before `at` is not read again. */
		memmove(text + used, text + read, span.start - read);
		used += span.start - read;
		memset(text + used, *SECRET_MARK, mark);
		used += mark;
		read = span.end;
	}
	if (!read)
		return length;
	memmove(text + used, text + read, length - read);
	used += length - read;
	memset(text + used, '\0', length - used);
	return used;
}

void secret_mask_text(char *text)
{
	secret_mask(NULL, text, strlen(text));
}

bool secret_count(const char *text, long counts[])
{
	struct secret_scan alone = { .words = false };
	struct secret_span span;
	size_t at = 0, length = strlen(text);
	bool found = false;

	while (secret_next(&alone, text, length, &at, &span)) {
		counts[span.form]++;
		found = true;
	}
	return found;
}

void secret_mask_words(const char *words[], int count, char *text, size_t size)
{
	struct secret_scan scan = { .words = true };

	for (int i = 0; i < count; i++) {
		struct secret_scan before = scan;
		struct secret_span span;
		size_t at = 0, length = strlen(words[i]);

		if (!secret_next(&scan, words[i], length, &at, &span))
			continue;
		if (size && words[i] >= text && words[i] < text + size)
			secret_mask(&before, text + (words[i] - text), length);
		else
			words[i] = span.start ? "-" SECRET_MARK : SECRET_MARK;
	}
}

bool secret_named(const char *name, size_t name_length, const char *value,
		  size_t length)
{
	int kind = name_length <= NAME_MAX_BYTES
			   ? secret_name(name, name_length)
			   : NAME_NONE;

	return kind != NAME_NONE && secret_value(kind, value, length, '\'');
}

enum secret_form secret_in(const char *name, size_t name_length,
			   const char *value, size_t length)
{
	struct secret_scan scan = { .words = false };
	struct secret_span span;
	size_t at = 0;

	if (secret_named(name, name_length, value, length))
		return SECRET_NAMED;
	keep_before(&scan, name, name_length);
	return secret_next(&scan, value, length, &at, &span) ? span.form
							     : SECRET_NONE;
}

bool secret_number(const char *name, double value)
{
	char text[32];
	int size = snprintf(text, sizeof(text), "%.15g", value);

	return value != 0 &&
	       secret_named(name, strlen(name), text, (size_t)size);
}
