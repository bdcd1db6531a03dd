/* disk_accounts.c -- what a store of arrays keeps of how people come in: links,
 * addresses and what was sent there, second factors, devices. */

#include <stdlib.h>

#include "core/ascii.h"
#include "core/base.h"
#include "disk_lists.h"
#include "server/hub/limits.h"

static bool same(const uint8_t *a, const uint8_t *b)
{
    return memcmp(a, b, SHA256_SIZE) == 0;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_email(const char *a, const char *b)
{
    return a != NULL && b != NULL && ascii_compare(a, b) == 0;
}

/* ---- links --------------------------------------------------------------- */

static bool link_good(const struct disk *d, const struct link_row *used)
{
    for (size_t i = 0; i < d->link_count; i++)
        if (d->links[i].id == used->id)
            return d->links[i].uses > 0 && (d->links[i].expires == 0 ||
                                            d->links[i].expires > used->used);
    return false;
}

static void put_link(struct disk *d, const struct link_row *link)
{
    int64_t old = link->made - LIMIT_LINK_KEPT_MS;

    DROP(struct link_row, d->links, d->link_count, l,
         (l->expires != 0 && l->expires <= old) ||
             (l->uses == 0 && l->used <= old));
    struct link_row *l = NEXT(d->links, d->link_count);
    *l = *link;
    l->used = 0;
    l->email = region_copy(&d->region, link->email);
}

static void use_link(struct disk *d, const struct link_row *used)
{
    for (size_t i = 0; i < d->link_count; i++) {
        if (d->links[i].id != used->id)
            continue;
        d->links[i].uses--;
        d->links[i].used = used->used;
    }
}

static void drop_links(struct disk *d, const struct op *op)
{
    const struct link_row *one = &op->u.link;
    bool email = op->kind == OP_LINKS_DROP_EMAIL;

    if (op->kind == OP_LINK_DROP)
        DROP(struct link_row, d->links, d->link_count, l, l->id == one->id);
    else
        DROP(struct link_row, d->links, d->link_count, l,
             (email ? same_email(l->email, one->email)
                    : l->account == one->account) &&
                 l->id != one->id && l->purpose == one->purpose &&
                 (one->made == 0 || l->made < one->made));
}

/* ---- addresses ----------------------------------------------------------- */

static bool is_stopped(const struct disk *d, const uint8_t *address)
{
    for (size_t i = 0; i < d->stopped_count; i++)
        if (same(d->stopped[i].address, address))
            return true;
    return false;
}

static size_t mailed_since(const struct disk *d, const struct mailed_row *m,
                           int64_t since)
{
    size_t n = 0;

    for (size_t i = 0; i < d->mailed_count; i++)
        n += d->mailed[i].kind == m->kind && d->mailed[i].at > since &&
             same(d->mailed[i].address, m->address);
    return n;
}

static bool may_be_mailed(const struct disk *d, const struct mailed_row *m)
{
    return !is_stopped(d, m->address) &&
           mailed_since(d, m, m->at - LIMIT_MAILED_PAUSE_MS) == 0 &&
           mailed_since(d, m, m->at - LIMIT_MAILED_DAY_MS) < LIMIT_MAILED_DAY;
}

static bool may_confirm(const struct disk *d, const struct op *op)
{
    const struct account_row *a = disk_account(d, op->account);
    size_t n = 0;

    for (size_t i = 0; i < d->account_count; i++)
        n += d->accounts[i].confirmed != 0 &&
             same_email(d->accounts[i].email, op->u.email.address);
    return a != NULL && a->kind == ACCOUNT_USER && n < LIMIT_EMAIL_ACCOUNTS &&
           same_text(a->confirmed != 0 ? a->pending : a->email,
                     op->u.email.address) &&
           !is_stopped(d, op->u.email.hash);
}

static void put_email(struct disk *d, const struct op *op)
{
    struct account_row *a = disk_account_row(d, op->account);
    const char *email = region_copy(&d->region, op->u.note);

    if (a == NULL || a->kind != ACCOUNT_USER)
        return;
    if (op->kind == OP_EMAIL_CONFIRM) {
        a->email = region_copy(&d->region, op->u.email.address);
        a->confirmed = op->u.email.at;
        a->pending = NULL;
    } else if (email == NULL || a->confirmed == 0) {
        a->email = email;
        a->confirmed = 0;
        a->pending = NULL;
    } else {
        a->pending = same_text(email, a->email) ? NULL : email;
    }
}

static void put_mailed(struct disk *d, const struct mailed_row *row)
{
    DROP(struct mailed_row, d->mailed, d->mailed_count, m,
         m->at <= row->at - LIMIT_MAILED_DAY_MS);
    *NEXT(d->mailed, d->mailed_count) = *row;
}

static void allow_mail(struct disk *d, const uint8_t *address)
{
    DROP(struct mailed_row, d->stopped, d->stopped_count, s,
         same(s->address, address));
}

static void stop_mail(struct disk *d, const struct op *op)
{
    const char *address = op->u.email.address;

    allow_mail(d, op->u.email.hash);
    struct mailed_row *m = NEXT(d->stopped, d->stopped_count);
    memcpy(m->address, op->u.email.hash, SHA256_SIZE);
    for (size_t i = 0; i < d->account_count; i++) {
        struct account_row *a = &d->accounts[i];
        if (a->confirmed == 0 || !same_email(a->email, address))
            continue;
        a->confirmed = 0;
        a->pending = NULL;
    }
    DROP(struct link_row, d->links, d->link_count, l,
         same_email(l->email, address));
}

static const char *secret(const struct disk *d, const char *name)
{
    for (size_t i = 0; i < d->secret_count; i++)
        if (strcmp(d->secrets[i].name, name) == 0)
            return d->secrets[i].value;
    return NULL;
}

static void put_secret(struct disk *d, const struct op *op)
{
    struct disk_secret *s = NEXT(d->secrets, d->secret_count);

    s->name = region_copy(&d->region, op->u.secret.name);
    s->value = region_copy(&d->region, op->u.secret.value);
}

/* ---- devices and second factors -------------------------------------------- */

static struct disk_device *device(const struct disk *d, id_num account,
                                  const uint8_t *hash)
{
    for (size_t i = 0; i < d->device_count; i++)
        if (d->devices[i].account == account && same(d->devices[i].hash, hash))
            return &d->devices[i];
    return NULL;
}

/* The account's whose use is the longest ago; of those of one time the one with
 * the greatest hash. */
static const struct disk_device *oldest(const struct disk *d, id_num account,
                                        size_t *ret_count)
{
    const struct disk_device *old = NULL;

    *ret_count = 0;
    for (size_t i = 0; i < d->device_count; i++) {
        const struct disk_device *one = &d->devices[i];
        if (one->account != account)
            continue;
        ++*ret_count;
        if (old == NULL || one->used < old->used ||
            (one->used == old->used &&
             memcmp(one->hash, old->hash, SHA256_SIZE) > 0))
            old = one;
    }
    return old;
}

static void put_device(struct disk *d, const struct op *op)
{
    struct disk_device *is = device(d, op->account, op->u.device.hash);
    size_t n;

    if (is == NULL) {
        is = NEXT(d->devices, d->device_count);
        is->account = op->account;
        memcpy(is->hash, op->u.device.hash, SHA256_SIZE);
    }
    if (is->used < op->u.device.at)
        is->used = op->u.device.at;
    const struct disk_device *old = oldest(d, op->account, &n);
    if (n <= LIMIT_DEVICES)
        return;
    struct disk_device gone = *old;
    DROP(struct disk_device, d->devices, d->device_count, one,
         one->account == gone.account && same(one->hash, gone.hash));
}

static struct disk_totp *totp(const struct disk *d, id_num account)
{
    for (size_t i = 0; i < d->totp_count; i++)
        if (d->totps[i].row.account == account)
            return &d->totps[i];
    return NULL;
}

static void drop_recovery(struct disk *d, id_num account, const uint8_t *hash)
{
    DROP(struct disk_recovery, d->recovery, d->recovery_count, r,
         r->account == account && (hash == NULL || same(r->hash, hash)));
}

static void drop_totp(struct disk *d, id_num account)
{
    DROP(struct disk_totp, d->totps, d->totp_count, t,
         t->row.account == account);
    drop_recovery(d, account, NULL);
}

static bool recovery_there(const struct disk *d, const struct op *op)
{
    for (size_t i = 0; i < d->recovery_count; i++)
        if (d->recovery[i].account == op->account &&
            same(d->recovery[i].hash, op->u.hash))
            return true;
    return false;
}

static void put_recovery(struct disk *d, const struct op *op)
{
    drop_recovery(d, op->account, NULL);
    for (size_t i = 0; i < op->u.recovery.count; i++) {
        struct disk_recovery *r = NEXT(d->recovery, d->recovery_count);
        r->account = op->account;
        memcpy(r->hash, op->u.recovery.hashes[i], SHA256_SIZE);
    }
}

static bool totp_usable(const struct disk *d, const struct op *op)
{
    const struct disk_totp *t = totp(d, op->account);

    return t != NULL && t->step < op->u.totp_use.step &&
           t->row.made == op->u.totp_use.made && t->row.removed == 0;
}

static void use_totp(struct disk *d, const struct op *op)
{
    struct disk_totp *t = totp(d, op->account);

    t->step = op->u.totp_use.step;
    if (t->row.confirmed == 0)
        t->row.confirmed = op->u.totp_use.at;
}

/* ---- all of them ----------------------------------------------------------- */

bool disk_account_holds(const struct disk *d, const struct op *op)
{
    switch (op->kind) {
    case OP_LINK_USE: return link_good(d, &op->u.link);
    case OP_EMAIL_CONFIRM: return may_confirm(d, op);
    case OP_MAILED: return may_be_mailed(d, &op->u.mailed);
    case OP_MAIL_ALLOW: return is_stopped(d, op->u.email.hash);
    case OP_SECRET: return secret(d, op->u.secret.name) == NULL;
    case OP_TOTP_USE: return totp_usable(d, op);
    case OP_RECOVERY_USE: return recovery_there(d, op);
    default: return true;
    }
}

void disk_account_op(struct disk *d, const struct op *op)
{
    switch (op->kind) {
    case OP_LINK: put_link(d, &op->u.link); break;
    case OP_LINK_USE: use_link(d, &op->u.link); break;
    case OP_LINK_DROP:
    case OP_LINKS_DROP:
    case OP_LINKS_DROP_EMAIL: drop_links(d, op); break;
    case OP_EMAIL:
    case OP_EMAIL_CONFIRM: put_email(d, op); break;
    case OP_MAILED: put_mailed(d, &op->u.mailed); break;
    case OP_MAIL_STOP: stop_mail(d, op); break;
    case OP_MAIL_ALLOW: allow_mail(d, op->u.email.hash); break;
    case OP_SECRET: put_secret(d, op); break;
    case OP_DEVICE: put_device(d, op); break;
    case OP_TOTP:
        drop_totp(d, op->u.totp.account);
        NEXT(d->totps, d->totp_count)->row = op->u.totp;
        break;
    case OP_TOTP_USE: use_totp(d, op); break;
    case OP_TOTP_DROP: drop_totp(d, op->account); break;
    case OP_RECOVERY: put_recovery(d, op); break;
    case OP_RECOVERY_USE: drop_recovery(d, op->account, op->u.hash); break;
    default: ASSERT(false);
    }
}

void disk_account_forget(struct disk *d, id_num account)
{
    const struct account_row *a = disk_account(d, account);
    const char *email = a != NULL && a->confirmed != 0 ? a->email : NULL;

    DROP(struct link_row, d->links, d->link_count, l,
         l->account == account || l->maker == account ||
             same_email(l->email, email));
    DROP(struct disk_device, d->devices, d->device_count, one,
         one->account == account);
    drop_totp(d, account);
}

#define COPY(list, count) \
    ((list) = list_copy((list), (count), sizeof(*(list))))

void disk_account_copy(struct disk *d)
{
    COPY(d->mailed, d->mailed_count);
    COPY(d->stopped, d->stopped_count);
    COPY(d->secrets, d->secret_count);
    COPY(d->devices, d->device_count);
    COPY(d->totps, d->totp_count);
    COPY(d->recovery, d->recovery_count);
}

void disk_account_free(struct disk *d)
{
    free(d->mailed);
    free(d->stopped);
    free(d->secrets);
    free(d->devices);
    free(d->totps);
    free(d->recovery);
}

/* ---- questions ----------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    id_num x = ((const struct account_row *)a)->id;
    id_num y = ((const struct account_row *)b)->id;

    return x < y ? -1 : x > y;
}

void disk_of_email(const struct disk *d, const char *address, bool exact,
                   struct answer *a)
{
    a->accounts = region_take(&a->region,
                              (d->account_count + 1) * sizeof(*a->accounts));
    for (size_t i = 0; i < d->account_count; i++) {
        const struct account_row *row = &d->accounts[i];
        if (row->confirmed != 0 && row->password != NULL &&
            same_email(row->email, address) &&
            (!exact || same_text(row->email, address)))
            a->accounts[a->account_count++] = *row;
    }
    qsort(a->accounts, a->account_count, sizeof(*a->accounts), by_id);
}

static void answer_factors(const struct disk *d, const struct question *q,
                           struct answer *a)
{
    id_num account = q->u.factors.account;
    const struct disk_totp *t = totp(d, account);

    a->factors.device = device(d, account, q->u.factors.device) != NULL;
    a->factors.has_totp = t != NULL;
    if (t != NULL)
        a->factors.totp = t->row;
    for (size_t i = 0; i < d->recovery_count; i++) {
        if (d->recovery[i].account != account)
            continue;
        a->factors.recovery++;
        a->factors.is_recovery = a->factors.is_recovery ||
                                 same(d->recovery[i].hash,
                                      q->u.factors.recovery);
    }
}

void disk_account_answer(const struct disk *d, const struct question *q,
                         struct answer *a)
{
    if (q->kind == ASK_EMAIL)
        disk_of_email(d, q->u.email, false, a);
    else if (q->kind == ASK_SECRET)
        a->text = secret(d, q->u.name);
    else if (q->kind == ASK_STOPPED)
        a->stopped = is_stopped(d, q->u.hash);
    else
        answer_factors(d, q, a);
}
