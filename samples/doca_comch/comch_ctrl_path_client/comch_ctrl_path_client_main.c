/* SPDX-License-Identifier: BSD-3-Clause */
#include "../comch_ctrl_path_common.h"

int main(int argc, char **argv)
{
	struct sample_config config = {
		.pci_addr = "b1:00.0",
		.text = "Message from the client",
	};

	return sample_main(argc, argv, "doca_comch_ctrl_path_client", SAMPLE_CLIENT, &config,
			   ctrl_path_client_run);
}
