/* SPDX-License-Identifier: GPL-2.0-or-later */
/* handlers.h - the functions of the routes table
 *
 * Each handles one kind of request, as described at struct route; requests and
 * replies are described in openapi.json.
 */
#pragma once

struct request;

int predictions_make(struct request *request);
int explanations_make(struct request *request);
int predictions_show(struct request *request);
int curve_show(struct request *request);
int bundle_show(struct request *request);
int queue_show(struct request *request);
int queue_list(struct request *request);
int jobs_show(struct request *request);
int applications_list(struct request *request);
int nodes_list(struct request *request);
int links_list(struct request *request);
int series_show(struct request *request);
int accuracy_list(struct request *request);
int snapshot_show(struct request *request);
int profiles_list(struct request *request);
int shares_show(struct request *request);
int order_show(struct request *request);
int runs_store(struct request *request);
int runs_list(struct request *request);
int report_show(struct request *request);
int sooner_show(struct request *request);
int imports_store(struct request *request);
int measurements_add(struct request *request);
int traces_store(struct request *request);
int traces_list(struct request *request);
int whatif_make(struct request *request);
int probes_show(struct request *request);
int metrics_show(struct request *request);
int livez_show(struct request *request);
int readyz_show(struct request *request);
int web_file_show(struct request *request); /* web_files.h */

/* Part of accuracy_list(): the accuracy of each model, from the engine. */
int accuracy_from_memory(struct request *request);

/* The reply of predictions_make() was sent, or failed: keep and store the
 * prediction. */
void predictions_sent(struct request *request);
