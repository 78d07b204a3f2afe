/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret_forms.h - names, clients and forms that make a word a secret
 *
 * The tables of the gate (secret.h), and functions of one word that walk them.
 * Private to secret.c.
 */
#pragma once

#include <string.h>

#include "predictor/features/secret.h"

/* What characters are, as bits. */
enum {
	LOWER = 1,
	UPPER = 2,
	DIGIT = 4,
	LETTER = LOWER | UPPER,
	ALNUM = LETTER | DIGIT,
	PAIR = 8,  /* before a value */
	SIGN = 16, /* in passwords that people choose */
	PATH = 32,
	DOT = 64,
	JOIN = 128,  /* between the parts of a name */
	OTHER = 256, /* separates words, as all below do */
	QUOTE = 512,
	BLANK = 1024,
	END = 2048, /* of a command */
	SEPARATOR = OTHER | QUOTE | BLANK | END,
};

extern const unsigned short secret_classes[256];

static inline unsigned class_of(char c)
{
	return secret_classes[(unsigned char)c];
}

static inline bool is_one_of(const char *set, char c)
{
	return c && strchr(set, c);
}

/* What a name says of its value. */
enum {
	NAME_NONE,
	NAME_SURE, /* a secret whatever it is: --password */
	NAME_PASS, /* also a number of passes */
	NAME_KEY,  /* also a key to sort by, a number of tokens */
	NAME_PIN,  /* digits alone */
	/* What stands behind such a word, if it looks like one: */
	NAME_BARE,   /* login, token */
	NAME_LOGIN,  /* a later word of a login */
	NAME_CLIENT, /* an option of a client */
};

/* What a command is; others are rows of a table. */
enum { CLIENT_NONE, CLIENT_LOGIN };

static inline bool set_span(struct secret_span *ret, size_t start, size_t end,
			    enum secret_form form)
{
	*ret = (struct secret_span){ start, end, form };
	return end > start;
}

/* Return how many characters from the first on are of these classes. */
size_t secret_span_of(unsigned classes, const char *text, size_t length);

/* Return what a name says, as NAME= or an option: api_key, x.auth.token. */
int secret_name(const char *name, size_t length);

/* Return whether the value, in such quotes (0: none), may be a secret of a name
 * of that kind: on, none, $TOKEN and the mark are none. */
bool secret_value(int kind, const char *value, size_t length, char quote);

/* Return which client a command is. */
int secret_client(const char *word, size_t length);

/* Return whether a command reads a password from its input. */
bool secret_is_reader(const char *word, size_t length);

/* Return the letter of its option that has a secret. */
char secret_client_letter(int client);

/* Words of a header before its secret: Bearer, Basic. */
bool secret_is_scheme(const char *word, size_t length);

/* Find a secret by its form in a word of `length` bytes, which goes on in the
 * text up to `most`; the word before may say that it is a hash. */
bool secret_form_find(const struct secret_scan *scan, const char *word,
		      size_t length, size_t most, struct secret_span *ret);
