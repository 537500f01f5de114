import { createReadStream, rmSync } from 'node:fs';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { wire } from '../../apps/server/src/program/wire.ts';
import { loadConfig } from '../../apps/server/src/settings/config.ts';
import { serveParent } from './serve-parent.ts';

export interface PageServerQuestion {
  start: { databaseUrl: string; masterKey: string };
}

export const STATIC_PATH = '/static/page.html';

/** As large as a payment page on the wire, and as hard to pack. */
const FILE = gzipSync(
  Array.from({ length: 4_000 }, (_, i) => Math.imul(i, 2654435761).toString(36)).join(' '),
).subarray(0, 12_000);

/** The whole program as it ships, and beside its routes a file that is sent from the disk the way file servers do. */
async function start(databaseUrl: string, masterKey: string): Promise<number> {
  const config = loadConfig({ PORT: '0', HOST: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' });
  const program = wire({ config, databaseUrl, masterKey: Buffer.from(masterKey, 'base64'), version: 'bench' });
  const folder = await mkdtemp(join(tmpdir(), 'coinslot-bench-file-'));
  const path = join(folder, 'page.html.gz');
  await writeFile(path, FILE);
  // The parent ends us so, and nothing may stay behind.
  process.once('SIGTERM', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  program.app.get(STATIC_PATH, async (_request, reply) => {
    const { size, mtime } = await stat(path);
    return reply
      .headers({ 'content-encoding': 'gzip', 'content-length': size, 'cache-control': 'public, max-age=0' })
      .headers({
        'last-modified': mtime.toUTCString(),
        etag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
      })
      .type('text/html; charset=utf-8')
      .send(createReadStream(path));
  });
  await program.start();
  program.workers.start();
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  return (program.app.server.address() as AddressInfo).port;
}

serveParent((question: PageServerQuestion) => start(question.start.databaseUrl, question.start.masterKey));
