/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bias: one thread uses something without fences until a second one wants it
 * (lib/base/bias.h).
 *
 * The owner looks whether it is shared, stores `busy`, looks again, and is
 * inside; it stores `busy` back when it comes out.  The second one stores
 * `shared`, lets the kernel put a full fence into every thread, and waits until
 * the owner is not busy.  From then on both use locked instructions.
 *
 * Property: the second one never begins while the owner is inside, and comes to
 * its end.
 *
 * Variants that must fail: NO_FENCE_ALL, NO_SECOND_LOOK, NO_WAIT, EARLY_EXIT.
 */
#define OWNER		0
#define SECOND		1
#define CPUS		2
#define BUSY		0	/* written by the owner only */
#define SHARED		1	/* written by the second one only */
#define DATA		2	/* by the owner, while it is inside */
#define WORDS		3
#define TURNS		2

#include "tso.pml"

bool began;		/* the second one */
byte written;		/* what the owner has stored to DATA, landed or not */

inline look()
{
	seen = mem[SHARED]
}

proctype owner()
{
	byte turns, seen;

	do
	:: turns == TURNS -> break
	:: else ->
		turns++;
		look();
		if
		:: seen -> break
		:: else
		fi;
		store(OWNER, BUSY, 1);
#ifndef NO_SECOND_LOOK
		look();
#endif
		if
		:: seen ->
			store(OWNER, BUSY, 0);
			break
		:: else
		fi;
#ifdef EARLY_EXIT
		store(OWNER, BUSY, 0);
#endif
		atomic {
			assert(!began);
			written++;
			store(OWNER, DATA, written)
		};
#ifndef EARLY_EXIT
		store(OWNER, BUSY, 0)
#endif
	od
}

proctype second()
{
	store(SECOND, SHARED, 1);
#ifndef NO_FENCE_ALL
	full_fence(SECOND);
	full_fence(OWNER);
#endif
#ifndef NO_WAIT
	mem[BUSY] == 0;
#endif
	atomic {
		began = true;
		/* All that was done inside is seen. */
		assert(mem[DATA] == written)
	}
}

init
{
	byte cpu;

	atomic {
		start_drainers(cpu);
		run owner();
		run second()
	}
}
