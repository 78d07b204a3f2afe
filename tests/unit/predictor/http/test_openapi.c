/* test_openapi.c - openapi.json describes the routes, all of them, no others */
#include <check.h>
#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/http/routes.h"

static struct json_object *document;

static void set_up(void)
{
	document = json_object_from_file("predictor/http/openapi.json");
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
		/* Whoever need not be known is told so, and nobody else. */
		ck_assert_int_eq(get(operation, "security") != NULL,
				 r->role == ROLE_ANYBODY);
		ck_assert_int_eq(get(get(operation, "responses"), "401") !=
					 NULL,
				 r->role != ROLE_ANYBODY);
		ck_assert_int_eq(get(operation, "requestBody") != NULL,
				 !strcmp(r->method, "POST"));
	}
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

int main(void)
{
	Suite *suite = suite_create("openapi");
	TCase *tests = tcase_create("openapi");
	SRunner *runner = srunner_create(suite);

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, test_routes_are_described);
	tcase_add_test(tests, test_what_is_described_is_a_route);
	tcase_add_test(tests, test_references_lead_somewhere);
	suite_add_tcase(suite, tests);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);

	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
