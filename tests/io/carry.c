/* carry.c -- the courier by itself: a line of JSON is a configuration, a
 * delivery, or what a browser is pushed; what became of it is another.
 *
 *     {"config": {"mail_server": "smtp://localhost:2525", ...}}
 *     {"id": 1, "channel": "mail", "target": "a@b.c", ...}
 *     {"open": "BASE64"}                           what the browser reads
 *     {"pass": 1000}                               milliseconds go by
 *     {"end": true}
 *
 * The clock by which the courier and curl measure stands still but for that.
 *
 * For test_courier.py, which plays those whom it calls. */

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "server/io/courier.h"

#define NO_WAIT 2000 /* mails a second: less than a millisecond each */

static int wake_fds[2];
static int64_t passed_ms; /* atomic */

/* In place of libc's, for the libraries as well. */
int clock_gettime(clockid_t which, struct timespec *now)
{
    if (which == CLOCK_REALTIME)
        return (int)syscall(SYS_clock_gettime, which, now);
    int64_t ms = 1000000 + __atomic_load_n(&passed_ms, __ATOMIC_SEQ_CST);
    *now = (struct timespec){.tv_sec = (time_t)(ms / 1000),
                             .tv_nsec = (long)(ms % 1000) * 1000000};
    return 0;
}

static void on_wake(void *context)
{
    (void)context;
    (void)!write(wake_fds[1], "", 1);
}

static void on_done(void *context, uint64_t id,
                    const struct delivery_outcome *o)
{
    static const char *const results[] = {"done", "retry", "gone", "ours",
                                          "later"};

    (void)context;
    json_t *said = json_pack("{s:I,s:s,s:I,s:s}", "id", (json_int_t)id,
                             "result", results[o->result], "after",
                             (json_int_t)o->after_ms, "said", o->said);
    ASSERT(said != NULL);
    json_dumpf(said, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(said);
}

static const char *text_of(const json_t *o, const char *name)
{
    return json_string_value(json_object_get(o, name));
}

static void configure(struct courier *c, const json_t *o)
{
    json_int_t rate = json_integer_value(json_object_get(o, "mail_rate"));

    courier_configure(c, &(struct courier_config){
                             .mail_server = text_of(o, "mail_server"),
                             .mail_user = text_of(o, "mail_user"),
                             .mail_password = text_of(o, "mail_password"),
                             .mail_from = text_of(o, "mail_from"),
                             .mail_bounces = text_of(o, "mail_bounces"),
                             .mail_rate = rate > 0 ? (int)rate : NO_WAIT,
                             .allow = text_of(o, "allow"),
                             .authorities = text_of(o, "authorities"),
                             .contact = text_of(o, "contact"),
                         });
}

static void add(struct courier *c, const json_t *o)
{
    static const char *const channels[] = {"mail", "push", "webhook"};
    static const char *const forms[] = {"generic", "ntfy",  "gotify",
                                        "discord", "slack", "matrix"};
    static const char *const names[] = {"Zoé <b>", "@everyone"};
    struct delivery_item item = {
        .kind = NOTICE_TURN,
        .table = 7,
        .ply = 12,
        .game = "Hacienda",
        .names = names,
        .name_count = 2,
        .deadline_ms = json_integer_value(json_object_get(o, "deadline")),
    };
    struct delivery d = {
        .target = text_of(o, "target"),
        .secret = text_of(o, "secret"),
        .push_secret = "a secret of the server",
        .id = (id_num)json_integer_value(json_object_get(o, "id")),
        .language = "en",
        .account = "ana",
        .now_ms = 1795545000000,
        .server = "The club",
        .url = "https://club.example",
        .unsubscribe = "token",
        .items = &item,
        .item_count = 1,
        .challenge = text_of(o, "challenge"),
    };
    const char *channel = text_of(o, "channel"), *form = text_of(o, "form");

    for (int i = 0; i < CHANNELS; i++)
        if (strcmp(channel, channels[i]) == 0)
            d.channel = (uint8_t)i;
    for (int i = 0; form != NULL && i < WEBHOOK_FORMS; i++)
        if (strcmp(form, forms[i]) == 0)
            d.webhook = (uint8_t)i;
    if (d.challenge != NULL)
        d.form = DELIVERY_TEST;
    courier_add(c, d.id, &d);
}

/* ---- the browser of RFC 8291's example -------------------------------------- */

static void derive(const uint8_t *key, size_t key_len, const uint8_t *salt,
                   const void *info, size_t info_len, uint8_t *out, size_t len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);

    ASSERT(EVP_PKEY_derive_init(ctx) == 1 &&
           EVP_PKEY_CTX_set_hkdf_md(ctx, EVP_sha256()) == 1 &&
           EVP_PKEY_CTX_set1_hkdf_salt(ctx, salt, 16) == 1 &&
           EVP_PKEY_CTX_set1_hkdf_key(ctx, key, (int)key_len) == 1 &&
           EVP_PKEY_CTX_add1_hkdf_info(ctx, info, (int)info_len) == 1 &&
           EVP_PKEY_derive(ctx, out, &len) == 1);
    EVP_PKEY_CTX_free(ctx);
}

static void from_base64(const char *text, uint8_t *to, size_t size,
                        size_t *ret_len)
{
    ASSERT(sodium_base642bin(to, size, text, strlen(text), NULL, ret_len, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0);
}

/* What the browser and the sender of POINT share: the point's multiple. */
static void share(const uint8_t point[65], const uint8_t scalar[32],
                  uint8_t out[32])
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *p = EC_POINT_new(group);
    BIGNUM *n = BN_bin2bn(scalar, 32, NULL), *x = BN_new();

    ASSERT(EC_POINT_oct2point(group, p, point, 65, NULL) == 1 &&
           EC_POINT_mul(group, p, NULL, p, n, NULL) == 1 &&
           EC_POINT_get_affine_coordinates(group, p, x, NULL, NULL) == 1 &&
           BN_bn2binpad(x, out, 32) == 32);
    BN_free(n);
    BN_free(x);
    EC_POINT_free(p);
    EC_GROUP_free(group);
}

static void open_pushed(const char *text)
{
    uint8_t body[4097], plain[4096], scalar[32], auth[16], shared[32], ikm[32];
    uint8_t key[16], nonce[12], info[14 + 130] = "WebPush: info";
    size_t len, n;
    int out;

    from_base64(text, body, sizeof(body), &len);
    from_base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", scalar, 32, &n);
    from_base64("BTBZMqHH6r4Tts7J_aSIgg", auth, 16, &n);
    from_base64("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4"
                "bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                info + 14, 65, &n);
    ASSERT(len > 86 + 16 && body[20] == 65);
    memcpy(info + 14 + 65, body + 21, 65);
    share(body + 21, scalar, shared);
    derive(shared, 32, auth, info, sizeof(info), ikm, 32);
    derive(ikm, 32, body, "Content-Encoding: aes128gcm", 28, key, 16);
    derive(ikm, 32, body, "Content-Encoding: nonce", 24, nonce, 12);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int sealed = (int)len - 86 - 16;
    ASSERT(EVP_DecryptInit_ex2(ctx, EVP_aes_128_gcm(), key, nonce, NULL) ==
               1 &&
           EVP_DecryptUpdate(ctx, plain, &out, body + 86, sealed) == 1 &&
           EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_TAG, 16,
                               body + 86 + sealed) == 1 &&
           EVP_DecryptFinal_ex(ctx, plain + out, &out) == 1);
    EVP_CIPHER_CTX_free(ctx);
    while (sealed > 0 && plain[sealed - 1] == 0)
        sealed--;
    ASSERT(sealed > 0 && plain[sealed - 1] == 2);
    printf("%.*s\n", sealed - 1, (char *)plain);
    fflush(stdout);
}

/* ---- lines --------------------------------------------------------------------- */

static void take_line(struct courier *c, const char *line)
{
    json_t *o = json_loads(line, 0, NULL);

    ASSERT(o != NULL);
    if (json_object_get(o, "config") != NULL)
        configure(c, json_object_get(o, "config"));
    else if (json_object_get(o, "open") != NULL)
        open_pushed(text_of(o, "open"));
    else if (json_object_get(o, "pass") != NULL)
        __atomic_add_fetch(&passed_ms,
                           json_integer_value(json_object_get(o, "pass")),
                           __ATOMIC_SEQ_CST);
    else if (json_object_get(o, "end") != NULL)
        courier_end(c);
    else
        add(c, o);
    json_decref(o);
}

int main(void)
{
    static char line[65536];
    char drain[64];
    size_t len = 0;

    (void)signal(SIGPIPE, SIG_IGN);
    ASSERT(sodium_init() >= 0 && pipe2(wake_fds, O_NONBLOCK | O_CLOEXEC) == 0);
    struct courier *c = courier_new(NULL, on_wake, on_done);
    ASSERT(c != NULL);
    struct pollfd fds[] = {{.fd = 0, .events = POLLIN},
                           {.fd = wake_fds[0], .events = POLLIN}};
    while (poll(fds, 2, -1) > 0 || errno == EINTR) {
        while (read(wake_fds[0], drain, sizeof(drain)) > 0)
            continue;
        courier_poll(c);
        if (fds[0].revents == 0)
            continue;
        ssize_t n = read(0, line + len, sizeof(line) - 1 - len);
        if (n <= 0)
            break;
        len += (size_t)n;
        line[len] = '\0';
        for (char *end; (end = strchr(line, '\n')) != NULL;) {
            *end = '\0';
            take_line(c, line);
            len -= (size_t)(end + 1 - line);
            memmove(line, end + 1, len + 1);
        }
    }
    courier_free(c);
    return 0;
}
