/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_user_options.c - what users may give to --predict and --predict-param */
#include <stdio.h>
#include <string.h>

#include "plugin/spank/profile_kinds.h"
#include "plugin/spank/user_options.h"
#include "tests/unit/suite.h"

START_TEST(test_mode)
{
	static const char *const good[] = { "off", "observe", "advise", "act",
					    NULL };
	static const char *const bad[] = {
		"", "Act", "actt", "on", "off ", NULL
	};
	struct user_options user = { 0 };
	struct sp_error err;

	ck_assert_int_eq(user_options_set_mode(&user, NULL, &err), -1);
	ck_assert_ptr_null(user.mode);
	for (int i = 0; good[i]; i++) {
		ck_assert_int_eq(user_options_set_mode(&user, good[i], &err),
				 0);
		ck_assert_str_eq(user.mode, good[i]);
	}
	for (int i = 0; bad[i]; i++) {
		ck_assert_int_eq(user_options_set_mode(&user, bad[i], &err),
				 -1);
		ck_assert_str_eq(user.mode, "act");
		ck_assert_ptr_nonnull(strstr(err.text, "--predict="));
	}
}
END_TEST

START_TEST(test_nodes)
{
	struct user_options user = { 0 };
	struct sp_error err;

	ck_assert_int_eq(user_options_set_nodes(&user, "observe", &err), 0);
	ck_assert_str_eq(user.nodes, "observe");
	ck_assert_ptr_null(user.mode);
	ck_assert_int_eq(user_options_set_nodes(&user, "8", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "--predict-nodes=8"));
	ck_assert_str_eq(user.nodes, "observe");
}
END_TEST

START_TEST(test_profile)
{
	struct user_options user = { 0 };
	struct sp_error err;

	ck_assert_int_eq(user_options_set_profile(&user, "lbf", &err), 0);
	ck_assert_str_eq(user.profile, "lbf");
	ck_assert_int_eq(user_options_set_profile(&user, "LBF", &err), -1);
	ck_assert_str_eq(err.text,
			 "--predict-profile=LBF: must be packets, mpi, trace, "
			 "lbf or no");
	ck_assert_int_eq(user_options_set_profile(&user, NULL, &err), -1);
	ck_assert_str_eq(user.profile, "lbf");
	for (int i = 0; profile_kinds[i].name; i++) {
		const struct profile_kind *kind = &profile_kinds[i];

		ck_assert_int_eq(
			user_options_set_profile(&user, kind->name, &err), 0);
		ck_assert_ptr_eq(profile_kind_find(user.profile), kind);
		ck_assert(kind->library || !kind->trace);
		ck_assert(kind->trace || !kind->online);
	}
	ck_assert_ptr_null(profile_kind_find("tracing"));
	ck_assert_ptr_null(profile_kind_find(""));
	ck_assert_ptr_null(profile_kind_find(NULL));
}
END_TEST

START_TEST(test_files)
{
	struct user_options user = { 0 };
	struct sp_error err;

	ck_assert_int_eq(user_options_set_files(&user, "no", &err), 0);
	ck_assert(user.no_files);
	ck_assert_int_eq(user_options_set_files(&user, "maybe", &err), -1);
	ck_assert_int_eq(user_options_set_files(&user, NULL, &err), -1);
	ck_assert(user.no_files);
	ck_assert_int_eq(user_options_set_files(&user, "yes", &err), 0);
	ck_assert(!user.no_files);
}
END_TEST

START_TEST(test_parameters)
{
	struct user_options user = { 0 };
	struct sp_error err;
	char text[OPTION_PARAMETERS_TEXT_SIZE] = "?";

	user_options_parameters(&user, text);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(user_options_add_parameter(&user, "n=8000", &err), 0);
	ck_assert_int_eq(user_options_add_parameter(&user, "n.x=-2.5e3", &err),
			 0);
	ck_assert_int_eq(user_options_add_parameter(&user, "_s-t=.5", &err), 0);
	ck_assert_int_eq(user_options_add_parameter(&user, "n=16000", &err), 0);
	user_options_parameters(&user, text);
	ck_assert_str_eq(text, "n=16000 n.x=-2.5e3 _s-t=.5");
	ck_assert_int_eq(user_options_add_parameter(&user, "m=CCSD(T)", &err),
			 0);
	user_options_parameters(&user, text);
	ck_assert_str_eq(text, "n=16000 n.x=-2.5e3 _s-t=.5 m=CCSD(T)");
}
END_TEST

START_TEST(test_bad_parameters)
{
	static const char *const bad[] = {
		"",
		"n",
		"=1",
		"n=",
		"n= 1",
		"-n=1",
		".n=1",
		"n m=1",
		"n==1",
		"n=1 ",
		"n=1,m=2",
		"\xc3\xa4=1",
		"n23456789012345678901234567890123=1",
		NULL,
	};
	struct user_options user = { 0 };
	struct sp_error err;
	char text[300];

	for (int i = 0; bad[i]; i++)
		ck_assert_msg(user_options_add_parameter(&user, bad[i], &err) ==
				      -1,
			      "'%s' is taken", bad[i]);
	ck_assert_int_eq(user_options_add_parameter(&user, NULL, &err), -1);
	memset(text, '1', sizeof(text));
	memcpy(text, "n=", 2);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(user_options_add_parameter(&user, text, &err), -1);
	ck_assert_int_eq(user.parameters_count, 0);
}
END_TEST

START_TEST(test_full)
{
	struct user_options user = { 0 };
	struct sp_error err;
	char text[OPTION_PARAMETERS_TEXT_SIZE];

	for (int i = 0; i < OPTION_PARAMETERS_MAX; i++) {
		/* As long as they may be. */
		snprintf(text, sizeof(text), "n%030d=%063d", i, i);
		ck_assert_msg(!user_options_add_parameter(&user, text, &err),
			      "%s", err.text);
	}
	ck_assert_int_eq(user_options_add_parameter(&user, "m=1", &err), -1);
	/* A new value for one that is there still goes. */
	snprintf(text, sizeof(text), "n%030d=7", 3);
	ck_assert_int_eq(user_options_add_parameter(&user, text, &err), 0);
	user_options_parameters(&user, text);
	ck_assert_uint_eq(strlen(text),
			  15 * 95 + 33 + OPTION_PARAMETERS_MAX - 1);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_mode,       test_nodes,
				       test_profile,    test_files,
				       test_parameters, test_bad_parameters,
				       test_full,       NULL };

	return suite_run("user_options", tests);
}
