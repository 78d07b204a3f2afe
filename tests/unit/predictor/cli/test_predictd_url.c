/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_predictd_url.c - where spredict looks for predictd */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/cli/predictd_url.h"
#include "tests/unit/suite.h"

static struct slurm_config site;
static struct predictd_url found;

static void expect(const char *option, const char *variable, const char *url,
		   const char *source)
{
	predictd_url_find(option, variable, &site, &found);
	ck_assert_str_eq(found.text, url);
	ck_assert_ptr_nonnull(strstr(found.source, source));
}

START_TEST(test_order)
{
	strcpy(site.url, "http://192.0.2.3:99");
	strcpy(site.controller, "192.0.2.9");
	expect("http://a", "http://b", "http://a", "--url");
	expect(NULL, "http://b", "http://b", "PREDICTD_URL");
	expect("", "", "http://192.0.2.3:99", "predict_url");
	/* Who names a socket means it. */
	expect("unix:/nowhere/s", NULL, "unix:/nowhere/s", "--url");
	expect(NULL, "unix:/nowhere/s", "unix:/nowhere/s", "PREDICTD_URL");
}
END_TEST

START_TEST(test_other_host)
{
	char path[] = "/tmp/test_url.XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	snprintf(site.url, sizeof(site.url), "unix:%s", path);
	strcpy(site.controller, "192.0.2.9");
	expect(NULL, NULL, site.url, "predict_url");
	unlink(path);
	expect(NULL, NULL, "http://192.0.2.9:7380", "SlurmctldHost");
	strcpy(site.controller, "2001:db8::7");
	expect(NULL, NULL, "http://[2001:db8::7]:7380", "SlurmctldHost");
	strcpy(site.controller, "no host name");
	expect(NULL, NULL, site.url, "predict_url");
	site.controller[0] = '\0';
	expect(NULL, NULL, site.url, "predict_url");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_order, test_other_host, NULL };

	return suite_run("predictd_url", tests);
}
