/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's own door, which its exported connections share; contract in fabric_door.h.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "rdma/fabric_door.h"

static struct {
	pthread_mutex_t lock; /* taken before the agent's */
	struct fabric_door *door;
	uint16_t port;
	uint32_t users;
} house = {.lock = PTHREAD_MUTEX_INITIALIZER};

static doca_error_t house_open(void)
{
	house.port = 0;
	return fabric_door_open(&house.port, NULL, &house.door);
}

doca_error_t fabric_door_get(uint16_t *port)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&house.lock);
	if (house.users == 0)
		result = house_open();
	if (result == DOCA_SUCCESS) {
		house.users++;
		*port = house.port;
	} else {
		sdpu_log_warn("doca_rdma: no TCP socket to be reached by other machines: %s",
			      strerror(errno));
	}
	pthread_mutex_unlock(&house.lock);
	return result;
}

void fabric_door_put(void)
{
	pthread_mutex_lock(&house.lock);
	if (--house.users == 0)
		fabric_door_close(house.door);
	pthread_mutex_unlock(&house.lock);
}
