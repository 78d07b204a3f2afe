/* recent_models.c - what predictd said of the jobs that came last, for the select plugin */
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "plugin/site/export.h"
#include "plugin/site/recent_models.h"

#define ID_DIGITS 16

static struct {
	char id[ID_DIGITS]; /* not terminated */
	char text[TOLD_SIZE];
} jobs[TOLD_MAX];
static uint32_t next; /* the oldest, which goes next */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void told_put(const char *id, const char *text)
{
	if (!*text || strlen(text) >= TOLD_SIZE || strlen(id) != ID_DIGITS)
		return;
	pthread_mutex_lock(&lock);
	memcpy(jobs[next].id, id, ID_DIGITS);
	strcpy(jobs[next].text, text);
	next = (next + 1) % TOLD_MAX;
	pthread_mutex_unlock(&lock);
}

EXPORT int predict_told(const char *id, char ret[TOLD_SIZE])
{
	int rc = -1;

	if (pthread_mutex_trylock(&lock) != 0)
		return -1;
	/* The newest first: most are asked for at once. */
	for (uint32_t back = 1; rc && back <= TOLD_MAX; back++) {
		uint32_t at = (next + TOLD_MAX - back) % TOLD_MAX;

		if (memcmp(jobs[at].id, id, ID_DIGITS) == 0) {
			strcpy(ret, jobs[at].text);
			rc = 0;
		}
	}
	pthread_mutex_unlock(&lock);
	return rc;
}
