/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spool_events.c - records of jobs and steps for collectord, as files
 *
 * An event is a file, written durably, whose name sorts by time; an end of a
 * task is one write() that appends a line.  The folders are not created here:
 * without them nothing is recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spank/spool_events.h"
#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/remove_tree.h"
#include "predictor/features/secret.h"

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

	size_t typed = used;

	used = add_field(text, used, "parameters", event->parameters);
	used = add_field(text, used, "arguments", event->arguments);
	used = typed + secret_mask(NULL, text + typed, used - typed);
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
	DIR *stream = durable_stream(folder, ".");
	int count = 0;

	if (!stream)
		return 1;
	while (count <= EVENTS_WAITING_MAX && readdir(stream))
		count++;
	closedir(stream);
	return count > EVENTS_WAITING_MAX;
}

/* --- Folders that the job's own processes write to ------------------------ */

/* Put aside what is there, for collectord to delete. */
static void set_aside(int users, const char *path)
{
	char aside[64];

	snprintf(aside, sizeof(aside), "removed/%.6f-%d", clock_now_s(),
		 (int)getpid());
	(void)renameat(users, path, users, aside);
}

/* A folder of an attempt whose end was missed goes.  The group stays root's. */
static int make_folder(int users, const char *path, uint32_t user_id)
{
	set_aside(users, path);
	return mkdirat(users, path, 0700) || fchmodat(users, path, 0770, 0) ||
			       fchownat(users, path, user_id, (gid_t)-1,
					AT_SYMLINK_NOFOLLOW)
		       ? -1
		       : 0;
}

int event_make_folders(const char *spool, bool traced, uint32_t job_id,
		       uint32_t user_id, struct sp_error *err)
{
	char reports[32], traces[32];
	int rc = 0, users = open_folder(spool, "users", err);
	struct stat about;

	if (users < 0)
		return users == -2 ? 0 : -1;
	snprintf(reports, sizeof(reports), "mpi/%u", job_id);
	snprintf(traces, sizeof(traces), "traces/%u", job_id);
	/* collectord closes it when the disk is full. */
	if (!fstat(users, &about) && about.st_mode & S_IXOTH &&
	    (make_folder(users, reports, user_id) ||
	     (traced && make_folder(users, traces, user_id))))
		rc = sp_error_set(err, "%s/users: job %u: %s", spool, job_id,
				  strerror(errno));
	close(users);
	return rc;
}

/* Take a folder from its user and rename it, whatever is in it: the same little
 * work for a million files. */
static void close_folder(int users, const char *path, const char *ended)
{
	int folder = remove_tree_open(users, path);

	if (folder < 0)
		return;
	close(folder);
	set_aside(users, ended);
	(void)renameat(users, path, users, ended);
}

void event_close_folders(const char *spool, uint32_t job_id, uint32_t user_id,
			 double time_s)
{
	char path[64], ended[80];
	int users = open_folder(spool, "users", NULL);
	int steps = open_folder(spool, "steps", NULL);

	if (users >= 0) {
		snprintf(path, sizeof(path), "mpi/%u", job_id);
		snprintf(ended, sizeof(ended), "%s.ended", path);
		close_folder(users, path, ended);
		snprintf(path, sizeof(path), "traces/%u", job_id);
		snprintf(ended, sizeof(ended), "%s-%u-%lld", path, user_id,
			 (long long)time_s);
		close_folder(users, path, ended);
		close(users);
	}
	if (steps >= 0) {
		snprintf(path, sizeof(path), "%u", job_id);
		snprintf(ended, sizeof(ended), "%u-%.6f", job_id, time_s);
		(void)renameat(steps, path, steps, ended);
		close(steps);
	}
}

void event_forget_steps(const char *spool, uint32_t job_id)
{
	char name[16];
	int steps = open_folder(spool, "steps", NULL);

	if (steps < 0)
		return;
	snprintf(name, sizeof(name), "%u", job_id);
	unlinkat(steps, name, 0);
	close(steps);
}

/* --- Files ---------------------------------------------------------------- */

/* Count a file that could not be written: `lost` grows by a byte, for which
 * collectord has kept room. */
static int note_lost(const char *spool)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "%s/lost", spool);

	int fd = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, "x", 1);
		close(fd);
	}
	return -1;
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
		return note_lost(spool);
	/* Names sort in the order of time. */
	snprintf(name, sizeof(name), "%017.6f-%s-%u", event->time_s,
		 event->kind, event->job_id);
	if (folder_is_full(folder))
		sp_error_set(err, "%s/events is full: is collectord running?",
			     spool);
	else
		rc = durable_write_spare(folder, name, text,
					 event_text(event, text), err);
	close(folder);
	return rc ? note_lost(spool) : 0;
}

/* One write: lines of several slurmstepd do not mix.  On a full disk the file
 * is made of a spare, if it is new. */
static int append_line(int folder, const char *name, const char *line,
		       size_t length)
{
	const int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(folder, name, flags | O_CREAT, 0600);
	struct stat about = { .st_size = 0 };
	ssize_t done = -1;

	if (fd >= 0 && !fstat(fd, &about))
		done = about.st_size < EVENTS_STEPS_MAX_BYTES
			       ? write(fd, line, length)
			       : (ssize_t)length;
	if (fd >= 0)
		close(fd);
	if (done < 0 && !about.st_size && !durable_spare_take(folder, name)) {
		fd = openat(folder, name, flags);
		done = write(fd, line, length);
		close(fd);
	}
	return done == (ssize_t)length ? 0 : -1;
}

int event_append_task(const char *spool, const struct task_end *end,
		      struct sp_error *err)
{
	char name[32], line[256];
	int rc = 0;
	int folder = open_folder(spool, "steps", err);

	if (folder == -2)
		return 0;
	if (folder < 0)
		return note_lost(spool);
	snprintf(name, sizeof(name), "%u", end->job_id);

	int length = snprintf(line, sizeof(line), "%.6f %u %d %d %.3f %.0f",
			      end->time_s, end->step_id, end->stepd_pid,
			      end->wait_status, end->cpu_s, end->peak_kb);

	if (!isnan(end->cached_mb))
		length += snprintf(line + length, sizeof(line) - (size_t)length,
				   " %.0f", end->cached_mb * 1024);
	line[length++] = '\n';

	if (append_line(folder, name, line, (size_t)length))
		rc = sp_error_set(err, "%s/steps/%s: %s", spool, name,
				  strerror(errno));
	close(folder);
	return rc ? note_lost(spool) : 0;
}
