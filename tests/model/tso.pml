/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Total store order, made explicit.
 *
 * Each processor owns a FIFO of stores that only it has seen; a drainer moves
 * them to memory one at a time, at any moment.  Loads read memory, so a load
 * may overtake an older store to another word: the one reordering of x86, and
 * the one that these protocols must survive.  No process here loads a word it
 * has stored itself, so forwarding from the own buffer need not be modelled.
 *
 * The includer defines CPUS and WORDS, and may define LAND(word, value): what
 * becomes of a store that reaches memory.
 */
#ifndef LAND
#define LAND(word, value)	mem[word] = value
#endif

byte mem[WORDS];
chan pending[CPUS] = [3] of { byte, byte };

inline store(cpu, word, value)
{
	pending[cpu]!word,value
}

/* Also what a locked instruction amounts to. */
inline full_fence(cpu)
{
	empty(pending[cpu])
}

proctype drainer(byte cpu)
{
	byte word, value;

end:
	do
	:: atomic { pending[cpu]?word,value -> LAND(word, value); word = 0; value = 0 }
	od
}

inline start_drainers(cpu)
{
	cpu = 0;
	do
	:: cpu < CPUS -> run drainer(cpu); cpu++
	:: else -> break
	od
}
