/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_state.c - which jobs of a cluster have been imported */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "predictor/base/durable.h"
#include "predictor/cli/import/import_state.h"

#define NAME_FORMAT "import-%s"
#define TEXT_FORMAT "since=%.0f\ndone=%.0f\n"
#define TEXT_MAX    256

/* The folder, created if it is missing and `mode` is not 0; -1: there
 * is none. */
static int open_folder(unsigned mode, struct sp_error *err)
{
	static const char *const below_home[] = { ".local", "state", NULL };
	static const char *const below_state[] = { NULL };
	const char *state = getenv("XDG_STATE_HOME");
	const char *top = state && *state ? state : getenv("HOME");
	const char *const *names = top == state ? below_state : below_home;

	if (!top || !*top)
		return sp_error_set(err, "HOME is not set");

	int fd = durable_folder(AT_FDCWD, top, 0, err);

	for (; fd >= 0 && *names; names++) {
		int next = durable_folder(fd, *names, mode, err);

		close(fd);
		fd = next;
	}
	if (fd < 0)
		return -1;

	int own = durable_folder(fd, "slurm-predict", mode, err);

	close(fd);
	return own;
}

void import_state_read(const char *cluster, struct import_state *ret)
{
	char name[96], *text;
	int fd = open_folder(0, NULL);
	size_t size;
	struct import_state state;

	*ret = (struct import_state){ 0, 0 };
	if (fd < 0)
		return;
	snprintf(name, sizeof(name), NAME_FORMAT, cluster);
	if (!durable_read(fd, name, TEXT_MAX, &text, &size, NULL)) {
		if (sscanf(text, "since=%lf done=%lf", &state.since_s,
			   &state.done_s) == 2 &&
		    state.since_s >= 0 && state.since_s < state.done_s)
			*ret = state;
		free(text);
	}
	close(fd);
}

int import_state_write(const char *cluster, const struct import_state *state,
		       struct sp_error *err)
{
	char name[96], text[TEXT_MAX];
	int fd = open_folder(0700, err);

	if (fd < 0)
		return -1;
	snprintf(name, sizeof(name), NAME_FORMAT, cluster);

	int size = snprintf(text, sizeof(text), TEXT_FORMAT, state->since_s,
			    state->done_s);
	int rc = durable_write(fd, name, text, (size_t)size, err);

	close(fd);
	return rc;
}
