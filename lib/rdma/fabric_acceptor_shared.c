/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process's own acceptor, which its exported connections share; contract in fabric_acceptor.h.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/log.h"
#include "rdma/fabric_acceptor.h"

static struct {
	pthread_mutex_t lock; /* taken before the agent's */
	struct fabric_acceptor *acceptor;
	uint16_t port;
	uint32_t users;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static doca_error_t shared_open(void)
{
	shared.port = 0;
	return fabric_acceptor_open(&shared.port, NULL, &shared.acceptor);
}

doca_error_t fabric_acceptor_get(uint16_t *port)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&shared.lock);
	if (shared.users == 0)
		result = shared_open();
	if (result == DOCA_SUCCESS) {
		shared.users++;
		*port = shared.port;
	} else {
		sdpu_log_warn("doca_rdma: no TCP socket to be reached by other machines: %s",
			      strerror(errno));
	}
	pthread_mutex_unlock(&shared.lock);
	return result;
}

void fabric_acceptor_put(void)
{
	pthread_mutex_lock(&shared.lock);
	if (--shared.users == 0)
		fabric_acceptor_close(shared.acceptor);
	pthread_mutex_unlock(&shared.lock);
}
