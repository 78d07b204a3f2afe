/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - a plain TCP stream, and how fast it was
 *
 *	stream serve PORT              take what comes, for ever
 *	stream send HOST PORT BYTES    send that much; print bits per second
 *	stream send HOST PORT 0        send until killed
 *
 * HOST is a numeric address.  The time is from the connection to the time at
 * which the other side has taken the last byte.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CHUNK     65536
#define PEERS_MAX 64

static char chunk[CHUNK];

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int give_up(const char *what)
{
	perror(what);
	return 1;
}

/* Gives back a byte when a peer has sent its last one. */
static void take(struct pollfd *peer)
{
	ssize_t got = recv(peer->fd, chunk, sizeof(chunk), 0);

	if (got > 0)
		return;
	if (got == 0)
		(void)!write(peer->fd, "", 1);
	close(peer->fd);
	peer->fd = -1;
}

static int serve(int port)
{
	struct sockaddr_in any = { .sin_family = AF_INET,
				   .sin_port = htons((uint16_t)port) };
	struct pollfd fds[PEERS_MAX + 1];
	int one = 1;

	for (int i = 0; i <= PEERS_MAX; i++)
		fds[i] = (struct pollfd){ .fd = -1, .events = POLLIN };
	fds[0].fd = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(fds[0].fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fds[0].fd, (struct sockaddr *)&any, sizeof(any)) ||
	    listen(fds[0].fd, PEERS_MAX))
		return give_up("listen");
	for (;;) {
		if (poll(fds, PEERS_MAX + 1, -1) < 0)
			return give_up("poll");
		for (int i = 1; i <= PEERS_MAX; i++) {
			if (fds[i].fd >= 0 && fds[i].revents)
				take(&fds[i]);
			if (fds[i].fd < 0 && fds[0].revents) {
				fds[i].fd = accept(fds[0].fd, NULL, NULL);
				fds[i].revents = fds[0].revents = 0;
			}
		}
	}
}

static int send_bytes(const char *host, int port, double bytes)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)port) };
	double began_s = now_s();
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	double left = bytes;

	if (inet_pton(AF_INET, host, &to.sin_addr) != 1 ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return give_up(host);
	while (bytes == 0 || left > 0) {
		size_t size = bytes != 0 && left < CHUNK ? (size_t)left : CHUNK;
		ssize_t sent = send(fd, chunk, size, MSG_NOSIGNAL);

		if (sent < 0)
			return give_up("send");
		left -= (double)sent;
	}
	shutdown(fd, SHUT_WR);
	if (read(fd, chunk, 1) != 1)
		return give_up("the end");
	printf("%.0f\n", 8 * bytes / (now_s() - began_s));
	return 0;
}

int main(int argc, char *argv[])
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve((int)strtol(argv[2], NULL, 10));
	if (argc == 5 && !strcmp(argv[1], "send"))
		return send_bytes(argv[2], (int)strtol(argv[3], NULL, 10),
				  strtod(argv[4], NULL));
	fprintf(stderr, "usage: stream serve PORT | "
			"stream send HOST PORT BYTES\n");
	return 2;
}
