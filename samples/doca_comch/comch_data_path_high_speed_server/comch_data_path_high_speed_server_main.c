/* SPDX-License-Identifier: BSD-3-Clause */
#include "../comch_data_path_high_speed_common.h"

int main(int argc, char **argv)
{
	struct sample_config config = {
		.pci_addr = "03:00.0",
		.rep_pci_addr = "b1:00.0",
		.text = "Message from the server",
	};

	return sample_main(argc, argv, "doca_comch_data_path_high_speed_server", SAMPLE_SERVER,
			   &config, data_path_server_run);
}
