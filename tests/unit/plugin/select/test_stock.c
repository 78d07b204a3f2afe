/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stock.c - which of several shared objects is taken for Slurm's own */
#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/select/stock.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

#define NAME    "select_some.so"
#define TYPE    "select/some"
#define VERSION 0x160508

static char dirs[1024]; /* "FOLDER/a:FOLDER/b:FOLDER/c" */

static void set_up(void)
{
	static const char *const names[] = { "a", "b", "c" };

	folder_make();
	dirs[0] = '\0';
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(mkdir(folder_path(names[i]), 0700), 0);
		strcat(strcat(dirs, i ? ":" : ""), folder_path(names[i]));
	}
}

/* A plugin of this type and version in a directory, with more lines of C. */
static void put(const char *dir, const char *type, unsigned version,
		const char *more)
{
	char text[512], source[512], command[1200];

	snprintf(text, sizeof(text),
		 "const char plugin_type[] = \"%s\";\n"
		 "const unsigned plugin_version = %u;\n"
		 "const char where[] = \"%s\";\n%s\n",
		 type, version, dir, more);
	folder_put("plugin.c", text);
	snprintf(source, sizeof(source), "%s", folder_path("plugin.c"));
	snprintf(command, sizeof(command), "cc -shared -fPIC -o %s/%s %s",
		 folder_path(dir), NAME, source);
	ck_assert_int_eq(system(command), 0);
}

/* The directory whose plugin is taken; "" and the reason in *err: none. */
static const char *taken(const char *from, struct sp_error *err)
{
	static char where[8];
	void *plugin = NULL;

	where[0] = '\0';
	if (stock_load(from, NAME, TYPE, VERSION, &plugin, err) == 0) {
		const char *its = dlsym(plugin, "where");

		ck_assert_ptr_nonnull(its);
		snprintf(where, sizeof(where), "%s", its);
		dlclose(plugin);
	}
	return where;
}

START_TEST(test_none)
{
	static const char *const froms[] = { NULL, "", ":", "::/nowhere:" };
	struct sp_error err;

	for (size_t i = 0; i < sizeof(froms) / sizeof(froms[0]); i++) {
		ck_assert_str_eq(taken(froms[i], &err), "");
		ck_assert_ptr_nonnull(strstr(err.text, "has no other " NAME));
	}
	ck_assert_str_eq(taken(dirs, &err), "");
	ck_assert_ptr_nonnull(strstr(err.text, "has no other " NAME));
}
END_TEST

START_TEST(test_ours_is_passed_over)
{
	struct sp_error err;

	put("a", TYPE, VERSION, "int " STOCK_SHADOW_MARK ";");
	ck_assert_str_eq(taken(dirs, &err), "");
	ck_assert_ptr_nonnull(strstr(err.text, "is not Slurm's own"));
	put("b", TYPE, VERSION, "");
	put("c", TYPE, VERSION, "");
	ck_assert_str_eq(taken(dirs, &err), "b");
}
END_TEST

START_TEST(test_others)
{
	struct sp_error err;

	put("a", "select/other", VERSION, "");
	ck_assert_str_eq(taken(dirs, &err), "");
	ck_assert_ptr_nonnull(strstr(err.text, "is not a plugin " TYPE));
	put("a", TYPE, VERSION + 1, "");
	ck_assert_str_eq(taken(dirs, &err), "");
	ck_assert_ptr_nonnull(strstr(err.text, "another release"));
	put("c", TYPE, VERSION, "");
	ck_assert_str_eq(taken(dirs, &err), "c");
}
END_TEST

START_TEST(test_no_plugin_at_all)
{
	struct sp_error err;

	folder_put("a/" NAME, "garbage");
	ck_assert_str_eq(taken(dirs, &err), "");
	ck_assert_ptr_nonnull(strstr(err.text, NAME));
	put("b", TYPE, VERSION, "");
	ck_assert_str_eq(taken(dirs, &err), "b");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_none, test_ours_is_passed_over,
				       test_others, test_no_plugin_at_all,
				       NULL };

	return suite_run_each("stock", tests, set_up, folder_remove);
}
