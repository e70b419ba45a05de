/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tells valgrind what it cannot see: that another process has written here. Nothing where
 * valgrind's headers are not installed, a few idle instructions outside of valgrind; not for the
 * data path.
 */
#ifndef SDPU_BASE_VALGRIND_H
#define SDPU_BASE_VALGRIND_H

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
/* Only addressable memory is marked; freed memory stays freed. */
#define sdpu_mark_defined(addr, len) ((void)VALGRIND_MAKE_MEM_DEFINED_IF_ADDRESSABLE((addr), (len)))
#define sdpu_under_valgrind() (RUNNING_ON_VALGRIND != 0)
#else
#define sdpu_under_valgrind() 0
#define sdpu_mark_defined(addr, len) ((void)(addr), (void)(len))
#endif

#endif
