/* spares.h - items of predictions, to be used again
 *
 * One thread makes them and another is done with them.  malloc() gives blocks
 * of such a life back to the system and asks for them again all the time: a
 * call of the kernel and a page to clear for each prediction.
 *
 * Private to queue.c.
 */
#ifndef PREDICTOR_STORE_SPARES_H
#define PREDICTOR_STORE_SPARES_H

#include <pthread.h>
#include <stddef.h>

#include "predictor/base/fifo.h"

#define SPARES_MAX 1000 /* kept; what is more is freed */

struct prediction_item;

struct spares {
	pthread_mutex_t lock;
	size_t count;
	struct fifo_link *first; /* of a prediction_item */
};

void spares_init(struct spares *spares);
void spares_fini(struct spares *spares); /* frees them */

/* One that was used before, or a new one; its content is whatever it was.
 * NULL: out of memory. */
struct prediction_item *spares_take(struct spares *spares);

/* Takes a list of items. */
void spares_give(struct spares *spares, struct prediction_item *list);

#endif
