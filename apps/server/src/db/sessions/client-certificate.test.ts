import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@coinslot/testing/certificates';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../settings/config.ts';
import { createDb } from '../db.ts';
import { findCluster, launchOptions } from '../embedded/cluster.ts';
import { freePort } from '../embedded/postmaster.ts';
import { installRuntime, program } from '../embedded/runtime.ts';
import { startEmbedded } from '../embedded/start-embedded.ts';
import { sql } from '../sql.ts';

const servers = createAuthority('Servers');
const clients = createAuthority('Clients');

let folder: string;
let server: ChildProcess | undefined;
let port: number;

const fileOf = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
};

/** PostgreSQL as an operator's own host runs it: it takes `certified` with a certificate of that name, over TLS, and by nothing else. */
async function startServer(): Promise<void> {
  const own = await startEmbedded({ dataDir: folder, log: () => {}, settings: { fsync: 'off' } });
  const admin = new URL(own.url);
  admin.username = 'postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query('create role certified login');
  await client.end();
  await own.stop();
  const cluster = (await findCluster(folder))!;
  const { uid, gid } = await stat(cluster.dir);
  const { cert, key } = servers.issue(['127.0.0.1']);
  const files = {
    'server.crt': cert,
    'server.key': key,
    'clients.crt': clients.ca,
    'pg_hba.conf': 'hostssl all certified 127.0.0.1/32 cert\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(cluster.dir, name), text, { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(join(cluster.dir, name), uid, gid);
  }
  const { dataArgument, options } = launchOptions(cluster.dir, cluster.account);
  const runtime = await installRuntime(folder, cluster.account);
  const given = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
  const tls = ['ssl=on', 'ssl_ca_file=clients.crt'];
  const settings = [...given, ...tls].flatMap(text => ['-c', text]);
  server = spawn(program(runtime, 'postgres'), ['-D', dataArgument, ...settings], { ...options, stdio: 'ignore' });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-certificate-'));
  await chmod(folder, 0o711);
  port = await freePort();
  await startServer();
}, 120_000);

afterAll(async () => {
  const end = server && once(server, 'exit');
  server?.kill('SIGINT');
  await end;
  await rm(folder, { recursive: true, force: true });
});

async function whoAmI(more: Record<string, string>): Promise<{ user: string; encrypted: boolean }> {
  const settings = new URLSearchParams({ sslmode: 'require', ...more });
  const url = `postgresql://certified@127.0.0.1:${port}/coinslot?${settings}`;
  const db = createDb({ url: loadConfig({ DATABASE_URL: url }).databaseUrl!, maxConnections: 1, onError: () => {} });
  try {
    return await db.queryFirst(sql('t_who')`
      select current_user::text as user, (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted`);
  } finally {
    await db.close();
  }
}

it('the program proves itself to PostgreSQL by a certificate that DATABASE_URL names, in place of a password', async () => {
  const own = clients.issue(['certified']);
  const other = createAuthority('Others').issue(['certified']);
  const sslrootcert = await fileOf('servers.pem', servers.ca);
  const proof = async ({ cert, key }: typeof own) => ({
    sslrootcert,
    sslcert: await fileOf('client.crt', cert),
    sslkey: await fileOf('client.key', key),
  });
  await expect
    .poll(async () => whoAmI(await proof(own)).catch(String))
    .toEqual({
      user: 'certified',
      encrypted: true,
    });
  await expect(whoAmI({ sslrootcert })).rejects.toThrow();
  await expect(proof(other).then(whoAmI)).rejects.toThrow();
  await expect(proof(clients.issue(['another'])).then(whoAmI)).rejects.toThrow();
}, 60_000);
