/* SPDX-License-Identifier: GPL-2.0-or-later */
/* durable.h - files that are written completely or not at all
 *
 * A file is written under a temporary name, flushed to the disk, given its
 * name, and the folder is flushed.  Readers find the old file, the new file or
 * none, never a part, at any time and after any crash.  Temporary names begin
 * with ".tmp-"; a writer that is killed leaves one, which durable_clean()
 * removes.
 */
#pragma once

#include <dirent.h>
#include <stddef.h>

#include "predictor/base/error.h"

/* Write `text` to the file `name` in the folder `dir_fd`, replacing an old one.
 * Readable by the owner only. */
int durable_write(int dir_fd, const char *name, const char *text, size_t size,
		  struct sp_error *err);

/* The same; on a full disk the file is made of a spare, one of the folder
 * `spares` beside `dir_fd`, and so needs no room if it has DURABLE_SPARE_BYTES
 * at most. */
int durable_write_spare(int dir_fd, const char *name, const char *text,
			size_t size, struct sp_error *err);

#define DURABLE_SPARE_BYTES 8192

/* Move a spare to `name`, replacing what is there: an empty file that can be
 * written to on a full disk.  -1 with errno: there is none. */
int durable_spare_take(int dir_fd, const char *name);

/* Make spares until there are `count`, or the disk is full; -1: it is, or its
 * file system has none. */
int durable_spare_fill(int spares_fd, unsigned count);

/* Write all of it, or return -1 with errno. */
int durable_write_all(int fd, const char *text, size_t size);

/* Read a whole file of at most `max` bytes; the text gets a NUL behind its end,
 * the caller frees it.  Anything but a plain file is refused. */
int durable_read(int dir_fd, const char *name, size_t max, char **ret_text,
		 size_t *ret_size, struct sp_error *err);

/* Open the folder `name` below `dir_fd` (AT_FDCWD: anywhere); created if `mode`
 * is not 0 and it is missing.  Returns the descriptor, or -1. */
int durable_folder(int dir_fd, const char *name, unsigned mode,
		   struct sp_error *err);

/* Begin to list the folder `name` below `dir_fd` ("." is that one); NULL, with
 * errno: it cannot be. */
DIR *durable_stream(int dir_fd, const char *name);

/* Find the names in a folder, sorted, without temporary and other hidden ones,
 * at most `max`.  The caller frees with durable_names_free(). */
int durable_names(int dir_fd, size_t max, char ***ret_names, size_t *ret_count,
		  struct sp_error *err);
void durable_names_free(char **names, size_t count);

/* Remove temporary files of killed writers.  Call it only while nobody
 * writes. */
void durable_clean(int dir_fd);
