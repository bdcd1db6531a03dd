/* test_store_accounts.c -- what every store knows of how people come in:
 * addresses and what was sent there, second factors, devices, secrets. */

#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/contract.h"

CONTRACTS(accounts);

#define HOUR LIMIT_MAILED_PAUSE_MS
#define DAY  LIMIT_MAILED_DAY_MS

static const struct account_row *account(id_num id)
{
    struct question q = {.kind = ASK_ACCOUNT, .u.account = id};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->account_count == 1 ? a->accounts : NULL;
}

/* People from 1 to N who have no address. */
static void people(id_num n)
{
    for (id_num i = 1; i <= n; i++) {
        char name[16];
        snprintf(name, sizeof(name), "user%d", (int)i);
        make_account(&u, i, name);
        struct op *op = u.first;
        while (op->next != NULL)
            op = op->next;
        op->u.account_row.email = NULL;
        cr_assert_eq(store(), TRANSACTION_STORED);
    }
}

static void give(id_num who, const char *address)
{
    add(OP_EMAIL, 0, who)->u.note = address;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static enum transaction_result confirm(id_num who, const char *address)
{
    struct op *op = add(OP_EMAIL_CONFIRM, 0, who);

    op->u.email.address = address;
    op->u.email.hash[0] = (uint8_t)address[0];
    op->u.email.at = 77;
    return store();
}

static void has(id_num who, const char *email, int64_t confirmed,
                const char *pending)
{
    const struct account_row *a = account(who);
    const char *is[] = {a->email, a->pending}, *want[] = {email, pending};

    cr_assert_eq(a->confirmed, confirmed);
    for (int i = 0; i < 2; i++)
        if (want[i] == NULL)
            cr_assert_null(is[i], "%s", is[i]);
        else
            cr_assert_str_eq(is[i], want[i]);
}

/* How many confirmed it. */
static size_t of(const char *address)
{
    struct question q = {.kind = ASK_EMAIL, .u.email = address};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->account_count;
}

/* ---- addresses ----------------------------------------------------------- */

/* An address is in force when it is confirmed, and until then the one before is;
 * only what waits for it can be confirmed, once. */
CONTRACT(accounts, addresses)
{
    people(1);
    give(1, "ana@a");
    has(1, "ana@a", 0, NULL);
    cr_assert_eq(confirm(1, "ben@a"), TRANSACTION_CONFLICT);
    cr_assert_eq(confirm(2, "ana@a"), TRANSACTION_CONFLICT, "nobody");
    give(1, "ann@a");
    cr_assert_eq(confirm(1, "ana@a"), TRANSACTION_CONFLICT, "no more");
    cr_assert_eq(of("ann@a"), 0);
    cr_assert_eq(confirm(1, "ann@a"), TRANSACTION_STORED);
    has(1, "ann@a", 77, NULL);
    cr_assert_eq(confirm(1, "ann@a"), TRANSACTION_CONFLICT, "it is already");
    cr_assert_eq(of("ANN@a"), 1);
    give(1, "new@a");
    has(1, "ann@a", 77, "new@a");
    give(1, "ann@a");
    has(1, "ann@a", 77, NULL);
    cr_assert_eq(confirm(1, "new@a"), TRANSACTION_CONFLICT);
    give(1, "new@a");
    cr_assert_eq(confirm(1, "new@a"), TRANSACTION_STORED);
    reopen();
    has(1, "new@a", 77, NULL);
    cr_assert_eq(of("ann@a"), 0);
    give(1, NULL);
    has(1, NULL, 0, NULL);
    cr_assert_eq(of("new@a"), 0);
}

/* Who keeps a guest's account or is put again with the same address has it as it
 * was; with another it is to be confirmed. */
CONTRACT(accounts, put_again)
{
    people(1);
    give(1, "ana@a");
    cr_assert_eq(confirm(1, "ana@a"), TRANSACTION_STORED);
    give(1, "new@a");
    static const char *const emails[] = {"ana@a", "ben@a"};
    for (int i = 0; i < 2; i++) {
        make_account(&u, 1, "user1");
        u.first->u.account_row.email = emails[i];
        cr_assert_eq(store(), TRANSACTION_STORED);
        has(1, emails[i], i == 0 ? 77 : 0, i == 0 ? "new@a" : NULL);
    }
}

/* Who has no password, as they come by a proxy, is not to get one by a link that
 * is mailed: neither are they asked about, nor is it theirs. */
CONTRACT(accounts, without_password)
{
    people(1);
    make_account(&u, 2, "proxied");
    u.first->u.account_row.password = u.first->u.account_row.email = NULL;
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (id_num i = 1; i <= 2; i++) {
        give(i, "fam@a");
        cr_assert_eq(confirm(i, "fam@a"), TRANSACTION_STORED);
    }
    cr_assert_eq(of("fam@a"), 1);
    add(OP_LINK, 0, 0)->u.link = (struct link_row){
        .id = 5,
        .hash = {5},
        .purpose = LINK_RESET,
        .uses = 1,
        .email = "fam@a",
    };
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_LINK, .u.hash = {5}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 1);
    cr_assert_eq(a->accounts->id, 1);
}

/* An address may be several accounts', as many as the limit says. */
CONTRACT(accounts, shared)
{
    people(LIMIT_EMAIL_ACCOUNTS + 1);
    for (id_num i = 1; i <= LIMIT_EMAIL_ACCOUNTS + 1; i++) {
        give(i, i % 2 ? "fam@a" : "Fam@a");
        cr_assert_eq(confirm(i, i % 2 ? "fam@a" : "Fam@a"),
                     i <= LIMIT_EMAIL_ACCOUNTS ? TRANSACTION_STORED
                                               : TRANSACTION_CONFLICT);
    }
    struct question q = {.kind = ASK_EMAIL, .u.email = "FAM@A"};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, LIMIT_EMAIL_ACCOUNTS);
    for (int i = 0; i < LIMIT_EMAIL_ACCOUNTS; i++)
        cr_assert_eq(a->accounts[i].id, i + 1);
}

/* A link that was sent to an address is for those whose spelling of it that
 * is, and goes with the address. */
CONTRACT(accounts, links)
{
    people(3);
    give(1, "fam@a");
    give(2, "fam@a");
    give(3, "Fam@a");
    for (id_num i = 1; i <= 3; i++)
        cr_assert_eq(confirm(i, i < 3 ? "fam@a" : "Fam@a"),
                     TRANSACTION_STORED);
    for (id_num i = 1; i <= 3; i++)
        add(OP_LINK, 0, 0)->u.link = (struct link_row){
            .id = i,
            .hash = {(uint8_t)i},
            .purpose = i == 1 ? LINK_CONFIRM : LINK_RESET,
            .uses = 1,
            .email = "fam@a",
        };
    cr_assert_eq(store(), TRANSACTION_STORED);
    struct question q = {.kind = ASK_LINK, .u.hash = {2}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert_eq(a->account_count, 2);
    cr_assert_str_eq(a->links->email, "fam@a");
    q.u.hash[0] = 1;
    cr_assert_eq(fixture_ask(&f, &q)->account_count, 0, "of no account");
    add(OP_LINKS_DROP_EMAIL, 0, 0)->u.link =
        (struct link_row){.id = 3, .purpose = LINK_RESET, .email = "FAM@a"};
    cr_assert_eq(store(), TRANSACTION_STORED);
    static const size_t left[] = {0, 1, 0, 1};
    for (uint8_t i = 1; i <= 3; i++) {
        q.u.hash[0] = i;
        cr_assert_eq(fixture_ask(&f, &q)->link_count, left[i], "%d", i);
    }
    /* Of those made before a moment only these. */
    for (uint8_t i = 5; i <= 8; i++)
        add(OP_LINK, 0, 0)->u.link = (struct link_row){
            .id = i,
            .hash = {i},
            .purpose = LINK_RESET,
            .account = i % 2,
            .made = 10 + i,
            .uses = 1,
            .email = "new@a",
        };
    add(OP_LINKS_DROP, 0, 0)->u.link =
        (struct link_row){.account = 1, .purpose = LINK_RESET, .made = 17};
    add(OP_LINKS_DROP_EMAIL, 0, 0)->u.link =
        (struct link_row){.email = "new@a", .purpose = LINK_RESET, .made = 17};
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (uint8_t i = 5; i <= 8; i++) {
        q.u.hash[0] = i;
        cr_assert_eq(fixture_ask(&f, &q)->link_count, i >= 7, "%d", i);
    }
    q.u.hash[0] = 3;
    add(OP_ACCOUNT_DROP, 0, 3);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 0);
    has(3, NULL, 0, NULL);
}

static enum transaction_result mail(uint8_t address, enum mailed kind,
                                    int64_t at)
{
    add(OP_MAILED, 0, 0)->u.mailed = (struct mailed_row){.address = {address},
                                                         .kind = (uint8_t)kind,
                                                         .at = at};
    return store();
}

/* One mail in an hour and three in a day, of each kind and to each address, by
 * the millisecond; what was refused does not count, nor is any of it lost when
 * the server starts again. */
CONTRACT(accounts, mailed)
{
    int64_t t = 1000 * DAY;

    cr_assert_eq(mail(1, MAILED_CONFIRM, t), TRANSACTION_STORED);
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + HOUR - 1), TRANSACTION_CONFLICT);
    cr_assert_eq(mail(1, MAILED_RESET, t), TRANSACTION_STORED);
    cr_assert_eq(mail(2, MAILED_CONFIRM, t), TRANSACTION_STORED);
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + HOUR), TRANSACTION_STORED);
    reopen();
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + 2 * HOUR), TRANSACTION_STORED);
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + 3 * HOUR), TRANSACTION_CONFLICT);
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + DAY - 1), TRANSACTION_CONFLICT);
    cr_assert_eq(mail(1, MAILED_CONFIRM, t + DAY), TRANSACTION_STORED);
    cr_assert_eq(mail(2, MAILED_CONFIRM, t + 3 * DAY), TRANSACTION_STORED);
    if (f.arrays)
        return;
    fixture_close(&f);
    cr_assert_eq(fixture_sql(&f, "SELECT count(*) FROM mailed"), 1,
                 "what is over goes");
}

static bool is_stopped(uint8_t address)
{
    struct question q = {.kind = ASK_STOPPED, .u.hash = {address}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->stopped;
}

/* Who wants no mail gets none of any kind, is nobody's address any more, and what
 * was sent there confirms nothing; until it is allowed again. */
CONTRACT(accounts, stopped)
{
    people(2);
    give(1, "ana@a");
    cr_assert_eq(confirm(1, "ana@a"), TRANSACTION_STORED);
    give(1, "new@a");
    give(2, "ana@a");
    add(OP_LINK, 0, 2)->u.link =
        (struct link_row){.id = 4, .account = 2, .uses = 1, .email = "Ana@a"};
    struct op *op = add(OP_MAIL_STOP, 0, 0);
    op->u.email.address = "ana@a";
    op->u.email.hash[0] = 'a';
    cr_assert_eq(store(), TRANSACTION_STORED);
    reopen();
    has(1, "ana@a", 0, NULL);
    has(2, "ana@a", 0, NULL);
    cr_assert_eq(confirm(2, "ana@a"), TRANSACTION_CONFLICT);
    cr_assert(is_stopped('a') && !is_stopped('b'));
    cr_assert_eq(mail('a', MAILED_RESET, DAY), TRANSACTION_CONFLICT);
    cr_assert_eq(mail('a', MAILED_CONFIRM, DAY), TRANSACTION_CONFLICT);
    struct question q = {.kind = ASK_LINK};
    cr_assert_eq(fixture_ask(&f, &q)->link_count, 0);
    add(OP_MAIL_ALLOW, 0, 0)->u.email.hash[0] = 'a';
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(mail('a', MAILED_CONFIRM, DAY), TRANSACTION_STORED);
    cr_assert_not(is_stopped('a'));
    add(OP_MAIL_ALLOW, 0, 0)->u.email.hash[0] = 'a';
    cr_assert_eq(conflict(), OP_MAIL_ALLOW);
}

/* ---- secrets ------------------------------------------------------------- */

/* A secret is made once: who comes second has to take what is there. */
CONTRACT(accounts, secrets)
{
    struct question q = {.kind = ASK_SECRET, .u.name = "key"};

    cr_assert_null(fixture_ask(&f, &q)->text);
    for (int i = 0; i < 2; i++) {
        struct op *op = add(OP_SECRET, 0, 0);
        op->u.secret.name = "key";
        op->u.secret.value = i == 0 ? "first" : "second";
        cr_assert_eq(store(),
                     i == 0 ? TRANSACTION_STORED : TRANSACTION_CONFLICT);
    }
    reopen();
    cr_assert_str_eq(fixture_ask(&f, &q)->text, "first");
    q.u.name = "KEY";
    cr_assert_null(fixture_ask(&f, &q)->text);
}

/* ---- devices and second factors -------------------------------------------- */

static struct factors factors(id_num who, uint8_t device)
{
    struct question q = {.kind = ASK_FACTORS,
                         .u.factors = {.account = who, .device = {device}}};
    const struct answer *a = fixture_ask(&f, &q);
    cr_assert(!a->failed);
    return a->factors;
}

static void come_from(id_num who, uint8_t device, int64_t at)
{
    struct op *op = add(OP_DEVICE, 0, who);
    op->u.device.hash[0] = device;
    op->u.device.at = at;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

/* Devices are known again, those of each by themselves; the longest unused go
 * when there are too many. */
CONTRACT(accounts, devices)
{
    people(2);
    for (int i = 1; i <= LIMIT_DEVICES; i++)
        come_from(1, (uint8_t)i, 100 + i);
    come_from(2, 1, 50);
    come_from(1, 1, 500);
    come_from(1, 1, 40);
    cr_assert(factors(1, 2).device);
    come_from(1, 99, 600);
    cr_assert_not(factors(1, 2).device);
    cr_assert(factors(1, 1).device && factors(1, 3).device &&
              factors(1, 99).device);
    cr_assert(factors(2, 1).device);
    cr_assert_not(factors(2, 3).device);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_not(factors(1, 99).device);
}

static void set_totp(id_num who, uint8_t key, int64_t made)
{
    struct op *op = add(OP_TOTP, 0, who);
    op->u.totp = (struct totp_row){.account = who, .key = {key}, .made = made};
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static enum transaction_result use_totp(id_num who, uint64_t step,
                                        int64_t made)
{
    struct op *op = add(OP_TOTP_USE, 0, who);
    op->u.totp_use.step = step;
    op->u.totp_use.made = made;
    op->u.totp_use.at = (int64_t)step * 10;
    return store();
}

/* A code is good once, and none from before it is after that; the first one
 * confirms the key, but not the one that came in its place. */
CONTRACT(accounts, totp)
{
    people(1);
    cr_assert_not(factors(1, 0).has_totp);
    cr_assert_eq(use_totp(1, 5, 3), TRANSACTION_CONFLICT, "there is none");
    set_totp(1, 8, 3);
    struct factors is = factors(1, 0);
    cr_assert(is.has_totp && is.totp.key[0] == 8 && is.totp.made == 3 &&
              is.totp.confirmed == 0);
    cr_assert_eq(use_totp(1, 5, 2), TRANSACTION_CONFLICT, "another key's");
    cr_assert_eq(use_totp(1, 5, 3), TRANSACTION_STORED);
    cr_assert_eq(use_totp(1, 5, 3), TRANSACTION_CONFLICT, "again");
    cr_assert_eq(use_totp(1, 4, 3), TRANSACTION_CONFLICT, "from before");
    cr_assert_eq(use_totp(1, 6, 3), TRANSACTION_STORED);
    cr_assert_eq(factors(1, 0).totp.confirmed, 50, "by the first");
    set_totp(1, 9, 4);
    cr_assert_eq(factors(1, 0).totp.confirmed, 0);
    cr_assert_eq(use_totp(1, 5, 4), TRANSACTION_STORED, "steps begin anew");
    struct op *op = add(OP_TOTP, 0, 1);
    op->u.totp = (struct totp_row){.account = 1, .made = 4, .removed = 60};
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(factors(1, 0).totp.removed, 60);
    cr_assert_eq(use_totp(1, 7, 4), TRANSACTION_CONFLICT, "taken away");
    add(OP_TOTP_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_not(factors(1, 0).has_totp);
}

static void set_recovery(id_num who, uint8_t first, size_t n)
{
    static uint8_t hashes[10][SHA256_SIZE];
    struct op *op = add(OP_RECOVERY, 0, who);

    for (size_t i = 0; i < n; i++)
        hashes[i][0] = (uint8_t)(first + i);
    op->u.recovery.hashes = hashes;
    op->u.recovery.count = n;
    cr_assert_eq(store(), TRANSACTION_STORED);
}

static enum transaction_result use_recovery(id_num who, uint8_t code)
{
    add(OP_RECOVERY_USE, 0, who)->u.hash[0] = code;
    return store();
}

/* A recovery code is good once, for whom it was made; new ones take the place of
 * all, and they go with the key. */
CONTRACT(accounts, recovery)
{
    people(2);
    set_totp(1, 8, 3);
    set_totp(2, 8, 3);
    set_recovery(1, 10, 3);
    set_recovery(2, 20, 2);
    cr_assert_eq(use_recovery(1, 11), TRANSACTION_STORED);
    cr_assert_eq(use_recovery(1, 11), TRANSACTION_CONFLICT);
    cr_assert_eq(use_recovery(1, 20), TRANSACTION_CONFLICT, "another's");
    reopen();
    cr_assert_eq(factors(1, 0).recovery, 2);
    struct question q = {.kind = ASK_FACTORS,
                         .u.factors = {.account = 1, .recovery = {12}}};
    cr_assert(fixture_ask(&f, &q)->factors.is_recovery);
    q.u.factors.recovery[0] = 11;
    cr_assert_not(fixture_ask(&f, &q)->factors.is_recovery, "it was used");
    set_recovery(1, 30, 2);
    cr_assert_eq(use_recovery(1, 10), TRANSACTION_CONFLICT);
    cr_assert_eq(use_recovery(1, 31), TRANSACTION_STORED);
    set_totp(1, 9, 4);
    cr_assert_eq(factors(1, 0).recovery, 0);
    add(OP_TOTP_DROP, 0, 2);
    cr_assert_eq(store(), TRANSACTION_STORED);
    cr_assert_eq(factors(2, 0).recovery, 0);
}

/* All of it goes with who was deleted. */
CONTRACT(accounts, deleted)
{
    people(1);
    give(1, "ana@a");
    cr_assert_eq(confirm(1, "ana@a"), TRANSACTION_STORED);
    give(1, "new@a");
    set_totp(1, 8, 3);
    set_recovery(1, 10, 3);
    come_from(1, 1, 100);
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    has(1, NULL, 0, NULL);
    struct factors is = factors(1, 1);
    cr_assert(!is.device && !is.has_totp && is.recovery == 0);
    give(1, "ana@a");
    has(1, NULL, 0, NULL);
}

/* An address that is confirmed by nobody is nobody's: who is deleted takes no link
 * with them that was sent there on behalf of somebody else. */
CONTRACT(accounts, deleted_by_name_only)
{
    struct question q = {.kind = ASK_LINK};

    people(2);
    for (id_num i = 1; i <= 2; i++) {
        give(i, "fam@a");
        add(OP_LINK, 0, 0)->u.link = (struct link_row){
            .id = i,
            .hash = {(uint8_t)i},
            .purpose = LINK_CONFIRM,
            .account = i,
            .uses = 1,
            .email = "fam@a",
        };
    }
    add(OP_ACCOUNT_DROP, 0, 1);
    cr_assert_eq(store(), TRANSACTION_STORED);
    for (uint8_t i = 1; i <= 2; i++) {
        q.u.hash[0] = i;
        cr_assert_eq(fixture_ask(&f, &q)->link_count, i - 1, "%d", i);
    }
}
