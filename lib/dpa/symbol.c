/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks an address up in the symbol table of the file that it is mapped from; contract in symbol.h.
 * The file is mapped for one lookup only, as crash reports are rare. Offsets in it are checked
 * against its size.
 */
#include "dpa/symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
	const uint8_t *bytes;
	size_t size;
};

static bool image_open(const char *path, struct image *image)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *at = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr)))
		at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	*image = (struct image){at, (size_t)status.st_size};
	return true;
}

/* NULL: not within the file. */
static const void *image_at(const struct image *image, uint64_t offset, uint64_t size)
{
	if (offset > image->size || size > image->size - offset)
		return NULL;
	return image->bytes + offset;
}

static const char *image_text(const struct image *image, uint64_t offset)
{
	const char *text = image_at(image, offset, 1);

	return text != NULL && memchr(text, 0, image->size - offset) != NULL ? text : NULL;
}

static const ElfW(Shdr) * image_section(const struct image *image, uint32_t index)
{
	const ElfW(Ehdr) *header = (const void *)image->bytes;

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || index >= header->e_shnum)
		return NULL;
	return image_at(image, header->e_shoff + (uint64_t)index * sizeof(ElfW(Shdr)),
			sizeof(ElfW(Shdr)));
}

/* The function of the table that contains the address (of the file); NULL: none. */
static const char *search_table(const struct image *image, const ElfW(Shdr) * table, uint64_t value,
				uint64_t *offset)
{
	const ElfW(Shdr) *names = image_section(image, table->sh_link);
	const ElfW(Sym) *symbols = image_at(image, table->sh_offset, table->sh_size);

	if (names == NULL || symbols == NULL)
		return NULL;
	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++) {
		const ElfW(Sym) *symbol = &symbols[i];

		if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || value < symbol->st_value ||
		    value - symbol->st_value >= symbol->st_size)
			continue;
		*offset = value - symbol->st_value;
		return image_text(image, names->sh_offset + symbol->st_name);
	}
	return NULL;
}

static const char *search_image(const struct image *image, uint64_t value, uint64_t *offset)
{
	const ElfW(Shdr) * section;
	const char *name = NULL;

	for (uint32_t i = 0; name == NULL && (section = image_section(image, i)) != NULL; i++) {
		if (section->sh_type == SHT_SYMTAB)
			name = search_table(image, section, value, offset);
	}
	return name;
}

/* False: the file cannot be read, or has no table with it. */
static bool describe_by_file(const char *path, uint64_t value, char *text, size_t size)
{
	struct image image;
	const char *name;
	uint64_t offset;

	if (!image_open(path, &image))
		return false;
	name = search_image(&image, value, &offset);
	if (name != NULL)
		snprintf(text, size, "%s+0x%llx", name, (unsigned long long)offset);
	munmap((void *)(uintptr_t)image.bytes, image.size);
	return name != NULL;
}

void dpa_symbol_describe(const void *address, char *text, size_t size)
{
	struct link_map *map;
	const char *path;
	uint64_t value;
	Dl_info info;

	if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) {
		snprintf(text, size, "in no file");
		return;
	}
	/* The program has no name there; its own may be relative to a directory that it has left.
	 */
	path = map->l_name[0] == '\0' ? "/proc/self/exe" : map->l_name;
	value = (uintptr_t)address - map->l_addr;
	if (!describe_by_file(path, value, text, size))
		snprintf(text, size, "%s+0x%llx",
			 info.dli_sname != NULL ? info.dli_sname : info.dli_fname,
			 (unsigned long long)(info.dli_sname != NULL
						      ? (uintptr_t)address -
								(uintptr_t)info.dli_saddr
						      : value));
}
