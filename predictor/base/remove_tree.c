/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remove_tree.c - remove a folder that belonged to a user, whatever is in it
 *
 * Without recursion, as a nest of folders may be deeper than our stack or our
 * file descriptors: a folder within the top folder is emptied by moving its own
 * folders up into the top folder, under names of ours, and by removing the
 * rest.  Two folders are open at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "predictor/base/durable.h"
#include "predictor/base/remove_tree.h"

#define NAME_SIZE  64
#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

struct removal {
	int top_fd;
	unsigned left;  /* entries that may still be removed */
	unsigned moved; /* for names */
};

int tree_open(int parent_fd, const char *name, int flags)
{
	struct open_how how = { .flags = (unsigned)(FILE_FLAGS | flags),
				.resolve =
					RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS };
	struct stat parent, about;
	int fd = (int)syscall(SYS_openat2, parent_fd, name, &how, sizeof(how));

	/* Before Linux 5.6, or forbidden by a filter. */
	if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
		fd = openat(parent_fd, name, FILE_FLAGS | flags);
		if (fd >= 0 &&
		    (fstat(parent_fd, &parent) || fstat(fd, &about) ||
		     parent.st_dev != about.st_dev)) {
			close(fd);
			errno = EXDEV;
			return -1;
		}
	}
	return fd;
}

int remove_tree_open(int parent_fd, const char *name)
{
	int fd = tree_open(parent_fd, name, O_DIRECTORY);

	/* Where this fails the modes may do. */
	if (fd >= 0 && fchown(fd, 0, 0) == 0)
		(void)fchmod(fd, 0700);
	return fd;
}

/* Move a folder of `fd` up. */
static int folder_move(struct removal *r, int fd, const char *name)
{
	char up[NAME_SIZE];

	do {
		snprintf(up, sizeof(up), ".removed-%u", r->moved++);
		if (renameat2(fd, name, r->top_fd, up, RENAME_NOREPLACE) == 0)
			return 0;
	} while (errno == EEXIST);
	return -1;
}

/* Remove what the folder holds.  Folders in it are moved to the top one, where
 * `top` has them emptied.  Gives the number of entries that stay. */
static unsigned folder_empty(struct removal *r, int fd, bool top);

/* 0: gone, or moved up. */
static int entry_remove(struct removal *r, int fd, const char *name, bool top)
{
	int folder_fd;

	if (unlinkat(fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	if (unlinkat(fd, name, AT_REMOVEDIR) == 0)
		return 0;
	if (!top)
		return folder_move(r, fd, name);
	folder_fd = remove_tree_open(fd, name);
	if (folder_fd < 0)
		return -1;

	unsigned stay = folder_empty(r, folder_fd, false);

	close(folder_fd);
	return stay ? -1 : unlinkat(fd, name, AT_REMOVEDIR);
}

static unsigned folder_empty(struct removal *r, int fd, bool top)
{
	DIR *stream = durable_stream(fd, ".");
	struct dirent *entry;
	unsigned stay = 0;

	if (!stream)
		return 1;
	while ((entry = readdir(stream))) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		if (r->left == 0) {
			stay++;
			break;
		}
		if (entry_remove(r, fd, entry->d_name, top))
			stay++;
		else
			r->left--;
	}
	closedir(stream);
	return stay;
}

/* Passes over the top folder: what was moved up may be missed by the pass that
 * moved it.  Ends when a pass removes nothing. */
static int top_empty(int fd, unsigned max)
{
	struct removal r = { .top_fd = fd, .left = max };
	unsigned before;

	do {
		before = r.left;
		if (folder_empty(&r, fd, true) == 0 && r.left == before)
			return 0;
	} while (r.left > 0 && r.left < before);
	return r.left ? -1 : 1;
}

int remove_tree(int parent_fd, const char *name, unsigned max,
		struct sp_error *err)
{
	int fd, rc;

	if (unlinkat(parent_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	fd = remove_tree_open(parent_fd, name);
	if (fd < 0)
		return sp_error_set(err, "%.100s: %s", name, strerror(errno));
	rc = top_empty(fd, max);
	close(fd);
	if (rc < 0 || (!rc && unlinkat(parent_fd, name, AT_REMOVEDIR)))
		return sp_error_set(err, "%.100s: not all of it is removed",
				    name);
	return rc;
}

/* --- Measuring ------------------------------------------------------------ */

/* What is mounted there, perhaps by the user, is not asked. */
#define STAT_FLAGS (AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC)

static void measure(int parent_fd, const char *name, unsigned max, int depth,
		    struct tree_size *size)
{
	struct dirent *entry;
	struct statx about;

	if (statx(parent_fd, name, STAT_FLAGS, STATX_BASIC_STATS, &about))
		return; /* it is gone */
	if (!depth)
		size->changed_s = (double)about.stx_ctime.tv_sec;
	size->bytes += (size_t)about.stx_blocks * 512;
	size->beyond |= ++size->entries > max || depth > TREE_DEPTH_MAX;
	if (size->beyond || !S_ISDIR(about.stx_mode))
		return;

	int fd = tree_open(parent_fd, name, O_DIRECTORY);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream && fd >= 0)
		close(fd);
	size->beyond |= !stream;
	while (!size->beyond && (entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			measure(fd, entry->d_name, max, depth + 1, size);
	if (stream)
		closedir(stream);
}

void tree_measure(int parent_fd, const char *name, unsigned max,
		  struct tree_size *ret)
{
	*ret = (struct tree_size){ .bytes = 0 };
	measure(parent_fd, name, max, 0, ret);
}
