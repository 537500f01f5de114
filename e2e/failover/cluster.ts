import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTcpProxy, type TcpProxy } from '@coinslot/testing/tcp-proxy';
import pg from 'pg';
import {
  choosePorts,
  databaseUrl,
  etcdSettings,
  MACHINES,
  makeCertificates,
  makeDatabase,
  PASSWORD,
  type Place,
  type Ports,
  patroniSettings,
  portOf,
  saveFiles,
  switchoverCommand,
} from './from-guide.ts';
import { type Daemon, databaseUser, descendants, type Engines, signal, startDaemon } from './machine.ts';
import { Watchdog } from './watchdog.ts';

const NODES = MACHINES.length;
const START_MS = 180_000;
const LOOK_AGAIN_MS = 100;

/** Patroni's smallest lease: a leader that is gone without a word is replaced after that long at the latest. */
export const LEASE_SECONDS = 20;

/** The last is none, but what an operator does before maintenance. */
export type Fault = 'kill' | 'freeze' | 'partition' | 'switchover';

/** One PostgreSQL under one Patroni. Everything that others say to it, and that it says to etcd, goes through proxies. */
interface Node extends Place {
  /** Past the proxy, for looking at it while it is cut off. */
  directUrl: string;
  proxy: TcpProxy;
  etcdProxies: TcpProxy[];
  watchdog: Watchdog;
  daemon: Daemon;
}

export interface Cluster {
  /** All hosts in one address, as the program gets it. */
  url: string;
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

/** A machine at work needs a while for a TLS handshake and a password. */
const LOOK_MS = 2_000;
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

function startEtcd(engines: Engines, root: string, machine: number, ports: Ports): Daemon {
  const settings = etcdSettings(machine, ports);
  const folder = join(root, `etcd${machine}`);
  // Older versions start on this processor only when they are told that it is known.
  const env = { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: process.arch, ETCD_DATA_DIR: folder };
  return startDaemon(engines.etcd, [], { ...env, ...settings });
}

async function startNode(
  engines: Engines,
  root: string,
  machine: number,
  ports: Ports,
  onReset: () => void,
): Promise<Node> {
  const name = `db${machine}`;
  const folder = join(root, name);
  const user = databaseUser();
  mkdirSync(folder, { mode: 0o700 });
  const port = portOf(ports, machine, 5432);
  const proxy = await startTcpProxy(`postgresql://127.0.0.1:${port}/`);
  const etcdProxies = await Promise.all(
    MACHINES.map(other => startTcpProxy(`http://127.0.0.1:${portOf(ports, other, 2379)}/`)),
  );
  const reset = (): void => {
    kill(node);
    onReset();
  };
  const watchdog = new Watchdog(join(folder, 'watchdog'), user, reset);
  const place: Place = {
    name,
    folder,
    address: proxied(proxy),
    etcdAddresses: etcdProxies.map(proxied),
    watchdogPath: watchdog.path,
  };
  if (user) chownSync(folder, user.uid, user.gid);
  saveFiles(root, place, patroniSettings(machine, place, ports, engines), user);
  const trust = `sslmode=verify-full&sslrootcert=${join(root, 'ca.crt')}`;
  const directUrl = `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/postgres?${trust}`;
  const node: Node = { ...place, directUrl, proxy, etcdProxies, watchdog, daemon: startPatroni(engines, folder) };
  return node;
}

const startPatroni = (engines: Engines, folder: string): Daemon =>
  startDaemon(
    engines.patroni,
    [join(folder, 'config.yml')],
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

const STRIKES: Record<Fault, (node: Node) => Promise<void>> = {
  kill: async node => kill(node),
  freeze: async node => {
    for (const pid of pidsOf(node)) signal(pid, 'SIGSTOP');
  },
  switchover: async node => {
    const [program, ...args] = switchoverCommand(node);
    await promisify(execFile)(program!, args, {
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: node.folder },
    });
  },
  partition: async ({ proxy, etcdProxies }) => {
    for (const cut of [proxy, ...etcdProxies]) {
      cut.silenceOpen();
      cut.blackHole();
    }
  },
};

/** What was killed, by the fault or by the watchdog, starts again; what stood still goes on; what was cut off is joined. */
function heal(node: Node, engines: Engines): void {
  node.proxy.restore();
  for (const proxy of node.etcdProxies) proxy.restore();
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

/** A real cluster as the guide describes it: three PostgreSQL under Patroni, with etcd, TLS and synchronous replication, on loopback. */
export async function startCluster(engines: Engines): Promise<Cluster> {
  const root = await mkdtemp(join(tmpdir(), 'coinslot-failover-'));
  const user = databaseUser();
  if (user) chownSync(root, user.uid, user.gid);
  makeCertificates(root);
  const ports = await choosePorts();
  const etcds = MACHINES.map(machine => startEtcd(engines, root, machine, ports));
  const nodes: Node[] = [];
  let struck: Node | undefined;
  let resets = 0;

  const logs = (): string =>
    [
      ...nodes.map(node => `--- ${node.name}\n${node.daemon.log()}`),
      ...etcds.map((daemon, i) => `--- etcd ${i + 1}\n${daemon.log()}`),
    ].join('\n');

  async function close(): Promise<void> {
    for (const node of nodes) {
      node.watchdog.close();
      kill(node);
      await node.proxy.close();
      for (const proxy of node.etcdProxies) await proxy.close();
    }
    for (const { child } of etcds) if (child.pid) signal(child.pid, 'SIGKILL');
    await pause(500);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    for (const machine of MACHINES) nodes.push(await startNode(engines, root, machine, ports, () => resets++));
    const leader = await untilWhole(nodes);
    await makeDatabase(leader, Number(new URL(leader.directUrl).port), engines, user);
  } catch (error) {
    const written = logs();
    await close();
    throw new Error(`the cluster did not start:\n${written}`, { cause: error });
  }

  return {
    url: databaseUrl(
      nodes.map(({ address }) => address),
      root,
    ),
    async strike(fault) {
      const leader = await until('a leader', () => findLeader(nodes));
      const struckAt = Date.now();
      await STRIKES[fault](leader);
      struck = fault === 'switchover' ? undefined : leader;
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
