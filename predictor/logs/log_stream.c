/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_stream.c - the lines of a file, plain or compressed
 *
 * Bytes of the file go into `raw`; a decoder, a row of the table chosen by the
 * file's first bytes, turns them into `text`; lines are cut out of the text,
 * each terminated in place.  Both buffers have a fixed size: a line longer
 * than LOG_STREAM_LINE_MAX is skipped.
 */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "predictor/logs/log_stream.h"

#define RAW_SIZE  (64 << 10)
#define TEXT_SIZE (2 * LOG_STREAM_LINE_MAX)

/* At the begin of a file, also of one that was appended to another. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/* The strongest preset of xz takes 65 MiB to read. */
#define XZ_MEMORY_MAX ((uint64_t)256 << 20)

struct decoder {
	const char *name;
	size_t magic_size;
	const unsigned char magic[8];
	int (*begin)(struct log_stream *s, struct sp_error *err);
	/* Decode from raw to text until one is empty or the other full.  With
	 * raw_ended, raw holds the last bytes of the file. */
	int (*decode)(struct log_stream *s, struct sp_error *err);
	void (*end)(struct log_stream *s);
};

struct log_stream {
	char *name;
	int fd;
	uint64_t size, position;

	unsigned char raw[RAW_SIZE];
	size_t raw_begin, raw_size; /* not decoded yet */
	bool raw_ended;

	const struct decoder *decoder; /* NULL: not chosen yet */
	bool complete;                 /* the data may end here */
	union {
		z_stream gz;
		lzma_stream xz;
	} state;

	char *text;        /* TEXT_SIZE bytes and a terminator */
	size_t begin, end; /* not cut into lines yet */
	bool skipping;     /* in a line that is too long */
};

/* --- Decoders ------------------------------------------------------------------ */

static int plain_begin(struct log_stream *s, struct sp_error *err)
{
	(void)err;
	s->complete = true;
	return 0;
}

static int plain_decode(struct log_stream *s, struct sp_error *err)
{
	size_t room = TEXT_SIZE - s->end;
	size_t size = s->raw_size < room ? s->raw_size : room;

	(void)err;
	memcpy(s->text + s->end, s->raw + s->raw_begin, size);
	s->raw_begin += size;
	s->raw_size -= size;
	s->end += size;
	return 0;
}

static void plain_end(struct log_stream *s)
{
	(void)s;
}

static int gz_begin(struct log_stream *s, struct sp_error *err)
{
	/* 15: the largest window; 16: with gzip's header. */
	if (inflateInit2(&s->state.gz, 15 + 16) != Z_OK)
		return sp_error_set(err, "%s: out of memory", s->name);
	return 0;
}

static int gz_decode(struct log_stream *s, struct sp_error *err)
{
	z_stream *z = &s->state.gz;

	/* A file may hold several compressed ones, one after the other. */
	if (s->complete && s->raw_size > 0) {
		inflateReset(z);
		s->complete = false;
	}
	z->next_in = s->raw + s->raw_begin;
	z->avail_in = (uInt)s->raw_size;
	z->next_out = (Bytef *)s->text + s->end;
	z->avail_out = (uInt)(TEXT_SIZE - s->end);

	int rc = inflate(z, Z_NO_FLUSH);

	s->raw_begin += s->raw_size - z->avail_in;
	s->raw_size = z->avail_in;
	s->end = TEXT_SIZE - z->avail_out;
	if (rc == Z_STREAM_END)
		s->complete = true;
	else if (rc != Z_OK && rc != Z_BUF_ERROR)
		return sp_error_set(err, "%s: broken gzip data: %s", s->name,
				    z->msg ? z->msg : "no reason given");
	return 0;
}

static void gz_end(struct log_stream *s)
{
	inflateEnd(&s->state.gz);
}

static int xz_begin(struct log_stream *s, struct sp_error *err)
{
	s->state.xz = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(&s->state.xz, XZ_MEMORY_MAX,
				LZMA_CONCATENATED) != LZMA_OK)
		return sp_error_set(err, "%s: out of memory", s->name);
	return 0;
}

static int xz_decode(struct log_stream *s, struct sp_error *err)
{
	lzma_stream *z = &s->state.xz;

	z->next_in = s->raw + s->raw_begin;
	z->avail_in = s->raw_size;
	z->next_out = (uint8_t *)s->text + s->end;
	z->avail_out = TEXT_SIZE - s->end;

	lzma_ret rc = lzma_code(z, s->raw_ended ? LZMA_FINISH : LZMA_RUN);

	s->raw_begin += s->raw_size - z->avail_in;
	s->raw_size = z->avail_in;
	s->end = TEXT_SIZE - z->avail_out;
	if (rc == LZMA_STREAM_END)
		s->complete = true;
	else if (rc != LZMA_OK && rc != LZMA_BUF_ERROR)
		return sp_error_set(err, "%s: broken xz data (liblzma's %d)",
				    s->name, (int)rc);
	return 0;
}

static void xz_end(struct log_stream *s)
{
	lzma_end(&s->state.xz);
}

/* The last one takes anything.  Those without functions are not read. */
static const struct decoder decoders[] = {
	{ .name = "zstd", 4, { 0x28, 0xb5, 0x2f, 0xfd } },
	{ .name = "bzip2", 3, { 'B', 'Z', 'h' } },
	{ .name = "zip", 4, { 'P', 'K', 3, 4 } },
	{ .name = "UTF-16", 2, { 0xff, 0xfe } },
	{ .name = "UTF-16", 2, { 0xfe, 0xff } },
	{ "gzip", 2, { 0x1f, 0x8b }, gz_begin, gz_decode, gz_end },
	{ "xz",
	  6,
	  { 0xfd, '7', 'z', 'X', 'Z', 0 },
	  xz_begin,
	  xz_decode,
	  xz_end },
	{ "plain", 0, { 0 }, plain_begin, plain_decode, plain_end },
};

static int decoder_choose(struct log_stream *s, struct sp_error *err)
{
	const struct decoder *d = decoders;

	while (s->raw_size < d->magic_size ||
	       memcmp(s->raw + s->raw_begin, d->magic, d->magic_size) != 0)
		d++;
	if (!d->begin)
		return sp_error_set(err,
				    "%s: is %s data: convert it to plain text",
				    s->name, d->name);
	if (d->begin(s, err))
		return -1;
	s->decoder = d;
	return 0;
}

/* --- Reading --------------------------------------------------------------------- */

struct log_stream *log_stream_open_fd(int fd, const char *name,
				      struct sp_error *err)
{
	struct log_stream *s = calloc(1, sizeof(*s));
	struct stat status;

	if (s) {
		s->name = strdup(name);
		s->text = malloc(TEXT_SIZE + 1);
	}
	if (!s || !s->name || !s->text) {
		sp_error_set(err, "%s: out of memory", name);
		close(fd);
		if (s) {
			free(s->name);
			free(s->text);
		}
		free(s);
		return NULL;
	}
	s->fd = fd;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		s->size = (uint64_t)status.st_size;
	return s;
}

struct log_stream *log_stream_open(const char *path, struct sp_error *err)
{
	struct stat status;
	int fd;

	if (!strcmp(path, "-")) {
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
		path = "standard input";
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0) {
		sp_error_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (!fstat(fd, &status) && S_ISDIR(status.st_mode)) {
		sp_error_set(err, "%s: is a folder", path);
		close(fd);
		return NULL;
	}
	return log_stream_open_fd(fd, path, err);
}

void log_stream_close(struct log_stream *stream)
{
	if (!stream)
		return;
	if (stream->decoder)
		stream->decoder->end(stream);
	close(stream->fd);
	free(stream->name);
	free(stream->text);
	free(stream);
}

/* Read more bytes behind those in raw; raw_ended is set at the end. */
static int raw_read(struct log_stream *s, struct sp_error *err)
{
	memmove(s->raw, s->raw + s->raw_begin, s->raw_size);
	s->raw_begin = 0;

	ssize_t got;

	do
		got = read(s->fd, s->raw + s->raw_size, RAW_SIZE - s->raw_size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return sp_error_set(err, "%s: %s", s->name, strerror(errno));
	s->raw_ended = got == 0;
	s->raw_size += (size_t)got;
	s->position += (uint64_t)got;
	return 0;
}

/* Decode more text.  1; 0: the file has ended; -1. */
static int text_fill(struct log_stream *s, struct sp_error *err)
{
	memmove(s->text, s->text + s->begin, s->end - s->begin);
	s->end -= s->begin;
	s->begin = 0;

	size_t before = s->end;

	while (s->end == before) {
		/* A pipe may give its first bytes one by one. */
		while (!s->raw_ended &&
		       s->raw_size < (s->decoder ? 1 : sizeof(decoders->magic)))
			if (raw_read(s, err))
				return -1;
		if (!s->decoder && decoder_choose(s, err))
			return -1;

		size_t raw_before = s->raw_size;

		if (s->decoder->decode(s, err))
			return -1;
		if (s->end > before || s->raw_size < raw_before)
			continue;
		if (s->raw_size == 0 && !s->raw_ended)
			continue;
		if (!s->complete)
			return sp_error_set(err, "%s: the %s data is truncated",
					    s->name, s->decoder->name);
		return 0;
	}
	return 1;
}

/* Cut off the first line, of `length` bytes and `newline` bytes behind it. */
static int line_cut(struct log_stream *s, size_t length, size_t newline,
		    char **ret_line, size_t *ret_length)
{
	char *line = s->text + s->begin;
	bool skipped = s->skipping || length > LOG_STREAM_LINE_MAX;

	s->begin += length + newline;
	s->skipping = false;
	if (skipped)
		return LOG_STREAM_TOO_LONG;
	if (length > 0 && line[length - 1] == '\r')
		length--;
	line[length] = '\0';
	if (!strncmp(line, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK))) {
		line += strlen(BYTE_ORDER_MARK);
		length -= strlen(BYTE_ORDER_MARK);
	}
	*ret_line = line;
	*ret_length = length;
	return LOG_STREAM_LINE;
}

int log_stream_line(struct log_stream *stream, char **ret_line,
		    size_t *ret_length, struct sp_error *err)
{
	struct log_stream *s = stream;
	size_t searched = 0;

	for (;;) {
		char *begin = s->text + s->begin;
		size_t length = s->end - s->begin;
		char *newline = length > searched
					? memchr(begin + searched, '\n',
						 length - searched)
					: NULL;

		if (newline)
			return line_cut(s, (size_t)(newline - begin), 1,
					ret_line, ret_length);
		if (length > LOG_STREAM_LINE_MAX) {
			s->skipping = true;
			s->begin = s->end;
			length = 0;
		}
		searched = length;

		int rc = text_fill(s, err);

		if (rc < 0)
			return -1;
		if (rc == 0)
			break;
	}
	if (s->end > s->begin || s->skipping)
		return line_cut(s, s->end - s->begin, 0, ret_line, ret_length);
	return LOG_STREAM_END;
}

const char *log_stream_name(const struct log_stream *stream)
{
	return stream->name;
}

uint64_t log_stream_position(const struct log_stream *stream)
{
	return stream->position;
}

uint64_t log_stream_size(const struct log_stream *stream)
{
	return stream->size;
}
