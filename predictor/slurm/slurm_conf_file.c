/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_conf_file.c - values of keys in slurm.conf, read without slurmctld
 *
 * Slurm's own syntax: "Key=Value" pairs separated by blanks, values perhaps in
 * double quotes, comments from # on, lines continued by a backslash, and
 * "Include FILE", relative to the folder of the file that has it.  All pairs
 * are kept in their order; lines of nodes, partitions and the like have pairs
 * whose names are no keys of slurm.conf, so only their first pair is kept.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/index.h"
#include "predictor/slurm/slurm_conf_file.h"

#define INCLUDE_DEPTH_MAX 8
#define FILES_MAX         256
#define PAIRS_MAX         200000
#define LINE_SIZE         65536

struct pair {
	char *key, *value;
};

struct slurm_conf_file {
	size_t files; /* that were read */
	uint32_t count, room;
	struct pair *pairs;
};

/* Where Debian's and SchedMD's packages, a build from source and slurmd
 * without files of its own ("configless") have it. */
static const char *const places[] = {
	"/etc/slurm/slurm.conf",
	"/usr/local/etc/slurm.conf",
	"/run/slurm/conf/slurm.conf",
	"/etc/slurm-llnl/slurm.conf",
	NULL,
};

const char *slurm_conf_file_path(const char *configured)
{
	const char *variable = getenv("SLURM_CONF");

	if (configured && *configured)
		return configured;
	if (variable && *variable)
		return variable;
	for (size_t i = 0; places[i]; i++)
		if (!access(places[i], F_OK))
			return places[i];
	return NULL;
}

static int pair_add(struct slurm_conf_file *file, const char *key,
		    size_t key_size, const char *value, size_t value_size,
		    struct sp_error *err)
{
	if (file->count == PAIRS_MAX ||
	    index_grow(&file->pairs, &file->room, file->count,
		       sizeof(*file->pairs)))
		return sp_error_set(err, "slurm.conf is too long");

	struct pair *pair = &file->pairs[file->count];

	pair->key = strndup(key, key_size);
	pair->value = strndup(value, value_size);
	if (!pair->key || !pair->value) {
		free(pair->key);
		free(pair->value);
		return sp_error_set(err, "out of memory");
	}
	file->count++;
	return 0;
}

/* Lines that describe one of many things, by the key they begin with. */
static bool is_description(const char *key, size_t size)
{
	static const char *const keys[] = { "NodeName",     "PartitionName",
					    "DownNodes",    "NodeSet",
					    "FrontendName", NULL };

	for (size_t i = 0; keys[i]; i++)
		if (strlen(keys[i]) == size && !strncasecmp(keys[i], key, size))
			return true;
	return false;
}

/* The pairs of a line without its comment. */
static int pairs_parse(struct slurm_conf_file *file, const char *line,
		       struct sp_error *err)
{
	static const char blanks[] = " \t\r\n";

	for (;;) {
		line += strspn(line, blanks);

		size_t key_size = strcspn(line, " \t\r\n=");
		const char *value = line + key_size;

		value += strspn(value, blanks);
		if (!key_size || *value != '=')
			return 0; /* Slurm refuses such a line, not we */
		value += 1 + strspn(value + 1, blanks);

		bool quoted = *value == '"';
		size_t value_size;

		value += quoted;
		value_size = strcspn(value, quoted ? "\"" : blanks);
		if (pair_add(file, line, key_size, value, value_size, err))
			return -1;
		if (is_description(line, key_size))
			return 0;
		line = value + value_size;
		line += quoted && *line == '"';
	}
}

static int file_read(struct slurm_conf_file *file, const char *path, int depth,
		     struct sp_error *err);

/* "Include FILE" in the file at `path`. */
static int include_read(struct slurm_conf_file *file, const char *path,
			const char *name, int depth, struct sp_error *err)
{
	char folder[PATH_MAX], other[PATH_MAX];
	size_t size = strcspn(name, " \t\r\n");

	if (depth == INCLUDE_DEPTH_MAX || file->files == FILES_MAX)
		return sp_error_set(err, "%.120s: too many files are included",
				    path);
	snprintf(folder, sizeof(folder), "%s", path);

	int written = snprintf(other, sizeof(other), "%s%s%.*s",
			       *name == '/' ? "" : dirname(folder),
			       *name == '/' ? "" : "/", (int)size, name);

	if (written < 0 || (size_t)written >= sizeof(other))
		return sp_error_set(err, "%.120s: Include is too long", path);
	return file_read(file, other, depth + 1, err);
}

static int line_read(struct slurm_conf_file *file, const char *path, char *line,
		     int depth, struct sp_error *err)
{
	char *start = line + strspn(line, " \t");

	for (char *c = start; *c; c++)
		if (*c == '#' && (c == start || c[-1] != '\\')) {
			*c = '\0';
			break;
		}
	if (!strncasecmp(start, "include", 7) && strchr(" \t", start[7]))
		return include_read(file, path,
				    start + 7 + strspn(start + 7, " \t"), depth,
				    err);
	return pairs_parse(file, start, err);
}

/* Append the next line of the file to `line`.  Gives whether it is continued
 * by another one; -1: it does not fit. */
static int line_append(FILE *f, char *line, size_t size)
{
	size_t used = strlen(line);

	if (!fgets(line + used, (int)(size - used), f))
		return 0;
	used = strlen(line);
	if (used == size - 1)
		return -1;
	while (used && strchr("\r\n", line[used - 1]))
		line[--used] = '\0';
	if (!used || line[used - 1] != '\\')
		return 0;
	line[used - 1] = '\0';
	return 1;
}

static int file_read(struct slurm_conf_file *file, const char *path, int depth,
		     struct sp_error *err)
{
	FILE *f = fopen(path, "re");
	char *line = malloc(LINE_SIZE);
	struct stat status;
	int rc = 0;

	file->files++;
	if (!f || !line)
		rc = sp_error_set(err, "%s: %s", path, strerror(errno));
	else if (fstat(fileno(f), &status) || !S_ISREG(status.st_mode))
		rc = sp_error_set(err, "%s: not a regular file", path);
	while (!rc && !feof(f) && !ferror(f)) {
		int more;

		line[0] = '\0';
		do
			more = line_append(f, line, LINE_SIZE);
		while (more > 0);
		rc = more < 0
			     ? sp_error_set(err, "%s: a line is too long", path)
			     : line_read(file, path, line, depth, err);
	}
	if (!rc && ferror(f))
		rc = sp_error_set(err, "%s: %s", path, strerror(errno));
	free(line);
	if (f)
		fclose(f);
	return rc;
}

struct slurm_conf_file *slurm_conf_file_read(const char *path,
					     struct sp_error *err)
{
	struct slurm_conf_file *file = calloc(1, sizeof(*file));

	if (!file)
		return sp_error_null(err, "out of memory");
	if (!file_read(file, path, 0, err))
		return file;
	slurm_conf_file_destroy(file);
	return NULL;
}

void slurm_conf_file_destroy(struct slurm_conf_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->count; i++) {
		free(file->pairs[i].key);
		free(file->pairs[i].value);
	}
	free(file->pairs);
	free(file);
}

const char *slurm_conf_file_value(const struct slurm_conf_file *file,
				  const char *key)
{
	for (size_t i = file->count; i > 0; i--)
		if (!strcasecmp(file->pairs[i - 1].key, key))
			return file->pairs[i - 1].value;
	return NULL;
}
