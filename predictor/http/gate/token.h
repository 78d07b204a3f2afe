/* SPDX-License-Identifier: GPL-2.0-or-later */
/* token.h - JSON Web Tokens, as `scontrol token` makes them
 *
 * Slurm signs them by HMAC-SHA256 with a secret key of the site
 * (AuthAltTypes=auth/jwt, AuthAltParameters=jwt_key=FILE).  The claim "sun"
 * names the user, "exp" the end; both must be there.
 *
 * libjwt is optional: built without it (SP_JWT is not defined), all
 * are refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "predictor/base/error.h"

#define TOKEN_USER_SIZE 256
#define TOKEN_KEY_MAX   4096 /* bytes */
#define TOKEN_SKEW_S    60   /* between clocks */

enum token_verdict {
	TOKEN_VALID,   /* the user is set */
	TOKEN_REFUSED, /* forged, expired, of another kind; `err` says why */
	TOKEN_NO_KEY   /* the key cannot be read; `err` says why */
};

/* Return whether there is libjwt, to check tokens with. */
bool token_is_supported(void);

enum token_verdict token_verify(const unsigned char *key, size_t key_size,
				const char *token, time_t now,
				char ret_user[TOKEN_USER_SIZE],
				struct sp_error *err);

/* The same with the key in a file, which must not be readable by all users. */
enum token_verdict token_verify_file(const char *path, const char *token,
				     time_t now, char ret_user[TOKEN_USER_SIZE],
				     struct sp_error *err);
