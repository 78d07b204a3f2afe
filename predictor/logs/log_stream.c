/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_stream.c - the lines of a file, plain or compressed
 *
 * libarchive reads the file and decompresses it, block by block; blocks are
 * copied into `text`; lines are cut out of the text, each terminated in
 * place.  The buffers have a fixed size: a line longer than
 * LOG_STREAM_LINE_MAX is skipped.
 *
 * libarchive does not compare gzip's checksum [1].  It is compared here for a
 * file of one member, whose text has the length that the end of the file says.
 *
 * [1] RFC 1952, 2.3.1 and 8.
 */
#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "predictor/logs/log_stream.h"

#define RAW_SIZE   (64 << 10)
#define TEXT_SIZE  (2 * LOG_STREAM_LINE_MAX)
#define MAGIC_SIZE 6
#define TAIL_SIZE  8 /* of gzip: CRC-32 and length, little-endian */

/* At the begin of a file, also of one that was appended to another. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct log_stream {
	char *name;
	int fd;
	uint64_t size, position;

	struct archive *archive; /* NULL: nothing was read yet */
	unsigned char raw[RAW_SIZE];
	unsigned char magic[MAGIC_SIZE]; /* first bytes of the file */
	size_t magic_size;
	unsigned char tail[TAIL_SIZE]; /* last bytes that were read */
	uint32_t crc, text_bytes;      /* of a gzip file's text */
	const char *kind;  /* what the first bytes say; NULL: text */
	const char *block; /* lent by libarchive, not copied yet */
	size_t block_size;
	bool is_gzip, ended;

	char *text;        /* TEXT_SIZE bytes and a terminator */
	size_t begin, end; /* not cut into lines yet */
	bool skipping;     /* in a line that is too long */
};

/* --- What kind of file it is ---------------------------------------------- */

static const struct kind {
	const char *name;
	bool compressed; /* libarchive reads it, else nothing does */
	size_t magic_size;
	const unsigned char magic[MAGIC_SIZE];
} kinds[] = {
	{ "gzip", true, 2, { 0x1f, 0x8b } },
	{ "xz", true, 6, { 0xfd, '7', 'z', 'X', 'Z', 0 } },
	{ "zstd", true, 4, { 0x28, 0xb5, 0x2f, 0xfd } },
	{ "bzip2", true, 3, { 'B', 'Z', 'h' } },
	{ "zip", false, 4, { 'P', 'K', 3, 4 } },
	{ "UTF-16", false, 2, { 0xff, 0xfe } },
	{ "UTF-16", false, 2, { 0xfe, 0xff } },
	{ .name = NULL },
};

static int fail_archive(const struct log_stream *s, struct sp_error *err)
{
	const char *why = archive_error_string(s->archive);

	if (!why)
		why = "it ends too early";
	return s->kind ? sp_error_set(err,
				      "%s: the %s data is truncated or "
				      "damaged: %s",
				      s->name, s->kind, why)
		       : sp_error_set(err, "%s: %s", s->name, why);
}

/* Refuse what is no text.  A head too short for libarchive to know it is no
 * text, either. */
static int kind_check(struct log_stream *s, struct sp_error *err)
{
	const struct kind *k = kinds;

	while (k->name && (s->magic_size < k->magic_size ||
			   memcmp(s->magic, k->magic, k->magic_size)))
		k++;
	if (!k->name)
		return 0;
	s->kind = k->name;
	s->is_gzip = k == kinds;
	s->crc = ~0u;
	if (!k->compressed)
		return sp_error_set(err,
				    "%s: is %s data: convert it to plain text",
				    s->name, k->name);
	return archive_filter_code(s->archive, 0) == ARCHIVE_FILTER_NONE
		       ? fail_archive(s, err)
		       : 0;
}

static void crc_add(struct log_stream *s)
{
	for (size_t i = 0; i < s->block_size; i++) {
		s->crc ^= (unsigned char)s->block[i];
		for (int bit = 0; bit < 8; bit++)
			s->crc = s->crc >> 1 ^ (-(s->crc & 1) & 0xedb88320);
	}
	s->text_bytes += (uint32_t)s->block_size;
}

static uint32_t little_endian(const unsigned char bytes[4])
{
	return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[1] << 8 | bytes[0];
}

/* Compare the checksum of a gzip file that has ended. */
static int crc_check(const struct log_stream *s, struct sp_error *err)
{
	if (little_endian(s->tail + 4) != s->text_bytes ||
	    little_endian(s->tail) == ~s->crc)
		return 0;
	return sp_error_set(err,
			    "%s: the gzip data is truncated or damaged: its "
			    "checksum is another",
			    s->name);
}

/* --- Reading -------------------------------------------------------------- */

static la_ssize_t raw_read(struct archive *archive, void *stream,
			   const void **ret_buffer)
{
	struct log_stream *s = stream;
	ssize_t got;

	do
		got = read(s->fd, s->raw, RAW_SIZE);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		archive_set_error(archive, errno, "%s", strerror(errno));
		return -1;
	}
	for (ssize_t i = 0; i < got && s->magic_size < MAGIC_SIZE; i++)
		s->magic[s->magic_size++] = s->raw[i];

	size_t fresh = got < TAIL_SIZE ? (size_t)got : TAIL_SIZE;

	memmove(s->tail, s->tail + fresh, TAIL_SIZE - fresh);
	memcpy(s->tail + TAIL_SIZE - fresh, s->raw + got - fresh, fresh);
	s->position += (uint64_t)got;
	*ret_buffer = s->raw;
	return got;
}

static int archive_begin(struct log_stream *s, struct sp_error *err)
{
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	int rc;

	if (!archive)
		return sp_error_set(err, "%s: out of memory", s->name);
	s->archive = archive;
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_format_raw(archive);
	archive_read_support_format_empty(archive);
	rc = archive_read_open(archive, s, NULL, raw_read, NULL);
	if (kind_check(s, err))
		return -1;
	if (rc == ARCHIVE_OK)
		rc = archive_read_next_header(archive, &entry);
	s->ended = rc == ARCHIVE_EOF;
	return rc == ARCHIVE_OK || s->ended ? 0 : fail_archive(s, err);
}

/* Copy more text.  1; 0: the file has ended; -1. */
static int text_fill(struct log_stream *s, struct sp_error *err)
{
	size_t room;
	la_int64_t offset;

	if (!s->archive && archive_begin(s, err))
		return -1;
	while (!s->block_size && !s->ended) {
		const void *block = NULL;
		int rc = archive_read_data_block(s->archive, &block,
						 &s->block_size, &offset);

		s->block = block;
		s->ended = rc == ARCHIVE_EOF;
		if (rc != ARCHIVE_OK && !s->ended)
			return fail_archive(s, err);
		if (s->is_gzip)
			crc_add(s);
		if (s->is_gzip && s->ended && crc_check(s, err))
			return -1;
	}
	memmove(s->text, s->text + s->begin, s->end - s->begin);
	s->end -= s->begin;
	s->begin = 0;
	room = TEXT_SIZE - s->end;
	if (room > s->block_size)
		room = s->block_size;
	if (!room)
		return 0;
	memcpy(s->text + s->end, s->block, room);
	s->block += room;
	s->block_size -= room;
	s->end += room;
	return 1;
}

struct log_stream *log_stream_open_fd(int fd, const char *name,
				      struct sp_error *err)
{
	struct log_stream *s = calloc(1, sizeof(*s));
	struct stat status;

	if (s) {
		s->fd = fd;
		s->name = strdup(name);
		s->text = malloc(TEXT_SIZE + 1);
	}
	if (!s || !s->name || !s->text) {
		sp_error_set(err, "%s: out of memory", name);
		if (s)
			log_stream_close(s);
		else
			close(fd);
		return NULL;
	}
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
	if (fd < 0)
		return sp_error_null(err, "%s: %s", path, strerror(errno));
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
	archive_read_free(stream->archive);
	close(stream->fd);
	free(stream->name);
	free(stream->text);
	free(stream);
}

/* --- Lines ---------------------------------------------------------------- */

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

int log_stream_line(struct log_stream *s, char **ret_line, size_t *ret_length,
		    struct sp_error *err)
{
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
