/* SPDX-License-Identifier: GPL-2.0-or-later */
/* canned.h - an HTTP server for tests with a fixed reply
 *
 * Listens on a Unix socket in a directory of its own, in a thread of its own.
 */
#pragma once

#include <check.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define OK_HEAD "HTTP/1.1 200 OK\r\n"

struct canned {
	/* Set these first. */
	const char *reply; /* NULL: read and never reply */
	size_t piece;      /* bytes at once, 0: all of the reply */
	long pause_ms;     /* between pieces */
	int requests_each; /* then the connection is closed; 0: never */
	bool endless;      /* the reply again and again */

	/* Read these. */
	int connections, requests;
	char request[65536]; /* the last one */
	char url[CLIENT_URL_SIZE];

	char directory[32];
	struct sockaddr_un address;
	int listener;
	pthread_t thread;
};

static bool canned_read(struct canned *server, int peer)
{
	size_t used = 0;

	for (;;) {
		ssize_t n = read(peer, server->request + used,
				 sizeof(server->request) - 1 - used);

		if (n <= 0)
			return false;
		used += (size_t)n;
		server->request[used] = '\0';

		char *end = strstr(server->request, "\r\n\r\n");
		char *length = strstr(server->request, "Content-Length: ");
		size_t body = length ? strtoul(length + 16, NULL, 10) : 0;

		if (end && used >= (size_t)(end + 4 - server->request) + body)
			return true;
	}
}

static bool canned_write(const struct canned *server, int peer)
{
	size_t size = strlen(server->reply);
	size_t piece = server->piece ? server->piece : size;

	for (size_t at = 0; at < size; at += piece) {
		struct timespec pause = { 0, server->pause_ms * 1000000 };
		size_t left = size - at < piece ? size - at : piece;

		if (send(peer, server->reply + at, left, MSG_NOSIGNAL) < 0)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static void canned_serve(struct canned *server, int peer)
{
	int left = server->requests_each;

	while (canned_read(server, peer)) {
		server->requests++;
		while (server->reply && canned_write(server, peer))
			if (!server->endless)
				break;
		if (server->requests_each && !--left)
			break;
	}
	close(peer);
}

static void *canned_run(void *context)
{
	struct canned *server = context;
	int peer;

	while ((peer = accept(server->listener, NULL, NULL)) >= 0) {
		server->connections++;
		canned_serve(server, peer);
	}
	return NULL;
}

static void canned_start(struct canned *server)
{
	snprintf(server->directory, sizeof(server->directory),
		 "/tmp/canned.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(server->directory));
	server->address.sun_family = AF_UNIX;
	snprintf(server->address.sun_path, sizeof(server->address.sun_path),
		 "%s/sock", server->directory);
	snprintf(server->url, sizeof(server->url), "unix:%s/sock",
		 server->directory);
	server->listener = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(bind(server->listener,
			      (struct sockaddr *)&server->address,
			      sizeof(server->address)),
			 0);
	ck_assert_int_eq(listen(server->listener, 8), 0);
	ck_assert_int_eq(
		pthread_create(&server->thread, NULL, canned_run, server), 0);
}

/* The client must be gone, so that no connection keeps the thread. */
static void canned_stop(struct canned *server)
{
	shutdown(server->listener, SHUT_RDWR);
	pthread_join(server->thread, NULL);
	close(server->listener);
	unlink(server->address.sun_path);
	rmdir(server->directory);
}
