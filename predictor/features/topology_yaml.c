/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_yaml.c - a topology.yaml as lines of a topology.conf */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "predictor/features/topology_yaml.h"

#define BLANKS " \t\r"

/* A key and its value in the text, not terminated. */
struct yaml_line {
	const char *key, *value;
	int key_length, value_length;
};

/* Read the line at *text, which goes on behind it; false: the text ended. */
static bool line_read(const char **text, struct yaml_line *ret)
{
	const char *at = *text, *end = at + strcspn(at, "\n");
	const char *comment = strstr(at, " #");

	if (!*at)
		return false;
	*text = end + (*end == '\n');
	if (comment && comment < end)
		end = comment;
	at += strspn(at, BLANKS "-");
	*ret = (struct yaml_line){ at, at, 0, 0 };
	if (at >= end || *at == '#')
		return true;
	ret->key_length = (int)strcspn(at, ":\n");
	at += ret->key_length;
	if (*at != ':')
		return true;
	at += 1 + strspn(at + 1, BLANKS "\"'");
	while (end > at && strchr(BLANKS "\"'", end[-1]))
		end--;
	ret->value = at;
	ret->value_length = end > at ? (int)(end - at) : 0;
	return true;
}

static bool key_is(const struct yaml_line *line, const char *key)
{
	return (size_t)line->key_length == strlen(key) &&
	       !strncmp(line->key, key, strlen(key));
}

/* Return which topology of the file is the cluster's. */
static int find_default(const char *text)
{
	struct yaml_line line;
	int at = -1;

	while (line_read(&text, &line)) {
		at += key_is(&line, "topology");
		if (key_is(&line, "cluster_default") &&
		    !strncmp(line.value, "true", 4))
			return at;
	}
	return 0;
}

void topology_yaml_convert(const char *text, char *ret, size_t size)
{
	static const struct {
		const char *key, *text;
	} keys[] = {
		{ "switch", "\nSwitchName=" },
		{ "block", "\nSwitchName=" },
		{ "children", " Switches=" },
		{ "nodes", " Nodes=" },
	};
	int wanted = find_default(text), at = -1;
	struct yaml_line line;
	size_t used = 0;

	ret[0] = '\0';
	while (line_read(&text, &line)) {
		at += key_is(&line, "topology");
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
			if (at != wanted || !line.value_length ||
			    !key_is(&line, keys[i].key))
				continue;

			int length = snprintf(ret + used, size - used,
					      "%s\"%.*s\"", keys[i].text,
					      line.value_length, line.value);

			if ((size_t)length >= size - used) {
				ret[used] = '\0';
				return;
			}
			used += (size_t)length;
		}
	}
	snprintf(ret + used, size - used, "\n");
}
