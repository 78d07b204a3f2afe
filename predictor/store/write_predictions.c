/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_predictions.c - predictions, in the order in which they were made */
#include "predictor/base/log.h"
#include "predictor/store/write_batch.h"
#include "predictor/store/copy.h"
#include "predictor/store/write.h"

static int predictions_write(struct connection *connection, void *const items[],
			     size_t count, int64_t origin, struct sp_error *err)
{
	struct tuples predictions;
	bool renewed = false;

	tuples_init(&predictions, &prediction_columns);
	for (size_t i = 0; i < count; i++) {
		const struct prediction *p =
			&((struct prediction_item *)items[i])->prediction;

		tuples_add(&predictions, p);
		renewed = renewed || p->stage != STAGE_SUBMISSION;
	}
	int rc = copy_in(connection, copy_predictions, &predictions, err);

	tuples_clear(&predictions);
	if (rc < 0 ||
	    connection_run(connection, &statement_prediction_clusters, NULL,
			   NULL, NULL, err) < 0 ||
	    connection_run(connection, &statement_prediction_applications, NULL,
			   NULL, NULL, err) < 0 ||
	    connection_run(connection, &statement_predictions, NULL, &origin,
			   NULL, err) < 0)
		return -1;
	return renewed ? connection_run(connection,
					&statement_predictions_renew, NULL,
					NULL, NULL, err)
		       : 0;
}

/* An empty id marks a prediction that was refused. */
static void prediction_refused(void *item, const struct sp_error *why)
{
	struct prediction *p = &((struct prediction_item *)item)->prediction;

	log_error("prediction %.16s is not stored: %s", p->id, why->text);
	p->id[0] = '\0';
}

static void prediction_stored(void *item)
{
	(void)item;
}

static const struct batch_writer predictions_writer = {
	.write = predictions_write,
	.stored = prediction_stored,
	.refused = prediction_refused,
};

int write_predictions(struct connection *connection, int64_t origin,
		      struct prediction_item *list, size_t *ret_dropped,
		      struct sp_error *err)
{
	void *items[QUEUE_BATCH_PREDICTIONS] = { NULL };
	struct sp_error why;
	size_t count = 0, dropped = 0;

	for (struct prediction_item *i = list; i; i = fifo_next(&i->link)) {
		if (rows_check(&prediction_columns, &i->prediction,
			       "prediction", &why) < 0)
			prediction_refused(i, &why);
		else if (count < QUEUE_BATCH_PREDICTIONS)
			items[count++] = i;
	}
	if (batch_write(connection, &predictions_writer, items, count, origin,
			err) < 0)
		return -1;
	for (struct prediction_item *i = list; i; i = fifo_next(&i->link))
		dropped += i->prediction.id[0] == '\0';
	*ret_dropped = dropped;
	return 0;
}
