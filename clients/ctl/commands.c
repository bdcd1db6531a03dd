/* commands.c -- the table of commands: all that sobremesactl can do.
 *
 * From a row come the command itself, its --help, its line in the list of all,
 * what is said of wrong usage, whether it asks before it acts, and what shells
 * complete (fields.c, help.c).  Whoever adds a command adds a row here, where
 * its group is, and its words in README.md and deploy/man/sobremesactl.8.scd:
 * tests/ctl/test_help.py looks whether they are there. */

#include "core/base.h"
#include "ctl.h"

/* ---- fields that many have -------------------------------------------- */

#define TABLE \
    { \
        .name = "table", .value = "TABLE", .text = "its id" \
    }
#define USER \
    { \
        .name = "user", .value = "USER", .text = "a name, or an id" \
    }
#define LIMIT \
    { \
        .name = "limit", .kind = FIELD_LIMIT, .option = "limit", \
        .value = "N", .text = "at most N of them (100); 0 is all" \
    }
#define LIMIT_PAGE \
    { \
        .name = "limit", .kind = FIELD_LIMIT, .option = "limit", \
        .value = "N", .text = "at most N of them (100), up to 200" \
    }
#define WHY(words) \
    { \
        .name = "why", .option = "why", .value = "TEXT", .text = (words) \
    }
#define UNTIL(words) \
    { \
        .name = "until", .kind = FIELD_UNTIL, .option = "until", \
        .value = "TIME", .text = (words) \
    }
#define PASSWORD \
    { \
        .name = "password", .kind = FIELD_SECRET \
    }

/* ---- when to ask ------------------------------------------------------- */

static bool removes_text(const struct ctl *c)
{
    return json_object_get(c->given, "text") != NULL;
}

/* ---- the table --------------------------------------------------------- */

const struct command commands[] = {
    {
        .chapter = "The server",
        .name = "status",
        .text = "How the server is.",
        .method = "admin.status",
        .show = show_status,
    },
    {
        .name = "broadcast",
        .text = "Says something to everybody who is there.",
        .method = "admin.broadcast",
        .fields = {{.name = "text", .value = "TEXT"}},
        .show = show_told,
    },
    {
        .group = "motd",
        .name = "say",
        .text = "What people read in the lobby.",
        .help =
            "Until the next start; server.motd in the configuration is for "
            "longer. Who is there sees it at once.",
        .method = "admin.motd",
        .show = show_told_all,
        .fields = {{.name = "text", .value = "TEXT"}},
    },
    {
        .group = "motd",
        .name = "off",
        .text = "They read nothing there any more.",
        .method = "admin.motd.end",
        .show = show_told_all,
    },
    {
        .group = "maintenance",
        .name = "on",
        .text = "Makes the server read only: people can look.",
        .help = "What would change anything is refused, with TEXT. It holds "
                "until `maintenance off` or the next start; "
                "server.maintenance in the configuration outlives that. What "
                "this program changes is changed all the same.",
        .method = "admin.maintenance",
        .fields = {{.name = "text",
                    .option = "say",
                    .value = "TEXT",
                    .text = "why, and for how long"}},
        .show = show_told_all,
    },
    {
        .group = "maintenance",
        .name = "off",
        .text = "People may play again.",
        .method = "admin.maintenance.end",
        .show = show_told_all,
    },
    {
        .group = "config",
        .name = "show",
        .text = "What is in force, who set it, and what waits.",
        .help = "FROM says where a value comes from: default, the file, the "
                "command line, or run time, which is this program. WAITS "
                "says what the file has by now and is not in force yet: till "
                "systemctl reload, or restart.",
        .method = "admin.config",
        .show = show_config,
    },
    {
        .group = "log",
        .name = "level",
        .text = "What is logged; asks without LEVEL.",
        .help = "Until the next start; log.level in the configuration is for "
                "longer.",
        .method = "admin.log",
        .fields = {{.name = "level",
                    .value = "LEVEL",
                    .text = "error, warning, notice, info or debug",
                    .optional = true}},
        .show = show_log,
    },
    {
        .name = "shutdown",
        .text = "Ends the server, at once or in a while.",
        .help = "At once, it waits until the server has ended.  With --in, "
                "people are told at once and again an hour, ten minutes, a "
                "minute and ten seconds before, and nothing waits.  It works "
                "with a full disk, too; then it is not noted.",
        .method = "admin.shutdown",
        .fields = {{.name = "seconds",
                    .kind = FIELD_SECONDS,
                    .option = "in",
                    .value = "TIME",
                    .text = "seconds, or 10m, 2h"},
                   {.name = "text",
                    .option = "say",
                    .value = "TEXT",
                    .text = "people are told"},
                   {.name = "cancel",
                    .kind = FIELD_FLAG,
                    .option = "cancel",
                    .text = "stay after all"},
                   {.name = "no_wait",
                    .kind = FIELD_LOCAL,
                    .option = "no-wait",
                    .text = "do not wait until it has ended"}},
        .show = show_end,
        .run = shutdown_command,
        .question = "End the server now",
        .asks = ends_at_once,
    },
    {
        .name = "audit",
        .text = "Every change made here, the latest first.",
        .help = "Each has when, the uid of who asked, what, of which table "
                "or account, and the rest of its parameters: never "
                "passwords, names or addresses.  What was refused is not "
                "among them.",
        .method = "admin.audit",
        .fields = {{.name = "table",
                    .option = "table",
                    .value = "TABLE",
                    .text = "only of this table"},
                   {.name = "user",
                    .option = "user",
                    .value = "USER",
                    .text = "only of this user"},
                   LIMIT},
        .rows = "changes",
        .show = show_audit,
    },

    {
        .chapter = "Tables",
        .group = "tables",
        .name = "list",
        .text = "All tables, the newest first.",
        .help = "Private ones, too.  A star is at who is waited for, a dash "
                "at a free seat.",
        .method = "admin.tables",
        .fields = {{.name = "state",
                    .option = "state",
                    .value = "STATE",
                    .text = "open, playing, finished, abandoned; or archived, "
                            "which else are not shown"},
                   {.name = "game",
                    .option = "game",
                    .value = "GAME",
                    .text = "of this game"},
                   LIMIT},
        .rows = "tables",
        .show = show_tables,
    },
    {
        .group = "tables",
        .name = "show",
        .text = "One table: seats, last plies.",
        .help = "Of a move you see its verb only: whoever plays here may "
                "look without learning what others hold.",
        .method = "admin.table",
        .fields = {TABLE,
                   {.name = "plies",
                    .kind = FIELD_NUMBER,
                    .option = "plies",
                    .value = "N",
                    .text = "the last N of them (20)"}},
        .show = show_table,
    },
    {
        .group = "tables",
        .name = "abandon",
        .text = "Gives a table up: nobody wins.",
        .help = "An open or running table; nothing brings it back.",
        .method = "admin.abandon",
        .fields = {TABLE, WHY("for the audit")},
        .show = show_ply,
        .question = "Give up table {table} for good",
    },
    {
        .group = "tables",
        .name = "rewind",
        .text = "Takes back all behind PLY; later draws are new.",
        .help = "All moves, draws and resignations behind PLY that still "
                "count.  They stay in the log, marked as undone, and the "
                "rewind is a ply of its own, so who watches is told.  PLY "
                "must not lie before the start; a table that is over is "
                "closed.",
        .method = "admin.rewind",
        .fields = {TABLE,
                   {.name = "ply",
                    .kind = FIELD_NUMBER,
                    .value = "PLY",
                    .text = "the last one that stays"},
                   WHY("for the audit")},
        .show = show_ply,
        .question = "Take back everything behind ply {ply} of table {table}",
    },
    {
        .group = "tables",
        .name = "replace",
        .text = "Gives a seat of a running table to USER.",
        .help = "From then on USER sees what the seat sees, its past "
                "included, and who had it sees no more than a watcher.",
        .method = "admin.replace",
        .fields = {TABLE,
                   {.name = "seat",
                    .kind = FIELD_NUMBER,
                    .value = "SEAT",
                    .text = "its number, from 0, as 'tables show' has it"},
                   USER,
                   WHY("for the audit")},
        .show = show_ply,
        .question = "Give seat {seat} of table {table} to {user}, who then "
                    "sees what it holds",
    },
    {
        .group = "tables",
        .name = "late",
        .text = "Tables by when somebody's time is up.",
        .help = "What is overdue comes first: what comes of it is decided "
                "within seconds, but not while the server is read only.",
        .method = "admin.late",
        .fields = {LIMIT_PAGE},
        .rows = "tables",
        .show = show_late,
    },
    {
        .group = "tables",
        .name = "extend",
        .text = "Gives a seat more time.",
        .help = "For its present turn, or else for later ones, above what the "
                "table agreed on, too.  Whoever watches is told, and the "
                "record says so.",
        .method = "admin.extend",
        .fields = {TABLE,
                   {.name = "seat",
                    .kind = FIELD_NUMBER,
                    .value = "SEAT",
                    .text = "its number, from 0, as 'tables show' has it"},
                   {.name = "seconds",
                    .kind = FIELD_SECONDS,
                    .value = "TIME",
                    .text = "90, 10m, 2h, 3d"},
                   WHY("for the audit")},
        .show = show_ply,
    },
    {
        .group = "tables",
        .name = "pause",
        .text = "Has no clock of a table run until TIME.",
        .help = "For up to 30 days.  People can move all the same.  Another "
                "pause replaces the one before.",
        .method = "admin.pause",
        .fields = {TABLE,
                   {.name = "until",
                    .kind = FIELD_UNTIL,
                    .value = "TIME",
                    .text = "12h, 7d, or 2026-12-31T20:00"},
                   WHY("for the audit")},
        .show = show_ply,
    },
    {
        .group = "tables",
        .name = "resume",
        .text = "Ends a pause.",
        .fields = {TABLE, WHY("for the audit")},
        .run = resume_command,
    },
    {
        .group = "tables",
        .name = "texts",
        .text = "What was said at a table; removes one text.",
        .help = "--remove takes a text away for good, for everybody, who see "
                "instead that it was removed, and by whom it was.  Earlier "
                "backups still have it.",
        .fields = {TABLE,
                   {.name = "text",
                    .kind = FIELD_NUMBER,
                    .option = "remove",
                    .value = "N",
                    .text = "the text with this number"},
                   WHY("for the audit, with --remove"),
                   LIMIT},
        .run = texts_command,
        .question = "Remove text {text} of table {table} for good",
        .asks = removes_text,
    },
    {
        .group = "tables",
        .name = "export",
        .text = "A table's record, on stdout.",
        .help = "A running table's has the seed: who has it knows every "
                "hidden card.  'export' is the same.",
        .fields = {TABLE},
        .run = export_command,
    },
    {
        .group = "tables",
        .name = "import",
        .text = "Keeps a finished game's record under a new id.",
        .help = "Only what is true and whole is kept.  A game that 'tables "
                "archive' took out gets its own id again, its players, and "
                "what they said.  'import' is the same.",
        .fields = {{.name = "file",
                    .value = "FILE",
                    .text = "the record; - is standard input"}},
        .run = import_command,
    },
    {
        .group = "tables",
        .name = "archive",
        .text = "Old finished games out into files, and out of the store.",
        .help = "Each record is written as DIR/TABLE.record, read again and "
                "verified as it lies on the disk; only then its log leaves "
                "the store.  Broken off, it goes on when it is called again. "
                "What was said at the table, and notes, stay in the store, "
                "and are there again after 'tables import'.  Nothing is "
                "archived unless it is asked for here.",
        .fields = {{.name = "before",
                    .kind = FIELD_BEFORE,
                    .option = "before",
                    .value = "TIME",
                    .text = "games whose last move is older: 2026-12-31, or "
                            "90d, 52w ago"},
                   {.name = "dry_run",
                    .kind = FIELD_LOCAL,
                    .option = "dry-run",
                    .text = "only tell which"},
                   {.name = "path",
                    .kind = FIELD_PATH,
                    .value = "DIR",
                    .text = "a directory that is there"}},
        .run = archive_command,
        .question = "Take old finished games out of the server and into "
                    "{path}",
        .asks = archive_asks,
    },
    {
        .name = "export",
        .text = "As 'tables export'.",
        .fields = {TABLE},
        .run = export_command,
    },
    {
        .name = "import",
        .text = "As 'tables import'.",
        .fields = {{.name = "file",
                    .value = "FILE",
                    .text = "the record; - is standard input"}},
        .run = import_command,
    },
    {
        .name = "verify",
        .text = "Checks tables, the store, or a backup.",
        .help = "Of a table every draw and every hash.  With --all every "
                "table, and all of the store's file, while people play; "
                "Ctrl-C stops it.  A FILE, a backup or a store, is checked "
                "the same way, without a server, and only read.  Exit status "
                "1 if anything is wrong.",
        .fields = {{.name = "tables",
                    .kind = FIELD_TEXTS,
                    .value = "TABLE|FILE",
                    .text = "ids, as many as you like; a FILE has a / or . "
                            "in its name",
                    .optional = true},
                   {.name = "all",
                    .kind = FIELD_LOCAL,
                    .option = "all",
                    .text = "every table there is"}},
        .run = verify_command,
    },

    {
        .chapter = "People",
        .group = "users",
        .name = "list",
        .text = "Accounts, by name.",
        .method = "admin.users",
        .fields = {{.name = "banned",
                    .kind = FIELD_FLAG,
                    .option = "banned",
                    .text = "only who is barred now"},
                   {.name = "guests",
                    .kind = FIELD_FLAG,
                    .option = "guests",
                    .text = "only guests"},
                   {.name = "guests",
                    .kind = FIELD_NO,
                    .option = "no-guests",
                    .text = "no guests"},
                   LIMIT},
        .rows = "users",
        .show = show_users,
    },
    {
        .group = "users",
        .name = "show",
        .text = "One user: tables, sessions, limits, ban.",
        .method = "admin.user",
        .fields = {USER},
        .show = show_person,
    },
    {
        .group = "users",
        .name = "add",
        .text = "Makes an account; asks for the password.",
        .help = "Also where nobody may register.  The password is asked for, "
                "or is a line of the standard input: it never stands in a "
                "command line, where others could see it.",
        .method = "admin.users.add",
        .fields = {{.name = "name", .value = "NAME"},
                   {.name = "email",
                    .option = "email",
                    .value = "ADDRESS",
                    .text = "where mail reaches the user"},
                   PASSWORD},
        .show = show_user,
    },
    {
        .group = "users",
        .name = "password",
        .text = "Sets a password; ends all sessions.",
        .help = "The password is asked for, or is a line of the standard "
                "input.",
        .method = "admin.users.password",
        .fields = {USER, PASSWORD},
        .show = show_ended,
    },
    {
        .group = "users",
        .name = "reset-link",
        .text = "A one-time link that sets a user's password.",
        .help = "Give it to the user, whose password nobody else learns then. "
                "It is good once, and a day long unless --until says "
                "otherwise; another one ends it.  It opens a page, or works "
                "with 'sobremesa reset CODE'.  All sessions of the user end "
                "when it is used.",
        .method = "admin.links.create",
        .always = {"purpose", "reset"},
        .fields = {USER, UNTIL("how long it is good (1d)")},
        .show = show_new_link,
    },
    {
        .group = "users",
        .name = "totp-remove",
        .text = "Takes a user's second factor away.",
        .help = "For who has lost it and the recovery codes: be sure of who "
                "asks.  A log-in needs the password alone then; the user is "
                "told, at once if they are there, by mail if they have an "
                "address, and in their settings.",
        .method = "admin.users.totp.remove",
        .fields = {USER},
        .show = show_totp_removed,
        .question = "Take the second factor of {user} away",
    },
    {
        .group = "users",
        .name = "allow-mail",
        .text = "Mail may be sent to an address again.",
        .help = "To one whose owner had said \"never write here again\". "
                "Whoever has it confirms it anew.",
        .method = "admin.mail.allow",
        .fields = {{.name = "email", .value = "ADDRESS"}},
        .show = show_allowed,
    },
    {
        .group = "users",
        .name = "rename",
        .text = "Calls a user something else.",
        .help = "Sessions go on; the next log-in is under the new name.  Open "
                "and running tables learn of it by a ply.",
        .method = "admin.users.rename",
        .fields = {USER,
                   {.name = "name",
                    .value = "NAME",
                    .text = "2 to 24 letters, digits, _ and -"}},
        .show = show_renamed,
    },
    {
        .group = "users",
        .name = "bind",
        .text = "Says what a proxy calls a user.",
        .help = "Who comes by that name through a proxy that the operator "
                "trusts (accounts.proxy_header) is logged in as USER from now "
                "on; whoever had the name has it no more.  Without PROXIED "
                "nobody is.",
        .method = "admin.users.bind",
        .fields = {USER,
                   {.name = "proxied",
                    .value = "PROXIED",
                    .text = "as the proxy says it, case and all",
                    .optional = true}},
    },
    {
        .group = "users",
        .name = "ban",
        .text = "Bars a user and ends all sessions.",
        .help = "Tokens of bots, too.  Who is there is told why and until "
                "when.  Tables stay as they are: give seats away, or abandon "
                "them.  Another ban replaces the one before.",
        .method = "admin.users.ban",
        .fields = {USER,
                   UNTIL("30m, 12h, 7d, 2w from now, or "
                         "2026-12-31[T20:00[+01:00]], local time unless it "
                         "says otherwise; else for good"),
                   WHY("the user is told")},
        .show = show_ended,
    },
    {
        .group = "users",
        .name = "unban",
        .text = "Lets a user in again.",
        .method = "admin.users.unban",
        .fields = {USER},
        .show = show_done,
    },
    {
        .group = "users",
        .name = "delete",
        .text = "Deletes an account; it resigns at running tables.",
        .help = "It leaves open tables.  Name, password, address, sessions, "
                "invitations and notes go; the name is free at once.  Records "
                "hold no names and stay; what was said at tables stays, by "
                "nobody.  A backup from before still has it all.",
        .method = "admin.users.delete",
        .fields = {USER},
        .show = show_deleted,
        .question = "Delete the account of {user}, who resigns wherever "
                    "{user} plays",
    },
    {
        .group = "users",
        .name = "export",
        .text = "All that is stored about a user, as JSON.",
        .fields = {USER},
        .run = user_export_command,
    },
    {
        .group = "notices",
        .name = "show",
        .text = "What waits to be told to people who are away.",
        .help = "Messages by the way they go, how old the first of them is, "
                "and what is wrong with a way, if anything is: then all wait, "
                "and nobody's messages are given up.",
        .method = "admin.notices",
        .show = show_notices,
    },
    {
        .group = "notices",
        .name = "test",
        .text = "Sends somebody a test by each way that they have.",
        .help =
            "Says what each receiver said; nothing is switched on or off by "
            "it.  What is tried has ten seconds, a mail a minute.",
        .method = "admin.notices.test",
        .fields = {USER},
        .show = show_notices_test,
    },
    {
        .group = "notices",
        .name = "bounce",
        .text = "Reads a mail that came back, and writes there no more.",
        .help = "For the mail server, which hands it what is sent to "
                "mail.bounces, on standard input: in what comes back stands "
                "the ID of the mail that could not be delivered.",
        .method = "admin.notices.bounce",
        .run = bounce_command,
    },
    {
        .group = "invites",
        .name = "create",
        .text = "A link by which somebody may register.",
        .help = "Where registration is by invitation "
                "(accounts.registration = invite).  It opens a page, or works "
                "with 'sobremesa register NAME --invite CODE'.",
        .method = "admin.links.create",
        .always = {"purpose", "register"},
        .fields = {{.name = "uses",
                    .kind = FIELD_NUMBER,
                    .option = "uses",
                    .value = "N",
                    .text = "good for so many accounts (1)"},
                   UNTIL("how long it is good (2w)")},
        .show = show_new_link,
    },
    {
        .group = "invites",
        .name = "list",
        .text = "Invitations, with the uses that are left.",
        .help = "Those that are over for less than thirty days, too.  Codes "
                "are not stored, so they cannot be shown again.",
        .method = "admin.links",
        .always = {"purpose", "register"},
        .fields = {LIMIT},
        .rows = "links",
        .show = show_links,
    },
    {
        .group = "invites",
        .name = "revoke",
        .text = "An invitation is good for nothing any more.",
        .method = "admin.links.revoke",
        .always = {"purpose", "register"},
        .fields = {{.name = "link",
                    .value = "INVITATION",
                    .text = "its id, as 'invites list' has it"}},
        .show = show_revoked,
    },
    {
        .group = "sessions",
        .name = "list",
        .text = "Sessions and bots' tokens, of all or of USER.",
        .method = "admin.sessions",
        .fields = {{.name = "user",
                    .value = "USER",
                    .text = "a name, or an id",
                    .optional = true},
                   LIMIT},
        .rows = "sessions",
        .show = show_sessions,
    },
    {
        .group = "sessions",
        .name = "end",
        .text = "Ends a session, or all of a user's.",
        .method = "admin.sessions.end",
        .fields = {{.name = "id",
                    .value = "SESSION",
                    .text = "its id, as 'sessions list' has it",
                    .optional = true},
                   {.name = "user",
                    .option = "user",
                    .value = "USER",
                    .text = "all of this user's, tokens of bots among them"}},
        .show = show_ended,
    },

    {
        .chapter = "The store",
        .name = "backup",
        .text = "Copies the store to a new FILE, while people play.",
        .help = "The server writes it, as its own user: under systemd in "
                "/var/lib/sobremesa-backups.  All of it is looked at before "
                "it gets its name.  With --rotate it is a new file in the "
                "directory FILE, and of those made so the newest of each of "
                "the last 7 days, 4 weeks and 12 months stay; others go.",
        .fields = {{.name = "path", .kind = FIELD_PATH, .value = "FILE"},
                   {.name = "rotate",
                    .kind = FIELD_LOCAL,
                    .option = "rotate",
                    .text = "FILE is a directory; old ones go"}},
        .run = backup_command,
    },
    {
        .name = "restore",
        .text = "Puts a backup in place of the data, without a server.",
        .help = "The backup is checked first, and what was there is kept "
                "aside.  --data, before the command, says where the data is. "
                "Each table that is not over goes on with new draws.",
        .fields = {{.name = "path", .kind = FIELD_PATH, .value = "FILE"}},
        .run = restore_command,
    },
    {
        .group = "rules",
        .name = "check",
        .text = "Which tables the new program replays otherwise.",
        .help = "Before an upgrade: the sobremesad beside this sobremesactl "
                "and the one in use replay every table of PATH, the server's "
                "directory or a backup, and each table that comes out "
                "otherwise is named.  Both only read; people may play "
                "meanwhile.  Exit status 1 if there is one.",
        .fields = {{.name = "old",
                    .option = "old",
                    .value = "PROGRAM",
                    .text = "the sobremesad in use; else the one in PATH"},
                   {.name = "path",
                    .kind = FIELD_PATH,
                    .value = "PATH",
                    .text = "else what --data says",
                    .optional = true}},
        .run = rules_command,
    },
    {
        .group = "ratings",
        .name = "rebuild",
        .text = "Makes all ratings anew, from the games' logs.",
        .help = "Tells whose were other ones.  Game by game is read while "
                "people play; Ctrl-C stops it, and the next one goes on from "
                "there as long as the server runs.  Then all is stored at "
                "once, and moves wait for that long.  Of archived games it "
                "takes the places that are stored; where a seat changed "
                "hands in one, what all were rated at after it.",
        .fields = {{.name = "anew",
                    .kind = FIELD_LOCAL,
                    .option = "anew",
                    .text = "from the first game, whatever was read before"}},
        .run = ratings_command,
    },
    {
        .name = "vacuum",
        .text = "Shrinks the store's file; moves wait meanwhile.",
        .help = "It needs twice the file's space.",
        .method = "admin.vacuum",
        .show = show_vacuum,
    },
    {
        .name = "prune",
        .text = "Drops expired sessions and old keys.",
        .method = "admin.prune",
        .fields = {{.name = "dry_run",
                    .kind = FIELD_FLAG,
                    .option = "dry-run",
                    .text = "only count"}},
        .show = show_prune,
    },

    {
        .chapter = "This program",
        .name = "help",
        .text = "What there is, or how COMMAND is used.",
        .fields = {{.name = "words",
                    .kind = FIELD_TEXTS,
                    .value = "COMMAND",
                    .optional = true}},
        .run = help_command,
    },
    {
        .name = "commands",
        .text = "Every command with its usage, a line each; for shells.",
        .run = commands_command,
    },
};
const size_t command_count = COUNT_OF(commands);
