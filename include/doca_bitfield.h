/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_bitfield.h
 * Byte order, masks and bit fields, as constant expressions where the arguments are constant.
 *
 * BE stands for big endian: such a mask, field or result is in network byte order, while the values
 * put in and taken out are in that of the host. P stands for pointer: the result is OR-ed into the
 * memory at p. Masks name their highest and lowest bit, both included, counted from bit 0 of the
 * value in host order. Arguments may be evaluated more than once.
 */
#ifndef DOCA_BITFIELD_H_
#define DOCA_BITFIELD_H_

#include <doca_compat.h>
#include <doca_types.h>

/** Number of the lowest bit set in x; 0 when x is 0. */
#define DOCA_SHIFT(x) __builtin_ctzll((unsigned long long)(x) | ((x) == 0))

/** Host order to big endian. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_HTOBE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_HTOBE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_HTOBE64(x) __builtin_bswap64((uint64_t)(x))
#else
#define DOCA_HTOBE16(x) ((uint16_t)(x))
#define DOCA_HTOBE32(x) ((uint32_t)(x))
#define DOCA_HTOBE64(x) ((uint64_t)(x))
#endif

/** Big endian to host order. */
#define DOCA_BETOH16(x) DOCA_HTOBE16(x)
#define DOCA_BETOH32(x) DOCA_HTOBE32(x)
#define DOCA_BETOH64(x) DOCA_HTOBE64(x)

/** Mask of the bits h down to l. */
#define DOCA_U8_GENMASK(h, l) ((uint8_t)((0xffu >> (7 - (h))) & (0xffu << (l))))
#define DOCA_BE16_GENMASK(h, l) DOCA_HTOBE16((0xffffu >> (15 - (h))) & (0xffffu << (l)))
#define DOCA_BE32_GENMASK(h, l) DOCA_HTOBE32((0xffffffffu >> (31 - (h))) & (0xffffffffu << (l)))

/** Set the bits h down to l in memory. */
#define DOCA_U8P_GENMASK(h, l, p) (*(uint8_t *)(p) |= DOCA_U8_GENMASK(h, l))
#define DOCA_BE16P_GENMASK(h, l, p) (*(doca_be16_t *)(p) |= DOCA_BE16_GENMASK(h, l))
#define DOCA_BE32P_GENMASK(h, l, p) (*(doca_be32_t *)(p) |= DOCA_BE32_GENMASK(h, l))

/** The value v moved to where the mask m is, and cut to it. */
#define DOCA_U8_SET(m, v) ((uint8_t)(((uint32_t)(v) << DOCA_SHIFT(m)) & (m)))
#define DOCA_BE16_SET(m, v)                                                                        \
	((uint16_t)(DOCA_HTOBE16((uint32_t)(v) << DOCA_SHIFT(DOCA_BETOH16(m))) & (m)))
#define DOCA_BE32_SET(m, v)                                                                        \
	((uint32_t)(DOCA_HTOBE32((uint32_t)(v) << DOCA_SHIFT(DOCA_BETOH32(m))) & (m)))

/** Put the value v into memory where the mask m is: whole statements, semicolon included. */
#define DOCA_U8P_SET(m, v, p) *(uint8_t *)(p) |= DOCA_U8_SET(m, v);
#define DOCA_BE16P_SET(m, v, p) *(doca_be16_t *)(p) |= DOCA_BE16_SET(m, v);
#define DOCA_BE32P_SET(m, v, p) *(doca_be32_t *)(p) |= DOCA_BE32_SET(m, v);

/** The value that the field f has where the mask m is. */
#define DOCA_U8_GET(m, f) ((uint8_t)(((f) & (m)) >> DOCA_SHIFT(m)))
#define DOCA_BE16_GET(m, f) ((uint16_t)(DOCA_BETOH16((f) & (m)) >> DOCA_SHIFT(DOCA_BETOH16(m))))
#define DOCA_BE32_GET(m, f) ((uint32_t)(DOCA_BETOH32((f) & (m)) >> DOCA_SHIFT(DOCA_BETOH32(m))))

#endif /* DOCA_BITFIELD_H_ */
