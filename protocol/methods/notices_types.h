/* notices_types.h -- what people are told when they are away, how, and where. */

#ifndef PROTOCOL_METHODS_NOTICES_TYPES_H
#define PROTOCOL_METHODS_NOTICES_TYPES_H

#include "../notice_kinds.h"
#include "types.h"

/* clang-format off: tables are laid out by hand. */

#define WORD_OF(name, word) word,
static const struct shape notice_kind = {
    .name = "notice_kind",
    .kind = SHAPE_STRING,
    .words = (const char *const[]){NOTICE_KINDS_ALL(WORD_OF) NULL},
    .text = "What can be told to who is away.",
};
static const struct shape channel_way = {
    .kind = SHAPE_STRING,
    .words = (const char *const[]){CHANNELS_ALL(WORD_OF) NULL},
};
static const struct shape webhook_form = {
    .kind = SHAPE_STRING,
    .words = (const char *const[]){WEBHOOK_FORMS_ALL(WORD_OF) NULL},
};
#undef WORD_OF

static const struct shape notice_kinds_list = {
    .kind = SHAPE_LIST,
    .max = NOTICE_KINDS,
    .item = &notice_kind,
};
static const struct shape channel_ways = {
    .kind = SHAPE_LIST,
    .max = CHANNELS,
    .item = &channel_way,
};
static const struct shape added_way = WORDS("push", "webhook");
static const struct shape channel_state = WORDS("untried", "on", "off");
static const struct shape digest = WORDS("never", "daily", "weekly");
static const struct shape delivery_result = WORDS("delivered", "given_up",
                                                  "gone", "fault");
static const struct shape language = {
    .kind = SHAPE_STRING,
    .max = 16,
    .charset = CHARSET_LINE,
};
static const struct shape wait_seconds = {.kind = SHAPE_INT, .max = 900};
static const struct shape channel_target = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 1000,
    .charset = CHARSET_LINE,
};
static const struct shape channel_secret = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 256,
    .charset = CHARSET_LINE,
};
static const struct shape label_text = {
    .kind = SHAPE_STRING,
    .max = 64,
    .charset = CHARSET_LINE,
};
static const struct shape push_key = {
    .kind = SHAPE_STRING,
    .min = 1,
    .max = 128,
    .charset = CHARSET_ID,
};

static const struct shape_member channel_members[] = {
    {"channel", &id, false, NULL},
    {"way", &channel_way, false, NULL},
    {"form", &webhook_form, true, "Of a webhook."},
    {"label", &label_text, false, "As you called it."},
    {"target", &channel_target, false,
     "The address, of a mail; else who is called, without what is secret."},
    {"state", &channel_state, false,
     "`untried`: nothing is sent until a test was answered; `off`: what was"
     " sent was refused for good, and a test that is answered turns it on."},
    {"why", &remark_or_null, false, "It is off: what the receiver said."},
    {"kinds", &notice_kinds_list, false, "What is told by it."},
    {"made", &at, false, NULL},
    {"changed", &at, false, NULL},
    END,
};
static const struct shape channel = {
    .name = "channel",
    .kind = SHAPE_OBJECT,
    .members = channel_members,
    .text = "Where somebody is told things.",
};
static const struct shape channels = {
    .kind = SHAPE_LIST,
    .max = 100,
    .item = &channel,
};
static const struct shape_member channel_test_members[] = {
    {"channel", &id, false, NULL},
    {"way", &channel_way, false, NULL},
    {"form", &webhook_form, true, "Of a webhook."},
    {"label", &label_text, false, NULL},
    {"state", &channel_state, false, NULL},
    {"delivered", &boolean, false, NULL},
    {"said", &remark, false, "By the receiver."},
    END,
};
static const struct shape channel_test = OBJECT(channel_test_members);
static const struct shape channel_tests = {
    .kind = SHAPE_LIST,
    .max = 100,
    .item = &channel_test,
};
static const struct shape table_ids = {
    .kind = SHAPE_LIST,
    .max = 1000,
    .item = &id,
};
static const struct shape_member sent_members[] = {
    {"at", &at, false, NULL},
    {"way", &channel_way, false, NULL},
    {"channel", &id_or_null, false, NULL},
    {"what", &any, false,
     "`form`: notices, digest, summary or account; `items`: each with its"
     " `kind` and `table`."},
    {"result", &delivery_result, false, NULL},
    {"said", &remark_or_null, false, "By the receiver."},
    END,
};
static const struct shape sent_message = OBJECT(sent_members);
static const struct shape sent_messages = {
    .kind = SHAPE_LIST,
    .max = 200,
    .item = &sent_message,
};

static const struct shape_member way_members[] = {
    {"way", &channel_way, false, NULL},
    {"waiting", &count, false, "Messages."},
    {"oldest", &at_or_null, false, "When the first of them was made."},
    {"under_way", &count, false, "Being delivered."},
    {"delivered", &count, false, "Since the start."},
    {"retried", &count, false, NULL},
    {"gone", &count, false, "Receivers that are no more."},
    {"faults", &count, false, "Deliveries that failed by our own fault."},
    {"alarm", &remark_or_null, false, "What is wrong, for the operator."},
    {"alarm_since", &at_or_null, false, NULL},
    END,
};
static const struct shape way_state = OBJECT(way_members);
static const struct shape way_states = {
    .kind = SHAPE_LIST,
    .max = CHANNELS,
    .item = &way_state,
};

/* clang-format on */

#endif
