/* What notices say: whole in each language, of all kinds, and nothing in it
 * that people wrote can do more than be read. */

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "server/hub/notice_text.h"
#include "server/hub/notice_words.h"

static struct delivery_item an_item(enum notice_kind kind)
{
    static const char *const names[] = {"Zoé", "Ben"};

    return (struct delivery_item){
        .kind = (uint8_t)kind,
        .table = 7,
        .game = "Hacienda",
        .names = names,
        .name_count = 2,
    };
}

static struct delivery a_delivery(const char *language)
{
    return (struct delivery){
        .target = "ana@example.org",
        .id = 5,
        .language = language,
        .account = "ana",
        .server = "The club",
        .url = "https://club.example/games",
        .unsubscribe = "token",
    };
}

/* The names in braces within TEXT, one after the other. */
static void arguments(const char *text, char to[256])
{
    char *end = to;

    for (const char *at = strchr(text, '{'); at != NULL;
         at = strchr(at + 1, '{')) {
        const char *close = strchr(at, '}');
        size_t len = (size_t)(close + 1 - at);
        memcpy(end, at, len);
        end += len;
    }
    *end = '\0';
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_arguments(char text[256])
{
    char copy[256], *list[16], *save = NULL;
    size_t n = 0;

    strcpy(copy, text);
    for (char *word = strtok_r(copy, "{}", &save); word != NULL;
         word = strtok_r(NULL, "{}", &save))
        list[n++] = word;
    qsort(list, n, sizeof(*list), compare);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++)
        strcat(strcat(text, list[i]), " ");
}

/* Every entry of the catalogue is there in each language, with the same
 * arguments, and is not English in French. */
Test(notice_text, catalogue)
{
    static const enum words same[] = {WORDS_TABLE, WORDS_SUBJECT,
                                      WORDS_SUBJECT_TABLES};

    for (enum words w = 0; w < WORDS_COUNT; w++) {
        const char *en = words_raw(LANGUAGE_EN, w);
        const char *fr = words_raw(LANGUAGE_FR, w);
        char of_en[256], of_fr[256];
        bool may = false;

        cr_assert(en[0] != '\0' && fr[0] != '\0', "%d", w);
        arguments(en, of_en);
        arguments(fr, of_fr);
        sort_arguments(of_en);
        sort_arguments(of_fr);
        cr_assert_str_eq(of_en, of_fr, "%s", en);
        for (size_t i = 0; i < COUNT_OF(same); i++)
            may = may || same[i] == w;
        cr_assert(may || strcmp(en, fr) != 0, "%s", en);
    }
}

static void check_shown(const struct notice_text *t)
{
    const char *const all[] = {t->subject, t->title, t->body, t->text,
                               t->html};

    for (size_t i = 0; i < COUNT_OF(all); i++) {
        cr_assert(all[i] != NULL && all[i][0] != '\0', "%zu", i);
        cr_assert(strpbrk(all[i], "{}") == NULL, "%s", all[i]);
    }
    cr_assert(strpbrk(t->subject, "\r\n") == NULL);
    cr_assert(strpbrk(t->title, "\r\n") == NULL);
}

/* Each form, kind and mail can be said in each language, and no argument's name
 * is shown instead of what it stands for. */
Test(notice_text, everything_said)
{
    static const char *const languages[] = {"en", "fr", "xx", NULL};
    struct region r = {0};

    for (size_t l = 0; l < COUNT_OF(languages); l++) {
        for (int form = 0; form <= DELIVERY_TEST; form++) {
            for (int kind = 0; kind < NOTICE_KINDS * 2; kind++) {
                struct delivery d = a_delivery(languages[l]);
                struct delivery_item items[3];
                for (int i = 0; i < 3; i++)
                    items[i] = an_item(
                        (enum notice_kind)((kind + i) % NOTICE_KINDS));
                items[0].by = kind < NOTICE_KINDS ? "Ben" : NULL;
                items[0].deadline_ms = 1;
                d.form = (uint8_t)form;
                d.items = items;
                d.item_count = (size_t)kind % 4;
                d.more = (size_t)kind % 3;
                d.account_mail = (uint8_t)(kind % ACCOUNT_MAILS);
                d.link = d.refuse_link = "https://club.example/#reset/x";
                d.address = kind % 2 ? "192.0.2.1" : NULL;
                struct notice_text t = notice_text(&r, &d);
                if (form == DELIVERY_NOTICES && d.item_count + d.more == 0)
                    t.body = "nothing happened at all";
                if (form == DELIVERY_DIGEST || form == DELIVERY_SUMMARY ||
                    form == DELIVERY_ACCOUNT)
                    t.body = "may be empty";
                check_shown(&t);
            }
        }
    }
    region_done(&r);
}

/* One notice says game, people, what, until when by their own clock, and how
 * many texts there are: and where, and how to have no more of it. */
Test(notice_text, one)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_TURN);

    item.deadline_ms = INT64_C(1795545000000); /* 2026-11-24 18:30 UTC */
    item.offset_s = 3600;
    item.texts = 3;
    d.zone = "Europe/Paris";
    d.items = &item;
    d.item_count = 1;
    struct notice_text t = notice_text(&r, &d);
    cr_assert_str_eq(t.subject, "Hacienda with Zoé and Ben – It is your turn");
    cr_assert_str_eq(t.title, "Hacienda with Zoé and Ben");
    cr_assert_str_eq(t.body,
                     "It is your turn. Until Tuesday 24 November, 19:30 "
                     "(Europe/Paris). 3 texts that you have not read.");
    cr_assert_str_eq(t.url, "https://club.example/games/#table/aaaaaaaaaaaah");
    cr_assert_str_eq(
        t.text,
        "Hello ana,\n\n"
        "Hacienda with Zoé and Ben\n"
        "It is your turn. Until Tuesday 24 November, 19:30 (Europe/Paris). "
        "3 texts that you have not read.\n"
        "https://club.example/games/#table/aaaaaaaaaaaah\n\n"
        "-- \n"
        "The club sends you this because you have an account there.\n"
        "What you are told, and where:\n"
        "https://club.example/games/#settings\n"
        "No more mails of this kind:\n"
        "https://club.example/games/#unsubscribe/token\n");
    d.language = "fr";
    t = notice_text(&r, &d);
    cr_assert_str_eq(t.language, "fr");
    cr_assert_str_eq(t.body,
                     "C’est à vous de jouer. Jusqu’au mardi 24 novembre à "
                     "19:30 (Europe/Paris). 3 messages que vous n’avez pas "
                     "lus.");
    region_done(&r);
}

/* What there is besides the kind is said: how late it is, who is away or back, and
 * what becomes of one's own absence. */
Test(notice_text, details)
{
    static const struct {
        int kind, detail;
        id_num table;
        const char *by, *text;
    } cases[] = {
        {NOTICE_REMINDER, NOTICE_PLAIN, 7, NULL, "It is still your turn."},
        {NOTICE_REMINDER, NOTICE_LAST, 7, NULL, "Your time is nearly up."},
        {NOTICE_ABSENCE, NOTICE_PLAIN, 7, "Ben", "Ben is away."},
        {NOTICE_SEATED, NOTICE_AGAIN, 7, NULL,
         "Somebody never came: a new table takes the place of your game."},
        {NOTICE_UNSEATED, NOTICE_DECLINED, 7, "Ben",
         "Ben declines your invitation."},
        {NOTICE_UNSEATED, NOTICE_DECLINED, 7, NULL,
         "Your invitation is declined."},
        {NOTICE_UNSEATED, NOTICE_EXPIRED, 7, "Ben",
         "An invitation of yours has ended without an answer."},
        {NOTICE_ABSENCE, NOTICE_BACK, 7, "Ben", "Ben is back."},
        {NOTICE_ABSENCE, NOTICE_BACK, 7, NULL, "Somebody is back."},
        {NOTICE_ABSENCE, NOTICE_PLAIN, 0, NULL,
         "You are away now instead of missing a turn, as you had wished."},
        {NOTICE_ABSENCE, NOTICE_BACK, 0, NULL,
         "Your absence is over, and your clocks run again."},
        {NOTICE_ABSENCE, NOTICE_SPENT, 0, NULL,
         "Your absence is over, your clocks run again, and no day of absence "
         "is left this year."},
    };
    struct region r = {0};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct delivery d = a_delivery("en");
        struct delivery_item item = an_item((enum notice_kind)cases[i].kind);
        item.table = cases[i].table;
        item.detail = (uint8_t)cases[i].detail;
        item.by = cases[i].by;
        d.items = &item;
        d.item_count = 1;
        cr_assert_str_eq(notice_text(&r, &d).body, cases[i].text);
    }
    region_done(&r);
}

/* Without a zone it is UTC, whatever the offset; dates are right before 1970,
 * on leap days and at the ends of years. */
Test(notice_text, dates)
{
    static const struct {
        int64_t at_ms;
        const char *until;
    } cases[] = {
        {INT64_C(1709209800000), "Until Thursday 29 February, 12:30 (UTC)"},
        {INT64_C(1798761599999), "Until Thursday 31 December, 23:59 (UTC)"},
        {INT64_C(1798761600000), "Until Friday 1 January, 00:00 (UTC)"},
        {INT64_C(4107542400000), "Until Monday 1 March, 00:00 (UTC)"},
        {1, "Until Thursday 1 January, 00:00 (UTC)"},
    };
    struct region r = {0};
    struct delivery d = a_delivery("en");

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct delivery_item item = an_item(NOTICE_TURN);
        item.deadline_ms = cases[i].at_ms;
        item.offset_s = 7200;
        const char *text = notice_item_text(&r, &d, &item);
        cr_assert(strstr(text, cases[i].until) != NULL, "%s", text);
    }
    region_done(&r);
}

/* Of many tables a short message names a few and counts the rest. */
Test(notice_text, many)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item items[9];

    for (size_t i = 0; i < COUNT_OF(items); i++) {
        items[i] = an_item(NOTICE_TURN);
        items[i].table = 7 + i;
    }
    d.items = items;
    d.item_count = COUNT_OF(items);
    d.more = 2;
    struct notice_text t = notice_text(&r, &d);
    cr_assert_str_eq(t.subject, "News from 11 tables");
    cr_assert(strstr(t.body, "\nAnd 6 more tables.") != NULL, "%s", t.body);
    d.more = 0;
    t = notice_text(&r, &d);
    cr_assert_str_eq(t.subject, "It is your turn – 9 tables");
    items[1].kind = NOTICE_FINISHED;
    cr_assert_str_eq(notice_text(&r, &d).subject, "News from 9 tables");
    cr_assert_str_eq(t.url, "https://club.example/games/");
    region_done(&r);
}

/* Several things of one table are one table, also among others; what concerns the
 * account is of none. */
Test(notice_text, more_than_one_of_a_table)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item items[] = {
        an_item(NOTICE_CHAT), an_item(NOTICE_TURN), an_item(NOTICE_CHAT),
        an_item(NOTICE_TURN), an_item(NOTICE_CHAT), an_item(NOTICE_TURN)};

    d.items = items;
    d.item_count = 2;
    cr_assert_str_eq(notice_text(&r, &d).subject,
                     "Hacienda with Zoé and Ben – It is your turn");
    d.item_count = COUNT_OF(items);
    items[2].table = items[3].table = 8;
    items[4].table = 9;
    items[5].table = 10;
    struct notice_text t = notice_text(&r, &d);
    cr_assert_str_eq(t.subject, "News from 4 tables");
    cr_assert(strstr(t.body, "\nAnd 1 more table.") != NULL, "%s", t.body);
    items[5].table = 9;
    t = notice_text(&r, &d);
    cr_assert(strstr(t.body, "more table") == NULL, "%s", t.body);
    items[0] = (struct delivery_item){.kind = NOTICE_ACCOUNT};
    d.item_count = 1;
    cr_assert_str_eq(notice_text(&r, &d).subject,
                     "The club – Something has changed in your account");
    region_done(&r);
}

static void check_names(size_t count, const char *wanted)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_TURN);

    item.names = names;
    item.name_count = count;
    cr_assert_str_eq(notice_table_text(&r, &d, &item), wanted);
    region_done(&r);
}

/* A few people are named, of more the number is. */
Test(notice_text, names)
{
    check_names(0, "Hacienda");
    check_names(1, "Hacienda with A");
    check_names(2, "Hacienda with A and B");
    check_names(4, "Hacienda with A, B, C and D");
    check_names(6, "Hacienda with A, B, C and 3 more");
}

/* What people are called is neither HTML nor another line, turns no writing
 * around, and braces in it are no arguments. */
Test(notice_text, hostile_names)
{
    static const char *const names[] = {"<b onclick='x'>&\"", "a\r\nBcc: b@c",
                                        "\xe2\x80\xae{by}\xc2\x85"};
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_INVITED);

    item.names = names;
    item.name_count = 3;
    item.by = names[2];
    d.account = names[0];
    d.items = &item;
    d.item_count = 1;
    struct notice_text t = notice_text(&r, &d);
    cr_assert(strpbrk(t.subject, "\r\n") == NULL, "%s", t.subject);
    cr_assert(strstr(t.text, "\nBcc") == NULL, "%s", t.text);
    cr_assert(strstr(t.text, "\xe2\x80\xae") == NULL);
    cr_assert(strstr(t.text, "\xc2\x85") == NULL);
    cr_assert(strstr(t.text, " {by}  invites you.") != NULL, "%s", t.text);
    cr_assert(strstr(t.html, "<b ") == NULL, "%s", t.html);
    cr_assert(strstr(t.html, "&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;") !=
              NULL);
    region_done(&r);
}

/* What asks whether an address is somebody's has no word in it that people
 * wrote, as it may be sent to anybody. */
Test(notice_text, confirmation_has_our_words_alone)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");

    d.form = DELIVERY_ACCOUNT;
    d.account_mail = ACCOUNT_MAIL_CONFIRM;
    d.account = "buy-pills";
    d.link = "https://club.example/#confirm/x";
    d.refuse_link = "https://club.example/#refuse/y";
    struct notice_text t = notice_text(&r, &d);
    cr_assert(strstr(t.text, "buy-pills") == NULL, "%s", t.text);
    cr_assert(strstr(t.html, "buy-pills") == NULL);
    cr_assert(strstr(t.subject, "buy-pills") == NULL);
    cr_assert(strstr(t.text, d.link) != NULL);
    cr_assert(strstr(t.text, d.refuse_link) != NULL);
    region_done(&r);
}

/* An address of the server that ends with a slash has one in links, not two. */
Test(notice_text, url_with_slash)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_TURN);

    d.url = "https://club.example/games/";
    d.items = &item;
    d.item_count = 1;
    cr_assert_str_eq(notice_text(&r, &d).url,
                     "https://club.example/games/#table/aaaaaaaaaaaah");
    region_done(&r);
}

/* Without an address of the server there is no link, and all the rest. */
Test(notice_text, no_url)
{
    struct region r = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_TURN);

    d.url = "";
    d.items = &item;
    d.item_count = 1;
    struct notice_text t = notice_text(&r, &d);
    cr_assert(t.url == NULL);
    cr_assert(strstr(t.text, "http") == NULL, "%s", t.text);
    cr_assert(strstr(t.html, "href") == NULL);
    region_done(&r);
}

/* A copy of a delivery is its own. */
Test(notice_text, copy)
{
    struct region r = {0}, s = {0};
    struct delivery d = a_delivery("en");
    struct delivery_item item = an_item(NOTICE_INVITED);

    item.by = "Ben";
    d.items = &item;
    d.item_count = 1;
    struct delivery copy = delivery_copy(&r, &d);
    struct notice_text wanted = notice_text(&s, &d);
    item = (struct delivery_item){0};
    d = (struct delivery){0};
    struct notice_text t = notice_text(&s, &copy);
    cr_assert_str_eq(t.text, wanted.text);
    region_done(&r);
    region_done(&s);
}
