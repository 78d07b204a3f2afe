/* SPDX-License-Identifier: GPL-2.0-or-later */
/* curl_compat.h - what differs between the versions of libcurl
 *
 * All that depends on the version stands here; client.c is the same from
 * libcurl 7.61 on (RHEL 8).
 */
#pragma once

#include <curl/curl.h>
#include <poll.h>

#define CURL_AT_LEAST(major, minor) \
	(LIBCURL_VERSION_NUM >= (((major) << 16) | ((minor) << 8)))

/* CURLOPT_PROTOCOLS is deprecated from 7.85 on. */
#if CURL_AT_LEAST(7, 85)
#define COMPAT_OPTION_PROTOCOLS CURLOPT_PROTOCOLS_STR
#define COMPAT_PROTOCOLS_HTTP   "http"
#else
#define COMPAT_OPTION_PROTOCOLS CURLOPT_PROTOCOLS
#define COMPAT_PROTOCOLS_HTTP   (long)CURLPROTO_HTTP
#endif

/* Sleep until a socket of the transfer is ready, or for that long.  Before 7.66
 * curl_multi_wait() returns at once while there is no socket. */
#if CURL_AT_LEAST(7, 66)
static inline void compat_sleep(CURLM *multi, int timeout_ms)
{
	curl_multi_poll(multi, NULL, 0, timeout_ms, NULL);
}
#else
static inline void compat_sleep(CURLM *multi, int timeout_ms)
{
	int sockets = 0;

	curl_multi_wait(multi, NULL, 0, timeout_ms, &sockets);
	if (!sockets)
		poll(NULL, 0, timeout_ms < 1 ? timeout_ms : 1);
}
#endif

/* The URL of a handle's transfers.  From 7.63 on it is kept parsed, so that
 * transfers to the same URL need not parse it again. */
#if CURL_AT_LEAST(7, 63)
typedef CURLU compat_target;

/* Return NULL if memory is exhausted, or the handle does not take it. */
static inline compat_target *compat_target_create(CURL *easy)
{
	CURLU *url = curl_url();

	if (url && curl_easy_setopt(easy, CURLOPT_CURLU, url)) {
		curl_url_cleanup(url);
		url = NULL;
	}
	return url;
}

static inline void compat_target_destroy(compat_target *target)
{
	curl_url_cleanup(target);
}

static inline int compat_target_set(compat_target *target, const char *url)
{
	return curl_url_set(target, CURLUPART_URL, url, 0) ? -1 : 0;
}
#else
typedef CURL compat_target;

static inline compat_target *compat_target_create(CURL *easy)
{
	return easy;
}

static inline void compat_target_destroy(compat_target *target)
{
	(void)target;
}

static inline int compat_target_set(compat_target *target, const char *url)
{
	return curl_easy_setopt(target, CURLOPT_URL, url) ? -1 : 0;
}
#endif
