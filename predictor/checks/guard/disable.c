/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disable.c - take our part of slurm.conf out where it would be fatal
 *
 * First find out what is fatal, from the values in force; then go through the
 * lines of slurm.conf and write it anew: a line whose value has an element that
 * is fatal becomes a comment, followed by the same key without that element, if
 * others are left.  Lines in included files are not changed: they are reported.
 * The new file replaces the old one at once, with its owner and permissions.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/piece.h"
#include "predictor/checks/guard/disable.h"
#include "predictor/slurm/plugin_trial.h"
#include "predictor/slurm/slurm_conf_file.h"

#define PLUGIN_NAME "predict"
#define PLUGIN_FILE "job_submit_predict.so"
#define MARK        "# disabled by slurm-predict, see spredict doctor: "

/* What is fatal in slurm.conf. */
struct fatal {
	const char *libdir;
	bool removed; /* all that is ours is about to go */
	bool plugin;  /* job_submit/predict cannot be loaded */
	bool dirs;    /* one of our directories in PluginDir is missing */
	size_t lines; /* changed */
};

static bool text_is(const char *text, size_t size, const char *word)
{
	return strlen(word) == size && !strncmp(text, word, size);
}

/* An element of JobSubmitPlugins is ours; older files have its type, too. */
static bool is_plugin(const struct fatal *f, const char *text, size_t size)
{
	return f->plugin && (text_is(text, size, PLUGIN_NAME) ||
			     text_is(text, size, "job_submit/" PLUGIN_NAME));
}

/* An element of PluginDir is ours, and missing or about to be. */
static bool is_lost_dir(const struct fatal *f, const char *text, size_t size)
{
	char path[PATH_MAX];
	struct stat status;
	size_t length = strlen(f->libdir);

	if (!f->dirs || size < length ||
	    strncmp(text, f->libdir, length) != 0 ||
	    (size > length && text[length] != '/') ||
	    !piece_copy(path, sizeof(path), text, size))
		return false;
	return f->removed || stat(path, &status) || !S_ISDIR(status.st_mode);
}

/* The keys that can be fatal, and which of their elements are. */
static const struct key {
	const char *name;
	char separator;
	bool (*is_fatal)(const struct fatal *f, const char *text, size_t size);
} keys[] = {
	{ "JobSubmitPlugins", ',', is_plugin },
	{ "PluginDir", ':', is_lost_dir },
	{ NULL, '\0', NULL },
};

/* Copy the elements that are not fatal to *ret.  Gives how many are. */
static size_t elements_keep(const struct fatal *f, const struct key *key,
			    const char *value, size_t size, char *ret)
{
	size_t fatal = 0, used = 0;

	while (size) {
		const char *end = memchr(value, key->separator, size);
		size_t length = end ? (size_t)(end - value) : size;

		if (key->is_fatal(f, value, length)) {
			fatal++;
		} else if (length) {
			if (used)
				ret[used++] = key->separator;
			memcpy(ret + used, value, length);
			used += length;
		}
		length += end != NULL;
		value += length;
		size -= length;
	}
	ret[used] = '\0';
	return fatal;
}

static size_t value_count_fatal(const struct fatal *f, const struct key *key,
				const char *value)
{
	char *kept = malloc(strlen(value) + 1);
	size_t count =
		kept ? elements_keep(f, key, value, strlen(value), kept) : 0;

	free(kept);
	return count;
}

/* --- What is fatal -------------------------------------------------------- */

static void fatal_find(const struct slurm_conf_file *file, const char *libdir,
		       bool removed, disable_report *report, struct fatal *ret)
{
	static const char *const functions[] = { "job_submit", "job_modify",
						 NULL };
	const char *plugins = slurm_conf_file_value(file, "JobSubmitPlugins");
	const char *dirs = slurm_conf_file_value(file, "PluginDir");
	char path[PATH_MAX], text[512];
	struct sp_error why;

	*ret = (struct fatal){ .libdir = libdir,
			       .removed = removed,
			       .plugin = true,
			       .dirs = true };
	if (!dirs || !value_count_fatal(ret, &keys[1], dirs))
		ret->dirs = false;
	else
		report("a directory in PluginDir is missing: it is taken out, "
		       "so that Slurm can start");
	/* Without PluginDir it is in Slurm's own directory, if anywhere. */
	if (!plugins || !dirs || !value_count_fatal(ret, &keys[0], plugins)) {
		ret->plugin = false;
		return;
	}
	if (removed)
		sp_error_set(&why, "slurm-predict is removed");
	else if (plugin_find(dirs, PLUGIN_FILE, path, sizeof(path)))
		sp_error_set(&why, "PluginDir has no " PLUGIN_FILE);
	else if (plugin_try(path, dirs, functions, &why) != PLUGIN_FAILS)
		ret->plugin = false;
	if (!ret->plugin)
		return;
	snprintf(text, sizeof(text),
		 "%s: predict is taken out of JobSubmitPlugins, so that "
		 "slurmctld can start; NO JOB IS PREDICTED",
		 why.text);
	report(text);
}

/* --- The file ------------------------------------------------------------- */

/* Write a line of slurm.conf, changed if it has something fatal. */
static void line_write(struct fatal *f, const char *line, FILE *out)
{
	const char *start = line + strspn(line, " \t");
	size_t key_size = strcspn(start, " \t=");
	const char *value = start + key_size + strspn(start + key_size, " \t");
	const struct key *key = keys;

	while (key->name && (strlen(key->name) != key_size ||
			     strncasecmp(start, key->name, key_size) != 0))
		key++;
	if (key->name && *value == '=') {
		value += 1 + strspn(value + 1, " \t\"");

		size_t size = strcspn(value, " \t\r\n\"#");
		char *kept = malloc(size + 1);

		if (kept && elements_keep(f, key, value, size, kept)) {
			f->lines++;
			fprintf(out, MARK "%s", line);
			if (line[strlen(line) - 1] != '\n')
				fputc('\n', out);
			if (*kept)
				fprintf(out, "%s=%s\n", key->name, kept);
			free(kept);
			return;
		}
		free(kept);
	}
	fputs(line, out);
}

static int file_copy(struct fatal *f, FILE *in, FILE *out, const char *path,
		     struct sp_error *err)
{
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, in) >= 0)
		line_write(f, line, out);
	free(line);
	if (ferror(in) || fflush(out) || fsync(fileno(out)))
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	return 0;
}

/* Replace the file at `path`, which is no symbolic link. */
static int file_replace(struct fatal *f, const char *path, struct sp_error *err)
{
	FILE *in = fopen(path, "re"), *out = NULL;
	char fresh[PATH_MAX + 16];
	struct stat status;
	int fd = -1, rc = -1;

	snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	if (in && !fstat(fileno(in), &status))
		fd = mkstemp(fresh);
	if (fd >= 0)
		out = fdopen(fd, "w");
	if (!in || !out || fchown(fd, status.st_uid, status.st_gid) ||
	    fchmod(fd, status.st_mode & 07777))
		sp_error_set(err, "%s cannot be changed: %s", path,
			     strerror(errno));
	else
		rc = file_copy(f, in, out, path, err);
	if (!rc && f->lines && rename(fresh, path))
		rc = sp_error_set(err, "%s: %s", path, strerror(errno));
	if (in)
		fclose(in);
	if (out)
		fclose(out);
	if (fd >= 0 && (rc || !f->lines))
		unlink(fresh);
	return rc;
}

int disable_what_is_fatal(const char *path, const char *libdir, bool removed,
			  disable_report *report, struct sp_error *err)
{
	struct slurm_conf_file *file = slurm_conf_file_read(path, err);
	char real[PATH_MAX];
	struct fatal f;

	if (!file)
		return -1;
	fatal_find(file, libdir, removed, report, &f);
	slurm_conf_file_destroy(file);
	if (!f.plugin && !f.dirs)
		return 0;
	if (!realpath(path, real))
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (file_replace(&f, real, err))
		return -1;
	if (!f.lines)
		return sp_error_set(err,
				    "the line is not in %s itself: take it out "
				    "of the file that has it",
				    path);
	return (int)f.lines;
}
