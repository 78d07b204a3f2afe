/* SPDX-License-Identifier: GPL-2.0-or-later */
/* uprobe_client.h - the uprobes of a function, from collectord */
#ifndef COLLECTORS_PROFILERS_MPI_UPROBE_CLIENT_H
#define COLLECTORS_PROFILERS_MPI_UPROBE_CLIENT_H

#include <stdint.h>

#include "collectors/profilers/mpi/symbols.h"
#include "collectors/profilers/mpi/uprobe_request.h"
#include "predictor/base/error.h"

/* Whether uprobes could harm this process: -1 with *err says by what. */
int uprobe_client_refuses(const struct symbol_place *place,
			  struct sp_error *err);

/* Events of the calling thread (uprobe_request.h), closed on exec.  They wake up who
 * polls them each wakeup_bytes of records.  -1 with *err: there are none, or no
 * reply within wait_ms. */
int uprobe_client_ask(const struct symbol_place *place, int wait_ms,
		      uint32_t wakeup_bytes, int ret_fds[UPROBE_EVENTS],
		      struct sp_error *err);

#endif
