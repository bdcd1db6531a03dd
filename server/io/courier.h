/* courier.h -- carries deliveries (hub/delivery.h) to their receivers, and says
 * what became of them.
 *
 * A thread of its own does that, with curl: a name server that is silent or a
 * receiver that is slow holds up neither the loop nor other deliveries.
 *
 *     courier_add() -> waits -> on its way -> courier_poll(): done()
 *
 * Calls wait a second at most: what a host has no time for until then goes back
 * (DELIVERY_LATER), so that who is slow keeps nobody else's place.
 *
 *     courier.c           the thread: what waits, what may begin, what ends
 *     courier_mail.c      mail by SMTP
 *     courier_sendmail.c  mail by a program of this machine
 *     courier_call.c      calls over HTTPS, by the guard's rules (guard.h)
 *     courier_webhook.c   what a webhook is sent, by its form
 *     courier_push.c      what a push service is sent
 *
 * Nothing here logs: what became of a delivery is the hub's to tell, and it
 * has no address in it. */

#ifndef SERVER_IO_COURIER_H
#define SERVER_IO_COURIER_H

#include <stdint.h>

#include "server/hub/delivery.h"

/* Mail under way at once: connections that the mail server sees. */
#define COURIER_MAILS 4
/* Calls under way at once.  One takes ten seconds at worst, so those who never
 * answer leave room for some six a second.  Of these so many to one host as
 * hub/limits.h says. */
#define COURIER_CALLS 64
/* So long one may wait for its host. */
#define COURIER_WAIT_MS 1000
/* A call is answered in so long, and with so much, or not at all. */
#define COURIER_CALL_MS 10000
#define COURIER_ANSWER  4096
#define COURIER_HEADERS 16384
#define COURIER_MAIL_MS 60000
/* What is under way when the daemon ends has so long. */
#define COURIER_END_MS 3000

struct courier;

/* Texts may be "": as the configuration has them. */
struct courier_config {
    const char *mail_server, *mail_user, *mail_password;
    const char *mail_from, *mail_bounces;
    int mail_rate;           /* a second */
    const char *allow;       /* origins that may be called, wherever */
    const char *authorities; /* a file of certificates */
    const char *contact;     /* mailto: or https:, whom push services ask */
};

/* What became of the delivery that was added as ID. */
typedef void (*courier_done_cb)(void *context, uint64_t id,
                                const struct delivery_outcome *o);

/* WAKE may be called on any thread; then courier_poll() is to be called.  NULL
 * if a thread cannot be had. */
struct courier *courier_new(void *context, void (*wake)(void *context),
                            courier_done_cb done);
void courier_free(struct courier *c);
/* CONFIG, which is copied, holds for what begins from now on. */
void courier_configure(struct courier *c, const struct courier_config *config);
/* As host.h's deliver(). */
void courier_add(struct courier *c, uint64_t id,
                 const struct delivery *delivery);
void courier_poll(struct courier *c);
/* Nothing begins any more; what is under way ends within COURIER_END_MS. */
void courier_end(struct courier *c);

#endif
