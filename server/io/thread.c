#include "thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *),
                 void *arg)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = pthread_create(thread, NULL, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (err == 0)
        pthread_setname_np(*thread, name);
    return err;
}
