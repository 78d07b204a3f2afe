/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drop_pages.c - drop pages of code that is not in use */
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collectors/daemon/drop_pages.h"

/* Code that was relocated at load time differs from its file. */
static int is_patched(const struct dl_phdr_info *object)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];

		if (segment->p_type != PT_DYNAMIC)
			continue;
		const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr +
							     segment->p_vaddr);

		for (; entry->d_tag != DT_NULL; entry++)
			if (entry->d_tag == DT_TEXTREL ||
			    (entry->d_tag == DT_FLAGS &&
			     (entry->d_un.d_val & DF_TEXTREL)))
				return 1;
	}
	return 0;
}

static int drop_object(struct dl_phdr_info *object, size_t size, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)size;
	(void)context;
	if (is_patched(object))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
		uintptr_t end = begin + segment->p_memsz;

		/* Never one that can be written to: its pages may differ from
		 * the file. */
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W))
			continue;
		begin &= ~(page - 1);
		end = (end + page - 1) & ~(page - 1);
		/* Only advice: if it fails, the memory stays resident. */
		madvise((void *)begin, end - begin, MADV_DONTNEED);
	}
	return 0;
}

void drop_pages(void)
{
	malloc_trim(0);
	dl_iterate_phdr(drop_object, NULL);
}
