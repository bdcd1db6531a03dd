// sink.mjs -- a mail server that takes everything and passes nothing on.

import { createServer } from 'node:net';

import { until } from './support.mjs';

/** What quoted-printable or base64 stands for. */
function decoded(text, how) {
    if (how === 'base64')
        return Buffer.from(text, 'base64').toString();
    if (how !== 'quoted-printable')
        return text;
    const bytes = text.replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) =>
            String.fromCharCode(parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString();
}

/** Its headers, by small name, unfolded, and what follows them. */
function parted(text) {
    const [head, ...rest] = text.split('\r\n\r\n');
    const headers = Object.fromEntries(head.replace(/\r\n[ \t]+/g, ' ')
        .split('\r\n').map((line) => {
            const [, name, value] = /^([^:]*):\s*(.*)$/.exec(line) ?? [];
            return [name?.toLowerCase(), value];
        }));
    return { headers, body: rest.join('\r\n\r\n') };
}

/** The plain text of a mail. */
function plain(mail) {
    const { headers, body } = parted(mail);
    const [, border] = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')
        ?? [];
    if (!border)
        return decoded(body, headers['content-transfer-encoding']);
    return body.split(`--${border}`).map((part) => part.replace(/^\r\n/, ''))
        .filter((part) => /^content-type:\s*(text\/plain|multipart)/im
            .test(part.split('\r\n\r\n')[0])).map(plain).join('\n');
}

/** Mails that came: each {to, headers, text}. */
export async function sink() {
    const mails = [];
    const server = createServer((socket) => {
        let heard = '', to = [], data = false;
        const say = (line) => socket.write(`${line}\r\n`);
        const line = (text) => {
            const verb = text.slice(0, 4).toUpperCase();
            if (verb === 'RCPT')
                to.push(/<([^>]*)>/.exec(text)[1]);
            data = verb === 'DATA';
            say(data ? '354 go on' : verb === 'QUIT' ? '221 bye'
                : verb === 'EHLO' ? '250 sink' : '250 ok');
        };
        const mail = (text) => {
            const whole = text.replace(/\r\n\.\./g, '\r\n.');
            mails.push({ to, headers: parted(whole).headers,
                text: plain(whole) });
            to = [];
            data = false;
            say('250 taken');
        };
        socket.setEncoding('latin1');
        socket.on('error', () => {});
        socket.on('data', (piece) => {
            heard += piece;
            for (;;) {
                const end = data ? '\r\n.\r\n' : '\r\n';
                const at = heard.indexOf(end);
                if (at < 0)
                    break;
                const text = heard.slice(0, at);
                heard = heard.slice(at + end.length);
                (data ? mail : line)(text);
            }
        });
        say('220 sink');
    });
    await new Promise((go) => server.listen(0, '127.0.0.1', go));
    server.unref();
    return {
        mails,
        url: `smtp://127.0.0.1:${server.address().port}`,
        end: () => server.close(),
        /** Waits for a mail to somebody that has the words, and takes it. */
        async take(to, words) {
            const found = await until(`a mail to ${to}: ${words}`, () =>
                mails.find((mail) => mail.to.includes(to) &&
                    words.test(`${mail.headers.subject}\n${mail.text}`)));
            mails.splice(mails.indexOf(found), 1);
            return found;
        },
    };
}
