/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_openapi.c - openapi.json describes all routes, no others, and
 * is served */
#include <check.h>
#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/request.h"
#include "predictor/http/routes.h"
#include "predictor/http/routes/handlers.h"
#include "predictor/http/web_files.h"

static struct json_object *document;

static void set_up(void)
{
	document = json_object_from_file("predictor/http/routes/openapi.json");
	ck_assert_msg(document != NULL, "%s (run me at the top of the tree)",
		      json_util_get_last_err());
}

static void tear_down(void)
{
	json_object_put(document);
}

static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

static const char *lower(const char *text, char ret[16])
{
	size_t i = 0;

	for (; text[i] && i < 15; i++)
		ret[i] = (char)tolower((unsigned char)text[i]);
	ret[i] = '\0';
	return ret;
}

/* The table's help, as a sentence. */
static void check_summary(struct json_object *operation, const struct route *r)
{
	const char *summary = json_object_get_string(get(operation, "summary"));

	ck_assert_msg(summary && summary[0] == toupper(r->help[0]) &&
			      !strcmp(summary + 1, r->help + 1),
		      "%s %s: summary \"%s\", help \"%s\"", r->method,
		      r->pattern, summary, r->help);
}

START_TEST(test_routes_are_described)
{
	char method[16];

	for (const struct route *r = routes; r->method; r++) {
		struct json_object *path =
			get(get(document, "paths"), r->pattern);
		struct json_object *operation =
			get(path, lower(r->method, method));

		ck_assert_msg(operation != NULL, "%s %s", r->method,
			      r->pattern);
		check_summary(operation, r);
		/* Only routes for anybody need no proof of identity. */
		ck_assert_int_eq(get(operation, "security") != NULL,
				 r->role == ROLE_ANYBODY);
		ck_assert_int_eq(get(get(operation, "responses"), "401") !=
					 NULL,
				 r->role != ROLE_ANYBODY);
		ck_assert_int_eq(get(operation, "requestBody") != NULL,
				 !strcmp(r->method, "POST"));
		/* Only users have budgets. */
		ck_assert_msg(r->role != ROLE_USER ||
				      get(get(operation, "responses"), "429"),
			      "%s", r->pattern);
	}
}
END_TEST

static bool is_in(struct json_object *array, const char *key, const char *text)
{
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *item = json_object_array_get_idx(array, i);

		if (key)
			item = get(item, key);
		if (!strcmp(json_object_get_string(item), text))
			return true;
	}
	return false;
}

/* Programs that make clients of it name functions and modules by these. */
START_TEST(test_operations_have_names)
{
	struct json_object *names = json_object_new_array();

	json_object_object_foreach(get(document, "paths"), pattern, path) {
		json_object_object_foreach(path, method, operation) {
			struct json_object *name =
				get(operation, "operationId");
			struct json_object *tags = get(operation, "tags");

			ck_assert_msg(name && tags, "%s %s", method, pattern);
			ck_assert(!is_in(names, NULL,
					 json_object_get_string(name)));
			json_object_array_add(names, json_object_get(name));
			ck_assert_uint_eq(json_object_array_length(tags), 1);
			ck_assert(is_in(
				get(document, "tags"), "name",
				json_object_get_string(
					json_object_array_get_idx(tags, 0))));
		}
	}
	json_object_put(names);
}
END_TEST

static bool is_route(const char *method, const char *pattern)
{
	char own[16];

	for (const struct route *r = routes; r->method; r++)
		if (!strcmp(r->pattern, pattern) &&
		    !strcmp(lower(r->method, own), method))
			return true;
	return false;
}

START_TEST(test_what_is_described_is_a_route)
{
	json_object_object_foreach(get(document, "paths"), pattern, path) {
		json_object_object_foreach(path, method, operation) {
			ck_assert_msg(is_route(method, pattern), "%s %s",
				      method, pattern);
			ck_assert_ptr_nonnull(operation);
		}
	}
}
END_TEST

/* Follow "#/components/schemas/NAME". */
static void check_reference(const char *reference)
{
	char copy[128];
	char *rest = NULL;
	struct json_object *at = document;

	ck_assert_uint_lt(strlen(reference), sizeof(copy));
	strcpy(copy, reference);
	ck_assert_int_eq(copy[0], '#');
	for (char *part = strtok_r(copy + 1, "/", &rest); part;
	     part = strtok_r(NULL, "/", &rest)) {
		at = get(at, part);
		ck_assert_msg(at != NULL, "%s", reference);
	}
}

static void check_references(struct json_object *object)
{
	if (json_object_is_type(object, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(object); i++)
			check_references(json_object_array_get_idx(object, i));
	} else if (json_object_is_type(object, json_type_object)) {
		json_object_object_foreach(object, key, value) {
			if (!strcmp(key, "$ref"))
				check_reference(json_object_get_string(value));
			else
				check_references(value);
		}
	}
}

START_TEST(test_references_lead_somewhere)
{
	check_references(document);
}
END_TEST

START_TEST(test_document_is_served)
{
	struct route route = { .pattern = "/openapi.json" };
	struct request request = { .route = &route };

	ck_assert_int_eq(web_file_show(&request), 200);
	ck_assert_str_eq(request.file->type, "application/json");

	struct json_tokener *tokener = json_tokener_new();
	struct json_object *served = json_tokener_parse_ex(
		tokener, request.file->text, (int)*request.file->size);

	ck_assert_ptr_nonnull(served);
	ck_assert_int_eq(json_object_equal(served, document), 1);
	json_object_put(served);
	json_tokener_free(tokener);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("openapi");
	TCase *tests = tcase_create("openapi");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_routes_are_described);
	tcase_add_test(tests, test_what_is_described_is_a_route);
	tcase_add_test(tests, test_operations_have_names);
	tcase_add_test(tests, test_references_lead_somewhere);
	tcase_add_test(tests, test_document_is_served);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
