/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client.c - HTTP requests to predictd, within a deadline
 *
 * libcurl speaks HTTP and keeps the connection; the deadline is enforced here.
 * libcurl checks its own timeouts only in some of its states, so each request
 * is driven step by step through the multi interface.  No step can block: the
 * address needs no resolving, sockets are nonblocking, and one step reads a
 * bounded amount.
 *
 * predictd closes connections that are idle for long.  libcurl notices most of
 * these and reconnects; a request that was sent on a connection just being
 * closed is sent once more, within the same deadline.
 */
#include <math.h>
#include <munge.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "predictor/base/clock.h"
#include "predictor/base/unused.h"
#include "predictor/client/address.h"
#include "predictor/client/client.h"
#include "predictor/client/curl_compat.h"

#define HEADERS_MAX    16384 /* bytes; predictd sends a few hundred */
#define PATH_MAX_BYTES 2048

struct client {
	struct address address;
	bool authenticates; /* each request carries a MUNGE credential */
	munge_ctx_t munge;
	CURLM *multi;
	CURL *easy;
	compat_target *target;     /* of the last request */
	char path[PATH_MAX_BYTES]; /* of the last request; empty: none yet */
	char socket_path[SOCKET_PATH_SIZE]; /* likewise */
	struct curl_slist *headers;         /* of every request */
	char *reply;                        /* `reply_max` and a terminator */
	size_t reply_max;
	double awake_s; /* poll that long before sleeping */

	/* These are of the request under way: */
	size_t reply_size, header_bytes;
	bool overflowed;
};

static size_t receive_body(char *data, size_t one UNUSED, size_t size,
			   void *context)
{
	struct client *c = context;

	if (size > c->reply_max - c->reply_size) {
		c->overflowed = true;
		return 0; /* ends the transfer */
	}
	memcpy(c->reply + c->reply_size, data, size);
	c->reply_size += size;
	return size;
}

static size_t receive_header(char *data UNUSED, size_t one UNUSED, size_t size,
			     void *context)
{
	struct client *c = context;

	if (size > HEADERS_MAX - c->header_bytes) {
		c->overflowed = true;
		return 0;
	}
	c->header_bytes += size;
	return size;
}

/* slurmctld starts other programs, which must not inherit our connection. */
static curl_socket_t open_socket(void *context UNUSED,
				 curlsocktype purpose UNUSED,
				 struct curl_sockaddr *address)
{
	return socket(address->family, address->socktype | SOCK_CLOEXEC,
		      address->protocol);
}

static int set_up_munge(struct client *c, const char *munge_socket,
			struct sp_error *err)
{
	if (!munge_socket || c->address.socket_path[0])
		return 0;
	c->authenticates = true;
	c->munge = munge_ctx_create();
	if (!c->munge)
		return sp_error_set(err, "out of memory");
	if (*munge_socket &&
	    munge_ctx_set(c->munge, MUNGE_OPT_SOCKET, munge_socket))
		return sp_error_set(err, "MUNGE socket %.100s: %s",
				    munge_socket, munge_ctx_strerror(c->munge));
	return 0;
}

/* Options that stay the same for all requests. */
static int set_up_easy(struct client *c)
{
	CURL *easy = c->easy;
	bool bad = false;

#define SET(option, value) bad |= curl_easy_setopt(easy, option, value) != 0
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(COMPAT_OPTION_PROTOCOLS, COMPAT_PROTOCOLS_HTTP);
	SET(CURLOPT_NOPROXY, "*");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_TCP_NODELAY, 1L);
	SET(CURLOPT_MAXCONNECTS, 1L);
	SET(CURLOPT_WRITEFUNCTION, receive_body);
	SET(CURLOPT_WRITEDATA, c);
	SET(CURLOPT_HEADERFUNCTION, receive_header);
	SET(CURLOPT_HEADERDATA, c);
	SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
	SET(CURLOPT_MAXFILESIZE, (long)c->reply_max);
#undef SET
	return bad ? -1 : 0;
}

/* Add `line` to *list, which stays as it was if memory runs out. */
static int add_header(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (!longer)
		return -1;
	*list = longer;
	return 0;
}

static int set_up_curl(struct client *c, struct sp_error *err)
{
	c->multi = curl_multi_init();
	c->easy = curl_easy_init();
	c->target = c->easy ? compat_target_create(c->easy) : NULL;
	c->reply = malloc(CLIENT_REPLY_MAX + 1);
	if (!c->multi || !c->easy || !c->target || !c->reply ||
	    /* "Expect" would cost a round trip and could hang; "Accept" is
	     * useless here. */
	    add_header(&c->headers, "Expect:") ||
	    add_header(&c->headers, "Accept:") ||
	    add_header(&c->headers, "Content-Type: application/json"))
		return sp_error_set(err, "out of memory");
	if (set_up_easy(c))
		return sp_error_set(err, "libcurl lacks an option that is "
					 "needed");
	return 0;
}

struct client *client_create(const char *url, const char *munge_socket,
			     struct sp_error *err)
{
	struct address address;

	if (address_parse(url, &address, err))
		return NULL;
	/* Counted by libcurl: others in this process may use it as well. */
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return sp_error_null(err, "libcurl does not start");

	struct client *c = calloc(1, sizeof(*c));

	if (!c) {
		curl_global_cleanup();
		return sp_error_null(err, "out of memory");
	}
	c->address = address;
	c->reply_max = CLIENT_REPLY_MAX;
	if (set_up_curl(c, err) || set_up_munge(c, munge_socket, err)) {
		client_destroy(c);
		return NULL;
	}
	return c;
}

int client_use_token(struct client *client, const char *token,
		     struct sp_error *err)
{
	char *line = NULL;
	int rc;

	if (client->address.socket_path[0])
		return 0;
	if (token[strcspn(token, "\r\n")])
		return sp_error_set(err, "the token has several lines");
	if (asprintf(&line, "Authorization: Bearer %s", token) < 0)
		return sp_error_set(err, "out of memory");
	rc = add_header(&client->headers, line);
	free(line);
	if (rc)
		return sp_error_set(err, "out of memory");
	client->authenticates = false;
	return 0;
}

void client_destroy(struct client *client)
{
	if (!client)
		return;
	curl_easy_cleanup(client->easy);
	if (client->multi)
		curl_multi_cleanup(client->multi);
	compat_target_destroy(client->target);
	curl_slist_free_all(client->headers);
	if (client->munge)
		munge_ctx_destroy(client->munge);
	free(client->reply);
	free(client);
	curl_global_cleanup();
}

int client_check_url(const char *url, struct sp_error *err)
{
	struct address address;

	return address_parse(url, &address, err);
}

void client_limit_reply(struct client *client, size_t size)
{
	if (size > CLIENT_REPLY_MAX) {
		char *more = realloc(client->reply, size + 1);

		if (more)
			client->reply = more;
		else
			size = CLIENT_REPLY_MAX;
	}
	client->reply_max = size;
	curl_easy_setopt(client->easy, CURLOPT_MAXFILESIZE,
			 (long)client->reply_max);
}

void client_stay_awake(struct client *client, double seconds)
{
	/* Not on a single CPU, which predictd needs meanwhile. */
	client->awake_s = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? seconds : 0;
}

/* Make the headers of one request: the common ones and a MUNGE credential.
 * Its payload names the request, so that it is of no use for another. */
static int make_credential(struct client *c, const char *method,
			   const char *path, struct curl_slist **ret_list,
			   struct sp_error *err)
{
	char payload[PATH_MAX_BYTES + 8];
	int length = snprintf(payload, sizeof(payload), "%s %s", method, path);
	char *credential = NULL;
	struct curl_slist *list = NULL;
	char *line = NULL;
	int rc = -1;

	if (munge_encode(&credential, c->munge, payload, length)) {
		sp_error_set(err, "MUNGE: %s", munge_ctx_strerror(c->munge));
		goto out;
	}
	if (asprintf(&line, "Authorization: MUNGE %s", credential) < 0)
		line = NULL;
	rc = line ? 0 : -1;
	for (struct curl_slist *h = c->headers; !rc && h; h = h->next)
		rc = add_header(&list, h->data);
	if (!rc)
		rc = add_header(&list, line);
	if (!rc) {
		*ret_list = list;
		list = NULL;
	} else {
		sp_error_set(err, "out of memory");
	}
out:
	curl_slist_free_all(list);
	free(line);
	free(credential);
	return rc;
}

/* Drive the transfer that was added to the multi handle until it is done.  -1:
 * the deadline passed. */
static int drive_transfer(struct client *c, double deadline_s,
			  CURLcode *ret_code)
{
	double sleep_at_s = clock_monotonic_s() + c->awake_s;

	for (;;) {
		int running = 0, messages;
		CURLMcode rc = curl_multi_perform(c->multi, &running);
		CURLMsg *message = curl_multi_info_read(c->multi, &messages);

		if (message && message->msg == CURLMSG_DONE) {
			*ret_code = message->data.result;
			return 0;
		}
		if (rc || !running) {
			*ret_code = CURLE_FAILED_INIT;
			return 0;
		}

		double now_s = clock_monotonic_s();
		double left_s = deadline_s - now_s;

		if (left_s <= 0)
			return -1;
		if (now_s < sleep_at_s) {
			sched_yield(); /* predictd may want this CPU */
			continue;
		}
		compat_sleep(c->multi, (int)ceil(left_s * 1e3));
		if (clock_monotonic_s() >= deadline_s)
			return -1;
	}
}

/* Send once, and read the reply. */
static int transfer_once(struct client *c, double deadline_s,
			 CURLcode *ret_code)
{
	c->reply_size = 0;
	c->header_bytes = 0;
	c->overflowed = false;
	if (curl_multi_add_handle(c->multi, c->easy)) {
		*ret_code = CURLE_FAILED_INIT;
		return 0;
	}

	int rc = drive_transfer(c, deadline_s, ret_code);

	/* Also closes the connection of a transfer that was not done. */
	curl_multi_remove_handle(c->multi, c->easy);
	return rc;
}

/* Return whether a failure may come from a connection that predictd had closed
 * before it saw the request. */
static bool failed_as_stale(struct client *c, CURLcode code)
{
	long new_connections = 0;

	if (code != CURLE_SEND_ERROR && code != CURLE_RECV_ERROR &&
	    code != CURLE_GOT_NOTHING)
		return false;
	curl_easy_getinfo(c->easy, CURLINFO_NUM_CONNECTS, &new_connections);
	return !new_connections && !c->header_bytes;
}

/* Most requests have the path of the last one: no need to parse it again. */
static int set_up_url(struct client *c, const char *path, struct sp_error *err)
{
	char url[ADDRESS_BASE_SIZE + PATH_MAX_BYTES];

	if (!strcmp(c->path, path))
		return 0;
	snprintf(url, sizeof(url), "%s%s", c->address.base, path);
	c->path[0] = '\0';
	if (compat_target_set(c->target, url))
		return sp_error_set(err, "%.100s: libcurl refuses this URL",
				    url);
	strcpy(c->path, path);
	return 0;
}

static int use_socket(struct client *c, const char *path)
{
	if (!strcmp(c->socket_path, path))
		return 0;
	if (curl_easy_setopt(c->easy, CURLOPT_UNIX_SOCKET_PATH, path))
		return -1;
	strcpy(c->socket_path, path);
	return 0;
}

/* predictd may have been started again, with other rights. */
static int set_up_socket(struct client *c, struct sp_error *err)
{
	char path[SOCKET_PATH_SIZE];

	if (!c->address.socket_path[0])
		return 0;
	trusted_socket_choose(c->address.socket_path, path);
	return use_socket(c, path) ? sp_error_set(err, "out of memory") : 0;
}

static int set_up_request(struct client *c, const char *path, const char *body,
			  size_t size, struct curl_slist *headers,
			  struct sp_error *err)
{
	bool bad = false;

	if (set_up_socket(c, err) || set_up_url(c, path, err))
		return -1;
#define SET(option, value) bad |= curl_easy_setopt(c->easy, option, value) != 0
	SET(CURLOPT_HTTPHEADER, headers);
	if (body) {
		SET(CURLOPT_POST, 1L);
		SET(CURLOPT_POSTFIELDS, body);
		SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
	} else {
		SET(CURLOPT_HTTPGET, 1L);
	}
#undef SET
	return bad ? sp_error_set(err, "out of memory") : 0;
}

static int run_request(struct client *c, double deadline_s, long deadline_ms,
		       struct sp_error *err)
{
	CURLcode code = CURLE_OK;
	int rc = transfer_once(c, deadline_s, &code);

	if (!rc && failed_as_stale(c, code))
		rc = transfer_once(c, deadline_s, &code);
	/* The trusted socket may be what a killed predictd left behind. */
	if (!rc && code == CURLE_COULDNT_CONNECT && c->socket_path[0] &&
	    strcmp(c->socket_path, c->address.socket_path) != 0 &&
	    !use_socket(c, c->address.socket_path))
		rc = transfer_once(c, deadline_s, &code);
	if (rc)
		return sp_error_set(err, "no reply within %ld ms", deadline_ms);
	if (c->overflowed || code == CURLE_FILESIZE_EXCEEDED)
		return sp_error_set(err, "the reply is larger than %zu bytes",
				    c->reply_max);
	if (code)
		return sp_error_set(err, "%s", curl_easy_strerror(code));
	return 0;
}

/* Old versions of libcurl send blanks and control characters as they are. */
static bool is_path(const char *path)
{
	if (path[0] != '/' || strlen(path) >= PATH_MAX_BYTES)
		return false;
	for (; *path; path++)
		if ((unsigned char)*path <= ' ' || *path == 0x7f)
			return false;
	return true;
}

int client_request(struct client *client, const char *path, const char *body,
		   size_t size, long deadline_ms, struct client_reply *ret,
		   struct sp_error *err)
{
	double deadline_s = clock_monotonic_s() + (double)deadline_ms * 1e-3;
	struct curl_slist *own_headers = NULL;
	long status = 0;

	if (!is_path(path))
		return sp_error_set(err, "%.100s: not a path", path);
	if (client->authenticates &&
	    make_credential(client, body ? "POST" : "GET", path, &own_headers,
			    err))
		return -1;

	int rc = set_up_request(client, path, body, size,
				own_headers ? own_headers : client->headers,
				err);

	if (!rc)
		rc = run_request(client, deadline_s, deadline_ms, err);
	curl_easy_setopt(client->easy, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(own_headers);
	if (rc)
		return -1;

	curl_easy_getinfo(client->easy, CURLINFO_RESPONSE_CODE, &status);
	if (!status) /* HTTP 0.9, which old versions of libcurl take */
		return sp_error_set(err, "the reply is not HTTP");
	client->reply[client->reply_size] = '\0';
	*ret = (struct client_reply){
		.status = (int)status,
		.body = client->reply,
		.size = client->reply_size,
	};
	return 0;
}
