/* SPDX-License-Identifier: GPL-2.0-or-later */
/* folder.h - a folder of a test's own, gone when the test ends */
#pragma once

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256]; /* its path */

static inline void folder_make(void)
{
	const char *base = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/test-XXXXXX",
		 base ? base : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline int folder_unlink(const char *path, const struct stat *about,
				int kind, struct FTW *walk)
{
	(void)about;
	(void)kind;
	(void)walk;
	return remove(path);
}

static inline void folder_remove(void)
{
	nftw(folder, folder_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of a file in it, lent until the next call. */
static inline const char *folder_path(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static inline void folder_put(const char *name, const char *text)
{
	FILE *file = fopen(folder_path(name), "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}
