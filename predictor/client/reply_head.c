/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reply_head.c - the head of an HTTP reply, and where its body ends */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predictor/client/reply_head.h"

#define VERSION "HTTP/1."
#define END     "\r\n\r\n"

/* More than fit into memory, and no overflow. */
#define LENGTH_DIGITS_MAX 18

/* Return what follows `name`, "\r\nX:", and blanks; NULL: there is none. */
static const char *header_find(const char *head, const char *name)
{
	const char *at = strcasestr(head, name);

	if (!at)
		return NULL;
	at += strlen(name);
	return at + strspn(at, " \t");
}

static int read_fields(const char *head, struct reply_head *ret)
{
	const char *length = header_find(head, "\r\nContent-Length:");
	const char *ends = header_find(head, "\r\nConnection:");
	char minor, behind;

	if (sscanf(head, VERSION "%c %3d%c", &minor, &ret->status, &behind) !=
		    3 ||
	    !isspace((unsigned char)behind) || ret->status < 100 ||
	    header_find(head, "\r\nTransfer-Encoding:"))
		return -1;
	ret->last = minor == '0' || (ends && !strncasecmp(ends, "close", 5));
	ret->length = REPLY_TO_END;
	if (length) {
		size_t digits = strspn(length, "0123456789");

		if (!digits || digits > LENGTH_DIGITS_MAX ||
		    !strchr("\r \t", length[digits]))
			return -1;
		ret->length = strtoull(length, NULL, 10);
	}
	if (ret->status < 200 || ret->status == 204 || ret->status == 304)
		ret->length = 0;
	return 0;
}

int reply_head_read(char *text, struct reply_head *ret)
{
	struct reply_head head = { .size = 0 };
	char *end = strstr(text, END);

	if (strncmp(text, VERSION, strnlen(text, strlen(VERSION))) != 0)
		return -1;
	if (!end)
		return 0;
	head.size = (size_t)(end - text) + strlen(END);
	end[2] = '\0'; /* no header is in the body */

	int rc = read_fields(text, &head);

	end[2] = '\r';
	if (rc)
		return -1;
	*ret = head;
	return 1;
}
