/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pair of full fences that one side makes for both (lib/base/membarrier.h), and
 * who must do without (lib/bus/bell.h).
 *
 * A sender's process is registered, or it is not.  The engine is able to have
 * others fence, or it is not, or no more from some moment on.  All combinations
 * are tried.  While the engine is awake the word ARMED says whether it counts on
 * the senders' fences or on its own; beyond that it is asleep.
 *
 * The includer defines SENDERS, which are two, ENGINE and ARMED.
 *
 * Variants that must fail: NO_FENCE_SENDER, NO_FENCE_ENGINE, NO_FENCE_ALL,
 * UNREGISTERED_TRUSTS, FALSE_TRUST, NO_TIME.
 */
#define AWAKE_FENCE	0
#define AWAKE		1
#define ASLEEP		2

bool registered[SENDERS];
byte awake;			/* private to the engine: what ARMED says when it is awake */

#ifdef UNREGISTERED_TRUSTS
#define trusts(s)	true
#else
#define trusts(s)	registered[s]
#endif

/* One load of the word, for a sender that has published and need do nothing else. */
#define may_go_on(s)	(trusts(s) && mem[ARMED] == AWAKE)

/* F1: pairs with fence_engine() */
inline fence_sender(me)
{
#ifdef NO_FENCE_SENDER
	skip
#else
	full_fence(me)
#endif
}

#define no_stores(s)	(empty(pending[s]))

/* In others one after the other, whatever these do meanwhile. */
inline fence_registered()
{
	!registered[0] || no_stores(0);
	!registered[1] || no_stores(1)
}

/* Nothing but time moves the stores of senders that saw the old word. */
inline lose_fence()
{
	awake = AWAKE_FENCE;
	if
	:: mem[ARMED] < ASLEEP -> store(ENGINE, ARMED, AWAKE_FENCE)
	:: else
	fi;
	full_fence(ENGINE);
#ifndef NO_TIME
	no_stores(0);
	no_stores(1)
#endif
}

/* F2 */
inline fence_engine()
{
#ifdef NO_FENCE_ENGINE
	skip
#else
	full_fence(ENGINE);
#ifndef NO_FENCE_ALL
	if
	:: awake == AWAKE -> fence_registered()
	:: awake == AWAKE -> lose_fence()
	:: else
	fi
#endif
#endif
}

/* Two variants fail in one of the combinations only, and look at no other. */
inline choose_abilities()
{
#ifndef UNREGISTERED_TRUSTS
	/* which of the two is registered makes no difference */
	if
	:: skip
	:: registered[0] = true
	:: registered[0] = true; registered[1] = true
	fi;
#endif
#ifdef FALSE_TRUST
	awake = AWAKE_FENCE;
	mem[ARMED] = AWAKE
#else
	if
	:: awake = AWAKE_FENCE
	:: awake = AWAKE
	fi;
	mem[ARMED] = awake
#endif
}
