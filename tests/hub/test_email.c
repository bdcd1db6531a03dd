/* test_email.c -- addresses: given, confirmed, changed, written to no more; and
 * passwords that are set by a link that was mailed. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "server/hub/limits.h"
#include "tests/support/test_client.h"

#define HOUR     LIMIT_MAILED_PAUSE_MS
#define DAY      LIMIT_MAILED_DAY_MS
#define MAIL_MAX 64

/* What arrived. */
struct mail {
    char to[256], link[600], refuse[600], account[32], from[64], language[8];
    enum account_mail mail;
};

static struct test_client d;
static peer_id ana;
static struct mail mails[MAIL_MAX];
static size_t count;
static bool refuses; /* the receiver takes nothing now */
static bool loses;   /* it takes all, and nobody hears of it */

static void keep(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from != NULL ? from : "");
}

static struct delivery_outcome arrived(struct world *w,
                                       const struct delivery *m)
{
    (void)w;
    if (refuses)
        return (struct delivery_outcome){DELIVERY_RETRY, 0, "later"};
    cr_assert_lt(count, MAIL_MAX);
    cr_assert_eq(m->form, DELIVERY_ACCOUNT);
    struct mail *to = &mails[count++];
    to->mail = (enum account_mail)m->account_mail;
    keep(to->to, sizeof(to->to), m->target);
    keep(to->link, sizeof(to->link), m->link);
    keep(to->refuse, sizeof(to->refuse), m->refuse_link);
    keep(to->account, sizeof(to->account), m->account);
    keep(to->from, sizeof(to->from), m->address);
    keep(to->language, sizeof(to->language), m->language);
    if (loses)
        return (struct delivery_outcome){DELIVERY_RETRY, 0, "lost"};
    return (struct delivery_outcome){DELIVERY_DONE, 0, "250 ok"};
}

static void begin(void)
{
    count = 0;
    refuses = loses = false;
    test_client_open(&d, 31);
    d.world.arrived = arrived;
    d.world.config.mail = true;
    d.world.config.url = "https://games.example/";
    d.world.config.mail_rate = 1000;
    hub_configure(d.world.hub, &d.world.config);
    ana = test_client_user(&d, "ana");
}

static void end(void)
{
    test_client_close(&d);
}

TestSuite(email, .init = begin, .fini = end, .timeout = 600);

/* How many mails have arrived when all that waits was done. */
static size_t settled(void)
{
    test_client_settle(&d);
    test_client_wait(&d, 2000);
    test_client_settle(&d);
    return count;
}

static const struct mail *last(void)
{
    cr_assert_gt(settled(), 0);
    return &mails[count - 1];
}

static json_t *set(peer_id p, const char *email)
{
    return test_client_ask(&d, p, "account.email.set", "{s:s?,s:s}", "email",
                           email, "password", "password");
}

static const char *code_of(const char *link)
{
    const char *code = strrchr(link, '/');
    cr_assert_not_null(code, "no link");
    return code + 1;
}

static json_t *use(const char *method, const char *link)
{
    return test_client_ask(&d, test_client_come(&d, 0), method, "{s:s}",
                           "code", code_of(link));
}

static json_t *reset(const char *link, const char *name)
{
    json_t *params = json_pack("{s:s,s:s}", "code", code_of(link), "password",
                               "drowssap");
    if (name != NULL)
        json_object_set_new(params, "name", json_string(name));
    return test_client_ask_json(&d, test_client_come(&d, 0), "account.reset",
                                params);
}

static json_t *forgot(peer_id p, const char *email)
{
    return test_client_ask(&d, p, "account.reset.send", "{s:s}", "email",
                           email);
}

static json_t *log_in(const char *name, const char *password)
{
    return test_client_ask(&d, test_client_come(&d, 0), "session.login",
                           "{s:s,s:s}", "name", name, "password", password);
}

/* A new user with an address that is confirmed. */
static peer_id owner(const char *name, const char *email)
{
    peer_id p = test_client_user(&d, name);

    FINE(set(p, email));
    FINE(use("account.email.confirm", last()->link));
    return p;
}

static void has(peer_id p, const char *email, bool confirmed,
                const char *pending)
{
    json_t *answer = test_client_ask(&d, p, "account.get", NULL);

    cr_assert_str_eq(test_client_text(answer, "email"), email);
    cr_assert_eq(json_is_true(test_client_member(answer, "email_confirmed")),
                 confirmed);
    cr_assert_str_eq(test_client_text(answer, "email_pending"), pending);
}

/* ---- confirmed ------------------------------------------------------------ */

/* To an address that is given goes one mail, which asks for it, with nobody's
 * words in it; its link is made of the server's URL, and is good once. */
Test(email, confirmed)
{
    FINE(set(ana, "ana@example.org"));
    const struct mail *m = last();
    cr_assert_eq(settled(), 1);
    cr_assert_eq(m->mail, ACCOUNT_MAIL_CONFIRM);
    cr_assert_str_eq(m->to, "ana@example.org");
    cr_assert_str_eq(m->account, "");
    cr_assert_eq(strncmp(m->link, "https://games.example/#confirm/", 31), 0);
    cr_assert_eq(strncmp(m->refuse, "https://games.example/#never/", 29), 0);
    has(ana, "ana@example.org", false, "");
    json_t *answer = use("account.email.confirm", m->link);
    FINE(answer);
    cr_assert_null(test_client_member(answer, "token"), "nobody is logged in");
    has(ana, "ana@example.org", true, "");
    REASON(use("account.email.confirm", m->link), "link_used");
    REASON(use("account.email.confirm", "/guessed"), "no_such_link");
    cr_assert_eq(settled(), 1, "nothing more is sent");
}

/* What is given when somebody registers, or keeps a guest's account, is asked for
 * as well; what is no address is refused with its place. */
Test(email, given_at_the_door)
{
    peer_id guest = test_client_come(&d, 0);

    FINE(test_client_ask(&d, test_client_come(&d, 0), "account.register",
                         "{s:s,s:s,s:s}", "name", "ben", "password",
                         "password", "email", "ben@example.org"));
    cr_assert_str_eq(last()->to, "ben@example.org");
    FINE(test_client_ask(&d, guest, "account.guest", NULL));
    REASON(set(guest, "cid@example.org"), "is_a_guest");
    FINE(test_client_ask(&d, guest, "account.keep", "{s:s,s:s,s:s}", "name",
                         "cid", "password", "password", "email",
                         "cid@example.org"));
    cr_assert_str_eq(last()->to, "cid@example.org");
    static const char *const wrong[] = {
        "ana",
        "ana@",
        "@example.org",
        "a@b@c",
        "ana@example.org\r\nRCPT TO:",
        "<ana@example.org>",
        "an\xc3\xa1@example.org",
        "ana b@example.org",
        "\"ana\"@example.org",
        "`ana`@example.org",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        REASON(set(ana, wrong[i]), "invalid_params");
    cr_assert_eq(settled(), 2);
}

/* The first mail already is in the language of who registers, or keeps a guest's
 * account; one that is not known is English, and is kept. */
Test(email, language_at_the_door)
{
    static const char *const languages[] = {"fr", "de"};
    static const char *const emails[] = {"ana@example.org", "ben@example.org"};
    peer_id p = 0;

    for (size_t i = 0; i < 2; i++) {
        p = test_client_come(&d, 0);
        FINE(test_client_ask(&d, p, "account.register", "{s:s,s:s,s:s,s:s}",
                             "name", languages[i], "password", "password",
                             "email", emails[i], "language", languages[i]));
        cr_assert_str_eq(last()->to, emails[i]);
        cr_assert_str_eq(last()->language, languages[i]);
    }
    json_t *told = test_client_ask(&d, p, "notices.get", NULL);
    cr_assert_str_eq(test_client_text(told, "language"), "de");
    cr_assert_eq(json_integer_value(test_client_member(told, "wait")),
                 LIMIT_NOTICE_WAIT_S, "all else is as for anybody");
    p = test_client_come(&d, 0);
    FINE(test_client_ask(&d, p, "account.guest", NULL));
    FINE(test_client_ask(&d, p, "notices.set", "{s:s}", "language", "fr"));
    FINE(test_client_ask(&d, p, "account.keep", "{s:s,s:s,s:s}", "name", "cid",
                         "password", "password", "email", "cid@example.org"));
    cr_assert_str_eq(last()->language, "fr");
}

/* A link is over after a day, when another one was sent, when the address is
 * another by then, and when the account is gone. */
Test(email, link_over)
{
    FINE(set(ana, "ana@example.org"));
    struct mail first = *last();
    test_client_wait(&d, HOUR);
    FINE(test_client_ask(&d, ana, "account.email.send", NULL));
    struct mail second = *last();
    cr_assert_eq(count, 2);
    REASON(use("account.email.confirm", first.link), "no_such_link");
    test_client_wait(&d, LIMIT_CONFIRM_MS);
    REASON(use("account.email.confirm", second.link), "link_expired");
    FINE(test_client_ask(&d, ana, "account.email.send", NULL));
    struct mail third = *last();
    FINE(set(ana, "ann@example.org"));
    REASON(use("account.email.confirm", third.link), "link_used");
    has(ana, "ann@example.org", false, "");
}

/* Of two who come with one link one is first. */
Test(email, link_for_two)
{
    int asked[2], in = 0;

    FINE(set(ana, "ana@example.org"));
    const char *code = code_of(last()->link);
    for (int i = 0; i < 2; i++)
        asked[i] = test_client_send(&d, test_client_come(&d, 0),
                                    "account.email.confirm",
                                    json_pack("{s:s}", "code", code));
    test_client_settle(&d);
    for (int i = 0; i < 2; i++)
        in += test_client_reason(test_client_answer(&d, asked[i]))[0] == '\0';
    cr_assert_eq(in, 1);
}

/* The address that is in force is so until another is confirmed, and is told of
 * it then; that a password is needed for. */
Test(email, changed)
{
    peer_id ben = owner("ben", "ben@example.org");

    REASON(test_client_ask(&d, ben, "account.email.set", "{s:s,s:s}", "email",
                           "new@example.org", "password", "not that"),
           "bad_credentials");
    FINE(set(ben, "new@example.org"));
    has(ben, "ben@example.org", true, "new@example.org");
    const struct mail *m = last();
    cr_assert_str_eq(m->to, "new@example.org");
    FINE(use("account.email.confirm", m->link));
    has(ben, "new@example.org", true, "");
    m = last();
    cr_assert_eq(m->mail, ACCOUNT_MAIL_CHANGED);
    cr_assert_str_eq(m->to, "ben@example.org");
    cr_assert_str_eq(m->account, "ben");
    FINE(set(ben, NULL));
    m = last();
    cr_assert_eq(m->mail, ACCOUNT_MAIL_CHANGED);
    cr_assert_str_eq(m->to, "new@example.org");
    has(ben, "", false, "");
    REASON(test_client_ask(&d, ben, "account.email.send", NULL), "no_email");
}

/* An address from before is written to when its owner asks, not before; one with
 * letters that are taken no more never is. */
Test(email, from_before)
{
    d.world.config.mail = false;
    hub_configure(d.world.hub, &d.world.config);
    FINE(set(ana, "ana@example.org"));
    REASON(test_client_ask(&d, ana, "account.email.send", NULL), "no_mail");
    REASON(forgot(ana, "ana@example.org"), "no_mail");
    d.world.config.mail = true;
    hub_configure(d.world.hub, &d.world.config);
    cr_assert_eq(settled(), 0);
    REASON(test_client_ask(&d, test_client_come(&d, 0), "session.login",
                           "{s:s,s:s}", "name", "ana", "password", "password"),
           "");
    cr_assert_eq(settled(), 0, "nor is it told of a new device");
    FINE(test_client_ask(&d, ana, "account.email.send", NULL));
    cr_assert_eq(settled(), 1);
    test_client_wait(&d, HOUR);
    d.world.disk.accounts[0].email = "ana>\r\n@example.org";
    REASON(test_client_ask(&d, ana, "account.email.send", NULL), "no_email");
    cr_assert_eq(settled(), 1);
}

/* Nothing of a mail that waits in the store is good for anything: links are made
 * when it leaves, anew each time, and only a hash of them is kept. */
Test(email, no_secret_is_stored)
{
    refuses = true;
    FINE(set(ana, "ana@example.org"));
    settled();
    cr_assert_eq(d.world.disk.message_count, 1);
    cr_assert_null(strstr(d.world.disk.messages[0].body, "confirm/"));
    cr_assert_eq(d.world.disk.link_count, 1);
    uint8_t hash[SHA256_SIZE];
    memcpy(hash, d.world.disk.links[0].hash, sizeof(hash));
    refuses = false;
    for (int i = 0; i < 10 && count == 0; i++)
        test_client_wait(&d, 60000);
    cr_assert_eq(settled(), 1);
    const struct link_row *l =
        &d.world.disk.links[d.world.disk.link_count - 1];
    cr_assert_neq(memcmp(hash, l->hash, sizeof(hash)), 0);
    const char *code = code_of(mails[0].link);
    sha256(code, strlen(code), hash);
    cr_assert_arr_eq(hash, l->hash, sizeof(hash));
    FINE(use("account.email.confirm", mails[0].link));
}

/* Of a mail that came twice, as the answer to the first was lost, both links are
 * good, of which one is used. */
Test(email, came_twice)
{
    loses = true;
    FINE(set(ana, "ana@example.org"));
    settled();
    loses = false;
    for (int i = 0; i < 10 && count == 1; i++)
        test_client_wait(&d, 60000);
    cr_assert_eq(settled(), 2);
    cr_assert_neq(strcmp(mails[0].link, mails[1].link), 0);
    FINE(use("account.email.confirm", mails[0].link));
    REASON(use("account.email.confirm", mails[1].link), "link_used");
    REASON(use("account.email.confirm", mails[0].link), "link_used");
}

/* Whatever the store fails at, each mail comes in the end, once, and no more than
 * may. */
Test(email, store_fails)
{
    d.world.fail_per_1000 = d.world.deaf_per_1000 = 300;
    for (int i = 0; i < 40; i++) {
        json_t *answer = set(ana, "ana@example.org");
        if (test_client_reason(answer)[0] == '\0')
            break;
        test_client_wait(&d, 1000);
    }
    for (int i = 0; i < 60; i++) {
        test_client_wait(&d, 60000);
        (void)test_client_ask(&d, ana, "account.email.send", NULL);
        test_client_settle(&d);
    }
    cr_assert_geq(settled(), 1);
    cr_assert_leq(count, 2, "an hour has gone by");
    d.world.fail_per_1000 = d.world.deaf_per_1000 = 0;
    test_client_settle(&d);
    FINE(use("account.email.confirm", mails[count - 1].link));
    test_client_wait(&d, 600000);
    cr_assert_eq(d.world.disk.message_count, 0);
}

/* ---- how many ----------------------------------------------------------------- */

/* One in an hour and three in a day go to an address, whoever asks, from wherever
 * and under whatever spelling; the answer is always the same. */
Test(email, flood_of_confirmations)
{
    char name[32];

    for (int hour = 0; hour < 24; hour++) {
        for (int i = 0; i < 2; i++) {
            peer_id p = test_client_come(&d, 0);
            snprintf(name, sizeof(name), "u%d-%d", hour, i);
            FINE(test_client_ask(&d, p, "account.register", "{s:s,s:s,s:s}",
                                 "name", name, "password", "password", "email",
                                 i ? "Victim@example.org"
                                   : "victim@Example.org"));
            FINE(test_client_ask(&d, p, "account.email.send", NULL));
        }
        settled();
        cr_assert_leq(count, (size_t)hour + 1);
        test_client_wait(&d, HOUR - 20000);
    }
    cr_assert_eq(settled(), LIMIT_MAILED_DAY);
}

/* P asks for as many mails as its source may cause in a day. */
static void flood(peer_id p)
{
    char email[32];

    for (int i = 0; i < LIMIT_MAILS_DAY; i++) {
        snprintf(email, sizeof(email), "u%d@example.org", i);
        test_client_wait(&d, 20000);
        FINE(forgot(p, email));
    }
}

/* From one address of the network come as many mails a day as the limit says;
 * then asking is refused, registering is not, and from another it goes on. */
Test(email, flood_from_one_source)
{
    peer_id p = test_client_come(&d, 4711);

    flood(p);
    test_client_wait(&d, 60000);
    REASON(forgot(p, "one@example.org"), "rate_limited");
    test_client_wait(&d, 60000);
    REASON(forgot(test_client_come(&d, 4711), "one@example.org"),
           "rate_limited");
    FINE(test_client_ask(&d, test_client_come(&d, 4711), "account.register",
                         "{s:s,s:s,s:s}", "name", "dan", "password",
                         "password", "email", "dan@example.org"));
    cr_assert_eq(settled(), 0, "no mail came of any of it");
    FINE(forgot(test_client_come(&d, 4712), "one@example.org"));
    test_client_wait(&d, DAY / LIMIT_MAILS_DAY);
    FINE(forgot(p, "one@example.org"));
}

/* Nor does it help to hang up for a while. */
Test(email, flood_of_one_that_goes)
{
    peer_id p = test_client_come(&d, 4711);

    flood(p);
    hub_close(d.world.hub, p, d.world.now_ms);
    test_client_wait(&d, 300000);
    REASON(forgot(test_client_come(&d, 4711), "one@example.org"),
           "rate_limited");
}

/* ---- never -------------------------------------------------------------------- */

/* Who says never gets nothing more, asked for by anybody, of any kind, and what
 * was sent before is good for nothing; the operator can allow it again.  That
 * takes the link of that mail: nobody can make one. */
Test(email, never)
{
    struct peer_info info = {.source = 1, .direct = true, .admin = true};
    peer_id ben = owner("ben", "fam@example.org"), admin = ++d.peers;

    hub_open(d.world.hub, admin, &info, d.world.now_ms);
    test_client_wait(&d, HOUR);
    FINE(set(ana, "Fam@example.org"));
    struct mail m = *last();
    size_t so_far = count;
    char forged[600];
    snprintf(forged, sizeof(forged), "%s", m.refuse);
    forged[strlen(forged) - 1] ^= 1;
    REASON(use("account.email.never", forged), "no_such_link");
    snprintf(forged, sizeof(forged), "%s", m.refuse);
    strchr(forged, '#')[8] ^= 1;
    REASON(use("account.email.never", forged), "no_such_link");
    REASON(use("account.email.never", m.link), "no_such_link");
    REASON(use("account.email.never", "/"), "invalid_params");
    has(ben, "fam@example.org", true, "");
    FINE(use("account.email.never", m.refuse));
    FINE(use("account.email.never", m.refuse));
    has(ben, "fam@example.org", false, "");
    REASON(use("account.email.confirm", m.link), "no_such_link");
    test_client_wait(&d, HOUR);
    FINE(test_client_ask(&d, ana, "account.email.send", NULL));
    FINE(test_client_ask(&d, ben, "account.email.send", NULL));
    FINE(forgot(ana, "fam@example.org"));
    cr_assert_eq(settled(), so_far);
    FINE(test_client_ask(&d, admin, "admin.mail.allow", "{s:s}", "email",
                         "FAM@example.org"));
    REASON(test_client_ask(&d, admin, "admin.mail.allow", "{s:s}", "email",
                           "FAM@example.org"),
           "mail_allowed");
    FINE(test_client_ask(&d, ben, "account.email.send", NULL));
    cr_assert_eq(settled(), so_far + 1);
}

/* Neither is a mail sent that waited while its reader said so. */
Test(email, never_while_it_waits)
{
    FINE(set(ana, "ana@example.org"));
    struct mail m = *last();
    test_client_wait(&d, HOUR);
    refuses = true;
    FINE(test_client_ask(&d, ana, "account.email.send", NULL));
    settled();
    FINE(use("account.email.never", m.refuse));
    refuses = false;
    for (int i = 0; i < 20; i++)
        test_client_wait(&d, 600000);
    cr_assert_eq(settled(), 1);
    cr_assert_eq(d.world.disk.message_count, 0);
}

/* ---- a new password ------------------------------------------------------------- */

/* A link that is good for an hour, once, sets the password and ends all
 * sessions; it logs nobody in. */
Test(email, reset)
{
    peer_id ben = owner("ben", "ben@example.org");

    FINE(forgot(test_client_come(&d, 0), "BEN@example.org"));
    const struct mail *m = last();
    cr_assert_eq(m->mail, ACCOUNT_MAIL_RESET);
    cr_assert_str_eq(m->to, "ben@example.org");
    cr_assert_str_eq(m->account, "ben");
    cr_assert_eq(strncmp(m->link, "https://games.example/#reset/", 29), 0);
    json_t *answer = use("account.link", m->link);
    FINE(answer);
    cr_assert_str_eq(test_client_text(answer, "purpose"), "reset");
    cr_assert_str_eq(test_client_text(answer, "email"), "ben@example.org");
    cr_assert_eq(json_array_size(test_client_member(answer, "users")), 1);
    REASON(reset(m->link, "ana"), "no_such_link");
    answer = reset(m->link, NULL);
    FINE(answer);
    cr_assert_null(test_client_member(answer, "token"));
    cr_assert(d.cut[ben]);
    REASON(log_in("ben", "password"), "bad_credentials");
    FINE(log_in("ben", "drowssap"));
    REASON(reset(m->link, NULL), "link_used");
    REASON(use("account.link", m->link), "link_used");
}

/* Where several accounts have the address one says which; it is for one. */
Test(email, reset_of_several)
{
    (void)owner("ben", "fam@example.org");
    test_client_wait(&d, HOUR);
    (void)owner("cid", "fam@example.org");
    FINE(forgot(test_client_come(&d, 0), "fam@example.org"));
    const struct mail *m = last();
    cr_assert_str_eq(m->account, "");
    json_t *answer = reset(m->link, NULL);
    REASON(answer, "which_user");
    const json_t *data = json_object_get(json_object_get(answer, "error"),
                                         "data");
    cr_assert_eq(json_array_size(json_object_get(data, "names")), 2);
    REASON(reset(m->link, "ana"), "no_such_link");
    FINE(reset(m->link, "CID"));
    REASON(log_in("cid", "password"), "bad_credentials");
    FINE(log_in("ben", "password"));
    REASON(reset(m->link, "ben"), "link_used");
}

/* It is over after an hour, when a newer one was sent, when the address is that
 * of nobody any more; and none is sent for one that is not confirmed. */
Test(email, reset_over)
{
    peer_id ben = owner("ben", "ben@example.org");

    FINE(forgot(ana, "ben@example.org"));
    struct mail first = *last();
    test_client_wait(&d, LIMIT_RESET_MAIL_MS);
    REASON(reset(first.link, NULL), "link_expired");
    FINE(forgot(ana, "ben@example.org"));
    struct mail second = *last();
    REASON(reset(first.link, NULL), "no_such_link");
    FINE(set(ben, NULL));
    REASON(reset(second.link, NULL), "no_such_link");
    FINE(log_in("ben", "password"));
    size_t so_far = settled();
    FINE(set(ana, "ana@example.org"));
    FINE(forgot(ana, "ana@example.org"));
    cr_assert_eq(settled(), so_far + 1, "only what asks for it");
    cr_assert_eq(mails[count - 1].mail, ACCOUNT_MAIL_CONFIRM);
}

/* A mail that could not leave within the hour does not leave later. */
Test(email, reset_too_late)
{
    (void)owner("ben", "ben@example.org");
    size_t so_far = count;

    refuses = true;
    FINE(forgot(ana, "ben@example.org"));
    settled();
    for (int i = 0; i < 70; i++)
        test_client_wait(&d, 60000);
    refuses = false;
    for (int i = 0; i < 20; i++)
        test_client_wait(&d, 600000);
    cr_assert_eq(settled(), so_far);
    cr_assert_eq(d.world.disk.message_count, 0);
}

/* The answer is the same whether anybody has the address or not, comes before
 * anything is looked up, and as much is stored and asked behind it but for the
 * mail itself; three a day, as many as one asks. */
Test(email, reset_tells_nothing)
{
    size_t handled[2];
    char *texts[2];

    (void)owner("ben", "ben@example.org");
    test_client_settle(&d);
    for (int i = 0; i < 2; i++) {
        peer_id p = test_client_come(&d, 0);
        size_t before = d.world.handled;
        int id = test_client_send(&d, p, "account.reset.send",
                                  json_pack("{s:s}", "email",
                                            i ? "ben@example.org"
                                              : "nob@example.org"));
        json_t *answer = test_client_answer(&d, id);
        cr_assert_not_null(answer, "not at once");
        cr_assert_eq(d.world.handled, before, "something was looked up");
        texts[i] = json_dumps(json_object_get(answer, "result"), 0);
        test_client_settle(&d);
        handled[i] = d.world.handled - before;
    }
    cr_assert_str_eq(texts[0], texts[1]);
    cr_assert_eq(handled[0], handled[1], "%zu %zu", handled[0], handled[1]);
    free(texts[0]);
    free(texts[1]);
    size_t so_far = settled();
    for (int i = 0; i < 30; i++) {
        test_client_wait(&d, HOUR / 2);
        FINE(forgot(ana, "ben@example.org"));
        settled();
    }
    cr_assert_eq(settled(), so_far + LIMIT_MAILED_DAY - 1);
}

/* Guessing a link is as slow as guessing a password, by each way to try one. */
Test(email, guesses)
{
    static const char *const methods[] = {
        "account.reset",
        "account.link",
        "account.email.confirm",
        "account.email.never",
    };

    for (size_t m = 0; m < sizeof(methods) / sizeof(methods[0]); m++) {
        bool slowed = false;
        for (int i = 0; i <= LIMIT_FAILED_BURST; i++) {
            json_t *params = json_pack("{s:s}", "code", "guessed");
            if (m == 0)
                json_object_set_new(params, "password",
                                    json_string("password"));
            json_t *answer =
                test_client_ask_json(&d, test_client_come(&d, 100 + m),
                                     methods[m], params);
            slowed = strcmp(test_client_reason(answer), "rate_limited") == 0;
        }
        cr_assert(slowed, "%s", methods[m]);
    }
}

/* ---- devices -------------------------------------------------------------------- */

/* A log-in from a device that the account was not used on is told, with where it
 * came from; one from a known device is not, nor another account's. */
Test(email, devices)
{
    peer_id p = test_client_come(&d, 0);
    json_t *answer = test_client_ask(&d, p, "account.register",
                                     "{s:s,s:s,s:s}", "name", "ben",
                                     "password", "password", "email",
                                     "ben@example.org");
    char first[64], second[64];
    FINE(answer);
    snprintf(first, sizeof(first), "%s", test_client_text(answer, "device"));
    cr_assert_eq(strlen(first), 32);
    FINE(use("account.email.confirm", last()->link));
    size_t so_far = count;
    answer = test_client_ask(&d, test_client_come(&d, 0), "session.login",
                             "{s:s,s:s,s:s}", "name", "ben", "password",
                             "password", "device", first);
    FINE(answer);
    cr_assert_null(test_client_member(answer, "device"));
    cr_assert_eq(settled(), so_far);
    answer = log_in("ben", "password");
    FINE(answer);
    snprintf(second, sizeof(second), "%s", test_client_text(answer, "device"));
    const struct mail *m = last();
    cr_assert_eq(count, so_far + 1);
    cr_assert_eq(m->mail, ACCOUNT_MAIL_DEVICE);
    cr_assert_str_eq(m->to, "ben@example.org");
    cr_assert_str_eq(m->account, "ben");
    answer = test_client_ask(&d, test_client_come(&d, 0), "session.login",
                             "{s:s,s:s,s:s}", "name", "ben", "password",
                             "password", "device", second);
    FINE(answer);
    cr_assert_null(test_client_member(answer, "device"));
    cr_assert_eq(settled(), so_far + 1);
    for (size_t i = 0; i < d.world.disk.device_count; i++)
        cr_assert_neq(memcmp(d.world.disk.devices[i].hash, first, 32), 0);
}

/* Who logs in again and again without a device is told so often a day. */
Test(email, devices_without_end)
{
    (void)owner("ben", "ben@example.org");
    size_t so_far = count;

    for (int i = 0; i < LIMIT_DEVICE_MAILS_DAY + 5; i++)
        FINE(log_in("ben", "password"));
    cr_assert_eq(settled(), so_far + LIMIT_DEVICE_MAILS_DAY);
    cr_assert_leq(d.world.disk.device_count, LIMIT_DEVICES + 2);
}
