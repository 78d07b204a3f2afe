/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue.c - what waits for PostgreSQL, and what does not get in */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/store/queue.h"
#include "tests/unit/suite.h"

static struct queue queue;
static struct sp_error err;

static void begin(void)
{
	ck_assert_int_eq(queue_init(&queue, &err), 0);
}

static void end(void)
{
	queue_fini(&queue);
	memset(&queue, 0, sizeof(queue)); /* what it forgot to free is lost */
}

/* Whether the store's thread was woken since the last call. */
static bool woken(void)
{
	uint64_t count;

	return read(queue.wake_fd, &count, sizeof(count)) == sizeof(count);
}

static struct store_status status(void)
{
	struct store_status s;

	queue_status(&queue, &s);
	return s;
}

/* Free a list; return how many items it had. */
static size_t list_free(void *list)
{
	size_t count = 0;

	for (struct fifo_link *next, *item = list; item; item = next) {
		next = item->next;
		free(item);
		count++;
	}
	return count;
}

/* --- Reports and imports -------------------------------------------------- */

static const struct run runs[2] = { { .job_id = 7 }, { .job_id = 8 } };
static const struct run_share shares[1] = { { .job_id = 9 } };
static const struct store_report report = {
	.runs = runs, .runs_count = 2, .shares = shares, .shares_count = 1
};

static int put_report(void)
{
	return queue_put_report(&queue, &report, NULL, &queue, &err);
}

START_TEST(test_closed)
{
	struct store_import import = { .runs = runs, .runs_count = 2 };
	struct sp_error why;

	ck_assert(!status().up);
	ck_assert_int_eq(put_report(), -1);
	ck_assert_str_eq(err.text, "not stored: PostgreSQL: not connected yet");
	ck_assert(!woken());
	queue_open(&queue);
	ck_assert(status().up);
	ck_assert_str_eq(status().last.text, "");
	ck_assert_int_eq(put_report(), 0);
	ck_assert(woken());
	sp_error_set(&why, "it burns");
	queue_close(&queue, &why);
	ck_assert(!status().up);
	ck_assert_int_eq(put_report(), -1);
	ck_assert_str_eq(err.text, "not stored: it burns");
	ck_assert_int_eq(queue_put_import(&queue, &import, NULL, NULL, &err),
			 -1);
	ck_assert_uint_eq(list_free(queue_take_reports(&queue)), 1);
}
END_TEST

/* A report is copied; its sender's memory may go. */
START_TEST(test_reports)
{
	struct report_item *item;

	queue_open(&queue);
	ck_assert_double_eq(queue_reports_due_s(&queue), HUGE_VAL);
	ck_assert_ptr_null(queue_take_reports(&queue));
	ck_assert_int_eq(put_report(), 0);
	ck_assert_double_eq(queue_reports_due_s(&queue), 0);
	item = queue_take_reports(&queue);
	ck_assert_ptr_nonnull(item);
	ck_assert_ptr_eq(item->context, &queue);
	ck_assert_uint_eq(item->runs_count, 2);
	ck_assert_uint_eq(item->shares_count, 1);
	ck_assert_uint_eq(item->profiles_count, 0);
	ck_assert_ptr_ne(item->runs, runs);
	ck_assert_uint_eq(item->runs[1].job_id, 8);
	ck_assert_uint_eq(item->shares[0].job_id, 9);
	ck_assert_uint_eq(list_free(item), 1);
	ck_assert_double_eq(queue_reports_due_s(&queue), HUGE_VAL);
}
END_TEST

START_TEST(test_too_many_reports)
{
	struct store_report one = { .runs = runs, .runs_count = 1 };
	size_t taken = 0, count;

	queue_open(&queue);
	for (int i = 0; i < QUEUE_REPORTS_MAX; i++)
		ck_assert_int_eq(
			queue_put_report(&queue, &one, NULL, NULL, &err), 0);
	ck_assert_int_eq(queue_put_report(&queue, &one, NULL, NULL, &err), -1);
	ck_assert_str_eq(err.text,
			 "not stored: 10000 reports wait for PostgreSQL");
	while ((count = list_free(queue_take_reports(&queue)))) {
		ck_assert_uint_eq(count, QUEUE_BATCH_REPORTS);
		taken += count;
	}
	ck_assert_uint_eq(taken, QUEUE_REPORTS_MAX);
	/* With 3 rows each, rows are what bounds a batch. */
	for (int i = 0; i < QUEUE_BATCH_REPORTS; i++)
		ck_assert_int_eq(put_report(), 0);
	count = list_free(queue_take_reports(&queue));
	ck_assert_uint_ge(count, QUEUE_BATCH_RUNS / 3);
	ck_assert_uint_le(count, QUEUE_BATCH_RUNS / 3 + 1);
	ck_assert_uint_eq(count + list_free(queue_take_reports(&queue)),
			  QUEUE_BATCH_REPORTS);
}
END_TEST

START_TEST(test_imports)
{
	struct store_import import = { .runs = runs,
				       .runs_count = STORE_IMPORT_RUNS_MAX + 1,
				       .last = true };
	struct import_item *item;

	queue_open(&queue);
	ck_assert_int_eq(queue_put_import(&queue, &import, NULL, NULL, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "runs at once"));
	import.runs_count = 2;
	for (int i = 0; i < STORE_IMPORTS_MAX; i++)
		ck_assert_int_eq(
			queue_put_import(&queue, &import, NULL, &err, &err), 0);
	ck_assert_int_eq(queue_put_import(&queue, &import, NULL, NULL, &err),
			 -1);
	ck_assert_double_eq(queue_reports_due_s(&queue), 0);
	for (int i = 0; i < STORE_IMPORTS_MAX; i++) {
		item = queue_take_import(&queue);
		ck_assert_ptr_nonnull(item);
		ck_assert_ptr_null(item->link.next);
		ck_assert_ptr_eq(item->context, &err);
		ck_assert(item->last);
		ck_assert_uint_eq(item->runs_count, 2);
		ck_assert_uint_eq(item->runs[1].job_id, 8);
		free(item);
	}
	ck_assert_ptr_null(queue_take_import(&queue));
	/* The last of an import may be empty. */
	import = (struct store_import){ .last = true };
	ck_assert_int_eq(queue_put_import(&queue, &import, NULL, NULL, &err),
			 0);
	item = queue_take_import(&queue);
	ck_assert_uint_eq(item->runs_count, 0);
	free(item);
}
END_TEST

/* --- Predictions and measurements ----------------------------------------- */

static void put_prediction(double made_at_s)
{
	struct prediction p = { .made_at_s = made_at_s };

	queue_put_prediction(&queue, &p);
}

/* They are due when some had time to gather, or a batch is full. */
START_TEST(test_predictions)
{
	struct prediction_item *list;
	double now_s = clock_monotonic_s();

	ck_assert_double_eq(queue_predictions_due_s(&queue), HUGE_VAL);
	put_prediction(1);
	ck_assert(woken());
	put_prediction(2);
	ck_assert(!woken());
	ck_assert_double_ge(queue_predictions_due_s(&queue), now_s + 0.2);
	ck_assert_double_lt(queue_predictions_due_s(&queue), now_s + 5);
	ck_assert_uint_eq(status().waiting, 2);
	for (int i = 2; i < QUEUE_BATCH_PREDICTIONS - 1; i++)
		put_prediction(3);
	ck_assert_double_gt(queue_predictions_due_s(&queue), 0);
	put_prediction(4);
	ck_assert_double_eq(queue_predictions_due_s(&queue), 0);
	put_prediction(5);
	list = queue_take_predictions(&queue);
	ck_assert_double_eq(list->prediction.made_at_s, 1);
	ck_assert_uint_eq(status().waiting, 1);
	/* What could not be stored stands in front again. */
	queue_return_predictions(&queue, list);
	queue_return_predictions(&queue, NULL);
	ck_assert_uint_eq(status().waiting, QUEUE_BATCH_PREDICTIONS + 1);
	list = queue_take_predictions(&queue);
	ck_assert_double_eq(list->prediction.made_at_s, 1);
	queue_recycle_predictions(&queue, list);
	list = queue_take_predictions(&queue);
	ck_assert_double_eq(list->prediction.made_at_s, 5);
	ck_assert_uint_eq(list_free(list), 1);
	ck_assert_uint_eq(status().dropped, 0);
}
END_TEST

/* If there are too many, the oldest go, and are counted. */
START_TEST(test_too_many_measurements)
{
	static struct measurement rows[QUEUE_BATCH_MEASUREMENTS + 1];
	struct measurements_item *list;

	for (int i = 0; i < 11; i++) {
		rows[0].time_s = i;
		queue_put_measurements(&queue, "little", rows,
				       QUEUE_BATCH_MEASUREMENTS);
	}
	ck_assert_uint_eq(status().waiting, QUEUE_MEASUREMENTS_MAX);
	ck_assert_uint_eq(status().dropped, QUEUE_BATCH_MEASUREMENTS);
	queue_put_measurements(&queue, "little", rows,
			       QUEUE_BATCH_MEASUREMENTS + 1);
	queue_put_measurements(&queue, "little", rows, 0);
	ck_assert_uint_eq(status().waiting, QUEUE_MEASUREMENTS_MAX);
	ck_assert_uint_eq(status().dropped, 2 * QUEUE_BATCH_MEASUREMENTS + 1);
	list = queue_take_measurements(&queue);
	ck_assert_double_eq(list->rows[0].node.measurement.time_s, 1);
	ck_assert_ptr_null(list->link.next);
	/* Where others came meanwhile there is no room for it any more. */
	queue_put_measurements(&queue, "little", rows,
			       QUEUE_BATCH_MEASUREMENTS);
	queue_return_measurements(&queue, list);
	queue_return_measurements(&queue, NULL);
	ck_assert_uint_eq(status().waiting, QUEUE_MEASUREMENTS_MAX);
	list = queue_take_measurements(&queue);
	ck_assert_double_eq(list->rows[0].node.measurement.time_s, 2);
	list_free(list);
}
END_TEST

START_TEST(test_measurements)
{
	struct measurement nodes[2] = { { .node = "n1" }, { .node = "n2" } };
	struct link_measurement link = { .from = "n1", .to = "n2" };
	struct measurements_item *list;
	double now_s = clock_monotonic_s();

	ck_assert_double_eq(queue_measurements_due_s(&queue), HUGE_VAL);
	queue_put_measurements(&queue, "little", nodes, 2);
	ck_assert(woken());
	queue_put_links(&queue, "big", &link, 1);
	queue_put_links(&queue, "big", &link, 0);
	ck_assert(!woken());
	ck_assert_double_ge(queue_measurements_due_s(&queue), now_s + 0.5);
	ck_assert_double_lt(queue_measurements_due_s(&queue), now_s + 5);
	ck_assert_uint_eq(status().waiting, 3);
	list = queue_take_measurements(&queue);
	ck_assert(!list->links);
	ck_assert_uint_eq(list->count, 2);
	ck_assert_str_eq(list->rows[1].node.cluster, "little");
	ck_assert_str_eq(list->rows[1].node.measurement.node, "n2");

	struct measurements_item *links =
		(struct measurements_item *)list->link.next;

	ck_assert(links->links);
	ck_assert_uint_eq(links->count, 1);
	ck_assert_str_eq(links->rows[0].link.cluster, "big");
	ck_assert_str_eq(links->rows[0].link.link.to, "n2");
	ck_assert_uint_eq(list_free(list), 2);
}
END_TEST

/* A report must not wait until a long history is read. */
START_TEST(test_long_load)
{
	struct store_import import = { .runs = runs, .runs_count = 2 };

	queue_open(&queue);
	queue_begin_load(&queue);
	ck_assert_int_eq(queue_put_report(&queue, &report, NULL, NULL, &err),
			 0);
	queue.load_since_s -= 6;
	ck_assert_int_eq(queue_put_report(&queue, &report, NULL, NULL, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "history is being read"));
	/* An import may. */
	ck_assert_int_eq(queue_put_import(&queue, &import, NULL, NULL, &err),
			 0);
	free(queue_take_import(&queue));
	queue_set_ready(&queue);
	ck_assert_int_eq(queue_put_report(&queue, &report, NULL, NULL, &err),
			 0);
	for (int i = 0; i < 2; i++) {
		struct report_item *item = queue_take_reports(&queue);

		while (item) {
			struct report_item *next = fifo_next(&item->link);

			free(item);
			item = next;
		}
	}
}
END_TEST

START_TEST(test_status)
{
	put_prediction(1); /* freed by queue_fini() */
	queue_put_measurements(&queue, "little",
			       &(struct measurement){ .node = "n1" }, 1);
	queue_count_stored(&queue, 5);
	queue_count_stored(&queue, 2);
	queue_count_dropped(&queue, 3);
	ck_assert(!status().ready);
	queue_set_ready(&queue);
	ck_assert(status().ready);
	ck_assert_uint_eq(status().runs_stored, 7);
	ck_assert_uint_eq(status().dropped, 3);
	ck_assert_uint_eq(status().waiting, 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_closed,           test_reports,
		test_too_many_reports, test_imports,
		test_predictions,      test_too_many_measurements,
		test_measurements,     test_long_load,
		test_status,           NULL,
	};

	return suite_run_each("queue", tests, begin, end);
}
