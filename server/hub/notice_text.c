/* notice_text.c -- what a delivery says.
 *
 * A mail is a list of blocks, which are written once as plain text and once as
 * HTML, so the two never differ. */

#include "notice_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/utf8.h"
#include "notice_words.h"
#include "url.h"

#define LINE_MAX_BYTES 2048 /* names are 24 bytes, and of few */
#define NAMES_SHOWN    4
#define LINES_SHOWN    5 /* of a short body */
#define BLOCKS_EXTRA   16
#define DAY_S          86400

/* ---- what people wrote ------------------------------------------------ */

/* TEXT with a space for each character that does more than show itself. */
static const char *clean(struct region *r, const char *text)
{
    char *copy = region_copy(r, text != NULL ? text : ""), *to = copy;
    size_t left = strlen(copy);

    for (const char *at = copy; left > 0;) {
        uint32_t code = 0;
        size_t n = utf8_read(at, left, &code), skip = n > 0 ? n : 1;
        if (n > 0 && utf8_printable(code)) {
            memmove(to, at, n);
            to += n;
        } else {
            *to++ = ' ';
        }
        at += skip;
        left -= skip;
    }
    *to = '\0';
    return copy;
}

/* ---- lines ------------------------------------------------------------ */

static const char *number_text(struct region *r, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof(text), "%" PRIu64, number);
    return region_copy(r, text);
}

/* WORDS with ARGS in R. */
static const char *say(struct region *r, const struct delivery *d,
                       enum words words, const struct words_arg *args)
{
    char line[LINE_MAX_BYTES];
    struct sbuf s = sbuf_in(line, sizeof(line));

    words_put(&s, language_find(d->language), words, args);
    return region_copy(r, line);
}

/* One of two by COUNT; NAME_ONE stands before NAME. */
static const char *say_count(struct region *r, const struct delivery *d,
                             enum words one, size_t count)
{
    bool single = count == 1 ||
                  (count == 0 && language_find(d->language) == LANGUAGE_FR);

    return say(r, d, single ? one : (enum words)(one + 1),
               WORDS_ARGS({"count", number_text(r, count)}));
}

/* "Anna, Ben and Carl"; "" for nobody. */
static const char *say_names(struct region *r, const struct delivery *d,
                             const struct delivery_item *item)
{
    char line[LINE_MAX_BYTES] = "";
    struct sbuf s = sbuf_in(line, sizeof(line));
    size_t n = item->name_count;
    bool all = n <= NAMES_SHOWN;
    size_t listed = all ? (n > 0 ? n - 1 : 0) : NAMES_SHOWN - 1;

    if (n == 0)
        return "";
    for (size_t i = 0; i < (n == 1 ? 1 : listed); i++) {
        sbuf_puts(&s, i > 0 ? ", " : "");
        sbuf_puts(&s, clean(r, item->names[i]));
    }
    if (n == 1)
        return region_copy(r, line);
    const char *first = region_copy(r, line);
    if (!all)
        return say(r, d, WORDS_NAMES_MORE,
                   WORDS_ARGS({"names", first},
                              {"count", number_text(r, n - listed)}));
    return say(r, d, WORDS_NAMES_AND,
               WORDS_ARGS({"names", first},
                          {"name", clean(r, item->names[n - 1])}));
}

const char *notice_table_text(struct region *r, const struct delivery *d,
                              const struct delivery_item *item)
{
    if (item->table == 0) /* their account */
        return clean(r, d->server);
    const char *game = item->game != NULL ? clean(r, item->game)
                                          : say(r, d, WORDS_NO_GAME, NULL);
    const char *names = say_names(r, d, item);

    if (names[0] == '\0')
        return game;
    return say(r, d, WORDS_TABLE,
               WORDS_ARGS({"game", game}, {"names", names}));
}

/* The civil date of DAYS after 1 January 1970, after Howard Hinnant's
 * "chrono-compatible low-level date algorithms": eras of 400 years, years that
 * begin in March. */
static void civil(int64_t days, int *ret_month, int *ret_day)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t month = (5 * doy + 2) / 153;

    *ret_day = (int)(doy - (153 * month + 2) / 5 + 1);
    *ret_month = (int)(month < 10 ? month + 3 : month - 9);
}

/* AT_MS on a clock OFFSET_S east of Greenwich, which is that of ZONE. */
static const char *say_time(struct region *r, const struct delivery *d,
                            int64_t at_ms, int32_t offset_s, const char *zone)
{
    int64_t at_s = at_ms / 1000 + offset_s;
    int64_t days = (at_s - (at_s % DAY_S + DAY_S) % DAY_S) / DAY_S;
    int64_t minutes = (at_s - days * DAY_S) / 60;
    int month, day;
    char clock[16];

    civil(days, &month, &day);
    snprintf(clock, sizeof(clock), "%02d:%02d", (int)(minutes / 60),
             (int)(minutes % 60));
    /* 1 January 1970 was a Thursday. */
    int weekday = (int)(((days + 3) % 7 + 7) % 7);
    return say(
        r, d, WORDS_TIME,
        WORDS_ARGS({"weekday",
                    say(r, d, (enum words)(WORDS_MONDAY + weekday), NULL)},
                   {"day", number_text(r, (uint64_t)day)},
                   {"month",
                    say(r, d, (enum words)(WORDS_JANUARY + month - 1), NULL)},
                   {"clock", clock}, {"zone", clean(r, zone)}));
}

#define KIND(name, word) [NOTICE_##name] = WORDS_KIND_##name,
static const enum words kinds[NOTICE_KINDS] = {NOTICE_KINDS_ALL(KIND)};
#undef KIND

/* What becomes of their own absence, without its full stop. */
static const char *say_own_absence(struct region *r, const struct delivery *d,
                                   const struct delivery_item *item)
{
    return say(r, d,
               item->detail == NOTICE_PLAIN  ? WORDS_AWAY_YOU
               : item->detail == NOTICE_BACK ? WORDS_BACK_YOU
                                             : WORDS_SPENT_YOU,
               NULL);
}

/* What happened, without its full stop. */
static const char *say_kind(struct region *r, const struct delivery *d,
                            const struct delivery_item *item)
{
    static const enum words by[NOTICE_KINDS] = {
        [NOTICE_INVITED] = WORDS_BY_INVITED,
        [NOTICE_SEATED] = WORDS_BY_SEATED,
        [NOTICE_UNSEATED] = WORDS_BY_UNSEATED,
        [NOTICE_REWOUND] = WORDS_BY_REWOUND,
        [NOTICE_MISS] = WORDS_BY_MISS,
        [NOTICE_ABSENCE] = WORDS_BY_ABSENCE,
        [NOTICE_VOTE] = WORDS_BY_VOTE,
    };

    ASSERT(item->kind < NOTICE_KINDS);
    if (item->kind == NOTICE_REMINDER && item->detail == NOTICE_LAST)
        return say(r, d, WORDS_LAST, NULL);
    if (item->kind == NOTICE_SEATED && item->detail == NOTICE_AGAIN)
        return say(r, d, WORDS_AGAIN, NULL);
    if (item->kind == NOTICE_UNSEATED && item->detail == NOTICE_EXPIRED)
        return say(r, d, WORDS_EXPIRED, NULL);
    if (item->kind == NOTICE_UNSEATED && item->detail == NOTICE_DECLINED)
        return item->by == NULL ? say(r, d, WORDS_DECLINED, NULL)
                                : say(r, d, WORDS_BY_DECLINED,
                                      WORDS_ARGS({"by", clean(r, item->by)}));
    if (item->kind == NOTICE_ABSENCE && item->table == 0)
        return say_own_absence(r, d, item);
    if (item->kind == NOTICE_ABSENCE && item->detail == NOTICE_BACK)
        return item->by == NULL ? say(r, d, WORDS_BACK, NULL)
                                : say(r, d, WORDS_BY_BACK,
                                      WORDS_ARGS({"by", clean(r, item->by)}));
    if (item->by != NULL && by[item->kind] != 0)
        return say(r, d, by[item->kind],
                   WORDS_ARGS({"by", clean(r, item->by)}));
    return say(r, d, kinds[item->kind], NULL);
}

const char *notice_item_text(struct region *r, const struct delivery *d,
                             const struct delivery_item *item)
{
    char line[LINE_MAX_BYTES];
    struct sbuf s = sbuf_in(line, sizeof(line));

    sbuf_puts(&s, say_kind(r, d, item));
    sbuf_putc(&s, '.');
    if (item->deadline_ms > 0) {
        const char *zone = d->zone != NULL ? d->zone : "UTC";
        const char *time = say_time(r, d, item->deadline_ms,
                                    d->zone != NULL ? item->offset_s : 0,
                                    zone);
        sbuf_putc(&s, ' ');
        sbuf_puts(&s, say(r, d, WORDS_UNTIL, WORDS_ARGS({"time", time})));
        sbuf_putc(&s, '.');
    }
    if (item->texts > 0) {
        sbuf_putc(&s, ' ');
        sbuf_puts(&s, say_count(r, d, WORDS_TEXTS_ONE, item->texts));
        sbuf_putc(&s, '.');
    }
    return region_copy(r, line);
}

/* ---- links ------------------------------------------------------------ */

static const char *say_url(struct region *r, const struct delivery *d,
                           const char *path, const char *rest)
{
    return d->url != NULL && d->url[0] != '\0'
               ? url_below(r, d->url, path, rest)
               : NULL;
}

const char *notice_item_url(struct region *r, const struct delivery *d,
                            const struct delivery_item *item)
{
    char id[ID_SIZE];

    if (item->table == 0)
        return say_url(r, d, "", "");
    id_write(item->table, id);
    return say_url(r, d, "#table/", id);
}

const char *notice_unsubscribe_url(struct region *r, const struct delivery *d)
{
    return d->unsubscribe != NULL
               ? say_url(r, d, "unsubscribe/", d->unsubscribe)
               : NULL;
}

/* ---- tables ----------------------------------------------------------- */

/* How many tables D tells of that are not among its first SHOWN items; of some it
 * tells more than one thing. */
static size_t count_tables(const struct delivery *d, size_t shown)
{
    size_t n = d->more;

    for (size_t i = shown; i < d->item_count; i++) {
        size_t k = 0;
        while (d->items[k].table != d->items[i].table)
            k++;
        n += k == i;
    }
    return n;
}

/* ---- subjects --------------------------------------------------------- */

static bool all_same(const struct delivery *d)
{
    for (size_t i = 1; i < d->item_count; i++)
        if (d->items[i].kind != d->items[0].kind)
            return false;
    return true;
}

/* What is said of several things of one table: rather what happened than that
 * there is something to read. */
static const struct delivery_item *main_item(const struct delivery *d)
{
    for (size_t i = 0; i < d->item_count; i++)
        if (d->items[i].kind != NOTICE_CHAT)
            return &d->items[i];
    return d->items;
}

static const char *account_subject(struct region *r, const struct delivery *d)
{
    static const enum words subjects[ACCOUNT_MAILS] = {
        [ACCOUNT_MAIL_CONFIRM] = WORDS_CONFIRM_SUBJECT,
        [ACCOUNT_MAIL_RESET] = WORDS_RESET_SUBJECT,
        [ACCOUNT_MAIL_CHANGED] = WORDS_CHANGED_SUBJECT,
        [ACCOUNT_MAIL_DEVICE] = WORDS_DEVICE_SUBJECT,
        [ACCOUNT_MAIL_TOTP] = WORDS_TOTP_SUBJECT,
    };

    ASSERT(d->account_mail < ACCOUNT_MAILS);
    return say(r, d, subjects[d->account_mail],
               WORDS_ARGS({"server", clean(r, d->server)}));
}

static const char *notices_subject(struct region *r, const struct delivery *d)
{
    if (d->item_count == 0)
        return say(r, d, WORDS_SUBJECT_SUMMARY, NULL);
    size_t tables = count_tables(d, 0);
    const struct delivery_item *first = main_item(d);
    if (tables == 1)
        return say(r, d, WORDS_SUBJECT,
                   WORDS_ARGS({"table", notice_table_text(r, d, first)},
                              {"what", say_kind(r, d, first)}));
    const char *count = number_text(r, tables);
    /* Whoever did it at one table did not at the others. */
    if (d->more == 0 && all_same(d))
        return say(r, d, WORDS_SUBJECT_TABLES,
                   WORDS_ARGS({"what",
                               say(r, d, kinds[d->items[0].kind], NULL)},
                              {"count", count}));
    return say(r, d, WORDS_SUBJECT_NEWS, WORDS_ARGS({"count", count}));
}

static const char *subject_text(struct region *r, const struct delivery *d)
{
    switch ((enum delivery_form)d->form) {
    case DELIVERY_NOTICES: break;
    case DELIVERY_DIGEST: return say(r, d, WORDS_SUBJECT_DIGEST, NULL);
    case DELIVERY_SUMMARY: return say(r, d, WORDS_SUBJECT_SUMMARY, NULL);
    case DELIVERY_ACCOUNT: return account_subject(r, d);
    case DELIVERY_TEST: return say(r, d, WORDS_SUBJECT_TEST, NULL);
    }
    return notices_subject(r, d);
}

/* ---- in short --------------------------------------------------------- */

/* A line for each table, up to a few of them. */
static const char *short_body(struct region *r, const struct delivery *d)
{
    char text[(LINES_SHOWN + 1) * LINE_MAX_BYTES];
    struct sbuf s = sbuf_in(text, sizeof(text));
    size_t n = d->item_count < LINES_SHOWN ? d->item_count : LINES_SHOWN;

    for (size_t i = 0; i < n; i++) {
        sbuf_puts(&s, i > 0 ? "\n" : "");
        sbuf_puts(&s, notice_table_text(r, d, &d->items[i]));
        sbuf_puts(&s, ": ");
        sbuf_puts(&s, notice_item_text(r, d, &d->items[i]));
    }
    size_t more = count_tables(d, n);
    if (more > 0) {
        sbuf_puts(&s, n > 0 ? "\n" : "");
        sbuf_puts(&s, say_count(r, d, WORDS_MORE_ONE, more));
    }
    return region_copy(r, text);
}

static void say_short(struct region *r, const struct delivery *d,
                      struct notice_text *t)
{
    bool one = d->form == DELIVERY_NOTICES && d->item_count + d->more == 1 &&
               d->item_count == 1;

    t->title = one ? notice_table_text(r, d, d->items) : t->subject;
    t->body = one                        ? notice_item_text(r, d, d->items)
              : d->form == DELIVERY_TEST ? say(r, d, WORDS_TEST, NULL)
                                         : short_body(r, d);
    t->url = one ? notice_item_url(r, d, d->items) : say_url(r, d, "", "");
    if (d->form == DELIVERY_ACCOUNT)
        t->url = d->link;
}

/* ---- mails ------------------------------------------------------------ */

struct block {
    const char *text; /* or NULL */
    const char *url;  /* or NULL */
    bool small, strong;
};

struct letter {
    struct region *region;
    const struct delivery *delivery;
    struct notice_text *text;
    struct block *blocks;
    size_t count;
};

static void add(struct letter *l, const char *text, const char *url)
{
    l->blocks[l->count++] = (struct block){.text = text, .url = url};
}

static void add_small(struct letter *l, const char *text, const char *url)
{
    l->blocks[l->count++] =
        (struct block){.text = text, .url = url, .small = true};
}

static void add_hello(struct letter *l)
{
    const struct delivery *d = l->delivery;
    bool named = d->account != NULL &&
                 (d->form != DELIVERY_ACCOUNT ||
                  d->account_mail != ACCOUNT_MAIL_CONFIRM);

    add(l,
        named ? say(l->region, d, WORDS_HELLO,
                    WORDS_ARGS({"account", clean(l->region, d->account)}))
              : say(l->region, d, WORDS_HELLO_YOU, NULL),
        NULL);
}

static void add_items(struct letter *l)
{
    const struct delivery *d = l->delivery;
    struct region *r = l->region;

    for (size_t i = 0; i < d->item_count; i++) {
        add(l, notice_table_text(r, d, &d->items[i]), NULL);
        l->blocks[l->count - 1].strong = true;
        add(l, notice_item_text(r, d, &d->items[i]),
            notice_item_url(r, d, &d->items[i]));
    }
    if (d->more > 0)
        add(l, say_count(r, d, WORDS_MORE_ONE, d->more),
            say_url(r, d, "", ""));
}

static void add_end(struct letter *l)
{
    const struct delivery *d = l->delivery;
    struct region *r = l->region;
    const char *stop = d->unsubscribe != NULL
                           ? say_url(r, d, "#unsubscribe/", d->unsubscribe)
                           : NULL;

    add_small(l,
              say(r, d, WORDS_WHY,
                  WORDS_ARGS({"server", clean(r, d->server)})),
              NULL);
    add_small(l, say(r, d, WORDS_SETTINGS, NULL),
              say_url(r, d, "#settings", ""));
    if (stop != NULL)
        add_small(l, say(r, d, WORDS_STOP, NULL), stop);
}

static void add_account(struct letter *l)
{
    const struct delivery *d = l->delivery;
    struct region *r = l->region;
    const struct words_arg *args =
        WORDS_ARGS({"server", clean(r, d->server)},
                   {"account", clean(r, d->account)},
                   {"time", say_time(r, d, d->now_ms, 0, "UTC")});

    switch ((enum account_mail)d->account_mail) {
    case ACCOUNT_MAIL_CONFIRM:
        add(l, say(r, d, WORDS_CONFIRM, args), NULL);
        add(l, say(r, d, WORDS_CONFIRM_LINK, NULL), d->link);
        if (d->refuse_link != NULL)
            add(l, say(r, d, WORDS_CONFIRM_REFUSE, NULL), d->refuse_link);
        break;
    case ACCOUNT_MAIL_RESET:
        add(l,
            say(r, d, d->account != NULL ? WORDS_RESET : WORDS_RESET_SEVERAL,
                args),
            NULL);
        add(l, say(r, d, WORDS_RESET_LINK, NULL), d->link);
        add(l, say(r, d, WORDS_RESET_NOT, NULL), NULL);
        break;
    case ACCOUNT_MAIL_CHANGED:
        add(l, say(r, d, WORDS_CHANGED, args), NULL);
        add(l, say(r, d, WORDS_CHANGED_NOT, NULL), say_url(r, d, "", ""));
        break;
    case ACCOUNT_MAIL_DEVICE:
        add(l, say(r, d, WORDS_DEVICE, args), NULL);
        if (d->address != NULL)
            add(l,
                say(r, d, WORDS_DEVICE_FROM,
                    WORDS_ARGS({"address", clean(r, d->address)})),
                NULL);
        add(l, say(r, d, WORDS_DEVICE_NOT, NULL),
            say_url(r, d, "#settings", ""));
        break;
    case ACCOUNT_MAIL_TOTP:
        add(l, say(r, d, WORDS_TOTP, args), NULL);
        add(l, say(r, d, WORDS_TOTP_NOT, NULL),
            say_url(r, d, "#settings", ""));
        break;
    case ACCOUNT_MAILS: break;
    }
}

static void compose(struct letter *l)
{
    const struct delivery *d = l->delivery;
    struct region *r = l->region;

    add_hello(l);
    if (d->form == DELIVERY_ACCOUNT) {
        add_account(l);
        return;
    }
    if (d->form == DELIVERY_DIGEST)
        add(l, say(r, d, WORDS_DIGEST, NULL), NULL);
    if (d->form == DELIVERY_SUMMARY)
        add(l, say(r, d, WORDS_SUMMARY, NULL), NULL);
    if (d->form == DELIVERY_TEST)
        add(l, say(r, d, WORDS_TEST, NULL), NULL);
    add_items(l);
    add_end(l);
}

/* ---- plain and HTML --------------------------------------------------- */

static void write_plain(struct sbuf *s, const struct letter *l)
{
    bool ended = false;

    for (size_t i = 0; i < l->count; i++) {
        const struct block *b = &l->blocks[i];
        if (b->small && !ended) {
            sbuf_puts(s, "-- \n"); /* by which readers know the end */
            ended = true;
        }
        sbuf_puts(s, b->text);
        sbuf_putc(s, '\n');
        if (b->url != NULL) {
            sbuf_puts(s, b->url);
            sbuf_putc(s, '\n');
        }
        if (!b->small && !b->strong)
            sbuf_putc(s, '\n');
    }
}

static void put_escaped(struct sbuf *s, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': sbuf_puts(s, "&amp;"); break;
        case '<': sbuf_puts(s, "&lt;"); break;
        case '>': sbuf_puts(s, "&gt;"); break;
        case '"': sbuf_puts(s, "&quot;"); break;
        case '\'': sbuf_puts(s, "&#39;"); break;
        default: sbuf_putc(s, *text);
        }
    }
}

static void write_block(struct sbuf *s, const struct block *b)
{
    sbuf_puts(s, b->small ? "<p style=\"font-size:small\">" : "<p>");
    sbuf_puts(s, b->strong ? "<strong>" : "");
    put_escaped(s, b->text);
    sbuf_puts(s, b->strong ? "</strong>" : "");
    if (b->url != NULL) {
        sbuf_puts(s, "<br>\n<a href=\"");
        put_escaped(s, b->url);
        sbuf_puts(s, "\">");
        put_escaped(s, b->url);
        sbuf_puts(s, "</a>");
    }
    sbuf_puts(s, "</p>\n");
}

/* Nothing is loaded from anywhere: no images, no styles, no tracking. */
static void write_html(struct sbuf *s, const struct letter *l)
{
    bool ended = false;

    sbuf_puts(s, "<!DOCTYPE html>\n<html lang=\"");
    sbuf_puts(s, l->text->language);
    sbuf_puts(s, "\">\n<head><meta charset=\"utf-8\"><title>");
    put_escaped(s, l->text->subject);
    sbuf_puts(s, "</title></head>\n<body>\n");
    for (size_t i = 0; i < l->count; i++) {
        if (l->blocks[i].small && !ended) {
            sbuf_puts(s, "<hr>\n");
            ended = true;
        }
        write_block(s, &l->blocks[i]);
    }
    sbuf_puts(s, "</body>\n</html>\n");
}

static const char *written(struct letter *l,
                           void (*write)(struct sbuf *s,
                                         const struct letter *l))
{
    struct sbuf s = sbuf_in(NULL, 0);

    write(&s, l);
    size_t size = s.len + 1;
    char *text = region_take(l->region, size);
    s = sbuf_in(text, size);
    write(&s, l);
    return text;
}

struct notice_text notice_text(struct region *r, const struct delivery *d)
{
    struct notice_text t = {
        .language = language_codes[language_find(d->language)],
        .subject = subject_text(r, d),
    };
    struct letter l = {.region = r, .delivery = d, .text = &t};

    say_short(r, d, &t);
    l.blocks = region_take(r, (2 * d->item_count + BLOCKS_EXTRA) *
                                  sizeof(*l.blocks));
    compose(&l);
    t.text = written(&l, write_plain);
    t.html = written(&l, write_html);
    return t;
}
