/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that must be there. Any thread; what is called before the end is set by one. */
#ifndef TOOLS_MEMORY_H_
#define TOOLS_MEMORY_H_

/* What it was given; NULL ends the program, with a message. */
void *memory_need(void *memory);

/* To be called before that message: a terminal is put in order. NULL: nothing. */
void memory_before_end(void (*restore)(void));

#endif /* TOOLS_MEMORY_H_ */
