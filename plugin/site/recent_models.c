/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recent_models.c - models of the last submitted jobs, for the select plugin */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "plugin/site/export.h"
#include "plugin/site/recent_models.h"

#define ID_DIGITS 16

static struct {
	char id[ID_DIGITS]; /* not terminated */
	char text[RECENT_MODEL_SIZE];
} jobs[RECENT_MODELS_MAX];
static uint32_t next; /* the oldest, which is overwritten next */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void recent_models_put(const char *id, const char *text)
{
	if (!*text || strlen(text) >= RECENT_MODEL_SIZE ||
	    strlen(id) != ID_DIGITS)
		return;
	pthread_mutex_lock(&lock);
	memcpy(jobs[next].id, id, ID_DIGITS);
	strcpy(jobs[next].text, text);
	next = (next + 1) % RECENT_MODELS_MAX;
	pthread_mutex_unlock(&lock);
}

EXPORT int predict_recent_model(const char *id, char ret[RECENT_MODEL_SIZE])
{
	int rc = -1;

	if (pthread_mutex_trylock(&lock) != 0)
		return -1;
	/* The newest first: most are scheduled right after submission. */
	for (uint32_t back = 1; rc && back <= RECENT_MODELS_MAX; back++) {
		uint32_t at =
			(next + RECENT_MODELS_MAX - back) % RECENT_MODELS_MAX;

		if (memcmp(jobs[at].id, id, ID_DIGITS) == 0) {
			strcpy(ret, jobs[at].text);
			rc = 0;
		}
	}
	pthread_mutex_unlock(&lock);
	return rc;
}
