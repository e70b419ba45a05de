/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The topology without configuration: one DPU in a host. The addresses are those that published
 * programs have built in. b1:00.0 plays a second host's function on the same card.
 */
#include "core/topology.h"

const char sdpu_topology_default[] =
	"{\"dpus\": [{"
	"  \"functions\": ["
	"    {\"pci\": \"0000:03:00.0\", \"ibdev\": \"mlx5_0\", \"iface\": \"p0\"},"
	"    {\"pci\": \"0000:03:00.1\", \"ibdev\": \"mlx5_1\", \"iface\": \"p1\"}"
	"  ],"
	"  \"host_functions\": ["
	"    {\"pci\": \"0000:3b:00.0\", \"ibdev\": \"mlx5_2\", \"iface\": \"ens1f0np0\","
	"     \"represented_on\": \"0000:03:00.0\"},"
	"    {\"pci\": \"0000:3b:00.1\", \"ibdev\": \"mlx5_3\", \"iface\": \"ens1f1np1\","
	"     \"represented_on\": \"0000:03:00.1\"},"
	"    {\"pci\": \"0000:3b:00.2\", \"ibdev\": \"mlx5_4\", \"iface\": \"ens1f0v0\","
	"     \"represented_on\": \"0000:03:00.0\", \"type\": \"vf\"},"
	"    {\"pci\": \"0000:b1:00.0\", \"ibdev\": \"mlx5_5\", \"iface\": \"ens2f0np0\","
	"     \"represented_on\": \"0000:03:00.0\"}"
	"  ]"
	"}]}";
