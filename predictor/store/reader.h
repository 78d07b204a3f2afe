/* reader.h - answers questions from the history, beside the store's thread
 *
 * A thread and a connection of their own, opened when somebody asks and closed
 * when nobody has for a while.  Questions are answered one after the other,
 * each within a limit of time, so that nothing piles up; see store.h for what
 * can be asked.
 */
#ifndef PREDICTOR_STORE_READER_H
#define PREDICTOR_STORE_READER_H

#include "predictor/engine/store.h"

struct reader;

struct reader *reader_create(const char *conninfo, struct sp_error *err);

/* Take no more questions; what is being asked is given up, and all that wait
 * are answered with STORE_AGAIN. */
void reader_stop(struct reader *reader);

void reader_destroy(struct reader *reader); /* stops, too; NULL is allowed */

/* As in struct store_ops. */
int reader_get_prediction(struct reader *reader, const char *id,
			  store_prediction_fn *done, void *context,
			  struct sp_error *err);
int reader_get_runs(struct reader *reader, const struct store_runs_query *query,
		    store_runs_fn *done, void *context, struct sp_error *err);
int reader_get_accuracy(struct reader *reader,
			const struct store_accuracy_query *query,
			store_accuracy_fn *done, void *context,
			struct sp_error *err);

#endif
