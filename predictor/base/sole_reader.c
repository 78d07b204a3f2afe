/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_reader.c - a file of ours that one user may read, and not change
 *
 * The list is written as the kernel takes it, posix_acl_xattr.h of Linux, since
 * glibc has no function for it.
 */
#include <endian.h>
#include <errno.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "predictor/base/sole_reader.h"

#define ACL_VERSION 2
#define ACL_READ    4
#define ACL_NO_ID   UINT32_MAX

enum {
	ACL_OWNER = 0x01,
	ACL_USER = 0x02,
	ACL_GROUP = 0x04,
	ACL_MASK = 0x10,
	ACL_OTHER = 0x20,
};

struct acl {
	uint32_t version;
	struct acl_entry {
		uint16_t tag, rights;
		uint32_t id;
	} of[5]; /* in the order of tags */
};

static struct acl_entry acl_entry(uint16_t tag, uint16_t rights, uint32_t id)
{
	return (struct acl_entry){ htole16(tag), htole16(rights), htole32(id) };
}

int sole_reader_set(int fd, uint32_t user_id)
{
	const struct acl acl = {
		.version = htole32(ACL_VERSION),
		.of = {
			acl_entry(ACL_OWNER, ACL_READ, ACL_NO_ID),
			acl_entry(ACL_USER, ACL_READ, user_id),
			acl_entry(ACL_GROUP, 0, ACL_NO_ID),
			acl_entry(ACL_MASK, ACL_READ, ACL_NO_ID),
			acl_entry(ACL_OTHER, 0, ACL_NO_ID),
		},
	};

	if (!fsetxattr(fd, "system.posix_acl_access", &acl, sizeof(acl), 0))
		return 0;
	return errno == EOPNOTSUPP ? fchown(fd, user_id, (gid_t)-1) : -1;
}
