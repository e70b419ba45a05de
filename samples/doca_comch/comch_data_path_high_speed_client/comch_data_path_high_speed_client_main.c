/* SPDX-License-Identifier: BSD-3-Clause */
#include "../comch_data_path_high_speed_common.h"

int main(int argc, char **argv)
{
	struct sample_config config = {
		.pci_addr = "b1:00.0",
		.text = "Message from the client",
	};

	return sample_main(argc, argv, "doca_comch_data_path_high_speed_client", SAMPLE_CLIENT,
			   &config, data_path_client_run);
}
