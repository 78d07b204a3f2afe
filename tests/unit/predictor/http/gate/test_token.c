/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_token.c - JSON Web Tokens, as `scontrol token` makes them */
#include <check.h>
#include <jwt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/http/gate/token.h"
#include "tests/unit/suite.h"

#define NOW 1500

static const char key[] = "a key of the site, 32 bytes long";

static enum token_verdict verdict_of(const char *token, time_t now,
				     struct sp_error *err)
{
	char user[TOKEN_USER_SIZE];

	return token_verify((const unsigned char *)key, strlen(key), token, now,
			    user, err);
}

/* A token of these claims; free() it. */
static char *token_of(jwt_alg_t algorithm, const char *secret,
		      const char *claims)
{
	jwt_t *jwt;
	char *token;

	ck_assert_int_eq(jwt_new(&jwt), 0);
	ck_assert_int_eq(jwt_add_grants_json(jwt, claims), 0);
	ck_assert_int_eq(jwt_set_alg(jwt, algorithm,
				     (const unsigned char *)secret,
				     secret ? (int)strlen(secret) : 0),
			 0);
	token = jwt_encode_str(jwt);
	ck_assert_ptr_nonnull(token);
	jwt_free(jwt);
	return token;
}

static void expect_refused(jwt_alg_t algorithm, const char *secret,
			   const char *claims, const char *why)
{
	char *token = token_of(algorithm, secret, claims);
	struct sp_error err;

	ck_assert_msg(verdict_of(token, NOW, &err) == TOKEN_REFUSED, "%s",
		      claims);
	ck_assert_msg(strstr(err.text, why), "%s: %s", claims, err.text);
	free(token);
}

/* Signed by another program: exp 2000, iat 1000, sun alice. */
START_TEST(test_valid)
{
	static const char token[] =
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
		"eyJleHAiOjIwMDAsImlhdCI6MTAwMCwic3VuIjoiYWxpY2UifQ."
		"LYJDPg41gQQODtPvWxVMJT_SNj_-gIQgGm5-835_ROU";
	char user[TOKEN_USER_SIZE];
	struct sp_error err;

	ck_assert(token_verify((const unsigned char *)key, strlen(key), token,
			       NOW, user, &err) == TOKEN_VALID);
	ck_assert_str_eq(user, "alice");
	ck_assert(verdict_of(token, 2000, &err) == TOKEN_REFUSED);
	ck_assert_str_eq(err.text, "it has expired");
	ck_assert(verdict_of(token, 900, &err) == TOKEN_REFUSED);
	ck_assert_str_eq(err.text, "it is from the future");
	ck_assert(verdict_of(token, 950, &err) == TOKEN_VALID); /* the skew */
}
END_TEST

START_TEST(test_refused)
{
	static const char good[] = "{\"exp\":2000,\"sun\":\"alice\"}";

	expect_refused(JWT_ALG_HS256, "another key", good, "signature");
	expect_refused(JWT_ALG_NONE, NULL, good, "");
	expect_refused(JWT_ALG_HS512, key, good, "HS256");
	expect_refused(JWT_ALG_HS256, key, "{\"sun\":\"alice\"}", "no end");
	expect_refused(JWT_ALG_HS256, key,
		       "{\"exp\":\"2000\",\"sun\":\"alice\"}", "");
	expect_refused(JWT_ALG_HS256, key,
		       "{\"exp\":2000,\"nbf\":1900,\"sun\":\"alice\"}",
		       "future");
	expect_refused(JWT_ALG_HS256, key, "{\"exp\":2000}", "no user");
	expect_refused(JWT_ALG_HS256, key, "{\"exp\":2000,\"sun\":\"\"}",
		       "no user");
	expect_refused(JWT_ALG_HS256, key, "{\"exp\":2000,\"sun\":0}",
		       "no user");
}
END_TEST

/* One bit of each byte of a good one is turned, and it is cut everywhere. */
START_TEST(test_damaged)
{
	char *token = token_of(JWT_ALG_HS256, key,
			       "{\"exp\":2000,\"sun\":\"alice\"}");
	size_t length = strlen(token);
	struct sp_error err;

	ck_assert(verdict_of(token, NOW, &err) == TOKEN_VALID);
	/* The last digit of the signature has bits that stand for nothing. */
	for (size_t i = 0; i + 1 < length; i++) {
		token[i] ^= 1;
		ck_assert_msg(verdict_of(token, NOW, &err) == TOKEN_REFUSED,
			      "byte %zu", i);
		token[i] ^= 1;
	}
	while (length-- > 0) {
		token[length] = '\0';
		ck_assert(verdict_of(token, NOW, &err) == TOKEN_REFUSED);
	}
	free(token);
}
END_TEST

static enum token_verdict verdict_by_file(const char *path, const char *token,
					  struct sp_error *err)
{
	char user[TOKEN_USER_SIZE];

	return token_verify_file(path, token, NOW, user, err);
}

START_TEST(test_key_file)
{
	char path[] = "/tmp/test_token.XXXXXX";
	int fd = mkstemp(path);
	char *token = token_of(JWT_ALG_HS256, key,
			       "{\"exp\":2000,\"sun\":\"alice\"}");
	struct sp_error err;

	ck_assert_int_ge(fd, 0);
	ck_assert(verdict_by_file(path, token, &err) == TOKEN_NO_KEY);
	ck_assert_ptr_nonnull(strstr(err.text, "not a key"));
	ck_assert_int_eq(write(fd, key, strlen(key)), (int)strlen(key));
	ck_assert(verdict_by_file(path, token, &err) == TOKEN_VALID);
	ck_assert_int_eq(fchmod(fd, 0644), 0);
	ck_assert(verdict_by_file(path, token, &err) == TOKEN_NO_KEY);
	ck_assert_ptr_nonnull(strstr(err.text, "chmod o="));
	ck_assert_int_eq(unlink(path), 0);
	ck_assert(verdict_by_file(path, token, &err) == TOKEN_NO_KEY);
	close(fd);
	free(token);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_valid, test_refused, test_damaged,
				       test_key_file, NULL };

	return suite_run("token", tests);
}
