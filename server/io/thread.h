/* thread.h -- starting threads. */

#ifndef SERVER_IO_THREAD_H
#define SERVER_IO_THREAD_H

#include <pthread.h>

/* Starts a thread that is called NAME (15 bytes at most) and gets no signals:
 * they are the main thread's.  0, or an error number. */
int thread_start(pthread_t *thread, const char *name, void *(*run)(void *),
                 void *arg);

/* The calling thread goes on when nobody else wants to: for what goes through
 * much and is in no hurry.  Where that is forbidden nothing changes. */
void thread_give_way(void);

#endif
