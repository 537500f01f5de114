/** The files and commands of docs/guides/failover.md, with what must differ on one machine: addresses, folders, passwords, the watchdog. */
import { execFile, execFileSync } from 'node:child_process';
import { chownSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '../free-port.ts';
import { readGuidePage } from '../guide-page.ts';
import type { Engines } from './machine.ts';

export const PASSWORD = 'failover';
/** Of the guide: db1 to db3, at 10.0.0.1 to 10.0.0.3. */
export const MACHINES = [1, 2, 3] as const;
const PORTS = [2379, 2380, 5432, 8008] as const;
type Port = (typeof PORTS)[number];

const page = readGuidePage('failover.md');

/** Where each port of each machine is on loopback. */
export type Ports = ReadonlyMap<string, number>;

const keyOf = (machine: number, port: number | string): string => `10.0.0.${machine}:${port}`;

export async function choosePorts(): Promise<Ports> {
  const ports = new Map<string, number>();
  for (const machine of MACHINES) for (const port of PORTS) ports.set(keyOf(machine, port), await freePort());
  return ports;
}

export const portOf = (ports: Ports, machine: number, port: Port): number => ports.get(keyOf(machine, port))!;

const onLoopback = (text: string, ports: Ports): string =>
  text.replaceAll(/10\.0\.0\.\d:\d+/g, address => `127.0.0.1:${ports.get(address)!}`);

/** The page shows the first machine; the others have their own name and address. */
const forMachine = (text: string, machine: number): string =>
  text.replaceAll('db1', `db${machine}`).replaceAll('10.0.0.1', `10.0.0.${machine}`);

export function etcdSettings(machine: number, ports: Ports): Record<string, string> {
  const file = page.files.get('/etc/default/etcd');
  if (!file) throw new Error('the guide has no /etc/default/etcd');
  const lines = file.trim().split('\n');
  const own = lines.map(line => (line.startsWith('ETCD_INITIAL_CLUSTER=') ? line : forMachine(line, machine)));
  return Object.fromEntries(
    own
      .map(line => onLoopback(line, ports))
      .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** By the commands of the guide, the authority's in the folder of all, the machine's own beside it. */
export function makeCertificates(root: string): void {
  const [authority, ...each] = page.commands('Certificates');
  const run = (command: string): void => void execFileSync('sh', ['-c', command], { cwd: root, stdio: 'ignore' });
  run(authority!);
  for (const machine of MACHINES)
    for (const command of each) run(forMachine(command, machine).replaceAll(/IP:10\.0\.0\.\d/g, 'IP:127.0.0.1'));
}

export interface Place {
  name: string;
  folder: string;
  /** Where others reach its PostgreSQL, and it reaches etcd. */
  address: string;
  etcdAddresses: string[];
  watchdogPath: string;
}

interface PatroniSettings {
  restapi: { authentication: { password: string } };
  etcd3: { hosts: string[]; use_proxies?: boolean };
  watchdog: object;
  postgresql: {
    connect_address: string;
    data_dir: string;
    bin_dir: string;
    parameters: Record<string, string>;
  };
}

/** The file of the guide as it is saved on one machine. */
export function patroniSettings(machine: number, place: Place, ports: Ports, engines: Engines): string {
  const moved = onLoopback(forMachine(page.block('yaml'), machine), ports)
    .replaceAll('password: …', `password: ${PASSWORD}`)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replaceAll('/etc/patroni/', `${place.folder}/`);
  const settings = parse(moved) as PatroniSettings;
  const { postgresql } = settings;
  return JSON.stringify({
    ...settings,
    // Without discovery, which would lead past the proxies.
    etcd3: { hosts: place.etcdAddresses, use_proxies: true },
    watchdog: { ...settings.watchdog, driver: 'testing', device: place.watchdogPath },
    postgresql: {
      ...postgresql,
      connect_address: place.address,
      data_dir: join(place.folder, 'data'),
      bin_dir: engines.postgres,
      // Three of them share the memory and the socket folder of one machine.
      parameters: { ...postgresql.parameters, shared_buffers: '64MB', unix_socket_directories: place.folder },
    },
  });
}

/** Saves what the guide puts into /etc/patroni. */
export function saveFiles(
  root: string,
  place: Place,
  settings: string,
  owner: { uid: number; gid: number } | null,
): void {
  const save = (name: string, from: string): void => cpSync(join(root, from), join(place.folder, name));
  save('server.crt', `${place.name}.crt`);
  save('server.key', `${place.name}.key`);
  save('ca.crt', 'ca.crt');
  writeFileSync(join(place.folder, 'config.yml'), settings, { mode: 0o600 });
  for (const name of ['server.crt', 'server.key', 'ca.crt', 'config.yml'])
    if (owner) chownSync(join(place.folder, name), owner.uid, owner.gid);
}

/** The role and the database, by the machine's own socket and as its own user, as the guide does it. */
export async function makeDatabase(
  { folder }: Place,
  port: number,
  engines: Engines,
  owner: { uid: number; gid: number } | null,
): Promise<void> {
  const statements = page.block('sql').replaceAll('…', PASSWORD).trim().split('\n');
  const args = ['-v', 'ON_ERROR_STOP=1', '-h', folder, '-p', String(port), '-U', 'postgres'];
  // Not by a call that blocks: replication goes through proxies of this process, and a commit waits for it.
  await promisify(execFile)(join(engines.postgres, 'psql'), [...args, ...statements.flatMap(line => ['-c', line])], {
    cwd: folder,
    ...owner,
  });
}

/** What the guide types to give the lead away, on one of the machines. */
export const switchoverCommand = (place: Place): string[] =>
  page.commands('Switch over on purpose')[0]!.replaceAll('/etc/patroni/', `${place.folder}/`).split(' ');

/** What every process of Coinslot is given. */
export const databaseUrl = (addresses: string[], root: string): string =>
  page
    .setting('DATABASE_URL')
    .replace('coinslot:password@', `coinslot:${PASSWORD}@`)
    .replace(/@[^/]+\//, `@${addresses.join(',')}/`)
    .replace('/etc/coinslot/ca.crt', join(root, 'ca.crt'));
