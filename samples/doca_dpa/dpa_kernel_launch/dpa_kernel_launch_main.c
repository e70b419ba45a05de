/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/dpa_kernel_launch_sample.h"

int main(int argc, char **argv)
{
	struct sample_config config = {
		.pci_addr = "03:00.0",
		.number = 8,
		.number_of = "Number of threads of the kernel",
	};

	return sample_main(argc, argv, "doca_dpa_kernel_launch", SAMPLE_DPA, &config,
			   kernel_launch_run);
}
