/* SPDX-License-Identifier: GPL-2.0-or-later */
/* token.c - JSON Web Tokens, as `scontrol token` makes them
 *
 * libjwt checks the signature.  The algorithm is not the token's to choose: one
 * that says "none", or names a public key's, is refused before its claims are
 * read.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef SP_JWT
#include <jwt.h>
#endif

#include "predictor/http/gate/token.h"

#ifdef SP_JWT

bool token_is_supported(void)
{
	return true;
}

/* Find a number of the token.  -1: it is not there. */
static int claim_time(jwt_t *jwt, const char *name, time_t *ret)
{
	errno = 0;
	*ret = (time_t)jwt_get_grant_int(jwt, name);
	return errno ? -1 : 0;
}

static int times_check(jwt_t *jwt, time_t now, struct sp_error *err)
{
	time_t time;

	if (claim_time(jwt, "exp", &time))
		return sp_error_set(err, "it has no end");
	if (time <= now)
		return sp_error_set(err, "it has expired");
	if ((!claim_time(jwt, "iat", &time) && time > now + TOKEN_SKEW_S) ||
	    (!claim_time(jwt, "nbf", &time) && time > now + TOKEN_SKEW_S))
		return sp_error_set(err, "it is from the future");
	return 0;
}

static int claims_check(jwt_t *jwt, time_t now, char ret_user[TOKEN_USER_SIZE],
			struct sp_error *err)
{
	const char *user;

	if (jwt_get_alg(jwt) != JWT_ALG_HS256)
		return sp_error_set(err, "its algorithm is not HS256");
	if (times_check(jwt, now, err))
		return -1;
	user = jwt_get_grant(jwt, "sun");
	if (!user || !user[0] || strlen(user) >= TOKEN_USER_SIZE)
		return sp_error_set(err, "it names no user");
	strcpy(ret_user, user);
	return 0;
}

enum token_verdict token_verify(const unsigned char *key, size_t key_size,
				const char *token, time_t now,
				char ret_user[TOKEN_USER_SIZE],
				struct sp_error *err)
{
	enum token_verdict verdict = TOKEN_REFUSED;
	jwt_t *jwt = NULL;

	if (key_size == 0) {
		sp_error_set(err, "the key is empty");
		return TOKEN_NO_KEY;
	}
	if (jwt_decode(&jwt, token, key, (int)key_size))
		sp_error_set(err, "its signature does not match");
	else if (!claims_check(jwt, now, ret_user, err))
		verdict = TOKEN_VALID;
	jwt_free(jwt);
	return verdict;
}

#else

bool token_is_supported(void)
{
	return false;
}

enum token_verdict token_verify(const unsigned char *key, size_t key_size,
				const char *token, time_t now,
				char ret_user[TOKEN_USER_SIZE],
				struct sp_error *err)
{
	(void)key, (void)key_size, (void)token, (void)now, (void)ret_user;
	sp_error_set(err, "this predictd is built without libjwt");
	return TOKEN_REFUSED;
}

#endif

/* Returns its size; -1: failed. */
static ssize_t key_read(int fd, const char *path,
			unsigned char ret_key[TOKEN_KEY_MAX],
			struct sp_error *err)
{
	struct stat status;
	ssize_t size;

	if (fstat(fd, &status))
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (status.st_mode & S_IRWXO)
		return sp_error_set(err,
				    "%s: all users may use it; chmod o=", path);
	size = read(fd, ret_key, TOKEN_KEY_MAX);
	if (size < 0)
		return sp_error_set(err, "%s: %s", path, strerror(errno));
	if (size == 0 || size == TOKEN_KEY_MAX)
		return sp_error_set(err, "%s: not a key of 1 to %d bytes", path,
				    TOKEN_KEY_MAX - 1);
	return size;
}

enum token_verdict token_verify_file(const char *path, const char *token,
				     time_t now, char ret_user[TOKEN_USER_SIZE],
				     struct sp_error *err)
{
	unsigned char key[TOKEN_KEY_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum token_verdict verdict = TOKEN_NO_KEY;
	ssize_t size;

	if (fd < 0) {
		sp_error_set(err, "%s: %s", path, strerror(errno));
		return TOKEN_NO_KEY;
	}
	size = key_read(fd, path, key, err);
	if (size > 0)
		verdict = token_verify(key, (size_t)size, token, now, ret_user,
				       err);
	explicit_bzero(key, sizeof(key));
	close(fd);
	return verdict;
}
