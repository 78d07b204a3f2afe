/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_url.h - where predictd listens, as spredict finds it on any host
 *
 * In this order: --url, the variable PREDICTD_URL, predict_url of slurm.conf,
 * the default socket.  A socket of the last two is predictd's only on its own
 * host: if it is not here, predictd is looked for where slurmctld runs, at TCP
 * port 7380.
 */
#pragma once

#include "predictor/client/client.h"
#include "predictor/slurm/slurm_config.h"

#define PREDICTD_URL_DEFAULT "unix:/run/slurm-predict/predictd.sock"

struct predictd_url {
	char text[CLIENT_URL_SIZE];
	const char *source; /* "--url", "predict_url of slurm.conf", ... */
};

/* `option`: of --url, `variable`: PREDICTD_URL; NULL or empty: not given. */
void predictd_url_find(const char *option, const char *variable,
		       const struct slurm_config *site,
		       struct predictd_url *ret);
