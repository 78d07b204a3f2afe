/* SPDX-License-Identifier: GPL-2.0-or-later */
/* durable.c - files that are written completely or not at all
 *
 * Writing: a temporary file in the same folder, fsync(), rename(), fsync() of
 * the folder.  Reading: only regular files, without following links or
 * blocking.  Names are relative to the descriptor of a folder.  A spare is an
 * empty file with blocks of its own behind its end: what is written to it needs
 * no room on the disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/base/durable.h"
#include "predictor/base/index.h"

static const char temporary[] = ".tmp-";

int durable_write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t done = write(fd, text, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		text += done;
		size -= (size_t)done;
	}
	return 0;
}

/* Write the temporary file; errno says why not. */
static int write_temporary(int dir_fd, const char *temp, int flags,
			   const char *text, size_t size)
{
	int fd = openat(dir_fd, temp, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags,
			0600);
	int rc = fd < 0                                           ? -1
		 : durable_write_all(fd, text, size) || fsync(fd) ? -1
								  : 0;
	int why = errno;

	if (fd >= 0)
		close(fd);
	errno = why;
	return rc;
}

static int write_file(int dir_fd, bool spare, const char *name,
		      const char *text, size_t size, struct sp_error *err)
{
	char temp[320];

	/* The process id keeps writers of one folder from using the
	 * same name. */
	if (snprintf(temp, sizeof(temp), "%s%s-%d", temporary, name,
		     (int)getpid()) >= (int)sizeof(temp))
		return sp_error_set(err, "%s: name too long", name);

	int rc = write_temporary(dir_fd, temp, O_CREAT | O_TRUNC, text, size);

	if (rc && spare && (errno == ENOSPC || errno == EDQUOT) &&
	    !durable_spare_take(dir_fd, temp))
		rc = write_temporary(dir_fd, temp, 0, text, size);
	if (rc)
		sp_error_set(err, "cannot write %s: %s", name, strerror(errno));
	else if ((rc = renameat(dir_fd, temp, dir_fd, name)))
		sp_error_set(err, "cannot rename %s: %s", name,
			     strerror(errno));
	if (rc)
		unlinkat(dir_fd, temp, 0);
	else
		/* Not all file systems can flush a folder; the file is
		 * written anyway. */
		fsync(dir_fd);
	return rc;
}

int durable_write(int dir_fd, const char *name, const char *text, size_t size,
		  struct sp_error *err)
{
	return write_file(dir_fd, false, name, text, size, err);
}

int durable_write_spare(int dir_fd, const char *name, const char *text,
			size_t size, struct sp_error *err)
{
	return write_file(dir_fd, true, name, text, size, err);
}

static int read_all(int fd, char *text, size_t size, size_t *ret_size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t got = read(fd, text + have, size - have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	*ret_size = have;
	return 0;
}

int durable_read(int dir_fd, const char *name, size_t max, char **ret_text,
		 size_t *ret_size, struct sp_error *err)
{
	struct stat about;
	char *text = NULL;
	int rc = -1;
	/* Not blocking: a FIFO of that name must not hold us. */
	int fd = openat(dir_fd, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &about)) {
		sp_error_set(err, "%s: %s", name, strerror(errno));
		goto out;
	}
	if (!S_ISREG(about.st_mode) || about.st_size < 0 ||
	    (size_t)about.st_size > max) {
		sp_error_set(err, "%s: not a regular file of at most %zu bytes",
			     name, max);
		goto out;
	}
	text = malloc((size_t)about.st_size + 1);
	if (!text) {
		sp_error_set(err, "%s: out of memory", name);
		goto out;
	}
	if (read_all(fd, text, (size_t)about.st_size, ret_size)) {
		sp_error_set(err, "%s: %s", name, strerror(errno));
		goto out;
	}
	text[*ret_size] = '\0';
	*ret_text = text;
	text = NULL;
	rc = 0;
out:
	free(text);
	if (fd >= 0)
		close(fd);
	return rc;
}

int durable_folder(int dir_fd, const char *name, unsigned mode,
		   struct sp_error *err)
{
	bool made = mode && !mkdirat(dir_fd, name, mode);

	if (mode && !made && errno != EEXIST)
		return sp_error_set(err, "cannot create the folder %s: %s",
				    name, strerror(errno));

	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return sp_error_set(err, "folder %s: %s", name,
				    strerror(errno));
	if (made) /* the umask may have taken some of it */
		(void)fchmod(fd, mode);
	return fd;
}

/* Return a stream over a folder with its own position; NULL with errno. */
DIR *durable_stream(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream && fd >= 0)
		close(fd);
	return stream;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int durable_names(int dir_fd, size_t max, char ***ret_names, size_t *ret_count,
		  struct sp_error *err)
{
	DIR *stream = durable_stream(dir_fd, ".");
	char **names = NULL;
	uint32_t count = 0, room = 0;
	struct dirent *entry;

	if (!stream)
		return sp_error_set(err, "cannot list a folder: %s",
				    strerror(errno));
	while (count < max && (entry = readdir(stream))) {
		if (entry->d_name[0] == '.')
			continue;
		if (index_grow(&names, &room, count, sizeof(*names)))
			goto no_memory;
		names[count] = strdup(entry->d_name);
		if (!names[count])
			goto no_memory;
		count++;
	}
	closedir(stream);
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	*ret_names = names;
	*ret_count = count;
	return 0;
no_memory:
	closedir(stream);
	durable_names_free(names, count);
	return sp_error_set(err, "cannot list a folder: out of memory");
}

void durable_names_free(char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/* --- Spares --------------------------------------------------------------- */

int durable_spare_take(int dir_fd, const char *name)
{
	DIR *stream = durable_stream(dir_fd, "../spares");
	struct dirent *entry;
	int rc = -1;

	/* Another process may take the same one: then the next. */
	while (rc && stream && (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			rc = renameat(dirfd(stream), entry->d_name, dir_fd,
				      name);
	if (stream)
		closedir(stream);
	if (rc)
		errno = ENOSPC;
	return rc;
}

static int spare_make(int spares_fd, const char *name)
{
	int fd = openat(spares_fd, name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);

	if (fd < 0)
		return errno == EEXIST ? 0 : -1;

	int rc = fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, DURABLE_SPARE_BYTES);

	close(fd);
	if (rc)
		unlinkat(spares_fd, name, 0);
	return rc;
}

int durable_spare_fill(int spares_fd, unsigned count)
{
	char name[16];

	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u", i);
		if (spare_make(spares_fd, name))
			return -1;
	}
	return 0;
}

void durable_clean(int dir_fd)
{
	DIR *stream = durable_stream(dir_fd, ".");
	struct dirent *entry;

	if (!stream)
		return;
	while ((entry = readdir(stream)))
		if (strncmp(entry->d_name, temporary, strlen(temporary)) == 0)
			unlinkat(dir_fd, entry->d_name, 0);
	closedir(stream);
}
