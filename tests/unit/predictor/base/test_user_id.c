/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_user_id.c - names of users, with a name service that does odd things
 *
 * getpwnam_r() here stands before the C library's.
 */
#include <errno.h>
#include <pwd.h>
#include <string.h>

#include "predictor/base/user_id.h"
#include "tests/unit/suite.h"

static int code;        /* what getpwnam_r() returns */
static size_t needed;   /* bytes of the entry */
static const char *has; /* the name that exists */
static int calls;

int getpwnam_r(const char *name, struct passwd *entry, char *buffer,
	       size_t size, struct passwd **ret)
{
	*ret = NULL;
	calls++;
	if (code)
		return code;
	if (size < needed)
		return ERANGE;
	if (strcmp(name, has) != 0)
		return 0;
	memset(buffer, 'x', needed);
	entry->pw_uid = 4711;
	*ret = entry;
	return 0;
}

static void set_up(void)
{
	code = calls = 0;
	needed = 100;
	has = "ada";
}

static int find(const char *name, uid_t *ret_uid, bool *ret_found)
{
	struct sp_error err;

	*ret_uid = 7;
	return user_id_find(name, ret_uid, ret_found, &err);
}

START_TEST(test_long_entry)
{
	uid_t uid;
	bool found;

	needed = 70000;
	ck_assert_int_eq(find("ada", &uid, &found), 0);
	ck_assert(found);
	ck_assert_uint_eq(uid, 4711);
	ck_assert_int_gt(calls, 1);
	/* Not without bounds. */
	needed = (size_t)1 << 30;
	calls = 0;
	ck_assert_int_eq(find("ada", &uid, &found), -1);
	ck_assert_int_lt(calls, 10);
}
END_TEST

START_TEST(test_names_that_are_not_there)
{
	static const int absent[] = { 0, ENOENT, ESRCH };
	uid_t uid;
	bool found;

	for (int i = 0; i < 3; i++) {
		code = absent[i];
		found = true;
		ck_assert_int_eq(find("bob", &uid, &found), 0);
		ck_assert(!found);
		ck_assert_uint_eq(uid, 7);
	}
}
END_TEST

START_TEST(test_name_service_is_down)
{
	static const int down[] = { EIO, EMFILE, ENOMEM, EINTR };
	uid_t uid;
	bool found = true;

	for (int i = 0; i < 4; i++) {
		code = down[i];
		ck_assert_int_eq(find("ada", &uid, &found), -1);
		ck_assert(found);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_long_entry,
				       test_names_that_are_not_there,
				       test_name_service_is_down, NULL };

	return suite_run_each("user_id", tests, set_up, NULL);
}
