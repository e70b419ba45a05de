/* SPDX-License-Identifier: BSD-3-Clause */
#include "host/comch_msgq_ping_pong_sample.h"

int main(int argc, char **argv)
{
	struct sample_config config = {
		.pci_addr = "03:00.0",
		.number = 100,
		.number_of = "Number of times that the ball goes to the DPA and comes back",
	};

	return sample_main(argc, argv, "doca_comch_msgq_ping_pong", SAMPLE_DPA, &config,
			   ping_pong_run);
}
