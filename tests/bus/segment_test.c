/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared segments: what a peer can and cannot do to one, and what is refused from it.
 */
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus/process.h"
#include "bus/segment.h"

enum { PAGE = 4096 };

/* As it arrives at a peer: another number, owned. */
static int sent(int fd)
{
	return sdpu_fd_own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static int memfd(size_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	T_CHECK(fd >= 0);
	T_EQ(ftruncate(fd, (off_t)size), 0);
	T_EQ(fcntl(fd, F_ADD_SEALS, seals), 0);
	return sdpu_fd_own(fd);
}

T_CASE(both_see_the_same_bytes)
{
	struct sdpu_segment a, b;

	T_OK(sdpu_segment_create("t", 3 * PAGE, PAGE, false, &a));
	T_EQ(((uint8_t *)a.base)[3 * PAGE - 1], 0);
	T_OK(sdpu_segment_map(sent(a.fd), 3 * PAGE, 0, SDPU_SEGMENT_WRITE, 3 * PAGE, &b));
	T_EQ(b.fd, -1);
	T_EQ(b.size, 3 * PAGE);
	strcpy(a.base, "from a");
	T_STREQ(b.base, "from a");
	strcpy(b.base, "from b");
	T_STREQ(a.base, "from b");
	/* It lives as long as somebody maps it. */
	sdpu_segment_unmap(&a);
	T_STREQ(b.base, "from b");
	sdpu_segment_unmap(&b);
}

T_CASE(size_is_sealed)
{
	struct sdpu_segment a;

	T_OK(sdpu_segment_create("t", PAGE, 0, false, &a));
	T_EQ(ftruncate(a.fd, 0), -1);
	T_EQ(ftruncate(a.fd, 2 * PAGE), -1);
	/* Nor can a peer seal us out. */
	T_EQ(fcntl(a.fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
	sdpu_segment_unmap(&a);
}

T_CASE(owner_only_cannot_be_written_by_others)
{
	struct sdpu_segment a, b;

	T_OK(sdpu_segment_create("t", PAGE, PAGE, true, &a));
	T_CHECK(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, a.fd, 0) == MAP_FAILED);
	T_EQ(pwrite(a.fd, "x", 1, 0), -1);
	T_ERR(sdpu_segment_map(sent(a.fd), PAGE, 0, SDPU_SEGMENT_WRITE, PAGE, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(sdpu_segment_map(sent(a.fd), PAGE, 0, SDPU_SEGMENT_READ, PAGE, &b));
	T_EQ(mprotect(b.base, PAGE, PROT_READ | PROT_WRITE), -1);
	strcpy(a.base, "still ours");
	T_STREQ(b.base, "still ours");
	sdpu_segment_unmap(&a);
	sdpu_segment_unmap(&b);
}

T_CASE(wrong_sizes_are_refused)
{
	struct sdpu_segment a, b;

	T_OK(sdpu_segment_create("t", 2 * PAGE, 0, false, &a));
	T_ERR(sdpu_segment_map(sent(a.fd), PAGE, 0, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_segment_map(sent(a.fd), 3 * PAGE, 0, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_segment_map(sent(a.fd), 0, PAGE, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_OK(sdpu_segment_map(sent(a.fd), 0, 2 * PAGE, SDPU_SEGMENT_READ, 0, &b));
	T_EQ(b.size, 2 * PAGE);
	sdpu_segment_unmap(&a);
	sdpu_segment_unmap(&b);
	T_ERR(sdpu_segment_create("t", 0, 0, false, &a), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_segment_create("t", SIZE_MAX, 0, false, &a), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(unsealed_and_other_files_are_refused)
{
	static const int weak[] = {0, F_SEAL_SHRINK, F_SEAL_GROW};
	struct sdpu_segment b = {0};
	int p[2], fd;

	for (size_t i = 0; i < sizeof(weak) / sizeof(weak[0]); i++)
		T_ERR(sdpu_segment_map(memfd(PAGE, weak[i]), PAGE, 0, SDPU_SEGMENT_WRITE, 0, &b),
		      DOCA_ERROR_INVALID_VALUE);
	/* Sealed, but cannot be written. */
	T_ERR(sdpu_segment_map(memfd(PAGE, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE), PAGE, 0,
			       SDPU_SEGMENT_WRITE, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_EQ(pipe2(p, O_CLOEXEC), 0);
	T_ERR(sdpu_segment_map(sdpu_fd_own(p[0]), PAGE, 0, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_segment_map(-1, PAGE, 0, SDPU_SEGMENT_READ, 0, &b), DOCA_ERROR_INVALID_VALUE);
	fd = sdpu_fd_own(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	T_ERR(sdpu_segment_map(fd, 0, SIZE_MAX, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
	/* Taken over, that is closed, in every outcome. */
	T_EQ(fcntl(fd, F_GETFD), -1);
	T_CHECK(b.base == NULL);
}

T_CASE(huge_pages_are_refused)
{
	int fd = memfd_create("huge", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB);
	struct sdpu_segment b;

	if (fd < 0)
		T_SKIP("no huge pages here");
	if (ftruncate(fd, 2 << 20) != 0 || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
		T_SKIP("no huge pages of 2 MiB here");
	T_ERR(sdpu_segment_map(sdpu_fd_own(fd), 2 << 20, 0, SDPU_SEGMENT_READ, 0, &b),
	      DOCA_ERROR_INVALID_VALUE);
}

T_CASE(ends_twice_and_from_zero_are_harmless)
{
	struct sdpu_segment a = {0};

	sdpu_segment_close_fd(&a);
	sdpu_segment_unmap(&a);
	T_EQ(fcntl(0, F_GETFD), 0);
	T_OK(sdpu_segment_create("t", PAGE, 0, false, &a));
	sdpu_segment_close_fd(&a);
	T_EQ(a.fd, -1);
	strcpy(a.base, "needs no descriptor");
	sdpu_segment_unmap(&a);
	sdpu_segment_unmap(&a);
}

static int touch(void *arg)
{
	const struct sdpu_segment *a = arg;
	struct sdpu_segment b;
	int p[2];

	if (sdpu_segment_create("t", PAGE, 0, false, &b) != DOCA_ERROR_BAD_STATE)
		return 1;
	/* Unmapped here: the kernel refuses to read from it. */
	if (pipe(p) != 0 || write(p[1], a->base, 1) != -1 || errno != EFAULT)
		return 2;
	return 0;
}

T_CASE(forked_child_has_no_mapping)
{
	struct sdpu_segment a;

	T_OK(sdpu_segment_create("t", PAGE, PAGE, false, &a));
	T_EQ(t_wait(t_fork(touch, &a), 5000), 0);
	sdpu_segment_unmap(&a);
}
