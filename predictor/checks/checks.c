/* SPDX-License-Identifier: GPL-2.0-or-later */
/* checks.c - what may be wrong with a site, and how to mend it */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "predictor/base/user_id.h"
#include "predictor/checks/checks.h"
#include "predictor/wire/wire.h"

static const char *const verdict_names[] = {
	[CHECK_OK] = "ok",
	[CHECK_UNUSED] = "unused",
	[CHECK_WARNING] = "warning",
	[CHECK_ERROR] = "error",
};

void check_site_open(struct check_site *ret, const char *configured)
{
	*ret = (struct check_site){ .slurm_conf_path =
					    slurm_conf_file_path(configured) };
	if (ret->slurm_conf_path)
		ret->slurm_conf = slurm_conf_file_read(ret->slurm_conf_path,
						       &ret->slurm_conf_error);
	else
		sp_error_set(&ret->slurm_conf_error, "there is none");
}

void check_site_close(struct check_site *site)
{
	slurm_conf_file_destroy((struct slurm_conf_file *)site->slurm_conf);
	site->slurm_conf = NULL;
}

void check_set(struct check_finding *finding, enum check_verdict verdict,
	       const char *mend, const char *format, ...)
{
	va_list arguments;

	finding->verdict = verdict;
	snprintf(finding->mend, sizeof(finding->mend), "%s", mend ? mend : "");
	va_start(arguments, format);
	vsnprintf(finding->found, sizeof(finding->found), format, arguments);
	va_end(arguments);
}

bool check_user_exists(const char *user)
{
	uid_t uid;
	bool found;

	if (user[0] && user[strspn(user, "0123456789")] == '\0')
		return true;
	return !user_id_find(user, &uid, &found, NULL) && found;
}

static void print_text(const struct check *check,
		       const struct check_finding *finding)
{
	printf("%-8s %-20s %s\n", verdict_names[finding->verdict], check->name,
	       finding->found);
	if (finding->mend[0])
		printf("%-8s %-20s -> %s\n", "", "", finding->mend);
}

static struct json_object *encode(const struct check *check,
				  const struct check_finding *finding)
{
	struct json_object *row = json_object_new_object();

	json_object_object_add(row, "name",
			       json_object_new_string(check->name));
	json_object_object_add(
		row, "verdict",
		json_object_new_string(verdict_names[finding->verdict]));
	json_object_object_add(row, "found",
			       json_object_new_string(finding->found));
	json_object_object_add(row, "mend",
			       json_object_new_string(finding->mend));
	return row;
}

/* What is wrong is an error of the reply too. */
static void add_error(struct json_object *reply, const struct check *check,
		      const struct check_finding *finding)
{
	struct sp_error err;

	sp_error_set(&err, "%s: %s", check->name, finding->found);
	wire_reply_add_error(reply, err.text, NULL);
}

/* `reply`: NULL is for text. */
static int table_run(const struct check *check, const struct check_site *site,
		     struct json_object *reply, struct json_object *rows)
{
	int errors = 0;

	for (; check && check->name; check++) {
		struct check_finding finding = { .verdict = CHECK_OK };

		check->run(site, &finding);
		errors += finding.verdict == CHECK_ERROR;
		if (reply && finding.verdict == CHECK_ERROR)
			add_error(reply, check, &finding);
		if (reply)
			json_object_array_add(rows, encode(check, &finding));
		else
			print_text(check, &finding);
	}
	return errors;
}

int checks_run(const struct check first[], const struct check second[],
	       const struct check_site *site, bool json)
{
	struct json_object *reply = json ? wire_reply_create() : NULL;
	struct json_object *rows = json ? json_object_new_array() : NULL;
	int errors = table_run(first, site, reply, rows);

	errors += table_run(second, site, reply, rows);
	if (reply) {
		json_object_object_add(reply, "checks", rows);
		wire_reply_complete(reply);
		puts(json_object_to_json_string_ext(reply,
						    JSON_C_TO_STRING_PRETTY));
		json_object_put(reply);
	} else if (errors) {
		printf("%d error%s\n", errors, errors == 1 ? "" : "s");
	}
	return errors;
}
