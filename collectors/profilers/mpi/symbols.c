/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.c - names of functions at addresses of this process
 *
 * dladdr() knows what the dynamic linker needs; most functions of a program are
 * only in the table that debuggers use.  Files are read, not mapped: one that is cut
 * meanwhile must not end the program.
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/mpi/symbols.h"

#define TABLE_MAX (256u << 20) /* bytes */

struct wanted {
	const uintptr_t *addresses;
	size_t count;
	char *names;
	size_t stride, size;
};

static char *name_at(const struct wanted *w, size_t i)
{
	return w->names + i * w->stride;
}

/* A part of a file; NULL: it is not whole, or there is no memory. */
static void *part_read(int fd, uint64_t offset, uint64_t bytes)
{
	char *part = bytes && bytes <= TABLE_MAX ? malloc(bytes) : NULL;

	if (part && pread(fd, part, bytes, (off_t)offset) != (ssize_t)bytes) {
		free(part);
		part = NULL;
	}
	return part;
}

/* Symbols of a file, and their names, which end with 0. */
struct table {
	ElfW(Sym) * symbols;
	size_t count;
	char *strings;
	size_t strings_bytes;
};

static void table_clear(struct table *table)
{
	free(table->symbols);
	free(table->strings);
}

static int table_load(int fd, const ElfW(Shdr) sections[], size_t count,
		      uint32_t type, struct table *ret)
{
	const ElfW(Shdr) *s = sections;

	while (s < sections + count && s->sh_type != type)
		s++;
	if (s == sections + count || s->sh_link >= count)
		return -1;
	*ret = (struct table){
		.symbols = part_read(fd, s->sh_offset, s->sh_size),
		.count = s->sh_size / sizeof(ElfW(Sym)),
		.strings = part_read(fd, sections[s->sh_link].sh_offset,
				     sections[s->sh_link].sh_size),
		.strings_bytes = sections[s->sh_link].sh_size,
	};
	if (ret->symbols && ret->strings) {
		ret->strings[ret->strings_bytes - 1] = '\0';
		return 0;
	}
	table_clear(ret);
	return -1;
}

static int table_read(const char *path, struct table *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc = -1;
	ElfW(Ehdr) header;
	ElfW(Shdr) * sections;

	if (fd < 0)
		return -1;
	if (read(fd, &header, sizeof(header)) == sizeof(header) &&
	    !memcmp(header.e_ident, ELFMAG, SELFMAG) &&
	    header.e_shentsize == sizeof(*sections)) {
		sections = part_read(fd, header.e_shoff,
				     header.e_shnum * sizeof(*sections));
		if (sections && (rc = table_load(fd, sections, header.e_shnum,
						 SHT_SYMTAB, ret)))
			rc = table_load(fd, sections, header.e_shnum,
					SHT_DYNSYM, ret);
		free(sections);
	}
	close(fd);
	return rc;
}

static bool is_in(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];

		if (p->p_type == PT_LOAD &&
		    address - object->dlpi_addr - p->p_vaddr < p->p_memsz)
			return true;
	}
	return false;
}

/* An address and which it is. */
struct place {
	uintptr_t address;
	size_t index;
};

static int by_address(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* The first of places[count] that is not below the address. */
static size_t lower_bound(const struct place places[], size_t count,
			  uintptr_t address)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (places[middle].address < address)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/* places[count] are sorted. */
static void table_name(const struct table *table, uintptr_t base,
		       const struct place places[], size_t count,
		       const struct wanted *w)
{
	for (size_t s = 0; s < table->count; s++) {
		const ElfW(Sym) *symbol = &table->symbols[s];
		uintptr_t begin = base + symbol->st_value;

		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
		    !symbol->st_size || symbol->st_name >= table->strings_bytes)
			continue;
		for (size_t i = lower_bound(places, count, begin);
		     i < count && places[i].address - begin < symbol->st_size;
		     i++)
			snprintf(name_at(w, places[i].index), w->size, "%s",
				 table->strings + symbol->st_name);
	}
}

static int object_name(struct dl_phdr_info *object, size_t size, void *argument)
{
	const struct wanted *w = argument;
	bool program = !object->dlpi_name[0];
	const char *path = program ? "/proc/self/exe" : object->dlpi_name;
	const char *slash = strrchr(path, '/');
	struct place *places = calloc(w->count, sizeof(*places));
	struct table table;
	size_t count = 0;

	(void)size;
	if (!places)
		return 1;
	for (size_t i = 0; i < w->count; i++)
		if (is_in(object, w->addresses[i])) {
			places[count++] = (struct place){ w->addresses[i], i };
			snprintf(name_at(w, i), w->size, "[%s]",
				 program ? "program"
				 : slash ? slash + 1
					 : path);
		}
	qsort(places, count, sizeof(*places), by_address);
	if (count && !table_read(path, &table)) {
		table_name(&table, object->dlpi_addr, places, count, w);
		table_clear(&table);
	}
	free(places);
	return 0;
}

void symbols_name(const uintptr_t addresses[], size_t count, char *names,
		  size_t stride, size_t size)
{
	struct wanted wanted = { addresses, count, names, stride, size };

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		snprintf(name_at(&wanted, i), size, "[unknown]");
	dl_iterate_phdr(object_name, &wanted);
}
