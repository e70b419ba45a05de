/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doorbell (lib/bus/bell.h): nobody pays a system call while both sides poll, and
 * no event is lost when the engine sleeps.
 *
 * A producer publishes and reads `armed`: below ASLEEP when the engine is awake,
 * else the number of its sleep.  It rings once per sleep; `rung`, the number rung
 * last, is shared by all threads of the producers' process.  The engine arms,
 * looks for work once more and makes its own handle ready when there is any; then
 * it sleeps until the handle is ready.  Clearing disarms, eats the rings and
 * progresses until nothing is left.  With PROGRESS_ALL a program may skip clearing:
 * the next arming eats them then.  Who makes the two fences between these stores
 * and loads is told in membarrier.pml.
 *
 * Property: the engine ends, having consumed everything.  A lost event leaves
 * it blocked in its sleep, which is an invalid end state.
 *
 * Variants that must fail: those of membarrier.pml, NO_RECHECK, LATE_DRAIN,
 * SAME_NUMBER.
 */
#define SENDERS		2
#define MESSAGES(p)	(2 - (p))		/* enough for two sleeps, and others meanwhile */

#define ENGINE		SENDERS
#define CPUS		(SENDERS + 1)
#define TAIL(p)		(p)			/* written by producer p only */
#define ARMED		SENDERS			/* written by the engine only */
#define WORDS		(SENDERS + 1)

#include "tso.pml"
#include "membarrier.pml"

byte head[SENDERS];	/* private to the engine */
byte sleep_number;	/* private to the engine */
byte rung;		/* read and written by both producers, in two steps */
bool socket;		/* a ring waits in it: in the kernel, so not buffered */
bool kicked;		/* the engine's own eventfd */

#define work		(mem[TAIL(0)] != head[0] || mem[TAIL(1)] != head[1])
#define ready		(socket || kicked)
#define all_consumed	(head[0] == MESSAGES(0) && head[1] == MESSAGES(1))

inline ring_once()
{
	seen = mem[ARMED];
	if
	:: seen >= ASLEEP && rung != seen ->
		rung = seen;
		socket = true
	:: else
	fi;
	seen = 0
}

proctype producer(byte me)
{
	byte sent = 0;
	byte seen = 0;

	do
	:: sent < MESSAGES(me) ->
		sent++;
		store(me, TAIL(me), sent);
		if
		:: may_go_on(me)
		:: else ->
			fence_sender(me);
			ring_once()
		fi
	:: else -> break
	od
}

inline eat_rings()
{
	socket = false;
	kicked = false
}

inline progress_until_nothing()
{
	do
	:: mem[TAIL(0)] != head[0] -> head[0]++
	:: mem[TAIL(1)] != head[1] -> head[1]++
	:: !work -> break
	od
}

inline kick_if_work()
{
	if
	:: mem[TAIL(0)] != head[0] -> kicked = true
	:: else ->
		if
		:: mem[TAIL(1)] != head[1] -> kicked = true
		:: else
		fi
	fi
}

inline arm()
{
#ifndef LATE_DRAIN
	eat_rings();
#endif
#ifdef SAME_NUMBER
	sleep_number = 0;
#endif
	store(ENGINE, ARMED, ASLEEP + sleep_number);
	sleep_number++;
	fence_engine();
#ifndef NO_RECHECK
	kick_if_work();
#endif
#ifdef LATE_DRAIN
	eat_rings()
#endif
}

inline clear()
{
	store(ENGINE, ARMED, awake);
	eat_rings()
}

proctype engine()
{
	do
	:: all_consumed -> break
	:: else ->
		arm();
		ready;			/* asleep */
		if
		:: clear()
		:: skip			/* PROGRESS_ALL: clearing is optional */
		fi;
		progress_until_nothing()
	od
}

init {
	byte i;

	atomic {
		choose_abilities();
		start_drainers(i);
		run producer(0);
		run producer(1);
		run engine()
	}
}
