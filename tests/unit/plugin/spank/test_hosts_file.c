/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_hosts_file.c - the order of ranks as the plugin reads it */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spank/hosts_file.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct hosts_file hosts;

static void fill_bytes(const char *text, size_t size)
{
	FILE *file = fopen(folder_path("hosts/17"), "we");

	ck_assert_ptr_nonnull(file);
	fwrite(text, 1, size, file);
	fclose(file);
}

static bool read_text(const char *text)
{
	fill_bytes(text, strlen(text));
	return hosts_read(folder, 17, &hosts);
}

static void begin(void)
{
	folder_make();
	ck_assert_int_eq(mkdir(folder_path("hosts"), 0711), 0);
}

static void end(void)
{
	hosts_forget(folder, 17);
	ck_assert_int_eq(access(folder_path("hosts/17"), F_OK), -1);
	rmdir(folder_path("hosts"));
	folder_remove();
}

START_TEST(test_read)
{
	begin();
	ck_assert(!hosts_read(folder, 17, &hosts));
	ck_assert(read_text("# slurm-predict mode=act gain=1.25\n"
			    "n3\nn1\nn-2.x\nn1\n"));
	ck_assert(hosts.act);
	ck_assert_double_eq_tol(hosts.gain, 1.25, 1e-12);
	ck_assert_int_eq(hosts.ranks, 4);
	ck_assert_str_eq(hosts.names[0], "n3");
	ck_assert_str_eq(hosts.names[2], "n-2.x");
	ck_assert_str_eq(hosts.path, folder_path("hosts/17"));
	ck_assert(read_text("# slurm-predict mode=advise gain=7\nn3\nn1\n"));
	ck_assert(!hosts.act);
	end();
}
END_TEST

/* What is not whole, or not ours, is no order. */
START_TEST(test_refused)
{
#define HEAD "# slurm-predict mode=act gain=1.25\n"
	static const char *const texts[] = {
		"",
		"n1\nn2\n",
		HEAD,
		HEAD "n1\n",
		HEAD "n1\nn2",
		HEAD "n1\n\nn2\n",
		HEAD "n1\nn[2-3]\n",
		HEAD "n1\nn2*3\n",
		HEAD "n1\nn2 n3\n",
		HEAD "n1\n# n2\nn3\n",
		"# slurm-predict mode=act\nn1\nn2\n",
		"# slurm-predict mode=act gain=0.9\nn1\nn2\n",
		"# slurm-predict mode=act gain=nan\nn1\nn2\n",
		"# slurm-predict mode=act gain=1.25",
	};

	begin();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(!read_text(texts[i]), "%zu", i);
	fill_bytes(HEAD "n1\n\0n2\n", sizeof(HEAD "n1\n\0n2\n") - 1);
	ck_assert(!hosts_read(folder, 17, &hosts));
	hosts_forget(folder, 17);
	ck_assert_int_eq(mkfifo(folder_path("hosts/17"), 0600), 0);
	ck_assert(!hosts_read(folder, 17, &hosts));
	hosts_forget(folder, 17);
	ck_assert_int_eq(symlink("/etc/hostname", folder_path("hosts/17")), 0);
	ck_assert(!hosts_read(folder, 17, &hosts));
	end();
}
END_TEST

/* More ranks than there is room for, and a file that is too long. */
START_TEST(test_large)
{
	static char text[2 * HOSTS_TEXT_SIZE];
	size_t used = (size_t)sprintf(text, HEAD);

	begin();
	for (int r = 0; r < HOSTS_RANKS_MAX; r++)
		used += (size_t)sprintf(text + used, "n%d\n", r % 7);
	ck_assert(read_text(text));
	ck_assert_int_eq(hosts.ranks, HOSTS_RANKS_MAX);
	sprintf(text + used, "n1\n");
	ck_assert(!read_text(text));
	used = strlen(HEAD);
	while (used <= HOSTS_TEXT_SIZE)
		used += (size_t)sprintf(text + used, "%060d\n", 7);
	ck_assert(!read_text(text));
	end();
}
END_TEST

/* The program, if it is there, and a path that a shell takes for one word. */
START_TEST(test_in_order)
{
	char text[HOSTS_IN_ORDER_SIZE], library[256], wanted[512];

	begin();
	snprintf(library, sizeof(library), "%s", folder_path("library.so"));
	ck_assert(!hosts_in_order(library, "/spool/hosts/17", text));
	folder_put("in-order", "");
	ck_assert_int_eq(chmod(folder_path("in-order"), 0755), 0);
	ck_assert(hosts_in_order(library, "/spool/hosts/17", text));
	snprintf(wanted, sizeof(wanted), "%s /spool/hosts/17",
		 folder_path("in-order"));
	ck_assert_str_eq(text, wanted);
	ck_assert(!hosts_in_order(library, "/my spool/hosts/17", text));
	ck_assert(!hosts_in_order(library, "/spool*/hosts/17", text));
	ck_assert(!hosts_in_order("library.so", "/spool/hosts/17", text));
	ck_assert_int_eq(unlink(folder_path("in-order")), 0);
	end();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_read, test_refused, test_large,
				       test_in_order, NULL };

	return suite_run("hosts_file", tests);
}
