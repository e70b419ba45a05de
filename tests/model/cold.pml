/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cold connections: an engine does not look at connections that were silent for
 * long (lib/bus/bell.h), and still loses nothing.
 *
 * To go cold, the receiver sets the connection's cold word, fences, and looks at
 * the ring once more.  A sender publishes, fences and reads the cold word; when
 * it is set, it sets the connection's bit in the engine's ready page, then the
 * page's summary (locked instructions both), and only then reads `armed`.  The
 * engine polls warm rings and the summary; it takes the summary before the bits,
 * and a connection found there is warm again.  Who makes the fences is told in
 * membarrier.pml; a sender for whom neither word says anything goes on without.
 *
 * Property: as in doorbell.pml.  The engine may go to sleep whenever it finds
 * nothing, so an event lost while awake ends in the same blocked sleep.
 *
 * Variants that must fail: those of membarrier.pml, NO_FENCE_COLD, NO_FENCE_ARM,
 * OWN_FENCE_COLD, NO_RECHECK_COLD, LATE_BIT, PLAIN_BIT, SUMMARY_FIRST, COLD_FIRST.
 */
#define SENDERS		2
#define MESSAGES(s)	(2 - (s))

#define ENGINE		SENDERS
#define CPUS		(SENDERS + 1)
#define TAIL(s)		(s)			/* written by sender s only */
#define COLD(s)		(SENDERS + (s))		/* written by the engine only */
#define ARMED		(2 * SENDERS)		/* written by the engine only */
#define WORDS		(2 * SENDERS + 1)

#include "tso.pml"
#include "membarrier.pml"

byte head[SENDERS];	/* private to the engine, as is `warm` */
bool warm[SENDERS];
byte ready_bits;	/* touched by locked instructions only, so not buffered */
bool summary;		/* the same */
bool bell;		/* any record in any socket of the handle */

#define has_work(s)	(mem[TAIL(s)] != head[s])
#define all_consumed	(head[0] == MESSAGES(0) && head[1] == MESSAGES(1))

inline set_bit(me)
{
#ifdef PLAIN_BIT
	seen = ready_bits;
	ready_bits = seen | (1 << me);
	seen = 0
#else
	ready_bits = ready_bits | (1 << me)
#endif
}

/* The fence before it has emptied the store buffer already. */
inline set_ready(me)
{
#ifdef SUMMARY_FIRST
	summary = true;
	set_bit(me)
#else
	set_bit(me);
	summary = true
#endif
}

inline ring_if_armed()
{
	if
	:: mem[ARMED] >= ASLEEP -> bell = true
	:: else
	fi
}

/* With the fence that the looks at both words need. */
inline tell()
{
	fence_sender(me);
#ifdef LATE_BIT
	ring_if_armed();
#endif
	if
	:: mem[COLD(me)] -> set_ready(me)
	:: else
	fi;
#ifndef LATE_BIT
	ring_if_armed()
#endif
}

proctype sender(byte me)
{
	byte sent = 0;
	byte seen = 0;

	do
	:: sent < MESSAGES(me) ->
		sent++;
#ifdef COLD_FIRST
		seen = mem[COLD(me)];
#endif
		store(me, TAIL(me), sent);
#ifndef COLD_FIRST
		seen = mem[COLD(me)];
#endif
		if
		:: !seen && may_go_on(me)
		:: else -> seen = 0; tell()
		fi;
		seen = 0
	:: else -> break
	od
}

inline warm_up(s)
{
	if
	:: taken & (1 << s) ->
		warm[s] = true;
		store(ENGINE, COLD(s), 0)
	:: else
	fi
}

inline take_ready_page()
{
	if
	:: summary ->
		full_fence(ENGINE);	/* a locked instruction */
		summary = false;
		atomic { taken = ready_bits; ready_bits = 0 };
		warm_up(0);
		warm_up(1);
		taken = 0
	:: else
	fi
}

inline poll(s)
{
	do
	:: warm[s] && has_work(s) -> head[s]++
	:: else -> break
	od
}

inline go_cold(s)
{
	warm[s] = false;
	store(ENGINE, COLD(s), 1);
#ifndef NO_FENCE_COLD
#ifdef OWN_FENCE_COLD
	full_fence(ENGINE);
#else
	fence_engine();
#endif
#endif
#ifndef NO_RECHECK_COLD
	if
	:: has_work(s) ->
		warm[s] = true;
		store(ENGINE, COLD(s), 0)
	:: else
	fi
#endif
}

inline arm()
{
	store(ENGINE, ARMED, ASLEEP);
#ifndef NO_FENCE_ARM
	fence_engine();
#endif
	if
	:: summary || (warm[0] && has_work(0)) || (warm[1] && has_work(1)) -> bell = true
	:: else
	fi
}

inline sleep_and_clear()
{
	bell;				/* asleep */
	store(ENGINE, ARMED, awake);
	bell = false
}

proctype engine()
{
	byte taken = 0;

	do
	:: true ->
		take_ready_page();
		poll(0);
		poll(1);
		/* silent for "many polls": any moment, as far as correctness goes */
		if
		:: all_consumed -> break
		:: else ->
			if
			:: warm[0] -> go_cold(0)
			:: warm[1] -> go_cold(1)
			:: arm(); sleep_and_clear()
			:: skip
			fi
		fi
	od
}

init {
	byte i;

	atomic {
		warm[0] = true;
		warm[1] = true;
		choose_abilities();
		start_drainers(i);
		run sender(0);
		run sender(1);
		run engine()
	}
}
