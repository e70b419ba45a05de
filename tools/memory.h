/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that must be there. No state; any thread. */
#ifndef TOOLS_MEMORY_H_
#define TOOLS_MEMORY_H_

/* What it was given; NULL ends the program, with a message. */
void *memory_need(void *memory);

#endif /* TOOLS_MEMORY_H_ */
