import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from '@coinslot/testing/tcp-proxy';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { type Daemon, databaseUser, descendants, type Engines, signal, startDaemon } from './machine.ts';
import { Watchdog } from './watchdog.ts';

const NODES = 3;
const START_MS = 90_000;
const LOOK_AGAIN_MS = 100;
const PASSWORD = 'failover';

/** Patroni's smallest lease: a leader that is gone without a word is replaced after that long at the latest. */
export const LEASE_SECONDS = 20;

export type Fault = 'kill' | 'freeze' | 'partition';

/** One PostgreSQL under one Patroni. Everything that others say to it, and that it says to etcd, goes through proxies. */
interface Node {
  name: string;
  folder: string;
  /** Past the proxy, for looking at it while it is cut off. */
  directUrl: string;
  proxy: TcpProxy;
  etcdProxy: TcpProxy;
  watchdog: Watchdog;
  daemon: Daemon;
}

export interface Cluster {
  /** All hosts in one address, as the program gets it. */
  url(database: string): string;
  /** Strikes the leader. Answers with when another node took over, and its name. */
  strike(fault: Fault): Promise<{ struckAt: number; promotedAt: number; from: string; to: string }>;
  /** How often a watchdog reset a machine whose manager no longer fed it. */
  resets(): number;
  /** Ends the fault and waits until all nodes follow the leader again, one of them synchronously. */
  heal(): Promise<void>;
  logs(): string;
  close(): Promise<void>;
}

const proxied = (proxy: TcpProxy): string => new URL(proxy.url).host;

const LOOK_MS = 500;
const QUIET_MS = 3_000;

async function askNode(node: Node, text: string, forMs = LOOK_MS): Promise<pg.QueryResultRow[] | null> {
  const limits = { connectionTimeoutMillis: forMs, query_timeout: forMs };
  const client = new pg.Client({ connectionString: node.directUrl, ...limits });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } catch {
    return null;
  } finally {
    await Promise.race([client.end().catch(() => {}), pause(200)]);
  }
}

async function findLeader(nodes: readonly Node[], except?: string): Promise<Node | undefined> {
  for (const node of nodes) {
    if (node.name === except) continue;
    const rows = await askNode(node, 'select pg_is_in_recovery() as follows');
    if (rows?.[0]?.follows === false) return node;
  }
  return undefined;
}

async function until<T>(what: string, look: () => Promise<T | undefined>, forMs = START_MS): Promise<T> {
  const deadline = Date.now() + forMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not come within ${forMs / 1000} s`);
    await pause(LOOK_AGAIN_MS);
  }
}

interface Ports {
  postgres: number;
  rest: number;
}

/** The same as the guide shows, with loopback addresses and the shortest lease. */
function patroniSettings(node: Omit<Node, 'daemon'>, ports: Ports, engines: Engines): string {
  const user = (username: string) => ({ username, password: PASSWORD });
  return JSON.stringify({
    scope: 'coinslot',
    name: node.name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
    // Without discovery, which would lead past the proxy.
    etcd3: { hosts: [proxied(node.etcdProxy)], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: LEASE_SECONDS,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 200, shared_buffers: '64MB', wal_keep_size: '512MB', wal_log_hints: true },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: proxied(node.proxy),
      data_dir: join(node.folder, 'data'),
      bin_dir: engines.postgres,
      pgpass: join(node.folder, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewind') },
      parameters: { unix_socket_directories: node.folder },
    },
    watchdog: { mode: 'required', driver: 'testing', device: node.watchdog.path },
  });
}

async function startEtcd(engines: Engines, folder: string): Promise<{ daemon: Daemon; port: number }> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = ['--name=lab', `--data-dir=${join(folder, 'etcd')}`, `--initial-cluster=lab=${peer}`];
  const addresses = [
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
  ];
  // Older versions start on this processor only when they are told that it is known.
  const env = { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: process.arch, ETCD_ENABLE_V2: 'true' };
  return { daemon: startDaemon(engines.etcd, [...args, ...addresses], env), port };
}

async function startNode(
  engines: Engines,
  root: string,
  name: string,
  etcdPort: number,
  onReset: () => void,
): Promise<Node> {
  const folder = join(root, name);
  const user = databaseUser();
  mkdirSync(folder, { mode: 0o700 });
  const ports: Ports = { postgres: await freePort(), rest: await freePort() };
  const reset = (): void => {
    kill(node);
    onReset();
  };
  const place = {
    name,
    folder,
    directUrl: `postgresql://postgres:${PASSWORD}@127.0.0.1:${ports.postgres}/postgres`,
    proxy: await startTcpProxy(`postgresql://127.0.0.1:${ports.postgres}/`),
    etcdProxy: await startTcpProxy(`http://127.0.0.1:${etcdPort}/`),
    watchdog: new Watchdog(join(folder, 'watchdog'), user, reset),
  };
  const settings = join(folder, 'patroni.yml');
  writeFileSync(settings, patroniSettings(place, ports, engines));
  if (user) for (const path of [folder, settings]) chownSync(path, user.uid, user.gid);
  const node: Node = { ...place, daemon: startPatroni(engines, folder) };
  return node;
}

const startPatroni = (engines: Engines, folder: string): Daemon =>
  startDaemon(
    engines.patroni,
    [join(folder, 'patroni.yml')],
    { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' },
    {
      cwd: folder,
      ...databaseUser(),
    },
  );

/** Its own process and its server's: the server is no child of the manager. */
function pidsOf(node: Node): number[] {
  const file = join(node.folder, 'data', 'postmaster.pid');
  const postmaster = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  const manager = node.daemon.child.pid ?? 0;
  const running = [manager, postmaster].filter(pid => pid > 0);
  return [...new Set([...running, ...running.flatMap(descendants)])];
}

function kill(node: Node): void {
  for (const pid of pidsOf(node)) signal(pid, 'SIGKILL');
}

const STRIKES: Record<Fault, (node: Node) => void> = {
  kill,
  freeze: node => {
    for (const pid of pidsOf(node)) signal(pid, 'SIGSTOP');
  },
  partition: ({ proxy, etcdProxy }) => {
    for (const cut of [proxy, etcdProxy]) {
      cut.silenceOpen();
      cut.blackHole();
    }
  },
};

/** What was killed, by the fault or by the watchdog, starts again; what stood still goes on; what was cut off is joined. */
function heal(node: Node, engines: Engines): void {
  node.proxy.restore();
  node.etcdProxy.restore();
  for (const pid of pidsOf(node)) signal(pid, 'SIGCONT');
  const { exitCode, signalCode } = node.daemon.child;
  if (exitCode === null && signalCode === null) return;
  node.watchdog.disarm();
  node.daemon = startPatroni(engines, node.folder);
}

const PART = `select pg_is_in_recovery() as follows, (select status from pg_stat_wal_receiver limit 1) as receiver,
    (select count(*)::int from pg_stat_replication where state = 'streaming') as followers,
    current_setting('synchronous_standby_names') as waits_for`;

/** The leader, if it is the only one, all others follow it, and it waits for one of them by name. */
async function leaderOfAll(nodes: readonly Node[]): Promise<Node | undefined> {
  const parts = await Promise.all(nodes.map(async node => ({ node, part: (await askNode(node, PART))?.[0] })));
  const leaders = parts.filter(({ part }) => part?.follows === false);
  const followers = parts.filter(({ part }) => part?.follows === true && part.receiver === 'streaming');
  const [{ node, part } = {}] = leaders;
  const isWaiting = nodes.some(({ name }) => part?.waits_for.includes(name));
  const isWhole = leaders.length === 1 && followers.length === NODES - 1 && part?.followers === NODES - 1 && isWaiting;
  return isWhole ? node : undefined;
}

/**
 * For a while, so that no node is on its way back from the last fault: with one of three away already, the loss of the leader
 * leaves one, and that one takes no orders.
 */
async function untilWhole(nodes: readonly Node[]): Promise<Node> {
  let [since, seen]: [number, Node | undefined] = [0, undefined];
  return until('a cluster with all its followers', async () => {
    const leader = await leaderOfAll(nodes);
    if (leader === undefined || leader !== seen) [since, seen] = [Date.now(), leader];
    return leader && Date.now() - since >= QUIET_MS ? leader : undefined;
  });
}

/** A real cluster: three PostgreSQL under Patroni, with etcd, synchronous replication, on loopback. */
export async function startCluster(engines: Engines, database: string): Promise<Cluster> {
  const root = await mkdtemp(join(tmpdir(), 'coinslot-failover-'));
  const user = databaseUser();
  if (user) chownSync(root, user.uid, user.gid);
  const etcd = await startEtcd(engines, root);
  const nodes: Node[] = [];
  let struck: Node | undefined;
  let resets = 0;

  const logs = (): string =>
    [...nodes.map(node => `--- ${node.name}\n${node.daemon.log()}`), `--- etcd\n${etcd.daemon.log()}`].join('\n');

  async function close(): Promise<void> {
    for (const node of nodes) {
      node.watchdog.close();
      kill(node);
      await node.proxy.close();
      await node.etcdProxy.close();
    }
    if (etcd.daemon.child.pid) signal(etcd.daemon.child.pid, 'SIGKILL');
    await pause(500);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    for (let i = 1; i <= NODES; i++) nodes.push(await startNode(engines, root, `node${i}`, etcd.port, () => resets++));
    const leader = await untilWhole(nodes);
    if (!(await askNode(leader, `create database ${database}`, START_MS))) throw new Error('no database could be made');
  } catch (error) {
    const written = logs();
    await close();
    throw new Error(`the cluster did not start:\n${written}`, { cause: error });
  }

  return {
    url: name =>
      `postgresql://postgres:${PASSWORD}@${nodes.map(({ proxy }) => proxied(proxy)).join(',')}/${name}?target_session_attrs=read-write`,
    async strike(fault) {
      const leader = await until('a leader', () => findLeader(nodes));
      const struckAt = Date.now();
      STRIKES[fault](leader);
      struck = leader;
      const next = await until('another leader', () => findLeader(nodes, leader.name), 3 * LEASE_SECONDS * 1000);
      return { struckAt, promotedAt: Date.now(), from: leader.name, to: next.name };
    },
    async heal() {
      if (struck) heal(struck, engines);
      struck = undefined;
      await untilWhole(nodes);
    },
    resets: () => resets,
    logs,
    close,
  };
}
