/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file softdpu.h
 * What softdpu offers beyond the DOCA API. A program that is to run on the real SDK too does not
 * include this header.
 */
#ifndef SOFTDPU_H_
#define SOFTDPU_H_

#include <doca_compat.h>
#include <doca_error.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of softdpu itself, as opposed to that of the API (doca_version_runtime()).
 *
 * Threads: any.
 *
 * @return static text
 */
DOCA_STABLE
const char *softdpu_version(void);

/* ---- Who is there ---- */

/** What a file of the runtime directory stands for. */
enum softdpu_entry_kind {
	SOFTDPU_ENTRY_PROCESS,	    /**< a process that has a device open */
	SOFTDPU_ENTRY_COMCH_SERVER, /**< a Comch server that runs */
	SOFTDPU_ENTRY_RDMA_PORT,    /**< a port to which an RDMA context listens */
	SOFTDPU_ENTRY_OTHER,	    /**< of another version of softdpu */
};

/** A file of the runtime directory. Everything is valid during the callback only. */
struct softdpu_entry {
	enum softdpu_entry_kind kind;
	const char *name; /**< of the file, without ".claim" */
	const char *text; /**< its line, as softdpu(7) describes it; empty when it has none */
	bool is_alive;	  /**< false: whoever made it has died, and nobody has removed it yet */
	pid_t pid;	  /**< of a living owner; 0: in another PID namespace, or just beginning */
};

/**
 * Called for each file that softdpu_registry_look() finds.
 *
 * @param[in] entry the file
 * @param[in] user_data as given to softdpu_registry_look()
 */
typedef void (*softdpu_entry_cb_t)(const struct softdpu_entry *entry, void *user_data);

/**
 * Look at the runtime directory: processes, servers and ports, the dead included. Nothing is
 * changed and nobody is disturbed. The callback is called in this thread, with no lock held.
 *
 * Threads: any.
 *
 * @param[in] cb called once for each file, in no particular order
 * @param[in] user_data passed to cb
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: cb is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the directory belongs to somebody else, or others may enter it
 * @return DOCA_ERROR_OPERATING_SYSTEM: the directory cannot be made or read
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_registry_look(softdpu_entry_cb_t cb, void *user_data);

/**
 * Remove the files of the runtime directory whose owners are dead, as each process does when it
 * opens its first device.
 *
 * Threads: any.
 *
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NOT_PERMITTED: the directory belongs to somebody else, or others may enter it
 * @return DOCA_ERROR_OPERATING_SYSTEM: the directory cannot be made or read
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_registry_reap(void);

/**
 * Path of the runtime directory, once this process has used it.
 *
 * Threads: any.
 *
 * @return text that lives as long as the process; "(no runtime directory)" before
 */
DOCA_EXPERIMENTAL
const char *softdpu_registry_path(void);

/* ---- What a process does ---- */

/** What an object of a process is. */
enum softdpu_object_kind {
	SOFTDPU_OBJECT_CONTEXT,		/**< one of none of the kinds below */
	SOFTDPU_OBJECT_ENGINE,		/**< doca_pe */
	SOFTDPU_OBJECT_SERVER,		/**< doca_comch_server */
	SOFTDPU_OBJECT_CLIENT,		/**< doca_comch_client */
	SOFTDPU_OBJECT_CONNECTION,	/**< doca_comch_connection, seen from this end */
	SOFTDPU_OBJECT_PRODUCER,	/**< doca_comch_producer, of a MsgQ too */
	SOFTDPU_OBJECT_CONSUMER,	/**< doca_comch_consumer, of a MsgQ too */
	SOFTDPU_OBJECT_MSGQ,		/**< doca_comch_msgq */
	SOFTDPU_OBJECT_RDMA,		/**< doca_rdma */
	SOFTDPU_OBJECT_RDMA_CONNECTION, /**< doca_rdma_connection */
	SOFTDPU_OBJECT_DMA,		/**< doca_dma */
	SOFTDPU_OBJECT_WINDOW,		/**< own memory that other processes may reach */
	SOFTDPU_OBJECT_REACH,		/**< memory of another process that this one may reach */
	SOFTDPU_OBJECT_KINDS
};

/** How far an object is in its life. */
enum softdpu_object_state {
	SOFTDPU_STATE_NONE, /**< it has no states */
	SOFTDPU_STATE_IDLE,
	SOFTDPU_STATE_STARTING, /**< connecting, too */
	SOFTDPU_STATE_RUNNING,	/**< connected, too */
	SOFTDPU_STATE_STOPPING,
	SOFTDPU_STATE_ENDED, /**< closed or lost, and not yet destroyed */
	SOFTDPU_STATES
};

/** Half octaves from 1 ns up; the last one has everything above. */
#define SOFTDPU_LATENCY_BUCKETS 64

/**
 * An object as softdpu_watch_read() found it. Numbers count from the object's beginning; those that
 * its kind does not have are 0. Text ends with a zero and is whatever the process says: it may have
 * bytes that a terminal obeys.
 */
struct softdpu_object {
	uint32_t id;	    /**< of this process: from 1, never given twice */
	uint32_t kind;	    /**< enum softdpu_object_kind */
	uint32_t parent;    /**< id of the object that it belongs to (a connection's server, a
			       consumer's connection); 0: none */
	uint32_t engine;    /**< id of the engine that it is connected to; 0: none */
	uint32_t state;	    /**< enum softdpu_object_state */
	uint32_t number;    /**< the id that programs know it by, of consumers, producers and
			       RDMA connections; of a window, how many reach it now */
	int32_t peer;	    /**< pid of the process at the other end; 0: unknown or none */
	uint32_t is_asleep; /**< engine: it waits for its notification handle; 0: it is polled, or
			       nobody progresses it */

	uint64_t sent_messages;
	uint64_t sent_bytes;
	uint64_t received_messages;
	uint64_t received_bytes;
	uint64_t submitted; /**< tasks accepted */
	uint64_t
		completed; /**< of these: given back, failed ones included; the rest is in flight */
	uint64_t failed;   /**< of these: with an error */
	uint64_t again;	   /**< submits refused with DOCA_ERROR_AGAIN */
	uint64_t posted;   /**< receives that wait for a message, now */
	uint64_t queued;   /**< work that waits for the engine, now: messages that have come, moves
			      not ended */
	uint64_t size;	   /**< window, reach: bytes */
	uint64_t address;  /**< window, reach: where the memory begins, in its owner */
	uint64_t progressed_ns; /**< engine: when it last progressed, monotonic clock, exact to some
				   milliseconds; at the first reading after turns have become much
				   rarer it may be too early. Kept only while somebody watches:
				   earlier than watched_ns of the reading means not since then */
	uint32_t permissions;	/**< window, reach: mask of enum doca_access_flag */
	uint32_t reserved[5];

	/**
	 * Contexts: times from submit to completion of a sample of the tasks, of which there are
	 * the fewer the faster they come. Taken while somebody watches, from the first progress
	 * after his first reading on; receives, which wait for the peer, are not timed. Bucket 2k
	 * has those from 2^k ns, bucket 2k + 1 those from 1.5 * 2^k ns, up to where the next
	 * begins.
	 */
	uint32_t latency[SOFTDPU_LATENCY_BUCKETS];

	char device[16]; /**< PCI address of a context's device; or "" */
	/**
	 * Back end of an RDMA connection: local, or fabric over a provider of libfabric's. Way of a
	 * reach: mapped, cross, handed, served. Of a window: shared, which means that others may
	 * map it, or private. Type of a context that has no kind of its own. Or "".
	 */
	char how[32];
	/** Of a server; for a client, of the server that it wants; address of an RDMA peer. Or "".
	 */
	char name[128];
};

/** All objects of a process at one moment. */
struct softdpu_reading {
	uint64_t taken_ns;   /**< that moment, monotonic clock */
	uint64_t watched_ns; /**< since when somebody watches without a break, monotonic clock */
	uint32_t num_objects;
	uint32_t num_unlisted;		      /**< that found no room in the list */
	const struct softdpu_object *objects; /**< parents before children; valid until the next
						 call for this watch */
};

/** A look at one process. One thread at a time uses it; ends with softdpu_watch_close(). */
struct softdpu_watch;

/**
 * Begin to watch a process of the same user. Its agent lists its objects whenever it is asked; its
 * engines do no more than to note when they progress, and the times of some tasks.
 *
 * Threads: any.
 *
 * @param[in] process name of an entry of kind SOFTDPU_ENTRY_PROCESS
 * @param[in] timeout_ms how long to wait for the process's answer
 * @param[out] watch the watch
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: an argument is NULL, or no name of a process, or the answer is
 *         not what it has to be
 * @return DOCA_ERROR_NOT_FOUND: no such process (any more)
 * @return DOCA_ERROR_NOT_PERMITTED: another user's
 * @return DOCA_ERROR_AGAIN: too many watch it, or connect to it, just now
 * @return DOCA_ERROR_TIME_OUT: no answer: it is stopped, or in a debugger
 * @return DOCA_ERROR_CONNECTION_RESET: it ended meanwhile, or is of a version without this
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_OPERATING_SYSTEM: the runtime directory or a socket failed
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_watch_open(const char *process, uint32_t timeout_ms,
				struct softdpu_watch **watch);

/**
 * Have the process list its objects, and read the list.
 *
 * Threads: one at a time for a watch.
 *
 * @param[in] watch the watch
 * @param[in] timeout_ms how long to wait for the process's answer
 * @param[out] reading what it answered
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: an argument is NULL, or the answer is not what it has to be
 * @return DOCA_ERROR_TIME_OUT: no answer; may be called again
 * @return DOCA_ERROR_OPERATING_SYSTEM: a socket failed
 * @return DOCA_ERROR_CONNECTION_RESET: the process has ended or closed its last device
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_watch_read(struct softdpu_watch *watch, uint32_t timeout_ms,
				struct softdpu_reading *reading);

/**
 * End a watch; what was read with it is gone.
 *
 * Threads: one at a time for a watch.
 *
 * @param[in] watch the watch; NULL is allowed
 */
DOCA_EXPERIMENTAL
void softdpu_watch_close(struct softdpu_watch *watch);

#ifdef __cplusplus
}
#endif

#endif /* SOFTDPU_H_ */
