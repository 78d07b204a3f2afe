/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool_events.c - records of jobs and steps for collectord, as files
 *
 * An event is a file, written durably, whose name sorts by time; an end of a
 * task is one write() that appends a line.  The folders are not created here:
 * without them nothing is recorded.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spank/spool_events.h"
#include "predictor/base/durable.h"
#include "predictor/base/remove_tree.h"

#define PATH_SIZE 1024
#define TEXT_SIZE 4096

/* A node list that does not fit is left out; collectord then gets it from
 * scontrol. */
static size_t add_field(char *text, size_t used, const char *key,
			const char *value)
{
	if (!value || !*value || strpbrk(value, "\r\n"))
		return used;

	int length =
		snprintf(text + used, TEXT_SIZE - used, "%s=%s\n", key, value);

	if (length < 0 || (size_t)length >= TEXT_SIZE - used - 64) {
		text[used] = '\0';
		return used;
	}
	return used + (size_t)length;
}

static size_t event_text(const struct event *event, char text[TEXT_SIZE])
{
	size_t used = (size_t)snprintf(text, TEXT_SIZE,
				       "event=%s\njob=%u\nuser=%u\n"
				       "time=%.6f\n",
				       event->kind, event->job_id,
				       event->user_id, event->time_s);

	used = add_field(text, used, "cluster", event->cluster);
	used = add_field(text, used, "node", event->node);
	used = add_field(text, used, "partition", event->partition);
	used = add_field(text, used, "restarts", event->restarts);
	used = add_field(text, used, "exit", event->exit);
	used = add_field(text, used, "profile", event->profile);
	used = add_field(text, used, "prediction", event->prediction);
	used = add_field(text, used, "nodes", event->nodes);
	used = add_field(text, used, "parameters", event->parameters);
	used = add_field(text, used, "arguments", event->arguments);
	return used +
	       (size_t)snprintf(text + used, TEXT_SIZE - used, "end=1\n");
}

/* Opens SPOOL/NAME: its descriptor, -1 with an error, -2 if it is missing. */
static int open_folder(const char *spool, const char *name,
		       struct sp_error *err)
{
	char path[PATH_SIZE];

	if (snprintf(path, sizeof(path), "%s/%s", spool, name) >=
	    (int)sizeof(path))
		return sp_error_set(err, "spool path too long");

	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return -2;
	if (fd < 0)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	return fd;
}

static int folder_is_full(int folder)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	int count = 0;

	if (!stream) {
		if (copy >= 0)
			close(copy);
		return 1;
	}
	while (count <= EVENTS_WAITING_MAX && readdir(stream))
		count++;
	closedir(stream);
	return count > EVENTS_WAITING_MAX;
}

/* Folders that the job's own processes write to. */
#define REPORTS "mpi"
#define TRACES  "traces"

static int make_folder(const char *spool, const char *of, uint32_t job_id,
		       uint32_t user_id, struct sp_error *err)
{
	char name[16];
	int rc = 0, folder = open_folder(spool, of, err);

	if (folder == -2)
		return 0;
	if (folder < 0)
		return -1;
	snprintf(name, sizeof(name), "%u", job_id);
	/* The group stays root's, so that collectord, which lacks some of
	 * root's capabilities, can remove the files. */
	if ((mkdirat(folder, name, 0700) && errno != EEXIST) ||
	    fchmodat(folder, name, 0770, 0) ||
	    fchownat(folder, name, user_id, (gid_t)-1, AT_SYMLINK_NOFOLLOW))
		rc = sp_error_set(err, "%s/%s/%s: %s", spool, of, name,
				  strerror(errno));
	close(folder);
	return rc;
}

int event_make_folders(const char *spool, bool traced, uint32_t job_id,
		       uint32_t user_id, struct sp_error *err)
{
	if (make_folder(spool, REPORTS, job_id, user_id, err))
		return -1;
	return traced ? make_folder(spool, TRACES, job_id, user_id, err) : 0;
}

static bool is_plain_file(int folder, const char *name)
{
	struct stat about;

	return fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(about.st_mode) && about.st_nlink == 1;
}

/* All but plain files; the limit bounds the time that Slurm waits. */
static int folder_clean(int folder, struct sp_error *err)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	int rc = 0;

	if (!stream) {
		if (copy >= 0)
			close(copy);
		return sp_error_set(err, "a job's files: %s", strerror(errno));
	}
	for (int seen = 0; seen < REMOVE_TREE_MAX && (entry = readdir(stream));
	     seen++)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    !is_plain_file(folder, entry->d_name) &&
		    remove_tree(folder, entry->d_name, err))
			rc = -1;
	closedir(stream);
	return rc;
}

static int close_folder(const char *spool, const char *of, uint32_t job_id,
			struct sp_error *err)
{
	char name[16];
	int rc = 0, folder, parent = open_folder(spool, of, err);

	if (parent == -2)
		return 0;
	if (parent < 0)
		return -1;
	snprintf(name, sizeof(name), "%u", job_id);
	folder = remove_tree_open(parent, name);
	if (folder >= 0)
		rc = folder_clean(folder, err);
	else if (errno != ENOENT)
		rc = remove_tree(parent, name, err);
	if (folder >= 0)
		close(folder);
	close(parent);
	return rc;
}

int event_close_folders(const char *spool, uint32_t job_id,
			struct sp_error *err)
{
	int rc = close_folder(spool, REPORTS, job_id, err);

	return close_folder(spool, TRACES, job_id, err) ? -1 : rc;
}

int event_write(const char *spool, const struct event *event,
		struct sp_error *err)
{
	char text[TEXT_SIZE], name[128];
	int rc = -1;
	int folder = open_folder(spool, "events", err);

	if (folder == -2)
		return 0;
	if (folder < 0)
		return -1;
	/* Names sort in the order of time. */
	snprintf(name, sizeof(name), "%017.6f-%s-%u", event->time_s,
		 event->kind, event->job_id);
	if (folder_is_full(folder))
		sp_error_set(err, "%s/events is full: is collectord running?",
			     spool);
	else
		rc = durable_write(folder, name, text, event_text(event, text),
				   err);
	close(folder);
	return rc;
}

int event_append_task(const char *spool, const struct task_end *end,
		      struct sp_error *err)
{
	char name[32], line[256];
	struct stat about;
	int rc = 0;
	int folder = open_folder(spool, "steps", err);

	if (folder == -2)
		return 0;
	if (folder < 0)
		return -1;
	snprintf(name, sizeof(name), "%u", end->job_id);

	int length = snprintf(line, sizeof(line), "%.6f %u %d %d %.3f %.0f\n",
			      end->time_s, end->step_id, end->stepd_pid,
			      end->wait_status, end->cpu_s, end->peak_kb);
	int fd = openat(folder, name,
			O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
			0600);

	/* One write: lines of several slurmstepd do not mix. */
	if (fd < 0 || fstat(fd, &about))
		rc = sp_error_set(err, "%s/steps/%s: %s", spool, name,
				  strerror(errno));
	else if (about.st_size < EVENTS_STEPS_MAX_BYTES &&
		 write(fd, line, (size_t)length) != length)
		rc = sp_error_set(err, "%s/steps/%s: not written", spool, name);
	if (fd >= 0)
		close(fd);
	close(folder);
	return rc;
}
