/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_topology_file.c - a topology.conf that changes */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/features/topology_file.h"
#include "tests/unit/suite.h"

static char path[32];

static int make_file(void)
{
	strcpy(path, "/tmp/topology-XXXXXX");
	return mkstemp(path);
}

static void write_file(const char *text, time_t time_s)
{
	struct timespec times[2] = { { .tv_sec = time_s },
				     { .tv_sec = time_s } };
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(test_changes)
{
	struct topology_file file = { .path = path };
	int fd = make_file();

	ck_assert_int_ge(fd, 0);
	close(fd);
	write_file("", 1700000000);
	ck_assert(topology_file_changed(&file));
	ck_assert(!topology_file_changed(&file));
	write_file("SwitchName=a Nodes=n1\n", 1700000007);
	ck_assert(topology_file_changed(&file));
	ck_assert(!topology_file_changed(&file));
	unlink(path);
	ck_assert(topology_file_changed(&file));
	ck_assert(!topology_file_changed(&file));
}
END_TEST

START_TEST(test_reads)
{
	struct topology topology = { .count = 0 };
	struct sp_error err;
	int fd = make_file();
	char *text;

	ck_assert_int_ge(fd, 0);
	close(fd);
	write_file("SwitchName=a Nodes=n[1-3]\n", 1700000000);
	text = topology_file_read(path, &topology, &err);
	ck_assert_str_eq(text, "SwitchName=a Nodes=n[1-3]\n");
	ck_assert_uint_eq(topology.switches[0].nodes.count, 3);
	topology_clear(&topology);
	free(text);
	free(topology_file_read(path, NULL, &err));

	write_file("SwitchName=a Switches=a\n", 1700000000);
	ck_assert_ptr_null(topology_file_read(path, &topology, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "above itself"));
	ck_assert_uint_eq(topology.count, 0);
	unlink(path);
	ck_assert_ptr_null(topology_file_read(path, &topology, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
	ck_assert_ptr_null(topology_file_read("/", &topology, &err));
}
END_TEST

START_TEST(test_includes)
{
	struct topology topology = { .count = 0 };
	struct sp_error err;
	char text[128];
	char main_path[40], *read;
	int fd = make_file();

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(main_path, sizeof(main_path), "%s.conf", path);
	write_file("SwitchName=s2 Nodes=n[5-8]\n", 1700000000);

	FILE *f = fopen(main_path, "w");

	ck_assert_ptr_nonnull(f);
	snprintf(text, sizeof(text), "Include %s\nSwitchName=s1 Nodes=n[1-4]\n",
		 strrchr(path, '/') + 1);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
	read = topology_file_read(main_path, &topology, &err);
	ck_assert_ptr_nonnull(read);
	ck_assert_uint_eq(topology.count, 2);
	ck_assert_uint_eq(topology.switches[1].nodes.count, 4);
	topology_clear(&topology);
	free(read);
	unlink(path);
	ck_assert_ptr_null(topology_file_read(main_path, &topology, &err));
	unlink(main_path);
}
END_TEST

START_TEST(test_yaml)
{
	static const char text[] = "---\n"
				   "- topology: old\n"
				   "  cluster_default: false\n"
				   "  block:\n"
				   "    block_sizes: [4]\n"
				   "    blocks:\n"
				   "      - block: b1\n"
				   "        nodes: n[1-4]\n"
				   "- topology: main # in use\n"
				   "  cluster_default: true\n"
				   "  tree:\n"
				   "    switches:\n"
				   "      # the leaves\n"
				   "      - switch: top\n"
				   "        children: s[1-2]\n"
				   "      - switch: s1\n"
				   "        nodes: \"n[1-4]\"\n"
				   "      - switch: s2\n"
				   "        nodes: n[5-7]";
	char lines[256];

	topology_file_convert(text, lines, sizeof(lines));
	ck_assert_str_eq(lines, "\nSwitchName=\"top\" Switches=\"s[1-2]\""
				"\nSwitchName=\"s1\" Nodes=\"n[1-4]\""
				"\nSwitchName=\"s2\" Nodes=\"n[5-7]\"\n");
	topology_file_convert(text, lines, 40);
	ck_assert_str_eq(lines, "\nSwitchName=\"top\" Switches=\"s[1-2]\"");
	topology_file_convert("- topology: a\n  block:\n    - block: b1\n"
			      "      nodes: n1\n",
			      lines, sizeof(lines));
	ck_assert_str_eq(lines, "\nSwitchName=\"b1\" Nodes=\"n1\"\n");
	topology_file_convert("", lines, sizeof(lines));
	ck_assert_str_eq(lines, "\n");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_changes, test_reads, test_includes,
				       test_yaml, NULL };

	return suite_run("topology_file", tests);
}
