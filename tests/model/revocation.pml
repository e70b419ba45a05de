/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Revocation of a memory window (lib/bus/window.h): once its end has returned, no
 * copy lands.
 *
 * An importer says that it is busy, fences, reads `live`, copies at most one chunk
 * and takes that back behind the copy.  The owner clears `live`, fences, and waits
 * until each importer is not busy or dead; then the memory may be freed.  An importer
 * may die before any step; the kernel reports it dead only when its threads are gone
 * and their stores in memory.  (An importer that is merely stopped for longer than
 * the owner's time-out is outside this model: the owner logs it.)
 *
 * Threads of one importer share two words: the one that finds `first` clear sets it,
 * and clears it by a plain store; the others count themselves in `others`.
 *
 * Setting and counting are indivisible steps here, but not ordered ones: they wait in
 * the buffer like a store.  That is weaker than x86 and is what other machines do.
 * Who has `first` is known to the threads at once, as its line has one holder at a
 * time.
 *
 * Properties: no store to the window reaches memory after `freed`, and the owner
 * always comes to its end.
 *
 * NON_TEMPORAL copies with stores that bypass the FIFO and drain at any time; they
 * need a store fence before the importer counts itself out.
 *
 * Variants that must fail: NO_FENCE_IMPORTER, NO_FENCE_OWNER, EARLY_OUT,
 * SHARED_FLAG (`first` alone, whoever else has set it), NO_COUNT (the owner looks at
 * `first` alone), NO_DEATH_NOTICE, NON_TEMPORAL with NO_STORE_FENCE.
 */
#define IMPORTERS	2
#define THREADS		3			/* two in importer 0, one in importer 1 */
#define CHUNKS(t)	((t) == 0 -> 2 : 1)

#define IMPORTER(t)	((t) >> 1)
#define OWNER		THREADS
#define CPUS		(THREADS + 1)
#define FIRST(i)	(i)			/* both changed by the threads of importer i */
#define OTHERS(i)	(IMPORTERS + (i))
#define LIVE		(2 * IMPORTERS)		/* written by the owner only */
#define WINDOW		(2 * IMPORTERS + 1)	/* the memory itself */
#define WORDS		(2 * IMPORTERS + 2)
#define MINUS_ONE	255

bool freed;
bool held[IMPORTERS];				/* `first`, as the importer's threads see it */

inline land(word, value)
{
	if
	:: word == WINDOW -> assert(!freed)
	:: word == LIVE -> mem[word] = value
	:: word < IMPORTERS -> mem[word] = value; held[word] = value
	:: word >= IMPORTERS && word < LIVE -> mem[word] = mem[word] + value
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

/* Leaves in `first` whether it was this thread that set it. */
inline enter(me)
{
	atomic {
		first = !held[IMPORTER(me)];
#ifdef SHARED_FLAG
		first = true;
#endif
		held[IMPORTER(me)] = true;
		if
		:: first -> store(me, FIRST(IMPORTER(me)), 1)
		:: else -> store(me, OTHERS(IMPORTER(me)), 1)
		fi
	}
}

inline leave(me)
{
	/* release, both: pair with the owner's wait */
	atomic {
		if
		:: first -> store(me, FIRST(IMPORTER(me)), 0)
		:: else -> store(me, OTHERS(IMPORTER(me)), MINUS_ONE)
		fi;
		first = false
	}
}

inline try_chunk(me)
{
#ifndef NO_FENCE_IMPORTER
	full_fence(me);			/* pairs with the fence in owner() */
#endif
	if
	:: mem[LIVE] ->
#ifdef EARLY_OUT
		leave(me);
		copy_chunk(me)
#else
		copy_chunk(me);
		leave(me)
#endif
	:: else -> leave(me)
	fi
}

proctype importer(byte me)
{
	byte done = 0;
	bool first = false;

	{
		do
		:: atomic { done < CHUNKS(me) -> done++; enter(me) }; try_chunk(me)
		:: else -> break
		od
	} unless {
		killed[IMPORTER(me)]
	};
	/* an exit leaves no store behind */
	atomic { empty(pending[me]) && empty(combining[me]) -> gone[me] = true }
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
	!mem[FIRST(i)];
	!mem[OTHERS(i)]
#else
	!mem[FIRST(i)] || dead(i);
#ifndef NO_COUNT
	!mem[OTHERS(i)] || dead(i)
#endif
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
