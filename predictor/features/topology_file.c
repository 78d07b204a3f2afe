/* SPDX-License-Identifier: GPL-2.0-or-later */
/* topology_file.c - a topology.conf that is read again when it changes
 *
 * The file and those that it includes become one text, a topology.yaml lines of
 * a topology.conf.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "predictor/features/topology_file.h"

#define BLANKS " \t\r"

#define INCLUDES_DEEP 4

bool topology_file_changed(struct topology_file *file)
{
	struct stat status = { .st_size = 0 };
	bool changed;

	/* A missing file counts as modified at 0. */
	stat(file->path, &status);
	changed = !file->was_checked ||
		  status.st_mtim.tv_sec != file->modified.tv_sec ||
		  status.st_mtim.tv_nsec != file->modified.tv_nsec;
	file->modified = status.st_mtim;
	file->was_checked = true;
	return changed;
}

/* --- topology.yaml -------------------------------------------------------- */

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

void topology_file_convert(const char *text, char *ret, size_t size)
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

/* --- Reading ------------------------------------------------------------- */

/* Append the file to `text`, of TOPOLOGY_BYTES_MAX + 2 bytes, with those that
 * it includes. */
static int append_file(const char *path, char *text, int depth,
		       struct sp_error *err)
{
	size_t used = strlen(text), room = TOPOLOGY_BYTES_MAX + 2 - used;
	const char *slash = strrchr(path, '/');
	FILE *f = fopen(path, "re");
	char *line = NULL, included[PATH_MAX];
	size_t size = 0;
	ssize_t length;
	int rc = 0;

	if (!f)
		return sp_error_set(err, "%s", strerror(errno));
	errno = 0;
	while (!rc && room > 1 && (length = getline(&line, &size, f)) > 0) {
		char name[PATH_MAX];

		if (depth < INCLUDES_DEEP && !strncasecmp(line, "include", 7) &&
		    sscanf(line + 7, " %4000s", name) == 1 && line[7] <= ' ') {
			int folder = slash && *name != '/'
					     ? (int)(slash + 1 - path)
					     : 0;

			if (snprintf(included, sizeof(included), "%.*s%s",
				     folder, path,
				     name) >= (int)sizeof(included))
				rc = sp_error_set(err, "%.99s: too long", name);
			else
				rc = append_file(included, text, depth + 1,
						 err);
			used = strlen(text);
			room = TOPOLOGY_BYTES_MAX + 2 - used;
			continue;
		}
		if ((size_t)length >= room)
			length = (ssize_t)room - 1;
		memcpy(text + used, line, (size_t)length);
		text[used += (size_t)length] = '\0';
		room -= (size_t)length;
	}
	if (!rc && ferror(f))
		rc = sp_error_set(err, "%s", strerror(errno));
	free(line);
	fclose(f);
	return rc;
}

static bool is_yaml(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

static char *read_text(const char *path, struct sp_error *err)
{
	char *text = calloc(1, TOPOLOGY_BYTES_MAX + 2);
	char *lines = NULL;

	if (!text)
		return sp_error_null(err, "out of memory");
	if (append_file(path, text, 0, err))
		goto failed;
	if (!is_yaml(path))
		return text;
	lines = malloc(TOPOLOGY_BYTES_MAX);
	if (!lines) {
		sp_error_set(err, "out of memory");
		goto failed;
	}
	topology_file_convert(text, lines, TOPOLOGY_BYTES_MAX);
failed:
	free(text);
	return lines;
}

char *topology_file_read(const char *path, struct topology *ret,
			 struct sp_error *err)
{
	char *text = read_text(path, err);
	struct topology topology;

	if (!text)
		return NULL;
	if (topology_parse(text, strlen(text), &topology, err)) {
		free(text);
		return NULL;
	}
	if (ret)
		*ret = topology;
	else
		topology_clear(&topology);
	return text;
}
