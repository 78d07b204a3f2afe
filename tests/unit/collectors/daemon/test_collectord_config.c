/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_collectord_config.c - collectord.conf */
#include "collectors/daemon/collectord_config.h"
#include "tests/unit/folder.h"
#include "tests/unit/suite.h"

static struct collectord_config config;
static struct sp_error err;

static int read_text(const char *text)
{
	int rc;

	folder_make();
	folder_put("c", text);
	rc = collectord_config_read(folder_path("c"), &config, &err);
	folder_remove();
	return rc;
}

START_TEST(test_reads)
{
	ck_assert_msg(!read_text("PredictdUrl=http://127.0.0.1:7380\n"
				 "predictdurl=unix:/run/p.sock\n"
				 "NodeName=n7\nSpool=/var/%n/x\nSpoolMaxMB=2\n"
				 "SampleInterval=0.5\nDebugLevel=Debug\n"
				 "Uprobes=yes\n"), /* removed */
		      "%s", err.text);
	ck_assert_uint_eq(config.urls_count, 2);
	ck_assert_str_eq(config.urls[1], "unix:/run/p.sock");
	ck_assert_str_eq(config.spool, "/var/n7/x");
	ck_assert_uint_eq(config.spool_max_bytes, 2 << 20);
	ck_assert_double_eq(config.sample_interval_s, 0.5);
	ck_assert_int_eq(config.daemon.level, LOG_LEVEL_DEBUG);
	ck_assert_str_eq(config.cluster, "");
}
END_TEST

START_TEST(test_refuses)
{
	static const char *const texts[] = {
		"",
		"Spool=/x\n",
		"PredictdUrl=ftp://1.2.3.4\n",
		"PredictdUrl=unix:/a\nNoSuchKey=1\n",
		"PredictdUrl=unix:/a\nSampleInterval=0\n",
		"PredictdUrl=unix:/a\nSampleInterval=nan\n",
		"PredictdUrl=unix:/a\nSpool=x\n",
		"PredictdUrl=unix:/a\nSpoolMaxMB=0\n",
		"PredictdUrl=unix:/a\nDebugLevel=9\n",
		"PredictdUrl=unix:/a\nSpool=/a\nSpool=/b\n",
		NULL,
	};

	config.urls_count = 99;
	for (int i = 0; texts[i]; i++)
		ck_assert_msg(read_text(texts[i]) == -1, "taken: %s", texts[i]);
	ck_assert_uint_eq(config.urls_count, 99);
}
END_TEST

START_TEST(test_too_long)
{
	char text[1024] = "PredictdUrl=unix:/a\nNodeName=";
	char node[64];

	memset(node, 'n', 63);
	node[63] = '\0';
	strcat(text, node);
	strcat(text, "\nSpool=/");
	for (int i = 0; i < 4; i++)
		strcat(text, node);
	text[strlen(text) - 30] = '\0';
	strcat(text, "%n\n");
	ck_assert_int_eq(read_text(text), -1);
}
END_TEST

START_TEST(test_differences)
{
	struct collectord_config other;
	char text[64];

	ck_assert_int_eq(read_text("PredictdUrl=unix:/a\n"), 0);
	other = config;
	other.sample_interval_s = 77;
	conf_differences(collectord_config_keys, &config, &other, text,
			 sizeof(text));
	ck_assert_str_eq(text, "");
	strcpy(other.spool, "/else");
	strcpy(other.cluster, "else");
	conf_differences(collectord_config_keys, &config, &other, text,
			 sizeof(text));
	ck_assert_str_eq(text, "ClusterName Spool");
	conf_differences(collectord_config_keys, &config, &other, text, 5);
	ck_assert_str_eq(text, "Clus");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_reads, test_refuses, test_too_long,
				       test_differences, NULL };

	return suite_run("collectord.conf", tests);
}
