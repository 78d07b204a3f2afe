/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.c - functions of this process: their names, and where they are
 *
 * dladdr() knows what the dynamic linker needs; most functions of a program are
 * only in the table that debuggers use.  Files are read, not mapped: one that
 * is cut meanwhile must not end the program.
 */
#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/profilers/mpi/symbols.h"
#include "predictor/base/compare.h"

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

/* Return a part of a file; NULL: it is not whole, or there is no memory. */
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
	bool stripped; /* only what the dynamic linker needs is there */
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
	ElfW(Shdr) *sections = NULL;

	if (fd < 0)
		return -1;
	if (read(fd, &header, sizeof(header)) == sizeof(header) &&
	    !memcmp(header.e_ident, ELFMAG, SELFMAG) &&
	    header.e_shentsize == sizeof(*sections))
		sections = part_read(fd, header.e_shoff,
				     header.e_shnum * sizeof(*sections));
	if (sections) {
		size_t count = header.e_shnum;

		rc = table_load(fd, sections, count, SHT_SYMTAB, ret);
		if (rc) {
			rc = table_load(fd, sections, count, SHT_DYNSYM, ret);
			ret->stripped = true;
		}
	}
	free(sections);
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

COMPARE_BY(by_address, struct place, address)

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

/* Shorten a name of C++ in place: drop its type, and what is between <> and
 * after (, but keep operators; spaces become _.  The name becomes empty if it
 * is that of a lambda, or has another form. */
static void name_shorten(char *name)
{
	static const char unnamed[] = "(anonymous namespace)::";
	bool operates = false;
	char *out = name;
	int depth = 0;

	for (const char *c = name; *c; c++) {
		if (operates && *c == '(')
			break;
		if (!operates && out - name >= 8 &&
		    !memcmp(out - 8, "operator", 8) && !isalnum(*c) &&
		    *c != '_') {
			operates = true;
		} else if (!operates) {
			depth += (*c == '<') - (*c == '>');
			if (depth < 0 || *c == '{') {
				out = name;
				break;
			}
			if (depth || *c == '>')
				continue;
			if (!strncmp(c, unnamed, sizeof(unnamed) - 1)) {
				c += sizeof(unnamed) - 2;
				continue;
			}
			if (*c == '(')
				break;
			if (*c == ' ') {
				out = name;
				continue;
			}
		}
		*out++ = (char)(*c == ' ' ? '_' : *c);
	}
	*out = '\0';
}

/* Write a function's name.  The demangler is that of the program: one in C++
 * has it. */
static void name_write(const char *symbol, char *ret, size_t size)
{
	char *(*demangle)(const char *, char *, size_t *, int *) =
		!strncmp(symbol, "_Z", 2)
			? dlsym(RTLD_DEFAULT, "__cxa_demangle")
			: NULL;
	char *name = demangle ? demangle(symbol, NULL, NULL, NULL) : NULL;

	if (name)
		name_shorten(name);
	snprintf(ret, size, "%s", name && *name ? name : symbol);
	free(name);
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
			name_write(table->strings + symbol->st_name,
				   name_at(w, places[i].index), w->size);
	}
}

static const char *object_path(const struct dl_phdr_info *object)
{
	return object->dlpi_name[0] ? object->dlpi_name : "/proc/self/exe";
}

static int object_name(struct dl_phdr_info *object, size_t size, void *argument)
{
	const struct wanted *w = argument;
	bool program = !object->dlpi_name[0];
	const char *path = object_path(object);
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

/* --- By name -------------------------------------------------------------- */

struct search {
	const char *name;
	struct symbol_place *place;
	size_t objects; /* seen so far; the first is the program */
	int found;      /* different addresses */
	bool global;    /* of these, and static ones are not counted */
	bool stripped;  /* the program */
};

/* What another file has may be there with its version: NAME@VERSION. */
static bool is_named(const struct table *table, const ElfW(Sym) * symbol,
		     const char *name)
{
	size_t length = strlen(name);
	const char *other = table->strings + symbol->st_name;

	return symbol->st_name < table->strings_bytes &&
	       !strncmp(other, name, length) &&
	       (!other[length] || other[length] == '@');
}

static bool imports(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->symbols[i].st_shndx == SHN_UNDEF &&
		    is_named(table, &table->symbols[i], name))
			return true;
	return false;
}

static void table_search(const struct table *table,
			 const struct dl_phdr_info *object,
			 struct search *search)
{
	struct symbol_place *place = search->place;

	for (size_t i = 0; i < table->count; i++) {
		const ElfW(Sym) *symbol = &table->symbols[i];
		uintptr_t address = object->dlpi_addr + symbol->st_value;
		bool global = ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;

		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
		    symbol->st_shndx == SHN_UNDEF ||
		    !is_named(table, symbol, search->name) ||
		    !is_in(object, address) || (search->global && !global))
			continue;
		if (global && !search->global)
			search->found = 0;
		search->global = global;
		if (search->found && place->address == address)
			continue;
		if (search->found++)
			continue;
		place->address = address;
		place->hooked = imports(table, "__cyg_profile_func_enter");
	}
}

/* The program's own comes before those of libraries. */
static int object_search(struct dl_phdr_info *object, size_t size,
			 void *argument)
{
	struct search *search = argument;
	struct table table = { .stripped = false };
	bool program = search->objects++ == 0;

	(void)size;
	if (table_read(object_path(object), &table)) {
		search->stripped |= program;
		return 0;
	}
	if (program)
		search->stripped = table.stripped;
	table_search(&table, object, search);
	table_clear(&table);
	return program && search->found;
}

enum symbol_found symbols_find(const char *name, struct symbol_place *ret)
{
	struct search search = { .name = name, .place = ret };

	*ret = (struct symbol_place){ .address = 0 };
	if (!*name)
		return SYMBOL_ABSENT;
	dl_iterate_phdr(object_search, &search);
	if (search.found)
		return search.found == 1 ? SYMBOL_FOUND : SYMBOL_SEVERAL;
	return search.stripped ? SYMBOL_HIDDEN : SYMBOL_ABSENT;
}
