// nginx.mjs -- nginx before a daemon, with a sample of deploy/proxy/ as its site.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from './support.mjs';

/** A port that is free just now. */
const free = () => new Promise((go) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => go(port));
    });
});

/** Whether nginx listens: it writes its process id when it has its port. */
const listens = (room) => existsSync(join(room, 'pid')) &&
    readFileSync(join(room, 'pid'), 'utf8') !== '';

/**
 * One whose server { } has these LINES.  Somebody else may take a port before nginx
 * does: then it has another.
 */
export async function nginx(lines) {
    const room = mkdtempSync(join(tmpdir(), 'nginx.'));
    writeFileSync(join(room, 'site.conf'), lines);
    for (;;) {
        const port = await free();
        writeFileSync(join(room, 'nginx.conf'), `daemon off;
worker_processes 1;
pid ${room}/pid;
error_log ${room}/errors;
events { }
http {
    access_log ${room}/access;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) =>
        `${name}_temp_path ${room}/${name};`).join(' ')}
    server {
        listen 127.0.0.1:${port};
        root ${room};
        include ${room}/site.conf;
    }
}
`);
        const child = spawn('/usr/sbin/nginx', ['-p', room, '-c',
            join(room, 'nginx.conf')], { stdio: 'ignore' });
        const end = () => child.kill();
        process.on('exit', end);
        await until('nginx is there', () => listens(room) || child.exitCode !== null);
        if (child.exitCode === null)
            return { url: `http://127.0.0.1:${port}`, end,
                /** What it was asked for, line by line. */
                asked: () => readFileSync(join(room, 'access'), 'utf8').split('\n')
                    .filter(Boolean) };
        const errors = readFileSync(join(room, 'errors'), 'utf8');
        if (!errors.includes('Address already in use'))
            throw new Error(errors);
    }
}
