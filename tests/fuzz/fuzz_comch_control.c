/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rings of control messages as a hostile peer writes them, looked at by the receiver and by the
 * sender. Everything lies in a block of exactly the size of the segment: whatever reads past it is
 * seen by the address sanitizer.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/control_ring.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct comch_ring_shape shape[2] = {{4, 300}, {4, 4080}};

static void receive_all(uint8_t *segment, const struct comch_ring_layout *layout)
{
	static uint8_t message[65536];
	struct comch_rx rx;
	uint32_t len = 0;

	comch_rx_open(&rx, segment, layout, &shape[1], 1);
	for (int i = 0; i < 16 && comch_rx_take(&rx, message, &len) == DOCA_SUCCESS; i++) {
		if (len == 0 || len > shape[1].max_size)
			abort();
		(void)comch_rx_ack(&rx);
	}
}

static void send_all(uint8_t *segment, const struct comch_ring_layout *layout)
{
	static const uint8_t message[300];
	struct comch_tx tx;

	if (comch_tx_open(&tx, segment, layout, &shape[0], 0) != DOCA_SUCCESS)
		return;
	for (uint32_t i = 0; i < 16; i++) {
		if (tx.position - tx.completed < shape[0].num)
			(void)comch_tx_send(&tx, message, 1 + i * 19);
		while (comch_tx_take_ack(&tx))
			if (tx.completed > tx.position)
				abort();
	}
	comch_tx_close(&tx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct comch_ring_layout layout;
	uint8_t *segment;

	if (comch_ring_layout(shape, &layout) != DOCA_SUCCESS)
		abort();
	segment = calloc(1, layout.size);
	if (segment == NULL)
		return 0;
	/* Entries of the receiving ring first, because they decide most. */
	memcpy(segment + layout.entries[1], data,
	       size < 4 * sizeof(struct comch_entry) ? size : 4 * sizeof(struct comch_entry));
	for (uint32_t i = 0; i < 4 && size > i; i++) {
		struct comch_entry *entry =
			(struct comch_entry *)(void *)(segment + layout.entries[1]) + i;

		if (data[i] & 1)
			entry->seq = i + 1;
	}
	if (size >= sizeof(uint32_t))
		memcpy(segment + layout.head[0], data + size - sizeof(uint32_t), sizeof(uint32_t));
	receive_all(segment, &layout);
	send_all(segment, &layout);
	free(segment);
	return 0;
}
