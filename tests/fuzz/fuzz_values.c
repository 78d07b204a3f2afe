/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_values.c - single values as people, Slurm and programs write them
 *
 * Spans, times, memory, job ids, states, constraints, generic resources, the
 * URL of predictd, and reports of the MPI library.  Each is given the whole
 * input.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/profilers/mpi_report.h"
#include "predictor/base/duration.h"
#include "predictor/client/address.h"
#include "predictor/features/constraint.h"
#include "predictor/features/gres.h"
#include "predictor/features/prediction.h"
#include "predictor/slurm/slurm_values.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static void read_spans(const char *text)
{
	char shown[DURATION_TEXT_SIZE];
	double seconds;

	if (!duration_parse(text, &seconds, NULL)) {
		require(seconds >= 0);
		require(strlen(duration_format(seconds, shown)) <
			sizeof(shown));
		require(strlen(duration_format_brief(seconds, shown)) <
			sizeof(shown));
	}
	if (!slurm_time_parse(text, &seconds))
		require(isnan(seconds) || isfinite(seconds));
	if (!slurm_limit_parse(text, &seconds))
		require(isnan(seconds) || seconds >= 0);
	if (!slurm_limit_minutes_parse(text, &seconds))
		require(isnan(seconds) || seconds >= 0);
}

static void read_slurm(const char *text)
{
	char id[PREDICTION_ID_SIZE], copy[8];
	struct slurm_memory memory;
	struct slurm_job_id job;
	enum slurm_phase phase;
	enum run_state state;
	uint32_t count;
	int code, signal;

	if (!slurm_memory_parse(text, &memory))
		require(memory.mb >= 0 && isfinite(memory.mb) &&
			(!memory.per || strchr("cn", memory.per)));
	slurm_job_id_parse(text, &job);
	if (!slurm_state_parse(text, &phase, &state))
		require(phase == SLURM_ENDED || state == RUN_RUNNING);
	if (!slurm_exit_parse(text, &code, &signal))
		require(code >= 0 && code <= 255 && signal >= 0 &&
			signal <= 255);
	slurm_count_parse(text, &count);
	slurm_amount_parse(text, &count);
	slurm_text_copy(text, copy, sizeof(copy));
	require(strlen(copy) < sizeof(copy));
	if (slurm_comment_prediction(text, id))
		require(strlen(id) == PREDICTION_ID_SIZE - 1);
	slurm_comment_missed(text);
}

static void read_constraint(const char *text)
{
	static struct constraint constraint;

	if (!constraint_parse(text, &constraint))
		return;
	require(constraint.count >= 0 &&
		constraint.count <= 2 * CONSTRAINT_TERMS_MAX);
	constraint_allows(&constraint, "a,b,gpu");
	constraint_allows(&constraint, text);
}

static void read_gres(const char *text)
{
	const struct gres_request request = { text, text, text, text };
	struct gres_list list = { .count = 0 };
	char shown[64];

	gres_list_add(&list, text, 3);
	require(list.count >= 0 && list.count <= GRES_MAX);
	gres_list_print(&list, shown, sizeof(shown));
	require(strlen(shown) < sizeof(shown));
	gres_request_total(&request, 4, 16, shown, sizeof(shown));
	require(strlen(shown) < sizeof(shown));
	gres_request_on_node(&request, 4, &list);
	require(list.count >= 0 && list.count <= GRES_MAX);
}

static void read_reports(const char *text)
{
	static struct mpi_report report;
	struct address address;

	if (!address_parse(text, &address, NULL))
		require(memchr(address.base, 0, sizeof(address.base)) &&
			memchr(address.socket_path, 0,
			       sizeof(address.socket_path)));
	memset(&report, 0, sizeof(report));
	if (!mpi_report_parse(text, &report, NULL))
		require(report.peer_count >= 0 &&
			report.peer_count <= PROFILE_PEERS_MAX &&
			isfinite(report.wall_s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	read_spans(text);
	read_slurm(text);
	read_constraint(text);
	read_gres(text);
	read_reports(text);
	free(text);
	return 0;
}
