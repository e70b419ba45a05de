/* SPDX-License-Identifier: BSD-3-Clause */
#include "dpa/kit.h"

#include <stdio.h>
#include <unistd.h>

#define MAX_KERNELS 64

static const struct softdpu_dpa_kernel *kernels[MAX_KERNELS];

static struct doca_dpa_app app = {
	.magic = SOFTDPU_DPA_APP_MAGIC,
	.version = SOFTDPU_DPA_APP_VERSION,
	.name = "kit_app",
	.kernels = kernels,
};

static struct {
	struct doca_dpa *dpa;
	struct doca_dev *dev;
} opened[8];

void kit_add(const struct softdpu_dpa_kernel *kernel)
{
	T_CHECK(app.num_kernels < MAX_KERNELS);
	kernels[app.num_kernels++] = kernel;
}

void kit_pack(void *frame, va_list *args)
{
	*(uint64_t *)frame = va_arg(*args, uint64_t);
}

struct doca_dpa_app *kit_app(void)
{
	return &app;
}

static unsigned int place_of(const struct doca_dpa *dpa)
{
	unsigned int i = 0;

	while (opened[i].dpa != dpa)
		T_CHECK(++i < sizeof(opened) / sizeof(opened[0]));
	return i;
}

struct doca_dpa *kit_dpa(const char *pci)
{
	unsigned int i = place_of(NULL);

	opened[i].dev = kit_open(pci);
	T_OK(doca_dpa_create(opened[i].dev, &opened[i].dpa));
	T_OK(doca_dpa_set_app(opened[i].dpa, &app));
	T_OK(doca_dpa_start(opened[i].dpa));
	return opened[i].dpa;
}

void kit_dpa_end(struct doca_dpa *dpa)
{
	unsigned int i = place_of(dpa);

	T_OK(doca_dpa_destroy(dpa));
	T_OK(doca_dev_close(opened[i].dev));
	opened[i].dpa = NULL;
}

uint64_t kit_rpc(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t arg)
{
	uint64_t result;

	T_OK(doca_dpa_rpc(dpa, func, &result, arg));
	return result;
}

struct doca_dpa_thread *kit_thread(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t arg)
{
	struct doca_dpa_thread *thread;

	T_OK(doca_dpa_thread_create(dpa, &thread));
	T_OK(doca_dpa_thread_set_func_arg(thread, func, arg));
	T_OK(doca_dpa_thread_start(thread));
	return thread;
}

const char *kit_crash(void)
{
	static char text[1 << 16];
	char path[64];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "/tmp/doca_dpa_fatal.%d.crash", getpid());
	file = fopen(path, "re");
	if (file == NULL)
		return "";
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	fclose(file);
	T_EQ(unlink(path), 0);
	return text;
}
