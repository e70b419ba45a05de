/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Close of a consumer under its producers (lib/comch/consumer_stop.c, remote_ring.c).
 *
 * A producer that does not see the consumer closed takes an entry, publishes it, fences (who makes
 * which fence is told in membarrier.pml), and looks again: not closed, then it has succeeded.  Else
 * it waits for the word of the consumer: an entry in front of the one that is named there was taken
 * before; any other was kept if it is marked.
 *
 * The consumer takes entries in order.  When it closes it says so, fences, marks those that are
 * there, whatever gaps are between them, and gives its word.  What it marked it delivers.
 *
 * Property: what is delivered, and nothing else, has succeeded; and everybody comes to an end.
 *
 * Variants that must fail: those of membarrier.pml, AT_ONCE (who sees it closed has failed),
 * BY_POSITION (the word is how far it got, gaps are not marked), EARLY_WORD, NO_WORD.
 */
#define ENTRIES		3
#define SENDERS		2		/* the first one sends twice */
#define ENGINE		SENDERS
#define CPUS		(SENDERS + 1)
#define FILLED(p)	(p)		/* written by who took the entry */
#define KEPT(p)		(ENTRIES + (p))	/* this and the rest by the consumer */
#define CLOSED		(2 * ENTRIES)
#define JUDGED		(2 * ENTRIES + 1)
#define ARMED		(2 * ENTRIES + 2)
#define WORDS		(2 * ENTRIES + 3)

#include "tso.pml"
#include "membarrier.pml"

byte next;				/* entry */
bool delivered[ENTRIES];
bool succeeded[ENTRIES];
byte over;

inline judge(p)
{
#ifdef AT_ONCE
	skip
#else
	mem[JUDGED] != 0;
#ifdef BY_POSITION
	succeeded[p] = p < mem[JUDGED] - 1
#else
	succeeded[p] = p < mem[JUDGED] - 1 || mem[KEPT(p)]
#endif
#endif
}

inline send(me)
{
	if
	:: mem[CLOSED] -> skip
	:: else ->
		atomic { at = next; next++ };
		store(me, FILLED(at), 1);
		if
		:: may_go_on(me)
		:: else -> fence_sender(me)
		fi;
		if
		:: mem[CLOSED] -> judge(at)
		:: else -> succeeded[at] = true
		fi
	fi
}

proctype producer(byte me)
{
	byte at;

	send(me);
	if
	:: me == 0 -> send(me)
	:: else
	fi;
	over++
}

proctype consumer()
{
	byte taken, at;

	do
	:: taken < ENTRIES && mem[FILLED(taken)] -> delivered[taken] = true; taken++
	:: break
	od;
	store(ENGINE, CLOSED, 1);
	fence_engine();
#ifdef EARLY_WORD
	store(ENGINE, JUDGED, taken + 1);
#endif
	at = taken;
	do
	:: at == ENTRIES -> break
	:: else ->
		if
		:: mem[FILLED(at)] ->
			delivered[at] = true;
#ifdef BY_POSITION
			taken = at + 1
#else
			store(ENGINE, KEPT(at), 1)
#endif
		:: else
		fi;
		at++
	od;
#if !defined(EARLY_WORD) && !defined(NO_WORD)
	store(ENGINE, JUDGED, taken + 1);
#endif
	over++
}

init
{
	byte i;

	atomic {
		choose_abilities();
		start_drainers(i);
		i = 0;
		do
		:: i == SENDERS -> break
		:: else -> run producer(i); i++
		od;
		run consumer()
	};
	over == SENDERS + 1;
	i = 0;
	do
	:: i == ENTRIES -> break
	:: else -> assert(delivered[i] == succeeded[i]); i++
	od
}
