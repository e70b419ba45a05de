/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the four files of the agent share: agent.c (thread, watches), agent_accept.c
 * (the endpoint), agent_death.c (deaths of processes) and deadline.c. Nobody else includes this,
 * tests excepted.
 */
#ifndef SDPU_BUS_AGENT_PARTS_H
#define SDPU_BUS_AGENT_PARTS_H

#include <stdint.h>

#include "bus/agent.h"

/* Returned by a tick that waits for events only. */
#define SDPU_NEVER UINT64_MAX

/*
 * The agent's lock, recursive: held while callbacks run, and by every call that changes what they
 * see. A thread that has had it after unwatching something knows that the callback is over.
 */
void sdpu_agent_lock(void);
void sdpu_agent_unlock(void);

/* Under the lock. */
bool sdpu_agent_is_running(void);

/* Makes the thread compute the time of the next tick again. Any thread, under the lock, agent
 * running. */
void sdpu_agent_wake(void);

/* Endpoint. start and stop without the thread; tick in it, lock held: drops connections whose time
 * is over, answers when to call again. */
doca_error_t sdpu_accept_start(const char *endpoint);
void sdpu_accept_stop(void);
uint64_t sdpu_accept_tick(uint64_t now);

/* Death watches, and deadlines (deadline.h): as sdpu_accept_tick(). */
uint64_t sdpu_death_tick(uint64_t now);
uint64_t sdpu_deadline_tick(uint64_t now);

/* One descriptor in so many may be a pidfd; 0 (tests set it): none, all processes are polled. */
extern uint32_t sdpu_death_pidfd_share;

#endif
