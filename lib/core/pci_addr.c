/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One form inside (long, lower case), two outside. Published programs tell them apart by length
 * alone, so nothing between the two is guessed at.
 */
#include "core/pci_addr.h"

#include <ctype.h>
#include <string.h>

#include "base/log.h"

#define LONG_LEN (DOCA_DEVINFO_PCI_ADDR_SIZE - 1)
#define SHORT_LEN (DOCA_DEVINFO_PCI_BDF_SIZE - 1)

/* 'x' stands for a hex digit, '1' for 0 or 1 (a bus has 32 devices), '7' for 0 to 7 (functions). */
static bool matches(char c, char pattern)
{
	switch (pattern) {
	case 'x':
		return isxdigit((unsigned char)c) != 0;
	case '1':
		return c == '0' || c == '1';
	case '7':
		return c >= '0' && c <= '7';
	default:
		return c == pattern;
	}
}

bool sdpu_pci_normalize(const char *text, char pci[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
	static const char pattern[] = "xxxx:xx:1x.7";
	char full[DOCA_DEVINFO_PCI_ADDR_SIZE] = "0000:";
	size_t len = strnlen(text, DOCA_DEVINFO_PCI_ADDR_SIZE);

	if (len != LONG_LEN && len != SHORT_LEN)
		return false;
	/* the short form keeps the domain that is there already */
	memcpy(full + LONG_LEN - len, text, len + 1);
	for (size_t i = 0; i < LONG_LEN; i++) {
		if (!matches(full[i], pattern[i]))
			return false;
		full[i] = (char)tolower((unsigned char)full[i]);
	}
	memcpy(pci, full, sizeof(full));
	return true;
}

doca_error_t sdpu_pci_compare(const char *pci, const char *text, uint8_t *is_equal)
{
	char normal[DOCA_DEVINFO_PCI_ADDR_SIZE];

	if (!sdpu_pci_normalize(text, normal)) {
		/* not logged: programs try every name that they are given on every device */
		sdpu_log_dbg("\"%.*s\" is no PCI address; needed: dddd:bb:dd.f or bb:dd.f",
			     DOCA_DEVINFO_PCI_ADDR_SIZE, text);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*is_equal = strcmp(pci, normal) == 0;
	return DOCA_SUCCESS;
}
