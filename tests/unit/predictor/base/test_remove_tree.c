/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_remove_tree.c - a folder is removed, whatever a user made in it */
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "predictor/base/remove_tree.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define NEST_DEPTH 3000 /* deeper than descriptors */

static struct sp_error err;
static int top;

static void begin(void)
{
	folder_make();
	top = open(folder, O_RDONLY | O_DIRECTORY);
	ck_assert_int_eq(mkdirat(top, "job", 0770), 0);
}

static void check_gone(void)
{
	struct stat about;

	ck_assert_msg(!remove_tree(top, "job", 100000, &err), "%s", err.text);
	ck_assert_int_eq(fstatat(top, "job", &about, AT_SYMLINK_NOFOLLOW), -1);
	ck_assert_msg(!remove_tree(top, "job", 100000, &err), "again: %s",
		      err.text);
	close(top);
	folder_remove();
}

static void nest_make(void)
{
	int fd = openat(top, "job", O_RDONLY | O_DIRECTORY);

	for (int i = 0; i < NEST_DEPTH; i++) {
		int next;

		ck_assert_int_eq(mkdirat(fd, "d", 0700), 0);
		close(openat(fd, "f", O_WRONLY | O_CREAT, 0));
		next = openat(fd, "d", O_RDONLY | O_DIRECTORY);
		close(fd);
		fd = next;
	}
	close(fd);
}

/* As the user would, where the test may become one. */
static void as_user(void (*make)(void))
{
	pid_t pid;
	int status;

	if (geteuid() == 0)
		ck_assert_int_eq(fchownat(top, "job", 65534, 0, 0), 0);
	fchmod(top, 0711);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
			_exit(1);
		make();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(status, 0);
}

START_TEST(test_nest)
{
	begin();
	as_user(nest_make);
	check_gone();
}
END_TEST

static void oddities_make(void)
{
	int fd = openat(top, "job", O_RDONLY | O_DIRECTORY);

	mkdirat(fd, "closed", 0700);
	mkdirat(fd, "closed/in", 0700);
	close(openat(fd, "closed/in/.removed-0", O_WRONLY | O_CREAT, 0));
	mkdirat(fd, ".removed-0", 0);
	mkfifoat(fd, "fifo", 0);
	(void)symlinkat("../keep", fd, "link");
	(void)symlinkat("/", fd, "closed/link");
	(void)symlinkat("link", fd, "closed/in/loop");
	fchmodat(fd, "closed/in", 0, 0);
	fchmodat(fd, "closed", 0, 0);
	fchmod(fd, 0);
}

START_TEST(test_oddities)
{
	struct stat about;

	begin();
	mkdirat(top, "keep", 0700);
	close(openat(top, "keep/file", O_WRONLY | O_CREAT, 0600));
	as_user(oddities_make);
	ck_assert_msg(!remove_tree(top, "job", 100000, &err), "%s", err.text);
	ck_assert_int_eq(fstatat(top, "keep/file", &about, 0), 0);
	/* A link in its place. */
	ck_assert_int_eq(symlinkat("keep", top, "job"), 0);
	ck_assert_int_eq(remove_tree_open(top, "job"), -1);
	check_gone();
}
END_TEST

/* What is mounted below stays, even from the same file system. */
START_TEST(test_mounts)
{
	struct stat about;
	char from[600], to[600];

	begin();
	mkdirat(top, "keep", 0700);
	close(openat(top, "keep/file", O_WRONLY | O_CREAT, 0600));
	mkdirat(top, "job/mounted", 0700);
	close(openat(top, "job/file", O_WRONLY | O_CREAT, 0600));
	snprintf(from, sizeof(from), "%s/keep", folder);
	snprintf(to, sizeof(to), "%s/job/mounted", folder);
	if (unshare(CLONE_NEWNS) == 0 &&
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	    mount(from, to, NULL, MS_BIND, NULL) == 0) {
		/* Descriptors from before are of the other namespace. */
		close(top);
		top = open(folder, O_RDONLY | O_DIRECTORY);
		ck_assert_int_eq(remove_tree(top, "job", 100000, &err), -1);
		ck_assert_int_eq(fstatat(top, "keep/file", &about, 0), 0);
		ck_assert_int_eq(fstatat(top, "job/file", &about, 0), -1);
		umount(to);
	}
	check_gone();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_nest, test_oddities, test_mounts,
				       NULL };

	return suite_run("remove_tree", tests);
}
