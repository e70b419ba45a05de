/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocation that ends the program when memory runs out. Any thread; the hook is set by one. */
#ifndef TOOLS_MEMORY_H_
#define TOOLS_MEMORY_H_

/* Returns its argument; NULL ends the program, with a message. */
void *memory_need(void *memory);

/* Sets a hook that runs before that message, to restore the terminal. NULL: none. */
void memory_before_end(void (*restore)(void));

#endif /* TOOLS_MEMORY_H_ */
