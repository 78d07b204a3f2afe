/* SPDX-License-Identifier: GPL-2.0-or-later */
/* predictd_url.c - where predictd listens, as spredict finds it on any host */
#include <assert.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "predictor/cli/predictd_url.h"

#define UNIX_PREFIX    "unix:"
#define PORT_OF_MANUAL 7380 /* of README's Listen */

/* The client takes numeric addresses only.  -1: the host has none. */
static int host_url(const char *host, char ret[CLIENT_URL_SIZE])
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char address[NI_MAXHOST];

	if (getaddrinfo(host, NULL, &hints, &found))
		return -1;

	int rc = getnameinfo(found->ai_addr, found->ai_addrlen, address,
			     sizeof(address), NULL, 0, NI_NUMERICHOST);
	bool is_v6 = found->ai_family == AF_INET6;

	freeaddrinfo(found);
	if (rc)
		return -1;
	snprintf(ret, CLIENT_URL_SIZE,
		 is_v6 ? "http://[%.99s]:%d" : "http://%.99s:%d", address,
		 PORT_OF_MANUAL);
	return 0;
}

static bool is_on_another_host(const char *url)
{
	size_t length = strlen(UNIX_PREFIX);

	return strncmp(url, UNIX_PREFIX, length) == 0 &&
	       access(url + length, F_OK) != 0;
}

void predictd_url_find(const char *option, const char *variable,
		       const struct slurm_config *site,
		       struct predictd_url *ret)
{
	assert(site);

	const struct {
		const char *url, *source;
	} rows[] = {
		{ option, "--url" },
		{ variable, "PREDICTD_URL" },
		{ site->url, "predict_url of slurm.conf" },
		{ PREDICTD_URL_DEFAULT, "the default" },
	};
	size_t i = 0;

	while (!rows[i].url || !rows[i].url[0])
		i++;
	snprintf(ret->text, sizeof(ret->text), "%s", rows[i].url);
	ret->source = rows[i].source;
	if (i >= 2 && is_on_another_host(ret->text) && site->controller[0] &&
	    host_url(site->controller, ret->text) == 0)
		ret->source = "SlurmctldHost of slurm.conf";
}
