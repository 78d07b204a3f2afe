/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sole_reader.c - a file of ours that one user may read, and not change */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "predictor/base/sole_reader.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define READER   65530
#define STRANGER 65531

/* What the user can do to the file: 1 read it, 2 change its mode, 4 write. */
static int rights_of(unsigned user_id)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		const char *path = folder_path("file");
		int rights = 0;

		if (setgid(user_id) || setuid(user_id))
			_exit(99);
		rights |= open(path, O_RDONLY) >= 0 ? 1 : 0;
		rights |= chmod(path, 0600) == 0 ? 2 : 0;
		rights |= open(path, O_WRONLY) >= 0 ? 4 : 0;
		_exit(rights);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(test_reads_alone)
{
	if (getuid() != 0)
		return;
	folder_make();
	ck_assert_int_eq(chmod(folder, 0711), 0);

	int fd = open(folder_path("file"), O_WRONLY | O_CREAT, 0400);
	struct stat about;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sole_reader_set(fd, READER), 0);
	ck_assert_int_eq(write(fd, "x", 1), 1);
	ck_assert_int_eq(fstat(fd, &about), 0);
	ck_assert_int_eq(rights_of(STRANGER), 0);
	if (about.st_uid == 0)
		ck_assert_int_eq(rights_of(READER), 1);
	else
		ck_assert_int_eq(rights_of(READER) & 1, 1);
	close(fd);
	folder_remove();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_reads_alone, NULL };

	return suite_run("sole_reader", tests);
}
