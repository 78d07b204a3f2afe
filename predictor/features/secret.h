/* SPDX-License-Identifier: GPL-2.0-or-later */
/* secret.h - the gate for what users type: no key, no password, no address
 *
 * Scripts, command lines and environments hold secrets, and a history is read
 * by many.  Whatever a user typed passes here before it is stored, sent, logged
 * or printed.  A secret is known by its form (keys of services, tokens, users
 * in addresses, mail addresses, long random texts) or by where it stands:
 * as the value of a name or an option (DB_PASSWORD=, --api-key), in a header,
 * glued to an option of a database's client, or after a `login`.  It becomes
 * one mark; no hash of it is kept.
 *
 * Pure functions without allocation; the time is linear in the text, whatever
 * it is: words are looked at in pieces of some hundred bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Shorter where the secret is; of one character. */
#define SECRET_MARK "***"

enum secret_form {
	SECRET_NONE,
	SECRET_KEY,     /* of a service, known by its prefix */
	SECRET_NAMED,   /* the value of such a name or option */
	SECRET_CLIENT,  /* after a login, or an option of a client */
	SECRET_ADDRESS, /* a user in an address */
	SECRET_MAIL,    /* a mail address */
	SECRET_RANDOM,  /* long, and of high entropy */
	SECRET_FORMS
};

/* Return what a form is, in words. */
const char *secret_form_name(enum secret_form form);

/* What the words so far say of the next one; zeroed at the start of a command
 * line. */
struct secret_scan {
	int expected;    /* what the next word is */
	int client;      /* what the command is */
	bool words;      /* each text is a word, its quotes are removed */
	char before[16]; /* the end of the word before */
	size_t before_length;
};

struct secret_span {
	size_t start, end;
	enum secret_form form;
};

/* Find the next secret in a text of `length` bytes, from *at on, which goes on
 * behind it.  False: there is none. */
bool secret_next(struct secret_scan *scan, const char *text, size_t length,
		 size_t *at, struct secret_span *ret);

/* Put the mark for each secret in a text of `length` bytes, which gets no
 * longer and keeps its terminator if it had one behind them; returns its
 * length.  `scan` as above, NULL: the text stands alone. */
size_t secret_mask(struct secret_scan *scan, char *text, size_t length);

/* The same of a text that stands alone. */
void secret_mask_text(char *text);

/* Add the secrets of a text that stands alone to the counts of their forms;
 * returns whether there is one. */
bool secret_count(const char *text, long counts[]);

/* Put marks into the words of a command.  Those in `text`, of `size` bytes, are
 * changed there; another one becomes a mark, or an option that is one. */
void secret_mask_words(const char *words[], int count, char *text, size_t size);

/* Return whether the name says that its value, which no shell reads any more,
 * is a secret. */
bool secret_named(const char *name, size_t name_length, const char *value,
		  size_t length);

/* Return the form of the first secret in NAME=VALUE, SECRET_NONE: it has
 * none. */
enum secret_form secret_in(const char *name, size_t name_length,
			   const char *value, size_t length);

/* Return whether a number of that name is a secret: a password or a PIN, not
 * the key that a program sorts by.  0 is what such a number becomes. */
bool secret_number(const char *name, double value);
