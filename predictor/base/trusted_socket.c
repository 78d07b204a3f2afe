/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trusted_socket.c - the socket of operators and collectors, beside the
 * public one
 *
 * An access control list, since predictd is not root: it cannot give a file to
 * slurmctld's user.  The list is an extended attribute whose format is the
 * kernel's interface (linux/posix_acl_xattr.h): little-endian, entries in the
 * order of their tags.
 */
#include <endian.h>
#include <errno.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "predictor/base/trusted_socket.h"

#define SUFFIX    ".trusted"
#define ATTRIBUTE "system.posix_acl_access"

int trusted_socket_path(const char *path, char ret[SOCKET_PATH_SIZE])
{
	int length = snprintf(ret, SOCKET_PATH_SIZE, "%s" SUFFIX, path);

	return length < (int)SOCKET_PATH_SIZE ? 0 : -1;
}

void trusted_socket_choose(const char *path, char ret[SOCKET_PATH_SIZE])
{
	if (trusted_socket_path(path, ret) || access(ret, W_OK))
		snprintf(ret, SOCKET_PATH_SIZE, "%s", path);
}

static struct posix_acl_xattr_entry entry(unsigned tag, unsigned rights,
					  uint32_t id)
{
	return (struct posix_acl_xattr_entry){
		.e_tag = htole16((uint16_t)tag),
		.e_perm = htole16((uint16_t)rights),
		.e_id = htole32(id),
	};
}

int trusted_socket_admit(const char *path, const uid_t uids[], size_t count)
{
	const unsigned both = ACL_READ | ACL_WRITE;
	size_t used = 0, size;
	struct {
		struct posix_acl_xattr_header header;
		struct posix_acl_xattr_entry entries[];
	} * list;

	if (chmod(path, 0600))
		return -1;
	if (!count)
		return removexattr(path, ATTRIBUTE) && errno != ENODATA &&
				       errno != ENOTSUP
			       ? -1
			       : 0;
	size = sizeof(*list) + (count + 4) * sizeof(list->entries[0]);
	list = calloc(1, size);
	if (!list)
		return -1;
	list->header.a_version = htole32(POSIX_ACL_XATTR_VERSION);
	list->entries[used++] =
		entry(ACL_USER_OBJ, both, (uint32_t)ACL_UNDEFINED_ID);
	for (size_t i = 0; i < count; i++)
		list->entries[used++] = entry(ACL_USER, both, uids[i]);
	list->entries[used++] =
		entry(ACL_GROUP_OBJ, 0, (uint32_t)ACL_UNDEFINED_ID);
	list->entries[used++] =
		entry(ACL_MASK, both, (uint32_t)ACL_UNDEFINED_ID);
	list->entries[used++] = entry(ACL_OTHER, 0, (uint32_t)ACL_UNDEFINED_ID);

	int rc = setxattr(path, ATTRIBUTE, list, size, 0);
	int why = errno;

	free(list);
	errno = why;
	return rc;
}
