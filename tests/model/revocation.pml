/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Revocation of a memory window (lib/bus/window.h): once its end has returned, no
 * copy lands.
 *
 * An importer counts itself busy, fences, reads `live`, copies at most one chunk
 * and counts itself out behind the copy.  The owner clears `live`, fences, and waits
 * until each importer's count is 0 or the importer is dead; then the memory may be
 * freed.  Threads of one importer share its count.  An importer may die before any
 * step; the kernel reports it dead only when its threads are gone and their stores
 * in memory.  (An importer that is merely stopped for longer than the owner's
 * time-out is outside this model: the owner logs it.)
 *
 * Counting is one indivisible step here, but not an ordered one: it waits in the
 * buffer like a store.  That is weaker than x86 and is what other machines do.
 *
 * Properties: no store to the window reaches memory after `freed`, and the owner
 * always comes to its end.
 *
 * NON_TEMPORAL copies with stores that bypass the FIFO and drain at any time; they
 * need a store fence before the importer counts itself out.
 *
 * Variants that must fail: NO_FENCE_IMPORTER, NO_FENCE_OWNER, EARLY_OUT,
 * SHARED_FLAG (a flag in place of the count), NO_DEATH_NOTICE, NON_TEMPORAL with
 * NO_STORE_FENCE.
 */
#define IMPORTERS	2
#define THREADS		3			/* two in importer 0, one in importer 1 */
#define CHUNKS(t)	((t) == 0 -> 2 : 1)

#define IMPORTER(t)	((t) >> 1)
#define OWNER		THREADS
#define CPUS		(THREADS + 1)
#define BUSY(i)		(i)			/* changed by the threads of importer i */
#define LIVE		IMPORTERS		/* written by the owner only */
#define WINDOW		(IMPORTERS + 1)		/* the memory itself */
#define WORDS		(IMPORTERS + 2)
#define MINUS_ONE	255

bool freed;

inline land(word, value)
{
	if
	:: word == WINDOW -> assert(!freed)
	:: word == LIVE -> mem[word] = value
#ifdef SHARED_FLAG
	:: word < IMPORTERS -> mem[word] = (value == 1)
#else
	:: word < IMPORTERS -> mem[word] = mem[word] + value
#endif
	fi
}

#define LAND(word, value)	land(word, value)

#include "tso.pml"

bool killed[IMPORTERS];
bool gone[THREADS];
chan combining[THREADS] = [1] of { byte };	/* non-temporal stores under way */

#define dead(i)		(killed[i] && gone[2 * (i)] && (i == 1 || gone[1]))

inline copy_chunk(me)
{
#ifdef NON_TEMPORAL
	combining[me]!WINDOW;
#ifndef NO_STORE_FENCE
	empty(combining[me])
#endif
#else
	store(me, WINDOW, 1)
#endif
}

inline count_in(me)
{
	store(me, BUSY(IMPORTER(me)), 1)
}

inline count_out(me)
{
	/* release: pairs with the owner's wait */
	store(me, BUSY(IMPORTER(me)), MINUS_ONE)
}

inline try_chunk(me)
{
	count_in(me);
#ifndef NO_FENCE_IMPORTER
	full_fence(me);			/* pairs with the fence in owner() */
#endif
	if
	:: mem[LIVE] ->
#ifdef EARLY_OUT
		count_out(me);
		copy_chunk(me)
#else
		copy_chunk(me);
		count_out(me)
#endif
	:: else -> count_out(me)
	fi
}

proctype importer(byte me)
{
	byte done = 0;

	{
		do
		:: done < CHUNKS(me) -> try_chunk(me); done++
		:: else -> break
		od
	} unless {
		killed[IMPORTER(me)]
	};
	full_fence(me);			/* an exit leaves no store behind */
	empty(combining[me]);
	gone[me] = true
}

proctype killer(byte victim)
{
	if
	:: killed[victim] = true
	:: skip
	fi
}

proctype combiner(byte cpu)
{
	byte word;

end:
	do
	:: atomic { combining[cpu]?word -> LAND(word, 1) }
	od
}

inline wait_for(i)
{
#ifdef NO_DEATH_NOTICE
	!mem[BUSY(i)]
#else
	!mem[BUSY(i)] || dead(i)
#endif
}

proctype owner()
{
	store(OWNER, LIVE, 0);
#ifndef NO_FENCE_OWNER
	full_fence(OWNER);		/* pairs with the fence in try_chunk() */
#endif
	wait_for(0);
	wait_for(1);
	freed = true
}

init {
	byte i;

	atomic {
		mem[LIVE] = 1;
		start_drainers(i);
		i = 0;
		do
		:: i < THREADS ->
#ifdef NON_TEMPORAL
			run combiner(i);
#endif
			run importer(i);
			i++
		:: else -> break
		od;
		run killer(0);
		run killer(1);
		run owner()
	}
}
