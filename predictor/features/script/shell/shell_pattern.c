/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_pattern.c - patterns of the shell: `*`, `?`, `[a-z]`
 *
 * Thompson's simulation of an automaton: a bit for each element of the pattern
 * that may come next, and one for the end.  An end of a text is matched
 * backwards.
 */
#include <stdint.h>
#include <string.h>

#include "predictor/features/script/shell/shell_pattern.h"

struct element {
	char kind; /* '*', '?', '[', or 'c': */
	char character;
	const char *set; /* after the '[' and its '!' */
	size_t set_size;
	bool negated;
};

struct pattern {
	int count;
	uint64_t stars; /* those of the elements */
	struct element of[SHELL_PATTERN_MAX];
};

/* After a '['.  Returns the position behind its ']'; NULL: there is none. */
static const char *parse_set(const char *at, const char *end,
			     struct element *ret)
{
	ret->negated = at < end && strchr("!^", *at);
	at += ret->negated;
	if (at == end)
		return NULL;

	/* A ']' that is the first is in the set. */
	const char *close = memchr(at + 1, ']', (size_t)(end - at - 1));

	if (!close)
		return NULL;
	ret->kind = '[';
	ret->set = at;
	ret->set_size = (size_t)(close - at);
	return close + 1;
}

static bool pattern_parse(const char *at, const char *end, struct pattern *ret)
{
	ret->count = 0;
	while (at < end) {
		struct element e = { .kind = 'c', .character = *at++ };

		if (e.character == '*' || e.character == '?') {
			e.kind = e.character;
		} else if (e.character == '\\' && at < end) {
			e.character = *at++;
		} else if (e.character == '[') {
			const char *behind = parse_set(at, end, &e);

			if (behind && memmem(e.set, e.set_size, "[:", 2))
				return false;
			at = behind ? behind : at;
		}
		/* Two stars are one. */
		if (e.kind == '*' && ret->count &&
		    ret->of[ret->count - 1].kind == '*')
			continue;
		if (ret->count == SHELL_PATTERN_MAX)
			return false;
		ret->of[ret->count++] = e;
	}
	return true;
}

static void pattern_reverse(struct pattern *p)
{
	for (int i = 0, k = p->count - 1; i < k; i++, k--) {
		struct element e = p->of[i];

		p->of[i] = p->of[k];
		p->of[k] = e;
	}
}

static bool in_set(const struct element *e, char c)
{
	for (size_t i = 0; i < e->set_size; i++) {
		bool range = i + 2 < e->set_size && e->set[i + 1] == '-';
		unsigned char first = (unsigned char)e->set[i];
		unsigned char last =
			range ? (unsigned char)e->set[i + 2] : first;

		if ((unsigned char)c >= first && (unsigned char)c <= last)
			return true;
		i += range ? 2 : 0;
	}
	return false;
}

static bool element_matches(const struct element *e, char c)
{
	if (e->kind == '[')
		return in_set(e, c) != e->negated;
	return e->kind == '?' || e->character == c;
}

/* A star may also match nothing. */
static uint64_t pass_stars(const struct pattern *p, uint64_t states)
{
	return states | (states & p->stars) << 1;
}

static uint64_t step(const struct pattern *p, uint64_t states, char c)
{
	uint64_t next = states & p->stars;
	uint64_t left = states & ~p->stars & ~(UINT64_C(1) << p->count);

	for (; left; left &= left - 1) {
		int i = __builtin_ctzll(left);

		if (element_matches(&p->of[i], c))
			next |= UINT64_C(2) << i;
	}
	return pass_stars(p, next);
}

bool shell_pattern_match(const char *pattern, size_t size, const char *text,
			 size_t length, enum shell_pattern_part part,
			 bool longest, size_t *ret_length)
{
	bool backwards = part == SHELL_PATTERN_TAIL;
	struct pattern p;

	*ret_length = SHELL_PATTERN_NONE;
	if (!pattern_parse(pattern, pattern + size, &p))
		return false;
	if (backwards)
		pattern_reverse(&p);
	p.stars = 0;
	for (int i = 0; i < p.count; i++)
		p.stars |= (uint64_t)(p.of[i].kind == '*') << i;

	uint64_t end = UINT64_C(1) << p.count;
	uint64_t states = pass_stars(&p, 1);

	for (size_t i = 0; states; i++) {
		if (states & end &&
		    (part != SHELL_PATTERN_WHOLE || i == length)) {
			*ret_length = i;
			if (!longest)
				break;
		}
		if (i == length)
			break;
		states = step(&p, states, text[backwards ? length - 1 - i : i]);
	}
	return true;
}
