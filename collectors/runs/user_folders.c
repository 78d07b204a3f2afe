/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user_folders.c - what processes of users write on a node, and its limits
 *
 * The collector's thread measures the trees now and then, each up to a number
 * of entries, and moves to `removed` what is above the limit.  The thread that
 * deletes shares no lock, and deletes in slices, so that it ends soon.
 */
#include <errno.h>
#include <linux/ioprio.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collectors/runs/user_folders.h"
#include "predictor/base/clock.h"
#include "predictor/base/durable.h"
#include "predictor/base/log.h"
#include "predictor/base/remove_tree.h"
#include "predictor/base/thread_start.h"

#define FOLDERS_MAX 1024
#define SCAN_S      10.0

/* A process writes one file: no honest job has more of them on a node; they are
 * measured in some 30 ms. */
#define ENTRIES_MAX 16384

#define SLICE    1000     /* entries that are deleted at once */
#define SLICE_NS 10000000 /* between two slices */

struct user_folders {
	const struct spool_folders *folders;
	size_t max_bytes;
	double scan_at_s;
	bool closed, held_said;
	bool apart; /* a file system of its own */
	unsigned moved;

	pthread_t thread;
	sem_t work;
	atomic_bool stop;
};

/* --- Deleting ------------------------------------------------------------- */

static void delete_slices(struct user_folders *users, const char *name)
{
	struct sp_error err;
	int rc = 1;

	while (rc > 0 && !users->stop) {
		rc = remove_tree(users->folders->removed, name, SLICE, &err);
		if (rc > 0)
			nanosleep(&(struct timespec){ .tv_nsec = SLICE_NS },
				  NULL);
	}
	if (rc < 0)
		log_warning("files of a job: %s", err.text);
}

static void delete_all(struct user_folders *users)
{
	char **names;
	size_t count;

	if (durable_names(users->folders->removed, FOLDERS_MAX, &names, &count,
			  NULL))
		return;
	for (size_t i = 0; i < count; i++)
		delete_slices(users, names[i]);
	durable_names_free(names, count);
}

static void *remover_main(void *context)
{
	struct user_folders *users = context;

	/* This thread alone; what is not allowed is left as it is. */
	(void)setpriority(PRIO_PROCESS, 0, 19);
	(void)syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		      IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
	while (!users->stop) {
		delete_all(users);
		(void)sem_wait(&users->work);
	}
	return NULL;
}

void user_folders_wake(struct user_folders *users)
{
	sem_post(&users->work);
}

void user_folders_drop(struct user_folders *users, int parent_fd,
		       const char *name)
{
	char aside[64];
	int fd = remove_tree_open(parent_fd, name);

	if (fd >= 0)
		close(fd);
	snprintf(aside, sizeof(aside), "%.6f-%u", clock_now_s(),
		 users->moved++);
	if (!renameat(parent_fd, name, users->folders->removed, aside))
		user_folders_wake(users);
	else if (errno != ENOENT)
		log_warning("files of a job: %.32s: %s", name, strerror(errno));
}

/* --- Limits --------------------------------------------------------------- */

struct folder {
	int parent_fd;
	char name[64];
	bool ended;
	struct tree_size size;
};

static bool has_ended(const char *name)
{
	return strpbrk(name, ".-") != NULL;
}

static size_t list_folders(int parent_fd, struct folder *ret, size_t room)
{
	char **names;
	size_t count, used = 0;

	if (durable_names(parent_fd, room, &names, &count, NULL))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct folder *f = &ret[used];

		if (strlen(names[i]) >= sizeof(f->name))
			continue;
		*f = (struct folder){ .parent_fd = parent_fd,
				      .ended = has_ended(names[i]) };
		strcpy(f->name, names[i]);
		used++;
	}
	durable_names_free(names, count);
	return used;
}

/* Return the oldest of those that have ended, else the one that has most. */
static struct folder *choose_dropped(struct folder *folders, size_t count)
{
	struct folder *chosen = NULL;

	for (size_t i = 0; i < count; i++) {
		struct folder *f = &folders[i];

		if (!f->size.bytes)
			continue;
		if (!chosen || (f->ended && !chosen->ended) ||
		    (f->ended == chosen->ended &&
		     (f->ended ? f->size.changed_s < chosen->size.changed_s
			       : f->size.bytes > chosen->size.bytes)))
			chosen = f;
	}
	return chosen;
}

static void folder_drop(struct user_folders *users, struct folder *f,
			const char *why)
{
	log_warning("files of job %lu are dropped: %s",
		    strtoul(f->name, NULL, 10), why);
	user_folders_drop(users, f->parent_fd, f->name);
}

static void keep_limit(struct user_folders *users, struct folder *folders,
		       size_t count)
{
	size_t all = 0;

	for (size_t i = 0; i < count; i++) {
		struct folder *f = &folders[i];

		tree_measure(f->parent_fd, f->name, ENTRIES_MAX, &f->size);
		if (f->size.beyond) {
			folder_drop(users, f, "there are too many, or folders");
			f->size.bytes = 0;
		}
		all += f->size.bytes;
	}

	struct folder *f;

	while (all > users->max_bytes && (f = choose_dropped(folders, count))) {
		folder_drop(users, f, "all have more than TracesMaxMB");
		all -= f->size.bytes;
		f->size.bytes = 0;
	}
}

/* Find the folders of all jobs, which the caller frees. */
static struct folder *find_folders(const struct user_folders *users,
				   size_t *ret_count)
{
	struct folder *folders = calloc(2 * FOLDERS_MAX, sizeof(*folders));

	*ret_count = 0;
	if (!folders)
		return NULL;
	*ret_count = list_folders(users->folders->mpi, folders, FOLDERS_MAX);
	*ret_count += list_folders(users->folders->traces, folders + *ret_count,
				   FOLDERS_MAX);
	return folders;
}

/* All is removed, and there is no room even so. */
static void say_held(struct user_folders *users)
{
	char **names;
	size_t count;

	if (users->held_said ||
	    durable_names(users->folders->removed, 1, &names, &count, NULL))
		return;
	durable_names_free(names, count);
	users->held_said = !count;
	if (!count)
		log_error("the disk of the spool stays nearly full: perhaps a "
			  "process still writes to a file that was removed; "
			  "SPOOL/users should be a file system of its own");
}

void user_folders_keep_room(struct user_folders *users, bool low)
{
	bool close_now = low && !users->apart;
	size_t count = 0;
	struct folder *folders = close_now ? find_folders(users, &count) : NULL;

	if (close_now != users->closed) {
		(void)fchmod(users->folders->users, close_now ? 0700 : 0711);
		if (close_now)
			log_error("the disk of the spool is nearly full: what "
				  "%zu jobs wrote to users is removed, and no "
				  "job may write there",
				  count);
		else
			log_info("jobs may write to the spool's users again");
	} else if (close_now && !count)
		say_held(users);
	users->closed = close_now;
	users->held_said &= close_now;
	for (size_t i = 0; i < count; i++)
		user_folders_drop(users, folders[i].parent_fd, folders[i].name);
	free(folders);
}

/* --- From outside --------------------------------------------------------- */

static void drop_ended_reports(struct user_folders *users)
{
	size_t count;
	struct folder *folders = find_folders(users, &count);

	for (size_t i = 0; i < count; i++)
		if (folders[i].ended &&
		    folders[i].parent_fd == users->folders->mpi)
			user_folders_drop(users, folders[i].parent_fd,
					  folders[i].name);
	free(folders);
}

struct user_folders *user_folders_create(const struct spool_folders *folders,
					 size_t max_bytes, struct sp_error *err)
{
	struct user_folders *users = calloc(1, sizeof(*users));
	struct stat spool, own;

	if (!users)
		return sp_error_null(err, "out of memory");
	users->folders = folders;
	users->max_bytes = max_bytes;
	users->apart = !fstat(folders->queue, &spool) &&
		       !fstat(folders->users, &own) &&
		       spool.st_dev != own.st_dev;
	sem_init(&users->work, 0, 0);
	if (thread_start(&users->thread, 0, remover_main, users, err)) {
		free(users);
		return NULL;
	}
	(void)fchmod(folders->users, 0711);
	drop_ended_reports(users);
	return users;
}

void user_folders_destroy(struct user_folders *users)
{
	if (!users)
		return;
	users->stop = true;
	sem_post(&users->work);
	pthread_join(users->thread, NULL);
	sem_destroy(&users->work);
	free(users);
}

void user_folders_set_limit(struct user_folders *users, size_t max_bytes)
{
	users->max_bytes = max_bytes;
}

void user_folders_started(struct user_folders *users, double now_s)
{
	users->scan_at_s = fmin(users->scan_at_s, now_s + SCAN_S);
}

double user_folders_at_s(const struct user_folders *users)
{
	return users->scan_at_s;
}

void user_folders_run(struct user_folders *users, double now_s)
{
	size_t count;

	if (users->scan_at_s > now_s)
		return;

	struct folder *folders = find_folders(users, &count);

	keep_limit(users, folders, count);
	free(folders);
	users->scan_at_s = count ? now_s + SCAN_S : HUGE_VAL;
}
