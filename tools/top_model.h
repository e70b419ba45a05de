/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The data of `softdpu top`: readings, and the rows made from two of them.
 *
 * A reading is what all processes reported at one moment; its caller owns it. A model owns its
 * rows; only top_model_update() changes them, except is_collapsed. If an object of the previous
 * reading is missing in this one, because it or its process has ended, its row stays until the next
 * update, marked as gone. Pure: no system calls, no output, no clock. One thread.
 */
#ifndef TOOLS_TOP_MODEL_H_
#define TOOLS_TOP_MODEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <softdpu.h>

#define TOP_NAME_SIZE 128
#define TOP_BUCKETS SOFTDPU_LATENCY_BUCKETS
#define TOP_MAX_DEPTH 8 /* of the tree; a row that claims to be deeper is put below its process */
#define TOP_STUCK_NS 100000000u /* since an engine progressed, with work waiting */

enum top_metric {
	/* Counters of the object; rows show rates per second. */
	TOP_SENT,
	TOP_RECEIVED,
	TOP_SENT_BYTES,
	TOP_RECEIVED_BYTES,
	TOP_AGAIN,
	TOP_RDMA,
	TOP_NUM_COUNTERS,
	/* Present values. */
	TOP_QUEUED = TOP_NUM_COUNTERS,
	TOP_POSTED,
	/* From submit to completion, of tasks completed since the previous reading; ns. */
	TOP_P50,
	TOP_P99,
	/* Since the engine last progressed; ns. */
	TOP_AGE,
	TOP_NUM_METRICS,
};

enum top_mode {
	TOP_MODE_NONE,
	TOP_MODE_POLLS,
	TOP_MODE_SLEEPS,
	TOP_MODE_SILENT,  /* its process does not answer: stopped, or in a debugger */
	TOP_MODE_REFUSED, /* its process cannot be watched */
};

struct top_id {
	pid_t pid;
	uint64_t number; /* id of the object in its process; 0: the process itself */
};

/* One object in a reading. */
struct top_object {
	struct top_id id;
	uint64_t parent;    /* its number; 0: the process */
	uint64_t engine;    /* number of the one that progresses it; 0: none */
	uint64_t taken;	    /* when its process reported it; monotonic, ns */
	pid_t peer;	    /* 0: none */
	uint32_t unlisted;  /* of a process: objects for which its list had no room */
	const char *kind;   /* static */
	const char *answer; /* of a process: result of asking it; static */
	enum softdpu_object_state state;
	enum top_mode mode;
	unsigned int has; /* bit mask of metrics; latencies count if any bucket is not 0 */
	bool has_work;	  /* of an engine: something waits for progress */
	uint64_t age, queued, posted;
	uint64_t counts[TOP_NUM_COUNTERS];
	uint32_t latency[TOP_BUCKETS];
	char name[TOP_NAME_SIZE]; /* safe to print */
};

struct top_reading {
	uint64_t taken; /* monotonic, ns */
	struct top_object *objects;
	size_t num, capacity;
};

/* Appends a zeroed object; the pointer is valid until the next call. */
struct top_object *top_reading_add(struct top_reading *reading);
void top_reading_end(struct top_reading *reading);

#define TOP_NO_ROW SIZE_MAX

struct top_row {
	struct top_object own;
	double values[TOP_NUM_METRICS]; /* of the object and all below it; NAN: none */
	uint64_t latency[TOP_BUCKETS];	/* the same, since the previous reading */
	enum top_mode mode;		/* of the engine whose age the row shows */
	bool is_stuck, is_gone, is_collapsed;
	unsigned int depth; /* 0: a process */
	size_t parent;	    /* TOP_NO_ROW: a process */
};

struct top_model {
	struct top_row *rows; /* by id */
	size_t num;
	size_t *order;	 /* all rows, parents before their children */
	uint64_t taken;	 /* time of the reading; 0: there was none */
	double interval; /* s since the previous reading; NAN: there was none */
};

void top_model_update(struct top_model *model, const struct top_reading *reading);
void top_model_end(struct top_model *model);

/* The row of an object; TOP_NO_ROW: none. */
size_t top_model_find(const struct top_model *model, struct top_id id);

/* Number of living processes, and of their objects. */
void top_model_count(const struct top_model *model, size_t *processes, size_t *objects);

#endif /* TOOLS_TOP_MODEL_H_ */
